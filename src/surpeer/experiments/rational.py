"""Numbers as people mean them: 0.3 is three tenths, not the binary float nearest to it.

Whether two papers have equal scores is decided in fractions, so the fractions must be the intended ones.
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surpeer.errors import ArrayError

Number = int | float | Fraction | Decimal | str
Numbers = Any
"""What numpy takes as an array, fractions and texts included (for which it has no type)."""

# A float so near to a fraction with so small a denominator was meant to be it: 0.35000000000000003 is 7/20,
# 0.3333333333333333 is 1/3 and 1 - 0.96 is 1/25. What a short computation loses is eight units in the last place of the
# result, or, after a subtraction from one, a unit in the last place of one.
LARGEST_DENOMINATOR = 100_000
NEAR, NEAR_TO_ONE = Fraction(1, 2**50), Fraction(1, 2**52)
SMALLEST_DIFFERENCE = Fraction(1, 1000)


@lru_cache(maxsize=100_000, typed=True)
def as_fraction(number: Number) -> Fraction:
    """The fraction that a number was meant to be; otherwise the decimal that it prints as. Fractions stay as they are.

    >>> as_fraction(0.1 + 0.2), as_fraction(1 / 3), as_fraction("2/7"), as_fraction(0.123456789)
    (Fraction(3, 10), Fraction(1, 3), Fraction(2, 7), Fraction(123456789, 1000000000))
    """
    if not isinstance(number, float):
        return Fraction(number)
    printed = Fraction(repr(float(number)))
    simple = printed.limit_denominator(LARGEST_DENOMINATOR)
    tolerance = NEAR * abs(printed)
    if abs(printed) >= SMALLEST_DIFFERENCE:
        tolerance = max(tolerance, NEAR_TO_ONE)
    return simple if abs(simple - printed) <= tolerance and simple != 0 else printed


def as_fractions(numbers: Numbers, name: str) -> NDArray[np.object_]:
    """An array of numbers as an array of fractions of the same shape."""
    given = numbers if isinstance(numbers, np.ndarray | np.generic) else np.asarray(numbers, dtype=object)
    meant = np.empty(given.shape, dtype=object)
    for at, number in np.ndenumerate(given):
        try:
            meant[at] = as_fraction(_plain(number))
        except (ValueError, TypeError, OverflowError, ZeroDivisionError):
            raise ArrayError(f"{name} has an entry {number!r}, expected a finite number") from None
    return meant


def _plain(number: Any) -> Number:
    """A number of Python's. Floats shorter or longer than its own are taken as they print."""
    if isinstance(number, np.floating) and not isinstance(number, float):
        return str(number)
    plain: Number = number.item() if isinstance(number, np.generic) else number
    return plain


def as_floats(fractions: NDArray[np.object_]) -> NDArray[np.float64]:
    """The nearest floats."""
    return np.asarray(fractions, dtype=np.float64)
