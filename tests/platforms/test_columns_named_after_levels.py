"""Columns that are called after levels are predictions, also where some of their cells are no numbers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exports import make_export, read

from surpeer import InputError, ReviewProblems, Scale, read_reviews
from surpeer.reviews import Reviews

Write = Callable[[str, str | bytes], Path]

LEVELS = ["strong reject", "reject", "borderline", "accept", "strong accept"]
RATINGS = ["accept", "reject", "strong reject", "borderline", "strong accept", "accept"]
SHARES = [[0, 10, 20, 50, 20], [10, 20, 40, 20, 10], [20, 50, 20, 10, 0], [5, 15, 60, 15, 5], [0, 0, 10, 30, 60], [0, 0, 0, 60, 40]]  # fmt: skip
STYLES = [
    "% {}", "{}", "{} %", "{} (%)", "P({})", "share of {}", "pct_{}", "Predicted share of {}", "How many % will say {}?",
    "Panel: {}",
]  # fmt: skip


def table(names: list[str], ratings: list[str], shares: list[list[str]]) -> str:
    header = ",".join(["Paper #", "Reviewer", "Overall", *names])
    rows = (",".join([str(at // 2), f"R{at}", rating, *row]) for at, (rating, row) in enumerate(zip(ratings, shares, strict=True)))  # fmt: skip
    return "\n".join([header, *rows]) + "\n"


def cells(sign: str = "%") -> list[list[str]]:
    return [[f"{share}{sign}" for share in row] for row in SHARES]


def problems_of(path: Path, **how: Any) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(path, **how)
    return [str(problem).partition(", expected")[0] for problem in caught.value.problems]


@pytest.mark.parametrize("sign", ["%", "", " %"])
@pytest.mark.parametrize("style", STYLES)
def test_every_style_of_names(style: str, sign: str, write: Write) -> None:
    names = [style.format(level) for level in LEVELS]
    reviews = read_reviews(write("r.csv", table(names, RATINGS, cells(sign))))
    assert reviews.scale.levels == tuple(LEVELS)
    np.testing.assert_allclose(reviews.predictions, np.array(SHARES) / 100)


@pytest.mark.parametrize("cell", ["7O%", "n/a", "ca. 40%", "150%", "-", "none", "forty"])
@pytest.mark.parametrize("style", STYLES)
def test_a_cell_that_is_no_number_is_a_problem_of_its_own(style: str, cell: str, write: Write) -> None:
    names = [style.format(level) for level in LEVELS]
    shares = cells()
    shares[1][2] = cell
    path = write("r.csv", table(names, RATINGS, shares))
    (problem,) = problems_of(path)
    assert problem.startswith("row 3, column ")
    if cell != "150%":  # which is a number; its row sums to too much
        assert problem == f'row 3, column {names[2]}: found "{cell}"'
    kept = read_reviews(path, drop_bad_predictions=True)
    assert "1 prediction that cannot be used left out, as asked: rows 3" in kept.notes
    assert kept.has_prediction.tolist() == [True, False, True, True, True, True]


def test_names_that_have_no_word_in_common(write: Write) -> None:
    names = ["% strong reject", "% reject", "Borderline", "Accept %", "strong-accept"]
    shares = cells()
    shares[4][0] = "n/a"
    assert problems_of(write("r.csv", table(names, RATINGS, shares))) == ['row 6, column % strong reject: found "n/a"']


def test_ratings_and_predictions_have_their_problems_together(write: Write) -> None:
    ratings, shares = RATINGS.copy(), cells()
    ratings[0], shares[1][2], shares[2][0] = "Stong accept", "7O%", "60%"
    path = write("r.csv", table([f"% {level}" for level in LEVELS], ratings, shares))
    expected = [
        'row 2, column Overall: found "Stong accept"',
        'row 3, column % borderline: found "7O%"',
        "row 4, column % strong reject ... % strong accept: found predictions that sum to 140",
    ]
    assert problems_of(path) == expected
    assert problems_of(path, scale=Scale(LEVELS)) == expected


def test_a_misspelt_rating_has_the_level_that_is_meant(write: Write) -> None:
    ratings = ["Stong accept", *RATINGS[1:]]
    with pytest.raises(ReviewProblems, match=r'found "Stong accept", .*; did you mean "strong accept"\?'):
        read_reviews(write("r.csv", table([f"% {level}" for level in LEVELS], ratings, cells())))


def test_a_column_that_is_nearly_always_zero_is_not_lost_with_one_bad_cell(write: Write) -> None:
    shares = [["0", "20", "30", "30", "20"]] * 5 + [["n/a", "20", "30", "30", "20"]]
    path = write("r.csv", table([f"% {level}" for level in LEVELS], RATINGS, shares))
    assert problems_of(path) == ['row 7, column % strong reject: found "n/a"']


@pytest.mark.parametrize("style", ["% {}", "{}", "Predicted share of {}"])
def test_columns_in_which_most_cells_are_no_numbers_are_named(style: str, write: Write) -> None:
    names = [style.format(level) for level in LEVELS]
    shares = [["n/a"] * 5 if at else cells()[0] for at in range(6)]
    reviews = read_reviews(write("r.csv", table(names, RATINGS, shares)), Scale(LEVELS))
    assert not reviews.has_forecast.any()
    listed = ", ".join(f'"{name}"' for name in names)
    note = next(note for note in reviews.notes if note.startswith("not read as predictions"))
    assert note.startswith(
        f"not read as predictions, though they may be: {listed}; the first cell that is no number is "
        f'"n/a" in row 3 of "{names[0]}"; --prediction NAME'
    )
    assert not any("the table has no predictions" in note for note in reviews.notes)
    assert any(note.startswith("no predictions were read: ") for note in reviews.notes)
    named = problems_of(write("r.csv", table(names, RATINGS, shares)), scale=Scale(LEVELS), predictions=names)
    assert len(named) == 25
    silent = read_reviews(write("r.csv", table(names, RATINGS, shares)), Scale(LEVELS), predictions=["none"])
    assert not any("not read as predictions" in note for note in silent.notes)


@pytest.mark.parametrize("names", [["% reject", "% accept"], ["reject", "Accept"], ["reject (%)", "accept (%)"]])
def test_our_names_for_papers_and_ratings_beside_others_for_predictions(names: list[str], write: Write) -> None:
    text = f"paper,reviewer,rating,{','.join(names)}\n1,a,accept,30,70\n1,b,reject,60,{{}}\n2,a,accept,10,90\n"
    reviews = read_reviews(write("r.csv", text.format(40)))
    np.testing.assert_allclose(reviews.predictions, [[0.3, 0.7], [0.6, 0.4], [0.1, 0.9]])
    assert problems_of(write("r.csv", text.format("n/a"))) == [f'row 3, column {names[1]}: found "n/a"']


def test_a_table_in_memory_names_columns_that_are_not_read() -> None:
    table = {"paper": ["A", "B"], "rating": ["reject", "accept"], "% Reject": [30, 40], "accept": [70, 60]}
    note = 'not read, though called after levels: "% Reject", "accept"; predictions are in columns p_<level>'
    assert note in Reviews.from_table(table).notes
    assert not any("not read" in note for note in Reviews.from_table(table | {"prediction": [0.7, 0.6]}).notes)


def test_one_column_called_after_a_level_is_named_and_not_read() -> None:
    reviews = read(make_export({"rating": ["reject", "accept", "accept"], "accept": ["3", "2", "7"]}))
    assert not reviews.has_forecast.any()
    start = 'not read as predictions, though they may be: "accept"; --prediction NAME'
    assert any(note.startswith(start) for note in reviews.notes)


def test_decimal_commas_under_names_of_levels(write: Write) -> None:
    text = "Paper #;Reviewer;Overall;Reject;Accept\n1;a;accept;0,25;0,75\n1;b;reject;0,5;0,5\n2;a;accept;0,4;0,6\n"
    reviews = read_reviews(write("r.csv", text))
    assert reviews.predictions.tolist() == [[0.25, 0.75], [0.5, 0.5], [0.4, 0.6]]


def test_counts_under_names_of_levels() -> None:
    fields = {"rating": ["reject", "accept", "accept"], "reject": ["6", "5", "1"], "accept": ["4", "5", "9"]}
    assert read(make_export(fields)).predictions.tolist() == [[0.6, 0.4], [0.5, 0.5], [0.1, 0.9]]


def test_numbers_as_names_are_predictions_only_if_they_sum_to_a_whole() -> None:
    ratings = {"rating": ["1", "2", "3"]}
    shares = {"1": ["10", "20", "30"], "2": ["30", "30", "30"], "3": ["60", "50", "40"]}
    assert read(make_export(ratings | shares)).predictions[0].tolist() == [0.1, 0.3, 0.6]
    questions = {"1": ["4", "2", "3"], "2": ["3", "3", "1"], "3": ["1", "5", "4"]}
    assert not read(make_export(ratings | questions)).has_forecast.any()


def test_an_expected_rating_with_a_bad_cell() -> None:
    fields = {"rating": ["1", "2", "3"], "Expected rating of the others": ["2", "n/a", "3"]}
    with pytest.raises(ReviewProblems, match='column Expected rating of the others: found "n/a"'):
        read(make_export(fields))


def read_ratings(ratings: list[str], *names: str) -> Reviews:
    share = str(100 // max(len(names), 1))
    return read(make_export({"Overall": ratings, **{name: [share] * len(ratings) for name in names}}))


def test_levels_that_nobody_gave_are_known_by_their_columns() -> None:
    reviews = read_ratings(["accept", "Borderline"], *(f"% {level}" for level in LEVELS))
    assert reviews.scale.levels == ("strong reject", "reject", "Borderline", "accept", "strong accept")
    assert reviews.rating.tolist() == [3, 2]
    uneven = read_ratings(["weak accept", "reject"], "% reject", "% weak accept", "% accept", "% strong accept")
    assert uneven.scale.levels == ("reject", "weak accept", "accept", "strong accept")


@pytest.mark.parametrize(
    ("ratings", "levels"),
    [
        (["Strong-Accept", "accept", "BORDERLINE", "reject", "strong_reject"], ("strong_reject", "reject", "BORDERLINE", "accept", "Strong-Accept")),
        (["weak accept", "accept", "reject", "Weakly reject"], ("reject", "Weakly reject", "weak accept", "accept")),
        (["borderline", "accept", "reject"], ("reject", "borderline", "accept")),
    ],
)  # fmt: skip
def test_usual_scales_need_no_levels(ratings: list[str], levels: tuple[str, ...]) -> None:
    reviews = read(make_export({"Overall": ratings}))
    assert reviews.scale.levels == levels
    assert [reviews.scale.levels[at] for at in reviews.rating] == ratings


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        (
            ["borderline", "accept", "strong accept"],
            (
                'the ratings of "Overall" are "accept", "borderline", "strong accept", and nothing says which others there are; '
                'name all levels, lowest first: --levels "strong reject,reject,borderline,accept,strong accept", if these are '
                "all; or give the form's settings if there is one (--form FILE)"
            ),
        ),
        (
            ["so so", "fine", "poor"],
            (
                'the ratings of "Overall" are "fine", "poor", "so so", and nothing says which is the lowest; name all levels, '
                'lowest first: --levels "fine,poor,so so" in the right order; or give the form\'s settings if there is one '
                "(--form FILE)"
            ),
        ),
    ],
)  # fmt: skip
def test_levels_that_are_not_known_can_be_pasted(ratings: list[str], message: str) -> None:
    with pytest.raises(InputError, match=f"{re.escape(message)}$"):
        read(make_export({"Overall": ratings}))
