"""From an export to reviews: answers that stand for shares, notes, and problems in the platform's words."""

import re
from typing import Any

import numpy as np
import pytest
from exports import Cells, make_export, options, read

from surpeer import InputError, ReviewProblems
from surpeer.errors import Problem
from surpeer.io.intake.shares import answers, are_percentages, from_positions
from surpeer.io.review_form.export import Field

RATINGS = ["1", "2", "3", "4"]
NAMES = [f"Predicted % of {level}" for level in RATINGS]
TENS = tuple(f"{10 * at}%" for at in range(11))


def positions(*rows: str) -> dict[str, Cells]:
    cells = [[None if cell == "_" else cell for cell in row.split()] for row in rows]
    return {name: [row[at] for row in cells] for at, name in enumerate(NAMES)}


def dropdowns(*rows: str, form: tuple[str, ...] | None = None, **others: Any) -> Any:
    """An export of choices: a rating, and a share for each level."""
    fields = {"Score": RATINGS * (len(rows) // 4) + RATINGS[: len(rows) % 4], **positions(*rows)}
    forms = dict.fromkeys(NAMES, options(*form)) if form is not None else {}
    forms["Score"] = options("a", "b", "c", "d")
    return make_export(fields, forms, choices_from_one=True, **others)


def test_the_form_says_what_choices_stand_for() -> None:
    reviews = read(dropdowns("2 3 6 3", "1 1 1 11", "1 _ 11 _", form=TENS))
    assert reviews.predictions.tolist() == [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1], [0, 0, 1, 0]]


def test_choices_that_are_labels_in_the_export() -> None:
    assert read(dropdowns("10% 20% 50% 20%", form=TENS)).predictions.tolist() == [[0.1, 0.2, 0.5, 0.2]]


def test_a_label_that_is_the_symbol_of_another_choice() -> None:
    counts = tuple(str(at) for at in range(11))  # the choice "1" is called 2
    reviews = read(dropdowns("2 3 6 3", "1 1 1 11", form=counts))
    assert reviews.predictions.tolist() == [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1]]


def test_a_slip_with_a_form() -> None:
    export = dropdowns("2 3 6 3", "2 3 6 4", "2 3 6 1", form=TENS, name=["1A", "1B", "2A"])
    with pytest.raises(ReviewProblems) as caught:
        read(export)
    columns = "column Predicted % of 1 ... Predicted % of 4"
    assert [str(problem) for problem in caught.value.problems] == [
        (
            f"row 3 (review 1B), {columns}: found predictions that sum to 110, expected 100; "
            "correct them, or add --normalise, which scales what is up to 10% off"
        ),
        (
            f"row 4 (review 2A), {columns}: found predictions that sum to 80, expected 100; "
            "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
    ]
    with pytest.raises(ReviewProblems, match="1 problem"):
        read(export, normalise=True)


@pytest.mark.parametrize(
    ("labels", "strange"),
    [(("low", "high"), "low"), (("0%", "10-20%"), "10-20%"), (("0%", "all"), "all"), (("1 of 4", "2 of 4"), "1 of 4")],
)
def test_choices_that_are_no_shares(labels: tuple[str, ...], strange: str) -> None:
    message = (
        f'reviews.csv: the answers of "Predicted % of 1" are no shares: found the answer "{strange}", '
        'expected one number or percentage in each, such as "60%"'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read(dropdowns("1 1 1 2", form=labels))


def test_labels_in_words_around_a_number() -> None:
    field = Field("Share", ["1", "2", "3", "9", None], options=options("none (0 %)", "about 12,5 %", "all: 100%"))
    assert answers(field) == ["0", "12.5", "100", "9", None]
    assert are_percentages([field])
    assert not are_percentages([field, Field("Share", [])])
    assert not are_percentages([])
    symbols = Field("Share", ["1"], options=options("", ""))
    assert answers(symbols) == ["1"]


@pytest.mark.parametrize(
    ("steps", "rows", "shares"),
    [
        (10, ("2 3 6 3", "1 1 1 11"), [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1]]),
        (20, ("3 5 11 5", "1 1 1 21"), [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1]]),
        (5, ("1 2 3 3", "1 1 1 6"), [[0, 0.2, 0.4, 0.4], [0, 0, 0, 1]]),
        (4, ("1 2 3 2", "1 1 1 5"), [[0, 0.25, 0.5, 0.25], [0, 0, 0, 1]]),
        (100, ("11 21 51 21", "1 1 1 101"), [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1]]),
    ],
)
def test_choices_are_told_without_a_form(steps: int, rows: tuple[str, ...], shares: list[list[float]]) -> None:
    reviews = read(dropdowns(*rows))
    assert reviews.predictions.tolist() == shares
    assert (
        f"predictions are read as choices counted from 1, in steps of {100 / steps:g}%, because so 2 of 2 sum to 100; "
        "give the form's settings (--form FILE) to be sure" in reviews.notes
    )


def test_a_slip_without_a_form_has_its_row_and_review() -> None:
    export = dropdowns("2 3 6 3", "1 1 1 11", "2 3 6 4", "2 _ 6 3", name=["1A", "1B", "2A", "2B"])
    with pytest.raises(ReviewProblems) as caught:
        read(export)
    assert [str(problem) for problem in caught.value.problems] == [
        (
            "row 4 (review 2A), column Predicted % of 1 ... Predicted % of 4: found predictions that sum to 110, expected "
            "1 or 100; correct them, or add --normalise, which scales what is up to 10% off"
        )
    ]
    assert "because so 2 of 3 sum to 100" in str(caught.value)


def test_a_cell_that_is_no_choice_does_not_hide_the_others() -> None:
    with pytest.raises(ReviewProblems) as caught:
        read(dropdowns("2 3 6 3", "1 1 1 11", "2 3 six 3"))
    assert [(problem.row, problem.column, problem.found) for problem in caught.value.problems] == [
        (4, "Predicted % of 3", '"six"')
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ("10 20 50 20", "25 25 25 25"),  # percentages
        ("0 5 10 5", "5 5 5 5"),  # counts, as the 0 shows
        ("1 5 9 5", "5 5 5 5"),  # counts of 20, for 16 steps are none that a form has
        ("0.1 0.2 0.5 0.2", "1 0 0 0"),  # fractions
        ("2 3 6 3", "1 2 6 3", "1 2 5 2"),  # nothing has a majority
        ("2 3 6 3", "1 1 1 11", "1 1 1 12", "_ _ _ _"),  # more than all
        ("_ _ _ _",),
    ],
)
def test_what_is_no_choice(rows: tuple[str, ...]) -> None:
    assert from_positions([list(cells) for cells in positions(*rows).values()]) is None


def test_percentages_and_counts_of_an_export_that_has_choices_elsewhere() -> None:
    assert read(dropdowns("10 20 50 20", "25 25 25 25")).predictions[0].tolist() == [0.1, 0.2, 0.5, 0.2]
    assert read(dropdowns("0 5 10 5", "5 5 5 5")).predictions[0].tolist() == [0, 0.25, 0.5, 0.25]


def test_a_given_unit_counts_more_than_a_guess() -> None:
    counts = read(dropdowns("2 3 6 3", "1 1 1 11"), unit="count")
    np.testing.assert_allclose(
        counts.predictions, [[2 / 14, 3 / 14, 6 / 14, 3 / 14], [1 / 14, 1 / 14, 1 / 14, 11 / 14]]
    )
    percent = read(dropdowns("2 3 6 3", "1 1 1 11"), unit="percent")
    assert percent.predictions.tolist() == [[0.1, 0.2, 0.5, 0.2], [0, 0, 0, 1]]


def test_choices_in_uneven_steps_need_the_form() -> None:
    with pytest.raises(ReviewProblems) as caught:
        read(dropdowns("2 3 6 3", "1 2 6 3", "1 2 5 2"))
    advice = "predictions may be positions in a list of choices: give the form's settings with --form FILE"
    assert advice in caught.value.notes
    uneven = ("0%", "5%", "10%", "25%", "50%", "75%", "100%")
    assert read(dropdowns("3 4 4 5", "1 3 5 5", form=uneven), normalise=True).predictions[0, 0] == 10 / 110


def test_other_platforms_have_no_choices_counted_from_one() -> None:
    export = make_export({"Score": ["1", "2"], **positions("2 3 6 3", "1 1 1 11")})
    with_counts = read(export)
    assert "predictions are read as counts of 14 imagined reviewers, because most sum to 14" in with_counts.notes


def test_an_expected_rating_from_a_dropdown() -> None:
    fields = {"Score": ["1", "2", "3"], "Expected rating": ["1", "2", "3"]}
    numbers = {"Score": options("a", "b", "c"), "Expected rating": options("1.0", "1.5", "2.0")}
    assert read(make_export(fields, numbers)).expected.tolist() == [1, 1.5, 2]  # type: ignore[union-attr]
    words = {"Score": options("a", "b", "c"), "Expected rating": options("a", "b", "c")}
    assert read(make_export(fields, words)).expected.tolist() == [1, 2, 3]  # type: ignore[union-attr]


def test_decimal_commas_in_shares() -> None:
    fields = {
        "Score": ["1", "2"],
        "Predicted share of 1": ["0,25", "12,5%"],
        "Predicted share of 2": ["0,75", "87,5 %"],
    }
    reviews = read(make_export(fields))
    assert reviews.predictions.tolist() == [[0.25, 0.75], [0.125, 0.875]]
    assert "4 numbers with a decimal comma read: 0,3 is 0.3" in reviews.notes


def test_levels_without_a_prediction_are_named_by_their_level() -> None:
    fields = {"Score": RATINGS, "Predicted share of 1": ["30"] * 4, "Predicted share of 4": ["20"] * 4}
    reviews = read(make_export(fields, {"Score": options("a", "b", "c", "d")}))
    assert "2 levels without a prediction, read as left empty: 2, 3" in reviews.notes


def test_counts_that_are_left_out_name_their_fields() -> None:
    with pytest.raises(ReviewProblems) as caught:
        read(dropdowns("2 _ _ 3", "2 3 4 1"), unit="count")
    assert caught.value.problems[0].column == "Predicted % of 2, Predicted % of 3"


def test_paper_numbers_are_numbers_and_other_ids_are_text() -> None:
    assert read(make_export({"Score": RATINGS}, paper=["10", "9", "2", "10"])).papers.to_list() == [2, 9, 10]
    assert read(make_export({"Score": RATINGS}, paper=["10", "9", "a", "10"])).papers.to_list() == ["10", "9", "a"]
    assert read(make_export({"Score": RATINGS}, paper=["010", "9", "1", "2"])).papers.to_list() == [
        "010",
        "1",
        "2",
        "9",
    ]


def test_tracks() -> None:
    reviews = read(make_export({"Score": RATINGS}, track=["a", "a", "b", "b"]))
    assert reviews.track is not None
    assert reviews.track.to_list() == ["a", "b"]
    with pytest.raises(ReviewProblems, match=r"row 3 \(review 1B\), column track"):
        read(make_export({"Score": RATINGS}, track=["a", "b", "b", "b"], name=["1A", "1B", "2A", "2B"]))


def test_problems_of_the_export_and_of_its_cells_come_together_in_order() -> None:
    broken = Problem(3, None, "a row of 9 cells", "8")
    export = make_export({"Score": ["1", "2", "7"]}, {"Score": options("a", "b")}, place=[2, 4, 5], problems=(broken,))
    with pytest.raises(ReviewProblems) as caught:
        read(export)
    assert [problem.row for problem in caught.value.problems] == [3, 5]
    alone = make_export({"Score": ["1", "2"]}, problems=(broken,))
    with pytest.raises(ReviewProblems) as caught:
        read(alone)
    assert caught.value.problems == (broken,)


def test_the_notes_of_a_sound_export() -> None:
    export = dropdowns("2 3 6 3", "1 1 1 11", form=TENS, notes=("1 row that is no review left out",))
    listed = ", ".join(f'"{name}" for {level}' for name, level in zip(NAMES, RATINGS, strict=True))
    assert read(export).notes == (
        "read as a platform, Reviews (CSV): 2 reviews of 1 paper",
        "1 row that is no review left out",
        'rating: "Score"; levels, lowest first: 1 (a), 2 (b), 3 (c), 4 (d) (from the form)',
        f"predictions: {listed}",
        "it is not said who wrote which review: a review that is in the file twice would count twice",
    )
