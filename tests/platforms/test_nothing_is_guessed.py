"""Forms that could be misread: the right answer, or a question, but never a wrong answer without a word."""

import numpy as np
import pytest
from exports import make_export, options, read

from surpeer import InputError, Scale
from surpeer.io.review_form.form import Option

RATINGS = ["1", "2", "3", "4"]
SHARES = [["10", "20", "50", "20"], ["50", "20", "20", "10"], ["0", "10", "20", "70"], ["25", "25", "25", "25"]]
WORDS = ["Strong reject", "Reject", "Accept", "Strong accept"]


def columns(names: list[str], rows: list[list[str]] = SHARES) -> dict[str, list[str]]:
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


@pytest.mark.parametrize("stem", ["pct", "share", "prob", "peer", "dist", "how_many", "n_reviewers", "belief", "p"])
def test_shares_under_any_name_are_known_by_their_sums(stem: str) -> None:
    names = [f"{stem}_{word.casefold().replace(' ', '_')}" for word in WORDS]
    fields = {"rating": RATINGS, **columns(names)}
    reviews = read(make_export(fields, {"rating": options(*WORDS)}))
    np.testing.assert_allclose(reviews.predictions, np.array(SHARES, dtype=float) / 100)
    with pytest.raises(
        InputError, match="found fields that may be predictions, but not of which of the levels 1, 2, 3, 4"
    ):
        read(make_export(fields))
    numbered = read(make_export({"rating": RATINGS, **columns([f"{stem}_{level}" for level in RATINGS])}))
    np.testing.assert_allclose(numbered.predictions, np.array(SHARES, dtype=float) / 100)


def test_a_text_under_any_name_is_known_by_its_sum() -> None:
    texts = [" ".join(row) for row in SHARES]
    reviews = read(make_export({"rating": RATINGS, "question 7": texts}))
    np.testing.assert_allclose(reviews.predictions, np.array(SHARES, dtype=float) / 100)


def test_numbers_that_sum_to_nothing_are_no_predictions() -> None:
    fields = {"rating": RATINGS, "score_a": ["1", "2", "3", "4"], "score_b": ["3", "1", "4", "4"]}
    assert not read(make_export(fields), rating="rating").has_forecast.any()


def test_words_of_the_levels_are_no_other_aspect() -> None:
    labels = ["Reject", "Weak paper", "OK paper", "Good paper, I will champion it"]
    names = [f"Predicted % of {level} {label}" for level, label in zip(RATINGS, labels, strict=True)]
    reviews = read(make_export({"Overall merit": RATINGS, **columns(names)}, {"Overall merit": options(*labels)}))
    np.testing.assert_allclose(reviews.predictions, np.array(SHARES, dtype=float) / 100)


def test_labels_may_have_words_that_predictions_have() -> None:
    labels = ["Bottom 50%", "Top 50%", "Top 25%", "Top 5%"]
    names = [f"predicted_share_{label}" for label in labels]
    reviews = read(make_export({"rating": RATINGS, **columns(names)}, {"rating": options(*labels)}))
    np.testing.assert_allclose(reviews.predictions, np.array(SHARES, dtype=float) / 100)


@pytest.mark.parametrize("other", ["overall_technical_quality", "overall_novelty_score", "final_presentation_grade"])
def test_an_aspect_is_not_the_rating_though_it_is_called_overall(other: str) -> None:
    reviews = read(make_export({"recommendation": RATINGS, other: ["4", "4", "4", "1"]}))
    assert reviews.rating.tolist() == [0, 1, 2, 3]


def test_confidence_alone_is_no_rating() -> None:
    with pytest.raises(InputError, match="found no field that looks like a rating"):
        read(
            make_export(
                {"confidence": RATINGS, "comment": ["A text of several words, as long as comments are, " * 3] * 4}
            )
        )


def test_positions_that_no_sum_betrays_are_asked_about() -> None:
    fields = {"Overall merit": ["1", "2", "2", "1"], "Predicted % of 2 Accept": ["4", "7", "9", "2"]}
    with pytest.raises(InputError, match="may be positions in a list of choices or percentages"):
        read(make_export(fields, choices_from_one=True))
    named = read(make_export(fields, choices_from_one=True), unit="percent")
    np.testing.assert_allclose(named.predictions[:, 1], [0.04, 0.07, 0.09, 0.02])
    tens = tuple(Option(str(at + 1), f"{10 * at}%") for at in range(11))
    with_form = read(make_export(fields, {"Predicted % of 2 Accept": tens}, choices_from_one=True))
    np.testing.assert_allclose(with_form.predictions[:, 1], [0.3, 0.6, 0.8, 0.1])


@pytest.mark.parametrize("text", ["0,30; 0,20; 0,40; 0,10", "0,30/0,20/0,40/0,10"])
def test_decimal_commas_are_not_separators_where_there_are_others(text: str) -> None:
    reviews = read(make_export({"rating": RATINGS, "prediction": [text] * 4}))
    np.testing.assert_allclose(reviews.predictions, [[0.3, 0.2, 0.4, 0.1]] * 4)


def test_a_scale_that_may_begin_at_two_places_is_asked_about() -> None:
    texts = ["10 20 40 20 10"] * 4
    fields = {"rating": RATINGS, "predicted_distribution": texts}
    message = "name all levels \\(they may be 1 to 5 or 0 to 4\\), lowest first, with --levels"
    with pytest.raises(InputError, match=message):
        read(make_export(fields))
    assert read(make_export(fields), scale=Scale.parse("0..4")).rating.tolist() == [1, 2, 3, 4]
    assert read(make_export(fields, choices_from_one=True)).rating.tolist() == [0, 1, 2, 3]


def test_names_whose_order_everybody_knows() -> None:
    fields = {"rating": ["1", "2", "2", "1"], "forecast_accept": ["70", "60", "20", "90"], "forecast_reject": ["30", "40", "80", "10"]}  # fmt: skip
    np.testing.assert_allclose(read(make_export(fields)).predictions[:, 1], [0.7, 0.6, 0.2, 0.9])


def test_a_level_may_be_called_like_an_aspect() -> None:
    names = ["Predicted % of 1 No interest", "Predicted % of 2 High interest"]
    fields = {"Overall merit": ["1", "2"], **columns(names, [["30", "70"], ["60", "40"]])}
    np.testing.assert_allclose(read(make_export(fields)).predictions, [[0.3, 0.7], [0.6, 0.4]])
