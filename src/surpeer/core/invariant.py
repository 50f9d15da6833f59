"""Invariant surprisal: how far a state is from the prior, whatever invertible noise it is seen through (Appendix B)."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import FloatArray, IntArray, as_matrices, as_vectors, check_same_signals, is_singular
from surpeer.errors import ArrayError


def invariant_surprisal(w: ArrayLike, U: ArrayLike) -> FloatArray:
    """Surp(w, U) = (w - q) U^-1 (w - q)', q the marginal of U (definition of the invariant surprisal, Theorem 4).

    Non-negative, zero at the prior, unchanged by any invertible noise, the family M* or not.

    w : (..., K), U : (..., K, K); returns (...), NaN where U is singular

    >>> float(invariant_surprisal([0, 1], [[0.8, 0], [0, 0.2]]).round(12))  # consensus: 1 / 0.2 - 1
    4.0
    """
    states, joints = as_vectors(w, "w"), as_matrices(U, "U")
    check_same_signals(w=states, U=joints)
    away = states - joints.sum(axis=-1)  # (..., K)
    singular = is_singular(joints)
    invertible = np.where(singular[..., None, None], np.eye(joints.shape[-1]), joints)
    solved = np.linalg.solve(invertible, away[..., None])[..., 0]  # (..., K)
    return np.where(singular, np.nan, (away * solved).sum(axis=-1))


def consensus_surprisal(q: ArrayLike) -> FloatArray:
    """1 / q_s - 1: the invariant surprisal of the state in which everybody gives signal s (consensus example).

    q : (..., K), positive; returns (..., K)

    >>> consensus_surprisal([0.8, 0.2])
    array([0.25, 4.  ])
    """
    prior = as_vectors(q, "q")
    if not np.all((prior > 0) & (prior < 1)):
        raise ArrayError(
            "q has an entry outside (0, 1): a signal that never or always occurs has no consensus surprisal"
        )
    return (1 - prior) / prior


def identify_consensus_state(surprisal: ArrayLike, q: ArrayLike) -> IntArray:
    """The clean consensus state behind an observed invariant surprisal, for a known unbalanced prior (Appendix B).

    Takes the signal whose consensus surprisal is nearest by ratio. With two signals this is the paper's rule:
    above 1 it is the rarer signal, otherwise the more frequent one.

    surprisal : (...), q : (..., K) with different entries; returns (...), the index of the signal

    >>> int(identify_consensus_state(3.2, [0.8, 0.2]))
    1
    """
    candidates = consensus_surprisal(q)
    ordered = np.sort(candidates, axis=-1)
    if np.any(np.diff(ordered, axis=-1) == 0):
        raise ArrayError("q has equal entries: signals that are equally frequent cannot be told apart by surprisal")
    observed = np.asarray(surprisal, dtype=np.float64)
    if not np.all(observed >= 0):
        raise ArrayError("surprisal has a negative or missing entry, expected at least 0")
    floor = np.finfo(np.float64).tiny  # a surprisal of exactly 0 is nearest to the most frequent signal
    distance = np.abs(np.log(np.maximum(observed, floor))[..., None] - np.log(candidates))
    nearest = distance <= distance.min(axis=-1, keepdims=True) + 1e-12  # in the middle, the more frequent signal
    return np.asarray(np.argmin(np.where(nearest, candidates, np.inf), axis=-1))
