"""Reviews of one part (surpeer.engines.divided) -> sums of its papers.

by place    where ids have no large gaps: a paper's block says where its sums are
by hash     any others: equal blocks are found in a table
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns, chosen, papers_there, sums_of_two_levels
from surpeer.engines.divided import BLOCK, ROW, Division, cells_and_shares, long_rows
from surpeer.engines.equal_numbers import equal_numbers

Adding = Callable[[IntArray, Columns, int], dict[str, IntArray]]
"""Numbers of papers, columns, and how many papers there are -> their sums."""


@dataclass(frozen=True)
class PartSums:
    """How the parts of one division are added up."""

    division: Division
    blocks: range | None
    """All of them and those between, which then are places; None where too many are between."""
    add: Adding
    products: bool
    """Whether short rows have products that are added up, too."""

    def of(self, part: int, rows: Columns) -> Columns:
        """The sums of these rows of a part."""
        found = self._of_short_rows(rows[ROW]) if ROW in rows else None
        blocks, sums = found or self._of_long_rows(long_rows(rows) if ROW in rows else rows)
        return {PAPER: self.division.ids(part, blocks), **sums}

    def _of_short_rows(self, row: IntArray) -> tuple[IntArray, Columns] | None:
        """Blocks and their sums, by place; None where that cannot be."""
        if self.blocks is None:
            return None
        cells, shares = cells_and_shares(row)
        cells -= 2 * self.blocks.start
        sums = sums_of_two_levels(cells, shares, len(self.blocks), self.products)
        return None if sums is None else _there(self.blocks, sums)

    def _of_long_rows(self, rows: Columns) -> tuple[IntArray, Columns]:
        blocks = rows[BLOCK]
        columns = {name: column for name, column in rows.items() if name != BLOCK}
        if self.blocks is None:
            found = equal_numbers(blocks)
            return blocks[found.examples], self.add(found.which, columns, len(found.examples))
        return _there(self.blocks, self.add(blocks - self.blocks.start, columns, len(self.blocks)))


def places_of_blocks(spans: Iterable[range], most: int) -> range | None:
    """From the smallest block of all to the largest; None where these are more than so many."""
    filled = [span for span in spans if span]
    first, end = min(span.start for span in filled), max(span.stop for span in filled)
    return range(first, end) if end - first <= most else None


def _there(blocks: range, sums: Columns) -> tuple[IntArray, Columns]:
    """Blocks that have reviews, and their sums."""
    there = chosen(sums, blocks.start + np.arange(len(blocks)), papers_there(sums))
    return there.pop(PAPER), there
