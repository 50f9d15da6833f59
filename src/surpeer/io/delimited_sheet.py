"""Text files of rows -> a sheet: commas, semicolons or tabs between cells, as the header has them."""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from surpeer.errors import Problem, ReviewProblems, counted, quoted
from surpeer.io.content import Sheet
from surpeer.io.table import NEEDS_CSV, decode, unusable

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

FOR_EXCEL = re.compile("sep=[,;\t]\r?\n", re.IGNORECASE)
"""A first line that tells Excel what is between cells; Excel does not show it, and rows count without it."""

LONGEST_CELL = 5_000_000  # characters; the longest reviews that platforms take have 200,000


def read_sheet(path: Path, data: bytes) -> Sheet:
    """The rows of a text file, the header among them. Quotes must be sound; rows may be shorter than the header."""
    text = decode(path, data)
    for_excel = FOR_EXCEL.match(text)
    text = text[for_excel.end() :] if for_excel else text
    separator = separator_of(text)
    rows: list[list[str]] = []
    with long_cells():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            rows.extend(reader)
        except csv.Error as error:
            problem = unreadable_row(len(rows) + 1, error, f"line {reader.line_num}: ")
            raise ReviewProblems(str(path), [problem]) from None
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise unusable(path, "an empty first row", "the column names in it", "delete what is above the header")
    refuse_bars(path, rows[0])
    _check_separators(path, rows, separator)
    _check_end(path, rows, text)
    return Sheet(rows)


def unreadable_row(row: int, error: csv.Error, place: str = "") -> Problem:
    """The problem of a row that the csv module does not take."""
    too_long = "field larger" in str(error)
    expected = (
        f"cells of at most {LONGEST_CELL:,} characters" if too_long else "quotes that are closed and doubled inside"
    )
    found = f"a row that cannot be read ({place}{error})"
    return Problem(row, None, found, expected, "correct the row, or export the file again")


def refuse_bars(path: Path, names: list[str]) -> None:
    """Raise for a header that is separated by what nobody else uses."""
    if len(names) == 1 and "|" in names[0]:
        raise unusable(path, "a header separated by bars", "commas", "save it with commas between the cells")


def _check_end(path: Path, rows: list[list[str]], text: str) -> None:
    """Raise for a file that ends in the middle of a row: it was cut off."""
    last = rows[-1]
    if len(rows) > 1 and 0 < len(last) < len(rows[0]) and not text.endswith(("\n", "\r")):
        found = f"a last row that ends after {counted(len(last), 'cell')} and without a line end"
        remedy = "the file may have been cut off: export it again"
        raise ReviewProblems(str(path), [Problem(len(rows), None, found, f"{len(rows[0])} as in the header", remedy)])


def separator_of(text: str) -> str:
    """What is between the names of the header: the mark that makes the most cells of it, quotes respected."""
    first_line = first_line_of(text)
    widths = {mark: _width(first_line, mark) for mark in SEPARATORS}
    return max(widths, key=lambda mark: widths[mark])


def first_line_of(text: str) -> str:
    """Text up to the first line end of any kind, old ones of one carriage return among them."""
    return re.split("[\r\n]", text, maxsplit=1)[0]


def _width(line: str, mark: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=mark), []))
    except csv.Error:
        return 0


def _check_separators(path: Path, rows: list[list[str]], separator: str) -> None:
    """Raise where rows are a single cell with other separators in it, though the header has several cells."""
    width = len(rows[0])
    problems = []
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != 1 or width < 3 or len(row[0]) > 10_000:
            continue
        other = next((mark for mark in SEPARATORS if mark != separator and row[0].count(mark) == width - 1), None)
        if other is not None:
            found = f"a row separated by {SEPARATORS[other]} ({quoted(row[0][:40])})"
            problems.append(Problem(number, None, found, f"{SEPARATORS[separator]} as in the header", NEEDS_CSV))
    if problems:
        raise ReviewProblems(str(path), problems)


@contextmanager
def long_cells() -> Iterator[None]:
    """Let the csv module read cells longer than its default limit, which long reviews exceed. The limit is one for the
    whole process: another thread that reads CSV at the same time has the higher one too, and the last one that needs
    it sets it back."""
    _LIMIT.raise_for_one_more()
    try:
        yield
    finally:
        _LIMIT.lower_for_one_less()


class _Limit:
    """The limit of the csv module, and how many threads need a higher one."""

    def __init__(self) -> None:
        self.lock, self.readers, self.before = Lock(), 0, 0

    def raise_for_one_more(self) -> None:
        with self.lock:
            self.readers += 1
            if self.readers == 1:
                self.before = csv.field_size_limit(LONGEST_CELL)

    def lower_for_one_less(self) -> None:
        with self.lock:
            self.readers -= 1
            if not self.readers:
                csv.field_size_limit(self.before)


_LIMIT = _Limit()
