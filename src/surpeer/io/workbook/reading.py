"""Which kind of workbook a file is, by what is in it; its name may say anything."""

from collections.abc import Callable
from functools import partial

from surpeer.errors import Problem, ReviewProblems
from surpeer.io.content import Sheet
from surpeer.io.workbook.csv_archive import is_csv_archive, read_csv_archive
from surpeer.io.workbook.limits import Budget, Unreadable
from surpeer.io.workbook.package import Package
from surpeer.io.workbook.spreadsheetml import NAMESPACE, read_spreadsheetml
from surpeer.io.workbook.xls import read_xls
from surpeer.io.workbook.xlsx import read_xlsx

ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SAVE = "open it in a spreadsheet program and save it as .xlsx or CSV (UTF-8)"
HEAD = 4096  # bytes in which XML says which kind of XML it is


def is_workbook(data: bytes) -> bool:
    """Whether the first bytes are those of a workbook, or of a zip archive, which may be one."""
    return data.startswith((*ZIP, COMPOUND)) or _is_spreadsheetml(data)


def _is_spreadsheetml(data: bytes) -> bool:
    head = data[:HEAD]
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"<") and NAMESPACE.encode() in head


def read_workbook(source: str, data: bytes, *, marks_uncomputed: bool = False) -> tuple[Sheet, ...]:
    """The sheets that are not empty, cells as text.

    Numbers are written as people write them, dates as in 2024-03-01, truth as yes and no, and errors as #REF!. Row i
    of a sheet is row i + 1 of the spreadsheet. A formula without a result makes an .xlsx unreadable or, if it is to be
    marked, is an UncomputedText in its cell. Raises ReviewProblems when the file cannot be read, and InputError when
    the library that reads it is not installed.
    """
    try:
        sheets = _reader(data, marks_uncomputed=marks_uncomputed)(data, Budget(len(data)))
    except Unreadable as error:
        raise ReviewProblems(source, [error.problem]) from None
    except ReviewProblems as error:  # of one file of an archive
        raise ReviewProblems(f"{source}, {error.source}", error.problems) from None
    filled = tuple(sheet for sheet in sheets if sheet.rows)
    if not filled:
        empty = Problem(None, None, "a workbook without any cell", "a header and at least one row below it")
        raise ReviewProblems(source, [empty])
    return filled


def _reader(data: bytes, *, marks_uncomputed: bool) -> Callable[[bytes, Budget], list[Sheet]]:
    if data.startswith(ZIP):
        return partial(_read_zip, marks_uncomputed=marks_uncomputed)
    return read_xls if data.startswith(COMPOUND) else read_spreadsheetml


def _read_zip(data: bytes, budget: Budget, *, marks_uncomputed: bool) -> list[Sheet]:
    package = Package(data, budget)
    if "[Content_Types].xml" in package and "xl/workbook.bin" not in package:
        return read_xlsx(data, package, budget, marks_uncomputed=marks_uncomputed)
    if is_csv_archive(package):
        return read_csv_archive(package, budget)
    raise Unreadable(_other_archive(package), "a workbook (.xlsx, .xls) or an archive of CSV files", SAVE)


def _other_archive(package: Package) -> str:
    if "xl/workbook.bin" in package:
        return "a binary workbook (.xlsb)"
    if "mimetype" in package and "content.xml" in package:
        return "an OpenDocument file (.ods)"
    return "a zip archive that is no workbook" if package.names else "an empty zip archive"
