"""What the report says of predictions: were they any good, how far they were followed, how strong the biases are."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.prediction_quality import PredictionQuality, calibration, prediction_quality
from surpeer.core.shapes import BoolArray, FloatArray
from surpeer.core.venue import Trust
from surpeer.errors import counted
from surpeer.ranking import Ranking
from surpeer.ranking_notes import trust_text
from surpeer.report.summary import round_width
from surpeer.reviews import Reviews
from surpeer.scores import find_method

# Within so many standard errors of zero, skill may be luck.
LUCK = 2.0

STEPS = 20
"""Of the histogram of pushes."""


@dataclass(frozen=True)
class Group:
    """The predictions of the whole venue, or of one track."""

    name: str | None
    """None for the whole venue."""
    papers: int
    reviews: int
    predictions: int
    """Reviews that predict anything."""
    quality: PredictionQuality
    verdict: str
    """Whether they were any good, in a sentence."""
    influence: str
    """How far they were followed and why, in a sentence."""
    own: float
    """How much of expected ratings is from papers' own predictions, on average; NaN where not followed."""
    push_spread: float
    """Standard deviation over papers of the push; NaN where not followed."""


class CalibrationStep(NamedTuple):
    """Shares that were predicted in one tenth of the range, and what came."""

    said: float
    came: float
    low: float
    """Two standard errors below; NaN where all are of one paper, which says nothing of others."""
    high: float
    shares: int
    papers: int


class PushStep(NamedTuple):
    """How many papers are pushed so far."""

    track: str | None
    low: float
    high: float
    papers: int


@dataclass(frozen=True)
class PredictionsContent:
    """The section on predictions."""

    groups: list[Group]
    """The whole venue first, then each track."""
    calibration: list[CalibrationStep]
    pushes: list[PushStep]


def predictions_content(ranking: Ranking, push: FloatArray) -> PredictionsContent:
    """push : (N,) in the order of the ranking, NaN where predictions are not followed"""
    source = ranking.scores.matrices.source
    tracks = ranking.scores.outcome.tracks
    by_paper = np.full(len(ranking), np.nan)
    by_paper[ranking.order] = push
    facts = _Facts(ranking, by_paper, expected_ratings(source))
    groups = [_group(facts, None, np.ones(len(ranking), dtype=np.bool_), [track.fit.trust for track in tracks])]
    if source.track is not None:
        trusts = {track.track: [track.fit.trust] for track in tracks}
        groups += [
            _group(facts, name, (source.track == name).to_numpy(), trusts.get(name, []))
            for name in source.track.unique().sort().to_list()
        ]
    named = [(track.track, by_paper[track.papers]) for track in tracks]
    return PredictionsContent(groups, _calibration(source), _histogram(named))


class _Facts(NamedTuple):
    """What is the same for all groups."""

    ranking: Ranking
    push: FloatArray
    """(N,) in the order of papers."""
    expected: FloatArray
    """(n,) the rating that each review predicts of others."""


def _group(facts: _Facts, name: str | None, papers: BoolArray, trusts: list[Trust]) -> Group:
    """trusts : of the tracks that the group consists of"""
    ranking, source = facts.ranking, facts.ranking.scores.matrices.source
    rows = papers[source.paper]
    values = np.asarray(source.scale.values)
    number = np.cumsum(papers) - 1
    quality = prediction_quality(
        number[source.paper[rows]], values[source.rating[rows]], facts.expected[rows], int(papers.sum())
    )
    predictions = int(source.has_forecast[rows].sum())
    pushed, own = facts.push[papers & ~np.isnan(facts.push)], ranking.scores.own_share
    return Group(
        name=name,
        papers=int(papers.sum()),
        reviews=int(rows.sum()),
        predictions=predictions,
        quality=quality,
        verdict=_verdict(quality, predictions),
        influence=_influence(ranking, trusts),
        own=float(own[papers].mean()) if len(pushed) and own is not None else np.nan,
        push_spread=float(pushed.std(ddof=1)) if len(pushed) > 1 else np.nan,
    )


def expected_ratings(source: Reviews) -> FloatArray:
    """(n,) the rating that each review predicts of another reviewer, in values; NaN where it does not say."""
    from_shares = source.predictions @ np.asarray(source.scale.values)
    return from_shares if source.expected is None else np.where(np.isnan(from_shares), source.expected, from_shares)


def _verdict(quality: PredictionQuality, predictions: int) -> str:
    if not predictions:
        return "Nobody predicted anything."
    if not quality.judged or np.isnan(quality.skill):
        return "There is too little to judge the predictions by."
    compared = (
        f"they missed the ratings of the paper's other reviewers by {quality.miss:.2f} (root mean square), and the "
        f"average of the other papers would have missed them by {quality.average_miss:.2f}"
    )
    error = quality.skill_error if np.isfinite(quality.skill_error) else np.inf
    side = "better" if quality.skill > 0 else "worse"
    if abs(quality.skill) <= LUCK * error:
        return (
            f"Whether predictions were better than always predicting the average is not certain: {compared}, a "
            "difference that may be chance. (How far they are followed is decided by other things: whether they differ "
            "between papers, and whether they rise with the own rating.)"
        )
    return f"Predictions were {side} than always predicting the average: {compared}."


def _influence(ranking: Ranking, trusts: list[Trust]) -> str:
    method = find_method(ranking.scores.method)
    if not method.uses_predictions:
        return f"The method {method.name} does not use predictions."
    if not ranking.scores.matrices.source.has_forecast.any():
        return "So papers are ranked by their ratings alone."
    if not ranking.scores.outcome.tracks:
        return f"The method {method.name} takes predictions as they are, whether they are good or not."
    if len(trusts) == 1:
        return f"Predictions are {trust_text(trusts[0])}."
    followed = sum(trust.follows for trust in trusts)
    return (
        f"Predictions are followed in {followed:,} of {counted(len(trusts), 'track')}; each track is judged by itself."
    )


def _calibration(source: Reviews) -> list[CalibrationStep]:
    found = calibration(source.paper, source.rating, source.predictions, len(source.papers))
    low, high = (np.clip(found.came + sign * LUCK * found.error, 0, 1) for sign in (-1, 1))
    columns = (found.said, found.came, low, high, found.shares, found.papers)
    return [CalibrationStep(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _histogram(named: list[tuple[str | None, FloatArray]]) -> list[PushStep]:
    """The pushes of every track in the same steps, of round width."""
    known = [(name, push[~np.isnan(push)]) for name, push in named]
    everything = np.concatenate([push for _, push in known]) if known else np.zeros(0)
    if not len(everything):
        return []
    width = round_width(float(np.abs(everything).max()) * 2 / STEPS)
    low = np.floor(everything.min() / width)
    edges = np.arange(low, np.floor(everything.max() / width) + 2) * width
    return [
        PushStep(name, float(edges[at]), float(edges[at + 1]), int(count))
        for name, push in known
        for at, count in enumerate(np.histogram(push, edges)[0].tolist())
        if count
    ]
