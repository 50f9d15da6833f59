"""The loops themselves: imported only where numba is there (surpeer.engines.compiled).

Each does what a function of numpy calls does, with the same whole numbers, in one go through the data, and other
threads go on meanwhile.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from surpeer.core.shapes import IntArray
from surpeer.engines.equal_numbers import MIXING

Loop = TypeVar("Loop", bound=Callable[..., Any])

# Columns of polars may only be read.
NUMBERS = numba.types.Array(numba.int64, 1, "C", readonly=True)
SHARES = numba.types.Array(numba.int32, 1, "C", readonly=True)
LEVELS = numba.types.Array(numba.int8, 1, "C", readonly=True)
SUMS = TABLE = numba.int64[:, ::1]

# Of a table of hashes that is small enough to stay near the processor; it grows with what is in it.
FIRST_BITS = 12


def _compiled(*of: Any) -> Callable[[Loop], Loop]:
    """A loop over arguments of these types, kept compiled where there is a place for it."""

    def compiled(loop: Loop) -> Loop:
        try:
            return cast(Loop, numba.njit(of, nogil=True, cache=True)(loop))
        except RuntimeError:  # no folder can be written to
            return cast(Loop, numba.njit(of, nogil=True)(loop))

    return compiled


@_compiled(NUMBERS, LEVELS, SHARES, numba.int64, numba.int64)
def short_rows_by_part(
    ids: IntArray, levels: IntArray, shares: IntArray, bits: int, share_bits: int
) -> tuple[IntArray, IntArray]:
    """Short rows (surpeer.engines.divided) in the order of their parts, and the ends of parts.

    bits : of ids that say which part, at least one
    """
    parts = 1 << bits
    part = np.empty(len(ids), np.uint16)
    ends = np.zeros(parts + 1, np.int64)
    for i in range(len(ids)):
        mixed = np.uint64(ids[i] >> bits) * np.uint64(MIXING)
        here = (np.int64(mixed >> np.uint64(64 - bits)) ^ ids[i]) & (parts - 1)
        part[i] = here
        ends[here + 1] += 1
    for here in range(parts):
        ends[here + 1] += ends[here]
    free = ends[:-1].copy()
    rows = np.empty(len(ids), np.int64)
    for i in range(len(ids)):
        cell = (ids[i] >> bits << 1) | np.int64(levels[i])
        rows[free[part[i]]] = (cell << share_bits) | np.int64(shares[i])
        free[part[i]] += 1
    return rows, ends[1:]


@_compiled(NUMBERS, numba.int64, numba.int64, SUMS)
def add_short_rows(rows: IntArray, share_bits: int, first: int, sums: IntArray) -> None:
    """Add short rows to the sums of their blocks.

    first : the block that sums begin with
    sums : (blocks, 4) reviews of the lower level and their shares, and those of the higher one
    """
    for row in rows:
        cell = row >> share_bits
        here = 2 * (cell & 1)
        sums[(cell >> 1) - first, here] += 1
        sums[(cell >> 1) - first, here + 1] += row & ((1 << share_bits) - 1)


@_compiled(SUMS, numba.int64, numba.int64, numba.int64, TABLE, numba.int64)
def put_papers(sums: IntArray, first: int, part: int, bits: int, table: IntArray, rows: int) -> int:
    """Move ids and sums of blocks that have reviews to a table that has so many rows already; all sums are 0 then.

    table : (5, n)
    Returns how many rows it has now.
    """
    for place in range(len(sums)):
        if sums[place, 0] or sums[place, 2]:
            block = first + place
            mixed = np.uint64(block) * np.uint64(MIXING) >> np.uint64(64 - bits)
            table[0, rows] = (block << bits) | ((np.int64(mixed) ^ part) & ((1 << bits) - 1))
            for column in range(4):
                table[column + 1, rows] = sums[place, column]
                sums[place, column] = 0
            rows += 1
    return rows


@_compiled(numba.int64, numba.int64)
def _place(number: int, bits: int) -> int:
    """Where to look for it first, in a table of 2**bits places."""
    mixed = np.uint64(number)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(MIXING)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(MIXING)
    return np.int64(mixed >> np.uint64(64 - bits))  # type: ignore[return-value]


@_compiled(NUMBERS)
def equal_numbers(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of one of each, and where among them each number has its own (surpeer.engines.equal_numbers)."""
    bits = FIRST_BITS
    table = np.full(1 << bits, -1, np.int64)  # of the places of examples
    examples = np.empty(len(numbers), np.int64)
    which = np.empty(len(numbers), np.int64)
    found = 0
    for i in range(len(numbers)):
        place = _place(numbers[i], bits)
        while table[place] >= 0 and numbers[examples[table[place]]] != numbers[i]:
            place = (place + 1) & ((1 << bits) - 1)
        if table[place] < 0:
            table[place] = found
            examples[found] = i
            found += 1
        which[i] = table[place]
        if 2 * found > len(table):
            bits += 2
            table = np.full(1 << bits, -1, np.int64)
            for example in range(found):
                place = _place(numbers[examples[example]], bits)
                while table[place] >= 0:
                    place = (place + 1) & ((1 << bits) - 1)
                table[place] = example
    return examples[:found].copy(), which
