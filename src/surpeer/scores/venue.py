"""The venue score: each paper's quality from all reports of the venue (or of its track). The default.

Reviewers' forecasts show how much a paper is pushed up or down and how noisy its ratings are; what one paper's few
forecasts leave open is borrowed from the other papers; and how far forecasts are followed at all is decided by how the
venue's forecasts relate to its ratings. Always defined. The score is the posterior mean of quality in standard
deviations of quality over the papers of the venue (or track), 0 for a typical one, with its posterior standard
deviation. The mathematics is in surpeer.core.venue, its explanation in docs/explanation/venue-score.md.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from surpeer.core.shapes import BoolArray, IntArray
from surpeer.core.status import Status
from surpeer.core.venue import FIT_PAPERS, fit_venue
from surpeer.id_hash import id_hash, smallest
from surpeer.matrices import Matrices
from surpeer.scores.method import Learned, Learning, Method, Outcome, TrackFit


def venue_scores(matrices: Matrices) -> Outcome:
    """Score, standard error and own share of every paper."""
    fits = tuple(_fit_tracks(matrices))
    value, error, own_share = (np.empty(len(matrices.papers)) for _ in range(3))
    for track in fits:
        quality = track.fit.quality
        value[track.papers], error[track.papers] = quality.mean, quality.deviation
        own_share[track.papers] = quality.own_share
    status = np.full(len(value), Status.FINITE, dtype=np.int64)
    return Outcome(value, status, error, own_share, fits, uses_partial=True)


def learn_venue(matrices: Matrices) -> Learned:
    """What these papers, no more of a track than are learned from, say about each track."""
    values = np.asarray(matrices.scale.values)
    return {name: fit_venue(matrices.statistics.moments(papers), values).model for name, papers in _tracks(matrices)}


def judge_papers(matrices: Matrices, learned: Learned) -> Outcome:
    """Score, standard error and own share of any papers of the tracks that were learned from."""
    value, error, own_share = (np.empty(len(matrices.papers)) for _ in range(3))
    for name, papers in _tracks(matrices):
        quality = learned[name].judge(matrices.statistics.moments(papers), threads=1)
        value[papers], error[papers], own_share[papers] = quality.mean, quality.deviation, quality.own_share
    status = np.full(len(value), Status.FINITE, dtype=np.int64)
    return Outcome(value, status, error, own_share, uses_partial=True)


def _fit_tracks(matrices: Matrices) -> Iterator[TrackFit]:
    values = np.asarray(matrices.scale.values)
    for name, papers in _tracks(matrices):
        moments = matrices.statistics.moments(papers)
        yield TrackFit(name, papers, fit_venue(moments, values, _learn_from(matrices.papers, papers)))


def _learn_from(ids: pl.Series, papers: IntArray) -> BoolArray | None:
    """Which papers of a track are learned from; None for all. It depends on nothing but their ids."""
    return smallest(id_hash(ids.gather(papers)), FIT_PAPERS) if len(papers) > FIT_PAPERS else None


def _tracks(matrices: Matrices) -> list[tuple[str | None, IntArray]]:
    """Name and papers of each track."""
    track = matrices.statistics.track
    if track is None:
        return [(None, np.arange(len(matrices.papers)))]
    runs = track.cast(pl.String).to_frame().with_row_index().group_by(track.name).agg("index").sort(track.name)
    return [(name, papers.to_numpy().astype(np.int64)) for name, papers in zip(*runs.get_columns(), strict=True)]


METHOD = Method(
    "venue",
    "Venue score (always defined; learns from all papers of the venue)",
    "docs/explanation/venue-score.md, on the model of Lu and Kong, NeurIPS 2023",
    venue_scores,
    gives_errors=True,
    learning=Learning(learn_venue, judge_papers, FIT_PAPERS),
)
