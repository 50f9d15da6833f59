"""Rows hashed into buckets on disk, so that all rows of a paper come back together, in pieces that fit into memory.

A bucket is one file of surpeer.engines.row_files.

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

from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl

from surpeer.engines.bucket_sizes import MOST_BUCKETS
from surpeer.engines.row_files import BUFFER, RowFiles, Schema

UIntArray: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.uint64]]"


class Buckets(RowFiles):
    """Files of rows, by the highest bits of a hash."""

    name = "bucket"

    def __init__(self, folder: Path, count: int, schema: Schema, *, buffer: int = BUFFER) -> None:
        """Empty buckets.

        count : how many buckets, a power of two
        """
        if count < 1 or count & (count - 1) or count > MOST_BUCKETS:
            raise ValueError(f"found {count} buckets, expected a power of two up to {MOST_BUCKETS}")
        super().__init__(folder, count, schema, buffer=buffer)
        self.bits = count.bit_length() - 1

    def add(self, frame: pl.DataFrame, hashes: UIntArray) -> None:
        """Add rows, each with the hash that says where it belongs."""
        self.put(frame, self._numbers(hashes))

    def _numbers(self, hashes: UIntArray) -> UIntArray:
        """The bucket of each row."""
        if not self.bits:
            return np.zeros(len(hashes), dtype=np.uint64)
        return hashes >> np.uint64(64 - self.bits)
