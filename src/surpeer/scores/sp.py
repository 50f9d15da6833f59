"""The SP-inspired score: how popular each level is compared with what reviewers predicted.

    S = sum_s phi(s) v_s / q_s

With two levels phi is (-1, 1) as in the paper, whatever values the scale has; otherwise the scale's values. Where the
prior cannot be reconstructed (unanimous papers) it follows the surprisal score: plus or minus infinity. A level whose
reconstructed prior is zero makes the score undefined (`incoherent`); a negative determinant does not.

Y. Lu and Y. Kong, NeurIPS 2023, Appendix D, after D. Prelec, H. S. Seung and J. McCoy, Nature 541, 2017.
"""

import numpy as np

from surpeer.core.popular import sp_inspired_score
from surpeer.core.shapes import at_every_level
from surpeer.core.status import Status
from surpeer.matrices import Matrices
from surpeer.scores.method import Method, Outcome
from surpeer.scores.status_rules import UNANIMOUS_VALUE, status_of_all_levels

BINARY_VALUES = (-1.0, 1.0)


def sp_scores(matrices: Matrices) -> Outcome:
    """SP-inspired score and status of every paper."""
    status = status_of_all_levels(matrices)
    with np.errstate(invalid="ignore"):
        status[(status == Status.FINITE) & ~at_every_level(matrices.q > 0)] = Status.INCOHERENT
    scored = np.flatnonzero(status == Status.FINITE)
    values = BINARY_VALUES if matrices.scale.is_binary else matrices.scale.values
    value = UNANIMOUS_VALUE[status]
    value[scored] = sp_inspired_score(matrices.v[scored], matrices.q[scored], values)
    return Outcome(value, status)


METHOD = Method(
    "sp",
    "SP-inspired score (popular compared with predicted)",
    "Lu and Kong, NeurIPS 2023, Appendix D",
    sp_scores,
)
