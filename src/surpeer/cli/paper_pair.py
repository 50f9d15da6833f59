"""What `surpeer compare` knows of two papers."""

from dataclasses import dataclass

import numpy as np

from surpeer.decisions import methods_with_errors, probability_better
from surpeer.errors import InputError, quoted
from surpeer.ranking import Ranking
from surpeer.reviews import Reviews
from surpeer.scores.method import Score, compare, find_paper


@dataclass(frozen=True)
class Side:
    """One of the two."""

    score: Score
    rank: int
    flags: list[str]
    forecasts: int
    """How many reviews say anything of what they expect of the others."""
    expected: float | None
    """The mean rating that those expect who say enough to tell."""


@dataclass(frozen=True)
class Pair:
    """The two, and who is ahead."""

    method: str
    a: Side
    b: Side
    probability: float | None
    """That A is better than B; None when it is not known."""
    why_no_probability: str
    methods_with_errors: list[str]
    """Which other methods give a probability, when this one does not."""

    @property
    def rule(self) -> float:
        """The paper's pairwise rule: 1 for A, 0 for B, 1/2 for a tie."""
        return compare(self.a.score, self.b.score)

    @property
    def decided_by(self) -> str:
        """What the rule looks at."""
        both = self.a.score.is_defined and self.b.score.is_defined
        return f"the {self.method} score" if both else "the mean rating (not both have a score)"


def compare_papers(ranking: Ranking, one: str, other: str) -> Pair:
    """Look two papers of a ranking up and compare them."""
    a, b = _side(ranking, one), _side(ranking, other)
    if a.score.paper == b.score.paper:
        raise InputError(f"found paper {quoted(one)} twice, expected two different papers")
    method = ranking.scores.method
    if ranking.scores.standard_error is None:
        why = f"the method {method} gives no standard errors"
        return Pair(method, a, b, None, why, methods_with_errors())
    try:
        return Pair(method, a, b, probability_better(a.score, b.score), "", [])
    except InputError as error:
        return Pair(method, a, b, None, str(error), [])


def _side(ranking: Ranking, paper: str) -> Side:
    scores = ranking.scores
    at = int(np.flatnonzero(find_paper(scores.papers, paper))[0])
    row = int(np.flatnonzero(ranking.order == at)[0])
    expected = _expected_ratings(scores.matrices.source, at)
    mean = sum(expected) / len(expected) if expected else None
    source = scores.matrices.source
    forecasts = int(source.has_forecast[source.paper == at].sum())
    return Side(scores[paper], int(ranking.rank[row]), ranking.flags_of(row), forecasts, mean)


def _expected_ratings(reviews: Reviews, paper: int) -> list[float]:
    """What each review of the paper expects of another: from its shares of all levels, or as it says."""
    rows = reviews.paper == paper
    expected = reviews.predictions[rows] @ np.asarray(reviews.scale.values)
    if reviews.expected is not None:
        expected = np.where(np.isnan(expected), reviews.expected[rows], expected)
    return [rating for rating in expected.tolist() if rating == rating]
