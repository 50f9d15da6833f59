"""Sums by paper in this process, by polars: all reviews in memory, or bucket by bucket from disk."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.buckets import Buckets, how_many_buckets
from surpeer.engines.numbered import numbered_sums
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.summed import SummedInMemory
from surpeer.engines.sums import merged_sums, number_of_sums, sums_by_paper, with_ids
from surpeer.id_hash import id_hash

BYTES_PER_SUM = 3
"""Adding up takes as much memory as rows that have so many bytes for each sum, where that is more than they have."""

ROWS_AT_ONCE = 4_000_000
"""Of a bucket that is larger than was planned, because so many reviews are of one paper."""


def sum_rows(rows: pl.DataFrame, form: Form) -> pl.DataFrame:
    """The sums of these reviews."""
    numbered = numbered_sums(rows, form)
    if numbered is not None:
        return numbered
    sums: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect(engine="streaming")
    return sums


def sum_in_memory(rows: Iterator[pl.DataFrame], form: Form, repeated: Repeated) -> SummedInMemory:
    """Sums of reviews that all fit into memory."""
    every = pl.concat(rows, rechunk=False)
    repeated.look_in(every)
    return SummedInMemory(form, with_ids(sum_rows(every.drop(PAIR, strict=False), form), form))


@dataclass(frozen=True)
class SummedInBuckets:
    """Reviews in buckets on disk, which are added up one at a time."""

    form: Form
    buckets: Buckets
    repeated: Repeated

    @property
    def in_hash_order(self) -> bool:
        """By the hashes of ids as they are in the buckets."""
        return not self.form.numbers

    def batches(self) -> Iterator[pl.DataFrame]:
        for bucket in range(self.buckets.count):
            if self.buckets.rows(bucket):
                yield self._sum(bucket)

    def _sum(self, bucket: int) -> pl.DataFrame:
        slices, pairs = [], []
        for rows in self.buckets.read_slices(bucket, ROWS_AT_ONCE):
            pairs.append(rows.select(name for name in rows.columns if name == PAIR))
            slices.append(sum_rows(rows.drop(PAIR, strict=False), self.form))
        self.repeated.look_in(pl.concat(pairs))  # a review may be there twice in two slices
        return with_ids(slices[0] if len(slices) == 1 else merged_sums(slices), self.form)


def sum_in_buckets(
    rows: Iterator[pl.DataFrame], form: Form, folder: Path, memory: int, expected_rows: int, repeated: Repeated
) -> SummedInBuckets:
    """Write reviews into buckets, as many as it takes for one to be added up in the memory that there is."""
    buckets: Buckets | None = None
    for frame in rows:
        if buckets is None:
            width = int(frame.estimated_size()) // max(1, len(frame))
            count = how_many_buckets(expected_rows, max(width, BYTES_PER_SUM * (1 + number_of_sums(form))), memory)
            buckets = Buckets(folder, count, frame.schema, buffer=memory // 8)
        buckets.add(frame, id_hash(frame[PAPER]))
    if buckets is None:
        raise ValueError("there are no reviews")
    buckets.close()
    return SummedInBuckets(form, buckets, repeated)
