"""What the methods need to know of each paper: sums over its reviews, in whole numbers.

However the reviews are spread over files, processes or machines, and in whatever order they come, the sums are the same
to the last digit, and so are the scores. There are two ways to them: from Reviews in memory, here, and from the sums
that an engine made of more reviews than fit into memory (surpeer.engines).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from surpeer.core.fixed_point import FixedPointSums, sum_by_cell
from surpeer.core.frequency import count_ratings
from surpeer.core.shapes import BoolArray, IntArray
from surpeer.reviews import Reviews
from surpeer.scale import Scale

if TYPE_CHECKING:
    from surpeer.core.venue.moments import Moments


class PaperStatistics(ABC):
    """N papers on K levels."""

    counts: IntArray
    """(N, K) reviews that gave each level."""
    predicted: IntArray
    """(N, K) reviews that gave each level and made a complete prediction."""

    @property
    @abstractmethod
    def scale(self) -> Scale: ...

    @property
    @abstractmethod
    def papers(self) -> pl.Series:
        """(N,) ids."""

    @property
    @abstractmethod
    def track(self) -> pl.Series | None:
        """(N,) the part of the venue that each paper belongs to."""

    @property
    @abstractmethod
    def forecasts(self) -> IntArray:
        """(N,) reviews that predict anything: a share for some level, or an expected rating."""

    @abstractmethod
    def prediction_sums(self, chosen: BoolArray) -> FixedPointSums:
        """(C, K, K) exact sums of complete predictions by rating, for the C papers that are chosen: (N,)."""

    @abstractmethod
    def moments(self, papers: IntArray) -> "Moments":
        """What the venue method needs to know of these papers, which it takes for a venue: positions, ascending."""


@dataclass(frozen=True)
class StatisticsOfReviews(PaperStatistics):
    """Added up when asked for: on a fine scale with few reviewers hardly any paper needs it for most methods."""

    source: Reviews

    @property
    def scale(self) -> Scale:
        return self.source.scale

    @property
    def papers(self) -> pl.Series:
        return self.source.papers

    @property
    def track(self) -> pl.Series | None:
        return self.source.track

    @cached_property
    def counts(self) -> IntArray:  # type: ignore[override]
        return count_ratings(self.source.paper, self.source.rating, len(self.papers), len(self.scale))

    @cached_property
    def predicted(self) -> IntArray:  # type: ignore[override]
        source, rows = self.source, self.source.has_prediction
        if rows.all():
            return self.counts
        return count_ratings(source.paper[rows], source.rating[rows], len(self.papers), len(self.scale))

    @cached_property
    def forecasts(self) -> IntArray:
        return np.bincount(self.source.paper[self.source.has_forecast], minlength=len(self.papers))

    def prediction_sums(self, chosen: BoolArray) -> FixedPointSums:
        source, signals, papers = self.source, len(self.scale), int(chosen.sum())
        if len(chosen) > papers > len(chosen) // 2:  # then picking out their reviews takes longer than adding all up
            return self.prediction_sums(np.ones_like(chosen)).take(np.flatnonzero(chosen))
        rows = source.has_prediction if papers == len(chosen) else source.has_prediction & chosen[source.paper]
        paper, rating, predictions = source.paper, source.rating, source.predictions
        if not rows.all():
            paper, rating, predictions = paper[rows], rating[rows], predictions[rows]
        position = np.cumsum(chosen) - 1
        return sum_by_cell(predictions, position[paper] * signals + rating, (papers, signals))

    def moments(self, papers: IntArray) -> "Moments":
        from surpeer.core.venue.moments import moments_of_reviews

        source, values = self.source, np.asarray(self.scale.values)
        expected = source.expected if source.expected is not None else np.full(len(source), np.nan)
        if len(papers) == len(self.papers):  # a venue without tracks: nothing to pick out
            return moments_of_reviews(self.counts, source.paper, source.rating, source.predictions, expected, values)
        number = np.full(len(self.papers), -1, dtype=np.int64)  # of each paper among the chosen
        number[papers] = np.arange(len(papers))
        paper = number[source.paper]
        rows = paper >= 0
        return moments_of_reviews(
            self.counts[papers], paper[rows], source.rating[rows], source.predictions[rows], expected[rows], values
        )
