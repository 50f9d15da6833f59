"""The paper's family of noises (its definition of M*) and what a noise does to states and joints."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import (
    FloatArray,
    as_distributions,
    as_levels,
    as_matrices,
    as_vectors,
    check_same_signals,
)
from surpeer.errors import ArrayError


def noise_matrix(level: ArrayLike, bias: ArrayLike) -> FloatArray:
    """M = (1 - level) I + level 1'b: the noise of the family M* with this level and bias (Definition 1).

    With probability `level` a reviewer does not see her clean signal but one drawn from `bias`.

    level : (...)     noise level, in [0, 1)
    bias  : (..., K)  distribution of the signal that is seen instead
    returns (..., K, K); entry (s, t) is the probability of seeing t when the clean signal is s

    >>> noise_matrix(0.5, [1, 0])  # half of the reviewers reject without reading
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    biases = as_distributions(bias, "bias")
    levels = as_levels(level, "level")[..., None, None]
    identity = np.eye(biases.shape[-1])
    return (1 - levels) * identity + levels * biases[..., None, :]


def noise_level_and_bias(noise: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The level and bias of a two-signal noise: every M with M11 > M01 is in the family (Claim 2).

    noise : (..., 2, 2)
    returns level (...) and bias (..., 2); where there is no noise every bias fits and NaN is returned

    >>> level, bias = noise_level_and_bias([[1, 0], [0.5, 0.5]])
    >>> float(level), bias
    (0.5, array([1., 0.]))
    """
    matrices = as_matrices(noise, "noise")
    if matrices.shape[-1] != 2:
        raise ArrayError(f"noise has {matrices.shape[-1]} signals; only for two is every noise in the family")
    as_distributions(matrices, "noise")
    reject_seen_as_accept, accept_seen_as_reject = matrices[..., 0, 1], matrices[..., 1, 0]
    level = reject_seen_as_accept + accept_seen_as_reject  # 1 - M11 + M01, without the cancellation
    if not np.all(level < 1):
        raise ArrayError(
            "noise is outside the family: it needs M11 > M01 (a clean accept is seen as accept more often)"
        )
    with np.errstate(invalid="ignore"):
        bias = np.stack([accept_seen_as_reject, reject_seen_as_accept], axis=-1) / level[..., None]
    return level, bias


def noisy_state(w: ArrayLike, noise: ArrayLike) -> FloatArray:
    """The state that reviewers see through a noise: w M (Claim 5), (1 - level) w + level b in the family (Claim 2).

    w : (..., K), noise : (..., K, K); returns (..., K)

    >>> noisy_state([0.2, 0.8], noise_matrix(0.5, [1, 0]))
    array([0.6, 0.4])
    """
    states, matrices = as_vectors(w, "w"), as_matrices(noise, "noise")
    check_same_signals(w=states, noise=matrices)
    return (states[..., None, :] @ matrices)[..., 0, :]


def noisy_joint(U: ArrayLike, noise: ArrayLike) -> FloatArray:
    """The joint distribution of two reviewers' signals seen through a noise: M' U M (Claim 5).

    U : (..., K, K), noise : (..., K, K); returns (..., K, K)

    >>> noisy_joint([[0.31, 0.19], [0.19, 0.31]], noise_matrix(0.5, [1, 0])).round(4)
    array([[0.5775, 0.1725],
           [0.1725, 0.0775]])
    """
    joints, matrices = as_matrices(U, "U"), as_matrices(noise, "noise")
    check_same_signals(U=joints, noise=matrices)
    return np.swapaxes(matrices, -1, -2) @ joints @ matrices
