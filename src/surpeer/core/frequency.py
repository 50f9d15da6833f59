"""Ratings -> counts and frequencies per paper -> mean rating."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surpeer.core.shapes import FloatArray, IntArray, as_vectors, check_same_signals, level_sums


def count_ratings(paper: NDArray[np.integer], rating: NDArray[np.integer], papers: int, signals: int) -> IntArray:
    """How often each paper got each signal.

    paper, rating : (n,) the paper and the signal of each review, as indices; returns (papers, signals)

    >>> count_ratings(np.array([0, 0, 1]), np.array([1, 1, 0]), papers=2, signals=2)
    array([[0, 2],
           [1, 0]])
    """
    cells = rating * np.int64(papers) + paper
    # Signals first in memory: sums over the few signals of many papers are then sums of whole columns.
    return np.bincount(cells, minlength=papers * signals).astype(np.int64).reshape(signals, papers).T


def frequencies(counts: ArrayLike) -> FloatArray:
    """v_s: the share of a paper's reviews that gave signal s (the paper's frequency vector).

    counts : (..., K); returns (..., K)

    >>> frequencies([1, 3])
    array([0.25, 0.75])
    """
    numbers = as_vectors(counts, "counts")
    return np.asarray(numbers / level_sums(numbers)[..., None])


def mean_rating(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """E_v phi: the baseline. Equal means come out as equal floats, whatever the numbers of reviews.

    The sum is taken in whole numbers (values such as 0.1 as 1 of 10), so that the one rounding is the division.

    counts : (..., K), values : (K,); returns (...)

    >>> float(mean_rating([1, 1, 1], [0.1, 0.2, 0.3]))
    0.2
    """
    numbers, phi = as_vectors(counts, "counts"), as_vectors(values, "values")
    check_same_signals(counts=numbers, values=phi)
    denominator = decimal_denominator(phi)
    total = numbers @ np.rint(phi * denominator) if denominator else numbers @ phi
    return np.asarray(total / (level_sums(numbers) * (denominator or 1)))


def decimal_denominator(values: FloatArray) -> int:
    """The smallest power of ten that makes all values whole, up to nine digits; 0 when there is none."""
    for digits in range(10):
        denominator = int(10**digits)
        if np.all(np.rint(values * denominator) / denominator == values):
            return denominator
    return 0
