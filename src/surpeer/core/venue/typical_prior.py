"""The prior of a paper that nothing pushes, from the priors of papers that are pushed in different directions."""

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.weighted_median import decisive_level, median_over_levels, medians_over_papers

LEAST_SHARE = 1e-4
ROUNDS, CLOSE_ENOUGH, SAME = 30, 1e-5, 1e-14
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
    by_level = np.ascontiguousarray(priors.T)
    least = np.maximum(_low(by_level), LEAST_SHARE)
    least /= least.sum()
    q = _fit(by_level, start)
    other = q if _ways_meet(by_level, start, least) else _fit(by_level, least, q)
    if other is not q:
        q = min(q, other, key=lambda fit: _distance(by_level, fit))
    return np.asarray((papers * q + signals * start) / (papers + signals))


def _low(priors: FloatArray) -> FloatArray:
    """(K,) as np.quantile has it, which takes longer than all that follows. priors : (K, N)"""
    height = LOW * (priors.shape[1] - 1)
    below = int(height)
    above = min(below + 1, priors.shape[1] - 1)
    low, high = np.partition(priors, (below, above), axis=1)[:, [below, above]].T
    return np.asarray(low + (high - low) * (height - below))


def _ways_meet(priors: FloatArray, one: FloatArray, other: FloatArray) -> bool:
    """Whether both starts lead to the same q in one round: where one and the same level decides every median over
    levels, scales differ by a factor alone, unless something is held at its least. priors : (K, N)"""
    decisive = decisive_level(one)
    held = float(priors.min()) <= 2 * LEAST_SHARE * max(float(priors.max()), 1.0)
    return decisive is not None and decisive == decisive_level(other) and not held


def _distance(priors: FloatArray, q: FloatArray) -> float:
    """Sum of absolute differences. priors : (K, N)"""
    scale = median_over_levels(priors / q[:, None], q)
    return float(np.abs(priors - scale * q[:, None]).sum())


def _fit(priors: FloatArray, start: FloatArray, known: FloatArray | None = None) -> FloatArray:
    """priors : (K, N); known : where another start led, so that nothing is done twice from where the ways meet"""
    q = start
    for _ in range(ROUNDS):
        scale = np.maximum(median_over_levels(priors / q[:, None], q), LEAST_SHARE)  # (N,)
        new = np.maximum(medians_over_papers(priors / scale, scale, q), LEAST_SHARE)
        settled = _settled(q, scale, new)
        new /= new.sum()
        if known is not None and np.abs(new - known).max() < SAME:
            return known
        near = np.abs(new - q).max() < CLOSE_ENOUGH
        q = new
        if near or settled:
            break
    return np.asarray(q)


def _settled(q: FloatArray, scale: FloatArray, new: FloatArray) -> bool:
    """Whether another round would only scale everything: one and the same level decides every median before and after,
    and nothing is held at its least."""
    decisive = decisive_level(q)
    held = scale.min() <= LEAST_SHARE or new.min() <= LEAST_SHARE
    return decisive is not None and decisive == decisive_level(new) and not held
