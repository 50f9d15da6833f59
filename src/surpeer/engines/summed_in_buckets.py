"""Sums by paper of reviews that do not fit into memory: they are written into buckets on disk, and added up bucket by
bucket.

Ids that are whole numbers go into buckets block by block, a block being the ids that differ in their last bits only.
Where ids have few gaps, those of a bucket then have few gaps within its blocks: an id says where its sums are, and
nothing has to be looked up or sorted. Other ids, such as text, go one by one. So do all where a method learns, because
it learns from the ids with the smallest hashes, which are then in the first buckets; but not on two levels, where most
papers are of few kinds, and learned from while they are numbered (surpeer.engines.run).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import chosen, papers_there, sums_by_number
from surpeer.engines.buckets import Buckets, UIntArray, how_many_buckets, rows_of_bucket
from surpeer.engines.memory import give_back
from surpeer.engines.polars_engine import sum_rows
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.sums import merged_sums, number_of_sums, with_ids
from surpeer.id_hash import id_hash
from surpeer.io.in_threads import in_threads

BYTES_PER_SUM = 3
"""Adding up takes as much memory as rows that have so many bytes for each sum, where that is more than they have."""

ROWS_AT_ONCE = 4_000_000
"""Of a bucket that is larger than was planned, because so many reviews are of one paper, if there is much memory."""

AHEAD = 12
"""Batches that wait to be put into buckets: they are small where there is little memory."""

UNEVEN = 2
"""How much larger than planned a bucket may be: they are not all of one size."""

BLOCK_BITS = 10
"""Last bits in which the ids of a block differ: few papers for a bucket, so that buckets are of nearly one size."""

BUCKETS_AT_ONCE = 2
"""That are added up at the same time, where ids are numbers; text is added up by all processors anyway."""


@dataclass(frozen=True)
class SummedInBuckets:
    """Reviews in buckets on disk, which are added up one after the other."""

    form: Form
    buckets: Buckets
    repeated: Repeated
    rows_at_once: int = ROWS_AT_ONCE

    @property
    def in_hash_order(self) -> bool:
        """By the hashes of ids as they are in the buckets."""
        return not self.form.numbers and not self._in_blocks

    @property
    def _in_blocks(self) -> bool:
        return _in_blocks(self.form, self.buckets.schema[PAPER])

    def batches(self) -> Iterator[pl.DataFrame]:
        filled = (bucket for bucket in range(self.buckets.count) if self.buckets.rows(bucket))
        at_once = BUCKETS_AT_ONCE if self.buckets.schema[PAPER] == pl.Int64 else 1
        for bucket, sums, pairs in in_threads(self._sum, filled, at_once):
            self.repeated.look_in(pairs, bucket)
            yield with_ids(sums, self.form)

    def _sum(self, bucket: int) -> tuple[int, pl.DataFrame, pl.DataFrame]:
        """The bucket, its sums, and what shows whether a review is there twice, perhaps in two slices."""
        slices, pairs = [], []
        for rows in self.buckets.read_slices(bucket, self.rows_at_once):
            pairs.append(rows.select(name for name in rows.columns if name == PAIR))
            reviews = rows.drop(PAIR, strict=False)
            sums = _sums_in_blocks(reviews, self.form) if self._in_blocks else None
            slices.append(sum_rows(reviews, self.form) if sums is None else sums)
        return bucket, slices[0] if len(slices) == 1 else merged_sums(slices), pl.concat(pairs)


def sum_in_buckets(
    rows: Iterator[pl.DataFrame], form: Form, folder: Path, memory: int, expected_rows: int, repeated: Repeated
) -> SummedInBuckets:
    """Write reviews into buckets, as many as it takes for one to be added up in the memory that there is."""
    first = next(rows, None)
    if first is None:
        raise ValueError("there are no reviews")
    width = max(int(first.estimated_size()) // max(1, len(first)), BYTES_PER_SUM * (1 + number_of_sums(form)))
    count = how_many_buckets(expected_rows, width, memory)
    at_once = min(ROWS_AT_ONCE, int(UNEVEN * rows_of_bucket(width, memory)))
    buckets = Buckets(folder, count, first.schema, buffer=memory // 8)

    def add(frame: pl.DataFrame) -> None:
        buckets.add(frame, _hashes(frame[PAPER], form))

    # In a thread of its own, so that reading and checking go on while rows are sorted and written.
    for _ in in_threads(add, chain([first], rows), threads=1, ahead=AHEAD):
        pass
    buckets.close()
    give_back()  # of which reading needed more than adding up does
    return SummedInBuckets(form, buckets, repeated, at_once)


def _in_blocks(form: Form, ids: pl.DataType | type[pl.DataType]) -> bool:
    """Whether ids go into buckets block by block."""
    return ids == pl.Int64 and not (form.track or form.title) and (form.levels == 2 or not form.moments)


def _hashes(ids: pl.Series, form: Form) -> UIntArray:
    if not _in_blocks(form, ids.dtype):
        return id_hash(ids)
    return id_hash(pl.Series(ids.to_numpy() >> BLOCK_BITS))


def _sums_in_blocks(rows: pl.DataFrame, form: Form) -> pl.DataFrame | None:
    """The sums of papers in as many places as their blocks have ids; None if these are more than reviews."""
    ids = rows[PAPER].to_numpy()
    block = ids >> BLOCK_BITS
    first, last = int(block.min()), int(block.max())
    if last - first > len(ids):
        return None
    block -= first
    there = np.zeros(last - first + 1, dtype=np.bool_)
    there[block] = True
    blocks = np.flatnonzero(there)
    places = len(blocks) << BLOCK_BITS
    if places > len(ids):
        return None
    number = (np.cumsum(there) - 1)[block]
    number <<= BLOCK_BITS
    number |= np.bitwise_and(ids, (1 << BLOCK_BITS) - 1, out=block)
    del ids, block  # a bucket takes much of the memory that there is
    sums = sums_by_number(number, {name: rows[name].to_numpy() for name in rows.columns if name != PAPER}, form, places)
    return pl.DataFrame(chosen(sums, _ids_of(first + blocks), papers_there(sums)))


def _ids_of(blocks: IntArray) -> IntArray:
    """All ids of these blocks, one after the other."""
    return ((blocks << BLOCK_BITS)[:, None] + np.arange(1 << BLOCK_BITS)).ravel()
