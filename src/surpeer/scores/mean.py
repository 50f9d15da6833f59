"""The baseline: the mean rating.

    E_v phi = sum_s phi(s) v_s

Always defined. Pushed up or down by whatever pushes ratings; this is what the other methods are compared with.
"""

import numpy as np

from surpeer.core.status import Status
from surpeer.matrices import Matrices
from surpeer.scores.method import Method, Outcome


def mean_scores(matrices: Matrices) -> Outcome:
    """Mean rating of every paper, all finite."""
    return Outcome(matrices.mean, np.full(len(matrices.papers), Status.FINITE, dtype=np.int64))


METHOD = Method("mean", "Mean rating (the baseline)", "what most venues do today", mean_scores, uses_predictions=False)
