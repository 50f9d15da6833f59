"""How far data may move us from a default: as far as they are evidence, and no further."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.shapes import FloatArray

LEAST_VARIANCE = 1e-9
"""Smaller ones are rounding: the unit is the variance of a rating."""

EVIDENT = 2.0
"""Standard errors beyond which something is so, where only yes or no will do."""


def as_far_as_evident(estimate: ArrayLike, default: ArrayLike, standard_error: ArrayLike) -> FloatArray:
    """The default, moved towards the estimate by the positive-part James-Stein factor max(0, 1 - (se / distance)^2).

    An estimate within one standard error of the default changes nothing; far beyond it, it is taken as it is. All of
    the venue method's choices between "as the model has it" and "as these people seem to be" are made by this one rule.

    >>> as_far_as_evident([0.5, 2.0, 20.0], 0.0, 1.0)
    array([ 0.  ,  1.5 , 19.95])
    """
    start = np.asarray(default, dtype=np.float64)
    distance = np.asarray(estimate, dtype=np.float64) - start
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.maximum(0.0, 1 - (np.asarray(standard_error) / distance) ** 2)
    moved = start + distance * factor
    return np.where(np.isfinite(moved), moved, start)


def jackknife_error(function: Callable[[FloatArray], FloatArray], rows: FloatArray) -> FloatArray:
    """Standard errors of function(sum of rows), leaving out one row at a time.

    function : takes (..., C), the sums of C columns, and returns (..., M)
    rows : (N, C) what each paper adds to the sums; returns (M,)
    """
    return error_of_left_out(np.ascontiguousarray(function(rows.sum(axis=0) - rows).T))


def error_of_left_out(estimates: FloatArray) -> FloatArray:
    """Standard errors of estimates that were made once more without each paper. estimates : (..., N); returns (...)"""
    count = estimates.shape[-1]
    apart = estimates - estimates.sum(axis=-1, keepdims=True) / count
    return np.asarray(np.sqrt((count - 1) / count * (apart * apart).sum(axis=-1)))
