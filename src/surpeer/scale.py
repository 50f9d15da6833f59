"""The rating scale: which levels there are, in which order, how they are shown and what number each stands for."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from surpeer.errors import ScaleError, UnknownName, counted, quoted

# A slider from 0 to 100 is the finest scale that people rate on; more levels are a sign of a mistaken column.
MOST_LEVELS = 101

# Beyond this, sums of values would lose digits that a mean shows.
LARGEST_VALUE = 1e12


@dataclass(frozen=True, slots=True, init=False)
class Scale:
    """Ordered rating levels, lowest first.

    levels : the ratings as they stand in the data, as text
    values : the number that each level stands for (phi in the paper), increasing; by default 0 and 1 for two levels,
        1..K otherwise
    labels : how each level is shown to people; by default the level itself

    >>> Scale(["reject", "accept"])
    Scale(levels=('reject', 'accept'), values=(0.0, 1.0), labels=('reject', 'accept'))
    """

    levels: tuple[str, ...]
    values: tuple[float, ...]
    labels: tuple[str, ...]

    def __init__(self, levels: Iterable[object], values: Iterable[float] = (), labels: Iterable[object] = ()) -> None:
        if isinstance(levels, str):
            raise ScaleError(
                f"found the text {quoted(levels)}, expected a list of levels; to read text use Scale.parse"
            )
        names = tuple(str(level).strip() for level in levels)
        problems = list(_level_problems(names))
        numbers, value_problems = _values(values, len(names))
        problems += value_problems
        shown = tuple(str(label) for label in labels) or names
        if len(shown) != len(names):
            problems.append(f"found {counted(len(shown), 'label')} for {len(names)} levels, expected one for each")
        if problems:
            raise ScaleError("the rating scale cannot be used: " + "; ".join(problems))
        for field, content in (("levels", names), ("values", numbers), ("labels", shown)):
            object.__setattr__(self, field, content)

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def is_binary(self) -> bool:
        return len(self.levels) == 2

    @property
    def different_labels(self) -> tuple[str, ...]:
        """The labels, each with its level behind it where two levels have the same.

        >>> Scale(["1", "2", "3"], labels=["poor", "fine", "fine"]).different_labels
        ('poor', 'fine (2)', 'fine (3)')
        """
        count = Counter(self.labels)
        pairs = zip(self.labels, self.levels, strict=True)
        return tuple(label if count[label] == 1 else f"{label} ({level})" for label, level in pairs)

    @classmethod
    def preset(cls, name: str) -> "Scale":
        """A scale that many venues use, by name; `PRESETS` has them all.

        >>> Scale.preset("binary").levels
        ('reject', 'accept')
        """
        if name not in PRESETS:
            raise UnknownName("scale", name, PRESETS)
        return PRESETS[name]

    @classmethod
    def parse(cls, levels: str, values: str | None = None) -> "Scale":
        """A scale from text as typed on a command line: `reject,accept`, or `1..10` for whole numbers.

        >>> Scale.parse("1..4", "-2,-1,1,2").values
        (-2.0, -1.0, 1.0, 2.0)
        """
        return cls(tuple(_split_levels(levels)), parse_values(values) if values is not None else ())

    @classmethod
    def from_mapping(cls, content: Mapping[str, Any], source: str = "scale") -> "Scale":
        """A scale from the content of a scale file: `levels`, and optionally `values` and `labels`."""
        unknown = sorted(set(content) - {"levels", "values", "labels"})
        if unknown:
            raise ScaleError(f"{source}: unknown key {quoted(unknown[0])}, expected levels, values, labels")
        if "levels" not in content:
            raise ScaleError(f'{source}: no levels, expected a list such as levels = ["reject", "accept"]')
        for key, entries in content.items():
            if isinstance(entries, str) or not isinstance(entries, Sequence):
                raise ScaleError(f"{source}: {key} is {quoted(entries)}, expected a list")
            for entry in entries:
                if isinstance(entry, bool) or not isinstance(entry, str | int | float):
                    raise ScaleError(f"{source}: found {entry!r} among the {key}, expected text or numbers")
        levels = [f"{level:g}" if isinstance(level, float) else str(level) for level in content["levels"]]
        try:
            return cls(tuple(levels), tuple(content.get("values", ())), tuple(content.get("labels", ())))
        except ScaleError as error:
            raise ScaleError(f"{source}: {error}") from None

    def with_values(self, values: Iterable[float]) -> "Scale":
        """The same levels, standing for other numbers."""
        return Scale(self.levels, tuple(values), self.labels)


def plain_number(text: str) -> float | None:
    """The number that a level or rating is, if it is written in plain digits and nothing else.

    >>> plain_number("3.0"), plain_number("-2"), plain_number("1e3"), plain_number("accept")
    (3.0, -2.0, None, None)
    """
    return float(text) if re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", text) else None


def parse_values(text: str) -> tuple[float, ...]:
    """Numbers separated by commas."""
    numbers = []
    for part in text.split(","):
        try:
            numbers.append(float(part))
        except ValueError:
            raise ScaleError(f"found {quoted(part)} among the values, expected numbers such as 0,1") from None
    return tuple(numbers)


def _split_levels(text: str) -> Iterable[str]:
    span = re.fullmatch(r"\s*(-?\d+)\.\.(-?\d+)\s*", text)
    if span is None:
        dashed = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", text)
        if dashed is not None:
            raise ScaleError(f"the levels {quoted(text)} are one name; did you mean {dashed[1]}..{dashed[2]}?")
        return [part.strip() for part in text.split(",")]
    low, high = int(span[1]), int(span[2])
    if high <= low:
        raise ScaleError(f"the levels {quoted(text)} run downwards, expected the lowest first")
    if high - low >= MOST_LEVELS:
        raise ScaleError(f"the levels {quoted(text)} are {high - low + 1:,}, expected at most {MOST_LEVELS}")
    return [str(number) for number in range(low, high + 1)]


def _level_problems(levels: tuple[str, ...]) -> Iterable[str]:
    if not 2 <= len(levels) <= MOST_LEVELS:
        yield f"found {counted(len(levels), 'level')}, expected between 2 and {MOST_LEVELS}"
    if "" in levels:
        yield "found a level without a name"
    repeated = sorted({level for level in levels if levels.count(level) > 1} - {""})
    if repeated:
        yield f"found level {quoted(repeated[0])} twice, expected every level once"
    numbers = Counter(number for level in set(levels) if (number := plain_number(level)) is not None)
    same = next((number for number, times in numbers.items() if times > 1), None)
    if same is not None:
        yield f"found two levels that are the number {same:g}, expected different ones"


def _values(given: Iterable[Any], size: int) -> tuple[tuple[float, ...], list[str]]:
    try:
        values = tuple(float(value) for value in given)
    except (TypeError, ValueError):
        return (), ["found a value that is not a number"]
    if not values:
        values = (0.0, 1.0) if size == 2 else tuple(float(rank) for rank in range(1, size + 1))
    problems = []
    if len(values) != size:
        problems.append(f"found {counted(len(values), 'value')} for {size} levels, expected one for each")
    if not all(abs(value) <= LARGEST_VALUE for value in values):
        problems.append(f"found a value that is not a number between {-LARGEST_VALUE:g} and {LARGEST_VALUE:g}")
    elif not all(low < high for low, high in pairwise(values)):
        listed = ", ".join(f"{value:g}" for value in values)
        problems.append(f"found the values {listed}, expected increasing numbers (levels are lowest first)")
    return values, problems


PRESETS: dict[str, Scale] = {
    "binary": Scale(("reject", "accept")),
    "yes-no": Scale(("no", "yes")),
    "0-1": Scale(("0", "1")),
    "four-grades": Scale(("reject", "weak reject", "weak accept", "accept"), (-2, -1, 1, 2)),
    "five-grades": Scale(("strong reject", "reject", "borderline", "accept", "strong accept")),
    "six-grades": Scale(
        ("strong reject", "reject", "weak reject", "weak accept", "accept", "strong accept"), (1, 2, 3, 4, 5, 6)
    ),
    "1-5": Scale(("1", "2", "3", "4", "5")),
    "1-10": Scale(tuple(str(rank) for rank in range(1, 11))),
}
"""The paper's example of more than two levels is `four-grades`."""

# Names whose order everybody knows, besides the presets. They may be written with capitals.
KNOWN_PAIRS = (("bad", "good"), ("low", "high"), ("weak", "strong"), ("fail", "pass"), ("false", "true"))


def known_order(names: Iterable[str]) -> tuple[str, ...] | None:
    """These names, lowest first, if they are all the levels of a scale that everybody knows; else None.

    >>> known_order(["Accept", "Reject"])
    ('Reject', 'Accept')
    """
    by_folded = {name.strip().casefold(): name for name in names}
    for levels in (*(preset.levels for preset in PRESETS.values()), *KNOWN_PAIRS):
        if by_folded.keys() == set(levels):
            return tuple(by_folded[level] for level in levels)
    return None


def known_pair(ratings: Iterable[str]) -> tuple[str, str] | None:
    """The two levels, lowest first, that these ratings are taken from if everybody knows them; else None.

    >>> known_pair(["accept"])
    ('reject', 'accept')
    """
    by_folded = {rating.strip().casefold(): rating for rating in ratings}
    pairs = [preset.levels for preset in PRESETS.values() if preset.is_binary]
    fitting = [pair for pair in (*pairs, *KNOWN_PAIRS) if by_folded.keys() <= set(pair)]
    if not by_folded or len(fitting) != 1:
        return None
    low, high = fitting[0]
    return by_folded.get(low, low), by_folded.get(high, high)
