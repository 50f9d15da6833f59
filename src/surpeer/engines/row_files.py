"""Rows in files on disk, by a number that comes with each row: all rows of a number come back together.

A file is an Arrow stream to which blocks of rows are appended: polars reads it as fast as bytes, and it has room for
text and for nulls. No file stays open. Rows wait in memory until there are enough of them; then they are sorted by
number (sorting small numbers is counting) and every file gets one block.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.engines.texts_apart import size_in_memory

Schema: TypeAlias = Mapping[str, pl.DataType | type[pl.DataType]]
Numbers: TypeAlias = NDArray[np.integer[Any]]

BUFFER = 64_000_000
"""Bytes that rows may take before they are written, with the copies made on the way."""
COPIES = 3
"""A buffer holds rows as they came, their numbers in the new order, and rows in the new order."""
MOST_FILES = 1 << 16
END_OF_STREAM = 8
"""Bytes that end an Arrow stream: they are left out, so that more can follow."""


@dataclass(slots=True)
class RowFile:
    """One file: an Arrow stream of blocks of rows."""

    path: Path
    rows: int = 0
    size: int = 0
    blocks: list[tuple[int, int]] = field(default_factory=list)
    """Rows and bytes of each."""


class RowFiles:
    """Files of rows, by number."""

    name = "rows"
    """How the names of files begin."""

    def __init__(self, folder: Path, count: int, schema: Schema, *, buffer: int = BUFFER) -> None:
        """No rows yet.

        folder : where the files go
        count : numbers are below this
        schema : names and types of the columns of every frame that is added
        buffer : bytes of memory that adding may take, apart from the frame that is added
        """
        if not 1 <= count <= MOST_FILES:
            raise ValueError(f"found {count} files, expected 1 to {MOST_FILES}")
        self.schema, self.count, self.folder = dict(schema), count, folder
        self.buffer = buffer
        self._files = [RowFile(folder / f"{self.name}-{number:05d}") for number in range(count)]
        self._head = _head(self.schema)
        self._waiting: list[tuple[pl.DataFrame, Numbers]] = []
        self._waiting_bytes = 0

    def put(self, frame: pl.DataFrame, numbers: Numbers) -> None:
        """Add rows, each with its number."""
        small: Numbers = numbers.astype(np.uint8 if self.count <= 1 << 8 else np.uint16, copy=False)
        row_bytes = size_in_memory(frame) // max(1, len(frame)) + small.itemsize
        step = max(1, self.buffer // COPIES // max(1, row_bytes))
        for start in range(0, len(frame), step):
            piece = frame[start : start + step]
            self._waiting.append((piece, small[start : start + step]))
            self._waiting_bytes += len(piece) * row_bytes
            if self._waiting_bytes * COPIES >= self.buffer:
                self._write()

    def close(self) -> None:
        """Write what is left. Rows can be read now."""
        self._write()

    def rows(self, number: int) -> int:
        """How many rows have this number."""
        return self._files[number].rows

    def size(self, number: int) -> int:
        """Bytes of these rows, on disk and about as many in memory."""
        return self._files[number].size

    def read(self, number: int) -> pl.DataFrame:
        """All rows of a number, in the order in which they were added."""
        if not self.rows(number):
            return pl.DataFrame(schema=self.schema)
        return pl.read_ipc_stream(self._files[number].path)

    def read_slices(self, number: int, rows: int) -> Iterator[pl.DataFrame]:
        """The rows of a number in frames of about `rows` rows: for files that are larger than was planned. At least one
        frame, which may be empty."""
        file = self._files[number]
        if file.rows <= rows:
            yield self.read(number)
            return
        with open(file.path, "rb") as stream:
            stream.seek(len(self._head))
            for size in _grouped(file.blocks, rows):
                frame = pl.read_ipc_stream(self._head + stream.read(size))
                yield from frame.iter_slices(rows)

    def delete(self, number: int) -> None:
        """Remove the file of rows that are no longer needed."""
        self._files[number] = RowFile(self._files[number].path)
        self._files[number].path.unlink(missing_ok=True)

    def _write(self) -> None:
        if not self._waiting:
            return
        frame = pl.concat([piece for piece, _ in self._waiting], rechunk=True)
        numbers = np.concatenate([piece for _, piece in self._waiting])
        self._waiting, self._waiting_bytes = [], 0
        frame = frame[np.argsort(numbers, kind="stable").astype(np.uint32)]
        ends = np.cumsum(np.bincount(numbers, minlength=self.count)).tolist()
        for number, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            if start < end:
                self._append(self._files[number], frame[start:end])

    def _append(self, file: RowFile, frame: pl.DataFrame) -> None:
        block = _stream(frame)[len(self._head) : -END_OF_STREAM]
        with open(file.path, "ab") as stream:
            stream.write(block if file.rows else self._head + block)
        file.rows += len(frame)
        file.size += len(block)
        file.blocks.append((len(frame), len(block)))


def _stream(frame: pl.DataFrame) -> memoryview:
    stream = io.BytesIO()
    frame.write_ipc_stream(stream, compat_level=pl.CompatLevel.oldest())  # text that shares no memory with other rows
    return stream.getbuffer()


def _head(schema: Schema) -> bytes:
    """The beginning of every Arrow stream of this schema: a message of eight bytes, with its length, and the schema."""
    stream = bytes(_stream(pl.DataFrame(schema=schema)))
    return stream[: 8 + int.from_bytes(stream[4:8], "little")]


def _grouped(blocks: list[tuple[int, int]], rows: int) -> Iterator[int]:
    """Bytes of as many blocks at a time as have `rows` rows, or of one block that has more."""
    found = size = 0
    for block_rows, block_size in blocks:
        if size and found + block_rows > rows:
            yield size
            found = size = 0
        found += block_rows
        size += block_size
    yield size
