"""Forecasts in the order of their papers, and sums over the forecasts of each paper."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surpeer.core.shapes import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Forecasts:
    """R forecasts of N papers on K levels, those of one paper next to each other."""

    paper: IntArray
    """(R,) which paper, ascending."""
    rating: IntArray
    """(R,) the level that the reviewer gave."""
    shares: FloatArray
    """(R, K) predicted shares of the levels; each row sums to one."""
    papers: int
    """N, papers without a forecast included."""

    @cached_property
    def count(self) -> IntArray:
        """(N,) forecasts of each paper."""
        return np.bincount(self.paper, minlength=self.papers)

    @cached_property
    def present(self) -> BoolArray:
        """(N,) papers with a forecast."""
        return self.count > 0

    @cached_property
    def degrees_of_freedom(self) -> int:
        """Of differences between forecasts of one paper."""
        return len(self.paper) - int(self.present.sum())

    @cached_property
    def divisor(self) -> FloatArray:
        """(N, 1) the number of forecasts, 1 where there is none."""
        return np.maximum(self.count, 1).astype(np.float64)[:, None]

    @cached_property
    def _starts(self) -> IntArray:
        return np.searchsorted(self.paper, np.flatnonzero(self.present))

    def sum(self, rows: FloatArray) -> FloatArray:
        """(N, ...) sums over each paper's forecasts of (R, ...) rows."""
        sums = np.zeros((self.papers, *rows.shape[1:]))
        if len(rows):
            sums[self.present] = np.add.reduceat(rows, self._starts, axis=0)
        return sums

    def centred(self, rows: FloatArray) -> FloatArray:
        """(R, J) rows less the mean of their paper."""
        return np.asarray(rows - (self.sum(rows) / self.divisor)[self.paper])
