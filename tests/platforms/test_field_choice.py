"""Which field is the rating and which are predictions, on forms as venues have them."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from exports import Cells, make_export, options, read

from surpeer import InputError, ReviewProblems, Scale
from surpeer.errors import UnknownName
from surpeer.io.intake.choice import Choice, choose
from surpeer.io.review_form.column_map import Wanted
from surpeer.reviews import Reviews

LEVELS = ("Reject", "Weak reject", "Weak accept", "Accept")
RATINGS = ["1", "2", "3", "4"]
CONFIDENCE = ["3", "2", "5", "1"]
TEXT = ["A long text about the paper, which has 12 pages.", "Good.", "Nothing to add; see above.", None]
SHARES = [["10", "20", "50", "20"], ["40", "30", "20", "10"], ["0", "0", "0", "100"], ["25", "25", "25", "25"]]


def columns(names: list[str], shares: list[list[str]] = SHARES) -> dict[str, Cells]:
    """One field for each level, with the cells of these rows."""
    return {name: [row[at] for row in shares] for at, name in enumerate(names)}


def chosen(fields: dict[str, Cells], scale: Scale | None = None, **wanted: Any) -> Choice:
    return choose(make_export(fields), Wanted(**wanted), scale)


def expected_shares(shares: list[list[str]] = SHARES) -> np.ndarray:
    return np.array([[float(cell) / 100 for cell in row] for row in shares])


@pytest.mark.parametrize(
    ("rating", "others"),
    [
        ("Overall merit", ["Reviewer expertise", "Novelty", "Writing quality"]),
        ("rating", ["confidence", "soundness", "presentation", "contribution"]),
        ("Overall evaluation", ["Reviewer's confidence", "Relevance"]),
        ("Q1 (Overall Rating - Value)", ["Q2 (Novelty - Value)", "Q3 (Confidence - Value)"]),
        ("Overall Rating - Value", ["Confidence - Value"]),
        ("final_rating", ["preliminary_rating", "confidence"]),
        ("Recommendation", ["Best paper award?", "Expected impact"]),
        ("Score", ["Confidence"]),
        ("OveMer", ["RevExp", "Nov"]),
    ],
)
def test_the_rating_is_found_among_other_fields(rating: str, others: list[str]) -> None:
    before = {"Comments for authors": TEXT} | dict.fromkeys(others, CONFIDENCE)
    assert chosen(before | {rating: RATINGS}).rating.name == rating
    assert chosen({rating: RATINGS} | before).rating.name == rating


def test_two_equally_good_ratings_are_asked_about() -> None:
    fields = {"Overall merit": RATINGS, "Post-response overall merit": RATINGS, "Novelty": RATINGS}
    message = (
        'reviews.csv: found 2 fields that may be the rating: "Overall merit", "Post-response overall merit"; '
        'say which is meant with --rating "Overall merit" (or another of them)'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read(make_export(fields))
    assert read(make_export(fields), rating="post-response Overall_merit").rating.tolist() == [0, 1, 2, 3]


def test_an_unanswered_rating_is_no_rival() -> None:
    fields = {"Overall merit": RATINGS, "Post-response overall merit": [None] * 4}
    forms = dict.fromkeys(fields, options(*LEVELS))
    assert choose(make_export(fields, forms), Wanted(), None).rating.name == "Overall merit"


def test_a_text_with_the_name_of_a_rating_is_no_rating() -> None:
    many = [f"This is review {at}, and it is different from all others." for at in range(30)]
    fields = {"Overall evaluation": many, "Overall merit": ["1", "2", "3"] * 10}
    reviews = read(make_export(fields))
    assert 'rating: "Overall merit"' in reviews.notes[1]
    named = read(make_export(fields), scale=Scale(["1", "2", "3"]))
    assert 'rating: "Overall merit"' in named.notes[1]


def test_the_only_field_with_levels_is_the_rating_whatever_its_name() -> None:
    assert chosen({"Gesamturteil": RATINGS, "Kommentar": TEXT}).rating.name == "Gesamturteil"


def test_several_fields_that_nothing_tells_apart_are_listed() -> None:
    message = (
        'found 2 fields that may be the rating: "Gesamturteil", "Sicherheit"; '
        'say which is meant with --rating "Gesamturteil" (or another of them)'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        chosen({"Gesamturteil": RATINGS, "Sicherheit": CONFIDENCE})
    assert chosen({"Gesamturteil": RATINGS, "Sicherheit": CONFIDENCE}, rating="gesamturteil").levels.cells == RATINGS


def test_a_form_without_a_rating() -> None:
    many = [f"review {at} is a text" for at in range(20)]
    message = (
        "found no field that looks like a rating; say which it is with --rating NAME, and name its levels with "
        '--levels; the fields are "Comments", "Summary"'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        chosen({"Comments": many, "Summary": many})


def test_an_unknown_name_lists_the_fields() -> None:
    with pytest.raises(
        UnknownName,
        match='^unknown field for the rating "Merrit"; did you mean "Merit"\\?; known: Merit, Predicted share of 1$',
    ):
        chosen({"Merit": RATINGS, "Predicted share of 1": RATINGS}, rating="Merrit")
    with pytest.raises(UnknownName, match='^unknown field for a prediction "Share"; known: Merit, Novelty$'):
        chosen({"Merit": RATINGS, "Novelty": RATINGS}, predictions=("Share",))


def test_a_named_rating_that_is_a_text() -> None:
    many = [f"review {at} is a text" for at in range(20)]
    with pytest.raises(
        InputError,
        match='^the field "Comments" cannot be the rating: found answers such as "review 0 is a text", '
        "expected a few levels$",
    ):
        chosen({"Comments": many}, rating="Comments")


@pytest.mark.parametrize(
    "name",
    [
        "Predicted share of {}",
        "Predicted % of {}",
        "predicted_share_{}",
        "How many of 20 other reviewers would choose {}?",
        "Out of 10 reviewers how many give {}",
        "Forecast: {}",
        "P({})",
        "p_{}",
        "Pre{}",
    ],
)
@pytest.mark.parametrize("form", [False, True])
def test_shares_by_number(name: str, form: bool) -> None:
    fields = {"Overall merit": RATINGS, **columns([name.format(level) for level in (1, 2, 3, 4)])}
    reviews = read(make_export(fields, {"Overall merit": options(*LEVELS)} if form else None))
    assert reviews.scale.levels == ("1", "2", "3", "4")
    np.testing.assert_array_equal(reviews.predictions, expected_shares())


@pytest.mark.parametrize("name", ["Predicted share of {}", "Forecast: {}", "P({})", "How many others say {}?"])
def test_shares_by_label_whatever_the_order_of_the_fields(name: str) -> None:
    fields = columns([name.format(label) for label in LEVELS])
    turned = dict(reversed(fields.items()))
    export = make_export({"Overall merit": RATINGS, **turned}, {"Overall merit": options(*LEVELS)})
    reviews = read(export)
    assert reviews.scale.labels == LEVELS
    np.testing.assert_array_equal(reviews.predictions, expected_shares())


def test_weak_reject_reject_and_strong_reject_are_not_confused() -> None:
    labels = ("Strong reject", "Reject", "Weak reject", "Weak accept", "Accept", "Strong accept")
    fields = {"Predicted share of " + label: [str(at), str(at)] for at, label in enumerate(labels)}
    export = make_export({"Overall merit": ["1", "6"], **fields}, {"Overall merit": options(*labels)})
    shares = choose(export, Wanted(), None).shares
    assert {level: one.name for level, one in shares.items()} == {
        str(at): "Predicted share of " + label for at, label in enumerate(labels, start=1)
    }


def test_words_as_levels_without_a_form() -> None:
    fields = {"Recommendation": ["accept", "Weak Reject", "reject", "weak accept"]}
    fields |= columns(["Forecast: reject", "Forecast: weak reject", "Forecast: weak accept", "Forecast: accept"])
    reviews = read(make_export(fields))
    assert reviews.scale.levels == ("reject", "Weak Reject", "weak accept", "accept")
    assert reviews.rating.tolist() == [3, 1, 0, 2]
    np.testing.assert_array_equal(reviews.predictions, expected_shares())


def test_level_ten_is_not_level_one() -> None:
    levels = [str(level) for level in range(1, 11)]
    rows = [["0"] * 9 + ["100"], ["100"] + ["0"] * 9]
    named = [f"Out of 10 reviewers, how many give {level}?" for level in levels]
    reviews = read(make_export({"Score": ["1", "10"], **columns(named, rows)}))
    assert reviews.scale.levels == tuple(levels)
    assert reviews.predictions[0].tolist() == [0.0] * 9 + [1.0]
    assert reviews.predictions[1].tolist() == [1.0] + [0.0] * 9


def test_negative_levels() -> None:
    names = ["Predicted share of -1", "Predicted share of 0", "Predicted share of 1"]
    rows = [["10", "20", "70"], ["20", "30", "50"]]
    reviews = read(make_export({"Overall evaluation": ["-1", "1"], **columns(names, rows)}))
    assert reviews.scale.levels == ("-1", "0", "1")
    assert reviews.scale.values == (-1, 0, 1)
    assert reviews.predictions.tolist() == [[0.1, 0.2, 0.7], [0.2, 0.3, 0.5]]


@pytest.mark.parametrize("missing", RATINGS)
def test_levels_that_nobody_gave_keep_their_place(missing: str) -> None:
    ratings = [rating if rating != missing else "1" if missing != "1" else "2" for rating in RATINGS]
    fields = {"Score": ratings, **columns([f"Predicted share of {level}" for level in (4, 2, 1, 3)])}
    reviews = read(make_export(fields))
    assert reviews.scale.levels == ("1", "2", "3", "4")
    np.testing.assert_array_equal(reviews.predictions, expected_shares()[:, [2, 1, 3, 0]])


def test_predictions_of_another_field_are_not_used() -> None:
    fields = {"Overall merit": RATINGS, "Novelty": RATINGS}
    novelty = [f"Predicted novelty: share of {level}" for level in RATINGS]
    reviews = read(make_export(fields | columns(novelty)))
    assert np.isnan(reviews.predictions).all()
    listed = ", ".join(f'"{name}"' for name in novelty)
    assert f"not used, though it may be about predictions: {listed}" in reviews.notes
    both = fields | columns(novelty, SHARES[::-1]) | columns([f"Predicted share of {level}" for level in RATINGS])
    np.testing.assert_array_equal(read(make_export(both)).predictions, expected_shares())
    other = read(make_export(fields | columns(novelty)), rating="Novelty")
    np.testing.assert_array_equal(other.predictions, expected_shares())


@pytest.mark.parametrize("name", ["Expected impact", "Expected audience", "Predictive performance"])
def test_what_only_sounds_like_a_prediction_is_named_and_not_used(name: str) -> None:
    reviews = read(make_export({"Overall merit": RATINGS, name: CONFIDENCE}))
    assert not reviews.has_forecast.any()
    assert f'not used, though it may be about predictions: "{name}"' in reviews.notes


def test_texts_are_not_named() -> None:
    reviews = read(make_export({"Overall merit": RATINGS, "Comments for other reviewers": ["See above."] * 4}))
    assert not any("not used" in note for note in reviews.notes)


def test_other_ratings_are_named() -> None:
    fields = {"final_rating": RATINGS, "preliminary_rating": CONFIDENCE, "confidence": CONFIDENCE}
    notes = read(make_export(fields)).notes
    assert 'not used, though it may be a rating too (--rating chooses): "preliminary_rating"' in notes


@pytest.mark.parametrize("name", ["Expected score of others", "Expected rating", "Prediction"])
def test_an_expected_rating(name: str) -> None:
    reviews = read(make_export({"Score": RATINGS, name: ["2.5", "3", "1", None]}))
    assert reviews.expected is not None
    assert reviews.expected[:3].tolist() == [2.5, 3.0, 1.0]
    assert np.isnan(reviews.expected[3])
    assert f'expected rating: "{name}"' in reviews.notes


def test_an_expected_rating_with_decimal_commas() -> None:
    reviews = read(make_export({"Score": RATINGS, "Expected rating": ["2,5", "3", "1,25", None]}))
    assert reviews.expected is not None
    assert reviews.expected[:3].tolist() == [2.5, 3.0, 1.25]
    assert "2 numbers with a decimal comma read: 0,3 is 0.3" in reviews.notes


def test_of_two_words_a_single_prediction_is_the_share_of_the_higher() -> None:
    fields = {"Recommendation": ["reject", "accept"], "Prediction": ["70", "25"]}
    reviews = read(make_export(fields))
    assert reviews.predictions.tolist() == [[0.3, 0.7], [0.75, 0.25]]
    assert 'predictions: "Prediction" for accept' in reviews.notes


def test_a_distribution_in_one_text() -> None:
    texts = [" ".join(row) for row in SHARES]
    reviews = read(make_export({"Score": RATINGS, "What will the others give? (4 numbers)": texts}))
    np.testing.assert_array_equal(reviews.predictions, expected_shares())
    assert 'predictions: "What will the others give? (4 numbers)", for 1, 2, 3, 4 in this order' in reviews.notes


def test_complete_shares_count_more_than_a_distribution_and_that_more_than_an_expected_rating() -> None:
    shares = columns([f"Predicted share of {level}" for level in RATINGS])
    text = {"Predicted distribution": ["25 25 25 25"] * 4}
    mean = {"Expected rating": ["2.5"] * 4}
    reviews = read(make_export({"Score": RATINGS} | mean | text | shares))
    np.testing.assert_array_equal(reviews.predictions, expected_shares())
    unused = 'not used, though it may be about predictions: "Expected rating", "Predicted distribution"'
    assert unused in reviews.notes
    del shares["Predicted share of 2"]
    fewer = read(make_export({"Score": RATINGS} | mean | text | shares))
    assert fewer.predictions.tolist() == [[0.25] * 4] * 4
    assert fewer.expected is None


def test_two_fields_for_one_level_are_asked_about() -> None:
    fields = {"Score": RATINGS, "Predicted share of 3": RATINGS, "Forecast of 3": RATINGS}
    message = (
        'found two fields that predict level "3": "Predicted share of 3", "Forecast of 3"; '
        "say which are meant with --prediction, once for each level, lowest first"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        chosen(fields)


def test_two_distributions_are_asked_about() -> None:
    texts = [" ".join(row) for row in SHARES]
    fields = {"Score": RATINGS, "Predicted distribution": texts, "Second forecast": texts}
    message = (
        "found 2 fields that may be a distribution, expected one; say which with --prediction: "
        '"Predicted distribution", "Second forecast"'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        chosen(fields)
    assert chosen(fields, predictions=("second forecast",)).distribution is not None


def test_named_predictions_in_the_order_of_the_levels() -> None:
    fields = {"Urteil": RATINGS, **columns(["Ablehnen", "Eher nicht", "Eher doch", "Annehmen"])}
    named = ("Ablehnen", "Eher nicht", "Eher doch", "Annehmen")
    reviews = read(make_export(fields), rating="Urteil", predictions=named)
    np.testing.assert_array_equal(reviews.predictions, expected_shares())
    assert 'predictions: "Ablehnen" for 1, "Eher nicht" for 2, "Eher doch" for 3, "Annehmen" for 4' in reviews.notes


def test_the_wrong_number_of_named_predictions() -> None:
    fields = {"Urteil": RATINGS, **columns(["Ablehnen", "Eher nicht", "Eher doch", "Annehmen"])}
    message = (
        "found 2 prediction fields for the levels 1, 2, 3, 4, expected one for each, lowest first, or names that have "
        "the level in them; --levels names the levels"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        chosen(fields, rating="Urteil", predictions=("Ablehnen", "Annehmen"))


def test_named_predictions_with_levels_in_their_names_need_no_order() -> None:
    fields = {"Score": RATINGS, **columns(["Share 1", "Share 2", "Share 3", "Share 4"])}
    reviews = read(make_export(fields), predictions=("Share 4", "Share 1", "Share 3", "Share 2"))
    np.testing.assert_array_equal(reviews.predictions, expected_shares())


def test_predictions_can_be_left_alone() -> None:
    fields = {"Score": RATINGS, **columns([f"Predicted share of {level}" for level in RATINGS])}
    reviews = read(make_export(fields), predictions=("none",))
    assert not reviews.has_forecast.any()
    unused = ", ".join(f'"Predicted share of {level}"' for level in RATINGS)
    assert f"not used, though it may be about predictions: {unused}" in reviews.notes


@pytest.mark.parametrize("keys", [LEVELS, ("1", "2", "3", "4"), ("reject", "weak_reject", "Weak accept", "ACCEPT")])
def test_shares_by_a_map_from_levels_to_fields(keys: tuple[str, ...]) -> None:
    names = ["a", "b", "c", "d"]
    export = make_export({"Merit": RATINGS, **columns(names)}, {"Merit": options(*LEVELS)})
    reviews = read(export, shares=dict(zip(keys, names, strict=True)))
    np.testing.assert_array_equal(reviews.predictions, expected_shares())


def test_a_map_with_a_level_that_is_none() -> None:
    export = make_export({"Merit": RATINGS, "a": RATINGS}, {"Merit": options(*LEVELS)})
    with pytest.raises(
        InputError, match='^reviews.csv: unknown level in the column map\'s predictions "Acept"; known: 1, 2, 3, 4$'
    ):
        read(export, shares={"Acept": "a"})


@pytest.fixture
def letters() -> Callable[..., Reviews]:
    fields = {"Overall merit": ["A", "B", "C", "A"], "Reviewer expertise": ["X", "Y", "Z", "X"]}
    shares = columns(["Predicted % A", "Predicted % B", "Predicted % C"], [["20", "30", "50"]] * 4)

    def read_letters(form: bool, **how: Any) -> Reviews:
        lowest_first = options("Reject", "Discuss", "Accept", symbols=["C", "B", "A"])
        return read(make_export(fields | shares, {"Overall merit": lowest_first} if form else None), **how)

    return read_letters


def test_letters_have_the_direction_of_the_form(letters: Callable[..., Reviews]) -> None:
    reviews = letters(form=True)
    assert reviews.scale.levels == ("C", "B", "A")
    assert reviews.scale.labels == ("Reject", "Discuss", "Accept")
    assert reviews.rating.tolist() == [2, 1, 0, 2]
    assert reviews.predictions[0].tolist() == [0.5, 0.3, 0.2]


def test_letters_without_a_form_are_asked_about(letters: Callable[..., Reviews]) -> None:
    message = (
        'reviews.csv: the ratings of "Overall merit" are "A", "B", "C", and nothing says which is the lowest; '
        "name all levels, lowest first: --levels C,B,A if A is the best; or give the form's settings if there is one "
        "(--form FILE)"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        letters(form=False)
    reviews = letters(form=False, scale=Scale(["C", "B", "A"]))
    assert reviews.rating.tolist() == [2, 1, 0, 2]
    assert reviews.predictions[0].tolist() == [0.5, 0.3, 0.2]


def test_every_problem_names_the_field_and_the_review() -> None:
    fields = {"Overall merit": ["1", "x", "3"], **columns(["Predicted % of 1 Reject", "Predicted % of 3 Accept"])}
    fields["Predicted % of 1 Reject"] = ["ten", "30", "30"]
    fields["Predicted % of 3 Accept"] = ["90", "70", "40"]
    forms = {"Overall merit": options("Reject", "Accept", symbols=["1", "3"])}
    export = make_export(fields, forms, place=[4, 7, 12], name=["1A", "1B", "3B"])
    with pytest.raises(ReviewProblems) as caught:
        read(export)
    assert [str(problem) for problem in caught.value.problems] == [
        (
            'row 4 (review 1A), column Predicted % of 1 Reject: found "ten", expected a share or a number of imagined '
            "reviewers; correct it, or leave the cells empty if there is no prediction"
        ),
        'row 7 (review 1B), column Overall merit: found "x", expected one of 1, 3; correct it, or name all levels with --levels',
        (
            "row 12 (review 3B), column Predicted % of 1 Reject, Predicted % of 3 Accept: found predictions that sum to "
            "70, expected 1 or 100; correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
    ]
