"""The mathematics: arrays in, arrays out.

Purity rule: this package imports numpy, scipy, the standard library and surpeer.errors, and nothing else. It reads no
file, holds no table and keeps no state. tools/check_rings.py and tests/test_public_surface.py hold it to that.
"""

from surpeer.core.bounds import error_bound_binary, error_bound_general
from surpeer.core.frequency import frequencies, mean_rating
from surpeer.core.invariant import consensus_surprisal, identify_consensus_state, invariant_surprisal
from surpeer.core.joint import (
    joint_from_dirichlet,
    joint_from_predictions,
    predictions_from_joint,
    prior_from_predictions,
)
from surpeer.core.noise import noise_level_and_bias, noise_matrix, noisy_joint, noisy_state
from surpeer.core.order import prefer
from surpeer.core.popular import popularity, sp_inspired_score, surprisingly_popular
from surpeer.core.status import Status
from surpeer.core.surprisal import noise_scale, surprisal_score, surprisal_vector

__all__ = [
    "Status",
    "consensus_surprisal",
    "error_bound_binary",
    "error_bound_general",
    "frequencies",
    "identify_consensus_state",
    "invariant_surprisal",
    "joint_from_dirichlet",
    "joint_from_predictions",
    "mean_rating",
    "noise_level_and_bias",
    "noise_matrix",
    "noise_scale",
    "noisy_joint",
    "noisy_state",
    "popularity",
    "predictions_from_joint",
    "prefer",
    "prior_from_predictions",
    "sp_inspired_score",
    "surprisal_score",
    "surprisal_vector",
    "surprisingly_popular",
]
