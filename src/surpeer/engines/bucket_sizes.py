"""Into how many pieces reviews on disk are divided, so that one at a time can be added up in memory."""

import math
from typing import NamedTuple

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.rows import Form
from surpeer.engines.sums import number_of_sums

MOST_BUCKETS = 4096

BASE = 160_000_000
"""Bytes of Python with numpy, scipy and polars, before any row is read."""
GROUPING = 10
"""Bytes of memory that grouping a bucket by paper takes, for each byte of the bucket: 5 to 9 were measured."""
SHARE = 1 / 3
"""Of the memory that is left, the part that one bucket may take. Memory is not given back at once, buckets are not all
of one size, and the papers of the two buckets before are being scored at the same time."""

BYTES_PER_SUM = 3
"""Adding up takes as much memory as rows that have so many bytes for each sum, where that is more than they have."""

LOOKED_UP = 2
"""The same where whole numbers with large gaps are looked up in a table: as rows that have so many times the bytes."""

BY_DATABASE = 1.6
"""The same where DuckDB does it."""

BESIDE_SAMPLE = 2
"""The same where papers of many tracks are kept to learn from while others are added up."""

ROWS_AT_ONCE = 4_000_000
"""Of a bucket that is larger than was planned, because so many reviews are of one paper, if there is much memory."""

UNEVEN = 2
"""How much larger than planned a bucket may be: they are not all of one size."""

AHEAD, AHEAD_SHARE = 12, 1 / 24
"""Batches that wait to be put into buckets, at most, and the part of the memory that they may take together."""


def batches_ahead(batch: pl.DataFrame, memory: int) -> int:
    """How many batches like this one may wait to be put into buckets."""
    return max(1, min(AHEAD, int(memory * AHEAD_SHARE) // max(1, int(batch.estimated_size()))))


class BucketSizes(NamedTuple):
    """How reviews are to be divided."""

    buckets: int
    """How many, a power of two."""
    rows_at_once: int
    """Of a bucket that are added up."""
    rows: int = 0
    """Of all buckets, for which they are large enough."""

    @classmethod
    def of(
        cls, some: pl.DataFrame, form: Form, rows: int, memory: int, least: int = 0, *, database: bool = False
    ) -> "BucketSizes":
        """For so many rows like some of them, within `memory` bytes for the whole process.

        least : bytes of a row; database : whether DuckDB adds them up
        """
        each = int(some.estimated_size()) // max(1, len(some))
        width = float(max(least, each, BYTES_PER_SUM * (1 + number_of_sums(form))))
        if database:
            width *= BY_DATABASE
        elif _have_gaps(some[PAPER], rows):
            width *= LOOKED_UP
        width *= BESIDE_SAMPLE if form.track and form.moments else 1
        of_bucket = _rows_of_bucket(width, memory)
        buckets = how_many_buckets(rows, width, memory)
        return cls(buckets, min(ROWS_AT_ONCE, int(UNEVEN * of_bucket)), int(buckets * of_bucket))


def _have_gaps(ids: pl.Series, rows: int) -> bool:
    """Whether ids like these are whole numbers, of which more are missing than there are."""
    return ids.dtype.is_integer() and len(ids) > 0 and int(ids.max()) - int(ids.min()) > rows  # type: ignore[arg-type]


def how_many_buckets(rows: int, bytes_per_row: float, memory: int) -> int:
    """So many that each can be grouped by paper within `memory` bytes for the whole process.

    >>> how_many_buckets(100_000_000, 17, 512_000_000), how_many_buckets(1000, 17, 512_000_000)
    (256, 1)
    """
    needed = max(1, math.ceil(rows / _rows_of_bucket(bytes_per_row, memory)))
    return min(MOST_BUCKETS, 1 << (needed - 1).bit_length())


def _rows_of_bucket(bytes_per_row: float, memory: int) -> float:
    """How many a bucket may have at most, to be grouped by paper within `memory` bytes for the whole process."""
    return max(1_000_000, (memory - BASE) * SHARE / GROUPING) / bytes_per_row
