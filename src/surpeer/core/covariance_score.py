"""Scores from the covariance of two reviewers' ratings instead of the determinant.

Noise scales the covariance C = U - q'q of paper states by one number, so any of its parts can be the noise scale. Here
it is the variance of the numeric rating, phi C phi', which two different ratings are enough to see.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.joint import prior_from_predictions
from surpeer.core.shapes import BoolArray, FloatArray, as_matrices, as_vectors, weighted_sum

# Variances are sums of products of shares; what is smaller than this is rounding.
ROUNDING = 1e-12


class RatingMoments(NamedTuple):
    """What predictions imply for the numeric rating of a paper, (...) each. NaN where they imply nothing."""

    expected: FloatArray
    """E_q phi, the rating to expect whatever the paper's quality."""
    variance: FloatArray
    """Var_q phi, of one rating."""
    covariance: FloatArray
    """phi C phi', of two ratings: the variance of quality."""


def rating_moments(P: ArrayLike, used: ArrayLike, values: ArrayLike) -> RatingMoments:
    """Moments of the rating from the predictions of those who gave each level.

    P : (..., K, K), a row of NaN where nobody gave the level and predicted; used : (..., K) which rows exist

    With all rows this is exact. With some, levels weigh as the rows that exist imply (Claim 1 among them, scaled to sum
    to one), and what those raters predict of all levels stands for everybody's.
    """
    predictions, phi = as_matrices(P, "P"), as_vectors(values, "values")
    exists = np.asarray(used, dtype=np.bool_)
    weights = level_weights(predictions, exists)  # (..., K)
    rows = np.where(exists[..., None], predictions, 0.0)
    mean, square = weighted_sum(rows, phi), weighted_sum(rows, phi**2)  # (..., K)
    expected = _average(weights, mean)
    own = _average(weights, np.broadcast_to(phi, mean.shape))
    covariance = _average(weights, (phi - own[..., None]) * (mean - expected[..., None]))
    return RatingMoments(expected, _average(weights, square) - expected**2, covariance)


def level_weights(P: FloatArray, used: BoolArray) -> FloatArray:
    """(..., K) how frequent the used levels are beside each other; 0 for the others, NaN where it cannot be told."""
    both = used[..., :, None] & used[..., None, :]
    among = np.where(np.eye(P.shape[-1], dtype=np.bool_), 1.0, np.where(both, P, 0.0))
    weights = np.where(used, prior_from_predictions(among), 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = weights / total
    known = (weights > 0) | ~used
    return np.where(known.all(axis=-1, keepdims=True) & used.any(axis=-1, keepdims=True), shares, np.nan)


def _average(weights: FloatArray, numbers: FloatArray) -> FloatArray:
    return np.asarray((weights * numbers).sum(axis=-1))


def surprisal_phi_score(mean: ArrayLike, moments: RatingMoments, values: ArrayLike) -> FloatArray:
    """S_phi = (E_v phi - E_q phi) / sqrt(phi C phi'), NaN where the variance is not positive. The paper's for K = 2."""
    return np.asarray((np.asarray(mean) - moments.expected) / _deviation(moments.covariance, values))


def _deviation(variance: FloatArray, values: ArrayLike) -> FloatArray:
    """Square root, NaN where the variance is zero up to rounding, or negative."""
    phi = as_vectors(values, "values")
    least = ROUNDING * (phi.max() - phi.min()) ** 2
    return np.sqrt(np.where(variance > least, variance, np.nan))


def reliability(moments: RatingMoments, n: ArrayLike) -> FloatArray:
    """Share of the mean of n ratings' variance that is quality: n r / (1 + (n - 1) r), r the intraclass correlation."""
    count = np.asarray(n, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.clip(moments.covariance / moments.variance, 0.0, 1.0)
    return np.asarray(count * correlation / (1 + (count - 1) * correlation))


def reversible_joint(U: ArrayLike) -> FloatArray:
    """The joint distribution made symmetric and scaled to one, so that its margins are one prior. (..., K, K)

    Nothing changes for a joint distribution. That of inconsistent predictions is neither, and has no prior otherwise.
    """
    joint = as_matrices(U, "U")
    symmetric = (joint + np.swapaxes(joint, -1, -2)) / 2
    return np.asarray(symmetric / symmetric.sum(axis=(-1, -2), keepdims=True))


def linear_bayes_score(v: ArrayLike, U: ArrayLike, n: ArrayLike, values: ArrayLike) -> FloatArray:
    """S_LB = phi C [C + (diag(q) - U) / n]^+ (v - q)' / sqrt(phi C phi'), the best linear estimate of quality.

    v : (..., K); U : (..., K, K), symmetric, of sum one; n : (...) number of ratings. NaN where phi C phi' or the
    matrix in brackets is not positive, so that nobody's ratings could have these variances.

    >>> linear_bayes_score([0, 1], [[0.31, 0.19], [0.19, 0.31]], 1, [0, 1]).round(4)
    np.float64(0.4899)
    """
    frequencies, phi, joint = as_vectors(v, "v"), as_vectors(values, "values"), as_matrices(U, "U")
    prior = joint.sum(axis=-1)
    covariance = joint - prior[..., :, None] * prior[..., None, :]
    sampling = prior[..., None] * np.eye(prior.shape[-1]) - joint
    total = covariance + sampling / np.asarray(n, dtype=np.float64)[..., None, None]
    eigenvalues, vectors = np.linalg.eigh(total + 1 / prior.shape[-1])  # the constant vector gets eigenvalue 1 for 0
    positive = (eigenvalues > ROUNDING).all(axis=-1)
    followed = weighted_sum(np.swapaxes(covariance, -1, -2), phi)  # (..., K)
    along = np.einsum("...kj,...k->...j", vectors, followed)
    surprise = np.einsum("...kj,...k->...j", vectors, frequencies - prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(positive, (along * surprise / eigenvalues).sum(axis=-1), np.nan)
    return np.asarray(estimate / _deviation(weighted_sum(followed, phi), values))
