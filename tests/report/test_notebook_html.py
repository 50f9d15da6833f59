"""The main values as a notebook shows them."""

import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest
from conftest import ROOT

import surpeer
from surpeer.report.notebook_html import MOST_ROWS, html_of
from surpeer.reviews import Reviews

ODD = '<img src=x onerror="alert(1)">&\u202e'


def parsed(html: str) -> ElementTree.Element:
    """Read as XML: what is not escaped or not closed raises."""
    return ElementTree.fromstring(f"<div>{html}</div>")


def cells(html: str) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in parsed(html).iter("tr")]


def caption(html: str) -> str:
    return "".join(next(parsed(html).iter("caption")).itertext())


@pytest.fixture(scope="module")
def workshop() -> dict[str, Any]:
    reviews = surpeer.read_reviews(ROOT / "examples" / "workshop.csv")
    ranking = surpeer.calibrate(reviews)
    return {
        "reviews": reviews,
        "matrices": ranking.scores.matrices,
        "scores": ranking.scores,
        "ranking": ranking,
        "decisions": surpeer.decide(ranking, 3),
        "explanation": surpeer.explain(ranking, "W03"),
    }


CAPTIONS = {
    "reviews": "60 reviews of 12 papers, 59 with a prediction",
    "matrices": "Ratings of 12 papers, 9 of them with a prediction for every rating",
    "scores": "Scores of 12 of 12 papers by the method venue, in the order of their ids",
    "ranking": "12 papers ranked by the method venue, the best first",
    "decisions": "0 accept, 5 discuss, 7 reject: 3 places for 12 papers, with a certainty of 0.8",
    "explanation": "Paper W03: rank 1 of 12 by the method venue, score 0.6119, mean rating 0.5000",
}
ROWS = {"reviews": 20, "matrices": 12, "scores": 12, "ranking": 12, "decisions": 12, "explanation": 4}


@pytest.mark.parametrize("name", CAPTIONS)
def test_a_table_with_a_caption(workshop: dict[str, Any], name: str) -> None:
    html = workshop[name]._repr_html_()
    assert caption(html) == CAPTIONS[name]
    assert len(cells(html)) == 1 + ROWS[name]
    assert len({len(row) for row in cells(html)}) == 1
    assert "<script" not in html
    assert "http" not in html
    assert not {"background", "black", "white"} & set(html.replace(":", " ").replace('"', " ").split())


def test_numbers_are_those_of_the_table(workshop: dict[str, Any]) -> None:
    head, first, *_ = cells(workshop["ranking"]._repr_html_())
    assert head == ["rank", "paper", "reviews", "mean", "score", "standard error", "own share", "status", "flags"]
    assert first == ["1", "W03", "6", "0.5000", "0.6119", "0.8896", first[6], "finite", "missing_predictions"]
    rows = cells(workshop["explanation"]._repr_html_())
    assert rows[:2] == [["", "reject", "accept"], ["ratings given", "3", "3"]]
    assert rows[-1][0] == "to be expected whatever the quality"
    review = cells(workshop["reviews"]._repr_html_())
    assert review[0] == ["paper", "reviewer", "rating", "predicts reject", "predicts accept"]


def venue(papers: int, first: object = "P0") -> Reviews:
    ids = [first, *(f"P{at}" for at in range(1, papers))] if isinstance(first, str) else [first] * papers
    return Reviews.from_table(
        {
            "paper": ids,
            "reviewer": ["R"] * papers,
            "rating": ["1"] * papers,
            "p_0": [0.25] * papers,
            "p_1": [0.75] * papers,
        }
    )


def test_at_most_twenty_rows() -> None:
    ranking = surpeer.calibrate(venue(1_500))
    for shown in (
        ranking,
        ranking.scores,
        ranking.scores.matrices,
        ranking.scores.matrices.source,
        surpeer.decide(ranking, 3),
    ):
        html = shown._repr_html_()
        assert len(cells(html)) == 1 + MOST_ROWS
        assert "... and 1,480 more" in html
    assert "more" not in surpeer.calibrate(venue(20))._repr_html_()


def test_odd_texts_are_escaped() -> None:
    reviews = venue(2, ODD)
    ranking = surpeer.calibrate(reviews)
    shown = (
        ranking,
        ranking.scores,
        ranking.scores.matrices,
        reviews,
        surpeer.decide(ranking, 1),
        surpeer.explain(ranking, ODD),
    )
    for value in shown:
        html = value._repr_html_()
        assert "<img" not in html
        assert "\u202e" not in html
        assert "&lt;img src=x onerror=" in html
        assert parsed(html) is not None


def test_long_cells_are_cut() -> None:
    row = cells(surpeer.calibrate(venue(1, "y" * 300))._repr_html_())[1]
    assert row[1] == "y" * 60 + "…"


def test_ids_that_are_numbers_are_not_amounts() -> None:
    reviews = Reviews.from_table(pl.DataFrame({"paper": [2024], "rating": ["1"], "p_0": [0.5], "p_1": [0.5]}))
    ranking = surpeer.calibrate(reviews)
    for value in (ranking, ranking.scores, ranking.scores.matrices, reviews):
        assert "2024" in [cell for row in cells(value._repr_html_()) for cell in row]


def test_what_is_not_known_is_a_dash() -> None:
    reviews = Reviews.from_table({"paper": ["A", "A"], "rating": ["0", "1"]}, surpeer.Scale(["0", "1"]))
    ranking = surpeer.calibrate(reviews, "surprisal")
    assert cells(reviews._repr_html_())[1] == ["A", "–", "0", "–", "–"]
    assert cells(ranking._repr_html_())[1][4] == "–"
    assert "no score (" in caption(surpeer.explain(ranking, "A")._repr_html_())


def test_anything_else_is_shown_as_text() -> None:
    assert html_of(["<b>"]) == "<pre>[&#x27;&lt;b&gt;&#x27;]</pre>"


def test_nobody_loads_what_draws_before_looking() -> None:
    path = ROOT / "examples" / "workshop.csv"
    code = (
        f"import sys, surpeer; ranking = surpeer.calibrate(surpeer.read_reviews({str(path)!r})); "
        "before = [name for name in sys.modules if name.startswith(('surpeer.report', 'vl_convert'))]; "
        "assert not before, before; ranking._repr_html_(); assert 'vl_convert' not in sys.modules; "
        "ranking.plot(); assert 'vl_convert' not in sys.modules; print('surpeer.report.drawing' in sys.modules)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "True\n", finished.stderr
