"""Where papers without a score stand in an order by score: each where the fewest comparisons are broken.

All arrays are of kinds: papers that agree in score and mean. The kinds with a score come as a sequence, by score and
then by mean, which may be longer than memory: it is looked at in blocks of BLOCK kinds, through slices of two columns.
Lower classes are better.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from surpeer.core.shapes import IntArray

BLOCK = 1 << 18


class Column(Protocol):
    """Whole numbers in an array or in a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: slice, /) -> NDArray[np.integer]: ...


class Insertions(NamedTuple):
    """Where the kinds without a score stand among those with one: (U,) arrays."""

    at: IntArray
    """How many kinds with a score stand above it."""
    broken: IntArray
    """How many papers with a score stand on the wrong side of it."""


def blocks(low: int, high: int) -> Iterator[slice]:
    """Slices from low to high that are not too long."""
    return (slice(start, min(start + BLOCK, high)) for start in range(low, high, BLOCK))


def best_insertions(mean: Column, weight: Column, loose: IntArray) -> Insertions:
    """The best place of each loose kind among the ranked ones; of equally good places the middle one.

    mean, weight : (D,) class of the mean, and number of papers, of the kinds with a score, from the best score on
    loose : (U,) classes of the mean of the kinds without a score, ascending
    """
    at, broken = np.zeros(len(loose), dtype=np.int64), np.zeros(len(loose), dtype=np.int64)
    for (first, stop), middle, (low, high), place in _divided(mean, weight, loose):
        at[middle] = place
        broken[middle:stop] += _worse_than(mean, weight, loose[middle:stop], low, place)
        broken[first : middle + 1] += _better_than(mean, weight, loose[first : middle + 1], place, high)
    return Insertions(at, broken)


def best_places(mean: Column, weight: Column, loose: IntArray) -> IntArray:
    """`best_insertions(mean, weight, loose).at`."""
    at = np.zeros(len(loose), dtype=np.int64)
    for _, middle, _, place in _divided(mean, weight, loose):
        at[middle] = place
    return at


def _divided(
    mean: Column, weight: Column, loose: IntArray
) -> Iterator[tuple[tuple[int, int], int, tuple[int, int], int]]:
    """A lower mean never has an earlier best place, so the places are found by divide and conquer: O(D log U).

    Loose kinds from the first of them to the last, the one in their middle, the places that are open to them, and the
    best of these for the one in the middle: it divides the others.
    """
    todo = [(0, len(loose), 0, len(mean))]
    while todo:
        first, stop, low, high = todo.pop()
        if first < stop:
            middle = (first + stop) // 2
            place = _best_place(mean, weight, int(loose[middle]), low, high)
            yield (first, stop), middle, (low, high), place
            todo.append((first, middle, low, place))
            todo.append((middle + 1, stop, place, high))


def _best_place(mean: Column, weight: Column, own: int, low: int, high: int) -> int:
    """The middle of the places from low to high where a kind of this mean breaks the fewest comparisons."""
    cost = best = 0
    first_best = last_best = low
    for rows in blocks(low, high):
        costs = cost + np.cumsum(np.sign(mean[rows] - own) * weight[rows].astype(np.int64))  # of standing below each
        cost, least = int(costs[-1]), int(costs.min())
        if least < best:
            best, first_best = least, rows.start + 1 + int(np.argmin(costs))
        if least <= best:
            last_best = rows.stop - int(np.argmin(costs[::-1]))
    return (first_best + last_best + 1) // 2


def _worse_than(mean: Column, weight: Column, loose: IntArray, low: int, high: int) -> IntArray:
    """(V,) papers from low to high whose mean is worse than that of each loose kind."""
    if low == high:
        return np.zeros(len(loose), dtype=np.int64)
    counts = np.zeros(len(loose) + 1)
    for classes, papers in _papers_by_mean(mean, weight, low, high):
        counts += np.bincount(np.searchsorted(loose, classes, side="left"), papers, minlength=len(counts))
    return np.asarray((counts.sum() - np.cumsum(counts))[:-1].astype(np.int64))


def _better_than(mean: Column, weight: Column, loose: IntArray, low: int, high: int) -> IntArray:
    """(V,) papers from low to high whose mean is better than that of each loose kind."""
    if low == high:
        return np.zeros(len(loose), dtype=np.int64)
    counts = np.zeros(len(loose) + 1)
    for classes, papers in _papers_by_mean(mean, weight, low, high):
        counts += np.bincount(np.searchsorted(loose, classes, side="right"), papers, minlength=len(counts))
    return np.asarray(np.cumsum(counts)[:-1].astype(np.int64))


def _papers_by_mean(
    mean: Column, weight: Column, low: int, high: int
) -> Iterator[tuple[NDArray[np.integer], NDArray[np.generic]]]:
    """Classes of the mean and how many papers have them, each class once where there are fewer classes than kinds."""
    for rows in blocks(low, high):
        classes, papers = mean[rows], weight[rows]
        if classes.max() < len(classes):
            papers_with = np.bincount(classes, papers)
            yield np.arange(len(papers_with)), papers_with
        else:
            yield classes, papers


def broken_by_mean(mean: Column, weight: Column, classes: int, enough: int) -> int:
    """Comparisons among ranked kinds that an order by mean breaks, or some number above `enough` if there are more.

    mean, weight : (D,) as above; classes : how many classes of the mean there are
    """
    before = np.zeros(classes)  # papers with each mean in the blocks before
    broken = 0
    for rows in blocks(0, len(mean)):
        means, papers = mean[rows], weight[rows].astype(np.int64)
        worse_before = before.sum() - np.cumsum(before)
        broken += int(worse_before[means] @ papers) + _inversions(means, papers)
        if broken > enough:
            break
        before += np.bincount(means, papers, minlength=classes)
    return broken


def _inversions(classes: NDArray[np.integer], weight: IntArray) -> int:
    """Pairs of papers of which the first has the larger class.

    Bit by bit from the top: of two classes that first differ in this bit, the larger is the one that has it.
    """
    kept = classes.astype(np.uint16) if classes.max(initial=0) < 1 << 16 else classes  # few bits are sorted faster
    total = 0
    for bit in range(int(classes.max(initial=0)).bit_length()):
        order = np.argsort(kept >> (bit + 1), kind="stable")
        grouped, papers = kept[order], weight[order]
        has_bit = (grouped >> bit) & 1
        larger = np.cumsum(papers * has_bit)
        group_starts = np.flatnonzero(np.diff(grouped >> (bit + 1), prepend=-1))
        before_group = np.repeat((larger - papers * has_bit)[group_starts], np.diff(np.append(group_starts, len(kept))))
        total += int(((larger - before_group) * papers)[has_bit == 0].sum())
    return total
