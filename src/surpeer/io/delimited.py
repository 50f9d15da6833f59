"""CSV and TSV. Polars reads sound files; where it stumbles, the csv module finds out where and why."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from surpeer.columns import EXPECTED, PAPER, PREDICTION, RATING, REVIEWER, SHARE_PREFIX, TRACK
from surpeer.errors import Problem, counted, quoted
from surpeer.io.table import NEEDS_CSV, Table, decode, unusable

FIRST_ROW = 2  # as a spreadsheet counts: the header is row 1


def read_delimited(path: Path, data: bytes, separator: str) -> Table:
    """The rows of a UTF-8 file with a header."""
    names = _header(path, data, separator)
    # A lone quote in a column of numbers makes polars 2.1 panic, so numbers are left as text where there are quotes.
    number_type = pl.String if b'"' in data else pl.Float64
    types = {name: number_type if _is_prediction(name) else pl.String for name in names}
    try:
        frame = pl.read_csv(data, separator=separator, schema_overrides=types)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return _read_carefully(path, data, separator)
    if frame.columns != names or _has_nan(frame) or not _is_plain(frame, data, separator):
        return _read_carefully(path, data, separator)
    return Table(frame, FIRST_ROW)


def _is_prediction(name: str) -> bool:
    return name in (PREDICTION, EXPECTED) or (name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX)


def _header(path: Path, data: bytes, separator: str) -> list[str]:
    first_line = data[: data.find(b"\n") + 1 or len(data)]
    if b"\r" in first_line.rstrip(b"\r\n"):
        raise unusable(path, "lines that end in a bare carriage return", "a line feed", NEEDS_CSV)
    text = decode(path, first_line if first_line.count(b'"') % 2 == 0 else data)
    try:
        names = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
    except csv.Error as error:
        raise unusable(path, f"a header that cannot be read ({error})", "column names", NEEDS_CSV) from None
    if not any(name.strip() for name in names):
        raise unusable(path, "an empty first row", "the column names in it", "delete what is above the header")
    _check_separator(path, names, separator)
    known = [name for name in names if name in (PAPER, REVIEWER, RATING, TRACK) or _is_prediction(name)]
    for name, times in Counter(known).items():
        if times > 1:
            raise unusable(path, f"{times} columns {name}", "every column once", "rename or delete the others")
    return names


def _check_separator(path: Path, names: list[str], separator: str) -> None:
    marks = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}
    other = next((mark for mark in marks if mark != separator and mark in names[0]), None)
    if len(names) == 1 and other is not None:
        remedy = "name the file .tsv" if other == "\t" else f"save it with {marks[separator]} between the cells"
        raise unusable(path, f"a header separated by {marks[other]}", marks[separator], remedy)


def _has_nan(frame: pl.DataFrame) -> bool:
    """Whether a prediction cell says NaN, which in a text file is no number and no empty cell either."""
    return any(bool(column.is_nan().any()) for column in frame.iter_columns() if column.dtype == pl.Float64)


def _is_plain(frame: pl.DataFrame, data: bytes, separator: str) -> bool:
    """Whether polars cannot have read anything into the file: it fills short rows up with empty cells, guesses what a
    damaged quote means, and drops a carriage return at the end of a cell."""
    if data.count(b"\r") != data.count(b"\r\n"):
        return False
    if b'"' in data:
        return _quotes_are_sound(frame, data, separator)
    last = frame.to_series(frame.width - 1)
    return not last.null_count() or data.count(separator.encode()) == (frame.height + 1) * (frame.width - 1)


def _quotes_are_sound(frame: pl.DataFrame, data: bytes, separator: str) -> bool:
    """Whether the csv module, which is strict, finds the same rows."""
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    try:
        widths = [len(row) for row in csv.reader(text, delimiter=separator, strict=True)]
    except csv.Error:
        return False
    return len(widths) == frame.height + 1 and set(widths) <= {frame.width, 0}


def _read_carefully(path: Path, data: bytes, separator: str) -> Table:
    """Every cell as text, with a problem for each row that has too few or too many cells."""
    reader = csv.reader(io.StringIO(decode(path, data), newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    problems: list[Problem] = []
    try:
        for row in reader:
            rows.append(row)
    except csv.Error as error:
        found = f"a row that cannot be read ({error})"
        problems.append(
            Problem(len(rows) + 1, None, found, "quotes that are closed and doubled inside", "mend the row")
        )
    names, body = rows[0] if rows else [], rows[1:]
    cells: list[Sequence[str | None]] = []
    for number, row in enumerate(body, start=FIRST_ROW):
        if row and len(row) != len(names):
            problems.append(_ragged(number, row, len(names), separator))
        cells.append([cell or None for cell in row] if len(row) == len(names) else [None] * len(names))
    schema = dict.fromkeys(_unique(names), pl.String)
    frame = pl.DataFrame(cells, schema=schema, orient="row") if cells else pl.DataFrame(schema=schema)
    return Table(frame, FIRST_ROW, tuple(problems))


def _ragged(number: int, row: list[str], width: int, separator: str) -> Problem:
    too_many = "remove the extra cells" + (", or put text with commas in quotes" if separator == "," else "")
    begins = f" (it begins {quoted(separator.join(row[:2]))})"
    remedy = too_many if len(row) > width else "complete the row"
    return Problem(number, None, f"{counted(len(row), 'cell')}{begins}", f"{width} as in the header", remedy)


def _unique(names: list[str]) -> list[str]:
    """Column names for a frame: an empty or repeated one, which nobody reads, gets its position."""
    seen: set[str] = set()
    unique = []
    for at, name in enumerate(names):
        unique.append(f"{name} (column {at + 1})" if not name or name in seen else name)
        seen.add(name)
    return unique
