"""CSV and TSV. Polars reads sound files; where it stumbles, the csv module finds out where and why."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER, PREDICTION, RATING, REVIEWER, SHARE_PREFIX
from surpeer.errors import InputError, Problem, quoted

NEEDS_CSV = "save the table as CSV (UTF-8)"

CSV_FIRST_ROW = 2  # as a spreadsheet counts: the header is row 1


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file as text or numbers; a row that cannot be read is empty and has a problem."""

    frame: pl.DataFrame
    first_row: int
    problems: tuple[Problem, ...] = ()


def read_delimited(path: Path, separator: str) -> Table:
    """The rows of a UTF-8 file with a header."""
    names, data = _header(path, separator), path.read_bytes()
    # A lone quote in a column of numbers makes polars 2.1 panic, so numbers are left as text where there are quotes.
    number_type = pl.String if b'"' in data else pl.Float64
    types = {name: number_type if _is_prediction(name) else pl.String for name in names}
    try:
        frame = pl.read_csv(data, separator=separator, schema_overrides=types)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return _read_carefully(path, separator)
    if frame.columns != names or _has_nan(frame) or _may_have_short_rows(frame, data, separator):
        return _read_carefully(path, separator)
    return Table(frame, CSV_FIRST_ROW)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = data[error.start : error.start + 1].hex()
        raise InputError(f"{path}: found byte 0x{found} in line {line}, expected UTF-8 text; {NEEDS_CSV}") from None


def _is_prediction(name: str) -> bool:
    return name == PREDICTION or (name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX)


def _header(path: Path, separator: str) -> list[str]:
    with path.open("rb") as stream:
        first_line = stream.readline()
    if b"\r" in first_line.rstrip(b"\r\n"):
        raise InputError(f"{path}: lines end in a bare carriage return, expected a line feed; {NEEDS_CSV}")
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            names = next(csv.reader(text, delimiter=separator), [])
    except UnicodeDecodeError:
        read_text(path)  # says where
        raise
    except csv.Error as error:
        raise InputError(f"{path}: the header cannot be read ({error}); {NEEDS_CSV}") from None
    other = next((mark for mark in (";", "\t", ",", "|") if mark != separator and names and mark in names[0]), None)
    if len(names) == 1 and other is not None:
        name = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}[other]
        expected = "tabs" if separator == "\t" else "commas"
        remedy = "name the file .tsv" if other == "\t" else f"save it with {expected}"
        raise InputError(f"{path}: the header is separated by {name}, expected {expected}; {remedy}")
    known = [name for name in names if name in (PAPER, REVIEWER, RATING) or _is_prediction(name)]
    repeated = [name for name, times in Counter(known).items() if times > 1]
    if repeated:
        raise InputError(f"{path}: found the column {repeated[0]} twice, expected every column once; rename one")
    return names


def _has_nan(frame: pl.DataFrame) -> bool:
    """Whether a prediction cell says NaN, which in a text file is no number and no empty cell either."""
    return any(bool(column.is_nan().any()) for column in frame.iter_columns() if column.dtype == pl.Float64)


def _may_have_short_rows(frame: pl.DataFrame, data: bytes, separator: str) -> bool:
    """Polars fills short rows up with empty cells. Where the last column has none, or the separators of a file without
    quotes are all there, no row was short."""
    if frame.width == 0 or not frame.to_series(frame.width - 1).null_count():
        return False
    if b'"' in data:
        return True
    return data.count(separator.encode()) != (frame.height + 1) * (frame.width - 1)


def _read_carefully(path: Path, separator: str) -> Table:
    """Every cell as text, with a problem for each row that has too few or too many cells."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=separator, strict=True)
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
    for number, row in enumerate(body, start=CSV_FIRST_ROW):
        if row and len(row) != len(names):
            problems.append(_ragged(number, row, len(names), separator))
        cells.append([cell or None for cell in row] if len(row) == len(names) else [None] * len(names))
    schema = {name or f"column {at + 1}": pl.String for at, name in enumerate(_unique(names))}
    frame = pl.DataFrame(cells, schema=schema, orient="row") if cells else pl.DataFrame(schema=schema)
    return Table(frame, CSV_FIRST_ROW, tuple(problems))


def _ragged(number: int, row: list[str], width: int, separator: str) -> Problem:
    remedy = "put text with commas in quotes" if len(row) > width and separator == "," else "complete the row"
    begins = f" (it begins {quoted(separator.join(row[:2]))})"
    return Problem(number, None, f"{len(row)} cells{begins}", f"{width} as in the header", remedy)


def _unique(names: list[str]) -> list[str]:
    """Column names for a frame: a repeated one, which nobody reads, gets its position."""
    seen: set[str] = set()
    unique = []
    for at, name in enumerate(names):
        unique.append(f"{name} (column {at + 1})" if name in seen else name)
        seen.add(name)
    return unique
