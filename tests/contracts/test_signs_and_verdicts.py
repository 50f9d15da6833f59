"""Tables in our own columns: per cent signs, and levels whose order everybody knows."""

from typing import Any

import numpy as np
import pytest

from surpeer import ReviewProblems, Reviews, Scale
from surpeer.verdicts import VERDICTS, is_whole, smallest_whole, upside_down, usual_order, verdict

LEVELS = ["strong reject", "reject", "borderline", "accept", "strong accept"]


def table(*rows: list[Any], levels: tuple[str, ...] = ("reject", "accept")) -> dict[str, list[Any]]:
    """Rows of a rating and a share for each level."""
    names = ["rating", *(f"p_{level}" for level in levels)]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return {"paper": [f"P{at}" for at in range(len(rows))], **columns}


def messages(content: dict[str, list[Any]], scale: Scale | None = None, **how: Any) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table(content, scale, **how)
    return [str(problem) for problem in caught.value.problems]


NOTE = "predictions have % signs and are read as percentages"


@pytest.mark.parametrize("cell", ["0", "0.0", "", None])
def test_percentages_with_their_signs_need_no_unit(cell: str | None) -> None:
    reviews = Reviews.from_table(table(["accept", "30%", "70 %"], ["reject", "60 %", "40%"], ["accept", cell, "100%"]))
    np.testing.assert_allclose(reviews.predictions, [[0.3, 0.7], [0.6, 0.4], [0, 1]])
    assert NOTE in reviews.notes


def test_signs_in_the_share_of_the_highest_level() -> None:
    reviews = Reviews.from_table({"paper": ["A", "B"], "rating": ["accept", "reject"], "prediction": ["80%", "25%"]})
    assert reviews.predictions.tolist() == [[0.2, 0.8], [0.75, 0.25]]
    assert NOTE in reviews.notes


@pytest.mark.parametrize("unit", ["percent", "auto"])
def test_other_units_have_no_such_note(unit: str) -> None:
    reviews = Reviews.from_table(table(["accept", "30%", "70%"], ["reject", "60%", "40%"]), unit=unit)
    assert reviews.predictions.tolist() == [[0.3, 0.7], [0.6, 0.4]]
    assert NOTE not in reviews.notes


def test_other_problems_are_those_of_percentages() -> None:
    assert messages(table(["accept", "3O%", "70%"], ["reject", "60%", "30%"], ["fine", "60%", "40%"])) == [
        (
            'row 0, column p_reject: found "3O%", expected a percentage between 0 and 100; correct it, or leave the cells '
            "empty if there is no prediction"
        ),
        (
            "row 1, column p_reject, p_accept: found predictions that sum to 90, expected 100; correct them, or add "
            "--normalise, which scales what is up to 10% off"
        ),
        'row 2, column rating: found "fine", expected one of reject, accept; correct it, or name all levels with --levels',
    ]


def test_most_numbers_with_a_sign_are_one_problem() -> None:
    rows = [["accept", "30%", "70%"], ["reject", "60", "40"], ["reject", "many", "40%"], ["accept", "20%", "80%"]]
    assert messages(table(*rows)) == [
        (
            "column p_reject, p_accept: found 5 numbers with a % sign and 2 without, expected all predictions written in one "
            "way; use --unit percent if all are percentages, or --unit auto if each row says by its sum what it is"
        ),
        (
            'row 2, column p_reject: found "many", expected a share or a number of imagined reviewers; correct it, or leave '
            "the cells empty if there is no prediction"
        ),
    ]


def test_a_sign_among_fractions_is_a_slip() -> None:
    rows = [["accept", "0.3", "0.7"], ["reject", "0.6", "40%"], ["accept", "0.2", "0.8"]]
    assert messages(table(*rows)) == [
        (
            'row 1, column p_accept: found "40%", expected a fraction between 0 and 1; write it as the others are, or use '
            "--unit percent if all predictions are percentages"
        )
    ]


def test_verdicts_in_the_wrong_order_are_refused_with_the_right_one() -> None:
    rows = ["accept", 0.2, 0.2, 0.2, 0.2, 0.2]
    usual = Reviews.from_table(table(rows, levels=tuple(LEVELS)))
    assert usual.scale.levels == tuple(LEVELS)
    assert messages(table(rows, levels=tuple(reversed(LEVELS)))) == [
        (
            "found p_ columns in the order strong accept, accept, borderline, reject, strong reject, expected the lowest "
            'level first; name the levels, lowest first: --levels "strong reject,reject,borderline,accept,strong accept" '
            "(in Python: scale=Scale([...]))"
        )
    ]
    (unknown,) = messages(table(["accept", 0.2, 0.3, 0.5], levels=("accept", "maybe", "reject")))
    assert unknown.startswith(
        "found p_ columns in the order accept, maybe, reject, expected the lowest level first; name"
    )


def test_levels_given_upside_down_are_taken_with_a_note() -> None:
    rows = table(["accept", 0.2, 0.2, 0.2, 0.2, 0.2], levels=tuple(LEVELS))
    given = "levels as given, lowest first: strong accept, accept, borderline, reject, strong reject"
    note = f"{given}; usually it is strong reject, reject, borderline, accept, strong accept"
    assert note in Reviews.from_table(rows, Scale(LEVELS[::-1])).notes
    partly = Reviews.from_table({"paper": ["A"], "rating": ["accept"]}, Scale(["accept", "maybe", "reject"]))
    assert "levels as given, lowest first: accept, maybe, reject; usually reject is lower than accept" in partly.notes
    assert not any("as given" in note for note in Reviews.from_table(rows, Scale(LEVELS)).notes)


def test_the_note_on_the_order_stands_below_problems_too() -> None:
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table({"paper": ["A"], "rating": ["x"]}, Scale(["accept", "reject"]))
    assert caught.value.notes[-1] == "levels as given, lowest first: accept, reject; usually it is reject, accept"


def test_ratings_alone_say_a_usual_scale() -> None:
    reviews = Reviews.from_table({"paper": list("ABCDE"), "rating": LEVELS[::-1]})
    assert (reviews.scale.levels, reviews.rating.tolist()) == (tuple(LEVELS), [4, 3, 2, 1, 0])
    start = "found no p_<level> columns to take the levels from, expected the rating levels; name the levels, lowest first: "
    (problem,) = messages({"paper": list("AB"), "rating": ["accept", "weak accept"]})
    assert problem == f'{start}--levels "reject,weak reject,weak accept,accept" (in Python: scale=Scale([...]))'
    (problem,) = messages({"paper": list("AB"), "rating": ["good", "so so"]})
    assert problem == f'{start}--levels "good,so so" (in Python: scale=Scale([...])), in the right order'
    (problem,) = messages({"paper": list("AB"), "rating": ["1", "2"]})
    assert problem.startswith(f"{start}--levels low,high, or --scale FILE")


@pytest.mark.parametrize(
    ("rating", "what"),
    [("Accept", "capitals"), ("accept ", "spaces"), ("ACCEPT ", "capitals and spaces"), (" accept", "spaces")],
)
def test_a_rating_that_differs_in_what_cannot_be_seen(rating: str, what: str) -> None:
    assert messages(table([rating, 0.2, 0.8], ["reject", 0.2, 0.8])) == [
        (
            f'row 0, column rating: found "{rating}", expected one of reject, accept; it differs from "accept" in {what} '
            "only: write it so, or rename the level"
        )
    ]


def test_a_space_within_a_level() -> None:
    (problem,) = messages(table(["weak  accept", 0.2, 0.8], levels=("weak reject", "weak accept")))
    assert problem.endswith('it differs from "weak accept" in spaces only: write it so, or rename the level')


def test_verdicts() -> None:
    assert [verdict(name) for name in (" Strong - reject", "weakly_accept", "strong", "")] == ["strong reject", "weak accept", None, None]  # fmt: skip
    assert usual_order(["yes", "no"]) == ("no", "yes")
    assert usual_order(["accept"]) is None
    assert usual_order(["accept", "Accept"]) is None
    assert is_whole(VERDICTS)
    assert not is_whole([])
    assert not is_whole(["borderline"])
    assert not is_whole(["weak reject", "weak accept"])
    assert smallest_whole(["weak accept"]) == ("reject", "weak reject", "weak accept", "accept")
    assert upside_down(["accept", "x", "reject", "strong accept"]) == ("reject", "accept")
    assert upside_down(VERDICTS) is None
    assert Scale.preset("five-grades").levels == tuple(LEVELS)
