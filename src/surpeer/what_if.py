"""Ranking or Decisions -> what one changed rating would do to each paper.

After a discussion a reviewer may change her mind by one level: on a two-level scale, one accept more or one less. The
predictions and everything that was learned about the venue stay as they are, and so do all other papers: what changes
is the paper's own ratings, and from them its score, its rank and what is proposed. (Ranking the changed reviews anew
would move the other papers a little as well, because the venue is learned from all of them.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.order import TIE_TOLERANCE
from surpeer.core.probability import probability_among_best_if
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.decisions import Decisions, propose, ranking_of
from surpeer.ranking import Ranking


@dataclass(frozen=True)
class ChangedRating:
    """For N papers in the order of the ranking's rows: what they would be with one rating changed by one level."""

    possible: BoolArray
    """(N,) False where no rating can be changed in that direction."""
    level: IntArray
    """(N,) the level that the reviewer gave."""
    changed: IntArray
    """(N,) the level next to it that she would give."""
    score: FloatArray
    standard_error: FloatArray
    rank: IntArray
    """(N,) among the unchanged others; from 1."""
    probability: FloatArray | None
    """(N,) that the paper is one of the best; None without decisions."""
    proposal: IntArray | None
    """(N,) codes of Proposal; None without decisions."""


@dataclass(frozen=True)
class WhatIf:
    """One rating higher, and one rating lower."""

    higher: ChangedRating
    """The lowest rating is one level higher."""
    lower: ChangedRating
    """The highest rating is one level lower."""


def what_if(results: Ranking | Decisions) -> WhatIf | None:
    """What one changed rating would do; None for methods that do not learn from the venue."""
    ranking = ranking_of(results)
    if not ranking.scores.outcome.tracks:
        return None
    changes = [_Change.of(ranking, up=up) for up in (True, False)]
    chances = _chances(results, ranking, changes)
    higher, lower = (_changed(results, ranking, *one) for one in zip(changes, chances, strict=True))
    return WhatIf(higher, lower)


class _Change(NamedTuple):
    """One rating of each paper changed, all (N,) in the order of the ranking's rows."""

    level: IntArray
    changed: IntArray
    score: FloatArray
    standard_error: FloatArray

    @classmethod
    def of(cls, ranking: Ranking, *, up: bool) -> "_Change":
        counts, order = ranking.scores.matrices.counts, ranking.order
        level = _lowest(counts) if up else counts.shape[1] - 1 - _lowest(counts[:, ::-1])
        changed = np.clip(level + (1 if up else -1), 0, counts.shape[1] - 1)
        value, error = _judged(ranking, _moved(counts, level, changed))
        return cls(level[order], changed[order], value[order], error[order])


def _chances(results: Ranking | Decisions, ranking: Ranking, changes: Sequence[_Change]) -> Sequence[FloatArray | None]:
    """The probabilities of each change; in one go, because most of the work is the same for all of them."""
    if not isinstance(results, Decisions):
        return [None] * len(changes)
    value, error = (np.stack([getattr(one, name) for one in changes]) for name in ("score", "standard_error"))
    now, errors = ranking.scores.value[ranking.order], _errors(ranking)[ranking.order]
    return list(probability_among_best_if(now, errors, value, error, results.places))


def _changed(
    results: Ranking | Decisions, ranking: Ranking, change: _Change, chance: FloatArray | None
) -> ChangedRating:
    rank = 1 + _better_than(ranking.scores.value[ranking.order], change.score)
    proposal = None
    if isinstance(results, Decisions) and chance is not None:
        incoherent = ranking.flags["incoherent_forecasts"]
        proposal = propose(chance, rank <= results.places, results.certainty, incoherent)
    return ChangedRating(change.level != change.changed, *change, rank, chance, proposal)


def _lowest(counts: IntArray) -> IntArray:
    """(N,) the first level that somebody gave."""
    return np.asarray((counts > 0).argmax(axis=1))


def _moved(counts: IntArray, level: IntArray, changed: IntArray) -> IntArray:
    result, rows = counts.copy(), np.arange(len(counts))
    result[rows, level] -= 1
    result[rows, changed] += 1
    return result


def _judged(ranking: Ranking, counts: IntArray) -> tuple[FloatArray, FloatArray]:
    value, error = np.empty(len(counts)), np.empty(len(counts))
    for _, papers, fit in ranking.scores.outcome.tracks:
        quality = fit.judge_with(counts[papers])
        value[papers], error[papers] = quality.mean, quality.deviation
    return value, error


def _errors(ranking: Ranking) -> FloatArray:
    errors = ranking.scores.standard_error
    return np.zeros(len(ranking)) if errors is None else errors


def _better_than(now: FloatArray, value: FloatArray) -> IntArray:
    """(N,) how many of the other papers, as they are, have a higher score than `value`; as high is not higher."""
    reach = value + TIE_TOLERANCE * np.maximum(1.0, np.abs(value))
    higher = len(now) - np.searchsorted(np.sort(now), reach, side="right")
    return np.asarray(higher - (now > reach))
