"""What the report says of each paper: columns in the order of the ranking. No HTML here."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import ndtri

from surpeer.core.determinant import mean_predictions
from surpeer.core.probability import clearly_apart
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.decisions import CERTAINTY, Decisions, ranking_of
from surpeer.expectation import expected_shares, track_means, typical_means
from surpeer.io.results_sentences import sentences_of
from surpeer.ranking import Ranking
from surpeer.report.change_sentences import change_sentences
from surpeer.report.movement_sentences import movement_sentences
from surpeer.what_if import what_if

INTERVAL = 0.8
"""The true quality is within the interval with this probability."""


@dataclass(frozen=True)
class PaperColumns:
    """N papers, best first. A column that the method or the reviews do not give is None."""

    id: list[str]
    title: list[str | None] | None
    track: list[str] | None
    rank: IntArray
    reviews: IntArray
    mean: FloatArray
    mean_rank: IntArray
    """Rank by mean rating; ties share the lowest."""
    mean_rank_last: IntArray
    """The last of the places that papers of the same mean share."""
    moved: IntArray
    """Places up from the nearest of these (down where negative)."""
    score: FloatArray
    """NaN or infinite where the status says so."""
    low: FloatArray | None
    high: FloatArray | None
    p_accept: FloatArray | None
    proposal: IntArray | None
    reason: IntArray | None
    status: IntArray
    flags: IntArray
    """The flags as the bits of a number."""
    expected: FloatArray
    """The mean rating that was to be expected whatever the paper's quality; NaN where predictions are not followed."""
    push: FloatArray
    """Expected less typical: how far something pushes the ratings of this paper; NaN where that is not known."""
    better_than: IntArray | None
    """How many papers it is clearly better than."""
    worse_than: IntArray | None
    why: list[str]
    """One sentence: what the predictions did to its place."""
    story: list[str]
    """Where it stands and why, for its card, which has the flags besides."""
    counts: IntArray
    """(N, K) ratings."""
    prior: FloatArray
    """(N, K) the share of each rating that was to be expected whatever its quality."""
    predicted: IntArray
    """(N, K) how many of those who gave each level made a complete prediction."""
    predictions: FloatArray
    """(N, K, K) what they predicted on average; NaN where nobody did."""
    if_higher: list[str | None] | None
    """What would be if the lowest rating were one level higher; None where it is the highest already."""
    if_lower: list[str | None] | None
    """What would be if the highest rating were one level lower."""

    def __len__(self) -> int:
        return len(self.rank)


def paper_columns(results: Ranking | Decisions) -> PaperColumns:
    """Everything that the report knows of single papers."""
    ranking = ranking_of(results)
    decisions = results if isinstance(results, Decisions) else None
    scores, matrices, order = ranking.scores, ranking.scores.matrices, ranking.order
    values = np.asarray(matrices.scale.values)
    prior = expected_shares(scores)[order]
    expected = prior @ values
    push = expected - typical_means(scores)[order]
    low, high = _interval(ranking)
    better, worse = _apart(ranking, CERTAINTY if decisions is None else decisions.certainty)
    mean_rank = _rank_by_mean(scores.mean)[order]
    mean_rank_last = mean_rank + np.bincount(mean_rank)[mean_rank] - 1
    moved = np.clip(ranking.rank, mean_rank, mean_rank_last) - ranking.rank
    everyone = np.ones(len(ranking), dtype=np.bool_)
    changes = what_if(results)
    return PaperColumns(
        id=_text(scores.papers.gather(order)),
        title=_titles(ranking),
        track=_tracks(ranking),
        rank=ranking.rank,
        reviews=scores.reviews[order],
        mean=scores.mean[order],
        mean_rank=mean_rank,
        mean_rank_last=mean_rank_last,
        moved=moved,
        score=scores.value[order],
        low=low,
        high=high,
        p_accept=None if decisions is None else decisions.probability,
        proposal=None if decisions is None else decisions.proposal,
        reason=None if decisions is None else decisions.reason,
        status=scores.status[order],
        flags=ranking.flag_code,
        expected=expected,
        push=push,
        better_than=better,
        worse_than=worse,
        why=movement_sentences(scores.mean[order], expected, push, moved, _spread(values), track_means(scores)[order]),
        story=sentences_of(results, with_flags=False),
        counts=matrices.counts[order],
        prior=prior,
        predicted=matrices.predicted[order],
        predictions=mean_predictions(matrices.prediction_sums(everyone), matrices.predicted)[order],
        if_higher=None if changes is None else change_sentences(changes.higher, results),
        if_lower=None if changes is None else change_sentences(changes.lower, results),
    )


def _text(ids: pl.Series) -> list[str]:
    return [str(one) for one in ids.to_list()]


def _titles(ranking: Ranking) -> list[str | None] | None:
    columns = ranking.title_column
    return columns["title"].to_list() if columns else None


def _tracks(ranking: Ranking) -> list[str] | None:
    columns = ranking.track_column
    return _text(columns["track"]) if columns else None


def _spread(values: FloatArray) -> float:
    return float(values[-1] - values[0])


def _rank_by_mean(mean: FloatArray) -> IntArray:
    rounded = np.round(mean, 9)
    return np.asarray(1 + len(mean) - np.searchsorted(np.sort(rounded), rounded, side="right"))


def _interval(ranking: Ranking) -> tuple[FloatArray | None, FloatArray | None]:
    scores = ranking.scores
    if scores.standard_error is None:
        return None, None
    value, reach = scores.value[ranking.order], ndtri(0.5 + INTERVAL / 2) * scores.standard_error[ranking.order]
    return value - reach, value + reach


def _apart(ranking: Ranking, certainty: float) -> tuple[IntArray | None, IntArray | None]:
    scores = ranking.scores
    if scores.standard_error is None:
        return None, None
    sure = max(certainty, 0.501)  # at one half everybody is apart
    return clearly_apart(scores.value[ranking.order], scores.standard_error[ranking.order], sure)
