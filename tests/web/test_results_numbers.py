"""Numbers and notes on the pages of results: as people read them."""

import re
from typing import Any

import polars as pl
import pytest
from django.template.loader import render_to_string

from surpeer.web.results.computing import compute
from surpeer.web.results.paper_page import parts_of_card
from surpeer.web.results.ranking_page import SINGLE, neighbours, shown
from web.filled_venue import open_and_filled, without_pictures, without_reports
from web.people import People, browser_of

NUMBER = re.compile(r'<td class="number">(?:<strong>)?([−+]?\d\.\d\d)<')


def row(**changes: Any) -> dict[str, Any]:
    start = {"pk": 7, "paper": "P7", "title": "", "rank": 3, "reviews": 4, "mean": 0.5, "score": 0.25}
    return {**start, "p_accept": 0.3, "flags": [], "reason": "undecided", **changes}


@pytest.mark.parametrize(
    ("score", "text"), [(-0.004, "0.00"), (-0.0, "0.00"), (-0.006, "−0.01"), (1.239, "1.24"), (None, "–")]
)
def test_there_is_no_minus_before_zero(score: float | None, text: str) -> None:
    assert shown(row(score=score))["score"] == text


def test_what_is_not_known_is_a_dash() -> None:
    assert shown(row(p_accept=None))["chance"] == "–"
    assert shown(row(mean=-0.001))["mean"] == "0.00"


def test_parts_add_up_to_the_score_as_it_is_shown() -> None:
    parts = parts_of_card({"parts": [2.204, -1.732, 0.274]}, 0.746)
    assert [part["number"] for part in parts] == ["+2.21", "−1.73", "+0.27"]
    assert parts_of_card({"parts": None}, 0.746) == []


@pytest.mark.parametrize(
    ("proposal", "reviews", "said"),
    [("accept", 1, [SINGLE]), ("reject", 1, [SINGLE]), ("discuss", 1, []), ("reject", 2, []), (None, 1, [])],
)
def test_a_proposal_that_rests_on_one_review_says_so(proposal: str | None, reviews: int, said: list[str]) -> None:
    assert shown(row(proposal=proposal, reviews=reviews))["flags"] == said


@pytest.mark.django_db
def test_on_the_page_of_every_paper_the_parts_add_up(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    papers = open_and_filled(people, 12)
    compute(people.venue)
    chair = browser_of(people.chair)
    for paper in papers:
        page = chair.get(f"/venues/workshop/results/papers/{paper.pk}/").content.decode()
        assert "−0.00" not in page
        *parts, score = (round(100 * float(text.replace("−", "-"))) for text in NUMBER.findall(page))
        assert len(parts) == 3
        assert sum(parts) == score


@pytest.mark.django_db
def test_what_to_know_of_a_paper_stands_below_its_name(people: People) -> None:
    text = render_to_string(
        "results/paper_cell.html",
        {"venue": people.venue, "row": shown(row(title="On <b>it</b>", flags=["incoherent_forecasts"]))},
    )
    assert '<span class="text title">On &lt;b&gt;it&lt;/b&gt;</span>' in text
    assert '<span class="noted small">Predictions contradict each other' in text
    plain = render_to_string("results/paper_cell.html", {"venue": people.venue, "row": shown(row(title="P7"))})
    assert "span" not in plain


def test_neighbours_in_the_ranking() -> None:
    table = pl.DataFrame({"pk": [5, 3, 9], "paper": ["A", "B", "C"], "rank": [1, 2, 2], "mean": [1.0, 0.5, 0.5]})
    rows = [{"pk": pk, "paper": paper, "rank": rank} for pk, paper, rank in ((5, "A", 1), (3, "B", 2), (9, "C", 2))]
    assert neighbours(table, 5) == {"before": None, "after": rows[1]}
    assert neighbours(table, 3) == {"before": rows[0], "after": rows[2]}
    assert neighbours(table, 9) == {"before": rows[1], "after": None}
    assert neighbours(table[:1], 5) == {"before": None, "after": None}
    assert neighbours(table, 7) == {"before": None, "after": None}
