"""Which end of a scale is the best, and that forms of all platforms are read the same way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.io.platforms.hotcrp.form import read_form as read_hotcrp
from surpeer.io.platforms.openreview.form import read_form as read_openreview
from surpeer.io.review_form.direction import best_is_first, leaning
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.vocabulary import VOCABULARY

FOR = [*VOCABULARY["speaking_for"], *VOCABULARY["speaking_for_beginnings"], "acceptable", "agreed", "passes"]
AGAINST = [
    *VOCABULARY["speaking_against"],
    *VOCABULARY["speaking_against_beginnings"],
    "rejected",
    "unacceptable",
    "No",
]


@pytest.mark.parametrize(
    ("label", "leans"),
    [
        *((word, 1) for word in FOR),
        *((word, -1) for word in AGAINST),
        ("STRONG ACCEPT!", 1),
        ("Strongly disagree", -1),
        ("No.", -1),
        ("no: reject it", -1),
        ("No (poor)", -1),
        ("No, good as it is", 0),
        ("not acceptable", 0),
        ("Not good enough", 0),
        ("not bad", 0),
        ("No flaws", 0),
        ("no reason to reject", 0),
        ("I wouldn't accept it", 0),
        ("I wouldn’t reject it", 0),
        ("cannot be accepted", 0),
        ("neither good nor bad", 0),
        ("accept or reject", 0),
        ("Borderline", 0),
        ("goodness lowers topics", 0),
        ("", 0),
    ],
)
def test_what_a_label_says(label: str, leans: int) -> None:
    assert leaning(label) == leans


@pytest.mark.parametrize(
    ("labels", "first"),
    [
        (["Accept", "Reject"], True),
        (["Poor", "Fair", "Excellent"], False),
        (["Yes", "Maybe", "No"], True),
        (["3", "2", "1"], True),
        (["0%", "50 %", "100%"], False),
        (["1", "3", "2"], None),
        (["1", "1"], None),
        (["Reject", "Not acceptable"], None),
        (["Not acceptable", "Outstanding"], None),
        (["Accept", "Accept"], None),
        (["1", "Accept"], None),
        (["Accept"], None),
        ([], None),
    ],
)
def test_which_end_is_the_best(labels: list[str], first: bool | None) -> None:
    assert best_is_first(labels) is first
    if len(labels) > 1:
        assert best_is_first(labels[::-1]) is (None if first is None else not first)


def symbols(form: Form | None) -> list[str]:
    assert form is not None
    return [option.label or option.symbol for option in form.questions[0].options]


def hotcrp(labels: list[str]) -> list[str]:
    values = [{"name": label, "symbol": at} for at, label in enumerate(labels, start=1)]
    return symbols(read_hotcrp({"rf": [{"id": "s01", "name": "Overall merit", "values": values}]}))


def openreview(labels: list[Any]) -> list[str]:
    return symbols(read_openreview({"rating": {"value": {"param": {"type": "string", "enum": labels}}}}))


@given(st.sampled_from(FOR), st.sampled_from(AGAINST), st.sampled_from(["Borderline", "Hm"]), st.booleans())
def test_one_form_is_read_the_same_way_on_every_platform(good: str, bad: str, middle: str, falls: bool) -> None:
    listed = [good, middle, bad] if falls else [bad, middle, good]
    assert hotcrp(listed) == openreview(listed) == [bad, middle, good]


@pytest.mark.parametrize("labels", [["Not acceptable", "Fine", "Good"], ["Good", "Fine", "Not good"]])
def test_a_negation_leaves_the_order_to_the_platform(labels: list[str]) -> None:
    assert hotcrp(labels) == labels  # numbers of HotCRP rise
    assert openreview(labels) == []
