"""What the names of fields say."""

import pytest

from surpeer.io.review_form.names import (
    folded,
    is_another_aspect,
    is_expected_rating,
    is_prediction,
    rating_tier,
    what_is_predicted,
    words,
)


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("Overall merit", 1),
        ("OveMer", 1),
        ("Post-response overall merit", 1),
        ("Overall Rating - Value", 1),
        ("Q1 (Overall Rating - Value)", 1),
        ("Overall evaluation", 1),
        ("Overall", 1),
        ("Total score", 1),
        ("final_rating", 1),
        ("rating", 2),
        ("review_rating", 2),
        ("Recommendation", 2),
        ("Your vote", 2),
        ("preliminary_rating", 3),
        ("Pre-rebuttal rating", 3),
        ("Strength of recommendation", 3),
        ("How would you rate this paper?", 3),
        ("Overall confidence", None),
        ("Reviewer expertise", None),
        ("Reviewer's confidence", None),
        ("soundness", None),
        ("Originality score", None),
        ("Presentation", None),
        ("Comments for authors", None),
        ("Predicted rating", None),
        ("Gesamturteil", None),
        ("12", None),
        ("", None),
    ],
)
def test_how_much_a_name_is_like_that_of_a_rating(name: str, tier: int | None) -> None:
    assert rating_tier(name) == tier


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("Predicted share of Weak reject", ["weak", "reject"]),
        ("Predicted % of 1 Reject", ["1", "reject"]),
        ("Pre1Rej", ["1", "rej"]),
        ("predicted_share_10", ["10"]),
        ("Predicted share of -2", ["-2"]),
        ("Predicted share of −2", ["-2"]),
        ("predicted-2", ["2"]),
        ("Forecast: accept", ["accept"]),
        ("P(accept)", ["accept"]),
        ("p_1", ["1"]),
        ("How many of 20 other reviewers would choose 3?", ["3"]),
        ("Out of 10 reviewers how many give 10", ["10"]),
        ("Of 100, how many other referees would say 4?", ["4"]),
        ("Imagine 10 reviewers: how many rate 3", ["3"]),
        ("Share of reviewers who choose 2", ["2"]),
        ("Percent of PC members giving 4", ["4"]),
        ("Others: % accept", ["accept"]),
        ("Predicted share of A", ["a"]),
        ("Guess for 3.5", ["3.5"]),
    ],
)
def test_predictions_and_the_level_in_their_names(name: str, level: list[str]) -> None:
    assert is_prediction(name)
    assert what_is_predicted(name) == level
    assert not is_expected_rating(name)


@pytest.mark.parametrize(
    "name",
    [
        "Expected rating",
        "Expected score of others",
        "Average rating of the other reviewers",
        "Your guess for the others' ratings",
        "Predicted overall merit",
        "Prediction",
    ],
)
def test_expected_ratings(name: str) -> None:
    assert is_expected_rating(name)


@pytest.mark.parametrize("name", ["Expected impact", "Predicted novelty", "Expected audience", "PreRat"])
def test_what_only_sounds_like_a_prediction_is_no_expected_rating(name: str) -> None:
    assert is_prediction(name)
    assert not is_expected_rating(name)


@pytest.mark.parametrize(
    "name",
    [
        "Presentation",
        "Preliminary rating",
        "Pre-rebuttal rating",
        "Prerequisites",
        "Unexpected results",
        "Others",
        "Number of pages",
        "Probability theory",
        "Reviewer",
        "Reviewers",
        "P value",
        "P1: Novelty",
    ],
)
def test_what_is_no_prediction(name: str) -> None:
    assert not is_prediction(name)


def test_predictions_of_other_fields() -> None:
    others = ["Novelty", "Reviewer expertise", "Review", "Figures"]
    assert is_another_aspect("Predicted novelty: share of 3", "Overall merit", others)
    assert is_another_aspect("Predicted share of 3 (figures)", "Overall merit", others)
    assert is_another_aspect("Predicted soundness", "Overall merit", [])
    assert not is_another_aspect("Predicted share of 3", "Overall merit", others)
    assert not is_another_aspect("Predicted novelty: share of 3", "Novelty", ["Overall merit"])
    assert is_another_aspect("Predicted overall merit: 3", "Novelty", ["Overall merit"])
    assert not is_another_aspect("Predicted overall merit: 3", "Overall merit", ["Merit"])


def test_words_and_folded_names() -> None:
    assert words("Overall score (1-10)") == ["overall", "score", "1", "10"]
    assert words("Überprüfung der Güte") == ["überprüfung", "der", "güte"]
    assert words("") == []
    assert folded("  Overall_Merit ") == folded("overall  merit") == "overall merit"
