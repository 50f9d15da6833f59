"""Reviews -> Matrices: per paper, how often each level was given and what those who gave it predicted.

The sums behind them are in surpeer.paper_statistics.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core.determinant import Determinants, determinants, mean_predictions
from surpeer.core.fixed_point import FixedPointSums
from surpeer.core.frequency import frequencies, mean_rating
from surpeer.core.joint import prior_from_predictions
from surpeer.core.shapes import BoolArray, FloatArray, IntArray, at_every_level, level_sums, weighted_sum
from surpeer.core.surprisal import noise_scale_from_log
from surpeer.core.surprise import surprise_in_whole_numbers
from surpeer.errors import counted
from surpeer.paper_statistics import PaperStatistics, StatisticsOfReviews
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.showing import Shown

# Divided by more than this, relative to the range of ratings, what rounding leaves in a difference stays below 1e-13.
SMALL_DIVISOR = 0.01


@dataclass(frozen=True, repr=False)
class Matrices(Shown):
    """What the methods score. N papers, K levels; papers are in the order of `papers`.

    Everything is computed when it is first asked for, and predictions are added up only for the papers that need it: on
    a fine scale with few reviewers hardly any paper has someone at every level.
    """

    statistics: PaperStatistics

    def __repr__(self) -> str:
        return f"<Matrices of {counted(len(self.papers), 'paper')} on {', '.join(self.scale.levels)}>"

    @property
    def source(self) -> Reviews:
        """The reviews; only where they are in memory."""
        if not isinstance(self.statistics, StatisticsOfReviews):
            raise TypeError("these matrices were made of sums by paper: single reviews are not known")
        return self.statistics.source

    @property
    def scale(self) -> Scale:
        return self.statistics.scale

    @property
    def papers(self) -> pl.Series:
        return self.statistics.papers

    @property
    def counts(self) -> IntArray:
        """(N, K) reviews that gave each level."""
        return self.statistics.counts

    @property
    def predicted(self) -> IntArray:
        """(N, K) reviews that gave each level and made a complete prediction."""
        return self.statistics.predicted

    @cached_property
    def reviews(self) -> IntArray:
        """(N,) number of reviews."""
        return level_sums(self.counts)

    @cached_property
    def v(self) -> FloatArray:
        """(N, K) frequency of each level."""
        return frequencies(self.counts)

    @cached_property
    def mean(self) -> FloatArray:
        """(N,) mean rating, the baseline."""
        return mean_rating(self.counts, self.scale.values)

    @cached_property
    def P(self) -> FloatArray:
        """(N, K, K) prediction matrix; a row of NaN where nobody gave the level and predicted all levels."""
        if isinstance(self._tried, slice):
            return self._tried_P
        everyone = np.ones(len(self.papers), dtype=np.bool_)
        return mean_predictions(self.prediction_sums(everyone), self.predicted)

    @cached_property
    def complete(self) -> BoolArray:
        """(N,) whether every row of P exists."""
        return at_every_level(self.predicted > 0)

    @cached_property
    def q(self) -> FloatArray:
        """(N, K) prior that P implies, NaN where P is not complete."""
        found = prior_from_predictions(self._tried_P)
        if len(found) == len(self.papers):
            return found
        prior = np.full(self.counts.shape, np.nan, order="F")
        prior[self._tried] = found
        return prior

    @cached_property
    def log_determinant(self) -> FloatArray:
        """(N,) logarithm of det U = det P * prod(q) where that is positive, NaN elsewhere."""
        with np.errstate(divide="ignore"):
            prior = sum(np.log(self.q[self._tried]).T)
        total = np.full(len(self.papers), np.nan)
        total[self._tried] = self._determinants.logarithm + prior
        return np.where(np.isfinite(total), total, np.nan)

    @cached_property
    def coherent(self) -> BoolArray:
        """(N,) complete, and det U positive. The sign is decided exactly, not in floats."""
        return np.isfinite(self.log_determinant)

    @cached_property
    def determinant(self) -> FloatArray:
        """(N,) det U, exactly zero where it is; NaN where P is not complete."""
        negative = self._determinants.sign < 0
        prior = self.q[self._tried]
        floats = np.zeros(len(prior))
        joint = prior[negative, :, None] * self._tried_P[negative]
        floats[negative] = np.minimum(np.linalg.det(joint), 0.0)
        result = np.full(len(self.papers), np.nan)
        result[self._tried] = floats
        result[~self.complete] = np.nan
        return np.where(self.coherent, np.exp(self.log_determinant), result)

    @cached_property
    def surprise(self) -> FloatArray:
        """(N,) E_v phi - E_q phi, NaN where P is not complete; in whole numbers where the score divides it by a number
        near zero."""
        values = np.asarray(self.scale.values)
        difference = weighted_sum(self.v - self.q, values)
        near = self._determinants.doubtful & self.coherent[self._tried]
        if not self.scale.is_binary:  # the root of a small determinant need not be small
            with np.errstate(invalid="ignore"):
                scale = noise_scale_from_log(self.log_determinant[self._tried], len(self.scale))
                near &= scale < SMALL_DIVISOR * (values[-1] - values[0])
        papers = np.arange(len(self.papers))[self._tried][near]
        sums = self._tried_sums.take(np.flatnonzero(near))
        difference[papers] = surprise_in_whole_numbers(self.counts[papers], sums, self.predicted[papers], values)
        return difference

    def prediction_sums(self, chosen: BoolArray) -> FixedPointSums:
        """(C, K, K) exact sums of predictions by rating, for the C papers that are chosen: (N,)."""
        return self.statistics.prediction_sums(chosen)

    @cached_property
    def _tried(self) -> BoolArray | slice:
        """The papers whose determinant is looked for: the complete ones. With two levels most are, and all are tried,
        because picking papers takes longer than computing with them."""
        return slice(None) if self.scale.is_binary or self.complete.all() else self.complete

    @cached_property
    def _tried_sums(self) -> FixedPointSums:
        everyone = np.ones(len(self.papers), dtype=np.bool_)
        return self.prediction_sums(everyone if isinstance(self._tried, slice) else self._tried)

    @cached_property
    def _tried_P(self) -> FloatArray:
        return mean_predictions(self._tried_sums, self.predicted[self._tried])

    @cached_property
    def _determinants(self) -> Determinants:
        """Of P, for the papers that are tried."""
        return determinants(self._tried_P, self._tried_sums, self.predicted[self._tried])


def build_matrices(reviews: Reviews) -> Matrices:
    """Reduce reviews to one set of matrices per paper. Reviews without a complete prediction count in v, not in P."""
    return Matrices(StatisticsOfReviews(reviews))
