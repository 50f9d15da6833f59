"""The Empirical Surprisal-based Score, binary and general.

    S = (E_v phi - E_q phi) * det(U) ** (-1 / (2 (K - 1)))
    P = mean predictions by rating,  q_s = 1 / sum_t (P_st / P_ts),  U = diag(q) P

With two levels this is (v1 - q1) / sqrt(q0 q1 (P11 - P01)), and a unanimous paper scores plus or minus infinity.
The formula is used as it stands, also for forecasts that no single joint distribution could have produced.

Y. Lu and Y. Kong, "Calibrating 'Cheap Signals' in Peer Review without a Prior", NeurIPS 2023.
"""

import numpy as np

from surpeer.core.status import Status
from surpeer.core.surprisal import noise_scale_from_log
from surpeer.matrices import Matrices
from surpeer.scores.method import Method, Outcome
from surpeer.scores.status_rules import UNANIMOUS_VALUE, status_of_all_levels


def surprisal_scores(matrices: Matrices) -> Outcome:
    """Surprisal score and status of every paper."""
    status = status_of_all_levels(matrices)
    status[(status == Status.FINITE) & ~matrices.coherent] = Status.INCOHERENT
    scored = np.flatnonzero(status == Status.FINITE)
    value = UNANIMOUS_VALUE[status]
    value[scored] = matrices.surprise[scored] / noise_scale_from_log(
        matrices.log_determinant[scored], len(matrices.scale)
    )
    return Outcome(value, status)


METHOD = Method(
    "surprisal",
    "Surprisal-based score (Lu and Kong's)",
    "Lu and Kong, NeurIPS 2023, Empirical Surprisal-based Score",
    surprisal_scores,
)
