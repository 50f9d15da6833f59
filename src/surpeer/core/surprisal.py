"""The M*-invariant surprisal vector and the Surprisal-based Score."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import FloatArray, as_matrices, as_vectors, check_same_signals, is_singular


def noise_scale(U: ArrayLike) -> FloatArray:
    """det(U) ** (1 / (2 (K - 1))): what the score divides by. NaN where the determinant is not positive,
    or is zero up to rounding.

    A noise of level lam multiplies it by 1 - lam, as it does w - q, so that the quotient does not change.

    U : (..., K, K); returns (...)

    >>> float(noise_scale([[0.31, 0.19], [0.19, 0.31]]).round(6))
    0.244949
    """
    joints = as_matrices(U, "U")
    sign, log_determinant = np.linalg.slogdet(joints)  # the logarithm does not underflow with many signals
    positive = (sign > 0) & ~is_singular(joints)
    return noise_scale_from_log(np.where(positive, log_determinant, np.nan), joints.shape[-1])


def noise_scale_from_log(log_determinant: ArrayLike, signals: int) -> FloatArray:
    """`noise_scale` from the logarithm of det(U)."""
    return np.exp(np.asarray(log_determinant, dtype=np.float64) / (2 * (signals - 1)))


def surprisal_vector(w: ArrayLike, U: ArrayLike) -> FloatArray:
    """Surp*(w, U) = (w - q) det(U) ** (-1 / (2 (K - 1))), q the marginal of U (Definition 2).

    Invariant to every noise of the family M* (Theorem 1). With two signals the divisor is
    sqrt(q0 q1 (P11 - P01)) (Claim 3).

    w : (..., K), U : (..., K, K); returns (..., K), NaN where det(U) is not positive

    >>> surprisal_vector([0.2, 0.8], [[0.31, 0.19], [0.19, 0.31]]).round(4)
    array([-1.2247,  1.2247])
    >>> surprisal_vector([0.6, 0.4], [[0.5775, 0.1725], [0.1725, 0.0775]]).round(4)  # the same paper, seen with noise
    array([-1.2247,  1.2247])
    """
    states, joints = as_vectors(w, "w"), as_matrices(U, "U")
    check_same_signals(w=states, U=joints)
    return np.asarray((states - joints.sum(axis=-1)) / noise_scale(joints)[..., None])


def surprisal_score(w: ArrayLike, U: ArrayLike, values: ArrayLike) -> FloatArray:
    """S*(w, U) = (E_w phi - E_q phi) det(U) ** (-1 / (2 (K - 1))) (Definition 3).

    Its differences between papers have the sign of the differences in true quality, whatever the two papers'
    noises (Corollary 1).

    w : (..., K), U : (..., K, K), values : (K,), phi of each signal; returns (...), NaN where det(U) <= 0

    >>> float(surprisal_score([0.2, 0.8], [[0.31, 0.19], [0.19, 0.31]], [0, 1]).round(4))
    1.2247
    """
    vector = surprisal_vector(w, U)
    phi = as_vectors(values, "values")
    check_same_signals(w=vector, values=phi)
    return np.asarray((vector * phi).sum(axis=-1))
