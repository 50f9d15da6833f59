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

from surpeer.core.shapes import IntArray
from surpeer.core.status import Status
from surpeer.core.venue import fit_venue
from surpeer.matrices import Matrices
from surpeer.reviews import Reviews
from surpeer.scores.method import Method, Outcome, TrackFit


def venue_scores(matrices: Matrices) -> Outcome:
    """Score, standard error and own share of every paper."""
    fits = tuple(_fit_tracks(matrices))
    value, error, own_share = (np.empty(len(matrices.papers)) for _ in range(3))
    for track in fits:
        quality = track.fit.quality
        value[track.papers], error[track.papers] = quality.mean, quality.deviation
        own_share[track.papers] = quality.own_share
    status = np.full(len(value), Status.FINITE, dtype=np.int64)
    return Outcome(value, status, error, own_share, fits)


def _fit_tracks(matrices: Matrices) -> Iterator[TrackFit]:
    source = matrices.source
    expected = source.expected if source.expected is not None else np.full(len(source), np.nan)
    values = np.asarray(matrices.scale.values)
    for name, papers in _tracks(source):
        number = np.full(len(source.papers), -1, dtype=np.int64)  # of each paper in its track
        number[papers] = np.arange(len(papers))
        paper = number[source.paper]
        rows = paper >= 0
        fit = fit_venue(
            matrices.counts[papers],
            paper[rows],
            source.rating[rows],
            source.predictions[rows],
            expected[rows],
            values,
        )
        yield TrackFit(name, papers, fit)


def _tracks(source: Reviews) -> list[tuple[str | None, IntArray]]:
    """Name and papers of each track."""
    if source.track is None:
        return [(None, np.arange(len(source.papers)))]
    names = source.track.cast(pl.String)
    return [(name, np.flatnonzero((names == name).to_numpy())) for name in names.unique().sort().to_list()]


METHOD = Method(
    "venue",
    "Venue score (always defined; learns from all papers of the venue)",
    "docs/explanation/venue-score.md, on the model of Lu and Kong, NeurIPS 2023",
    venue_scores,
    gives_errors=True,
)
