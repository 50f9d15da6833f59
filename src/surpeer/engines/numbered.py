"""Sums by paper where ids are whole numbers: no group-by, which spends most of its time looking papers up.

Where the reviews of a paper are next to each other, they are added up as they come. What is left, reviews or such sums,
is divided by ids into parts that stay near the processor, and each part is added up by itself:

    by range    where ids have no large gaps: an id says where its sums are
    by hash     any others: a table says to which paper each place belongs; papers without a place try again

The same table as that of surpeer.engines.sums, but for the order of papers.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns, chosen, joined_tables, merged_by_number, papers_there, sums_by_number
from surpeer.engines.rows import Form

# Places for ids that nobody has, for each review. With more gaps than this a hash is faster than the empty places.
GAPS = 4

# Reviews that are divided at once.
REVIEWS_OF_BATCH = 1 << 19

# Parts are this large where there are enough reviews, and at most 256: then a review's part is a single byte.
REVIEWS_OF_PART = 1 << 16
MOST_BITS = 8

# Reviews of papers without a place are added up where nobody looks, so many together: as few as those of a paper.
REVIEWS_ASIDE = 1 << 10

# An odd number whose products have bits in no order (2**64 / golden ratio).
MIXING = 0x9E3779B97F4A7C15

Item = TypeVar("Item")
Result = TypeVar("Result")

Adding = Callable[[IntArray, Columns, int], dict[str, IntArray]]
"""Numbers of papers, columns, and how many papers there are -> their sums."""


def numbered_sums(rows: pl.DataFrame, form: Form) -> pl.DataFrame | None:
    """The sums by paper of these reviews, or None if ids are no numbers."""
    if form.track or form.title or not rows[PAPER].dtype.is_integer() or not len(rows):
        return None
    every = [_columns(batch) for batch in rows.iter_slices(REVIEWS_OF_BATCH)]
    sums = _as_they_come(every, form) if _are_together(every[0][PAPER]) else _in_parts(every, _adding(form))
    return pl.concat([pl.DataFrame(table) for table in sums], rechunk=False)


def _columns(frame: pl.DataFrame) -> Columns:
    return {name: frame[name].to_numpy() for name in frame.columns}


def _adding(form: Form) -> Adding:
    return lambda number, rows, places: sums_by_number(number, rows, form, places)


def _in_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        return list(workers.map(work, items))


def _are_together(ids: IntArray) -> bool:
    """Whether most reviews are of the same paper as the one before."""
    return bool(2 * np.count_nonzero(ids[1:] == ids[:-1]) > len(ids))


def _as_they_come(batches: Sequence[Columns], form: Form) -> list[Columns]:
    slices = [
        {name: column[start : start + REVIEWS_OF_PART] for name, column in batch.items()}
        for batch in batches
        for start in range(0, len(batch[PAPER]), REVIEWS_OF_PART)
    ]
    tables = joined_tables(_in_threads(lambda rows: _runs(rows, form), slices))
    return tables if _are_increasing(tables) else _in_parts(tables, merged_by_number)


def _runs(rows: Columns, form: Form) -> Columns:
    """Sums of equal ids next to each other."""
    ids = rows[PAPER]
    is_first = np.concatenate([[True], ids[1:] != ids[:-1]])
    number = np.cumsum(is_first) - 1
    return {PAPER: ids[is_first], **sums_by_number(number, rows, form, int(number[-1]) + 1)}


def _are_increasing(tables: Sequence[Columns]) -> bool:
    """Whether every id is larger than the one before, so that no paper is there twice."""
    inside = all((table[PAPER][1:] > table[PAPER][:-1]).all() for table in tables)
    return inside and all(one[PAPER][-1] < two[PAPER][0] for one, two in pairwise(tables))


@dataclass(frozen=True)
class _Ranges:
    """Parts of equally many ids, from the first one on."""

    first: int
    last: int
    bits: int

    @property
    def _shift(self) -> int:
        return max(0, (self.last - self.first).bit_length() - self.bits)

    def part_of(self, ids: IntArray) -> IntArray:
        return (ids - self.first) >> self._shift

    def sums(self, part: int, rows: Columns, add: Adding) -> list[Columns]:
        start = self.first + (part << self._shift)
        places = min(1 << self._shift, self.last - start + 1)
        sums = add(rows[PAPER] - start, rows, places)
        return [chosen(sums, start + np.arange(places), papers_there(sums))]


@dataclass(frozen=True)
class _Hashes:
    """Parts of equal first bits of a hash."""

    bits: int

    def part_of(self, ids: IntArray) -> IntArray:
        return _mixed_bits(ids, self.bits)

    def sums(self, part: int, rows: Columns, add: Adding) -> list[Columns]:  # noqa: ARG002
        tables: list[Columns] = []
        mixed = rows[PAPER]
        while len(mixed):
            mixed = _mixed(mixed)
            bits = max(1, len(mixed).bit_length())
            place = _mixed_bits(mixed, bits)
            owner = np.zeros(1 << bits, dtype=np.int64)
            owner[place] = rows[PAPER]
            others = np.flatnonzero(owner[place] != rows[PAPER])
            place[others] = len(owner) + np.arange(len(others)) // REVIEWS_ASIDE
            sums = add(place, rows, len(owner) + len(others) // REVIEWS_ASIDE + 1)
            there = papers_there(sums)
            tables.append(chosen(sums, owner, there[there < len(owner)]))
            rows = {name: column[others] for name, column in rows.items()}
            mixed = mixed[others]
        return tables


def _mixed(ids: IntArray) -> IntArray:
    """One to one among the numbers of 64 bits."""
    product = ids.view(np.uint64) * np.uint64(MIXING)
    product ^= product >> np.uint64(32)
    return product.view(np.int64)


def _mixed_bits(ids: IntArray, bits: int) -> IntArray:
    """So many bits of a hash."""
    product = ids.view(np.uint64) * np.uint64(MIXING)
    return (product >> np.uint64(64 - bits)).view(np.int64) if bits else np.zeros(len(ids), dtype=np.int64)


def _in_parts(batches: Sequence[Columns], add: Adding) -> list[Columns]:
    reviews = sum(len(batch[PAPER]) for batch in batches)
    bits = min(MOST_BITS, (reviews // REVIEWS_OF_PART).bit_length())
    first = int(min(batch[PAPER].min() for batch in batches))
    last = int(max(batch[PAPER].max() for batch in batches))
    ranges = last - first < GAPS * reviews + 1000
    division: _Ranges | _Hashes = _Ranges(first, last, bits) if ranges else _Hashes(bits)
    divided = _in_threads(lambda batch: _Divided.of(batch, division.part_of(batch[PAPER]), 1 << bits), batches)

    def sums(part: int) -> list[Columns]:
        rows = [batch.rows(part) for batch in divided]
        joined = {name: np.concatenate([some[name] for some in rows]) for name in rows[0]}
        return division.sums(part, joined, add) if len(joined[PAPER]) else []

    return [table for tables in _in_threads(sums, range(1 << bits)) for table in tables]


@dataclass(frozen=True)
class _Divided:
    """Reviews in the order of their parts."""

    columns: Columns
    ends: list[int]
    """Of parts; those of part 0 are from 0 to the first of them."""

    @classmethod
    def of(cls, batch: Columns, part: IntArray, parts: int) -> "_Divided":
        short = part.astype(np.uint8)
        order = np.argsort(short, kind="stable")  # of single bytes without comparing any
        ends = np.cumsum(np.bincount(short, minlength=parts)).tolist()
        return cls({name: column[order] for name, column in batch.items()}, ends)

    def rows(self, part: int) -> Columns:
        here = slice(self.ends[part - 1] if part else 0, self.ends[part])
        return {name: column[here] for name, column in self.columns.items()}
