"""Old Excel workbooks (.xls as Excel 5 to 2003 wrote it: BIFF). Needs xlrd (the extra `excel`).

Macros, links and formulas are never looked at, only what formulas came to when the workbook was saved.
"""

import io
import re
import struct
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from surpeer.io.content import Sheet
from surpeer.io.extras import needs_extra
from surpeer.io.workbook.cell_text import TEXT_OF, boolean_text, number_text
from surpeer.io.workbook.compound import CompoundFile
from surpeer.io.workbook.limits import Budget, Grid, Unreadable, damage

BOF, EOF, FILEPASS, BOUNDSHEET, SST, CONTINUE, LABELSST = 0x809, 0x0A, 0x2F, 0x85, 0xFC, 0x3C, 0xFD
NEEDED = {
    BOF, EOF, BOUNDSHEET, SST, CONTINUE, LABELSST, 0x42, 0x22, 0x41E, 0xE0,  # of the book: code page, dates, formats
    0x203, 0x27E, 0xBD, 0x204, 0xD6, 0x205,  # cells: numbers, texts, truth and errors
    0x06, 0x206, 0x406, 0x207, 0x4BC, 0x221, 0x236,  # formulas and what they came to
}  # fmt: skip
"""Records that cells are made of. xlrd gets no others: names, drawings, links and the like."""
NOTHING = b"\xff\xff"
BACKWARDS = re.compile(rb"[\xbf-\xff]\xff\xff")
"""The end of a number between -16,641 and -1: the length of a pronunciation that would make texts endless."""
WITHOUT_PASSWORD = ("a workbook with a password", "one without", "save it again without a password")


def read_xls(data: bytes, budget: Budget) -> list[Sheet]:
    """The worksheets in their order, hidden ones too."""
    xlrd = _load()
    with damage():
        stream = _vetted(_stream(data))
        with xlrd.open_workbook(file_contents=stream, logfile=io.StringIO(), on_demand=True, ragged_rows=True) as book:
            return [_read_sheet(xlrd, book, number, budget) for number in range(book.nsheets)]


def _load() -> Any:
    with needs_extra("xlrd", "an old workbook (.xls) needs xlrd", "excel", "save it as CSV"):
        import xlrd
    return xlrd


def _stream(data: bytes) -> bytes:
    """The records of the workbook, which xlrd would find in the compound file too, but perhaps never end looking."""
    file = CompoundFile(data)
    if "EncryptedPackage" in file:
        raise Unreadable(*WITHOUT_PASSWORD)
    for name in ("Workbook", "Book"):
        if name in file:
            return file.stream(name)
    raise Unreadable("an Office document that is no workbook")


def _records(stream: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Number, place and content of each record."""
    at = 0
    while at + 4 <= len(stream):
        number, length = struct.unpack_from("<HH", stream, at)
        yield number, at, stream[at + 4 : at + 4 + length]
        at += 4 + length


def _vetted(stream: bytes) -> bytes:
    """The records with those that no cell needs made unknown to xlrd. Refuses what would mislead it."""
    vetted = bytearray(stream)
    depth = last = 0
    starts: set[int] = set()
    sheets: list[int] = []
    for number, at, body in _records(stream):
        if not depth and number == BOF:
            starts.add(at)
        depth += (number == BOF) - (number == EOF and depth > 0)
        if number == FILEPASS:
            raise Unreadable(*WITHOUT_PASSWORD)
        if number == BOUNDSHEET:
            sheets.append(struct.unpack_from("<I", body)[0])
        if number == LABELSST and body[9] & 0x80:
            raise Unreadable("a cell that refers to a text before the first")
        if SST in (number, last) and BACKWARDS.search(body):
            raise Unreadable("a workbook whose texts do not end")
        if number not in NEEDED:
            vetted[at : at + 2] = NOTHING
        last = number if number != CONTINUE else last
    if len(set(sheets)) < len(sheets) or not starts.issuperset(sheets):
        raise Unreadable("a workbook with sheets that are not in their places")
    return bytes(vetted)


def _read_sheet(xlrd: Any, book: Any, number: int, budget: Budget) -> Sheet:
    sheet = book.sheet_by_index(number)
    grid = Grid(budget, sheet.name, is_hidden=sheet.visibility != 0)
    for row in range(sheet.nrows):
        kinds, values = sheet.row_types(row), sheet.row_values(row)
        grid.add([_text(xlrd, book, *cell) for cell in zip(kinds, values, strict=True)])
    book.unload_sheet(number)
    return grid.sheet


def _text(xlrd: Any, book: Any, kind: int, value: Any) -> str:
    if kind == xlrd.XL_CELL_DATE:
        return _date(xlrd, book, value)
    if kind == xlrd.XL_CELL_BOOLEAN:
        return boolean_text(value)
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, "#ERROR!"))
    return TEXT_OF[type(value)](value)


def _date(xlrd: Any, book: Any, value: float) -> str:
    """A date, a date and time, or below one day a time; what xlrd takes for no date is left a number."""
    try:
        year, month, day, *clock = xlrd.xldate_as_tuple(value, book.datemode)
    except xlrd.xldate.XLDateError:
        return number_text(value)
    moment = datetime(year, month, day, *clock) if year else time(*clock)
    return TEXT_OF[type(moment)](moment)
