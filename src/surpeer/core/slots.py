"""Mending an order of kinds: each kind moves to where it breaks fewer comparisons, until no move helps.

The kinds without a score (U of them, by mean) leave U + 1 slots, and each kind with a score (D of them, by score)
stands in one of them; within a slot the score decides. So an order is the slot of each kind with a score, and what it
costs a kind to stand in any slot is a sum over kinds that is done for all kinds and slots at once.

In a step all kinds that gain by it move to their best slots at once; if that does not help (they were in each other's
way), only the most rewarding group does that goes from one slot to the same other one, which always helps. When no kind
with a score gains any more, the kinds without one are tried.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.insertions import best_places
from surpeer.core.order import Contest
from surpeer.core.shapes import FloatArray, IntArray


def ranked_and_loose(contest: Contest) -> tuple[IntArray, IntArray]:
    """The kinds with a score, by score and then by mean, and those without, by mean; best first."""
    ranked, loose = np.flatnonzero(contest.defined), np.flatnonzero(~contest.defined)
    by_score = np.lexsort((contest.mean[ranked], contest.score[ranked]))
    return ranked[by_score], loose[np.argsort(contest.mean[loose], kind="stable")]


@dataclass(frozen=True, slots=True)
class Slots:
    """A contest whose orders are given by the slot of each kind with a score, (D,) whole numbers from 0 to U."""

    ranked: IntArray
    """(D,) the kinds with a score, from the best on."""
    loose: IntArray
    """(U,) the kinds without one, from the best mean on."""
    mean: IntArray
    loose_mean: IntArray
    """(D,) and (U,) classes of their means."""
    weight: FloatArray
    """(D,) papers of each kind with a score."""
    prefers: FloatArray
    """(U, D) papers of each kind without a score, above zero where its mean is the better one, below where not."""
    alone: FloatArray
    """(U + 1, D) comparisons with kinds without a score that a paper breaks in each slot."""
    first: IntArray
    stop: IntArray
    """(D,) where the kinds with an equal score begin and end."""

    @classmethod
    def of(cls, contest: Contest, weight: IntArray) -> "Slots":
        ranked, loose = ranked_and_loose(contest)
        mean, loose_mean = contest.mean[ranked], contest.mean[loose]
        prefers = np.sign(mean - loose_mean[:, None]) * weight[loose].astype(np.float64)[:, None]
        alone = np.empty((len(loose) + 1, len(ranked)))
        alone[0] = np.maximum(prefers, 0).sum(axis=0)
        alone[1:] = alone[0] - np.cumsum(prefers, axis=0)
        score = contest.score[ranked]
        starts = np.flatnonzero(np.diff(score, prepend=-1))
        sizes = np.diff(np.append(starts, len(score)))
        first, stop = np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)
        return cls(ranked, loose, mean, loose_mean, weight[ranked].astype(np.float64), prefers, alone, first, stop)

    def by_score(self) -> IntArray:
        """The slots that result when kinds without a score are inserted in an order by score."""
        at = best_places(self.mean, self.weight.astype(np.int64), self.loose_mean)
        return np.searchsorted(at, np.arange(len(self.ranked)), side="right")

    def by_mean(self) -> IntArray:
        """The slots that break no comparison with a kind without a score, above those of the same mean."""
        return np.asarray((self.prefers > 0).sum(axis=0))

    def costs(self, slot: IntArray) -> FloatArray:
        """(U + 1, D) comparisons that a paper of each kind would break in each slot, if only it moved."""
        slots = np.arange(len(self.loose) + 1)
        not_below = np.zeros((len(slots), len(slot) + 1))  # papers of the first kinds in this slot or a higher one
        np.cumsum((slot <= slots[:, None]) * self.weight, axis=1, out=not_below[:, 1:])
        better, worse = not_below[:, self.first], not_below[:, -1:] - not_below[:, self.stop]
        costs = self.alone + (better[-1] - better)
        costs[1:] += worse[:-1]
        return np.asarray(costs)

    def state(self, slot: IntArray) -> "State":
        costs = self.costs(slot)
        here, alone = (array[slot, np.arange(len(slot))] for array in (costs, self.alone))
        return State(slot, costs, here, float(self.weight @ (here + alone)) / 2)

    def improved(self, state: "State") -> "State":
        """An order in which no move of a single kind mends anything."""
        while (better := self._ranked_moved(state) or self._loose_moved(state)) is not None:
            state = better
        return state

    def _ranked_moved(self, state: "State") -> "State | None":
        slot, costs, here, total = state
        best = np.asarray(costs.argmin(axis=0))
        gain = (here - costs[best, np.arange(len(slot))]) * self.weight
        moving = gain > 0
        if not moving.any():
            return None
        together = self.state(np.where(moving, best, slot))
        if together.total < total:
            return together
        group = slot * len(costs) + best
        rewarding = int(np.argmax(np.bincount(group[moving], gain[moving])))
        return self.state(np.where(moving & (group == rewarding), best, slot))

    def _loose_moved(self, state: "State") -> "State | None":
        """The kind without a score that gains most moves between its neighbours without one."""
        slot, loose = state.slot, np.arange(len(self.loose))
        order = np.argsort(slot, kind="stable")
        costs = np.zeros((len(loose), len(slot) + 1))  # of standing below the first kinds with a score
        np.cumsum(np.sign(self.prefers[:, order]) * self.weight[order], axis=1, out=costs[:, 1:])
        ends = np.searchsorted(slot[order], np.arange(-1, len(loose) + 1), side="right")  # of slots, from none on
        place = np.arange(len(slot) + 1)
        costs[(place < ends[:-2, None]) | (place > ends[2:, None])] = np.inf
        best, now = costs.argmin(axis=1), ends[1:-1]
        gain = costs[loose, now] - costs[loose, best]
        if not (gain > 0).any():
            return None
        chosen = int(np.argmax(gain))
        moved = slot.copy()
        moved[order[now[chosen] : best[chosen]]] = chosen
        moved[order[best[chosen] : now[chosen]]] = chosen + 1
        return self.state(moved)

    def sequence(self, slot: IntArray) -> IntArray:
        """(D + U,) all kinds from the best to the worst."""
        key = np.concatenate([2 * slot, 2 * np.arange(len(self.loose)) + 1])
        return np.asarray(np.concatenate([self.ranked, self.loose])[np.argsort(key, kind="stable")])

    def broken(self, state: "State") -> IntArray:
        """(n,) for a paper of each kind of the contest, how many papers it stands on the wrong side of."""
        broken = np.empty(len(self.ranked) + len(self.loose), dtype=np.int64)
        broken[self.ranked] = state.here
        above = state.slot <= np.arange(len(self.loose))[:, None]
        broken[self.loose] = np.where(above, self.prefers > 0, self.prefers < 0) @ self.weight
        return broken


class State(NamedTuple):
    """An order, and what it breaks."""

    slot: IntArray
    costs: FloatArray
    """(U + 1, D) as `Slots.costs`."""
    here: FloatArray
    """(D,) those of the slots in which the kinds are."""
    total: float
    """Comparisons that are broken in all."""
