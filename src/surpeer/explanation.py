"""Why one paper has the score it has: every quantity of the formulas, in the paper's notation."""

from dataclasses import dataclass

import numpy as np

from surpeer.core.determinant import mean_predictions
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.surprisal import noise_scale_from_log
from surpeer.core.venue import Parts, Trust, VenueFit
from surpeer.ranking import Ranking
from surpeer.scale import Scale
from surpeer.scores.method import Score, Scores, find_paper
from surpeer.showing import DrawnPaper


@dataclass(frozen=True)
class VenueExplanation:
    """What the venue method made of one paper."""

    track: str | None
    parts: Parts
    """Own ratings, own forecasts and the venue: they add up to the score."""
    typical_mean: float
    """The mean rating of a paper that nothing pushes."""
    expected_mean: float
    """The mean rating that this paper was to be expected to get whatever its quality."""
    expected_shares: FloatArray
    """(K,) the share of each rating that was to be expected; NaN where predictions are not followed."""
    trust: Trust
    """How far the venue's forecasts are followed, and why."""


@dataclass(frozen=True)
class Explanation(DrawnPaper):
    """The steps from one paper's reviews to its score. Arrays are NaN where a step cannot be taken."""

    method: str
    scale: Scale
    score: Score
    rank: int
    papers: int
    """How many papers are ranked."""
    flags: list[str]
    counts: IntArray
    """(K,) reviews that gave each level."""
    predicted: IntArray
    """(K,) of those, how many made a complete prediction."""
    forecasts: int
    """Reviews that say anything of what they expect of others."""
    v: FloatArray
    """(K,) frequency of each level."""
    P: FloatArray
    """(K, K) mean prediction of those who gave each level."""
    q: FloatArray
    """(K,) prior over levels that the predictions imply."""
    U: FloatArray
    """(K, K) joint distribution of two reviewers' ratings, diag(q) P."""
    determinant: float
    """det U."""
    noise_scale: float
    """det(U) ** (1 / (2 (K - 1)))."""
    venue: VenueExplanation | None = None
    """For the method `venue`."""

    @property
    def mean(self) -> float:
        """E_v phi, the mean rating."""
        return self.score.mean

    @property
    def prior_mean(self) -> float:
        """E_q phi, the rating that the predictions lead one to expect."""
        return float(self.q @ np.asarray(self.scale.values))


def explain(ranking: Ranking, paper: object) -> Explanation:
    """The explanation of one paper of a ranking."""
    scores, matrices = ranking.scores, ranking.scores.matrices
    found = find_paper(scores.papers, paper)
    at = int(np.flatnonzero(found)[0])
    row = int(np.flatnonzero(ranking.order == at)[0])
    P = mean_predictions(matrices.prediction_sums(found), matrices.predicted[found])[0]
    return Explanation(
        method=scores.method,
        scale=matrices.scale,
        score=scores[paper],
        rank=int(ranking.rank[row]),
        papers=len(ranking),
        flags=ranking.flags_of(row),
        counts=matrices.counts[at],
        predicted=matrices.predicted[at],
        forecasts=int(matrices.source.has_forecast[matrices.source.paper == at].sum()),
        v=matrices.v[at],
        P=P,
        q=matrices.q[at],
        U=matrices.q[at][:, None] * P,
        determinant=float(matrices.determinant[at]),
        noise_scale=float(noise_scale_from_log(matrices.log_determinant[at], len(matrices.scale))),
        venue=_explain_venue(scores, at),
    )


def _explain_venue(scores: Scores, at: int) -> VenueExplanation | None:
    values = np.asarray(scores.matrices.scale.values)
    for track, papers, fit in scores.outcome.tracks:
        position = np.flatnonzero(papers == at)
        if len(position):
            return VenueExplanation(
                track=track,
                parts=fit.parts(int(position[0])),
                typical_mean=float(fit.model.q @ values),
                expected_mean=float(fit.expected_mean(position, values)[0]),
                expected_shares=_expected_shares(fit, position),
                trust=fit.trust,
            )
    return None


def _expected_shares(fit: VenueFit, position: IntArray) -> FloatArray:
    shares = fit.expected_shares(position)[0]
    return shares if fit.trust.follows else np.full_like(shares, np.nan)
