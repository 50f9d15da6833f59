"""An uploaded file -> rows of our columns, read by the library's own readers, as the command line reads files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from surpeer.errors import InputError, Problem, ReviewProblems, counted, nearest_name, quoted
from surpeer.io.content import Sheet
from surpeer.io.content_reading import read_content
from surpeer.io.file_bytes import first_character
from surpeer.io.table import NEEDS_CSV
from surpeer.io.table_header import FIRST_ROW, ragged_row
from surpeer.web.venues.import_columns import Column, folded


@dataclass(frozen=True)
class Row:
    """What a row says, by field; a column that the file does not have is not there."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class ReadTable:
    """The rows that can be used, and what is wrong with the others."""

    rows: list[Row]
    problems: list[Problem]
    notes: list[str]


def read_rows(name: str, data: bytes, columns: Sequence[Column]) -> ReadTable:
    """The rows of an uploaded file; nothing in it is believed before it is checked."""
    try:
        sheet, notes = _sheet(name, data, columns)
    except ReviewProblems as error:
        return ReadTable([], list(error.problems), [])
    except InputError as error:  # a reader that is not installed
        return ReadTable([], [Problem(None, None, str(error), "a file that can be read", NEEDS_CSV)], [])
    places, problems, more = _places(sheet.header, columns)
    if problems:
        return ReadTable([], problems, notes)
    table = ReadTable([], [], notes + more)
    for number, cells in enumerate(sheet.rows[1:], start=FIRST_ROW):
        if any(cell.strip() for cell in cells):
            _read_row(table, number, cells, places, len(sheet.header))
    if not table.rows and not table.problems:
        table.problems.append(Problem(None, None, "a header without rows below it", "at least one row"))
    return table


def _sheet(name: str, data: bytes, columns: Sequence[Column]) -> tuple[Sheet, list[str]]:
    """The sheet of the file that has the columns, or else its first."""
    path = Path(PurePath(name.replace("\\", "/")).name or "file")
    if not data.strip():
        raise ReviewProblems(str(path), [Problem(None, None, "an empty file", "a header and at least one row")])
    if first_character(data) in (b"{", b"["):
        json = Problem(None, None, "JSON", "a table", "save it as CSV (UTF-8) or as an Excel workbook (.xlsx)")
        raise ReviewProblems(str(path), [json])
    sheets = read_content(path, data).sheets
    best = max(sheets, key=lambda sheet: _fit(sheet.header, columns))
    ignored = [quoted(sheet.name) for sheet in sheets if sheet is not best]
    notes = [f"Sheet {quoted(best.name)} was read; not read: {', '.join(ignored[:10])}."] if ignored else []
    return best, notes


def _fit(header: Sequence[str], columns: Sequence[Column]) -> int:
    """How many of the columns a header has."""
    names = {folded(name) for name in header}
    return sum(not names.isdisjoint(column.names) for column in columns)


def _places(header: Sequence[str], columns: Sequence[Column]) -> tuple[dict[int, Column], list[Problem], list[str]]:
    """Which column of the file is which of ours; what is wrong with the header; what is not read."""
    names = [folded(name) for name in header]
    places: dict[int, Column] = {}
    problems = []
    for column in columns:
        found = _candidates(names, column, places)
        beside = _side_by_side(names, column, places)
        if column.has_own_rows and len(beside) > 1:
            problems.append(_own_rows(column, [header[at] for at in beside]))
        elif len(found) > 1:
            listed = " and ".join(quoted(header[at]) for at in found)
            problems.append(Problem(1, column.title, f"columns {listed}", "one of them", "rename or delete the others"))
        elif found:
            places[found[0]] = column
        elif column.required:
            problems.append(_missing(column, header))
    unread = [quoted(name) for at, name in enumerate(header) if name.strip() and at not in places]
    notes = [f"Not read: {counted(len(unread), 'column')} ({', '.join(unread[:20])})."] if unread else []
    return places, problems, notes


def _candidates(names: Sequence[str], column: Column, taken: dict[int, Column]) -> list[int]:
    """The columns of the file with the best name for this column that any has."""
    free = [(at, name) for at, name in enumerate(names) if at not in taken]
    for wanted in column.names:
        found = [at for at, name in free if name == wanted]
        if found:
            return found
    return []


def _side_by_side(names: Sequence[str], column: Column, taken: dict[int, Column]) -> list[int]:
    """The columns of the file that are this one but for a number: `reviewer 1`, `reviewer 2`; best names only."""
    return _candidates([" ".join(re.sub(r"\d+", " ", name).split()) for name in names], column, taken)


def _own_rows(column: Column, names: Sequence[str]) -> Problem:
    listed = ", ".join(map(quoted, names[:12]))
    return Problem(
        1,
        column.title,
        f"columns {listed}",
        f"one column {column.title}, and one row for each paper and {column.title}",
        f"give each {column.title} a row of its own, with the id of the paper in each",
    )


def _missing(column: Column, header: Sequence[str]) -> Problem:
    shown = ", ".join(quoted(name) for name in header[:12] if name.strip()) or "no names"
    near = nearest_name(column.title, [name for name in header if name.strip()])
    remedy = f"rename {quoted(near)} to {column.title}" if near else f"name the column {column.title} in the first row"
    return Problem(1, column.title, f"the columns {shown}", f"a column {column.title}", remedy)


def _read_row(table: ReadTable, number: int, cells: Sequence[str], places: dict[int, Column], width: int) -> None:
    """Add a row to the table, or every problem that it has."""
    if any(cell.strip() for cell in cells[width:]):
        table.problems.append(ragged_row(number, cells, len(cells), width, is_text=True))
        return
    read = {column.field: column.read(cells[at] if at < len(cells) else "", number) for at, column in places.items()}
    problems = [problem for _, problem in read.values() if problem is not None]
    table.problems.extend(problems)
    if not problems:
        table.rows.append(Row(number, {field: text for field, (text, _) in read.items()}))
