"""The best linear estimate of a paper's quality from its own reports alone.

    S_LB = phi C [C + (diag(q) - U) / n]^+ (v - q)' / sqrt(phi C phi')

In the unit of S_phi, and tending to it as n grows; a few ratings count for less. With two levels it is S times the
Spearman-Brown reliability n r / (1 + (n - 1) r), r = P11 - P01. Where some level was given by nobody, q and C are known
only for the numeric rating, and S_phi times the reliability of the mean rating stands in. q is scaled to sum to one and
U made symmetric, which changes nothing for forecasts of one joint distribution.
"""

import numpy as np

from surpeer.core.covariance_score import (
    level_weights,
    linear_bayes_score,
    reliability,
    reversible_joint,
    surprisal_phi_score,
)
from surpeer.core.status import Status
from surpeer.matrices import Matrices
from surpeer.scores.method import Method, Outcome
from surpeer.scores.status_rules import status_of_two_ratings
from surpeer.scores.surprisal_phi import paper_moments


def linear_bayes_scores(matrices: Matrices) -> Outcome:
    """Score and status of every paper. A unanimous one has none: its reports do not show how much to shrink."""
    status = status_of_two_ratings(matrices)
    status[np.isin(status, (Status.PLUS_INFINITY, Status.MINUS_INFINITY))] = Status.MISSING_SIGNAL
    value = np.full(len(status), np.nan)
    phi = matrices.scale.values
    for papers, P, moments in paper_moments(matrices, np.flatnonzero(status == Status.FINITE)):
        n, full = matrices.reviews[papers], matrices.complete[papers]
        value[papers] = surprisal_phi_score(matrices.mean[papers], moments, phi) * reliability(moments, n)
        q = level_weights(P[full], np.ones(P[full].shape[:-1], dtype=np.bool_))
        known = ~np.isnan(q).any(axis=1)
        joint = reversible_joint(q[known, :, None] * P[full][known])
        of_all_levels = papers[full][known]
        value[of_all_levels] = linear_bayes_score(
            matrices.v[of_all_levels], joint, matrices.reviews[of_all_levels], phi
        )
    status[(status == Status.FINITE) & np.isnan(value)] = Status.INCOHERENT
    return Outcome(value, status)


METHOD = Method(
    "linear_bayes",
    "Linear Bayes score of one paper's reports (shrinks with few reviews)",
    "after Lu and Kong, NeurIPS 2023; docs/explanation/scores.md",
    linear_bayes_scores,
)
