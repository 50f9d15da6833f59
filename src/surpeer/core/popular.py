"""The Surprisingly Popular rule and the SP-inspired score (Appendix D)."""

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import FloatArray, IntArray, as_vectors, check_same_signals

# Two signals whose v/q differ by less than this share are equally popular: the lower one is answered.
POPULARITY_TOLERANCE = 1e-12


def popularity(v: ArrayLike, q: ArrayLike) -> FloatArray:
    """v_s / q_s: how much more often each signal was given than predicted, with 0/0 = 0.

    v : (..., K), q : (..., K); returns (..., K)

    >>> popularity([0.15, 0.85], [0.1, 0.9]).round(4)
    array([1.5   , 0.9444])
    """
    frequency, prior = as_vectors(v, "v"), as_vectors(q, "q")
    check_same_signals(v=frequency, q=prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((frequency == 0) & (prior == 0), 0.0, frequency / prior)


def surprisingly_popular(v: ArrayLike, q: ArrayLike) -> IntArray:
    """The signal that is most popular compared with the prior: argmax v_s / q_s (Appendix D).

    Equal popularity is answered with the lower signal, as the paper's binary rule does.

    v : (..., K), q : (..., K); returns (...), the index of the signal

    >>> int(surprisingly_popular([0.15, 0.85], [0.1, 0.9]))
    0
    """
    ratios = popularity(v, q)
    best = ratios.max(axis=-1, keepdims=True)
    return np.asarray(np.argmax(ratios >= best * (1 - POPULARITY_TOLERANCE), axis=-1))


def sp_inspired_score(v: ArrayLike, q: ArrayLike, values: ArrayLike) -> FloatArray:
    """sum_s phi(s) v_s / q_s: the SP-inspired score (Appendix D).

    With two signals the paper sets values = (-1, 1). The score changes with the zero of `values`, unlike the
    surprisal score.

    v : (..., K), q : (..., K), values : (K,); returns (...)

    >>> float(sp_inspired_score([0.15, 0.85], [0.1, 0.9], [-1, 1]).round(4))
    -0.5556
    """
    ratios, phi = popularity(v, q), as_vectors(values, "values")
    check_same_signals(v=ratios, values=phi)
    with np.errstate(invalid="ignore"):
        return np.asarray((ratios * phi).sum(axis=-1))
