"""Ranking or Decisions -> Report: all that a report says, as plain values. No HTML, and nothing left out yet."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl

from surpeer.core.contour_lines import score_line
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.decisions import Decisions, ranking_of
from surpeer.errors import counted
from surpeer.expectation import expected_means
from surpeer.probability_text import percent_text
from surpeer.proposals import Proposal
from surpeer.ranking import Ranking
from surpeer.ranking_notes import as_sentence, cautions, decisions_notes, one_sided_notes, why_not_followed
from surpeer.report.audience import Audience
from surpeer.report.columns import PaperColumns, paper_columns
from surpeer.report.data_quality import DataQuality, data_quality
from surpeer.report.origin import Origin
from surpeer.report.predictions import PredictionsContent, predictions_content
from surpeer.report.summary import CurveStep, SpreadCell, ranking_curve
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Method

CURVE_STEPS = 200
CONTOUR_SCORES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
CONTOUR_POINTS = 40
MOST_CONTOURS = 400  # different pairs of accepts and reviews; beyond it the picture is left to `surpeer plot`


@dataclass(frozen=True)
class Cut:
    """Where the accepted papers end."""

    places: int
    certainty: float
    counts: tuple[int, int, int]
    """Papers proposed to accept, to discuss and to reject."""
    score: float
    """Half way between the last paper above the cut and the first below it; NaN if one has no score."""

    @property
    def open(self) -> int:
        """Places that no proposal fills."""
        return self.places - self.counts[Proposal.ACCEPT]


@dataclass(frozen=True)
class SingleReviews:
    """Every review, grouped by paper in the order of the ranking."""

    start: IntArray
    """(N + 1,) the reviews of paper r are start[r] to start[r + 1]."""
    reviewer: list[str | None] | None
    rating: IntArray
    prediction: FloatArray
    """(n, K) NaN where not given."""
    expected: FloatArray | None


@dataclass(frozen=True)
class Contours:
    """Lines of equal score, for each share of accepts that a paper has."""

    scores: tuple[float, ...]
    lines: dict[str, list[FloatArray]]
    """`3/6` (accepts/reviews): for each score (points, 2)."""


@dataclass(frozen=True)
class Report:
    """What a report says. `papers` and `reviews` are None where the audience may not see them."""

    title: str
    audience: Audience
    headline: list[str]
    scale: Scale
    caveats: list[str]
    """What makes the results less certain than they look: for the head of the page."""
    method: Method
    followed: bool
    """Whether predictions had any influence."""
    cut: Cut | None
    tracks: list[str]
    papers: PaperColumns | None
    reviews: SingleReviews | None
    contours: Contours | None
    curve: list[CurveStep]
    spread: list[SpreadCell]
    predictions: PredictionsContent
    quality: DataQuality
    origin: Origin


def report_of(results: Ranking | Decisions, *, title: str = "", origin: Origin | None = None) -> Report:
    """The whole report, as the chair sees it; surpeer.report.redact makes it fit for others."""
    ranking = ranking_of(results)
    matrices, method = ranking.scores.matrices, find_method(ranking.scores.method)
    papers = paper_columns(results)
    cut = _cut(results) if isinstance(results, Decisions) else None
    return Report(
        title=title or "Report on the reviews",
        audience=Audience.CHAIR,
        headline=_headline(ranking, cut),
        scale=matrices.scale,
        caveats=_caveats(results),
        method=method,
        followed=bool(np.isfinite(papers.expected).any()),
        cut=cut,
        tracks=sorted(set(papers.track or ())),
        papers=papers,
        reviews=_single_reviews(ranking),
        contours=_contours(papers, matrices.scale),
        curve=ranking_curve(papers, CURVE_STEPS),
        spread=[],
        predictions=predictions_content(ranking, papers.push),
        quality=data_quality(results),
        origin=origin or Origin(),
    )


def _cut(decisions: Decisions) -> Cut:
    score, places = decisions.ranking.scores.value[decisions.ranking.order], decisions.places
    around = score[places - 1 : places + 1]
    return Cut(
        places,
        decisions.certainty,
        (
            decisions.count(Proposal.ACCEPT),
            decisions.count(Proposal.DISCUSS),
            decisions.count(Proposal.REJECT),
        ),
        float(around.mean()) if np.isfinite(around).all() else float("nan"),
    )


def _headline(ranking: Ranking, cut: Cut | None) -> list[str]:
    """What was done and what to do, in a few sentences."""
    scores = ranking.scores
    reviews, papers = counted(int(scores.reviews.sum()), "review"), counted(len(ranking), "paper")
    verb = "was" if len(ranking) == 1 else "were"
    how = _by_what(ranking)
    if len(ranking) == 1:
        how = how.replace("their", "its", 1)
    sentences = [f"{papers[:1].upper()}{papers[1:]} with {reviews} {verb} ranked {how}."]
    if cut is not None:
        accept, discuss, reject = (f"{count:,}" for count in cut.counts)
        sentences.append(
            f"For {counted(cut.places, 'place')}: {accept} to accept and {reject} to reject, each with a certainty of "
            f"at least {percent_text(cut.certainty)}; {discuss} to discuss, for {counted(cut.open, 'open place')}."
        )
        if not cut.counts[Proposal.DISCUSS]:
            sentences.append("The reviews leave nothing to discuss.")
    return sentences


def _caveats(results: Ranking | Decisions) -> list[str]:
    scores = ranking_of(results).scores
    notes = [*cautions(scores.outcome.tracks), *one_sided_notes(scores)]
    if scores.standard_error is not None and not np.isfinite(expected_means(scores)).any():
        notes.append(
            "nothing shows whether something other than quality pushed papers up or down; if it did, scores and "
            "chances are less certain than stated"
        )
    if isinstance(results, Decisions):
        notes += decisions_notes(results)
    return [as_sentence(note) for note in notes]


def _by_what(ranking: Ranking) -> str:
    scores = ranking.scores
    if not find_method(scores.method).uses_predictions:
        return "by their mean rating"
    if not scores.outcome.tracks:
        return f"by the method {scores.method}"
    if not scores.matrices.source.has_forecast.any():
        return "by their ratings alone, because nobody predicted what others would say"
    reasons = {why_not_followed(track.fit.trust) for track in scores.outcome.tracks}
    if None not in reasons:
        why = f": {reasons.pop()}" if len(reasons) == 1 else ", for different reasons in different tracks"
        return f"by their ratings alone, because predictions could not be followed{why}"
    return "by how far their ratings are above or below what the reviewers' own predictions led one to expect"


def _single_reviews(ranking: Ranking) -> SingleReviews:
    source, order = ranking.scores.matrices.source, ranking.order
    row = np.empty(len(order), dtype=np.int64)  # of each paper in the ranking
    row[order] = np.arange(len(order))
    position = row[source.paper]
    by_paper = np.argsort(position, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(position, minlength=len(order)))])
    reviewer = None
    if source.reviewer is not None:
        reviewer = source.reviewer.gather(by_paper).cast(pl.String).to_list()
    return SingleReviews(
        start,
        reviewer,
        source.rating[by_paper],
        source.predictions[by_paper],
        None if source.expected is None else source.expected[by_paper],
    )


def _contours(papers: PaperColumns, scale: Scale) -> Contours | None:
    """For two-level scales, where somebody predicted on both sides."""
    if len(scale) != 2:
        return None
    both = (papers.predicted > 0).all(axis=1)
    votes = sorted({(int(accepts), int(reviews)) for accepts, reviews in _votes(papers.counts[both])})
    if not votes or len(votes) > MOST_CONTOURS:
        return None
    return contours_of(votes)


def contours_of(votes: Iterable[tuple[int, int]]) -> Contours:
    """The lines for each number of accepts and of reviews."""
    lines = {
        f"{accepts}/{reviews}": [score_line(accepts / reviews, score, CONTOUR_POINTS) for score in CONTOUR_SCORES]
        for accepts, reviews in votes
    }
    return Contours(CONTOUR_SCORES, lines)


def _votes(counts: IntArray) -> list[tuple[int, int]]:
    return [(accepts, rejects + accepts) for rejects, accepts in counts.tolist()]
