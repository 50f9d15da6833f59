"""How much a file may make of us, whatever it says of itself; and how a reader says that it cannot go on."""

from collections.abc import Iterator
from contextlib import contextmanager

from surpeer.errors import InputError, Problem, printable, quoted
from surpeer.io.content import Sheet
from surpeer.io.workbook.process_state import NO_WARNINGS

LEAST_BYTES = 100_000_000
TIMES_ITS_SIZE = 100
"""A sound workbook unpacks to five to thirty times its size."""
BYTES_PER_LINE, BYTES_PER_SEPARATOR = 50, 5
"""Of CSV in an archive: with the least bytes, 2 million lines and 20 million separators."""
MOST_GAPS = 20_000_000
"""Empty cells that stand before others: they cost memory, but nothing in the file."""
MOST_EMPTY_ROWS = 2_000_000
"""In all sheets together: a sheet whose only cell is in its last row has a million of them in 250 bytes."""
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
LONGEST_SPREADSHEET_CELL = 1_000_000
"""Characters; Excel itself holds 32,767."""

SOUND = "a sound workbook"
AGAIN = "open it in a spreadsheet program and save it as .xlsx or CSV (UTF-8), or download it again"


class Unreadable(Exception):
    """Why a workbook cannot be read."""

    def __init__(self, found: str, expected: str = SOUND, remedy: str = AGAIN, row: int | None = None) -> None:
        self.problem = Problem(row, None, found, expected, remedy)
        super().__init__(str(self.problem))


@contextmanager
def damage() -> Iterator[None]:
    """While a library reads: what it warns of stays unsaid, and what it raises means a damaged file.

    Warnings are set for the whole process: those of other threads stay unsaid too, until the last that reads is done.
    """
    try:
        with NO_WARNINGS:
            yield
    except (Unreadable, InputError):
        raise
    # openpyxl and xlrd promise no kind of error: damage surfaces as KeyError, AssertionError, struct.error, errors of
    # zip and XML, and more. Files that they read without complaint are not touched by this.
    except Exception as error:
        cause = error.__cause__ or error
        reason = printable(str(cause).strip().partition("\n")[0])[:100] or type(cause).__name__
        raise Unreadable(f"a damaged workbook ({reason})") from None


class Budget:
    """What is left of what one file may unpack to."""

    def __init__(self, size: int) -> None:
        self.most_bytes = max(LEAST_BYTES, TIMES_ITS_SIZE * size)
        self.bytes = self.most_bytes
        self.lines = self.most_bytes // BYTES_PER_LINE
        self.separators = self.most_bytes // BYTES_PER_SEPARATOR
        self.gaps = MOST_GAPS
        self.empty_rows = MOST_EMPTY_ROWS

    def spend_bytes(self, number: int) -> None:
        """Unpacked bytes, or characters of cells."""
        self.bytes -= number
        if self.bytes < 0:
            raise Unreadable(
                f"content that unpacks to more than {self.most_bytes:,} bytes", "a table", "check the file"
            )

    @property
    def spent_bytes(self) -> int:
        """What the file unpacked to so far."""
        return self.most_bytes - self.bytes

    def spend_lines(self, lines: int, separators: int) -> None:
        """Ends of lines and separators of CSV: rows and cells, which take more memory than the bytes they are."""
        self.lines -= lines
        self.separators -= separators
        if self.lines < 0 or self.separators < 0:
            raise Unreadable(
                "more rows or cells than so small a file can have",
                "a table",
                "delete empty rows and columns",
            )

    def spend_gaps(self, number: int) -> None:
        """Empty cells before others."""
        self.gaps -= number
        if self.gaps < 0:
            raise Unreadable(
                f"cells that are further apart than {MOST_GAPS:,} empty ones",
                "cells beside each other",
                "delete what is far to the right of the table",
            )

    def spend_empty_rows(self, number: int) -> None:
        """Rows without a cell, in whichever sheet."""
        self.empty_rows -= number
        if self.empty_rows < 0:
            raise Unreadable(
                f"sheets with more than {MOST_EMPTY_ROWS:,} empty rows together",
                "rows below each other",
                "delete what is far below the tables, the empty rows above it too",
            )


class Grid:
    """The rows of one sheet as they come in: whole ones, or cells in any order."""

    def __init__(self, budget: Budget, name: str, *, is_hidden: bool = False) -> None:
        self.rows: list[list[str]] = []
        self.name, self.is_hidden = name, is_hidden
        self._budget = budget
        self._skipped = 0  # empty rows after these, which are not built before one that is not empty follows

    @property
    def where(self) -> str:
        """For messages: which sheet this is."""
        return f" of sheet {quoted(self.name)}" if self.name else ""

    @property
    def sheet(self) -> Sheet:
        """All rows up to the last that is not empty."""
        while self.rows and not self.rows[-1]:
            self.rows.pop()
        return Sheet(self.rows, self.name, self.is_hidden)

    def add(self, cells: list[str]) -> None:
        """Add the next row; what is empty at its end is left out."""
        row = len(self.rows) + self._skipped
        if row >= MOST_ROWS:
            self._refuse_row(row)
        if cells:
            self._check(row, cells)
        if not cells:
            self._budget.spend_empty_rows(1)
            self._skipped += 1
            return
        if self._skipped:
            self.rows.extend([] for _ in range(self._skipped))
            self._skipped = 0
        self.rows.append(cells)

    def _check(self, row: int, cells: list[str]) -> None:
        """Spend what the cells of a row take, and leave out what is empty at its end."""
        lengths = list(map(len, cells))
        self._budget.spend_bytes(sum(lengths))  # one long text may stand in a million cells
        self._budget.spend_gaps(lengths.count(0))
        if max(lengths, default=0) > LONGEST_SPREADSHEET_CELL:
            self.refuse_length(row)
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            self._refuse_column(row, len(cells) - 1)

    def put(self, row: int, column: int, text: str) -> None:
        """Put a cell that is not empty in its place; rows and columns count from 0."""
        if row >= MOST_ROWS:
            self._refuse_row(row)
        if column >= MOST_COLUMNS:
            self._refuse_column(row, column)
        missing = row + 1 - len(self.rows)
        if missing > 0:
            self._budget.spend_empty_rows(missing - 1)
            self.rows.extend([] for _ in range(missing))
        cells = self.rows[row]
        missing = column + 1 - len(cells)
        if missing > 0:
            self._budget.spend_gaps(missing - 1)
            cells.extend([""] * missing)
        cells[column] = text

    def refuse_length(self, row: int) -> None:
        """Say that a cell is longer than anybody can have typed it. Rows count from 0."""
        found = f"a cell of more than {LONGEST_SPREADSHEET_CELL:,} characters{self.where}"
        raise Unreadable(found, "a table", "shorten the cell", row=row + 1)

    def _refuse_row(self, row: int) -> None:
        raise Unreadable(f"a cell in row {row + 1:,}{self.where}", f"at most {MOST_ROWS:,} rows")

    def _refuse_column(self, row: int, column: int) -> None:
        found = f"a cell in column {column + 1:,}{self.where}"
        raise Unreadable(found, f"at most {MOST_COLUMNS:,} columns", row=row + 1)
