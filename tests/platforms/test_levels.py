"""Ratings as platforms write them, and which levels there are."""

import re
from typing import Any

import numpy as np
import pytest
from exports import make_export, options, read
from hypothesis import given
from hypothesis import strategies as st

from surpeer import InputError, ReviewProblems, Scale
from surpeer.io.intake.levels import numbered_options, read_levels
from surpeer.io.review_form.export import Field
from surpeer.io.review_form.form import Option
from surpeer.io.review_form.rating_text import plain_text, split_label
from surpeer.scale import MOST_LEVELS


def found(cells: list[str | None], **how: Any) -> tuple[list[str], list[str | None]]:
    levels = read_levels(Field("Score", cells, options=how.pop("form", ())), how.pop("scale", None))
    assert levels is not None
    return [option.symbol for option in levels.found], levels.cells


@pytest.mark.parametrize(
    ("cell", "symbol", "label"),
    [
        ("4", "4", ""),
        ("4.0", "4", ""),
        ("3.5", "3.5", ""),
        ("3,5", "3.5", ""),
        ("-3", "-3", ""),
        ("−3", "-3", ""),
        ("+2", "2", ""),
        ("-0", "0", ""),
        ("6: Marginally above the threshold", "6", "Marginally above the threshold"),
        ("3 good", "3", "good"),
        ("1. Reject", "1", "Reject"),
        ("2) Weak reject", "2", "Weak reject"),
        ("5 - Accept", "5", "Accept"),
        ("5 – Accept", "5", "Accept"),
        ("-2 (strong reject)", "-2", "strong reject"),
        ("-2: (reject)", "-2", "reject"),
        ("-2(reject)", "-2", "reject"),
        ("3: accept (strong)", "3", "accept (strong)"),
        ("2 (weak accept (or so))", "2", "weak accept (or so)"),
        ("Accept", "Accept", ""),
        ("A", "A", ""),
        ("  yes ", "yes", ""),
        ("3rd", "3rd", ""),
        ("12345", "12345", ""),
    ],
)
def test_number_and_label(cell: str, symbol: str, label: str) -> None:
    assert split_label(cell) == Option(symbol, label)


@given(st.text(max_size=40))
def test_any_text_is_split(text: str) -> None:
    option = split_label(text)
    assert option.symbol in (text.strip(), "") or option.symbol == plain_text(option.symbol)


def test_numbers_are_ordered_by_size_and_keep_their_labels() -> None:
    cells: list[str | None] = ["10: top", "8", None, "1: poor", "10: top", "3", "3: so so"]
    levels = read_levels(Field("Score", cells))
    assert levels is not None
    assert levels.found == (Option("1", "poor"), Option("3", "so so"), Option("8"), Option("10", "top"))
    assert levels.cells == ["10", "8", None, "1", "10", "3", "3"]
    assert levels.scale().values == (1, 3, 8, 10)


def test_two_labels_for_one_number_are_none() -> None:
    levels = read_levels(Field("Score", ["1: poor", "1: bad", "2: good"]))
    assert levels is not None
    assert levels.found == (Option("1"), Option("2", "good"))


def test_a_slip_among_many_ratings_is_reported_with_its_row() -> None:
    cells = ["1", "2", "3", "4"] * 5 + ["n/a"]
    with pytest.raises(ReviewProblems) as caught:
        read(make_export({"Score": cells}, name=[f"{at}A" for at in range(21)]))
    assert [str(problem) for problem in caught.value.problems] == [
        'row 22 (review 20A), column Score: found "n/a", expected one of 1, 2, 3, 4; correct it, or name all levels with --levels'
    ]


def test_words_in_other_capitals_are_the_same_level() -> None:
    symbols, cells = found(["Accept", "accept", "Accept", "REJECT", "Reject", "Reject"])
    assert symbols == ["Reject", "Accept"]
    assert cells == ["Accept", "Accept", "Accept", "Reject", "Reject", "Reject"]


@pytest.mark.parametrize(
    "cells",
    [
        [f"text {at}" for at in range(13)],
        ["x" * 301, "y"],
        [None, None],
        [],
        ["Accept", "3", "Reject"],
        ["This is a text that has more words than a level", "no"],
        [str(at) for at in range(MOST_LEVELS + 1)],
        [str(at) for at in range(1000)],
    ],
)
def test_what_is_no_scale(cells: list[str | None]) -> None:
    assert read_levels(Field("Score", cells)) is None


def test_a_form_says_what_the_levels_are() -> None:
    form = options("Reject", "Weak accept", "Accept")
    symbols, cells = found(["3", "accept", "2 Weak accept", "2. Weak accept", "1.0", "7", None], form=form)
    assert symbols == ["1", "2", "3"]
    assert cells == ["3", "3", "2", "2", "1", "7", None]


def test_the_user_names_levels_by_symbol_or_by_label_of_the_form() -> None:
    form = options("Reject", "Accept")
    by_symbol = read(make_export({"Score": ["1", "2"]}, {"Score": form}), scale=Scale(["1", "2"]))
    assert by_symbol.scale.levels == ("1", "2")
    assert 'rating: "Score"; levels, lowest first: 1, 2 (as given)' in by_symbol.notes
    by_label = read(make_export({"Score": ["1", "2"]}, {"Score": form}), scale=Scale(["reject", "accept"]))
    assert by_label.scale.levels == ("reject", "accept")
    assert by_label.rating.tolist() == [0, 1]
    turned = read(make_export({"Score": ["1", "2"]}, {"Score": form}), scale=Scale(["accept", "reject"]))
    assert turned.rating.tolist() == [1, 0]


def test_the_form_may_have_the_highest_number_as_the_lowest_level() -> None:
    form = (Option("3", "Reject"), Option("2", "Discuss"), Option("1", "Accept"))
    reviews = read(make_export({"Score": ["1", "3"]}, {"Score": form}))
    assert reviews.scale.levels == ("3", "2", "1")
    assert reviews.scale.values == (1, 2, 3)
    assert reviews.rating.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("count", "numbers", "expected"),
    [
        (4, "1 2 4", ["1 2 3 4"]),
        (4, "2 3", ["1 2 3 4", "0 1 2 3"]),
        (4, "0 3", ["0 1 2 3"]),
        (5, "-2 1", ["-2 -1 0 1 2"]),
        (5, "1 2", ["1 2 3 4 5", "0 1 2 3 4", "-2 -1 0 1 2"]),
        (7, "-3 3", ["-3 -2 -1 0 1 2 3"]),
        (6, "1 3 5 6 8 10", ["1 3 5 6 8 10"]),
        (6, "1 3 5 6 8", []),
        (4, "3 3.5", []),
        (2, "1 2 3", []),
        (4, "-2 2", []),
        (11, "0 10", ["0 1 2 3 4 5 6 7 8 9 10"]),
    ],
)
def test_levels_of_so_many(count: int, numbers: str, expected: list[str]) -> None:
    found = [Option(number, f"label {number}") for number in numbers.split()]
    fitting = numbered_options(count, found, from_one=False)
    assert [" ".join(option.symbol for option in some) for some in fitting] == expected
    for some in fitting:
        assert {option.label for option in some} - {""} == {f"label {number}" for number in numbers.split()}
    assert len(numbered_options(count, found, from_one=True)) <= 1


def test_a_scale_with_gaps_and_a_text_of_six_numbers() -> None:
    ratings = ["1", "3", "5", "6: marginally above", "8", "10"]
    reviews = read(make_export({"rating": ratings, "predicted_distribution": ["5 10 15 40 20 10"] * 6}))
    assert reviews.scale.levels == ("1", "3", "5", "6", "8", "10")
    assert reviews.scale.values == (1, 3, 5, 6, 8, 10)
    assert reviews.predictions[0].tolist() == [0.05, 0.1, 0.15, 0.4, 0.2, 0.1]
    assert (
        'rating: "rating"; levels, lowest first: 1, 3, 5, 6 (marginally above), 8, 10 '
        "(as many as predictions have numbers; --levels names others)" in reviews.notes
    )


def test_a_scale_with_gaps_of_which_a_level_is_missing_is_asked_about() -> None:
    message = (
        'reviews.csv: "predicted_distribution" has 6 numbers in most reviews and the ratings found in "rating" are '
        "1, 3, 8, 10: name all levels, lowest first, with --levels"
    )
    export = make_export({"rating": ["1", "3", "8", "10"], "predicted_distribution": ["5 10 15 40 20 10"] * 4})
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read(export)
    reviews = read(export, scale=Scale(["1", "3", "5", "6", "8", "10"]))
    assert reviews.rating.tolist() == [0, 1, 4, 5]


@pytest.mark.parametrize(
    "texts", ["0,1 0,2 0,7", "0,1; 0,2; 0,7", "1: 10, 2: 20, 3: 70", "10:20:70", "10-20-70", "10%, 20%, 70%"]
)
def test_levels_from_distributions_however_they_are_typed(texts: str) -> None:
    reviews = read(make_export({"Score": ["1", "3"], "Prediction": [texts, texts]}))
    assert reviews.scale.levels == ("1", "2", "3")
    np.testing.assert_array_equal(reviews.predictions, [[0.1, 0.2, 0.7]] * 2)


def test_levels_from_negative_ratings() -> None:
    reviews = read(make_export({"Overall evaluation": ["-3", "1", "−1", "3"]}))
    assert reviews.scale.levels == ("-3", "-1", "1", "3")
    assert reviews.scale.values == (-3, -1, 1, 3)
    levels = 'rating: "Overall evaluation"; levels, lowest first: -3, -1, 1, 3'
    assert f"{levels} (as found among the ratings; --levels names others)" in reviews.notes


def test_half_points() -> None:
    reviews = read(make_export({"Overall evaluation": ["3", "3.5", "4.0", "2,5"]}))
    assert reviews.scale.values == (2.5, 3, 3.5, 4)


def test_ratings_beside_predictions_for_other_levels() -> None:
    fields = {"Score": ["3", "3.5"], "Predicted share of 3": ["40", "50"], "Predicted share of 4": ["60", "50"]}
    message = (
        'reviews.csv: there are ratings 3.5 in "Score" and predictions for 3, 4 only; '
        "name all levels, lowest first, with --levels, or give the form's settings with --form FILE"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read(make_export(fields))


@pytest.mark.parametrize(
    ("level", "levels"), [("3", "1..5"), ("6", "1..10"), ("-2", "-3..3"), ("0", "-3..3"), ("50", "50,...")]
)
def test_a_single_rating_says_nothing_of_the_scale(level: str, levels: str) -> None:
    message = (
        f'reviews.csv: all ratings of "Score" are {level}, so the other levels are not known; '
        f"name them, lowest first: --levels {levels}"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read(make_export({"Score": [level, level]}))


def test_the_user_may_name_levels_that_nobody_gave() -> None:
    assert read(make_export({"Score": ["3", "3"]}), scale=Scale.parse("1..5")).rating.tolist() == [2, 2]


def test_values_given_by_the_user() -> None:
    reviews = read(make_export({"Score": ["1", "2", "3"]}), values=(0.0, 1.0, 5.0))
    assert reviews.scale.values == (0, 1, 5)
    with pytest.raises(
        InputError, match="^reviews.csv: the rating scale cannot be used: found 2 values for 3 levels, expected one"
    ):
        read(make_export({"Score": ["1", "2", "3"]}), values=(0.0, 1.0))


def test_no_rating_at_all() -> None:
    export = make_export({"Score": [None, None]}, {"Score": options("no", "yes")})
    message = "reviews.csv: 1 problem\n  column Score: found no rating at all, expected at least one; --rating names another field"
    with pytest.raises(ReviewProblems, match=f"^{re.escape(message)}$"):
        read(export, rating="Score")
