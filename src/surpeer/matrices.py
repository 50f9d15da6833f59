"""Reviews -> Matrices: per paper, how often each level was given and what those who gave it predicted."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core.determinant import Determinants, determinants, mean_predictions
from surpeer.core.fixed_point import FixedPointSums, sum_by_cell
from surpeer.core.frequency import count_ratings, frequencies, mean_rating
from surpeer.core.joint import prior_from_predictions
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.surprise import exact_surprise
from surpeer.errors import counted
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.showing import Shown


@dataclass(frozen=True, repr=False)
class Matrices(Shown):
    """What the methods score. N papers, K levels; papers are in the order of `papers`.

    Everything is computed when it is first asked for, and predictions are added up only for the papers that need it: on
    a fine scale with few reviewers hardly any paper has someone at every level.
    """

    source: Reviews
    counts: IntArray
    """(N, K) reviews that gave each level."""
    predicted: IntArray
    """(N, K) reviews that gave each level and made a complete prediction."""

    def __repr__(self) -> str:
        return f"<Matrices of {counted(len(self.papers), 'paper')} on {', '.join(self.scale.levels)}>"

    @property
    def scale(self) -> Scale:
        return self.source.scale

    @property
    def papers(self) -> pl.Series:
        return self.source.papers

    @cached_property
    def reviews(self) -> IntArray:
        """(N,) number of reviews."""
        return np.asarray(self.counts.sum(axis=1))

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
        everyone = np.ones(len(self.papers), dtype=np.bool_)
        return mean_predictions(self.prediction_sums(everyone), self.predicted)

    @cached_property
    def complete(self) -> BoolArray:
        """(N,) whether every row of P exists."""
        return np.asarray((self.predicted > 0).all(axis=1))

    @cached_property
    def q(self) -> FloatArray:
        """(N, K) prior that P implies, NaN where P is not complete."""
        prior = np.full(self.counts.shape, np.nan, order="F")
        prior[self.complete] = prior_from_predictions(self._complete_P)
        return prior

    @cached_property
    def log_determinant(self) -> FloatArray:
        """(N,) logarithm of det U = det P * prod(q) where that is positive, NaN elsewhere."""
        total = np.full(len(self.papers), np.nan)
        with np.errstate(divide="ignore"):
            total[self.complete] = self._determinants.logarithm + np.log(self.q[self.complete]).sum(axis=1)
        return np.where(np.isfinite(total), total, np.nan)

    @cached_property
    def coherent(self) -> BoolArray:
        """(N,) complete, and det U positive. The sign is decided exactly, not in floats."""
        return np.isfinite(self.log_determinant)

    @cached_property
    def determinant(self) -> FloatArray:
        """(N,) det U, exactly zero where it is; NaN where P is not complete."""
        negative = self._determinants.sign < 0
        prior = self.q[self.complete]
        floats = np.zeros(len(prior))
        joint = prior[negative, :, None] * self._complete_P[negative]
        floats[negative] = np.minimum(np.linalg.det(joint), 0.0)
        result = np.full(len(self.papers), np.nan)
        result[self.complete] = floats
        return np.where(self.coherent, np.exp(self.log_determinant), result)

    @cached_property
    def surprise(self) -> FloatArray:
        """(N,) E_v phi - E_q phi, NaN where P is not complete; in whole numbers where the determinant is near zero."""
        values = np.asarray(self.scale.values)
        difference = np.asarray((self.v - self.q) @ values)
        near = self._determinants.doubtful & self.coherent[self.complete]
        papers = np.flatnonzero(self.complete)[near]
        sums = self._complete_sums.take(np.flatnonzero(near)).to_integers()
        difference[papers] = exact_surprise(self.counts[papers], sums, self.predicted[papers], values)
        return difference

    def prediction_sums(self, chosen: BoolArray) -> FixedPointSums:
        """(C, K, K) exact sums of predictions by rating, for the C papers that are chosen: (N,)."""
        source, signals, papers = self.source, len(self.scale), int(chosen.sum())
        if len(chosen) > papers > len(chosen) // 2:  # then picking out their reviews takes longer than adding all up
            return self.prediction_sums(np.ones_like(chosen)).take(np.flatnonzero(chosen))
        rows = source.has_prediction if papers == len(chosen) else source.has_prediction & chosen[source.paper]
        paper, rating, predictions = source.paper, source.rating, source.predictions
        if not rows.all():
            paper, rating, predictions = paper[rows], rating[rows], predictions[rows]
        position = np.cumsum(chosen) - 1
        return sum_by_cell(predictions, position[paper] * signals + rating, (papers, signals))

    @cached_property
    def _complete_sums(self) -> FixedPointSums:
        return self.prediction_sums(self.complete)

    @cached_property
    def _complete_P(self) -> FloatArray:
        return mean_predictions(self._complete_sums, self.predicted[self.complete])

    @cached_property
    def _determinants(self) -> Determinants:
        """Of P, for the complete papers."""
        return determinants(self._complete_P, self._complete_sums, self.predicted[self.complete])


def build_matrices(reviews: Reviews) -> Matrices:
    """Reduce reviews to one set of matrices per paper. Reviews without a complete prediction count in v, not in P."""
    papers, signals = len(reviews.papers), len(reviews.scale)
    counts = count_ratings(reviews.paper, reviews.rating, papers, signals)
    has_prediction = reviews.has_prediction
    if has_prediction.all():
        return Matrices(reviews, counts, counts)
    predicted = count_ratings(reviews.paper[has_prediction], reviews.rating[has_prediction], papers, signals)
    return Matrices(reviews, counts, predicted)
