"""Sums by paper of reviews that do not fit into memory, where ids are whole numbers: they are divided into parts
(surpeer.engines.divided) in files, and added up part by part.

A method that learns from many kinds of papers learns from the ids with the smallest hashes, which are in no order here;
such reviews are for surpeer.engines.summed_in_buckets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER
from surpeer.engines.adding import is_short
from surpeer.engines.bucket_sizes import AHEAD, BucketSizes
from surpeer.engines.divided import Divided, Division
from surpeer.engines.memory import give_back
from surpeer.engines.numbered import adding_of, are_numbered, columns_of, small_batches
from surpeer.engines.part_files import PartFiles
from surpeer.engines.part_sums import PartSums, places_of_blocks
from surpeer.engines.repeated import PAIR, Repeated
from surpeer.engines.rows import Form
from surpeer.engines.sums import merged_sums, with_ids
from surpeer.io.in_threads import in_threads

PARTS_AT_ONCE, SUMS_AHEAD = 2, 2
"""Parts that are added up at the same time, and sums that wait, so that adding up goes on while others are scored."""

BUFFER, WAITING = 8, 16
"""The parts of the memory, one over these, that rows may take before they are written, and before they are divided."""


def go_into_parts(rows: pl.DataFrame, form: Form) -> bool:
    """Whether reviews like these can be added up here."""
    return are_numbered(rows, form) and (form.levels == 2 or not form.moments)


@dataclass(frozen=True)
class SummedInParts:
    """Reviews in parts on disk, which are added up one after the other."""

    form: Form
    division: Division
    files: PartFiles
    pairs: PartFiles
    """Numbers that show whether a review is there twice."""
    repeated: Repeated
    rows_at_once: int
    in_hash_order: bool = False

    @cached_property
    def _sums(self) -> PartSums:
        """Places are no more than reviews, so that they take no more memory."""
        reviews = sum(map(self.files.rows, range(self.division.parts)))
        blocks = places_of_blocks(self.files.blocks, reviews // self.division.parts)
        return PartSums(self.division, blocks, adding_of(self.form), bool(self.form.pairs))

    def batches(self) -> Iterator[pl.DataFrame]:
        filled = (part for part in range(self.division.parts) if self.files.rows(part))
        for part, sums in in_threads(lambda part: (part, self._sum(part)), filled, PARTS_AT_ONCE, ahead=SUMS_AHEAD):
            for pairs in self.pairs.read(part):
                self.repeated.look_in(pl.DataFrame(pairs), part)
            yield with_ids(sums, self.form)

    def _sum(self, part: int) -> pl.DataFrame:
        slices = [pl.DataFrame(self._sums.of(part, rows)) for rows in self.files.read(part, self.rows_at_once)]
        return slices[0] if len(slices) == 1 else merged_sums(slices)


def sum_in_parts(
    rows: Iterator[pl.DataFrame], form: Form, folder: Path, memory: int, sizes: BucketSizes, repeated: Repeated
) -> SummedInParts:
    """Write reviews into parts of these sizes."""
    division = Division(sizes.buckets.bit_length() - 1)

    def divide(frame: pl.DataFrame) -> tuple[Divided, Divided | None]:
        reviews = division.divided(columns_of(frame.drop(PAIR, strict=False)), is_short(form))
        return reviews, _divided_pairs(frame, division) if PAIR in frame.columns else None

    numbered = (frame for frame in rows if are_numbered(frame, form))  # of others the reading says what is wrong
    batches = small_batches(numbered)
    first = next(batches)
    buffer = memory // BUFFER // (2 if PAIR in first.columns else 1)
    files, pairs = (PartFiles(folder, division.parts, buffer) for _ in range(2))
    waiting = min(AHEAD, memory // WAITING // max(1, int(first.estimated_size())))
    # In a thread of its own, so that reading and checking go on.
    for reviews, of_reviewers in in_threads(divide, chain([first], batches), threads=1, ahead=waiting):
        files.add(reviews)
        if of_reviewers is not None:
            pairs.add(of_reviewers)
    files.flush()
    pairs.flush()
    give_back()  # of which reading needed more than adding up does
    return SummedInParts(form, division, files, pairs, repeated, sizes.rows_at_once)


def _divided_pairs(frame: pl.DataFrame, division: Division) -> Divided:
    divided = division.divided(columns_of(frame.select(PAPER, PAIR).drop_nulls()), short=False)
    return Divided({PAIR: divided.columns[PAIR]}, divided.ends, divided.blocks)
