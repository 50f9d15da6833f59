"""Comparing scored papers: the paper's pairwise rule, as numbers and as the classes that a ranking works with.

The rule: the score decides when both papers have one (infinities included), the mean rating when either has not;
equal means a coin toss. Scores that differ by no more than TIE_TOLERANCE are equal: the same number reached by
different floating-point routes must not decide a rank.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import BoolArray, FloatArray, IntArray

# Relative for numbers above one, absolute below.
TIE_TOLERANCE = 1e-12


def prefer(
    score_a: ArrayLike,
    defined_a: ArrayLike,
    mean_a: ArrayLike,
    score_b: ArrayLike,
    defined_b: ArrayLike,
    mean_b: ArrayLike,
) -> FloatArray:
    """Probability that A is ranked above B: 1, 0, or 1/2 for a tie (comparison section of the paper). All (...).

    >>> float(prefer(2.0, True, 0.2, np.inf, True, 1.0)), float(prefer(2.0, True, 0.2, np.nan, False, 0.2))
    (0.0, 0.5)
    """
    both = np.asarray(defined_a) & np.asarray(defined_b)
    a = np.where(both, score_a, mean_a).astype(np.float64)
    b = np.where(both, score_b, mean_b).astype(np.float64)
    return np.where(nearly_equal(a, b), 0.5, (a > b).astype(np.float64))


def nearly_equal(a: FloatArray, b: FloatArray) -> BoolArray:
    """Equal up to TIE_TOLERANCE; infinities are equal to themselves only."""
    size = np.maximum(1.0, np.minimum(np.abs(a), np.abs(b)))
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= TIE_TOLERANCE * size
    return np.asarray((a == b) | (near & np.isfinite(a) & np.isfinite(b)))


def tie_classes(numbers: FloatArray) -> IntArray:
    """Dense classes of nearly equal numbers, 0 the highest. A chain of near neighbours is one class.

    >>> tie_classes(np.array([0.3, 0.1 + 0.2, np.inf, -1.0])).tolist()
    [1, 1, 0, 2]
    """
    order = np.argsort(-numbers)
    ranked = numbers[order]
    classes = np.empty(len(numbers), dtype=np.int64)
    new_class = ~nearly_equal(ranked[1:], ranked[:-1])
    classes[order] = np.concatenate([np.zeros(min(1, len(ranked)), dtype=np.int64), np.cumsum(new_class)])
    return classes


@dataclass(frozen=True, slots=True)
class Contest:
    """Papers reduced to what the pairwise rule sees: (n,) arrays, lower class is better.

    `score` is a class among the defined papers, and means nothing where `defined` is False.
    """

    score: IntArray
    mean: IntArray
    defined: BoolArray

    @classmethod
    def of(cls, score: FloatArray, defined: BoolArray, mean: FloatArray) -> "Contest":
        classes = np.zeros(len(score), dtype=np.int64)
        classes[defined] = tie_classes(score[defined])
        return cls(classes, tie_classes(mean), defined)

    def take(self, rows: IntArray) -> "Contest":
        return Contest(self.score[rows], self.mean[rows], self.defined[rows])

    def __len__(self) -> int:
        return len(self.mean)

    def beats(self) -> BoolArray:
        """(n, n): whether the paper of the row strictly beats that of the column."""
        both = self.defined[:, None] & self.defined
        return np.where(both, self.score[:, None] < self.score, self.mean[:, None] < self.mean)
