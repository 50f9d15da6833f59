"""Sums by paper of reviews that do not fit into memory: they are hashed into buckets on disk, and added up bucket by
bucket. Ids may be of any kind. Those that are whole numbers have a faster way (surpeer.engines.summed_in_parts), but
for methods that learn from papers of many kinds: they learn from the ids with the smallest hashes, which are in the
first buckets here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.bucket_sizes import BucketSizes, batches_ahead
from surpeer.engines.buckets import Buckets
from surpeer.engines.memory import give_back
from surpeer.engines.numbered import are_numbered
from surpeer.engines.polars_engine import sum_rows
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.summed import AddUp
from surpeer.engines.sums import merged_sums, with_ids
from surpeer.id_hash import id_hash
from surpeer.io.in_threads import in_threads

BUCKETS_AT_ONCE = 2
"""That are added up at the same time, where that is done by one processor; engines use all of them anyway."""


@dataclass(frozen=True)
class SummedInBuckets:
    """Reviews in buckets on disk, which are added up one after the other."""

    form: Form
    buckets: Buckets
    repeated: Repeated
    rows_at_once: int
    sum_rows: AddUp

    @property
    def in_hash_order(self) -> bool:
        """By the hashes of ids as they are in the buckets."""
        return not self.form.numbers

    def batches(self) -> Iterator[pl.DataFrame]:
        filled = (bucket for bucket in range(self.buckets.count) if self.buckets.rows(bucket))
        by_number = self.sum_rows is sum_rows and are_numbered(pl.DataFrame(schema=self.buckets.schema), self.form)
        at_once = BUCKETS_AT_ONCE if by_number else 1
        for bucket, sums, pairs in in_threads(self._sum, filled, at_once):
            self.repeated.look_in(pairs, bucket)
            yield with_ids(sums, self.form)

    def _sum(self, bucket: int) -> tuple[int, pl.DataFrame, pl.DataFrame]:
        """The bucket, its sums, and what shows whether a review is there twice, perhaps in two slices."""
        slices, pairs = [], []
        for rows in self.buckets.read_slices(bucket, self.rows_at_once):
            pairs.append(rows.select(name for name in rows.columns if name == PAIR))
            slices.append(self.sum_rows(rows.drop(PAIR, strict=False), self.form))
        return bucket, slices[0] if len(slices) == 1 else merged_sums(slices), pl.concat(pairs)


def sum_in_buckets(
    rows: Iterator[pl.DataFrame],
    form: Form,
    folder: Path,
    memory: int,
    sizes: BucketSizes,
    repeated: Repeated,
    add_up: AddUp = sum_rows,
) -> SummedInBuckets:
    """Write reviews, of which there is at least one frame, into buckets of these sizes. add_up : an engine"""
    first = next(rows)
    # Of those with other ids the reading says what is wrong.
    alike = (frame for frame in rows if frame[PAPER].dtype == first[PAPER].dtype)
    buckets = Buckets(folder, sizes.buckets, first.schema, buffer=memory // 8)

    def add(frame: pl.DataFrame) -> None:
        buckets.add(frame, id_hash(_key(frame[PAPER], form)))

    # In a thread of its own, so that reading and checking go on while rows are sorted and written.
    for _ in in_threads(add, chain([first], alike), threads=1, ahead=batches_ahead(first, memory)):
        pass
    buckets.close()
    give_back()  # of which reading needed more than adding up does
    return SummedInBuckets(form, buckets, repeated, sizes.rows_at_once, add_up)


def _key(ids: pl.Series, form: Form) -> pl.Series:
    """What decides on the bucket: the id. Where papers are counted, those whose ids differ in space only come together,
    so that they are found."""
    return ids.str.strip_chars() if form.counted and ids.dtype == pl.String else ids
