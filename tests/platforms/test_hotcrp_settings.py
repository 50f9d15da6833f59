"""The settings that we write for HotCRP: what a site makes of them, and that its exports are then understood."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hotcrp_site import DEFAULT_FORM, Site
from hypothesis import given, settings
from hypothesis import strategies as st

from surpeer.errors import InputError, UnknownName
from surpeer.io.platforms.hotcrp.form import read_form
from surpeer.io.platforms.hotcrp.settings import (
    expected_numbers,
    form_settings,
    rating_choices,
    share_name,
)
from surpeer.io.review_file import read_reviews
from surpeer.io.review_form.form import Option
from surpeer.scale import PRESETS, Scale

ASKS = ("shares", "text", "expected")
SCALES = {
    **PRESETS,
    "letters": Scale(["D", "C", "B", "A"]),
    "letters that rise": Scale(["A", "B", "C"]),
    "from zero": Scale.parse("0..3"),
    "labelled": Scale(["1", "2", "3"], labels=["Poor (see <guide>)", "fair & fine", "Great (visible to authors)"]),
    "alike": Scale(["a", "A", "b"], labels=["Same", "same", "SAME"]),
}


def loaded(scale: Scale, ask: str, times: int = 1) -> Site:
    site = Site([dict(entry) for entry in DEFAULT_FORM])
    for _ in range(times):
        site.load(json.loads(json.dumps(form_settings(scale, ask))))
    return site


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", SCALES)
def test_a_site_takes_the_settings_and_taking_them_twice_changes_nothing(name: str, ask: str) -> None:
    scale = SCALES[name]
    site = loaded(scale, ask)
    names = [field["name"] for field in site.fields]
    assert names[:3] == ["Overall merit", "Reviewer expertise", "Paper summary"]  # at their places
    assert site.fields[1] | {"order": 2} == DEFAULT_FORM[1] | {"order": 2}
    assert site.fields[0]["visibility"] == "au"  # as it was
    assert len(site.fields[0]["symbols"]) == len(scale)
    predictions = site.fields[3:]
    assert len(predictions) == (len(scale) if ask == "shares" else 1)
    assert {field["visibility"] for field in predictions} == {"admin"}
    assert all(
        field["required"] and field["type"] == ("dropdown" if ask == "shares" else "text") for field in predictions
    )
    assert all("<guide>" not in field["description"] for field in predictions)
    assert loaded(scale, ask, 2).fields == site.fields


def test_the_settings_in_full() -> None:
    found = form_settings(Scale(["reject", "accept"]), "shares")
    tenths = [{"symbol": at + 1, "name": f"{10 * at}%", "order": at + 1} for at in range(11)]
    assert found == {
        "reset": False,
        "rf": [
            {
                "name": "Overall merit",
                "type": "radio",
                "required": True,
                "values_reset": True,
                "values": [{"symbol": 1, "name": "Reject", "order": 1}, {"symbol": 2, "name": "Accept", "order": 2}],
            },
            *(
                {
                    "name": f"Predicted % of {at} {label}",
                    "type": "dropdown",
                    "order": 1_000_000 + at,
                    "required": True,
                    "visibility": "admin",
                    "description": f"Out of 100 other reviewers of this paper, how many would choose “{at}. {label}”? Your 2 "
                    "answers, one for each level, should add up to 100%. Only the chairs see them.",
                    "scheme": "none",
                    "values_reset": True,
                    "values": tenths,
                }
                for at, label in ((1, "Reject"), (2, "Accept"))
            ),
        ],
    }


def test_one_text_and_one_number_are_explained_in_their_description() -> None:
    scale = PRESETS["four-grades"]
    (text,) = form_settings(scale, "text")["rf"][1:]
    assert text["name"] == "Prediction of other reviews"
    assert "Please write 4 numbers in this order that add up to 100, such as “10 20 50 20”." in text["description"]
    (number,) = form_settings(scale, "expected")["rf"][1:]
    assert number["name"] == "Expected rating of other reviews"
    assert "one number from 1 to 4 (1 = “1. Reject”, 2 = “2. Weak reject”" in number["description"]
    (number,) = form_settings(Scale(["C", "B", "A"]), "expected")["rf"][1:]
    assert (
        "one number from 1 to 3 (1 = “C. Lowest”, 2 = “B. Level B”, 3 = “A. Highest”), such as “2.5”."
        in number["description"]
    )


@pytest.mark.parametrize(
    ("scale", "choices"),
    [
        (Scale(["D", "C", "B", "A"]), [("D", "Lowest"), ("C", "Level C"), ("B", "Level B"), ("A", "Highest")]),
        (Scale(["A", "B"]), [("1", "A"), ("2", "B")]),
        (Scale(["D", "B", "A"]), [("1", "D"), ("2", "B"), ("3", "A")]),
        (Scale.parse("1..3"), [("1", "Lowest"), ("2", "Level 2"), ("3", "Highest")]),
        (Scale.parse("0..2"), [("1", "Level 0"), ("2", "Level 1"), ("3", "Level 2")]),
        (Scale(["1", "2"], labels=["nay", "aye"]), [("1", "Nay"), ("2", "Aye")]),
        (Scale(["x", "y", "z"], labels=["a", " A ", "b"]), [("1", "A"), ("2", "A (2)"), ("3", "B")]),
    ],
)  # fmt: skip
def test_levels_become_choices_that_hotcrp_can_show(scale: Scale, choices: list[tuple[str, str]]) -> None:
    assert [(choice.symbol, choice.label) for choice in rating_choices(scale)] == choices


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Weak accept", "Predicted % of 3 Weak accept"),
        ("Fine (hidden from authors)", "Predicted % of 3 Fine"),  # HotCRP refuses such a remark in the name of a field
        ("Fine (a) (visible)", "Predicted % of 3 Fine"),
        ("(all)", "Predicted % of 3"),
        ("x" * 200, f"Predicted % of 3 {'x' * 60}"),
    ],
)
def test_names_of_questions(label: str, name: str) -> None:
    assert share_name(Option("3", label)) == name


def test_letters_are_listed_from_the_best_as_hotcrp_wants_them() -> None:
    rating = form_settings(Scale(["D", "C", "B", "A"]), "text")["rf"][0]
    assert [value["symbol"] for value in rating["values"]] == ["A", "B", "C", "D"]
    assert loaded(Scale(["D", "C", "B", "A"]), "text").fields[0]["symbols"] == ["A", "B", "C", "D"]


def test_the_rating_may_have_the_name_that_the_venue_has_for_it() -> None:
    rf = form_settings(Scale.parse("1..3"), "text", rating=" Overall   score ")["rf"]
    assert rf[0]["name"] == "Overall score"


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(UnknownName, match='unknown kind of question "share"; did you mean "shares"?'):
        form_settings(Scale.parse("1..3"), "share")
    with pytest.raises(
        InputError, match="30 levels are 30 questions, expected at most 20; ask for all shares in one text"
    ):
        form_settings(Scale.parse("1..30"), "shares")
    assert len(form_settings(Scale.parse("1..30"), "text")["rf"]) == 2


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(names, min_size=2, max_size=6, unique_by=str.strip), st.sampled_from(ASKS))
def test_levels_of_any_name_make_settings_that_a_site_takes(levels: list[str], ask: str) -> None:
    try:
        scale = Scale(levels)
    except InputError:
        return
    site = loaded(scale, ask, 2)
    form = read_form({"rf": exported(site)})
    assert form is not None
    rating = form.find("Overall merit")
    assert rating is not None
    assert len(rating.options) == len(scale)


def exported(site: Site) -> list[dict[str, Any]]:
    """The form as the site's settings show it."""
    entries = []
    for field in site.fields:
        entry = {key: field[key] for key in ("id", "name", "order", "type", "visibility")}
        if field["type"] != "text":
            symbols = field.get("symbols", list(range(1, len(field["values"]) + 1)))
            ids = range(1, len(symbols) + 1) if symbols[0] == 1 else range(len(symbols), 0, -1)
            rows = zip(ids, symbols, field["values"], strict=True)
            entry["values"] = [
                {"id": i, "symbol": s, "name": n, "order": at} for at, (i, s, n) in enumerate(rows, start=1)
            ]
        entries.append(entry)
    return entries


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize(
    "name", ["four-grades", "letters", "letters that rise", "1-5", "binary", "labelled", "from zero"]
)
def test_what_reviewers_then_answer_is_understood(name: str, ask: str, tmp_path: Path) -> None:
    scale = SCALES[name]
    site = loaded(scale, ask)
    choices = rating_choices(scale)
    size = len(scale)
    random = np.random.default_rng(size)
    ratings = random.integers(size, size=12)
    shares = random.multinomial(10, [1 / size] * size, size=12) * 10
    numbers = expected_numbers(choices)
    expected = np.linspace(numbers[0], numbers[-1], 12).round(2)
    texts = [[" ".join(map(str, row))] for row in shares]
    answers = {"shares": (shares // 10 + 1).tolist(), "text": texts, "expected": [[number] for number in expected]}[ask]
    header = [
        "paper",
        "title",
        "review",
        "reviewername",
        "email",
        "Overall merit",
        *(field["name"] for field in site.fields[3:]),
    ]
    rows = [
        [
            at // 3 + 1,
            "T",
            f"{at // 3 + 1}{'ABC'[at % 3]}",
            "",
            f"r{at}@example.org",
            choices[ratings[at]].symbol,
            *answers[at],
        ]
        for at in range(12)
    ]
    with (tmp_path / "reviews.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    (tmp_path / "form.json").write_text(json.dumps({"ok": True, "settings": {"rf": exported(site)}}))
    reviews = read_reviews(tmp_path / "reviews.csv", form=tmp_path / "form.json")
    assert reviews.scale.levels == tuple(choice.symbol for choice in choices)
    assert reviews.rating.tolist() == ratings.tolist()
    if ask == "expected" and size == 2:  # which says all shares
        np.testing.assert_allclose(reviews.predictions[:, 1], (expected - numbers[0]) / (numbers[1] - numbers[0]))
    elif ask == "expected":
        assert reviews.expected is not None
        assert reviews.expected.tolist() == pytest.approx(expected.tolist())
    else:
        np.testing.assert_allclose(reviews.predictions, shares / 100)
