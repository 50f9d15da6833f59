"""Rows hashed into buckets on disk, so that all rows of a paper come back together, in pieces that fit into memory.

A bucket is one file, an Arrow stream to which blocks of rows are appended: polars reads it as fast as bytes, and it has
room for text and for nulls. No file stays open. Rows wait in memory until there are enough of them; then they are
sorted by bucket (sorting small numbers is counting) and every bucket gets one block.

Measured on two cores with `benchmarks/buckets.py`, 100 million rows of 17 bytes (paper Int64, rating Int8, units
Int64), times with little else going on:

- into 64 to 256 buckets 3.4 to 4.4 s, of which writing the bytes is about 1 s; back in 0.6 s. Blocks compressed by LZ4
  take 0.7 of the space and 2.4 times as long, so they are not compressed. Text ids take four times as long.
- Memory: 62 MB before the first row (123 MB with scipy), up to 125 MB more while rows are added (buffer 64 MB).
  Grouping a bucket by paper takes 5 to 9 times its bytes: a peak of 212, 223 and 274 MB with 256, 128 and 64 buckets.
  More buckets cost little.
- No setting of the allocator is needed. Giving memory back at once (_RJEM_MALLOC_CONF=dirty_decay_ms:0) takes 40 MB off
  the peak and makes adding nearly twice as slow; fewer arenas or threads change nothing.
"""

import io
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl

from surpeer.core.shapes import IntArray

UIntArray: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.uint64]]"
Schema: TypeAlias = Mapping[str, pl.DataType | type[pl.DataType]]

BUFFER = 64_000_000
"""Bytes that rows may take before they are written, with the copies made on the way."""
MOST_BUCKETS = 4096
COPIES = 3
"""A buffer holds rows as they came, their numbers in the new order, and rows in the new order."""
END_OF_STREAM = 8
"""Bytes that end an Arrow stream: they are left out, so that more can follow."""


BASE = 160_000_000
"""Bytes of Python with numpy, scipy and polars, before any row is read."""
GROUPING = 10
"""Bytes of memory that grouping a bucket by paper takes, for each byte of the bucket: 5 to 9 were measured."""
SHARE = 1 / 3
"""Of the memory that is left, the part that one bucket may take. Memory is not given back at once, buckets are not all
of one size, and the scores of the papers before are there too."""


def how_many_buckets(rows: int, bytes_per_row: float, memory: int) -> int:
    """So many that each can be grouped by paper within `memory` bytes for the whole process.

    >>> how_many_buckets(100_000_000, 17, 512_000_000), how_many_buckets(1000, 17, 512_000_000)
    (256, 1)
    """
    bucket = max(1_000_000, (memory - BASE) * SHARE / GROUPING)
    needed = max(1, math.ceil(rows * bytes_per_row / bucket))
    return min(MOST_BUCKETS, 1 << (needed - 1).bit_length())


@dataclass(slots=True)
class Bucket:
    """One file: an Arrow stream of blocks of rows."""

    path: Path
    rows: int = 0
    size: int = 0
    blocks: list[tuple[int, int]] = field(default_factory=list)
    """Rows and bytes of each."""


class Buckets:
    """Files of rows, by the highest bits of a hash."""

    def __init__(self, folder: Path, count: int, schema: Schema, *, buffer: int = BUFFER, skip_bits: int = 0) -> None:
        """Empty buckets.

        folder : where the files go
        count : how many buckets, a power of two
        schema : names and types of the columns of every frame that is added
        buffer : bytes of memory that adding may take, apart from the frame that is added
        skip_bits : highest bits of the hash that do not count, because they are the same in all rows
        """
        if count < 1 or count & (count - 1) or count > MOST_BUCKETS:
            raise ValueError(f"found {count} buckets, expected a power of two up to {MOST_BUCKETS}")
        self.schema, self.count, self.folder = dict(schema), count, folder
        self.skip_bits, self.bits = skip_bits, count.bit_length() - 1
        self._buffer = buffer
        self._files = [Bucket(folder / f"bucket-{number:05d}") for number in range(count)]
        self._head = _head(self.schema)
        self._waiting: list[tuple[pl.DataFrame, IntArray]] = []
        self._waiting_bytes = 0

    def add(self, frame: pl.DataFrame, hashes: UIntArray) -> None:
        """Add rows, each with the hash that says where it belongs."""
        numbers = self._numbers(hashes)
        row_bytes = int(frame.estimated_size()) // max(1, len(frame)) + numbers.itemsize
        step = max(1, self._buffer // COPIES // max(1, row_bytes))
        for start in range(0, len(frame), step):
            piece = frame[start : start + step]
            self._waiting.append((piece, numbers[start : start + step]))
            self._waiting_bytes += len(piece) * row_bytes
            if self._waiting_bytes * COPIES >= self._buffer:
                self._write()

    def close(self) -> None:
        """Write what is left. Rows can be read now."""
        self._write()

    def rows(self, bucket: int) -> int:
        """Rows of a bucket."""
        return self._files[bucket].rows

    def size(self, bucket: int) -> int:
        """Bytes of a bucket, on disk and about as many in memory."""
        return self._files[bucket].size

    def read(self, bucket: int) -> pl.DataFrame:
        """All rows of a bucket, in the order in which they were added."""
        if not self.rows(bucket):
            return pl.DataFrame(schema=self.schema)
        return pl.read_ipc_stream(self._files[bucket].path)

    def read_slices(self, bucket: int, rows: int) -> Iterator[pl.DataFrame]:
        """The rows of a bucket in frames of about `rows` rows: for buckets that are larger than was planned, because
        so many reviews are of one paper. At least one frame, which may be empty."""
        file = self._files[bucket]
        if file.rows <= rows:
            yield self.read(bucket)
            return
        with open(file.path, "rb") as stream:
            stream.seek(len(self._head))
            for size in _grouped(file.blocks, rows):
                frame = pl.read_ipc_stream(self._head + stream.read(size))
                yield from frame.iter_slices(rows)

    def delete(self, bucket: int) -> None:
        """Remove the file of a bucket that is no longer needed."""
        self._files[bucket] = Bucket(self._files[bucket].path)
        self._files[bucket].path.unlink(missing_ok=True)

    def split(self, bucket: int, count: int, hash_of: Callable[[pl.DataFrame], UIntArray]) -> "Buckets":
        """Move the rows of a bucket that is too large into buckets of their own, by the next bits of the hash."""
        folder = self.folder / f"split-{bucket:05d}"
        folder.mkdir()
        parts = Buckets(folder, count, self.schema, buffer=self._buffer, skip_bits=self.skip_bits + self.bits)
        for frame in self.read_slices(bucket, 1_000_000):
            parts.add(frame, hash_of(frame))
        parts.close()
        self.delete(bucket)
        return parts

    def _numbers(self, hashes: UIntArray) -> IntArray:
        """The bucket of each row, in a type so small that sorting it is counting."""
        kind = np.uint8 if self.bits <= 8 else np.uint16
        if not self.bits:
            return np.zeros(len(hashes), dtype=kind)
        return ((hashes << np.uint64(self.skip_bits)) >> np.uint64(64 - self.bits)).astype(kind)

    def _write(self) -> None:
        if not self._waiting:
            return
        frame = pl.concat([piece for piece, _ in self._waiting], rechunk=True)
        numbers = np.concatenate([piece for _, piece in self._waiting])
        self._waiting, self._waiting_bytes = [], 0
        frame = frame[np.argsort(numbers, kind="stable").astype(np.uint32)]
        ends = np.cumsum(np.bincount(numbers, minlength=self.count)).tolist()
        for bucket, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            if start < end:
                self._append(self._files[bucket], frame[start:end])

    def _append(self, file: Bucket, frame: pl.DataFrame) -> None:
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
