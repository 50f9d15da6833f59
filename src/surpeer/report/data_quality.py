"""What the report says about the data: how much there is, and what was dropped, repaired or missing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from surpeer.decisions import Decisions, ranking_of
from surpeer.ranking import Ranking
from surpeer.ranking_notes import all_notes, as_sentence
from surpeer.reviews import Reviews


@dataclass(frozen=True)
class DataQuality:
    """Counts that everybody may see, and the notes of reading and ranking."""

    rows: list[tuple[str, str]]
    notes: list[str]


def data_quality(results: Ranking | Decisions) -> DataQuality:
    """Counts and notes of a ranking."""
    ranking = ranking_of(results)
    source = ranking.scores.matrices.source
    return DataQuality(list(_rows(source, ranking)), [as_sentence(note) for note in all_notes(results)])


def _rows(source: Reviews, ranking: Ranking) -> Iterator[tuple[str, str]]:
    reviews = ranking.scores.reviews
    scale = source.scale
    yield "reviews", f"{len(source):,}"
    yield "papers", f"{len(ranking):,}"
    low, middle, high = (int(np.quantile(reviews, share, method="lower")) for share in (0, 0.5, 1))
    spread = f"{low:,} to {high:,}, half of the papers have at most {middle:,}"
    yield "reviews of a paper", f"{low:,}" if low == high else spread
    if source.reviewer is not None:
        yield "reviewers", f"{source.reviewer.drop_nulls().n_unique():,}"
    complete, some = source.has_prediction, source.has_forecast
    yield "reviews with a complete prediction", f"{int(complete.sum()):,}"
    yield "reviews with a part of a prediction", f"{int((some & ~complete).sum()):,}"
    yield "reviews without a prediction", f"{int((~some).sum()):,}"
    silent = np.bincount(source.paper[some], minlength=len(ranking)) == 0
    yield "papers without any prediction", f"{int(silent.sum()):,}"
    yield "papers with a single review", f"{int((reviews == 1).sum()):,}"
    yield "papers whose predictions contradict each other", f"{int(ranking.flags['incoherent_forecasts'].sum()):,}"
    yield (
        "rating levels, lowest first",
        ", ".join(f"{label} ({value:g})" for label, value in zip(scale.labels, scale.values, strict=True)),
    )
