"""Reviews -> Matrices: per paper, how often each level was given and what those who gave it predicted."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core.determinant import log_determinant, mean_predictions
from surpeer.core.fixed_point import FixedPointSums, sum_by_cell
from surpeer.core.frequency import count_ratings, frequencies, mean_rating
from surpeer.core.joint import prior_from_predictions
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.reviews import Reviews
from surpeer.scale import Scale


@dataclass(frozen=True)
class Matrices:
    """What the methods score. N papers, K levels; papers are in the order of `papers`."""

    scale: Scale
    papers: pl.Series
    counts: IntArray
    """(N, K) reviews that gave each level."""
    predicted: IntArray
    """(N, K) reviews that gave each level and made a prediction."""
    sums: FixedPointSums
    """(N, K, K) exact sums of the predictions of those who gave each level."""

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
        """(N, K, K) prediction matrix; a row of NaN where nobody both gave the level and predicted."""
        return mean_predictions(self.sums, self.predicted)

    @cached_property
    def complete(self) -> BoolArray:
        """(N,) whether every row of P exists."""
        return np.asarray((self.predicted > 0).all(axis=1))

    @cached_property
    def q(self) -> FloatArray:
        """(N, K) prior that P implies, NaN where P is not complete."""
        return prior_from_predictions(self.P)

    @cached_property
    def _determinant_of_P(self) -> tuple[IntArray, FloatArray]:
        return log_determinant(self.P, self.sums, self.predicted, self.complete)

    @cached_property
    def log_determinant(self) -> FloatArray:
        """(N,) logarithm of det U = det P * prod(q) where that is positive, NaN elsewhere."""
        with np.errstate(divide="ignore"):
            total = self._determinant_of_P[1] + np.log(self.q).sum(axis=1)
        return np.where(np.isfinite(total), total, np.nan)

    @cached_property
    def determinant(self) -> FloatArray:
        """(N,) det U, exactly zero where it is; NaN where P is not complete."""
        negative = np.where(self.complete, 0.0, np.nan)
        below = np.flatnonzero(self.complete & (self._determinant_of_P[0] < 0))
        negative[below] = np.minimum(np.linalg.det(self.q[below, :, None] * self.P[below]), 0.0)
        return np.where(self.coherent, np.exp(self.log_determinant), negative)

    @cached_property
    def coherent(self) -> BoolArray:
        """(N,) complete, and det U positive. The sign is decided exactly, not in floats."""
        return np.isfinite(self.log_determinant)


def build_matrices(reviews: Reviews) -> Matrices:
    """Reduce reviews to one set of matrices per paper. Reviews without a prediction count in v, not in P."""
    papers, signals = len(reviews.papers), len(reviews.scale)
    has_prediction = reviews.has_prediction
    if has_prediction.all():
        paper, rating, predictions = reviews.paper, reviews.rating, reviews.predictions
    else:
        paper, rating = reviews.paper[has_prediction], reviews.rating[has_prediction]
        predictions = reviews.predictions[has_prediction]
    counts = count_ratings(reviews.paper, reviews.rating, papers, signals)
    return Matrices(
        scale=reviews.scale,
        papers=reviews.papers,
        counts=counts,
        predicted=counts if has_prediction.all() else count_ratings(paper, rating, papers, signals),
        sums=sum_by_cell(predictions, paper * np.int64(signals) + rating, (papers, signals)),
    )
