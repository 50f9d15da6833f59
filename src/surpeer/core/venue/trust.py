"""How far forecasts are followed: as far as this venue's forecasts have shown themselves to be about bias.

Four things can make a forecast say something else. It may be noise: then papers' forecasts differ no more than
reviewers' do, and the variance between papers is taken only as far as it is evident. It may be the reviewer's own
opinion, which also knows about quality: then following it would take quality away with the bias. It may be cautious:
then ratings move more between papers than forecasts said. And it may be knowledge of what the others will say, which
the own rating adds nothing to: then it does not rise with the own rating, and is not followed at all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.blocks import Block, joined
from surpeer.core.venue.evidence import EVIDENT, LEAST_VARIANCE, as_far_as_evident, error_of_left_out
from surpeer.core.venue.fit_forecasts import Fitted
from surpeer.core.venue.forecast_model import SIGNAL, Bias, Readings
from surpeer.core.venue.moments import Moments
from surpeer.core.venue.own_rating import Projection
from surpeer.core.venue.steps import State, Step

T = TypeVar("T", float, FloatArray)

# Forecasts are never counted more than twice, however cautious they look.
MOST_CORRECTION = 2.0

FREEDOM, RATED_WITHIN = 2, 6  # rows of _Relation.rows


@dataclass(frozen=True)
class Trust:
    """What becomes of the forecasts."""

    weight: float
    """By what the bias that forecasts show is multiplied before it is taken from the ratings; 0 to 2."""
    bias: Bias
    """As of the model, with the variance reduced to what is evident."""
    caution: float
    """By how much more ratings differ between papers than forecasts say: 1 if forecasts are what they should be."""
    knowledge: float
    """How much of a paper's quality is in its forecasts, per unit of quality."""
    projection: Projection
    differ: bool
    """Whether forecasts evidently differ between papers in the expected rating."""
    leaves_quality: bool
    """False where taking forecasts off would leave far less quality in the ratings than forecasts themselves imply."""
    judged: bool = True
    """False where there were too few forecasts to judge them by."""

    @property
    def follows(self) -> bool:
        """Whether forecasts have any influence."""
        return self.weight > 0


def no_trust(size: int) -> Trust:
    """Where there is nothing to judge forecasts by. size : J"""
    nothing = np.zeros(size)
    return Trust(
        0.0,
        Bias(nothing, nothing),
        1.0,
        0.0,
        Projection(0.0, 0.0, 0.0, 0.0, responds=False),
        differ=False,
        leaves_quality=True,
        judged=False,
    )


def judge_forecasts(moments: Moments, blocks: Sequence[Block], fitted: Fitted, projection: Projection) -> Trust:
    """The trust that a venue's forecasts deserve. blocks : of the moments' papers, those that have forecasts"""
    squares = moments.said_squares(fitted.last.view.span[:, 0])
    parts = zip(blocks, fitted.read, fitted.states, strict=True)
    rows = [_relation_rows(fitted.last, *part, squares[part[0].papers], projection.weight) for part in parts]
    relation = _Relation.of(joined(rows))
    bias = Bias(fitted.bias.mean, fitted.bias.variance * _evident_share(blocks, fitted))
    signals = len(fitted.last.view.q)
    caution = relation.caution() if signals == 2 else 1.0  # on finer scales correcting it did not help: see the docs
    knowledge = 2 * projection.weight / (signals - 1) ** 2 / (1 - projection.slope)
    weight = 0.0
    differ = bool(bias.variance[0] > 0 and relation.said > LEAST_VARIANCE)
    if differ and projection.responds and knowledge < 1 and knowledge * caution < 1:
        weight = (caution - knowledge * relation.rated / relation.said) / (1 - knowledge * caution)
        weight = min(max(weight, 0.0), caution)  # knowledge can only take away
    leaves = weight == 0 or relation.leaves_quality(weight, projection)
    weight = weight if leaves else 0.0
    return Trust(weight, bias, caution, knowledge, projection, differ, leaves)


def _evident_share(blocks: Sequence[Block], fitted: Fitted) -> FloatArray:
    """(J,) what part of the variance between papers' forecasts is beyond doubt."""
    implied = joined(
        [
            (read.said - SIGNAL @ read.chances * read.own)[:, block.each]
            for block, read in zip(blocks, fitted.read, strict=True)
        ]
    )
    count = joined([block.divisor[block.each] for block in blocks])
    total = implied.var(axis=1, ddof=1)
    noise = fitted.last.error * (1 / count).mean()
    doubt = np.sqrt(2 * total**2 / (len(count) - 1) + 2 * noise**2 / (count - 1).sum())
    between = np.maximum(total - noise, 0.0)
    return np.asarray(as_far_as_evident(between, 0.0, doubt) / np.where(between > 0, between, 1.0))


def _relation_rows(
    step: Step, block: Block, read: Readings, state: State, squares: FloatArray, own_weight: float
) -> FloatArray:
    """(C, B) what each paper adds to the sums of a _Relation.

    state : before the step; squares : (B,) sums of squares of forecasts in the first coordinate, own ratings included
    """
    levels, each = step.view.basis[:, :1], block.each
    forecasts, count = block.forecasts[:, each], block.divisor[each]
    said = np.einsum("d,sdb->sb", step.view.span[:, 0], block.sums[:, :, each])  # (K, B) without own ratings
    own = (state.rarity * step.explained[:, :1])[:, each]
    if own_weight:
        with_own = ((1 - own_weight) * said + own_weight * forecasts * levels) * levels
        squares = squares - 2 * own_weight * with_own.sum(axis=0) + own_weight**2 * (forecasts * levels**2).sum(axis=0)
        squares = squares / (1 - own_weight) ** 2
    signal = (SIGNAL @ read.chances)[each]
    mean_said, mean_own = read.said[0, each], read.own[0, each]
    within_said = squares - count * mean_said**2
    within_both = (said * own).sum(axis=0) - count * mean_said * mean_own
    within_own = (forecasts * own**2).sum(axis=0) - count * mean_own**2
    rated = (levels * forecasts).sum(axis=0) / count
    apart = levels - rated
    residual = mean_said - signal * mean_own
    means = [residual, rated]
    within = [
        np.maximum(within_said - 2 * signal * within_both + signal**2 * within_own, 0.0),
        (forecasts * apart**2).sum(axis=0),
        (apart * (said - signal * forecasts * own)).sum(axis=0),
    ]
    products = [residual**2, rated**2, residual * rated]
    return np.array([np.ones_like(count), 1 / count, count - 1, *means, *within, *products])


@dataclass(frozen=True)
class _Relation:
    """How forecasts (less the own rating's part) and ratings vary together between papers, sampling noise taken off."""

    rows: FloatArray
    """(C, N) what each paper adds to the sums."""
    totals: FloatArray
    """(C,)"""
    said: float
    """Variance of forecasts."""
    rated: float
    """Variance of ratings."""
    both: float
    """Their covariance."""

    @classmethod
    def of(cls, rows: FloatArray) -> "_Relation":
        totals = rows.sum(axis=1)
        return cls(rows, totals, *_covariances(totals.tolist()))

    @cached_property
    def _without_one(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(N,) each: `said`, `rated` and `both` without each paper."""
        return _covariances(self.totals[:, None] - self.rows)

    def leaves_quality(self, weight: float, projection: Projection) -> bool:
        """Whether the variance of ratings that is left when forecasts are taken off agrees with the own ratings' slope.

        Forecasts that follow own ratings with a slope of b say that b / (1 - b) times the variance within papers is
        quality. If evidently less than half of that is left, they took quality off, not bias.
        """
        slope = max(projection.slope - projection.weight, 0.0) / (1 - projection.weight)
        implied = slope / (1 - slope) * self.totals[RATED_WITHIN] / self.totals[FREEDOM]
        left = self.rated - 2 * weight * self.both + weight**2 * self.said
        said, rated, both = self._without_one
        error = error_of_left_out(rated - 2 * weight * both + weight**2 * said)
        return bool(left + EVIDENT * error >= implied / 2)

    def caution(self) -> float:
        """Regression of ratings on forecasts: 1 unless the venue shows otherwise."""
        if self.said <= LEAST_VARIANCE:
            return 1.0
        said, _, both = self._without_one
        error = error_of_left_out(both / np.maximum(said, LEAST_VARIANCE))
        return min(max(float(as_far_as_evident(self.both / self.said, 1.0, error)), 0.0), MOST_CORRECTION)


def _covariances(sums: Iterable[T]) -> tuple[T, T, T]:
    """Variance of forecasts, variance of ratings, covariance, between papers; of sums, or of arrays of them."""
    papers, inverse, freedom, said, rated, *sums_of_two = sums
    noise, others = inverse / papers / freedom, papers - 1
    pairs = ((said, said), (rated, rated), (said, rated))
    of_said, of_rated, of_both = (
        (product - one * two / papers) / others - within * noise
        for (one, two), within, product in zip(pairs, sums_of_two[:3], sums_of_two[3:], strict=True)
    )
    return of_said, of_rated, of_both
