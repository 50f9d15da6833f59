"""Predictions whose names do not say so, known by their answers: shares of one whole.

several fields    that begin or end alike, and whose numbers sum to the same whole in most reviews
one field         whose answers are several numbers that sum to 1 or 100

A few answers that are no numbers ("n/a", "7O%") make no other field of it: they are slips, reported later.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from surpeer.distribution_cells import parse_distribution
from surpeer.io.intake.shares import STEPS, answers
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.names import words
from surpeer.scale import plain_number

MANY = 1000  # reviews, which tell as well as all of them
FEWEST = 2  # reviews that must agree
LONGEST_SHARE = 8  # characters

_DECIMAL_COMMA = re.compile(r"(\d),(\d)")

Group = tuple[list[Field], list[list[str]]]
"""Fields that belong together, and the words of each name that the others do not have."""


def alike_fields(fields: Sequence[Field], from_one: bool) -> Group | None:
    """The largest group of fields that are shares of one whole, with what their names do not have in common.

    from_one : whether answers are positions of choices, so that each counts one too many
    """
    numeric = [one for one in fields if is_all_shares(one)]
    with_slips = [one for one in fields if is_mostly_shares(one)]
    candidates = [*_groups(numeric), *(_groups(with_slips) if len(with_slips) > len(numeric) else ())]
    groups = [group for group in candidates if sum_to_a_whole(group[0], from_one)]
    # of groups of the same size that with the most words in common, which leaves the fewest to each
    return max(groups, key=lambda group: (len(group[0]), -sum(map(len, group[1]))), default=None)


def holds_whole_distributions(one: Field, levels: int) -> bool:
    """Whether most answers are so many numbers that sum to 1 or to 100."""
    given = list(islice((cell for cell in one.cells if cell is not None), MANY))
    names = [str(at) for at in range(levels)]
    read = [parse_distribution(cell, names) for cell in given]
    sound = sum(not isinstance(numbers, str) and _is_whole(sum(numbers)) for numbers in read)
    return sound >= FEWEST and sound * 2 > len(given)


def is_all_shares(one: Field) -> bool:
    """Whether all answers are numbers that may be shares, and there are some."""
    given = _first_answers(one)
    return bool(given) and all(share(cell) is not None for cell in given)


def is_mostly_shares(one: Field) -> bool:
    """Whether most answers are."""
    given = _first_answers(one)
    return sum(share(cell) is not None for cell in given) * 2 > len(given)


def _first_answers(one: Field) -> list[str]:
    return list(islice((cell for cell in one.cells if cell is not None), MANY))


def share(cell: str) -> float | None:
    """The share that a cell may be, or None.

    >>> share("70 %"), share("0,7"), share("7O%"), share("700")
    (70.0, 0.7, None, None)
    """
    if len(cell) > LONGEST_SHARE:
        return None
    number = plain_number(_DECIMAL_COMMA.sub(r"\1.\2", cell.strip().removesuffix("%").strip()))
    return number if number is not None and 0 <= number <= 101 else None


def _groups(fields: Sequence[Field]) -> Iterator[Group]:
    """Fields whose names have their first or last words in common, and no others."""
    named = [(one, words(one.name)) for one in fields]
    for at_end in (False, True):
        together: dict[tuple[str, ...], list[tuple[Field, list[str]]]] = {}
        for one, parts in named:
            for size in range(1, len(parts)):
                stem, rest = (parts[-size:], parts[:-size]) if at_end else (parts[:size], parts[size:])
                together.setdefault(tuple(stem), []).append((one, rest))
        yield from (
            ([one for one, _ in some], [rest for _, rest in some]) for some in together.values() if len(some) > 1
        )


def sum_to_a_whole(fields: Sequence[Field], from_one: bool) -> bool:
    """Whether the numbers of these fields sum to the same whole in most reviews that have them all."""
    columns = [answers(one, required=False)[:MANY] for one in fields]
    rows = [[share(cell) for cell in row if cell is not None] for row in zip(*columns, strict=True)]
    numbers = [[number for number in row if number is not None] for row in rows]
    sums = [sum(row) for row in numbers if len(row) == len(fields)]
    positions = [len(fields) + step for step in STEPS] if from_one and not any(one.options for one in fields) else []
    wholes = [sum(_is_whole(total) for total in sums), *(sum(total == whole for total in sums) for whole in positions)]
    return max(wholes) >= FEWEST and max(wholes) * 2 > len(sums)


def _is_whole(total: float) -> bool:
    return abs(total - 1) <= 1e-3 or abs(total - 100) <= 0.1
