"""Sums by paper of reviews that are divided into parts (surpeer.engines.divided); each part is added up by itself.

by place    where ids have no large gaps: a paper's block says where its sums are
by hash     any others: equal blocks are found in a table
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import (
    Columns,
    chosen,
    columns_of_two_levels,
    joined_columns,
    papers_there,
    sums_of_two_levels,
)
from surpeer.engines.compiled import Compiled, Loops
from surpeer.engines.divided import BLOCK, ROW, SHARE_BITS, Divided, Division, alike, cells_and_shares, long_rows
from surpeer.engines.equal_numbers import equal_numbers
from surpeer.io.in_threads import in_threads

# Places for ids that nobody has, for each review. With more gaps than this a hash is faster than the empty places.
GAPS = 4

# Reviews whose sums are one table, or a few more.
REVIEWS_AT_ONCE = 1 << 21

# Batches that wait to be divided: none is read again, and all of them are kept anyway.
AHEAD = 2

Adding = Callable[[IntArray, Columns, int], dict[str, IntArray]]
"""Numbers of papers, columns, and how many papers there are -> their sums."""


@dataclass(frozen=True)
class SumsOfParts:
    """Tables of sums, every paper in one of them. A table is added up each time that somebody asks for it, which takes
    hardly longer than to keep it: filling new memory takes time."""

    division: Division
    batches: list[Divided]
    add: Adding

    @classmethod
    def of(cls, rows: Iterable[Columns], reviews: int, add: Adding, short: bool = False) -> "SumsOfParts":
        """Divide rows as they come, about so many. short : whether they are an id, one of two levels, and one share"""
        division = Division.of(reviews)
        divided = in_threads(lambda some: division.divided(some, short), rows, ahead=AHEAD)
        return cls(division, list(divided), add)

    @cached_property
    def _parts_of_tables(self) -> list[list[int]]:
        """Those that have reviews, about as many for each table."""
        ends = np.array([batch.ends for batch in self.batches]).sum(axis=0)
        reviews = np.diff(ends, prepend=0)
        parts = np.flatnonzero(reviews)
        of_table = -(-int(ends[-1]) // -(-int(ends[-1]) // REVIEWS_AT_ONCE))
        table = (ends - reviews)[parts] // of_table
        return [parts[table == number].tolist() for number in np.unique(table)]

    def __len__(self) -> int:
        return len(self._parts_of_tables)

    @cached_property
    def _blocks(self) -> range | None:
        """All of them and those between, which then are places; None where too many are between."""
        spans = [batch.blocks for batch in self.batches if batch.blocks]
        first, end = min(span.start for span in spans), max(span.stop for span in spans)
        reviews = sum(batch.ends[-1] for batch in self.batches)
        return range(first, end) if (end - first) * self.division.parts <= GAPS * reviews else None

    @cached_property
    def _are_short(self) -> bool:
        return all(ROW in batch.columns for batch in self.batches)

    def __getitem__(self, table: int) -> Columns:
        parts = self._parts_of_tables[table]
        if Compiled.loops is not None and self._are_short and self._blocks is not None:
            return self._by_loops(parts, self._blocks, Compiled.loops)
        return joined_columns([self._sums(part) for part in parts])

    def _by_loops(self, parts: list[int], blocks: range, loops: Loops) -> Columns:
        """The sums of these parts, without a copy of their rows."""
        sums = np.zeros((len(blocks), 4), dtype=np.int64)
        table = np.empty((5, len(parts) * len(blocks)), dtype=np.int64)
        papers = 0
        for part in parts:
            for batch in self.batches:
                loops.add_short_rows(batch.columns[ROW][batch.where(part)], SHARE_BITS, blocks.start, sums)
            papers = loops.put_papers(sums, blocks.start, part, self.division.bits, table, papers)
        return {PAPER: table[0, :papers], **columns_of_two_levels(*table[1:, :papers])}

    def _sums(self, part: int) -> Columns:
        rows = joined_columns(alike([batch.rows(part) for batch in self.batches]))
        found = self._of_short_rows(rows[ROW]) if ROW in rows else None
        blocks, sums = found or self._of_long_rows(long_rows(rows) if ROW in rows else rows)
        return {PAPER: self.division.ids(part, blocks), **sums}

    def _of_short_rows(self, row: IntArray) -> tuple[IntArray, Columns] | None:
        """Blocks and their sums, by place; None where that cannot be."""
        if self._blocks is None:
            return None
        cells, shares = cells_and_shares(row)
        cells -= 2 * self._blocks.start
        sums = sums_of_two_levels(cells, shares, len(self._blocks))
        return None if sums is None else _there(self._blocks, sums)

    def _of_long_rows(self, rows: Columns) -> tuple[IntArray, Columns]:
        blocks = rows[BLOCK]
        columns = {name: column for name, column in rows.items() if name != BLOCK}
        if self._blocks is None:
            found = equal_numbers(blocks)
            return blocks[found.examples], self.add(found.which, columns, len(found.examples))
        return _there(self._blocks, self.add(blocks - self._blocks.start, columns, len(self._blocks)))


def _there(blocks: range, sums: Columns) -> tuple[IntArray, Columns]:
    """Blocks that have reviews, and their sums."""
    there = chosen(sums, blocks.start + np.arange(len(blocks)), papers_there(sums))
    return there.pop(PAPER), there


Tables = SumsOfParts | list[Columns]
"""Of sums, every paper in one of them."""
