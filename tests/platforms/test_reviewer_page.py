"""The page for reviewers."""

import re

import pytest

from surpeer import Scale
from surpeer.io.platforms.hotcrp.settings import form_settings
from surpeer.io.platforms.openreview.form import form_options
from surpeer.io.platforms.reviewer_page import reviewer_page
from surpeer.io.review_form.example_shares import example_shares

SCALE = Scale(["1", "2", "3", "4"], labels=["Reject", "Weak reject", "Weak accept", "Accept"])


@pytest.mark.parametrize("platform", ["hotcrp", "openreview"])
@pytest.mark.parametrize("ask", ["shares", "text", "expected"])
def test_every_page(ask: str, platform: str) -> None:
    page = reviewer_page(SCALE, ask, platform)
    assert page.startswith("# Two questions about each paper\n")
    assert "- 1: Reject (the lowest)\n- 2: Weak reject\n- 3: Weak accept\n- 4: Accept (the highest)\n" in page
    assert page.endswith(
        "\nOnly the program chairs and you see your prediction. Other reviewers and authors never do.\n"
    )
    assert "{" not in page
    assert len(page.split()) < 350  # one page
    assert max(map(len, page.splitlines())) <= 140


def test_the_examples() -> None:
    assert "For example: 10 for 1, 20 for 2, 50 for 3, 20 for 4." in reviewer_page(SCALE, "shares", "hotcrp")
    assert "In one line: `10 20 50 20`" in reviewer_page(SCALE, "text", "hotcrp")
    expected = reviewer_page(SCALE, "expected", "hotcrp")
    assert "if you expect half of them to give 4 and half 3, answer 3.5." in expected
    words = reviewer_page(Scale(["reject", "accept"]), "expected", "openreview")
    assert "- reject (the lowest)\n- accept (the highest)\n" in words
    assert "half of them to give accept and half reject, answer 0.5." in words


def test_who_sees_predictions_is_what_the_form_says() -> None:
    page = reviewer_page(SCALE, "shares", "openreview", area_chairs=True)
    seen = "Only the program chairs, the area chairs of the paper and you see your prediction."
    assert page.endswith(f"\n{seen} Other reviewers and authors never do.\n")


def test_the_form_and_the_page_show_the_same_example() -> None:
    hotcrp = form_settings(SCALE, "text")["rf"][1]["description"]
    openreview = form_options(SCALE, "text", "V")["predicted_distribution"]["description"]
    assert "such as “10 20 50 20”." in hotcrp
    assert openreview.endswith("For example: 10, 20, 50, 20")


@pytest.mark.parametrize("levels", range(2, 30))
def test_example_shares_sum_to_100(levels: int) -> None:
    shares = example_shares(levels)
    assert len(shares) == levels
    assert sum(shares) == 100
    assert re.fullmatch("[0-9 ]+", " ".join(map(str, shares)))
