"""Sums by paper of reviews that are divided into parts (surpeer.engines.divided) and kept in memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surpeer.columns import PAPER
from surpeer.engines.adding import Columns, columns_of_two_levels, joined_columns
from surpeer.engines.compiled import Compiled, Loops
from surpeer.engines.divided import ROW, SHARE_BITS, Divided, Division, alike
from surpeer.engines.part_sums import Adding, PartSums, places_of_blocks
from surpeer.io.in_threads import in_threads

# Places for ids that nobody has, for each review. With more gaps than this a hash is faster than the empty places.
GAPS = 4

# Batches that wait to be divided: none is read again, and all of them are kept anyway.
AHEAD = 2


@dataclass(frozen=True)
class SumsOfParts:
    """Tables of sums, every paper in one of them. A table is added up each time that somebody asks for it, which takes
    hardly longer than to keep it: filling new memory takes time."""

    division: Division
    batches: list[Divided]
    add: Adding
    products: bool
    """Whether products of shares are added up."""
    at_once: int
    """Reviews whose sums are one table, or a few more."""

    @classmethod
    def of(
        cls,
        rows: Iterable[Columns],
        reviews: int,
        at_once: int,
        add: Adding,
        short: bool = False,
        products: bool = False,
    ) -> "SumsOfParts":
        """Divide rows as they come, about so many. short : whether they are an id, one of two levels, and one share"""
        division = Division.of(reviews)
        divided = in_threads(lambda some: division.divided(some, short), rows, ahead=AHEAD)
        return cls(division, list(divided), add, products, at_once)

    @cached_property
    def _parts_of_tables(self) -> list[list[int]]:
        """Those that have reviews, about as many for each table."""
        ends = np.array([batch.ends for batch in self.batches]).sum(axis=0)
        reviews = np.diff(ends, prepend=0)
        parts = np.flatnonzero(reviews)
        of_table = -(-int(ends[-1]) // -(-int(ends[-1]) // self.at_once))
        table = (ends - reviews)[parts] // of_table
        return [parts[table == number].tolist() for number in np.unique(table)]

    def __len__(self) -> int:
        return len(self._parts_of_tables)

    @cached_property
    def _sums(self) -> PartSums:
        reviews = sum(batch.ends[-1] for batch in self.batches)
        blocks = places_of_blocks((batch.blocks for batch in self.batches), GAPS * reviews // self.division.parts)
        return PartSums(self.division, blocks, self.add, self.products)

    @cached_property
    def _are_short(self) -> bool:
        return all(ROW in batch.columns for batch in self.batches)

    def __getitem__(self, table: int) -> Columns:
        parts = self._parts_of_tables[table]
        blocks = self._sums.blocks
        if Compiled.loops is not None and self._are_short and not self.products and blocks is not None:
            return self._by_loops(parts, blocks, Compiled.loops)
        return joined_columns([self._sums.of(part, self._rows(part)) for part in parts])

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

    def _rows(self, part: int) -> Columns:
        return joined_columns(alike([batch.rows(part) for batch in self.batches]))


Tables = SumsOfParts | list[Columns]
"""Of sums, every paper in one of them."""
