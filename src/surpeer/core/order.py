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

# So many numbers are looked at first to see whether only a few different ones occur.
SAMPLE = 4096

# Numbers at a time, so that what is in between stays in the fast part of memory.
BLOCK = 1 << 15

FEW_CLASSES = 16


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
    return class_of(numbers, class_floors(numbers))


def class_floors(numbers: FloatArray) -> FloatArray:
    """The lowest number of each class of nearly equal numbers, ascending: what `class_of` needs to know."""
    values = different_values(numbers)
    return values[class_starts(values)]


def class_starts(ordered: FloatArray) -> BoolArray:
    """Where another class begins in numbers that are in order, up or down."""
    starts = np.ones(len(ordered), dtype=np.bool_)
    for first in range(1, len(ordered), BLOCK):
        last = min(first + BLOCK, len(ordered))
        starts[first:last] = ~nearly_equal(ordered[first:last], ordered[first - 1 : last - 1])
    return starts


def class_of(numbers: FloatArray, floors: FloatArray) -> IntArray:
    """The class of each number, 0 the highest."""
    if len(floors) > FEW_CLASSES:
        return np.asarray(len(floors) - np.searchsorted(floors, numbers, side="right"))
    classes = np.full(len(numbers), len(floors), dtype=np.int8)
    for floor in floors.tolist():  # for a few classes this is faster
        classes -= numbers >= floor
    return classes.astype(np.int64)


def different_values(numbers: FloatArray) -> FloatArray:
    """The different numbers, ascending: np.unique, without sorting everything where a few numbers come again and again.

    Means of a few ratings are of that kind.
    """
    few = few_values(numbers) if len(numbers) > 4 * SAMPLE else None
    return np.unique(numbers) if few is None else few


def few_values(numbers: FloatArray) -> FloatArray | None:
    """The different numbers, ascending, if a sample says that they are few, and None if not."""
    values = np.unique(numbers[:: max(1, len(numbers) // SAMPLE)])
    if len(values) > SAMPLE // 4 or not len(values):
        return None
    known = values[len(values) - 1 - np.minimum(class_of(numbers, values), len(values) - 1)] == numbers
    return values if known.all() else np.union1d(values, numbers[~known])


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
