"""The places of more papers than can be compared in every way: the rule of surpeer.core.total_order in a few passes.

The better one of two orders is taken as it is, for all papers at once: by score with every kind of papers without a
score inserted where it breaks the fewest comparisons, and by mean throughout (in each mean those with a score first, by
score). Whichever breaks fewer comparisons is taken, counted exactly; the first if both are equal. Nothing is broken
where the comparisons have no strict cycle. By score, neighbours that tie share a place as in any other ranking; by mean
a place is shared by papers of one kind.

Everything is done on the kinds of papers with a score in the order of their scores, in blocks, so that they may be in
files; `Standings.blocks` goes through them once more and says where they stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surpeer.core.insertions import Column, best_insertions, blocks, broken_by_mean
from surpeer.core.shapes import BoolArray, IntArray

# So many entries of a column are looked up one by one, more of them in a pass over all.
FEW = 1000


class Ranked(NamedTuple):
    """Kinds of papers with a score, by score and then by mean, best first: columns of length D."""

    mean: Column
    """Class of the mean, 0 the best."""
    weight: Column
    """How many papers are of this kind."""
    new_score: Column
    """1 where the score is another one than that of the kind before, and 0 where it is the same."""


class Loose(NamedTuple):
    """Kinds of papers without a score, by mean, best first: (U,)."""

    mean: IntArray
    weight: IntArray


class Standing(NamedTuple):
    """Where kinds stand, (n,): their place from 0, whether they share it, whether a comparison goes against it."""

    place: IntArray
    tie: BoolArray
    cycle: BoolArray


@dataclass(frozen=True)
class Standings:
    """Where all kinds stand."""

    loose: Standing
    broken: int
    """Comparisons that are not kept."""
    order: "ByScore | ByMean"

    def blocks(self, ranked: Ranked) -> Iterator[tuple[slice, Standing]]:
        """Where the kinds with a score stand, block by block."""
        return self.order.blocks(ranked)


def standings(ranked: Ranked, loose: Loose, classes: int) -> Standings:
    """Choose the order. `classes` is the number of classes of the mean."""
    found = best_insertions(ranked.mean, ranked.weight, loose.mean)
    cost = int(found.broken @ loose.weight)
    by_mean_cost = cost if cost == 0 else broken_by_mean(ranked.mean, ranked.weight, classes, cost)
    if cost <= by_mean_cost:
        by_score = ByScore.of(ranked, loose, found.at)
        return Standings(by_score.standing(found.broken > 0), cost, by_score)
    by_mean = ByMean.of(ranked, loose, classes)
    return Standings(by_mean.standing(loose), by_mean_cost, by_mean)


@dataclass(frozen=True)
class ByScore:
    """The order by score, with kinds without a score inserted."""

    mean: IntArray
    weight: IntArray
    """(U,) of the kinds without a score."""
    at: IntArray
    """(U,) how many kinds with a score stand above each of them."""
    above: IntArray
    """(U,) how many papers stand above each of them."""
    before: IntArray
    """(U,) papers of the kind right before it that shares its place; 0 where there is none."""
    after: IntArray
    """(U,) papers of the kind right after it that shares its place; 0 where there is none."""

    @classmethod
    def of(cls, ranked: Ranked, loose: Loose, at: IntArray) -> "ByScore":
        first_here, last_here = np.diff(at, prepend=-1) > 0, np.diff(at, append=-1) != 0
        # A run by itself: its score is new or a loose kind stands before it, and so for what comes after it.
        begins_before = (_entries(ranked.new_score, at - 1) > 0) | np.isin(at - 1, at)
        ends_after = (_entries(ranked.new_score, at + 1) != 0) | np.isin(at + 1, at)
        joins_before = first_here & begins_before & (_entries(ranked.mean, at - 1) == loose.mean)
        joins_after = last_here & ends_after & (_entries(ranked.mean, at) == loose.mean)
        joins_after &= ~joins_before
        above = _sums_before(ranked.weight, at) + np.cumsum(loose.weight) - loose.weight
        before = np.where(joins_before, _entries(ranked.weight, at - 1), 0)
        after = np.where(joins_after, _entries(ranked.weight, at), 0)
        return cls(loose.mean, loose.weight, at, above, before, after)

    def standing(self, cycle: BoolArray) -> Standing:
        """Of the kinds without a score."""
        tie = (self.before > 0) | (self.after > 0) | (self.weight > 1)
        return Standing(self.above - self.before, tie, cycle)

    def blocks(self, ranked: Ranked) -> Iterator[tuple[slice, Standing]]:
        loose_above = np.concatenate([[0], np.cumsum(self.weight)])
        papers = place_of_run = 0
        for rows in blocks(0, len(ranked.mean)):
            mean, weight = ranked.mean[rows], ranked.weight[rows].astype(np.int64)
            slot = self._slots(rows)
            begins = (ranked.new_score[rows] > 0) | (np.diff(slot, prepend=np.searchsorted(self.at, rows.start)) > 0)
            above = papers + np.cumsum(weight) - weight + loose_above[slot]
            place = np.maximum.accumulate(np.where(begins, above, place_of_run))
            tie = (weight > 1) | ~begins | ~np.append(begins[1:], self._begins(ranked, rows.stop))
            place_of_run, papers = int(place[-1]), papers + int(weight.sum())
            joined = self._among(self.after > 0, self.at, rows)
            place[self.at[joined] - rows.start] -= self.weight[joined]
            tie[self.at[joined] - rows.start] = True
            tie[self.at[self._among(self.before > 0, self.at - 1, rows)] - 1 - rows.start] = True
            yield rows, Standing(place, tie, self._cycle(mean, slot))

    def _slots(self, rows: slice) -> IntArray:
        """How many kinds without a score stand above each kind with one."""
        start, stop = np.searchsorted(self.at, [rows.start, rows.stop])
        inserted = np.bincount(self.at[start:stop] - rows.start, minlength=rows.stop - rows.start)
        return np.asarray(start + np.cumsum(inserted))

    @staticmethod
    def _among(chosen: BoolArray, at: IntArray, rows: slice) -> IntArray:
        """The chosen kinds without a score whose neighbour is in these rows."""
        kinds = np.flatnonzero(chosen)
        start, stop = np.searchsorted(at[kinds], [rows.start, rows.stop])
        return kinds[start:stop]

    def _begins(self, ranked: Ranked, kind: int) -> bool:
        if kind >= len(ranked.mean):
            return True
        return bool(ranked.new_score[kind : kind + 1][0] > 0) or bool((self.at == kind).any())

    def _cycle(self, mean: NDArray[np.integer], slot: IntArray) -> BoolArray:
        """Whether a kind with a worse mean stands above, or one with a better mean below, that has no score."""
        lowest_above = np.append(-1, self.mean)
        highest_below = np.append(self.mean, np.iinfo(np.int64).max)
        return np.asarray((mean < lowest_above[slot]) | (mean > highest_below[slot]))


@dataclass(frozen=True)
class ByMean:
    """The order by mean: (M,) arrays for each class of the mean."""

    above: IntArray
    """Papers with a better mean."""
    scored: IntArray
    """Papers with this mean and a score."""
    best_worse: IntArray
    """The best score, as a class, among papers with a worse mean."""
    worst_better: IntArray
    """The worst score, as a class, among papers with a better mean."""

    @classmethod
    def of(cls, ranked: Ranked, loose: Loose, classes: int) -> "ByMean":
        scored = np.zeros(classes)
        never = np.iinfo(np.int64).max
        best, worst = np.full(classes, never), np.full(classes, -1)
        for rows, score in _score_classes(ranked):
            mean = ranked.mean[rows]
            scored += np.bincount(mean, ranked.weight[rows], minlength=classes)
            worst[mean] = score  # of equal indices the last one stays
            found = np.full(classes, never)
            found[mean[::-1]] = score[::-1]
            np.minimum(best, found, out=best)
        papers = scored.astype(np.int64)
        papers[loose.mean] += loose.weight
        best_worse = np.append(np.minimum.accumulate(best[::-1])[::-1][1:], never)
        worst_better = np.append(-1, np.maximum.accumulate(worst)[:-1])
        return cls(np.cumsum(papers) - papers, scored.astype(np.int64), best_worse, worst_better)

    def standing(self, loose: Loose) -> Standing:
        """Of the kinds without a score."""
        place = self.above[loose.mean] + self.scored[loose.mean]
        return Standing(place, loose.weight > 1, np.zeros(len(place), dtype=np.bool_))

    def blocks(self, ranked: Ranked) -> Iterator[tuple[slice, Standing]]:
        above = self.above.copy()
        for rows, score in _score_classes(ranked):
            mean, weight = ranked.mean[rows], ranked.weight[rows].astype(np.int64)
            order = np.argsort(mean, kind="stable")
            so_far = np.cumsum(weight[order])
            first = np.flatnonzero(np.diff(mean[order], prepend=-1))
            before_class = np.repeat((so_far - weight[order])[first], np.diff(np.append(first, len(order))))
            place = np.empty(len(order), dtype=np.int64)
            place[order] = above[mean[order]] + so_far - weight[order] - before_class
            above += np.bincount(mean, weight, minlength=len(above)).astype(np.int64)
            cycle = (score > self.best_worse[mean]) | (score < self.worst_better[mean])
            yield rows, Standing(place, weight > 1, np.asarray(cycle))


def _score_classes(ranked: Ranked) -> Iterator[tuple[slice, IntArray]]:
    """Blocks of kinds, and the class of their score, numbered from 1."""
    so_far = 0
    for rows in blocks(0, len(ranked.mean)):
        score = so_far + np.cumsum(ranked.new_score[rows], dtype=np.int64)
        so_far = int(score[-1])
        yield rows, score


def _entries(column: Column, positions: IntArray) -> IntArray:
    """The entry at each of the ascending positions, -1 where there is none."""
    entry = np.full(len(positions), -1)
    if len(positions) <= FEW:
        for index, at in enumerate(positions.tolist()):
            if 0 <= at < len(column):
                entry[index] = column[at : at + 1][0]
        return entry
    for rows in blocks(0, len(column)):
        start, stop = np.searchsorted(positions, [rows.start, rows.stop])
        entry[start:stop] = column[rows][positions[start:stop] - rows.start]
    return entry


def _sums_before(column: Column, positions: IntArray) -> IntArray:
    """The sum of all entries before each of the ascending positions."""
    sums = np.zeros(len(positions), dtype=np.int64)
    so_far = 0
    for rows in blocks(0, len(column)):
        start, stop = np.searchsorted(positions, [rows.start, rows.stop])
        running = np.concatenate([[so_far], so_far + np.cumsum(column[rows], dtype=np.int64)])
        sums[start:stop] = running[positions[start:stop] - rows.start]
        so_far = int(running[-1])
    sums[np.searchsorted(positions, len(column)) :] = so_far
    return sums
