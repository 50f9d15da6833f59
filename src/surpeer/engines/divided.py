"""Reviews, or sums of some of them, divided by ids into parts that stay near the processor.

Ids that differ in their last bits only are a block, of as many ids as there are parts, and each of them goes to another
part: which one, a hash of the block says. So parts are of nearly one size whatever ids there are, they can be filled
before all ids are known, and in a part the block stands for the paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines.adding import Columns
from surpeer.engines.compiled import Compiled
from surpeer.engines.equal_numbers import first_bits
from surpeer.engines.rows import MILLION

# Parts in memory are this large where there are enough reviews, and at most 256: a review's part is a single byte.
REVIEWS_OF_PART = 1 << 16
MOST_BITS = 8

BLOCK = "block"

ROW = "row"
"""A column instead of all others, of rows that fit into one number each: the block, one bit for the level, the share in
millionths. So less is moved."""

SHARE_BITS = MILLION.bit_length()
MOST_BLOCKS = 1 << (62 - SHARE_BITS)


@dataclass(frozen=True)
class Division:
    """Which part the reviews of a paper go to."""

    bits: int
    """The last ones of an id, which its block does not have; there are 2**bits parts."""

    @classmethod
    def of(cls, reviews: int) -> "Division":
        """For about so many reviews."""
        return cls(min(MOST_BITS, (reviews // REVIEWS_OF_PART).bit_length()))

    @property
    def parts(self) -> int:
        return 1 << self.bits

    def divided(self, rows: Columns, short: bool) -> "Divided":
        """Some rows by their parts. short : whether they are an id, one of two levels, and one share"""
        ids = rows[PAPER]
        blocks = range(int(ids.min()) >> self.bits, (int(ids.max()) >> self.bits) + 1) if len(ids) else range(0)
        short = short and blocks.start >= -MOST_BLOCKS and blocks.stop <= MOST_BLOCKS
        if short and self.bits and Compiled.loops is not None:
            row, ends = Compiled.loops.short_rows_by_part(ids, rows[RATING], rows["m1"], self.bits, SHARE_BITS)
            return Divided({ROW: row}, ends.tolist(), blocks)
        block = ids >> self.bits
        part = self._turned(block, ids).astype(np.uint8 if self.bits <= MOST_BITS else np.uint16)
        if short:
            columns = {ROW: _short_rows(block, rows)}
        else:
            columns = {BLOCK: block, **{name: column for name, column in rows.items() if name != PAPER}}
        order = np.argsort(part, kind="stable")  # of one or two bytes without comparing any
        ends = np.cumsum(np.bincount(part, minlength=self.parts))
        return Divided({name: column.take(order) for name, column in columns.items()}, ends.tolist(), blocks)

    def ids(self, part: int, blocks: IntArray) -> IntArray:
        """The ids of these blocks that go to this part."""
        return (blocks << self.bits) | self._turned(blocks, part)

    def _turned(self, blocks: IntArray, last: IntArray | int) -> IntArray:
        """Last bits of ids -> parts, and parts -> last bits."""
        if not self.bits:
            return np.zeros(len(blocks), dtype=np.int64)
        turned = first_bits(blocks, self.bits)
        turned ^= last
        turned &= self.parts - 1
        return turned


@dataclass(frozen=True)
class Divided:
    """Rows in the order of their parts."""

    columns: Columns
    ends: list[int]
    """Of parts; those of part 0 are from 0 to the first of them."""
    blocks: range
    """From the smallest to the largest."""

    def rows(self, part: int) -> Columns:
        """Those of one part."""
        here = self.where(part)
        return {name: column[here] for name, column in self.columns.items()}

    def where(self, part: int) -> slice:
        """The place of those of one part."""
        return slice(self.ends[part - 1] if part else 0, self.ends[part])


def _short_rows(blocks: IntArray, rows: Columns) -> IntArray:
    row = blocks << 1
    row |= rows[RATING]
    row <<= SHARE_BITS
    row |= rows["m1"]
    return row


def cells_and_shares(row: IntArray) -> tuple[IntArray, IntArray]:
    """Of short rows: twice the block, and one more for the higher level; and the share."""
    return row >> SHARE_BITS, row & ((1 << SHARE_BITS) - 1)


def alike(rows: Sequence[Columns]) -> Sequence[Columns]:
    """Rows of one part, all of them short or none."""
    if len({ROW in some for some in rows}) == 1:
        return rows
    return [long_rows(some) if ROW in some else some for some in rows]


def long_rows(rows: Columns) -> Columns:
    """Short rows as columns."""
    cells, shares = cells_and_shares(rows[ROW])
    return {BLOCK: cells >> 1, RATING: cells & 1, "m1": shares}
