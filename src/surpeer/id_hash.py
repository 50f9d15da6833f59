"""A number for every paper id, the same for ever and on every machine: it decides which papers are learned from.

Not the hash of a library, which may change with its version or with the process.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.core.shapes import BoolArray

Hashes = NDArray[np.uint64]

BYTES_AT_ONCE = 1 << 18
"""Of text, each of which takes several numbers on the way."""

# Odd, so that it has an inverse among the numbers of 64 bits: what comes before an id can be divided out.
BASE = 0x9E3779B97F4A7C15
INVERSE = pow(BASE, -1, 1 << 64)


def id_hash(ids: pl.Series) -> Hashes:
    """(n,) a hash of each id, a whole number or text. Equal ids have equal hashes, and so have 1 and "1": some files
    have as text what others have as numbers, and the same papers are to be learned from.

    >>> [f"{number:016x}" for number in id_hash(pl.Series([1, 2])).tolist()]
    ['910a2dec89025cc1', '975835de1c9756ce']
    >>> [f"{number:016x}" for number in id_hash(pl.Series(["P1", "P2", "2"])).tolist()]
    ['dfd7e11dbd69ce8b', 'fe5554890be4e5c7', '975835de1c9756ce']
    """
    if ids.dtype.is_integer():
        return _of_numbers(ids)
    texts = ids.cast(pl.String)
    step = max(1, BYTES_AT_ONCE * len(texts) // max(1, int(texts.str.len_bytes().sum())))
    blocks = [_of_block(texts.slice(start, step)) for start in range(0, len(texts), step)]
    return np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.uint64)


def _of_numbers(ids: pl.Series) -> Hashes:
    return _mixed(ids.cast(pl.Int64).to_numpy().view(np.uint64))


def _of_block(texts: pl.Series) -> Hashes:
    """Those that are whole numbers as one writes them, which 007 and +7 are not, as numbers."""
    numbers = texts.cast(pl.Int64, strict=False)
    are_numbers = (numbers.cast(pl.String) == texts).fill_null(value=False)
    if not are_numbers.any():
        return _of_texts(texts)
    if are_numbers.all():
        return _of_numbers(numbers)
    hashes = np.empty(len(texts), dtype=np.uint64)
    there = are_numbers.to_numpy()
    hashes[there] = _of_numbers(numbers.filter(are_numbers))
    hashes[~there] = _of_texts(texts.filter(~are_numbers))
    return hashes


def _of_texts(texts: pl.Series) -> Hashes:
    """The polynomial of an id's bytes: a difference of running sums over the bytes of all ids, one after the other."""
    data = np.frombuffer(texts.str.join("").item().encode(), dtype=np.uint8).astype(np.uint64)
    ends = texts.str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
    starts = np.concatenate([[0], ends[:-1]])
    terms = (data + np.uint64(1)) * _powers(BASE, len(data))
    running = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(terms)])
    shifted = (running[ends] - running[starts]) * _powers(INVERSE, len(data) + 1)[starts]
    return _mixed(shifted)


def _powers(base: int, count: int) -> Hashes:
    """1, base, base^2, ... among the numbers of 64 bits."""
    factors = np.full(count, base, dtype=np.uint64)
    factors[:1] = 1
    return np.multiply.accumulate(factors)


def _mixed(numbers: Hashes) -> Hashes:
    """Every bit of the result depends on every bit of the number (the finaliser of splitmix64)."""
    mixed = numbers + np.uint64(BASE)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def smallest(hashes: Hashes, count: int) -> BoolArray:
    """(n,) which of these are the `count` smallest: a sample that is the same in whatever order and parts ids come.

    >>> smallest(np.array([7, 3, 9], dtype=np.uint64), 2).tolist()
    [True, True, False]
    """
    if len(hashes) <= count:
        return np.ones(len(hashes), dtype=np.bool_)
    return np.asarray(hashes <= np.partition(hashes, count - 1)[count - 1])
