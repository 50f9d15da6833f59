"""Prediction matrix -> prior -> joint distribution, and back (Claim 1 of the paper)."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import FloatArray, as_matrices, as_vectors, level_sums
from surpeer.errors import ArrayError


def prior_from_predictions(P: ArrayLike) -> FloatArray:
    """The prior over signals that a prediction matrix implies (Claim 1).

    q_s = 1 / sum_t (P_st / P_ts) with 0/0 = 0, because P_st / P_ts = q_t / q_s. With two signals the sum is
    q_0 = P10 / (P01 + P10), q_1 = P01 / (P01 + P10). The paper prints P11 in the numerator of q_1 in two places;
    that is a misprint (paper/DEVIATIONS.md, D1).

    Only matrices that come from one joint distribution give a q that sums to one. Real forecasts with more
    than two signals do not, and q is then returned as the formula has it (D5).

    P : (..., K, K), row s the mean prediction of those who rated s; returns (..., K)

    >>> prior_from_predictions([[0.77, 0.23], [0.69, 0.31]])
    array([0.75, 0.25])
    """
    predictions = _nonnegative(P, "P")
    if predictions.shape[-1] == 2:
        to_0, to_1 = predictions[..., 1, 0], predictions[..., 0, 1]
        return np.stack([_ratio(to_0, to_0 + to_1), _ratio(to_1, to_0 + to_1)], axis=-1)
    ratios = _ratio(predictions, np.swapaxes(predictions, -1, -2))  # (..., K, K)
    return _ratio(np.ones(ratios.shape[:-1]), level_sums(ratios))


def joint_from_predictions(P: ArrayLike) -> FloatArray:
    """The joint distribution of two reviewers' signals that a prediction matrix implies: U_st = q_s P_st (Claim 1).

    P : (..., K, K); returns (..., K, K)

    >>> joint_from_predictions([[0.62, 0.38], [0.38, 0.62]])
    array([[0.31, 0.19],
           [0.19, 0.31]])
    """
    predictions = _nonnegative(P, "P")
    return prior_from_predictions(predictions)[..., None] * predictions


def predictions_from_joint(U: ArrayLike) -> FloatArray:
    """What a Bayesian reviewer predicts after each signal: P_st = U_st / sum_t U_st (model section).

    U : (..., K, K); returns (..., K, K), with a row of NaN for a signal that never occurs

    >>> predictions_from_joint([[0.31, 0.19], [0.19, 0.31]])
    array([[0.62, 0.38],
           [0.38, 0.62]])
    """
    joints = _nonnegative(U, "U")
    with np.errstate(invalid="ignore"):
        return np.asarray(joints / joints.sum(axis=-1, keepdims=True))


def joint_from_dirichlet(alpha: ArrayLike) -> FloatArray:
    """The joint distribution of two reviewers' signals when states are drawn from Dirichlet(alpha): E[w' w].

    With two signals Dirichlet(b, a) is Beta(a, b) for the probability of the higher one.

    alpha : (..., K), positive; returns (..., K, K)

    >>> joint_from_dirichlet([1, 2])
    array([[0.16666667, 0.16666667],
           [0.16666667, 0.5       ]])
    """
    weights = as_vectors(alpha, "alpha")
    if not np.all((weights > 0) & np.isfinite(weights)):
        raise ArrayError(f"alpha goes from {weights.min()} to {weights.max()}, expected positive numbers")
    total = weights.sum(axis=-1, keepdims=True)
    mean = weights / total  # (..., K)
    products = mean[..., :, None] * mean[..., None, :] * total[..., None]
    diagonal = mean[..., None] * np.eye(weights.shape[-1])
    return np.asarray((products + diagonal) / (total[..., None] + 1))


def _nonnegative(array: ArrayLike, name: str) -> FloatArray:
    matrices = as_matrices(array, name)
    if np.any(matrices < 0):
        raise ArrayError(f"{name} has an entry {np.nanmin(matrices)}, expected probabilities of at least 0")
    return matrices


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Elementwise quotient with the paper's convention 0/0 = 0 (and x/0 = infinity for x > 0)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = numerator / denominator
    return np.where((numerator == 0) & (denominator == 0), 0.0, quotient)
