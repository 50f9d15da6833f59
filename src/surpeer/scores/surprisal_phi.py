"""The covariance form of the surprisal score.

    S_phi = (E_v phi - E_q phi) / sqrt(phi C phi'),   phi C phi' = sum_s q_s phi_s (m_s - E_q phi)

m_s is the mean rating that those who rated s predict. It is invariant to bias and level of the noise like the paper's
score, equals it with two levels, and needs two different ratings instead of all K. Levels that nobody gave are left out
of q, which then comes from the predictions of the others (see surpeer.core.covariance_score).
"""

from collections.abc import Iterator

import numpy as np

from surpeer.core.covariance_score import RatingMoments, rating_moments, surprisal_phi_score
from surpeer.core.determinant import mean_predictions
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.status import Status
from surpeer.matrices import Matrices
from surpeer.scores.method import Method, Outcome
from surpeer.scores.status_rules import UNANIMOUS_VALUE, status_of_two_ratings

ENTRIES_AT_ONCE = 4_000_000  # of prediction matrices, so that fine scales do not fill the memory


def surprisal_phi_scores(matrices: Matrices) -> Outcome:
    """Score and status of every paper."""
    status = status_of_two_ratings(matrices)
    value = UNANIMOUS_VALUE[status]
    for papers, _, moments in paper_moments(matrices, np.flatnonzero(status == Status.FINITE)):
        value[papers] = surprisal_phi_score(matrices.mean[papers], moments, matrices.scale.values)
    status[(status == Status.FINITE) & np.isnan(value)] = Status.INCOHERENT
    return Outcome(value, status)


def paper_moments(matrices: Matrices, papers: IntArray) -> Iterator[tuple[IntArray, FloatArray, RatingMoments]]:
    """These papers in blocks, with their prediction matrices and the moments of the rating that they imply."""
    size = max(1, ENTRIES_AT_ONCE // len(matrices.scale) ** 2)
    for block in np.split(papers, range(size, len(papers), size)):
        chosen = np.zeros(len(matrices.papers), dtype=np.bool_)
        chosen[block] = True
        predicted = matrices.predicted[block]
        P = mean_predictions(matrices.prediction_sums(chosen), predicted)
        yield block, P, rating_moments(P, predicted > 0, matrices.scale.values)


METHOD = Method(
    "surprisal_phi",
    "Surprisal-based score, covariance form (two different ratings are enough)",
    "after Lu and Kong, NeurIPS 2023; docs/explanation/scores.md",
    surprisal_phi_scores,
)
