"""Papers of one kind: those with the same sums, which have the same scores, so that one of them is scored for all.

A paper with four reviews on two levels, whose predictions are whole per cents, is one of some ten thousand kinds; of
millions of papers nearly all are then copies of another. With more levels, more reviews or more digits hardly any
are, and it is not tried: only where all sums of a paper fit into one number of 64 bits.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import IntArray
from surpeer.engines.equal_numbers import equal_numbers

MOST_BITS = 63

# Papers that are looked at first, and the part of them that may differ: the more papers, the more are like another.
FEW = 1 << 14
RARELY = 0.9


class Kinds(NamedTuple):
    """Which papers stand for all of them."""

    examples: IntArray
    """(k,) positions of papers, one of each kind."""
    kind: IntArray
    """(n,) where among the examples each paper has its own."""


def kinds_of(sums: Sequence[IntArray]) -> Kinds | None:
    """The kinds of n papers by their sums, (n,) each and none below 0; None where few papers would be spared."""
    key = _packed(sums)
    if key is None or _are_rarely_equal(key):
        return None
    found = equal_numbers(key)
    return None if 2 * len(found.examples) > len(key) else Kinds(found.examples, found.which)


def _are_rarely_equal(key: IntArray) -> bool:
    """Whether few papers already say that it is not worth looking at all."""
    some = key[:FEW]
    return len(key) > len(some) and len(equal_numbers(some).examples) > RARELY * len(some)


def _packed(sums: Sequence[IntArray]) -> IntArray | None:
    """(n,) all sums of each paper as one number; None where they do not fit."""
    widths = [int(column.max(initial=0)).bit_length() for column in sums]
    if sum(widths) > MOST_BITS:
        return None
    key = np.zeros(len(sums[0]), dtype=np.int64)
    for column, width in zip(sums, widths, strict=True):
        key <<= width
        key |= column
    return key
