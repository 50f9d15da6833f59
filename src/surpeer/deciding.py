"""The rules of a decision, for rows of a ranking in any number of chunks: one place for memory, disk and cluster.

1. What is at the cut is looked up in the order of the ranking (AtTheCut).
2. surpeer.core.cut says how likely each paper is to be among the best.
3. `decided` puts both together for any rows.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.cut import Cut
from surpeer.core.probability import probability_better
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.proposals import Proposal, Reason

Scored = tuple[float, float]
"""A score and its standard error."""


def has_probability(value: FloatArray, error: FloatArray) -> BoolArray:
    """(n,) which papers have a finite score with a finite error."""
    return np.isfinite(value) & np.isfinite(error)


@dataclass
class AtTheCut:
    """What is around the cut, found by looking at rows in the order of the ranking until it is `complete`."""

    places: int
    """How many papers are accepted."""
    rows: int = 0
    """Looked at so far."""
    free: int = 0
    """Places for papers with a score: a paper without one keeps its place."""
    last_above: Scored | None = None
    first_below: Scored | None = None
    """The papers with a score next to the cut."""
    last_rank: int = 0
    tied_rank: int | None = None
    """The rank that the cut goes through; None where it goes between two ranks."""

    @property
    def complete(self) -> bool:
        return self.rows > self.places and self.first_below is not None

    @property
    def start(self) -> float | None:
        """A score near the cut."""
        scores = [scored[0] for scored in (self.last_above, self.first_below) if scored is not None]
        return sum(scores) / len(scores) if scores else None

    def look(self, rank: IntArray, value: FloatArray, error: FloatArray) -> None:
        """At the next rows."""
        above = min(max(self.places - self.rows, 0), len(rank))
        if above:
            self.last_rank = int(rank[above - 1])
        if self.rows <= self.places < self.rows + len(rank) and int(rank[above]) == self.last_rank:
            self.tied_rank = self.last_rank
        scored = np.flatnonzero(has_probability(value, error))
        accepted, others = scored[scored < above], scored[scored >= above]
        self.free += len(accepted)
        if len(accepted):
            self.last_above = float(value[accepted[-1]]), float(error[accepted[-1]])
        if len(others) and self.first_below is None:
            self.first_below = float(value[others[0]]), float(error[others[0]])
        self.rows += len(rank)


class Decided(NamedTuple):
    """(n,) arrays."""

    probability: FloatArray
    """That the paper is one of the best; NaN where it has no score."""
    better_than_cut: FloatArray
    """Probability that the paper is better than the first one on the other side of the cut."""
    proposal: IntArray
    """Codes of Proposal."""
    reason: IntArray
    """Codes of Reason."""


def decided(
    rows: tuple[IntArray, FloatArray, FloatArray, BoolArray],
    first_row: int,
    around: AtTheCut,
    cut: Cut,
    certainty: float,
) -> Decided:
    """What to do with papers in consecutive rows of a ranking.

    rows : rank, score, standard error, and whether predictions contradict each other, (n,) each
    first_row : how many rows of the ranking come before them
    """
    rank, value, error, incoherent = rows
    scored = has_probability(value, error)
    above = first_row + np.arange(len(rank)) < around.places
    chance = np.full(len(rank), np.nan)
    chance[scored] = cut.probability(value[scored], error[scored])
    tied = np.zeros(len(rank), dtype=np.bool_) if around.tied_rank is None else rank == around.tied_rank
    proposal = propose(chance, above, certainty, incoherent, tied)
    better = _better_than_cut(value, error, scored, above, around)
    return Decided(chance, better, proposal, _reasons(chance, proposal, incoherent))


def propose(
    chance: FloatArray, above: BoolArray, certainty: float, incoherent: BoolArray, tied: BoolArray | None = None
) -> IntArray:
    """(N,) codes of Proposal.

    chance : (N,) of being among the best, NaN where no score is known; above : whether the paper is above the cut;
    incoherent : whether its predictions contradict each other; tied : whether the cut goes through a tie that it is in

    Accept above the cut only and reject below it only, so that there are never too many accepts for the places, nor too
    few papers left; a tie that the cut goes through is on neither side.
    """
    clear = ~incoherent if tied is None else ~(incoherent | tied)
    accept = (chance >= certainty) & above & clear  # False where there is no chance
    reject = (chance <= 1 - certainty) & ~above & clear
    proposal = np.select([accept, reject], [Proposal.ACCEPT, Proposal.REJECT], Proposal.DISCUSS)
    return np.asarray(proposal, dtype=np.int64)


def _reasons(chance: FloatArray, proposal: IntArray, incoherent: BoolArray) -> IntArray:
    reason = np.where(proposal == Proposal.DISCUSS, Reason.UNDECIDED, Reason.LIKELY)
    for mask, why in ((incoherent, Reason.INCOHERENT_FORECASTS), (np.isnan(chance), Reason.NO_SCORE)):
        reason[mask] = why
    return np.asarray(reason, dtype=np.int64)


def _better_than_cut(
    value: FloatArray, error: FloatArray, scored: BoolArray, above: BoolArray, around: AtTheCut
) -> FloatArray:
    """The accepted against the first scored paper below the cut, the others against the last scored one above it."""
    result = np.full(len(value), np.nan)
    if around.last_above is not None and around.first_below is not None:
        for mine, other in ((scored & above, around.first_below), (scored & ~above, around.last_above)):
            result[mine] = probability_better(value[mine], error[mine], *other)
    return result
