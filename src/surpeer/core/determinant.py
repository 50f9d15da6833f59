"""Is a prediction matrix coherent (det P > 0), and by how much: decided exactly, computed fast.

Floats decide where they are far enough from zero. The rest is decided in whole numbers, as the sums of predictions
are known (surpeer.core.fixed_point), so that the answer does not depend on rounding or on the order of the reviews.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surpeer.core.fixed_point import COARSE, FixedPointSums
from surpeer.core.shapes import BoolArray, FloatArray, IntArray

EPSILON = float(np.finfo(np.float64).eps)

# Relative error that the score may take from a determinant computed in floats; beyond it the exact one is used.
SCORE_ACCURACY = 1e-13

# Determinants of at most so many signals are expanded, if no number on the way can leave the whole numbers of 64 bits.
FEW_SIGNALS = 5
LARGEST = 9e18


def mean_predictions(sums: FixedPointSums, predicted: IntArray) -> FloatArray:
    """P: the mean prediction of those who rated each level, a row of NaN where nobody both rated and predicted.

    sums : (..., K, K), predicted : (..., K) number of predictions in each row; returns (..., K, K)
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(sums.to_float() / (predicted[..., None] * float(COARSE)))


class Determinants(NamedTuple):
    """Of prediction matrices, (N,) each."""

    sign: IntArray
    """0 also where the predictions do not determine it."""
    logarithm: FloatArray
    """log det P, NaN unless the sign is 1."""
    doubtful: BoolArray
    """So near to zero that floats were not trusted."""


def determinants(P: FloatArray, sums: FixedPointSums, predicted: IntArray) -> Determinants:
    """Sign and logarithm of det P.

    P : (N, K, K), the means of sums : (N, K, K) over predicted : (N, K), every entry of which is positive
    """
    by_float = _two_signals(P) if P.shape[-1] == 2 else _many_signals(P)
    sign, logarithm = by_float.sign, by_float.logarithm
    sign[by_float.singular & ~sums.exact] = 0  # zero up to the last bit of the predictions: no sign is known
    doubtful = np.flatnonzero(by_float.doubtful & (sums.exact | ~by_float.singular))
    if len(doubtful):
        sign[doubtful], logarithm[doubtful] = _in_whole_numbers(sums.take(doubtful), predicted[doubtful])
    logarithm[sign <= 0] = np.nan
    return Determinants(sign, logarithm, by_float.doubtful)


def _in_whole_numbers(sums: FixedPointSums, predicted: IntArray) -> tuple[IntArray, FloatArray]:
    sign, logarithm = np.empty(len(predicted), dtype=np.int64), np.empty(len(predicted))
    small = np.zeros(len(predicted), dtype=np.bool_)
    signals = predicted.shape[-1]
    if len(sums.parts) == 1 and signals <= FEW_SIGNALS:
        unit = np.gcd.reduce(sums.parts[0].reshape(len(predicted), -1), axis=1)
        whole = sums.parts[0] // np.maximum(unit, 1)[:, None, None]
        small = whole.max(axis=(1, 2), initial=0) ** float(signals) * math.factorial(signals) < LARGEST
        sign[small], logarithm[small] = _in_64_bits(whole[small], unit[small], predicted[small])
    if not small.all():
        sign[~small], logarithm[~small] = _in_integers(sums.take(np.flatnonzero(~small)), predicted[~small])
    return sign, logarithm


def _in_64_bits(whole: IntArray, unit: IntArray, predicted: IntArray) -> tuple[IntArray, FloatArray]:
    """Sums that are small in their largest common unit, as those of people are: as below, without Python's integers."""
    determinant = _expanded(whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        row_totals = np.log(predicted * float(COARSE)).sum(axis=1)
        logarithm = np.log(determinant) + predicted.shape[-1] * np.log(unit) - row_totals
    return np.sign(determinant), np.where(determinant > 0, logarithm, np.nan)


def _expanded(matrices: IntArray) -> IntArray:
    """(N,) determinants of whole numbers, by the first row."""
    size = matrices.shape[-1]
    if size == 1:
        return np.asarray(matrices[:, 0, 0])
    others = range(size)
    minors = (_expanded(matrices[:, 1:][:, :, [at for at in others if at != column]]) for column in others)
    terms = (matrices[:, 0, column] * minor * (-1) ** column for column, minor in enumerate(minors))
    return sum(terms, start=np.zeros(len(matrices), dtype=np.int64))


def _in_integers(sums: FixedPointSums, predicted: IntArray) -> tuple[IntArray, FloatArray]:
    whole = sums.to_integers()  # (N, K, K)
    if whole.shape[-1] == 2:
        determinants = whole[:, 0, 0] * whole[:, 1, 1] - whole[:, 0, 1] * whole[:, 1, 0]
    else:
        determinants = np.array([integer_determinant(matrix) for matrix in whole], dtype=object)
    sign = np.sign(determinants).astype(np.int64)
    row_totals = np.prod(predicted.astype(object) * sums.denominator, axis=1)  # (N,), turns sums into means
    logarithm = np.array(
        [math.log(d) - math.log(total) if d > 0 else np.nan for d, total in zip(determinants, row_totals, strict=True)]
    )
    return sign, logarithm.astype(np.float64)


def integer_determinant(matrix: NDArray[np.object_]) -> int:
    """The determinant of a square matrix of Python integers, by Bareiss' fraction-free elimination.

    >>> integer_determinant(np.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]], dtype=object))
    18
    """
    rows = [[int(entry) for entry in row] for row in matrix]
    size, sign, previous = len(rows), 1, 1
    for k in range(size - 1):
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for i in range(k + 1, size):
            for j in range(k + 1, size):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // previous
        previous = rows[k][k]
    return sign * rows[-1][-1]


class _ByFloat(NamedTuple):
    sign: IntArray
    logarithm: FloatArray
    doubtful: BoolArray  # too near to zero for the accuracy that the score wants
    singular: BoolArray  # zero up to rounding


def _two_signals(P: FloatArray) -> _ByFloat:
    with_itself, with_other = P[:, 0, 0] * P[:, 1, 1], P[:, 0, 1] * P[:, 1, 0]
    determinant, size = with_itself - with_other, with_itself + with_other
    distance = np.abs(determinant)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.log(determinant)
    return _ByFloat(
        (determinant > 0).astype(np.int64) - (determinant < 0),
        logarithm,
        distance * SCORE_ACCURACY <= 4 * EPSILON * size,
        distance <= 8 * EPSILON * size,
    )


def _many_signals(P: FloatArray) -> _ByFloat:
    signals = P.shape[-1]
    spectrum = np.linalg.svd(P, compute_uv=False)  # (N, K), largest first
    largest, smallest = spectrum[:, 0], spectrum[:, -1]
    sign, logarithm = np.linalg.slogdet(P)
    # The error of an eliminated determinant is about K eps times the condition number; the score takes the
    # 2 (K - 1)-th root of it.
    error = 4 * signals * EPSILON * largest
    return _ByFloat(
        sign.astype(np.int64), logarithm, error >= 2 * (signals - 1) * SCORE_ACCURACY * smallest, smallest <= 2 * error
    )
