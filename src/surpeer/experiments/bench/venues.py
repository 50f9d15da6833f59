"""A cell -> a made-up venue: its reviews, the true quality of its papers, and the oracle's estimate of it."""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.experiments.bench.grid import BIASES, FORECASTS, LARGEST_LEVEL, PRIORS, REVIEWERS, Cell
from surpeer.experiments.bench.oracles import posterior_mean
from surpeer.matrices import Matrices, build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale


class Venue(NamedTuple):
    """N papers."""

    matrices: Matrices
    quality: FloatArray
    """(N,) E_w phi, what a method should rank by."""
    oracle: FloatArray
    """(N,) the best estimate of it from the ratings."""


def draw_venue(cell: Cell, rng: np.random.Generator) -> Venue:
    """One random venue of this kind."""
    prior = PRIORS[cell.prior](cell.levels)
    scale = Scale(range(1, cell.levels + 1))
    values, q = np.asarray(scale.values), prior.joint.sum(axis=1)
    state = prior.sample(rng, cell.papers)
    level = rng.uniform(0, LARGEST_LEVEL, cell.papers)
    bias = BIASES[cell.bias](rng, q, cell.papers)
    fewest, most = REVIEWERS[cell.reviewers]
    paper = np.repeat(np.arange(cell.papers), rng.integers(fewest, most + 1, cell.papers))
    rating = _ratings(rng, (_through_noise(state, level, bias))[paper])
    seen_prior = _through_noise(q, level, bias)
    told = bayesian_forecasts(prior.joint, level[paper], seen_prior[paper], rating)
    rule = FORECASTS[cell.forecasts]
    if rule is not None:
        told = rule(rng, told, rating)
    matrices = build_matrices(Reviews(scale, pl.Series(np.arange(cell.papers)), paper, rating, told))
    return Venue(matrices, state @ values, posterior_mean(prior, matrices.counts, level, bias, values))


def bayesian_forecasts(joint: FloatArray, level: FloatArray, seen_prior: FloatArray, rating: IntArray) -> FloatArray:
    """What Bayesian reviewers predict who know the prior and the noise of their paper, (n, K).

    The noisy joint is (1 - level)^2 C + q'q with q the prior through the noise: row x of it over q_x is the forecast
    after the rating x. joint : (K, K) without noise, level : (n,), seen_prior : (n, K), rating : (n,)
    """
    q = joint.sum(axis=1)
    covariance = joint - np.outer(q, q)
    chance = np.take_along_axis(seen_prior, rating[:, None], axis=1)
    told = seen_prior + (1 - level[:, None]) ** 2 * covariance[rating] / chance
    return np.maximum(told, 0.0)  # where it is zero, rounding may leave it below


def _through_noise(w: FloatArray, level: FloatArray, bias: FloatArray) -> FloatArray:
    return np.asarray((1 - level[:, None]) * w + level[:, None] * bias)


def _ratings(rng: np.random.Generator, chances: FloatArray) -> IntArray:
    """One rating for each row of chances: (n, K) -> (n,)."""
    steps = np.cumsum(chances, axis=1)[:, :-1]
    return np.asarray((rng.random(len(chances))[:, None] > steps).sum(axis=1), dtype=np.int64)
