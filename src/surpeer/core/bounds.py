"""Upper bounds on the probability that the score ranks the worse of two papers higher (Theorems 2 and 3)."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.noise import noise_matrix, noisy_state
from surpeer.core.shapes import FloatArray, as_distributions, as_levels, as_vectors, check_same_signals
from surpeer.errors import ArrayError


def error_bound_binary(
    w_a: ArrayLike,
    w_b: ArrayLike,
    n_a: ArrayLike,
    n_b: ArrayLike,
    level_a: ArrayLike,
    level_b: ArrayLike,
    bias_a: ArrayLike,
    bias_b: ArrayLike,
) -> FloatArray:
    """Bound on Pr[S(A) > S(B)] + Pr[S(A) = S(B)] / 2 when B is better, two signals (Theorem 2).

    w_a, w_b : (..., 2) clean states, accept less likely in w_a; n_a, n_b : (...) numbers of reviewers;
    level_a, level_b : (...) noise levels; bias_a, bias_b : (..., 2); returns (...)

    As printed, without a cap: with few reviewers it can exceed one.

    >>> bound = error_bound_binary([0.8, 0.2], [0.2, 0.8], 20, 20, 0, 0.5, [0, 1], [1, 0])
    >>> float(bound.round(6))
    0.056171
    """
    clean_a, clean_b = _pair(w_a, w_b)
    if clean_a.shape[-1] != 2:
        raise ArrayError(f"w_a has {clean_a.shape[-1]} signals, expected 2: use error_bound_general")
    seen_a = noisy_state(clean_a, noise_matrix(level_a, bias_a))[..., 1]
    seen_b = noisy_state(clean_b, noise_matrix(level_b, bias_b))[..., 1]
    size_a, size_b = _sizes(n_a, "n_a"), _sizes(n_b, "n_b")
    all_accept_a, all_accept_b = seen_a**size_a, seen_b**size_b
    all_reject_a, all_reject_b = (1 - seen_a) ** size_a, (1 - seen_b) ** size_b
    unanimous = all_accept_a + all_reject_b - (all_accept_a * all_accept_b + all_reject_a * all_reject_b) / 2
    gap = clean_b[..., 1] - clean_a[..., 1]
    _check_better(gap)
    return np.asarray(unanimous + _hoeffding(gap, 1.0, size_a, size_b, level_a, level_b))


def error_bound_general(
    w_a: ArrayLike,
    w_b: ArrayLike,
    values: ArrayLike,
    n_a: ArrayLike,
    n_b: ArrayLike,
    level_a: ArrayLike,
    level_b: ArrayLike,
    bias_a: ArrayLike,
    bias_b: ArrayLike,
) -> FloatArray:
    """Bound on Pr[S(A) > S(B)] + Pr[S(A) = S(B)] / 2 when B is better, any number of signals (Theorem 3).

    Arguments as in `error_bound_binary` with (..., K) states and biases, and values : (K,), phi of each signal.

    >>> bound = error_bound_general([0.6, 0.2, 0.2], [0.2, 0.2, 0.6], [1, 2, 3], 40, 40, 0, 0, [1, 0, 0], [1, 0, 0])
    >>> float(bound.round(6))
    0.002193
    """
    clean_a, clean_b = _pair(w_a, w_b)
    phi = as_vectors(values, "values")
    check_same_signals(w_a=clean_a, values=phi)
    seen_a = noisy_state(clean_a, noise_matrix(level_a, bias_a))
    seen_b = noisy_state(clean_b, noise_matrix(level_b, bias_b))
    size_a, size_b = _sizes(n_a, "n_a"), _sizes(n_b, "n_b")
    unused_a = ((1 - seen_a) ** size_a[..., None]).sum(axis=-1)
    unused_b = ((1 - seen_b) ** size_b[..., None]).sum(axis=-1)
    gap = ((clean_b - clean_a) * phi).sum(axis=-1)
    _check_better(gap)
    return np.asarray(unused_a + unused_b + _hoeffding(gap, float(np.ptp(phi)), size_a, size_b, level_a, level_b))


def _hoeffding(
    gap: FloatArray, spread: float, n_a: FloatArray, n_b: FloatArray, level_a: ArrayLike, level_b: ArrayLike
) -> FloatArray:
    """The exponential term, for known predictions. The lemma prints a further factor det(U) ** (-1 / (K - 1)) that
    its proof does not have; neither have we (paper/DEVIATIONS.md, D3)."""
    kept_a, kept_b = 1 - as_levels(level_a, "level_a"), 1 - as_levels(level_b, "level_b")
    variance = 1 / (n_a * kept_a**2) + 1 / (n_b * kept_b**2)
    return np.asarray(np.exp(-2 * gap**2 / (spread**2 * variance)), dtype=np.float64)


def _pair(w_a: ArrayLike, w_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    clean_a, clean_b = as_distributions(w_a, "w_a"), as_distributions(w_b, "w_b")
    check_same_signals(w_a=clean_a, w_b=clean_b)
    return clean_a, clean_b


def _sizes(numbers: ArrayLike, name: str) -> FloatArray:
    sizes = np.asarray(numbers, dtype=np.float64)
    if not np.all(sizes >= 1):
        raise ArrayError(f"{name} has an entry {sizes.min()}, expected at least one reviewer")
    return sizes


def _check_better(gap: FloatArray) -> None:
    if not np.all(gap >= 0):
        raise ArrayError("paper B must not be worse than paper A: exchange the two")
