"""Sums of predictions that do not depend on rounding or on the order of the rows.

People type 0.1 or 35 %. As binary floats such numbers are rounded, and then P11 = P01, which in percents happens
often, is decided by the order of summation. Here every prediction stands for the decimal number that its float
prints as, and is added in whole numbers, in up to three parts:

    coarse   1e-8          enough for everything typed by hand
    fine     1e-15         decimals of up to fifteen places
    tail     1e-15 / 2**40  what is left of a float that is no such decimal (1/3, a computed forecast)

Only the parts that some prediction needs exist. A prediction that needs the tail is known no better than its last
bit, and `exact` says so. The smallest positive prediction that can be told from zero is 1e-27.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surpeer.core.shapes import BoolArray, FloatArray, IntArray, at_every_level

COARSE = 10**8
FINE_PER_COARSE = 10**7
FINE = COARSE * FINE_PER_COARSE
TAIL_PER_FINE = 2**40

# Whole numbers up to here are exact in a float, so that numpy's fast float summation makes no error.
EXACT_FLOAT = 2**53

# The product of two smaller whole numbers is below 2**63.
SMALL_FACTOR = 3_037_000_499

Parts = tuple[IntArray, ...]
"""The coarse part, or coarse and fine, or all three, each an array of the same shape."""


def nearest_decimal(values: FloatArray, divisor: int) -> FloatArray:
    """values / divisor, as the float nearest to the exact quotient of the decimals that the values print as.

    33.3 / 100 in floats is not 0.333; this is.

    >>> nearest_decimal(np.array([33.3]), 100).item(), 33.3 / 100
    (0.333, 0.33299999999999996)
    """
    scale = FINE // divisor
    units = np.rint(values * scale)
    return np.where(units / scale == values, units / FINE, values / divisor)


def decimal_complement(fractions: FloatArray) -> FloatArray:
    """1 - fractions, as the float nearest to the exact difference.

    >>> decimal_complement(np.array([0.9])).item(), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    units = np.rint(fractions * FINE)
    return np.where(units / FINE == fractions, (FINE - units) / FINE, 1 - fractions)


def to_parts(fractions: FloatArray) -> tuple[Parts, BoolArray | None]:
    """Fractions of [0, 1] in whole numbers; and which of them are inexact, None when none is."""
    coarse = np.rint(fractions * COARSE)
    if np.array_equal(coarse / COARSE, fractions):
        return (coarse.astype(np.int64),), None
    fine = np.rint(fractions * FINE)
    in_fine = fine.astype(np.int64)
    parts = np.divmod(in_fine, FINE_PER_COARSE)
    inexact = fine / FINE != fractions
    if not inexact.any():
        return parts, None
    rest = np.where(inexact, fractions - fine / FINE, 0.0)
    tail = np.rint(rest * FINE * TAIL_PER_FINE).astype(np.int64)
    return (*parts, tail), inexact


@dataclass(frozen=True, slots=True)
class FixedPointSums:
    """Sums of fractions as whole numbers: parts of shape (N, ...), and whether all sums of a row are exact: (N,)."""

    parts: Parts
    exact: BoolArray

    def to_float(self) -> FloatArray:
        """The sums in units of 1 / COARSE: a function of the exact sum alone."""
        total = self.parts[0].astype(np.float64)
        if len(self.parts) > 1:
            fine = self.parts[1].astype(np.float64)
            if len(self.parts) > 2:
                fine += self.parts[2] / TAIL_PER_FINE
            total += fine / FINE_PER_COARSE
        return total

    def take(self, rows: IntArray) -> "FixedPointSums":
        """The sums at these positions of the first axis."""
        return FixedPointSums(tuple(part[rows] for part in self.parts), self.exact[rows])

    def to_integers(self) -> NDArray[np.object_]:
        """The exact sums as Python integers, in units of 1 / `denominator`."""
        total = self.parts[0].astype(object)
        if len(self.parts) > 1:
            total = total * FINE_PER_COARSE + self.parts[1].astype(object)
        if len(self.parts) > 2:
            total = total * TAIL_PER_FINE + self.parts[2].astype(object)
        return total

    def in_64_bits(self) -> BoolArray:
        """(N,) whether a product of two sums fits into 64 bits, so that `parts[0]` can be computed with as it is."""
        if len(self.parts) > 1:
            return np.zeros(len(self.exact), dtype=np.bool_)
        small = self.parts[0] < SMALL_FACTOR
        return at_every_level(small.reshape(len(small), math.prod(small.shape[1:])))

    @property
    def denominator(self) -> int:
        """What one stands for in `to_integers`."""
        return (COARSE, FINE, FINE * TAIL_PER_FINE)[len(self.parts) - 1]


def sum_by_cell(fractions: FloatArray, cells: IntArray, shape: tuple[int, ...]) -> FixedPointSums:
    """Add up rows of fractions that belong to the same cell.

    fractions : (n, K), cells : (n,) flat index into `shape`; returns sums of shape (*shape, K)

    >>> sums = sum_by_cell(np.array([[0.1], [0.2], [0.3]]), np.array([0, 0, 0]), (1,))
    >>> sums.parts[0].tolist(), 0.1 + 0.2 + 0.3
    ([[60000000]], 0.6000000000000001)
    """
    size, columns = int(np.prod(shape)), fractions.shape[1]
    parts, inexact = to_parts(fractions)
    summed = tuple(
        np.stack([_sum_whole(part[:, column], cells, size) for column in range(columns)]).T  # (size, K)
        for part in parts
    )
    exact = np.ones(shape[0], dtype=np.bool_)
    if inexact is not None:
        exact[cells[inexact.any(axis=1)] // (size // shape[0])] = False
    return FixedPointSums(tuple(part.reshape(*shape, columns) for part in summed), exact)


def _sum_whole(numbers: IntArray, cells: IntArray, size: int) -> IntArray:
    """Exact sums by cell. The fast way adds in floats, where no partial sum can leave their exact range."""
    largest = int(np.abs(numbers).max(initial=0))
    if largest * len(numbers) < EXACT_FLOAT:
        return np.bincount(cells, weights=numbers, minlength=size).astype(np.int64)
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, cells, numbers)
    return sums
