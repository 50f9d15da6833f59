"""The column `distribution`: the predicted shares of all levels in one cell, as people type them, the lowest first.

10 20 50 20     10/20/50/20     10-20-50-20     10; 20; 50; 20     10%, 20%, 50%, 20%     0,1 0,2 0,5 0,2
reject: 30, accept: 70     reject 30, accept 70     30% reject, 70% accept     (a level not named is not predicted)

Formats that know lists (Parquet, JSON lines) may have the numbers themselves, an empty place for a share not predicted.
"""

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from surpeer.columns import DISTRIBUTION
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem, counted, quoted
from surpeer.float_cells import as_floats
from surpeer.scale import Scale
from surpeer.slips import Slips

LONGEST = 2000  # characters; a longer cell is a text, not a prediction

MOST_KNOWN = 100_000  # different texts that are remembered

_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_SHARE = re.compile(rf"({_NUMBER})\s*%?")
_LABELLED = (  # each is tried from where the one before ended, so that long texts take no long time
    re.compile(rf"(?P<label>[^:=]+)[:=]\s*(?P<share>{_NUMBER})\s*%?[\s,;/|]*"),
    re.compile(rf"(?P<label>[^\d.:=%]+)(?P<share>{_NUMBER})\s*%?[\s,;/|]*"),
    re.compile(rf"(?P<share>{_NUMBER})\s*%?(?P<label>[^\d.:=%]+)"),
)
_HAS_LABELS = re.compile(r"[^\W\d_]|[:=]")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?![-\d])")
_AROUND = "()[]{},;"
_AROUND_LABELS = " \t\r\n,;/|()-–—"
_APART = re.compile(r"[\s/;|]+")
_APART_OR_COMMA = re.compile(r"[\s/;|,]+")
_COLON = re.compile(":")
_DASH = re.compile("[-–—]")  # "10-20" has no minus: shares are not negative


def read_distributions(column: pl.Series, scale: Scale, rows: IntArray) -> tuple[FloatArray, BoolArray, list[Slips]]:
    """(n, K) numbers as they are written, NaN where there are none; (n,) which rows have per cent signs; problems."""
    if column.dtype in (pl.List, pl.Array) and column.dtype.inner.is_numeric():  # type: ignore[attr-defined]
        return _read_lists(column, len(scale), rows)
    cells = np.full((len(column), len(scale)), np.nan, order="F")
    percent = np.zeros(len(column), dtype=np.bool_)
    wrong: list[tuple[int, str, str]] = []
    known: dict[str, list[float] | str] = {}  # reviewers type the same few distributions again and again
    for at, text in enumerate(_texts(column)):
        if text is None or not text.strip():
            continue
        if text not in known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[text] = parse_distribution(text, scale.levels, scale.labels)
        numbers = known[text]
        if isinstance(numbers, str):
            wrong.append((at, text, numbers))
        else:
            cells[at] = numbers
            percent[at] = "%" in text
    return cells, percent, _slips(wrong, rows, len(scale))


def list_cells(column: pl.Series, size: int) -> FloatArray | None:
    """(n, K) the numbers of a column of lists that all have one for each level; None where they have not."""
    if column.null_count():
        return None
    if isinstance(column.dtype, pl.Array):
        column = column.cast(pl.List(column.dtype.inner))
    if not (column.list.len() == size).all():
        return None
    numbers = as_floats(column.explode())
    return numbers.fill_null(float("nan")).to_numpy().reshape(len(column), size)


def _read_lists(column: pl.Series, size: int, rows: IntArray) -> tuple[FloatArray, BoolArray, list[Slips]]:
    """The same for lists of numbers, which need no reading."""
    cells = np.full((len(column), size), np.nan, order="F")
    lengths = (column.cast(pl.List(pl.Float64)) if isinstance(column.dtype, pl.Array) else column).list.len()
    right = np.flatnonzero((lengths == size).fill_null(value=False).to_numpy())
    given = list_cells(column.gather(right), size)
    if given is not None:
        cells[right] = given
    others = np.flatnonzero((lengths != size).fill_null(value=False).to_numpy())
    wrong = [(int(at), str(column[int(at)].to_list()), counted(int(lengths[int(at)]), "number")) for at in others]
    return cells, np.zeros(len(column), dtype=np.bool_), _slips(wrong, rows, size)


def _slips(wrong: Sequence[tuple[int, str, str]], rows: IntArray, size: int) -> list[Slips]:
    """The mistakes in these cells: position, text, and what was found."""
    at = np.array([place for place, _, _ in wrong], dtype=np.int64)
    return [Slips(at, lambda index: _problem(int(rows[at[index]]), *wrong[index][1:], size))] if wrong else []


def _texts(column: pl.Series) -> list[str | None]:
    """The cells as text; lists, which a table in memory may have, as what they hold in a row."""
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return [None if cell is None else str(cell) for cell in column.to_list()]
    return column.cast(pl.String, strict=False).to_list()


def parse_distribution(text: str, levels: Sequence[str], labels: Sequence[str] = ()) -> list[float] | str:
    """The numbers of one cell, one for each level and NaN for one that is not named; or what was found instead, which
    is nothing if the text itself says all.

    >>> parse_distribution("10%, 20%, 70%", ["1", "2", "3"])
    [10.0, 20.0, 70.0]
    >>> parse_distribution("accept: 70, reject: 30", ["reject", "accept"])
    [30.0, 70.0]
    >>> parse_distribution("10 20", ["1", "2", "3"])
    '2 numbers'
    """
    if len(text) > LONGEST:
        return f"a text of {len(text):,} characters"
    bare = _bare(text)
    if _DATE.match(bare):
        return "a date, which a spreadsheet program made of it"
    both = [f"{level} {label}" for level, label in zip(levels, labels, strict=False)]
    position = {_folded(name): at for names in (labels, both, levels) for at, name in enumerate(names)}
    for attempt in (bare, _with_points(bare)) if _HAS_LABELS.search(bare) else ():
        for pattern in _LABELLED:
            by_label = _by_label(attempt, pattern, position, len(levels))
            if by_label is not None:
                return by_label
    in_order = [numbers for parts in _split(bare) if (numbers := _numbers(parts))]
    right = [numbers for numbers in in_order if len(numbers) == len(levels)]
    return right[0] if right else counted(len(in_order[0]), "number") if in_order else ""


def count_numbers(text: str) -> int:
    """For how many levels a cell has numbers, when nobody knows the levels; 0 if it is no distribution.

    >>> count_numbers("0,1 0,2 0,7"), count_numbers("1: 30, 2: 70"), count_numbers("10:20:70"), count_numbers("none")
    (3, 2, 3, 0)
    """
    if len(text) > LONGEST:
        return 0
    bare = _bare(text)
    for attempt in (bare, _with_points(bare)) if _HAS_LABELS.search(bare) else ():
        for pattern in _LABELLED:
            pairs = _pairs(attempt, pattern)
            if len(pairs) > 1 or (pairs and not _SHARE.fullmatch(pairs[0][0].strip())):
                return len(pairs)
    in_order = [numbers for parts in _split(bare) if (numbers := _numbers(parts))]
    whole = [numbers for numbers in in_order if any(abs(sum(numbers) / total - 1) <= 0.1 for total in (1, 100))]
    return len(next(iter(whole or in_order), []))


def _bare(text: str) -> str:
    return text.strip().rstrip(_AROUND + ".").lstrip(_AROUND).strip()


def _split(text: str) -> list[list[str]]:
    """The text in parts, in the ways that it may be meant."""
    for marks in (_COLON, _DASH):
        if marks.search(text):  # between all numbers, or it is something else
            return [[part.strip() for part in marks.split(_with_points(text))]]
    parts = [_APART_OR_COMMA.split(text)]
    if "." not in text:  # decimal commas, where that makes the right number of shares
        with_commas = _APART.split(_with_points(text))
        parts = [with_commas, *parts] if re.search("[;/|]", text) else [*parts, with_commas]
    return [[part for part in some if part.strip(",")] for some in parts]


def _with_points(text: str) -> str:
    return _DECIMAL_COMMA.sub(".", text)


def _numbers(parts: Sequence[str]) -> list[float] | None:
    """The numbers that these are; a per cent sign by itself belongs to the number before it."""
    numbers = []
    for part in parts:
        share = _SHARE.fullmatch(part.strip(","))
        if share is not None:
            numbers.append(float(share[1]))
        elif part != "%" or not numbers:
            return None
    return numbers


def _by_label(text: str, pattern: re.Pattern[str], position: dict[str, int], size: int) -> list[float] | None:
    """Shares that say which level they are for, in any order."""
    numbers = [float("nan")] * size
    pairs = _pairs(text, pattern)
    for label, share in pairs:
        at = position.get(_folded(label), position.get(_folded(label.strip(_AROUND_LABELS))))
        if at is None or numbers[at] == numbers[at]:
            return None
        numbers[at] = share
    return numbers if pairs else None


def _pairs(text: str, pattern: re.Pattern[str]) -> list[tuple[str, float]]:
    """Labels and shares, if that is all that the text is."""
    pairs = []
    end = 0
    while end < len(text):
        pair = pattern.match(text, end)
        if pair is None:
            return []
        pairs.append((pair["label"], float(pair["share"])))
        end = pair.end()
    return pairs


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _problem(row: int, text: str, found: str, size: int) -> Problem:
    shown = f"{found} ({quoted(text)})" if found else quoted(text)
    expected = f"{size} numbers, one for each level, such as {_example(size)}"
    return Problem(row, DISTRIBUTION, shown, expected, "correct it, or leave the cell empty")


def _example(size: int) -> str:
    """Shares that sum to 100, for a message."""
    if size > 10:
        return "10 20 ..."
    share = 100 // size
    return " ".join([str(share)] * (size - 1) + [str(100 - share * (size - 1))])
