"""An uploaded file -> rows of our columns, read by the library's own readers, as the command line reads files."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from surpeer.errors import InputError, Problem, ReviewProblems, counted, quoted
from surpeer.io.content import Sheet
from surpeer.io.content_reading import read_sheets
from surpeer.io.id_cells import UncomputedText
from surpeer.io.table import NEEDS_CSV
from surpeer.io.table_header import FIRST_ROW, ragged_row
from surpeer.web.venues.import_cells import Column, ReadTable
from surpeer.web.venues.import_conflicts import refused_rows, telling_columns
from surpeer.web.venues.import_header import find_places, fit


def read_rows(name: str, data: bytes, columns: Sequence[Column]) -> ReadTable:
    """The rows of an uploaded file; nothing in it is believed before it is checked."""
    try:
        sheet, notes = _sheet(name, data, columns)
    except ReviewProblems as error:
        return ReadTable([], list(error.problems), [])
    except InputError as error:  # a reader that is not installed
        return ReadTable([], [Problem(None, None, str(error), "a file that can be read", NEEDS_CSV)], [])
    places = find_places(sheet.rows, columns, telling_columns(sheet.header, columns))
    table = ReadTable([], places.problems, notes + places.notes)
    if not all(column.field in places.at for column in columns if column.required):
        return table
    _read_body(table, sheet, places.at, columns)
    if table.split_addresses:
        taken = f"{counted(table.split_addresses, 'name')} taken from the addresses"
        table.notes.append(f"{taken}, which are written as in Ada Adams <ada@example.org>.")
    if not table.rows and not table.problems:
        table.problems.append(Problem(None, None, "a header without rows below it", "at least one row"))
    return table


def _sheet(name: str, data: bytes, columns: Sequence[Column]) -> tuple[Sheet, list[str]]:
    """The sheet of the file that has the columns, or else its first; one that people see before others."""
    path = Path(PurePath(name.replace("\\", "/")).name or "file")
    if not data.strip():
        raise ReviewProblems(str(path), [Problem(None, None, "an empty file", "a header and at least one row")])
    sheets = read_sheets(path, data, marks_uncomputed=True)

    def suits(sheet: Sheet) -> tuple[bool, bool, int]:
        has_required, count = fit(sheet.header, columns)
        return has_required, not sheet.is_hidden, count

    best = max(sheets, key=suits)
    ignored = [_named(sheet) for sheet in sheets if sheet is not best]
    notes = [f"Sheet {_named(best)} was read; not read: {', '.join(ignored[:10])}."] if ignored else []
    return best, notes


def _named(sheet: Sheet) -> str:
    return quoted(sheet.name) + (" (hidden)" if sheet.is_hidden else "")


def _read_body(table: ReadTable, sheet: Sheet, places: dict[str, tuple[int, ...]], columns: Sequence[Column]) -> None:
    """Add every row that is not empty, or its problems."""
    width = len(sheet.header)
    refused = refused_rows(sheet.rows, columns)
    for number, cells in enumerate(sheet.rows[1:], start=FIRST_ROW):
        if not any(map(str.strip, cells)):
            continue
        if any(map(str.strip, cells[width:])):
            table.problems.append(ragged_row(number, cells, len(cells), width, is_text=not sheet.name))
        elif number in refused:
            table.problems.append(refused[number])
        else:
            full = [*cells, *[""] * (width - len(cells))]
            table.add(number, {field: _joined([full[at] for at in some]) for field, some in places.items()}, columns)


def _joined(cells: Sequence[str]) -> str:
    """The content of a column; a single cell, and one that says nothing, stays what it is in its workbook."""
    unknown = next((cell for cell in cells if isinstance(cell, UncomputedText)), None)
    if unknown is not None:
        return unknown
    return cells[0] if len(cells) == 1 else " ".join(cell.strip() for cell in cells if cell.strip())
