"""The score as a function of the two predictions, for three reviewers who do not agree."""

import numpy as np
import polars as pl

from surpeer.core.shapes import IntArray
from surpeer.core.status import Status
from surpeer.experiments.settings import Effort
from surpeer.matrices import build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import score

# accepts of three reviewers
VOTES = (1, 2)
REVIEWERS = 3

# Where a side is certain the score is undefined; these show what it is just before.
NEAR_CERTAIN = (0.002, 0.998)


def contour_table(effort: Effort) -> pl.DataFrame:
    """`contours.csv`: score and status over all pairs of predictions.

    `rejecting_predict` is the share of accepts that reviewers who reject predict (P01), `accepting_predict` what those
    who accept predict (P11). A score that is undefined is empty, and its status says why.
    """
    even = np.arange(effort.prediction_steps + 1) / effort.prediction_steps
    steps = np.sort(np.concatenate([even, NEAR_CERTAIN]))
    rejecting, accepting = (grid.ravel() for grid in np.meshgrid(steps, steps, indexing="ij"))
    return pl.concat([_one(accepts, rejecting, accepting) for accepts in VOTES])


def _one(accepts: int, rejecting: np.ndarray, accepting: np.ndarray) -> pl.DataFrame:
    """Made into reviews and scored as a venue's."""
    papers = len(rejecting)
    rating: IntArray = np.tile([0] * (REVIEWERS - accepts) + [1] * accepts, papers)
    paper = np.repeat(np.arange(papers), REVIEWERS)
    predicted = np.where(rating == 1, accepting[paper], rejecting[paper])
    reviews = Reviews(
        Scale(["reject", "accept"]),
        pl.Series(np.arange(papers)),
        paper,
        rating,
        np.stack([1 - predicted, predicted], axis=1),
    )
    scores = score(build_matrices(reviews), "surprisal")
    return pl.DataFrame(
        {
            "accepts": accepts,
            "rejects": REVIEWERS - accepts,
            "rejecting_predict": rejecting,
            "accepting_predict": accepting,
            "score": pl.Series(scores.value).fill_nan(None),
            "status": [Status(code).label for code in scores.status.tolist()],
        }
    )
