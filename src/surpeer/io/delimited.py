"""CSV and TSV. Polars reads sound files; where it stumbles, the csv module finds out where and why."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from surpeer.columns import EXPECTED, PAPER, PREDICTION, RATING, REVIEWER, SHARE_PREFIX, TITLE, TRACK
from surpeer.errors import Problem, ReviewProblems
from surpeer.io.delimited_sheet import long_cells, refuse_bars, unreadable_row
from surpeer.io.id_cells import PAPER_ID, REVIEWER_ID, altered_id
from surpeer.io.table import NEEDS_CSV, Table, decode, unusable
from surpeer.io.table_header import FIRST_ROW, distinct_names, ragged_row, twin_problems


def read_delimited(path: Path, data: bytes, separator: str, sound_quotes: bool = False, as_text: bool = False) -> Table:
    """The rows of a UTF-8 file with a header.

    sound_quotes : whether it is known that quotes are where they should be
    as_text : whether numbers are to stay as they are written
    """
    names = header_names(path, data, separator)
    # A lone quote in a column of numbers makes polars 2.1 panic, so numbers are left as text where there are quotes.
    # Where cells are not separated by commas, there may be commas in numbers.
    may_be_text = as_text or (b'"' in data and not sound_quotes) or (separator != "," and b"," in data)
    for number_type in (pl.String,) if may_be_text else (pl.Float64, pl.String):
        try:
            frame = pl.read_csv(data, separator=separator, schema_overrides=cell_types(names, number_type))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            continue
        if frame.columns != names or not _is_plain(frame, data, separator, sound_quotes):
            break
        if not has_nan(frame):
            return Table(frame, FIRST_ROW)
    return _read_carefully(path, data, separator)


def cell_types(names: Sequence[str], number_type: type[pl.DataType]) -> dict[str, type[pl.DataType]]:
    """As what the cells of each column are read: predictions as this type, all others as text."""
    return {name: number_type if _is_prediction(name) else pl.String for name in names}


def _is_prediction(name: str) -> bool:
    return name in (PREDICTION, EXPECTED) or (name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX)


def header_names(path: Path, data: bytes, separator: str) -> list[str]:
    """The names of the columns."""
    first_line = data[: data.find(b"\n") + 1 or len(data)]
    if b"\r" in first_line.rstrip(b"\r\n"):
        raise unusable(path, "lines that end in a bare carriage return", "a line feed", NEEDS_CSV)
    text = decode(path, first_line if first_line.count(b'"') % 2 == 0 else data)
    try:
        with long_cells():
            names = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
    except csv.Error as error:
        raise unusable(path, f"a header that cannot be read ({error})", "column names", NEEDS_CSV) from None
    if not any(name.strip() for name in names):
        raise unusable(path, "an empty first row", "the column names in it", "delete what is above the header")
    refuse_bars(path, names)
    twins = _twins(names)
    if twins:
        raise ReviewProblems(str(path), twins)
    return names


def _twins(names: Sequence[str]) -> list[Problem]:
    """Problems of columns of ours that are there twice; nobody reads others."""
    ours = [name for name in names if name in (PAPER, REVIEWER, RATING, TRACK, TITLE) or _is_prediction(name)]
    return twin_problems(names, dict.fromkeys(ours))


def has_nan(frame: pl.DataFrame) -> bool:
    """Whether a prediction cell says NaN, which in a text file is no number and no empty cell either."""
    return any(bool(column.is_nan().any()) for column in frame.iter_columns() if column.dtype == pl.Float64)


def _is_plain(frame: pl.DataFrame, data: bytes, separator: str, sound_quotes: bool) -> bool:
    """Whether polars cannot have read anything into the file: it fills short rows up with empty cells, guesses what a
    damaged quote means, and drops a carriage return at the end of a cell."""
    if has_lone_returns(data):
        return False
    last = frame.to_series(frame.width - 1)
    if b'"' in data:
        return (sound_quotes and not last.null_count()) or _quotes_are_sound(frame, data, separator)
    return not last.null_count() or data.count(separator.encode()) == (frame.height + 1) * (frame.width - 1)


def has_lone_returns(data: bytes) -> bool:
    """Whether a carriage return is anywhere but before a line feed."""
    return b"\r" in data and data.count(b"\r") != data.count(b"\r\n")


def _quotes_are_sound(frame: pl.DataFrame, data: bytes, separator: str) -> bool:
    """Whether the csv module, which is strict, finds the same rows."""
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    try:
        with long_cells():
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
        with long_cells():
            rows.extend(reader)
    except csv.Error as error:
        problems.append(unreadable_row(len(rows) + 1, error))
    table = rows_to_table(rows)
    return replace(table, problems=(*table.problems, *problems))


def rows_to_table(rows: Sequence[Sequence[str]], is_text: bool = True) -> Table:
    """Rows of cells, the header among them, as a table; a row with too many cells has a problem, as has a
    column of ours that is there twice.

    is_text : whether they are from a text file, where a row with too few cells has a problem too
    """
    names, body = list(rows[0]) if rows else [], rows[1:]
    cells: list[Sequence[str | None]] = []
    problems = _twins(names)
    for number, row in enumerate(body, start=FIRST_ROW):
        full = row if is_text or len(row) > len(names) else [*row, *[""] * (len(names) - len(row))]
        if row and len(full) != len(names):
            problems.append(ragged_row(number, row, len(row), len(names), is_text))
        cells.append([cell or None for cell in full] if len(full) == len(names) else [None] * len(names))
    problems += [] if is_text else _altered_ids(names, body)
    schema = dict.fromkeys(distinct_names(names), pl.String)
    frame = pl.DataFrame(cells, schema=schema, orient="row") if cells else pl.DataFrame(schema=schema)
    return Table(frame, FIRST_ROW, tuple(problems))


def _altered_ids(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Problem]:
    """Problems of ids of papers and reviewers that are no longer what was typed."""
    ids = [(at, name) for at, name in enumerate(names) if name in (PAPER, REVIEWER)]
    return [
        problem
        for number, row in enumerate(rows, start=FIRST_ROW)
        for at, name in ids
        if at < len(row) and (problem := altered_id(number, name, row[at], PAPER_ID if name == PAPER else REVIEWER_ID))
    ]
