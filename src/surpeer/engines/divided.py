"""Reviews, or sums of some of them, divided by ids into parts that stay near the processor; each is added up by itself.

by range    where ids have no large gaps: an id says where its sums are
by hash     any others: equal ids are found in a table
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns, chosen, papers_there
from surpeer.engines.equal_numbers import equal_numbers, first_bits
from surpeer.engines.rows import MILLION

# Places for ids that nobody has, for each review. With more gaps than this a hash is faster than the empty places.
GAPS = 4

# Parts are this large where there are enough reviews, and at most 256: then a review's part is a single byte.
REVIEWS_OF_PART = 1 << 16
MOST_BITS = 8

Item = TypeVar("Item")
Result = TypeVar("Result")

Adding = Callable[[IntArray, Columns, int], dict[str, IntArray]]
"""Numbers of papers, columns, and how many papers there are -> their sums."""


def in_all_threads(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """work(item) for each item, in order."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
        return list(workers.map(work, items))


def sums_in_parts(batches: Sequence[Columns], add: Adding, short: bool = False) -> list[Columns]:
    """Tables of sums, every paper in one of them. short : whether rows are an id, one of two levels, and one share"""
    reviews = sum(len(batch[PAPER]) for batch in batches)
    bits = min(MOST_BITS, (reviews // REVIEWS_OF_PART).bit_length())
    division = _division(batches, reviews, bits, short)
    divided = in_all_threads(lambda batch: _Divided.of(division.columns(batch), division, 1 << bits), batches)

    def sums(part: int) -> list[Columns]:
        rows = [batch.rows(part) for batch in divided]
        joined = {name: np.concatenate([some[name] for some in rows]) for name in rows[0]}
        return [division.sums(part, joined, add)] if len(next(iter(joined.values()))) else []

    return [table for tables in in_all_threads(sums, range(1 << bits)) for table in tables]


class _Division(Protocol):
    """Which part a review goes to."""

    def columns(self, batch: Columns) -> Columns:
        """The columns that are divided."""

    def part_of(self, columns: Columns) -> IntArray: ...

    def sums(self, part: int, columns: Columns, add: Adding) -> Columns:
        """Of the reviews of one part."""


def _division(batches: Sequence[Columns], reviews: int, bits: int, short: bool) -> _Division:
    first = int(min(batch[PAPER].min() for batch in batches))
    last = int(max(batch[PAPER].max() for batch in batches))
    if last - first >= GAPS * reviews + 1000:
        return _Hashes(bits)
    return (_ShortRanges if short else _Ranges)(first, last, bits)


@dataclass(frozen=True)
class _Ranges:
    """Parts of equally many ids, from the first one on."""

    first: int
    last: int
    bits: int

    @property
    def _shift(self) -> int:
        return max(0, (self.last - self.first).bit_length() - self.bits)

    def columns(self, batch: Columns) -> Columns:
        return batch

    def part_of(self, columns: Columns) -> IntArray:
        return (columns[PAPER] - self.first) >> self._shift

    def sums(self, part: int, columns: Columns, add: Adding) -> Columns:
        return self._sums(part, columns[PAPER] - (self.first + (part << self._shift)), columns, add)

    def _sums(self, part: int, number: IntArray, columns: Columns, add: Adding) -> Columns:
        start = self.first + (part << self._shift)
        places = min(1 << self._shift, self.last - start + 1)
        sums = add(number, columns, places)
        return chosen(sums, start + np.arange(places), papers_there(sums))


class _ShortRanges(_Ranges):
    """The same of rows that fit into one number each, so that less is moved: the id, from the first one on, a bit for
    the level, and the share in millionths."""

    SHARE_BITS = MILLION.bit_length()

    def columns(self, batch: Columns) -> Columns:
        row = batch[PAPER] - self.first
        row <<= 1
        row += batch[RATING]
        row <<= self.SHARE_BITS
        row += batch["m1"]
        return {"row": row}

    def part_of(self, columns: Columns) -> IntArray:
        return columns["row"] >> (self._shift + 1 + self.SHARE_BITS)

    def sums(self, part: int, columns: Columns, add: Adding) -> Columns:
        row = columns["row"]
        cell = row >> self.SHARE_BITS
        rows = {RATING: cell & 1, "m1": row & ((1 << self.SHARE_BITS) - 1)}
        cell >>= 1
        cell -= part << self._shift
        return self._sums(part, cell, rows, add)


@dataclass(frozen=True)
class _Hashes:
    """Parts of equal first bits of a hash."""

    bits: int

    def columns(self, batch: Columns) -> Columns:
        return batch

    def part_of(self, columns: Columns) -> IntArray:
        ids = columns[PAPER]
        return first_bits(ids, self.bits) if self.bits else np.zeros(len(ids), dtype=np.int64)

    def sums(self, part: int, columns: Columns, add: Adding) -> Columns:  # noqa: ARG002
        ids = columns[PAPER]
        found = equal_numbers(ids)
        return {PAPER: ids[found.examples], **add(found.which, columns, len(found.examples))}


@dataclass(frozen=True)
class _Divided:
    """Reviews in the order of their parts."""

    columns: Columns
    ends: list[int]
    """Of parts; those of part 0 are from 0 to the first of them."""

    @classmethod
    def of(cls, columns: Columns, division: _Division, parts: int) -> "_Divided":
        part = division.part_of(columns).astype(np.uint8)
        order = np.argsort(part, kind="stable")  # of single bytes without comparing any
        ends = np.cumsum(np.bincount(part, minlength=parts)).tolist()
        return cls({name: column[order] for name, column in columns.items()}, ends)

    def rows(self, part: int) -> Columns:
        here = slice(self.ends[part - 1] if part else 0, self.ends[part])
        return {name: column[here] for name, column in self.columns.items()}
