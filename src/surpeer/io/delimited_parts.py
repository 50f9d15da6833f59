"""CSV and TSV of any size, block by block: each is read as a file of its own that has the header of the first."""

import csv
import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from surpeer.errors import ReviewProblems
from surpeer.io.decimal_commas import with_points
from surpeer.io.delimited import header_names, read_delimited, rows_to_table
from surpeer.io.delimited_sheet import SEPARATORS, long_cells, separator_of, unreadable_row
from surpeer.io.file_bytes import first_character, refuse_foreign
from surpeer.io.in_threads import in_threads
from surpeer.io.plain_rows import rows_with_numbers
from surpeer.io.table import NEEDS_CSV, Table, decode, unusable
from surpeer.io.table_header import FIRST_ROW
from surpeer.io.table_parts import TablePart
from surpeer.io.text_blocks import Block, Piece, beginning, line_blocks

if TYPE_CHECKING:
    from _csv import Reader

HEADER_BYTES = 2**20

BYTES_AT_ONCE = 4 * 2**20

MOST_BLOCKS = 4  # that are read at the same time, which is also a matter of memory; polars reads each in parallel too

CAREFUL_ROWS = 50_000  # that are read one by one before they are handed on


def delimited_names(path: Path) -> list[str]:
    """The names of a file's columns."""
    return names_at_start(path, beginning(path, HEADER_BYTES))


def names_at_start(path: Path, start: bytes) -> list[str]:
    """The names of the columns of a file that begins so."""
    return header_names(path, *_header(path, start))


def delimited_parts(path: Path, size: int = BYTES_AT_ONCE, shorten_ids: bool = False) -> Iterator[TablePart]:
    """The rows of a file, at most about so many bytes at a time; some blocks are read at the same time.

    shorten_ids : whether ids may be numbers in parts in which each is a whole number as one writes it
    """
    header, separator = _header(path, beginning(path, HEADER_BYTES))
    reader = _Reader(path, header, separator, shorten_ids)
    at_once = min(os.cpu_count() or 1, MOST_BLOCKS)
    yield from _in_order(in_threads(reader.parts, line_blocks(path, size, separator), at_once, first_alone=True))


def parts_of_delimited(path: Path, text: Iterator[Piece], size: int = BYTES_AT_ONCE) -> Iterator[TablePart]:
    """The same for a text that comes from somewhere else, in pieces of at least this size but for the last; one block
    after the other, and numbers stay as they are written."""
    first = next(text, Piece(b"", 0))
    header, separator = _header(path, first.text)
    reader = _Reader(path, header, separator, shorten_ids=False, as_text=True)
    yield from _in_order(map(reader.parts, line_blocks(path, size, separator, chain([first], text))))


def _in_order(blocks: Iterable[Iterable[TablePart]]) -> Iterator[TablePart]:
    """The parts of all blocks, each where it is in the file."""
    first_row = FIRST_ROW
    for part in chain.from_iterable(blocks):
        yield _moved(part, first_row)
        first_row += len(part.frame)


def _moved(part: TablePart, first_row: int) -> TablePart:
    """A part that was numbered as if it were the first, where it is in the file."""
    shift = first_row - part.first_row
    problems = tuple(
        problem if problem.row is None else replace(problem, row=problem.row + shift) for problem in part.problems
    )
    return replace(part, first_row=first_row, problems=problems)


def _header(path: Path, start: bytes) -> tuple[bytes, str]:
    """The first row, with the end of its line, and what separates its cells."""
    refuse_foreign(path, start)
    if not start.strip():
        raise unusable(path, "an empty file", "a header and at least one review")
    if first_character(start) == b"{":
        raise unusable(path, "JSON", "a header and rows", "name the file .jsonl if each line is one JSON object")
    end = start.find(b"\n") + 1
    while end and start.count(b'"', 0, end) % 2:
        end = start.find(b"\n", end) + 1
    header = start[:end] if end else start
    one_line = header.count(b"\n") <= 1
    return header, separator_of(decode(path, header)) if one_line else next(iter(SEPARATORS))


@dataclass(slots=True)
class _Reader:
    """Reads blocks, each as if it were the first."""

    path: Path
    header: bytes
    separator: str
    shorten_ids: bool
    """Given up at the first block that has other ids: so have others, probably."""
    as_text: bool = False
    """Whether numbers stay as they are written."""

    def parts(self, block: Block) -> Iterable[TablePart]:
        """The rows of a block, in one part unless quotes are in disorder."""
        if block.rest is not None:
            return self._one_by_one(block, block.rest)
        try:
            refuse_foreign(self.path, block.text, block.lines_before)
            return [self._with_numbers(block) or self._part(self._read(block), block.done)]
        except ReviewProblems:
            decode(self.path, block.text, block.lines_before)
            raise

    def _with_numbers(self, block: Block) -> TablePart | None:
        if not self.shorten_ids:
            return None
        names = header_names(self.path, self.header, self.separator)
        rows = block.text if block.lines_before else block.text[len(self.header) :]
        frame = rows_with_numbers(rows, names, self.separator)
        if frame is None:
            self.shorten_ids = False
            return None
        return TablePart(frame, FIRST_ROW, block.done, short_ids=True)

    def _read(self, block: Block) -> Table:
        text = self.header + block.text if block.lines_before else block.text
        return read_delimited(self.path, text, self.separator, sound_quotes=True, as_text=self.as_text)

    def _part(self, table: Table, done: int) -> TablePart:
        frame, commas = (table.frame, 0) if self.separator == "," else with_points(table.frame)
        return TablePart(frame, FIRST_ROW, done, table.problems, commas)

    def _one_by_one(self, block: Block, rest: Iterator[Piece]) -> Iterator[TablePart]:
        """The csv module finds where rows end; whatever it cannot read is a problem, and the end."""
        (names,) = csv.reader(io.StringIO(decode(self.path, self.header), newline=""), delimiter=self.separator)
        stream = _Stream(chain([Piece(block.text, block.done)], rest))
        text = io.TextIOWrapper(io.BufferedReader(stream), encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=self.separator, strict=True)
        error = None
        if not block.lines_before:
            _, error = self._next_rows(reader, 0, most=1)
        if error is not None:  # it was read when the file was found
            raise unusable(self.path, f"a header that cannot be read ({error})", "column names", NEEDS_CSV)
        while error is None:
            rows, error = self._next_rows(reader, block.lines_before)
            if rows or error is not None:
                table = rows_to_table([names, *rows])
                unread = [] if error is None else [unreadable_row(FIRST_ROW + len(rows), error)]
                yield self._part(replace(table, problems=(*table.problems, *unread)), stream.done)
            if len(rows) < CAREFUL_ROWS:
                return

    def _next_rows(
        self, reader: "Reader", lines_before: int, most: int = CAREFUL_ROWS
    ) -> tuple[list[list[str]], csv.Error | None]:
        """The next rows, fewer than usual at the end, and why there is no more to be read of them."""
        rows: list[list[str]] = []
        try:
            with long_cells():
                rows.extend(islice(reader, most))
        except csv.Error as error:
            return rows, error
        except UnicodeDecodeError as error:
            line = lines_before + reader.line_num + error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start : error.start + 1].hex()
            raise unusable(self.path, f"byte 0x{byte} near line {line}", "UTF-8 text", NEEDS_CSV) from None
        return rows, None


class _Stream(io.RawIOBase):
    """Pieces of a text, one after the other, as a stream."""

    def __init__(self, every: Iterator[Piece]) -> None:
        self.every, self.left, self.done = every, memoryview(b""), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.left:
            piece = next(self.every, None)
            if piece is None:
                return 0
            self.left, self.done = memoryview(piece.text), piece.done
        size = min(len(buffer), len(self.left))
        buffer[:size], self.left = self.left[:size], self.left[size:]
        return size
