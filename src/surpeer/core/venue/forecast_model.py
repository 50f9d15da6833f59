"""What a venue's forecasts say about its papers: each paper's prior, and how much noise is in its ratings.

The model, in the coordinates of `canonical_basis` (h, orthonormal under the typical prior q):

    F_i  =  mu_p  +  g_p R Z_i  +  error           F_i = E_{forecast i} h,   Z_i = h(x_i) q[x_i] / q_p[x_i]
    mu_p ~  N(lam_p m, lam_p^2 T)                  q_p = q (1 + sum_k mu_pk h_k),   g_p = (1 - lam_p)^2

It is the paper's model: p_i = q_p + g_p C[x_i] / q_p[x_i] with q_p = (1 - lam_p) q + lam_p b_p, where R is the
covariance C in these coordinates, m and T are mean and variance of the biases b_p, and `error` is what people add. The
noise level lam_p is one of LEVELS, all alike beforehand.  Only the product of g and R can be
seen in forecasts; levels are kept at their average by definition. `fit_forecasts` finds the parameters.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray

LEVELS = (np.arange(10) + 0.5) / 10 * 0.95
"""Noise levels that a paper may have. At level 1 ratings would carry nothing."""
SIGNAL = (1 - LEVELS) ** 2
"""g of each level: what is left of the variance of the clean states."""
LEAST_RATIO = 1e-3
"""Of a paper's prior to the typical one, at any level."""


@dataclass(frozen=True)
class PaperSums:
    """What the model needs to know of each paper's forecasts."""

    count: IntArray
    """(N,) number of forecasts."""
    said: FloatArray
    """(N, J) sum of F."""
    own: FloatArray
    """(N, J) sum of R Z, the part that reviewers' own ratings explain at full signal."""

    def take(self, papers: IntArray) -> "PaperSums":
        return PaperSums(self.count[papers], self.said[papers], self.own[papers])

    def without_forecasts(self) -> "PaperSums":
        """The same papers, had nobody made a forecast."""
        return PaperSums(np.zeros_like(self.count), np.zeros_like(self.said), np.zeros_like(self.own))

    @property
    def mean(self) -> FloatArray:
        """(L, N, J) the prior's coordinates that forecasts imply, for every level; 0 where there is no forecast."""
        divisor = np.maximum(self.count, 1)[:, None]
        return np.asarray((self.said - SIGNAL[:, None, None] * self.own) / divisor)


class Bias(NamedTuple):
    """How biases differ from the typical prior, over papers."""

    mean: FloatArray
    """(J,) m"""
    variance: FloatArray
    """(J,) T"""


@dataclass(frozen=True)
class ForecastModel:
    """The fitted model."""

    q: FloatArray
    """(K,) prior of a typical paper."""
    basis: FloatArray
    """(K, J)"""
    response: FloatArray
    """(J, J) R, how forecasts follow own ratings; its diagonal is the variance of clean states."""
    bias: Bias
    error: FloatArray
    """(J,) variance of what people add to a forecast."""
    level_chances: FloatArray
    """(N, L) of every paper, after its forecasts."""
    sums: PaperSums
    residual: FloatArray
    """(R,) first coordinate of each forecast less the part that the own rating explains."""


def bias_posterior(
    mean: FloatArray, count: IntArray, bias: Bias, error: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shrink each paper's implied prior towards the venue's, for every level.

    mean : (L, N, J) as of PaperSums; count : (N,)
    Returns (L, N, J) each: posterior mean and variance of mu, and the weight of the paper's own forecasts.
    """
    level = LEVELS[:, None, None]
    spread = level**2 * bias.variance  # (L, 1, J)
    noise = error / np.maximum(count, 1)[:, None]  # (N, J)
    weight = np.where(count[:, None] > 0, spread / np.maximum(spread + noise, 1e-300), 0.0)
    start = level * bias.mean
    return start + weight * (mean - start), spread * (1 - weight), weight
