"""All reports of a venue -> the quality of its papers."""

from dataclasses import dataclass, replace

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.basis import canonical_basis
from surpeer.core.venue.by_paper import Forecasts
from surpeer.core.venue.completion import complete_forecasts, typical_forecasts
from surpeer.core.venue.fit_forecasts import fit_forecasts
from surpeer.core.venue.forecast_model import LEVELS, SIGNAL, Bias, ForecastModel, PaperSums
from surpeer.core.venue.own_rating import find_projection, without_projection
from surpeer.core.venue.quality import Quality, QualityModel, Setting, find_spread, state_variances
from surpeer.core.venue.trust import Trust, judge_forecasts, no_trust
from surpeer.errors import ArrayError

# Differences between the forecasts of one paper and between papers are both needed to judge forecasts by.
LEAST_PAPERS = 3


@dataclass(frozen=True)
class Parts:
    """How one paper's score comes about: three numbers whose sum is the score."""

    ratings: float
    """What its ratings say at face value: their distance from the typical mean, in standard deviations of quality."""
    venue: float
    """What the venue makes of that: few ratings count for less, and a bias common to all papers is taken off."""
    forecasts: float
    """What the paper's own forecasts change."""

    @property
    def score(self) -> float:
        return self.ratings + self.venue + self.forecasts


@dataclass(frozen=True)
class VenueFit:
    """What was learned about the venue, and the papers' quality."""

    model: QualityModel
    counts: IntArray
    sums: PaperSums
    level_chances: FloatArray
    quality: Quality

    @property
    def trust(self) -> Trust:
        return self.model.trust

    def parts(self, paper: int) -> Parts:
        """paper : position among the N papers of the fit"""
        at = np.array([paper])
        counts, sums = self.counts[at], self.sums.take(at)
        average = np.full((1, len(LEVELS)), 1 / len(LEVELS))
        alone = float(self.model.judge(counts, sums.without_forecasts(), average).mean[0])
        rated = float((counts @ self.model.basis[:, 0])[0] / counts.sum())
        face_value = rated / float(np.sqrt(SIGNAL.mean() * self.model.states[0]))
        return Parts(face_value, alone - face_value, float(self.quality.mean[paper]) - alone)

    def expected_shares(self, papers: IntArray) -> FloatArray:
        """(N, K) the share of each rating that these papers would get whatever their quality, as far as forecasts are
        followed."""
        setting = self.model.setting(self.counts[papers], self.sums.take(papers), self.level_chances[papers])
        return sum(
            (setting.chances[:, at, None] * setting.expected(at) for at in range(len(LEVELS))),
            start=np.zeros(self.counts[papers].shape),
        )

    def expected_mean(self, papers: IntArray, values: FloatArray) -> FloatArray:
        """The mean rating that these papers would get whatever their quality, as far as forecasts are followed."""
        return np.asarray(self.expected_shares(papers) @ values)

    def judge_with(self, counts: IntArray) -> Quality:
        """The papers' quality had their ratings been these, (N, K), and had everything else stayed as it is: their
        forecasts, and what was learned about the venue."""
        return self.model.judge(counts, self.sums, self.level_chances)


def fit_venue(
    counts: IntArray, paper: IntArray, rating: IntArray, shares: FloatArray, expected: FloatArray, values: FloatArray
) -> VenueFit:
    """Fit a venue of N papers on K levels with R reviews.

    counts : (N, K) ratings of each paper, at least one
    paper, rating : (R,) of each review; shares : (R, K) forecasts, NaN where not given
    expected : (R,) expected ratings, NaN where not given; values : (K,) increasing
    """
    _check(counts, paper, rating, shares, expected, values)
    start = (counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * len(values))
    forecasts = _read(paper, rating, shares, expected, values, start, len(counts))
    if not _can_be_judged(forecasts):
        return _without_forecasts(counts, start, values, no_trust(1))
    projection = find_projection(forecasts, canonical_basis(start, values)[:, 0])
    cleaned = without_projection(forecasts, projection.weight)
    fitted = fit_forecasts(cleaned, start, values)
    trust = judge_forecasts(cleaned, fitted, projection)
    if not trust.follows:
        return _without_forecasts(counts, start, values, trust)
    return _judge(fitted, trust, counts)


def _check(
    counts: IntArray, paper: IntArray, rating: IntArray, shares: FloatArray, expected: FloatArray, values: FloatArray
) -> None:
    """Shapes and ranges; what is written in a file of reviews is checked where it is read."""
    papers, signals, reviews = len(counts), len(values), len(paper)
    shapes = {
        "counts": (counts, (papers, signals)),
        "rating": (rating, (reviews,)),
        "shares": (shares, (reviews, signals)),
        "expected": (expected, (reviews,)),
    }
    for name, (array, shape) in shapes.items():
        if array.shape != shape:
            raise ArrayError(f"{name} has shape {array.shape}, expected {shape}")
    if signals < 2 or not np.all(np.diff(values) > 0):
        raise ArrayError(f"values are {values}, expected two or more increasing numbers")
    if not papers or not np.all(counts >= 0) or not np.all(counts.sum(axis=1) > 0):
        raise ArrayError("counts must have a row for at least one paper, and at least one rating in every row")
    for name, numbers, size in (("paper", paper, papers), ("rating", rating, signals)):
        if reviews and not (numbers.min() >= 0 and numbers.max() < size):
            raise ArrayError(f"{name} goes from {numbers.min()} to {numbers.max()}, expected 0 to {size - 1}")


def _read(
    paper: IntArray,
    rating: IntArray,
    shares: FloatArray,
    expected: FloatArray,
    values: FloatArray,
    q: FloatArray,
    papers: int,
) -> Forecasts:
    # One order, whatever the order of the rows, so that rounding does not depend on it either.
    order = np.lexsort((expected, *shares.T[::-1], rating, paper))
    paper, rating, shares, expected = paper[order], rating[order], shares[order], expected[order]
    whole, usable = complete_forecasts(shares, expected, rating, typical_forecasts(shares, rating, q), values)
    if not usable.all():
        paper, rating, whole = paper[usable], rating[usable], whole[usable]
    return Forecasts(paper, rating, whole, papers)


def _can_be_judged(forecasts: Forecasts) -> bool:
    return int((forecasts.count > 1).sum()) >= LEAST_PAPERS


def _judge(fitted: ForecastModel, trust: Trust, counts: IntArray) -> VenueFit:
    q, basis, error, sums, chances = fitted.q, fitted.basis, fitted.error, fitted.sums, fitted.level_chances
    setting = Setting.of(q, basis, error, trust, counts, sums, chances)
    spread = find_spread(setting)
    states = state_variances(setting, fitted.response, float(spread.surplus[0]))
    model = QualityModel(q, basis, error, trust, states, spread)
    return VenueFit(model, counts, sums, chances, model.judge(counts, sums, chances))


def _without_forecasts(counts: IntArray, q: FloatArray, values: FloatArray, trust: Trust) -> VenueFit:
    """Ratings alone: the mean, shrunk towards the venue's. A model of one coordinate in which nobody said anything."""
    nothing, papers = np.zeros(1), len(counts)
    bias = Bias(nothing, nothing)
    fitted = ForecastModel(
        q=q,
        basis=canonical_basis(q, values)[:, :1],
        response=np.zeros((1, 1)),
        bias=bias,
        error=np.ones(1),
        level_chances=np.full((papers, len(LEVELS)), 1 / len(LEVELS)),
        sums=PaperSums(np.zeros(papers, dtype=np.int64), np.zeros((papers, 1)), np.zeros((papers, 1))),
        residual=np.zeros(0),
    )
    return _judge(fitted, replace(trust, bias=bias), counts)
