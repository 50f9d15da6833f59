"""Scaling to a total and checking predictions: promises that hold for all numbers, and the same in the browser."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from surpeer.web.reviews.prediction import PredictionProblems, checked_prediction, left_to_place, question_of
from surpeer.web.reviews.scaling import scaled
from surpeer.web.venues.models import Venue

SCRIPT = Path(__file__).parents[2] / "src/surpeer/web/static/surpeer/review_scaling.js"
numbers_of_levels = st.lists(st.integers(0, 999_999), min_size=1, max_size=10)
wholes = st.integers(5, 100)


@given(numbers_of_levels.filter(any), wholes)
def test_scaled_numbers_add_up_and_stay_near_their_share(numbers: list[int], whole: int) -> None:
    found = scaled(numbers, whole)
    assert sum(found) == whole
    total = sum(numbers)
    assert all(abs(after * total - before * whole) < total for before, after in zip(numbers, found, strict=True))


@given(numbers_of_levels.filter(any), wholes)
def test_scaling_keeps_the_order_and_what_adds_up_already(numbers: list[int], whole: int) -> None:
    found = scaled(numbers, whole)
    pairs = list(zip(numbers, found, strict=True))
    assert all(a[1] <= b[1] for a in pairs for b in pairs if a[0] < b[0])
    assert scaled(found, whole) == found
    assert scaled([2 * number for number in numbers], whole) == found


@pytest.mark.parametrize(
    ("numbers", "whole", "expected"),
    [([10, 15], 20, [8, 12]), ([1, 1, 1], 20, [7, 7, 6]), ([0, 0], 20, [0, 0]), ([0, 3], 20, [0, 20]), ([7], 5, [5])],
)
def test_scaling_by_hand(numbers: list[int], whole: int, expected: list[int]) -> None:
    assert scaled(numbers, whole) == expected


def test_the_browser_scales_in_the_same_way(browser: Browser) -> None:
    cases: list[tuple[list[int], int]] = []

    @given(numbers_of_levels, wholes)
    def collect(numbers: list[int], whole: int) -> None:
        cases.append((numbers, whole))

    collect()
    page = browser.new_page()
    page.set_content("<!doctype html><title>scaling</title>")
    page.add_script_tag(path=SCRIPT)
    script = "(cases) => JSON.parse(cases).map(([numbers, whole]) => surpeerScaled(numbers, whole))"
    found = page.evaluate(script, json.dumps(cases))
    page.close()
    assert len(cases) >= 50
    assert found == [scaled(numbers, whole) for numbers, whole in cases]


def venue_with(form: str, labels: tuple[str, ...] = ("no", "maybe", "yes")) -> Venue:
    return Venue(prediction_form=form, imagined=20, levels=[{"label": label, "value": 0} for label in labels])


@given(st.lists(st.integers(0, 40), min_size=3, max_size=3))
def test_numbers_are_a_prediction_exactly_if_they_add_up(numbers: list[int]) -> None:
    venue, texts = venue_with("imagined"), [str(number) for number in numbers]
    if sum(numbers) == 20:
        assert checked_prediction(venue, texts) == numbers
        assert left_to_place(question_of(venue), texts) == "Adds up to 20"
    else:
        with pytest.raises(PredictionProblems, match="expected"):
            checked_prediction(venue, texts)


@given(st.lists(st.text(max_size=30), max_size=5))
def test_whatever_is_typed_is_a_prediction_or_a_problem_that_says_where(texts: list[str]) -> None:
    problems: dict[int | None, str] = {}
    try:
        assert sum(checked_prediction(venue_with("shares"), texts)) == 100
    except PredictionProblems as found:
        problems = found.problems
    assert all(place is None or 0 <= place < 3 for place in problems)
    assert all("expected" in text or "empty" in text for text in problems.values())


@pytest.mark.parametrize(
    ("form", "texts", "problems"),
    [
        ("imagined", ["1", "2"], {None: "Found 2 numbers, expected 3, one for each level."}),
        ("imagined", ["21", "x", "1e1"], {
            0: "no: found “21”, expected a whole number from 0 to 20.",
            1: "maybe: found “x”, expected a whole number from 0 to 20.",
            2: "yes: found “1e1”, expected a whole number from 0 to 20.",
        }),
        ("shares", ["50", "", "49"], {None: "The numbers add up to 99%, expected 100%: 1% left to place."}),
        ("top", ["101"], {0: "yes: found “101”, expected a whole number from 0 to 100."}),
        ("top", [""], {None: "The prediction is empty: say what you expect of the other reviewers. A whole number from 0 to 100."}),
        ("top", ["9" * 30], {0: f"yes: found “{'9' * 20}…”, expected a whole number from 0 to 100."}),
    ],
)  # fmt: skip
def test_problems_of_a_prediction(form: str, texts: list[str], problems: dict[int | None, str]) -> None:
    with pytest.raises(PredictionProblems) as found:
        checked_prediction(venue_with(form), texts)
    assert found.value.problems == problems
