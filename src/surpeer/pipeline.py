"""The way of the data in one screen: Reviews -> Matrices -> Scores -> Ranking."""

from surpeer.matrices import build_matrices
from surpeer.ranking import Ranking, rank
from surpeer.reviews import Reviews
from surpeer.scores import DEFAULT_METHOD, score


def calibrate(reviews: Reviews, method: str = DEFAULT_METHOD) -> Ranking:
    """Rank the papers of a venue by a calibrated score."""
    return rank(score(build_matrices(reviews), method))
