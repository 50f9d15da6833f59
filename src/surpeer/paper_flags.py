"""What a chair should know about single papers, beside their scores."""

import numpy as np

from surpeer.core.shapes import BoolArray, IntArray, at_every_level, level_sums
from surpeer.scores.method import Scores

# The reconstructed prior should sum to one. Further off than this, a chair should know before she trusts the score.
PRIOR_SUM_TOLERANCE = 0.01

FLAGS: dict[str, str] = {
    "tie": "shares its rank with another paper",
    "ranked_by_mean": "has no score, so its mean rating decided every comparison",
    "cycle": "comparisons by score and by mean contradict each other; its place goes against at least one of them",
    "incoherent_forecasts": (
        "predictions contradict each other (who rated higher did not predict higher ratings): discuss this paper"
    ),
    "missing_predictions": "some reviews have no prediction that the method could use",
    "one_review": "has a single review",
    "prior_sum": (
        "no single expectation of its ratings fits all of its predictions exactly, which is usual with few reviews and "
        "no sign of a mistake"
    ),
}
"""Every flag that a paper can carry, in the order in which they are listed, with its meaning."""


def flags_of_papers(scores: Scores) -> dict[str, BoolArray]:
    """(N,) masks of the flags that do not depend on the other papers."""
    matrices = scores.matrices
    with np.errstate(invalid="ignore"):
        prior_off = at_every_level(matrices.q > 0) & (np.abs(level_sums(matrices.q) - 1) > PRIOR_SUM_TOLERANCE)
    return {
        "ranked_by_mean": ~scores.defined,
        "incoherent_forecasts": matrices.complete & ~matrices.coherent,
        "missing_predictions": _usable_predictions(scores) < matrices.reviews,
        "one_review": matrices.reviews == 1,
        "prior_sum": prior_off,
    }


def _usable_predictions(scores: Scores) -> IntArray:
    """(N,) reviews with a prediction that the method can use: `venue` can use partial ones."""
    statistics = scores.matrices.statistics
    return statistics.forecasts if scores.outcome.uses_partial else level_sums(statistics.predicted)


def flag_bits(masks: dict[str, BoolArray], papers: int) -> IntArray:
    """(N,) flags as the bits of a number, the first of FLAGS in bit 0; flags without a mask are off."""
    bits = (masks[name].astype(np.int64) << bit for bit, name in enumerate(FLAGS) if name in masks)
    return sum(bits, start=np.zeros(papers, dtype=np.int64))


def flag_sets() -> list[list[str]]:
    """The names behind each number that `flag_bits` can give."""
    return [[name for bit, name in enumerate(FLAGS) if code >> bit & 1] for code in range(1 << len(FLAGS))]
