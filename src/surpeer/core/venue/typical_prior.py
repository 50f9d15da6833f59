"""The prior of a paper that nothing pushes, from the priors of papers that are pushed in different directions."""

from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray

LEAST_SHARE = 1e-4
ROUNDS, CLOSE_ENOUGH = 30, 1e-5
ROUNDING = 1e-9
LOW = 0.1


def typical_prior(priors: FloatArray, start: FloatArray) -> FloatArray:
    """The q of the best fit  prior_p = s_p q + what is left  in the sum of absolute differences.

    A cheap signal moves a share of the mass to some levels and scales all others down: q_p = (1 - lam) q + lam b. The
    mean of q_p has the average bias in it; a fit by absolute differences leaves out what only some levels of some
    papers have. Alternating weighted medians, begun where no paper is pushed (the start) and where all are (the least
    share that each level has in nearly every paper); the nearer fit counts.

    A few papers decide less than their medians suggest, so the start counts as one paper for each level.

    priors : (N, K); start : (K,), the venue's frequency of ratings; returns (K,)
    """
    papers, signals = priors.shape
    least = np.maximum(np.quantile(priors, LOW, axis=0), LEAST_SHARE)
    found = min((_fit(priors, first) for first in (start, least / least.sum())), key=lambda fit: fit.distance)
    return np.asarray((papers * found.q + signals * start) / (papers + signals))


class _Fit(NamedTuple):
    q: FloatArray
    distance: float
    """Sum of absolute differences."""


def _fit(priors: FloatArray, start: FloatArray) -> _Fit:
    q = start
    for _ in range(ROUNDS):
        scale = np.maximum(_weighted_median((priors / q).T, q[:, None]), LEAST_SHARE)  # (N,)
        new = np.maximum(_weighted_median(priors / scale[:, None], scale[:, None]), LEAST_SHARE)
        new = new / new.sum()
        near = np.abs(new - q).max() < CLOSE_ENOUGH
        q = new
        if near:
            break
    scale = _weighted_median((priors / q).T, q[:, None])
    return _Fit(np.asarray(q), float(np.abs(priors - scale[:, None] * q).sum()))


def _weighted_median(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """Over the first axis: (A, B) numbers, (A, 1) weights -> (B,)."""
    order = np.argsort(numbers, axis=0)
    heights = np.cumsum(weights[:, 0][order], axis=0)
    half = heights[-1] / 2
    low, high = (np.argmax(heights >= half * (1 + sign * ROUNDING), axis=0) for sign in (-1, 1))
    ends = [np.take_along_axis(numbers, np.take_along_axis(order, at[None], axis=0), axis=0)[0] for at in (low, high)]
    return np.asarray((ends[0] + ends[1]) / 2)  # two numbers where the weights are split evenly
