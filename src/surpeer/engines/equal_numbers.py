"""Which of many whole numbers are equal: found in a table of hashes, without sorting them."""

from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import IntArray
from surpeer.engines.compiled import Compiled

# An odd number whose products have bits in no order (2**64 / golden ratio).
MIXING = 0x9E3779B97F4A7C15


class Equal(NamedTuple):
    """n numbers, of which k are different."""

    examples: IntArray
    """(k,) the position of one of each."""
    which: IntArray
    """(n,) where among the examples each number has its own."""


def equal_numbers(numbers: IntArray) -> Equal:
    """Equal ones among these numbers, (n,).

    >>> numbers = np.array([7, 3, 7, 7])
    >>> found = equal_numbers(numbers)
    >>> numbers[found.examples][found.which].tolist(), len(found.examples)
    ([7, 3, 7, 7], 2)
    """
    if Compiled.loops is not None:
        return Equal(*Compiled.loops.equal_numbers(numbers))
    mixed = _mixed(numbers)  # the same numbers are equal, and their first bits are in no order
    like = _last_at_place(mixed)
    examples = np.flatnonzero(like == np.arange(len(like)))
    which = np.empty(len(numbers), dtype=np.int64)
    which[examples] = np.arange(len(examples))
    which = which[like]
    others = np.flatnonzero(mixed[like] != mixed)  # whose place went to another number: they try again
    if not len(others):
        return Equal(examples, which)
    more = equal_numbers(mixed[others])
    which[others] = more.which + len(examples)
    return Equal(np.concatenate([examples, others[more.examples]]), which)


def first_bits(numbers: IntArray, bits: int) -> IntArray:
    """(n,) so many bits of a hash."""
    product = numbers.view(np.uint64) * np.uint64(MIXING)
    product >>= np.uint64(64 - bits)
    return product.view(np.int64)


def _mixed(numbers: IntArray) -> IntArray:
    """One to one among the numbers of 64 bits."""
    product = numbers.view(np.uint64) * np.uint64(MIXING)
    product ^= product >> np.uint64(32)
    return product.view(np.int64)


def _last_at_place(mixed: IntArray) -> IntArray:
    """(n,) the position of the last number that has the same place in a table."""
    bits = max(1, len(mixed).bit_length())
    place = first_bits(mixed, bits)
    last = np.empty(1 << bits, dtype=np.int64)
    last[place] = np.arange(len(mixed))
    return last[place]
