"""The answers of a share field -> numbers.

A dropdown of a review form exports the symbol of the chosen answer, 7 say, where the answer reads "60%". The form knows
what symbols stand for. Without the form, symbols that count the choices from 1 can still be told: less one each, they
sum to the same number in every review.
"""

import re
from collections import Counter
from collections.abc import Sequence

from surpeer.errors import InputError, quoted
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.names import folded

STEPS = (2, 4, 5, 10, 20, 25, 50, 100)  # from none to all, in whole percentages

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")

Cells = list[str | None]


def answers(field: Field, required: bool = True) -> Cells:
    """The cells of a field whose options say what they stand for, with that; of another field, as they are.

    required : whether every option must be a number to people, or symbols will do
    """
    if not field.options or not any(option.label for option in field.options):
        return field.cells
    numbers = [_NUMBER.findall(option.label) for option in field.options]
    strange = next((option for option, found in zip(field.options, numbers, strict=True) if len(found) != 1), None)
    if strange is not None and required:
        raise InputError(
            f"the answers of {quoted(field.name)} are no shares: found the answer {quoted(strange.label)}, "
            'expected one number or percentage in each, such as "60%"'
        )
    if strange is not None:
        return field.cells
    shares = [found[0].replace(",", ".") for found in numbers]
    by_label = {folded(option.label): share for option, share in zip(field.options, shares, strict=True)}
    by_symbol = {folded(option.symbol): share for option, share in zip(field.options, shares, strict=True)}
    meaning = by_label | by_symbol  # a label may be another one's symbol
    return [None if cell is None else meaning.get(folded(cell), cell) for cell in field.cells]


def are_percentages(fields: Sequence[Field]) -> bool:
    """Whether the options of these fields have per cent signs."""
    return bool(fields) and all(field.options and "%" in field.options[-1].label for field in fields)


def from_positions(columns: Sequence[Cells]) -> tuple[list[Cells], str] | None:
    """Percentages from the positions of choices, from 1, in equal steps from none to all; and a note.

    columns : the cells of each level. None if these are no such positions, or nothing shows it.
    """
    complete = [row for row in zip(*columns, strict=True) if None not in row]
    rows = [whole for row in complete if (whole := _whole(row)) is not None]
    if not rows or any(min(row) < 1 for row in rows):
        return None
    total, times = Counter(map(sum, rows)).most_common(1)[0]
    steps = total - len(columns)
    if total == 100 or steps not in STEPS or times * 2 <= len(complete) or max(map(max, rows)) > steps + 1:
        return None
    percent = {str(at + 1): f"{100 * at / steps:.10g}" for at in range(steps + 1)}
    note = (
        f"predictions are read as choices counted from 1, in steps of {100 / steps:g}%, because so {times:,} of "
        f"{len(complete):,} sum to 100; give the form's settings (--form FILE) to be sure"
    )
    return [[None if cell is None else percent.get(cell, cell) for cell in column] for column in columns], note


def may_be_positions(columns: Sequence[Cells]) -> bool:
    """Whether all answers are whole numbers from 1, as positions in a list are."""
    return all(_is_short_number(cell) and cell != "0" for column in columns for cell in column if cell is not None)


def _whole(row: Sequence[str | None]) -> list[int] | None:
    return [int(cell) for cell in row if cell is not None] if all(_is_short_number(cell) for cell in row) else None


def _is_short_number(cell: str | None) -> bool:
    return cell is not None and cell.isascii() and cell.isdigit() and len(cell) <= 4
