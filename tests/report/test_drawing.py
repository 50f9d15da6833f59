"""From results to pictures: which chart, of which papers, and what cannot be drawn."""

import re

import numpy as np
import polars as pl
import pytest
from conftest import ROOT

import surpeer
from surpeer.decisions import Decisions, decide
from surpeer.demo import make_venue
from surpeer.errors import InputError, UnknownName
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.report.charts import CHARTS
from surpeer.report.charts.limits import MOST_ROWS
from surpeer.report.content import report_of
from surpeer.report.document import document_of
from surpeer.report.drawing import picture_of_document
from surpeer.reviews import Reviews


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return calibrate(surpeer.read_reviews(ROOT / "examples" / "workshop.csv"))


@pytest.fixture(scope="module")
def large() -> Decisions:
    venue = make_venue(np.random.default_rng(3), 100)
    return decide(calibrate(Reviews.from_table(venue.reviews)), 40)


def test_the_default_chart_is_by_size(ranking: Ranking, large: Decisions) -> None:
    assert ranking.plot().spec["title"]["text"] == CHARTS["intervals"].title
    assert len(ranking.plot().spec["datasets"]["papers"]) == 12
    assert large.plot().spec["title"]["text"] == CHARTS["curve"].title
    assert len(large.plot().spec["datasets"]["curve"]) == 100


def test_a_page_around_the_cut(large: Decisions) -> None:
    around, first = large.plot("intervals").spec, large.ranking.plot("intervals").spec
    assert len(around["datasets"]["papers"]) == len(first["datasets"]["papers"]) == MOST_ROWS
    assert around["datasets"]["papers"][0]["rank"] == large.ranking.rank[10]
    assert around["title"]["subtitle"][1].startswith("Ranks 11 to 70 of 100 papers.")
    assert first["title"]["subtitle"][1].startswith("Ranks 1 to 60 of 100 papers.")
    assert around["datasets"]["cut"][0]["rank"] == 40.5
    assert first["datasets"]["cut"] == []


def test_a_picture_without_a_title_still_says_which_papers_it_shows(large: Decisions) -> None:
    document = document_of(report_of(large))
    intervals = picture_of_document(document, CHARTS["intervals"], None, "light", titled=False)
    assert intervals.spec["title"] == {"text": "", "subtitle": ["Ranks 11 to 70 of 100 papers."]}
    curve = picture_of_document(document, CHARTS["curve"], None, "light", titled=False)
    assert "title" not in curve.spec
    assert curve.title == CHARTS["curve"].title


def test_words_of_a_picture_have_the_room_that_was_measured_for_them(ranking: Ranking) -> None:
    """In fonts as wide as that of the renderer, and with some room more where names stand, for a wider one."""
    drawn = ranking.plot("ratings", paper="W03")
    assert set(re.findall(r'font-family="([^"]*)"', drawn.svg())) == {"'Liberation Sans', Arial, Helvetica, sans-serif"}
    assert drawn.spec["config"]["padding"]["left"] >= 30
    assert drawn.spec["config"]["legend"]["columnPadding"] >= 20


def test_a_page_at_the_end(large: Decisions) -> None:
    rows = decide(large.ranking, 95).plot("intervals").spec["datasets"]["papers"]
    assert rows[-1]["rank"] == large.ranking.rank[-1]
    assert len(rows) == MOST_ROWS


def test_papers_without_a_score_are_left_out_and_counted() -> None:
    reviews = surpeer.read_reviews(ROOT / "examples" / "workshop.csv")
    spec = calibrate(reviews, "surprisal").plot("intervals").spec
    scores = [row["score"] for row in spec["datasets"]["papers"]]
    missing = 12 - len(scores)
    assert missing > 0
    assert None not in scores
    assert spec["title"]["subtitle"][1] == f"{missing} papers without a finite score left out."


def test_explanation_draws_what_the_ranking_draws(ranking: Ranking) -> None:
    explained = surpeer.explain(ranking, "W03")
    for chart in ("ratings", "predictions", "contour"):
        mine, theirs = explained.plot(chart), ranking.plot(chart, paper="W03")
        assert mine.spec["datasets"] == theirs.spec["datasets"]
        assert mine.spec["layer"] == theirs.spec["layer"]
        assert mine.spec["title"]["text"].startswith("W03: ")
    assert explained.plot().spec == explained.plot("ratings").spec


def test_shares_of_the_picture_are_those_of_the_reviews(ranking: Ranking) -> None:
    rows = ranking.plot("ratings", paper="W03").spec["datasets"]["levels"]
    explained = surpeer.explain(ranking, "W03")
    assert [row["share"] for row in rows] == pytest.approx(explained.v.tolist())
    assert explained.venue is not None
    assert [row["prior"] for row in rows] == pytest.approx(explained.venue.expected_shares.tolist(), abs=5e-4)
    assert sum(row["prior"] * value for row, value in zip(rows, explained.scale.values, strict=True)) == pytest.approx(
        explained.venue.expected_mean, abs=1e-3
    )


def test_ids_that_are_numbers() -> None:
    table = pl.DataFrame({"paper": [7, 7, 12, 12], "rating": ["0", "1", "1", "1"], "p_0": [0.6, 0.4, 0.3, 0.2], "p_1": [0.4, 0.6, 0.7, 0.8]})  # fmt: skip
    ranking = calibrate(Reviews.from_table(table))
    assert ranking.plot("ratings", paper=7).spec["title"]["text"].startswith("7: ")
    assert {row["id"] for row in ranking.plot().spec["datasets"]["papers"]} == {"7", "12"}


def test_a_long_id_is_cut_in_the_title(ranking: Ranking) -> None:
    table = pl.DataFrame({"paper": ["x" * 90] * 2, "rating": ["0", "1"], "p_0": [0.6, 0.4], "p_1": [0.4, 0.6]})
    title = calibrate(Reviews.from_table(table)).plot("ratings", paper="x" * 90).spec["title"]["text"]
    assert title == f"{'x' * 40}…: Ratings, and what was to be expected"


WRONG = [
    ("moved", "W03", "the chart moved shows all papers, so it takes no paper; those of one paper are ratings, predictions, contour"),
    ("ratings", None, "the chart ratings shows one paper; name it: --paper ID, or plot(paper=...) in Python"),
    ("ratings", "W3", 'unknown paper "W3"; did you mean "W03"?'),
    ("contour", "W02", "the chart contour has nothing to draw: it takes complete predictions by reviewers of both ratings"),
    ("spread", None, "the chart spread has nothing to draw: no 5 papers are alike in mean rating and score, and fewer are not shown in public"),
    ("interval", None, 'unknown chart "interval"; did you mean "intervals"?; known: intervals, curve, moved'),
]  # fmt: skip


@pytest.mark.parametrize(("chart", "paper", "message"), WRONG)
def test_what_cannot_be_drawn(ranking: Ranking, chart: str, paper: str | None, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        ranking.plot(chart, paper=paper)


def test_a_theme_that_does_not_exist(ranking: Ranking) -> None:
    for plot in (ranking.plot, surpeer.explain(ranking, "W03").plot):
        with pytest.raises(UnknownName, match='unknown theme "drak"; did you mean "dark"?'):
            plot(theme="drak")


def test_an_explanation_is_of_one_paper(ranking: Ranking) -> None:
    with pytest.raises(InputError, match="the chart moved shows all papers; an explanation has ratings, predictions"):
        surpeer.explain(ranking, "W03").plot("moved")


def test_contour_is_for_two_levels() -> None:
    table = {"paper": ["A", "A"], "rating": ["1", "3"], "p_1": [0.5, 0.2], "p_2": [0.3, 0.3], "p_3": [0.2, 0.5]}
    ranking = calibrate(Reviews.from_table(table))
    message = "the chart contour is for scales of two levels; found 3: 1, 2, 3; the chart predictions shows"
    for plot in (lambda: ranking.plot("contour", paper="A"), lambda: surpeer.explain(ranking, "A").plot("contour")):
        with pytest.raises(InputError, match=message):
            plot()
    assert len(ranking.plot("predictions", paper="A").spec["datasets"]["predictions"]) == 6


def test_without_predictions() -> None:
    table = {"paper": ["A", "A", "B"], "rating": ["0", "1", "1"]}
    ranking = calibrate(Reviews.from_table(table, surpeer.Scale(["0", "1"])))
    for chart, paper, why in (
        ("calibration", None, "no review has a complete prediction"),
        ("pushes", None, "predictions are not used by this method, or not followed"),
        ("predictions", "A", "none of its reviewers made a complete prediction"),
        ("contour", "A", "it takes complete predictions by reviewers of both ratings"),
    ):
        with pytest.raises(InputError, match=f"the chart {chart} has nothing to draw: {why}"):
            ranking.plot(chart, paper=paper)
    rows = ranking.plot("ratings", paper="A").spec["datasets"]["levels"]
    assert [(row["share"], row["prior"]) for row in rows] == [(0.5, None), (0.5, None)]
    assert surpeer.explain(ranking, "A").plot().spec["datasets"]["levels"] == rows


def test_the_public_chart_shows_groups_only(large: Decisions) -> None:
    rows = large.plot("spread").spec["datasets"]["spread"]
    assert rows
    assert all(set(row) == {"mean", "score", "papers"} and row["papers"] >= 5 for row in rows)
