"""What a report says: columns against the library's own objects, sentences, counts, and odd venues."""

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from scipy.special import ndtri
from venues import venue_decisions, venue_table

import surpeer
from surpeer.decisions import Decisions
from surpeer.proposals import Proposal
from surpeer.report.columns import paper_columns
from surpeer.report.content import report_of
from surpeer.report.summary import ranking_curve, spread_cells


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return venue_decisions()


@pytest.fixture(scope="module")
def workshop() -> Decisions:
    return surpeer.decide(surpeer.calibrate(surpeer.read_reviews(ROOT / "examples" / "workshop.csv")), 0.25)


def test_columns_are_those_of_the_decisions(decisions: Decisions) -> None:
    papers, table = paper_columns(decisions), decisions.table
    assert papers.id == table["paper"].to_list()
    assert papers.title == table["title"].to_list()
    assert papers.track == table["track"].to_list()
    assert papers.rank.tolist() == table["rank"].to_list()
    assert papers.mean.tolist() == table["mean"].to_list()
    assert papers.score.tolist() == table["score"].to_list()
    assert papers.p_accept is not None
    assert papers.p_accept.tolist() == table["p_accept"].to_list()
    assert papers.low is not None
    assert papers.high is not None
    reach = ndtri(0.9) * table["standard_error"].to_numpy()
    assert papers.high - papers.low == pytest.approx(2 * reach)
    assert [Proposal(code).label for code in papers.proposal] == table["proposal"].to_list()  # type: ignore[union-attr]


def test_expected_ratings_are_those_of_the_explanation(workshop: Decisions) -> None:
    papers = paper_columns(workshop)
    assert papers.expected is not None
    assert papers.push is not None
    for row, paper in enumerate(papers.id):
        explained = surpeer.explain(workshop.ranking, paper)
        assert explained.venue is not None
        assert papers.expected[row] == pytest.approx(explained.venue.expected_mean)
        assert papers.push[row] == pytest.approx(explained.venue.expected_mean - explained.venue.typical_mean)
        assert papers.counts[row].tolist() == explained.counts.tolist()
        assert papers.predictions[row] == pytest.approx(explained.P, nan_ok=True)


def test_places_by_mean_and_how_far_papers_moved(workshop: Decisions) -> None:
    papers = paper_columns(workshop)
    for row in range(len(papers)):
        better = int((papers.mean > papers.mean[row] + 1e-9).sum())
        same = int((np.abs(papers.mean - papers.mean[row]) <= 1e-9).sum())
        assert papers.mean_rank[row] == better + 1
        shared = range(better + 1, better + same + 1)
        nearest = min(shared, key=lambda place, row=row: abs(place - papers.rank[row]))  # type: ignore[misc]
        assert papers.moved[row] == nearest - papers.rank[row]


def test_headline_says_what_was_done_and_what_to_do(workshop: Decisions) -> None:
    assert report_of(workshop).headline == [
        (
            "12 papers with 60 reviews were ranked by how far their ratings are above or below what the reviewers' own "
            "predictions led one to expect."
        ),
        (
            "For 3 places: 0 to accept and 7 to reject, each with a certainty of at least 80%; 5 to discuss, for 3 open "
            "places."
        ),
    ]


@pytest.mark.parametrize(
    ("method", "words"),
    [("mean", "by their mean rating"), ("surprisal", "by the method surprisal")],
)
def test_headline_of_other_methods(method: str, words: str, workshop: Decisions) -> None:
    ranking = surpeer.calibrate(workshop.ranking.scores.matrices.source, method)
    report = report_of(ranking)
    assert report.headline == [f"12 papers with 60 reviews were ranked {words}."]
    assert report.papers is not None
    assert report.papers.low is None
    assert report.papers.if_higher is None
    assert report.cut is None


def test_without_predictions() -> None:
    table = venue_table().select("paper", "rating")
    report = report_of(surpeer.calibrate(surpeer.Reviews.from_table(table, surpeer.Scale.parse("1..5"))))
    assert report.headline[0].endswith("by their ratings alone, because nobody predicted what others would say.")
    assert report.predictions.groups[0].verdict == "Nobody predicted anything."
    assert report.predictions.calibration == []
    assert report.predictions.pushes == []
    assert report.reviews is not None
    assert report.reviews.reviewer is None


def test_predictions_that_say_nothing() -> None:
    table = venue_table().with_columns([pl.lit(0.2).alias(f"p_{level}") for level in range(1, 6)])
    report = report_of(surpeer.calibrate(surpeer.Reviews.from_table(table.drop("track"))))
    assert "by their ratings alone, because predictions could not be followed: " in report.headline[0]
    assert report.caveats[-1].startswith("Nothing shows whether something other than quality pushed papers up or down;")
    group = report.predictions.groups[0]
    assert group.influence.startswith("Predictions are not followed (")
    assert np.isnan(group.push_spread)


def test_groups_are_the_venue_and_its_tracks(decisions: Decisions) -> None:
    groups = report_of(decisions).predictions.groups
    assert [(group.name, group.papers) for group in groups] == [
        (None, 60),
        ("Systems", 28),
        ("Theory", 29),
        ("Tiny", 3),
    ]
    assert groups[0].reviews == sum(group.reviews for group in groups[1:]) == 240
    assert groups[0].verdict.startswith("Predictions were better than always predicting the average: they missed ")
    assert groups[0].influence.startswith("Predictions are followed in ")


def test_single_reviews_are_grouped_by_paper(decisions: Decisions) -> None:
    report = report_of(decisions)
    reviews, papers = report.reviews, report.papers
    assert reviews is not None
    assert papers is not None
    table = venue_table()
    for row in (0, 17, 59):
        mine = slice(reviews.start[row], reviews.start[row + 1])
        given = table.filter(pl.col("paper") == papers.id[row])
        assert (reviews.rating[mine] + 1).tolist() == given["rating"].to_list()
        assert (reviews.reviewer or [])[mine] == given["reviewer"].to_list()
        assert reviews.prediction[mine] == pytest.approx(given.select(pl.col("^p_.*$")).to_numpy())


@pytest.mark.parametrize(("steps", "least"), [(200, 1), (7, 1), (20, 5)])
def test_curve_covers_every_paper_once(decisions: Decisions, steps: int, least: int) -> None:
    curve = ranking_curve(paper_columns(decisions), steps, least)
    assert len(curve) == min(steps, 60 // least)
    assert [step.first for step in curve] == [1, *(step.last + 1 for step in curve[:-1])]
    assert curve[-1].last == 60
    assert sum(step.accept + step.discuss + step.reject for step in curve) == 60
    assert all(step.low < step.score < step.high for step in curve)


def test_spread_counts_every_paper(decisions: Decisions) -> None:
    papers = paper_columns(decisions)
    cells, hidden = spread_cells(papers, 12, 1)
    assert hidden == 0
    assert sum(cell.papers for cell in cells) == 60
    large, hidden = spread_cells(papers, 4, 5)
    assert sum(cell.papers for cell in large) + hidden == 60
    assert all(cell.papers >= 5 for cell in large)


def test_contours_are_there_for_two_levels_only(workshop: Decisions, decisions: Decisions) -> None:
    contours = report_of(workshop).contours
    assert contours is not None
    assert sorted(contours.lines) == ["1/5", "1/6", "2/4", "3/5", "3/6"]
    assert report_of(decisions).contours is None
