"""E_v phi - E_q phi without rounding, for papers whose predictions nearly agree.

There the score divides by a number near zero, and what mean and prior lose in their subtraction would be multiplied.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from surpeer.core.fixed_point import FixedPointSums
from surpeer.core.shapes import FloatArray, IntArray, level_sums

# Of a paper with two signals: then counts times sums times counts stay within the whole numbers that floats hold.
FEW_REVIEWS = 90


def surprise_in_whole_numbers(
    counts: IntArray, sums: FixedPointSums, predicted: IntArray, values: FloatArray
) -> FloatArray:
    """`exact_surprise` of sums as they are added up: (N, K, K). With two signals and few reviews without fractions."""
    result = np.empty(len(counts))
    quick = sums.in_64_bits() & (level_sums(counts) <= FEW_REVIEWS) & (len(values) == 2)
    rows = np.flatnonzero(quick)
    towards = sums.parts[0][rows, 0, 1] * predicted[rows, 1]
    both = towards + sums.parts[0][rows, 1, 0] * predicted[rows, 0]
    n = level_sums(counts[rows])
    result[rows] = (counts[rows, 1] * both - n * towards) / (n * both) * (values[-1] - values[0])
    rows = np.flatnonzero(~quick)
    result[rows] = exact_surprise(counts[rows], sums.take(rows).to_integers(), predicted[rows], values)
    return result


def exact_surprise(counts: IntArray, sums: NDArray[np.object_], predicted: IntArray, values: FloatArray) -> FloatArray:
    """Mean rating less the rating that the prior leads one to expect, correctly rounded.

    counts : (N, K), sums : (N, K, K) sums of predictions in whole numbers, predicted : (N, K) how many went into each
    row of sums, values : (K,); returns (N,). No sum may be zero whose counterpart is not.

    >>> sums = np.array([[[6, 4], [3, 7]]], dtype=object)
    >>> exact_surprise(np.array([[1, 2]]), sums, np.array([[1, 1]]), np.array([0.0, 1.0])).round(6)
    array([0.095238])
    """
    phi = [Fraction(repr(float(value))) for value in values]
    return np.array([_surprise(*paper, phi) for paper in zip(counts, sums, predicted, strict=True)], dtype=np.float64)


def _surprise(counts: IntArray, sums: NDArray[np.object_], predicted: IntArray, phi: list[Fraction]) -> float:
    signals = range(len(phi))
    n = [int(number) for number in predicted]
    total = Fraction(0)
    for s in signals:
        if len(phi) == 2:  # the same for two signals, where P_ss = 0 does not matter
            other = 1 - s
            towards, away = int(sums[other, s]) * n[s], int(sums[s, other]) * n[other]
            q = Fraction(towards, towards + away)
        else:
            q = 1 / sum(
                (Fraction(int(sums[s, t]) * n[t], int(sums[t, s]) * n[s]) for t in signals if sums[t, s]), Fraction(0)
            )
        total += (Fraction(int(counts[s]), int(counts.sum())) - q) * phi[s]
    return float(total)
