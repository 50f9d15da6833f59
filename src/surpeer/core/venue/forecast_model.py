"""What a venue's forecasts say about its papers: each paper's prior, and how much noise is in its ratings.

The model, in the coordinates of `canonical_basis` (h, orthonormal under the typical prior q):

    F_i  =  mu_p  +  g_p R Z_i  +  error           F_i = E_{forecast i} h,   Z_i = h(x_i) q[x_i] / q_p[x_i]
    mu_p ~  N(lam_p m, lam_p^2 T)                  q_p = q (1 + sum_k mu_pk h_k),   g_p = (1 - lam_p)^2

It is the paper's model: p_i = q_p + g_p C[x_i] / q_p[x_i] with q_p = (1 - lam_p) q + lam_p b_p, where R is the
covariance C in these coordinates, m and T are mean and variance of the biases b_p, and `error` is what people add. The
noise level lam_p is one of LEVELS, all alike beforehand.  Only the product of g and R can be
seen in forecasts; levels are kept at their average by definition. `fit_forecasts` finds the parameters.

Arrays over papers have the papers last: (J, N) coordinates, (L, N) levels, (J, L, N) both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray, rows_at
from surpeer.core.venue.columnwise import times_columns

LEVELS = (np.arange(10) + 0.5) / 10 * 0.95
"""Noise levels that a paper may have. At level 1 ratings would carry nothing."""
SIGNAL = (1 - LEVELS) ** 2
"""g of each level: what is left of the variance of the clean states."""
LEAST_RATIO = 1e-3
"""Of a paper's prior to the typical one, at any level."""
LEAST_DIVISOR = 1e-300
"""Of what forecasts imply: one can be divided by it."""


class Bias(NamedTuple):
    """How biases differ from the typical prior, over papers."""

    mean: FloatArray
    """(J,) m"""
    variance: FloatArray
    """(J,) T"""


@dataclass(frozen=True)
class Readings:
    """What the forecasts of N papers say."""

    size: IntArray
    """(N,) number of forecasts."""
    said: FloatArray
    """(J, N) mean of F; 0 where there is no forecast."""
    own: FloatArray
    """(J, N) mean of R Z, the part that reviewers' own ratings explain at full signal; 0 where there is none."""
    chances: FloatArray
    """(L, N) of the noise levels, after the forecasts."""

    @classmethod
    def nothing(cls, papers: int, size: int) -> "Readings":
        """Papers of which nobody made a forecast. size : J"""
        chances = np.full((len(LEVELS), papers), 1 / len(LEVELS))
        return cls(np.zeros(papers, dtype=np.int64), np.zeros((size, papers)), np.zeros((size, papers)), chances)

    def take(self, papers: IntArray) -> "Readings":
        at, arrays = rows_at(papers), (self.said, self.own, self.chances)
        if isinstance(at, slice):
            return Readings(self.size[at], *(array[:, at] for array in arrays))
        return Readings(self.size[at], *(np.take(array, at, axis=1) for array in arrays))

    def fill(self, papers: IntArray, part: "Readings") -> None:
        """Put what was read of some papers, and maybe of a copy at the end, in its place."""
        every, at = slice(len(papers)), rows_at(papers)
        self.size[at] = part.size[every]
        for whole, of_part in ((self.said, part.said), (self.own, part.own), (self.chances, part.chances)):
            whole[:, at] = of_part[:, every]


class Sizes:
    """How many forecasts N papers have, so that what depends on nothing else is computed once for each number.

    Papers with equally many should be next to each other.
    """

    def __init__(self, size: IntArray) -> None:
        starts = [0, *(np.flatnonzero(size[1:] != size[:-1]) + 1).tolist()]
        self.distinct = size[starts]
        """(C,)"""
        self.runs = [slice(start, end) for start, end in zip(starts, [*starts[1:], len(size)], strict=True)]
        """Which papers have so many."""

    def spread_out(self, table: FloatArray) -> FloatArray:
        """(..., C) for each distinct number -> (..., N), or (..., 1) if it is the same for all papers."""
        return table if len(self.runs) == 1 else np.repeat(table, [run.stop - run.start for run in self.runs], axis=-1)

    def apply(self, matrix: Callable[[int], FloatArray], columns: FloatArray) -> FloatArray:
        """(R, N) for each paper, the (R, F) matrix that belongs to its number of forecasts times its column of (F, N).

        To the last bit the same whatever papers are beside it.
        """
        if len(self.runs) == 1:
            return times_columns(matrix(int(self.distinct[0])), columns)
        runs = zip(self.distinct.tolist(), self.runs, strict=True)
        return np.concatenate([times_columns(matrix(count), columns[:, run]) for count, run in runs], axis=1)


def precision(size: IntArray, bias: Bias, error: FloatArray) -> FloatArray:
    """(J, L, C) one over the variance of what so many forecasts imply about mu; 0 where there are none.

    size : (C,)
    """
    variance = (bias.variance[:, None] * LEVELS**2)[:, :, None] + error[:, None, None] / np.maximum(size, 1)
    return np.asarray((size > 0) / np.maximum(variance, LEAST_DIVISOR))


def bias_posterior(readings: Readings, bias: Bias, error: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shrink each paper's implied prior towards the venue's, for every level.

    Returns (J, L, N), (J, L, N or 1) and (J, L, N or 1): posterior mean and variance of mu, and the weight of the
    paper's own forecasts.
    """
    sizes = Sizes(readings.size)
    spread = (bias.variance[:, None] * LEVELS**2)[:, :, None]
    start = (bias.mean[:, None] * LEVELS)[:, :, None]
    weight = spread * precision(sizes.distinct, bias, error)
    middle = readings.own[:, None] * sizes.spread_out(-SIGNAL[:, None] * weight)
    middle += readings.said[:, None] * sizes.spread_out(weight)
    middle += sizes.spread_out(start * (1 - weight))
    return middle, sizes.spread_out(spread * (1 - weight)), sizes.spread_out(weight)
