"""CSV and TSV of any size, block by block: each is read as a file of its own that has the header of the first."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from surpeer.errors import ReviewProblems
from surpeer.io.decimal_commas import with_points
from surpeer.io.delimited import header_names, read_delimited, rows_to_table
from surpeer.io.delimited_sheet import SEPARATORS, long_cells, separator_of, unreadable_row
from surpeer.io.file_bytes import first_character, refuse_foreign
from surpeer.io.table import NEEDS_CSV, Table, decode, unusable
from surpeer.io.table_header import FIRST_ROW
from surpeer.io.table_parts import TablePart
from surpeer.io.text_blocks import BLOCK_BYTES, Block, Piece, line_blocks, pieces

if TYPE_CHECKING:
    from _csv import Reader

HEADER_BYTES = 2**20

CAREFUL_ROWS = 50_000  # that are read one by one before they are handed on


def delimited_names(path: Path) -> list[str]:
    """The names of a file's columns."""
    start = next(pieces(path, HEADER_BYTES), Piece(b"", 0)).text
    return header_names(path, *_header(path, start))


def delimited_parts(path: Path, size: int = BLOCK_BYTES) -> Iterator[TablePart]:
    """The rows of a file, at most about so many bytes at a time."""
    start = next(pieces(path, HEADER_BYTES), Piece(b"", 0)).text
    header, separator = _header(path, start)
    first_row = FIRST_ROW
    for block in line_blocks(path, size, separator):
        reader = _Reader(path, header, separator, block)
        for table, done in reader.tables():
            frame, commas = (table.frame, 0) if separator == "," else with_points(table.frame)
            shift = first_row - FIRST_ROW
            problems = tuple(
                problem if problem.row is None else replace(problem, row=problem.row + shift)
                for problem in table.problems
            )
            yield TablePart(frame, first_row, done, problems, commas)
            first_row += len(frame)


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


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one block."""

    path: Path
    header: bytes
    separator: str
    block: Block

    def tables(self) -> Iterator[tuple[Table, int]]:
        """The rows of the block, and how much of the file has been read; in one table unless quotes are in disorder."""
        if self.block.rest is not None:
            yield from self._one_by_one(self.block.rest)
            return
        text = self.block.text if not self.block.lines_before else self.header + self.block.text
        try:
            refuse_foreign(self.path, self.block.text, self.block.lines_before)
            yield read_delimited(self.path, text, self.separator, sound_quotes=True), self.block.done
        except ReviewProblems:
            decode(self.path, self.block.text, self.block.lines_before)
            raise

    def _one_by_one(self, rest: Iterator[Piece]) -> Iterator[tuple[Table, int]]:
        """The csv module finds where rows end; whatever it cannot read is a problem, and the end."""
        (names,) = csv.reader(io.StringIO(decode(self.path, self.header), newline=""), delimiter=self.separator)
        stream = _Stream(chain([Piece(self.block.text, self.block.done)], rest))
        text = io.TextIOWrapper(io.BufferedReader(stream), encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=self.separator, strict=True)
        if not self.block.lines_before:
            next(reader)
        error = None
        while error is None:
            rows, error = self._next_rows(reader)
            if rows or error is not None:
                table = rows_to_table([names, *rows])
                unread = [] if error is None else [unreadable_row(FIRST_ROW + len(rows), error)]
                yield replace(table, problems=(*table.problems, *unread)), stream.done
            if len(rows) < CAREFUL_ROWS:
                return

    def _next_rows(self, reader: "Reader") -> tuple[list[list[str]], csv.Error | None]:
        """The next rows, fewer than usual at the end, and why there is no more to be read of them."""
        rows: list[list[str]] = []
        try:
            with long_cells():
                rows.extend(islice(reader, CAREFUL_ROWS))
        except csv.Error as error:
            return rows, error
        except UnicodeDecodeError as error:
            line = self.block.lines_before + reader.line_num + 1
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
