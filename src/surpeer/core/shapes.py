"""Array aliases and the shape and simplex checks that all of core shares.

Signals (rating levels) are always the last axis, papers or replicates the leading ones: a state or frequency is
`(..., K)`, a prediction, joint or noise matrix `(..., K, K)`. Leading axes broadcast.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surpeer.errors import ArrayError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Number = TypeVar("Number", np.int64, np.float64)

# How far a distribution given to core may be from summing to one: room for rounding, not for another meaning.
SIMPLEX_TOLERANCE = 1e-6


def as_vectors(array: ArrayLike, name: str) -> FloatArray:
    """`array` as floats of shape (..., K), K >= 2."""
    vectors = np.asarray(array, dtype=np.float64)
    if vectors.ndim < 1 or vectors.shape[-1] < 2:
        raise ArrayError(f"{name} has shape {vectors.shape}, expected (..., K) with at least two signals K")
    return vectors


def as_matrices(array: ArrayLike, name: str) -> FloatArray:
    """`array` as floats of shape (..., K, K), K >= 2."""
    matrices = np.asarray(array, dtype=np.float64)
    if matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2] or matrices.shape[-1] < 2:
        raise ArrayError(f"{name} has shape {matrices.shape}, expected (..., K, K) with at least two signals K")
    return matrices


def as_distributions(array: ArrayLike, name: str) -> FloatArray:
    """`array` as floats of shape (..., K), each a probability distribution."""
    vectors = as_vectors(array, name)
    if not np.all(vectors >= 0):
        raise ArrayError(f"{name} has an entry {np.min(vectors)}, expected probabilities of at least 0")
    sums = vectors.sum(axis=-1)
    if not np.all(np.abs(sums - 1) <= SIMPLEX_TOLERANCE):
        worst = sums.flat[np.argmax(np.abs(sums - 1))]
        raise ArrayError(f"{name} has a row that sums to {worst}, expected 1")
    return vectors


def as_levels(array: ArrayLike, name: str) -> FloatArray:
    """`array` as noise levels: floats in [0, 1)."""
    levels = np.asarray(array, dtype=np.float64)
    if not np.all((levels >= 0) & (levels < 1)):
        raise ArrayError(f"{name} has an entry outside [0, 1): found {levels.min()} to {levels.max()}")
    return levels


def is_singular(matrices: FloatArray) -> BoolArray:
    """Whether each matrix has no inverse, up to the rounding of its entries: (...)."""
    return np.asarray(np.linalg.matrix_rank(matrices) < matrices.shape[-1])


def check_same_signals(**arrays: FloatArray) -> None:
    """All arrays speak of the same number of signals (their last axis)."""
    sizes = {name: array.shape[-1] for name, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise ArrayError(f"arrays differ in their number of signals: {listed}")


def weighted_sum(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """numbers @ weights, over the last axis, always in the same order.

    What a library of linear algebra makes of a product may depend, in the last digit, on which other rows are beside
    a row; a paper's score must not.

    numbers : (..., K); weights : (K,)
    """
    total = numbers[..., 0] * weights[0]
    for at in range(1, len(weights)):
        total = total + numbers[..., at] * weights[at]
    return np.asarray(total)


FEW_LEVELS = 8
"""Below this numpy adds one after the other, too, so that adding columns gives the same to the last digit."""


def level_sums(numbers: NDArray[Number]) -> NDArray[Number]:
    """numbers.sum(axis=-1), several times as fast where papers are many and levels few: (..., K) -> (...)."""
    levels = numbers.shape[-1]
    if not 0 < levels < FEW_LEVELS:
        return np.asarray(numbers.sum(axis=-1))
    total = numbers[..., 0]
    for at in range(1, levels):
        total = total + numbers[..., at]
    return np.asarray(total)


def paper_sums(numbers: NDArray[Number]) -> NDArray[Number]:
    """numbers.sum(axis=0), several times as fast where papers are many and numbers of each few: (N, ...) -> (...)."""
    return np.asarray(np.einsum("n...->...", numbers))


def rows_at(positions: IntArray) -> IntArray | slice:
    """The same positions as a slice where they come one after the other: then nothing has to be picked out, and what is
    found there is no copy."""
    if len(positions) and (positions[1:] == positions[:-1] + 1).all():
        return slice(int(positions[0]), int(positions[-1]) + 1)
    return positions


def at_every_level(conditions: BoolArray) -> BoolArray:
    """conditions.all(axis=-1), several times as fast where papers are many: (..., K) -> (...)."""
    every = conditions[..., 0]
    for at in range(1, conditions.shape[-1]):
        every = every & conditions[..., at]
    return np.asarray(every)
