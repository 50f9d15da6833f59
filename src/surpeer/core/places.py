"""From scores and means to places: in one go for the papers at hand, or as a value that batches of papers look into.

Up to MANY papers the rule is that of surpeer.core.total_order, above that of surpeer.core.many_places. Which one holds
depends on the number of papers alone, so a ranking is the same however it was computed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surpeer.core.many_places import Loose, Ranked, Standings, standings
from surpeer.core.order import Contest, class_floors, class_of, class_starts, few_values
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.total_order import total_order

MANY = 200_000

# Scores with no more different values than this are sorted by their classes, which is faster than by the numbers.
FEW_SCORES = 1 << 16

ArgSort = Callable[[FloatArray], IntArray]


class PaperPlaces(NamedTuple):
    """Where papers stand: (N,) arrays."""

    place: IntArray
    """From 0, ties share the lowest: 0, 1, 1, 3."""
    tie: BoolArray
    """Whether another paper has the same place."""
    cycle: BoolArray
    """Whether the place goes against at least one comparison."""
    broken: int
    """Comparisons that are not kept, in all."""


def paper_places(
    score: FloatArray,
    defined: BoolArray,
    mean: FloatArray,
    papers: IntArray | None = None,
    argsort: ArgSort = np.argsort,
) -> PaperPlaces:
    """The places of N papers.

    score, defined, mean : (N,)
    papers : (N,) how many papers each entry stands for; one if it is left out
    argsort : what sorts numbers ascending, ties in any order
    """
    if (len(score) if papers is None else int(papers.sum())) > MANY:
        return _many(score, defined, mean, papers, argsort)
    result = total_order(Contest.of(score, defined, mean), papers)
    sharing = np.bincount(result.place, papers, minlength=len(score))
    doubled = result.broken.sum() if papers is None else result.broken @ papers
    return PaperPlaces(result.place, sharing[result.place] > 1, result.broken > 0, int(doubled) // 2)


def _many(
    score: FloatArray, defined: BoolArray, mean: FloatArray, papers: IntArray | None, argsort: ArgSort
) -> PaperPlaces:
    floors = class_floors(mean)
    means = smallest_integers(class_of(mean, floors), len(floors))
    if defined.all():
        rows, new_score = by_score(score, means, len(floors), argsort)
    else:
        scored = np.flatnonzero(defined)
        order, new_score = by_score(score[scored], means[scored], len(floors), argsort)
        rows = scored[order]
    kind_starts, ranked = kinds_in_order(means[rows], new_score, None if papers is None else papers[rows])
    unscored = means[~defined]
    without = np.bincount(unscored, None if papers is None else papers[~defined], minlength=len(floors)).astype(
        np.int64
    )
    loose = Loose(np.flatnonzero(without), without[without > 0])
    found = standings(ranked, loose, len(floors))
    return _spread(found, ranked, rows, kind_starts, (loose.mean, means, defined))


def by_score(
    score: FloatArray, means: NDArray[np.integer], classes: int, argsort: ArgSort = np.argsort
) -> tuple[IntArray, NDArray[np.int8]]:
    """The order of papers by score, best first, then by class of the mean; and where, in it, another score begins."""
    values = few_values(score)
    if values is not None and len(values) < FEW_SCORES:
        score_class = class_of(score, class_floors(values)).astype(np.uint16)
        order = np.argsort(score_class, kind="stable")
        new = np.diff(score_class[order].astype(np.int64), prepend=-1) > 0
    else:
        order = argsort(score)[::-1]
        new = class_starts(score[order])
    tied = ~new
    tied[:-1] |= ~new[1:]
    if tied.any():
        key = np.cumsum(new)[tied] * classes + means[order[tied]]
        order = order.copy()
        order[tied] = order[tied][np.argsort(key, kind="stable")]
    return order, new.astype(np.int8)


def kinds_in_order(
    means: NDArray[np.integer], new_score: NDArray[np.int8], papers: IntArray | None
) -> tuple[BoolArray, Ranked]:
    """Where the kinds of ordered papers begin, and the kinds."""
    starts = new_score > 0
    starts[1:] |= means[1:] != means[:-1]
    first = np.flatnonzero(starts)
    if papers is None:
        weight = np.diff(first, append=len(starts))
    else:
        weight = np.add.reduceat(papers, first) if len(first) else papers
    return starts, Ranked(means[first], weight, new_score[first])


def _spread(
    found: Standings,
    ranked: Ranked,
    rows: IntArray,
    kind_starts: BoolArray,
    unscored: tuple[IntArray, NDArray[np.integer], BoolArray],
) -> PaperPlaces:
    """From kinds to papers: `rows` are those with a score in the order of kinds."""
    loose_mean, means, defined = unscored
    place = np.empty(len(means), dtype=np.int64)
    tie, cycle = np.zeros((2, len(means)), dtype=np.bool_)
    first = np.append(np.flatnonzero(kind_starts), len(rows))
    for kinds, standing in found.blocks(ranked):
        start, stop = first[kinds.start], first[kinds.stop]
        here, sizes = rows[start:stop], np.diff(first[kinds.start : kinds.stop + 1])
        for target, of_kind in zip((place, tie, cycle), standing, strict=True):
            target[here] = of_kind if len(sizes) == len(here) else np.repeat(of_kind, sizes)
    if len(loose_mean):
        kind = np.searchsorted(loose_mean, means[~defined])
        for target, of_kind in zip((place, tie, cycle), found.loose, strict=True):
            target[~defined] = of_kind[kind]
    return PaperPlaces(place, tie, cycle, found.broken)


def smallest_integers(classes: IntArray, count: int) -> NDArray[np.integer]:
    """The same numbers, all below `count`, in as few bytes as hold differences of two of them."""
    return classes.astype(np.int8 if count < 1 << 7 else np.int16 if count < 1 << 15 else np.int32)


def rows_in_order(place: IntArray, tie: BoolArray) -> IntArray:
    """(N,) rows by place, rows that share one in the order in which they are: np.argsort(place, kind="stable")."""
    order = np.empty(len(place), dtype=np.int64)
    alone = np.flatnonzero(~tie)
    order[place[alone]] = alone
    shared = np.flatnonzero(tie)
    if len(shared):
        places = place[shared]
        taken = np.bincount(places) > 0
        number = np.cumsum(taken) - 1
        key = number.astype(np.uint16)[places] if number[-1] < 1 << 16 else places  # few numbers are sorted faster
        ordered = np.argsort(key, kind="stable")
        free = np.ones(len(place), dtype=np.bool_)
        free[place[alone]] = False
        order[free] = shared[ordered]
    return order


@dataclass(frozen=True)
class Places:
    """Where every paper of a venue stands, as a table of kinds in which batches of its papers look themselves up."""

    scores: FloatArray
    means: FloatArray
    """The lowest number of each class of equal scores, and of equal means, ascending."""
    first: IntArray
    """Where the kinds of each class of scores begin, those without a score first of all."""
    mean: NDArray[np.integer]
    """The class of the mean of each kind, ascending within a class of scores."""
    place: IntArray
    bits: NDArray[np.int8]
    """Of each kind: 1 for tie, 2 for cycle."""
    broken: int

    @classmethod
    def of(cls, score: FloatArray, defined: BoolArray, mean: FloatArray, weight: IntArray | None = None) -> "Places":
        """From the papers, or from different kinds and how many papers each of them has; all (n,)."""
        places = paper_places(score, defined, mean, weight)
        scores, means = class_floors(score[defined]), class_floors(mean)
        score_class = np.zeros(len(score), dtype=np.int64)
        score_class[defined] = class_of(score[defined], scores) + 1
        key = score_class * max(1, len(means)) + class_of(mean, means)
        keys, chosen = np.unique(key, return_index=True)
        kind_score, kind_mean = np.divmod(keys, max(1, len(means)))
        return cls(
            scores,
            means,
            np.searchsorted(kind_score, np.arange(len(scores) + 2)),
            smallest_integers(kind_mean, len(means)),
            places.place[chosen],
            (places.tie[chosen] + 2 * places.cycle[chosen]).astype(np.int8),
            places.broken,
        )

    def lookup(self, score: FloatArray, defined: BoolArray, mean: FloatArray) -> tuple[IntArray, BoolArray, BoolArray]:
        """Place, tie and cycle of papers that are among those that this was made from: (n,) each."""
        score_class = np.zeros(len(score), dtype=np.int64)
        score_class[defined] = class_of(score[defined], self.scores) + 1
        mean_class = class_of(mean, self.means)
        kind = self.first[score_class]
        several = np.flatnonzero(self.first[score_class + 1] - kind > 1)
        if len(several):
            kind[several] += self._kind_within(score_class[several], mean_class[several])
        return self.place[kind], (self.bits[kind] & 1) > 0, (self.bits[kind] & 2) > 0

    def _kind_within(self, score_class: IntArray, mean_class: IntArray) -> IntArray:
        """Which of the kinds of its class of scores has this mean."""
        size = max(1, len(self.means))
        needed = np.unique(score_class)
        sizes = self.first[needed + 1] - self.first[needed]
        start = np.cumsum(sizes) - sizes
        kinds = np.repeat(self.first[needed] - start, sizes) + np.arange(sizes.sum())
        keys = np.repeat(needed, sizes) * size + self.mean[kinds]
        return np.asarray(
            np.searchsorted(keys, score_class * size + mean_class) - start[np.searchsorted(needed, score_class)]
        )
