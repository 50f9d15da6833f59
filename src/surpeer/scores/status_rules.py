"""Which papers cannot have a score that needs the prior, whatever the formula: shared by all of them."""

import numpy as np

from surpeer.core.shapes import BoolArray, IntArray, level_sums
from surpeer.core.status import Status
from surpeer.matrices import Matrices

# The value that goes with each status code; NaN where the method fills in its own or there is none.
UNANIMOUS_VALUE = np.full(len(Status), np.nan)
UNANIMOUS_VALUE[Status.PLUS_INFINITY] = np.inf
UNANIMOUS_VALUE[Status.MINUS_INFINITY] = -np.inf


def status_of_all_levels(matrices: Matrices) -> IntArray:
    """For formulas that need a prediction from someone at every level."""
    return _status_without_score(matrices, matrices.complete)


def status_of_two_ratings(matrices: Matrices) -> IntArray:
    """For formulas that need predictions from people who gave two different levels."""
    return _status_without_score(matrices, (matrices.predicted > 0).sum(axis=1) >= 2)


def _status_without_score(matrices: Matrices, enough: BoolArray) -> IntArray:
    """Status of every paper as far as counts decide it; FINITE where the formula can be tried. (N,)"""
    unanimous = matrices.counts.max(axis=1) == matrices.reviews
    status = np.full(len(matrices.papers), Status.FINITE, dtype=np.int64)
    status[~enough] = Status.MISSING_SIGNAL
    status[(level_sums(matrices.predicted) == 0) & ~unanimous] = Status.NO_PREDICTIONS
    if matrices.scale.is_binary:
        status[unanimous & (matrices.counts[:, 1] > 0)] = Status.PLUS_INFINITY
        status[unanimous & (matrices.counts[:, 0] > 0)] = Status.MINUS_INFINITY
    return status
