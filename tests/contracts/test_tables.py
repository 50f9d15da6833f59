"""Tables that people have in memory, and everything that can be wrong with them."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from surpeer import InputError, ReviewProblems, Reviews, Scale, calibrate
from surpeer.errors import UnknownName

COLUMNS: dict[str, list[Any]] = {
    "paper": ["B", "A", "A", "B"],
    "reviewer": ["r1", "r1", "r2", None],
    "rating": ["accept", "accept", "reject", "accept"],
    "p_reject": [0.2, 0.3, 0.6, None],
    "p_accept": [0.8, 0.7, 0.4, None],
}
BINARY = Scale.preset("binary")


def with_column(name: str, cells: list[Any]) -> dict[str, list[Any]]:
    return {**COLUMNS, name: cells}


def test_columns_become_arrays() -> None:
    reviews = Reviews.from_table(COLUMNS)
    assert reviews.papers.to_list() == ["A", "B"]
    assert reviews.paper.tolist() == [1, 0, 0, 1]
    assert reviews.rating.tolist() == [1, 1, 0, 1]
    assert reviews.has_prediction.tolist() == [True, True, True, False]
    assert len(reviews) == 4
    assert reviews.reviewer is not None
    assert "levels taken from the p_ columns, lowest first: reject, accept" in reviews.notes


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pd.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"rating": "category"}),
        pl.DataFrame(COLUMNS).with_columns(pl.col("rating").cast(pl.Categorical)),
    ],
    ids=lambda table: type(table).__module__,
)
def test_every_kind_of_table_gives_the_same(table: Any) -> None:
    assert calibrate(Reviews.from_table(table)).table.equals(calibrate(Reviews.from_table(COLUMNS)).table)


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({**COLUMNS, "p_reject": [0.2, 0.3, 0.6, np.nan]})

    def refuse(self: object, requested_schema: object = None) -> None:
        raise ImportError("pyarrow is not there")

    monkeypatch.setattr(pd.DataFrame, "__arrow_c_stream__", refuse)
    assert Reviews.from_table(frame).has_prediction.tolist() == [True, True, True, False]


def test_whole_numbers_as_ids_stay_numbers_and_sort_as_numbers() -> None:
    reviews = Reviews.from_table(with_column("paper", [10, 9, 9, 10]))
    assert reviews.papers.to_list() == [9, 10]
    assert calibrate(reviews).scores[10].paper == 10
    assert calibrate(reviews).scores["10"].paper == 10


def test_ratings_as_numbers() -> None:
    table = {
        "paper": ["A"] * 3,
        "rating": [1.0, 2.0, 3.0],
        "p_1": [0.5, 0.3, 0.2],
        "p_2": [0.3, 0.4, 0.3],
        "p_3": [0.2, 0.3, 0.5],
    }
    assert Reviews.from_table(table).rating.tolist() == [0, 1, 2]
    assert Reviews.from_table({**table, "rating": [1, 2, 3]}).rating.tolist() == [0, 1, 2]
    assert Reviews.from_table({**table, "rating": ["1.0", "2", "3.00"]}).rating.tolist() == [0, 1, 2]


def test_numbers_of_levels_are_sorted_as_numbers_and_values_are_explained() -> None:
    table = {"paper": ["A"], "rating": ["10"], "p_10": [1.0], "p_2": [0.0]}
    reviews = Reviews.from_table(table)
    assert reviews.scale.levels == ("2", "10")
    assert "the levels 2, 10 stand for 0, 1; --values gives other numbers" in reviews.notes
    assert not any("stand for" in note for note in Reviews.from_table(table, values=(2, 10)).notes)


def test_single_prediction_column() -> None:
    table = {"paper": ["A", "A", "A"], "rating": ["accept", "reject", "accept"], "prediction": [0.9, 0.7, None]}
    reviews = Reviews.from_table(table)
    assert reviews.predictions[:2].tolist() == [[0.1, 0.9], [0.3, 0.7]]
    assert np.isnan(reviews.predictions[2]).all()
    percent = Reviews.from_table({**table, "prediction": [90, 70, None]}, unit="percent")
    assert percent.predictions[:2].tolist() == [[0.1, 0.9], [0.3, 0.7]]


@pytest.mark.parametrize(
    ("ratings", "levels"), [([0, 1], ("0", "1")), (["no", "yes"], ("no", "yes")), (["accept"], ("reject", "accept"))]
)
def test_two_known_levels_need_not_be_named(ratings: list[Any], levels: tuple[str, str]) -> None:
    table = {"paper": ["A"] * len(ratings), "rating": ratings, "prediction": [0.5] * len(ratings)}
    reviews = Reviews.from_table(table)
    assert reviews.scale.levels == levels
    assert f"levels taken from the ratings, lowest first: {', '.join(levels)}" in reviews.notes


def test_no_predictions_at_all() -> None:
    reviews = Reviews.from_table({"paper": ["A", "A"], "rating": ["accept", "reject"]}, BINARY)
    assert not reviews.has_prediction.any()
    assert (
        "the table has no predictions: the method venue ranks papers by their mean rating, drawn towards the mean of "
        "the venue where reviews are few; methods other than venue and mean need predictions" in reviews.notes
    )
    slip = Reviews.from_table({"paper": ["A"], "rating": ["accept"], "predicton": [1], "tracks": [1]}, BINARY)
    assert 'no column track ("tracks" is not read)' in slip.notes
    assert any('the table has no predictions ("predicton" is not read): ' in note for note in slip.notes)
    assert calibrate(reviews, "surprisal").table["status"].to_list() == ["no_predictions"]


def test_other_columns_may_look_like_ours() -> None:
    table = with_column("P_ID", [1, 2, 3, 4]) | {"Paper": ["title"] * 4}
    assert Reviews.from_table(table).scale.levels == ("reject", "accept")


def test_notes_on_what_a_user_should_know() -> None:
    twins = Reviews.from_table(with_column("paper", ["A", "A", "A ", "B"]) | {"reviewer": ["a", "b", "c", "d"]})
    assert "paper ids that differ only in spaces are different papers: 'A', 'A '" in twins.notes
    rounded = Reviews.from_table(with_column("p_accept", [0.8, 0.7, 0.3995, None]))
    assert "1 prediction summing to 0.9995 taken as written" in rounded.notes
    assert rounded.predictions[2].tolist() == [0.6, 0.3995]
    slip = {("reviewr" if name == "reviewer" else name): cells for name, cells in COLUMNS.items()}
    assert (
        'no column reviewer ("reviewr" is not read): a review that is in the file twice would count twice'
        in Reviews.from_table(slip).notes
    )
    ignored = Reviews.from_table(with_column("p_value", [1, 2, 3, 4]), BINARY)
    assert "ignored, because no level has that name: p_value" in ignored.notes


PROBLEMS = [
    (with_column("paper", ["", "A", None, "  "]), [
        "row 0, column paper: found an empty cell, expected the id of a paper; fill it in or delete the row",
        "row 2, column paper: found an empty cell",
        "row 3, column paper: found an empty cell",
    ]),
    (with_column("paper", [1.5, 2.5, 3.5, 4.5]), [
        "column paper: found ids of type Float64, expected text or whole numbers; convert the column",
    ]),
    (with_column("rating", ["Accept", "", None, "maybe"]), [
        'row 0, column rating: found "Accept", expected one of reject, accept; it differs from "accept" in capitals only: write it so, or rename the level',
        "row 1, column rating: found an empty cell, expected one of reject, accept; fill it in or delete the row",
        "row 2, column rating: found an empty cell",
        'row 3, column rating: found "maybe", expected one of reject, accept; correct it, or name all levels with --levels',
    ]),
    (with_column("p_reject", ["x", "30%", "0,6", None]), [
        'row 0, column p_reject: found "x", expected a fraction between 0 and 1; correct it, or leave the cells empty if there is no prediction',
        'row 1, column p_reject: found "30%", expected a fraction between 0 and 1; write it as the others are, or use --unit percent if all predictions are percentages',
        'row 2, column p_reject: found "0,6", expected a fraction between 0 and 1; write a point instead of the comma',
    ]),
    (with_column("p_reject", [-0.1, 30, float("inf"), None]), [
        "row 0, column p_reject: found -0.1, expected a fraction between 0 and 1; correct it",
        "row 1, column p_reject: found 30, expected a fraction between 0 and 1; use --unit percent or --unit count if that is what predictions are",
        "row 2, column p_reject: found inf, expected a fraction between 0 and 1; correct it",
    ]),
    (with_column("p_reject", [0.2, None, 0.7, 0.5]), [
        "row 2, column p_reject, p_accept: found predictions that sum to 1.1, expected 1; correct them, or add --normalise, which scales what is up to 10% off",
    ]),
    (with_column("reviewer", ["r1", "r2", "r2", "r1"]), [
        "row 2, column reviewer: found a second review of paper \"A\" by \"r2\" (the first is in row 1), expected one review by each reviewer; keep one of the two",
        "row 3, column reviewer: found a second review of paper \"B\" by \"r1\" (the first is in row 0)",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("table", "messages"), PROBLEMS)
def test_every_problem_is_reported_at_once(table: dict[str, list[Any]], messages: list[str]) -> None:
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table(table, source="my table")
    found = [str(problem) for problem in caught.value.problems]
    assert len(found) == len(messages)
    for text, message in zip(found, messages, strict=True):
        assert text.startswith(message)
    assert str(caught.value).startswith(f"my table: {len(messages)} problem")


def test_problems_of_all_columns_come_together_and_in_order() -> None:
    table = {"paper": [None, "A"], "rating": ["accept", "x"], "p_reject": [2, 0.5], "p_accept": [0.5, 0.4]}
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table(table)
    places = [(problem.row, problem.column) for problem in caught.value.problems]
    assert places == [(0, "paper"), (0, "p_reject"), (1, "rating"), (1, "p_reject, p_accept")]


@pytest.mark.parametrize(
    ("table", "scale", "messages"),
    [
        ({}, None, ["found no columns, expected a column paper; add a column paper", "expected a column rating"]),
        ({"Paper": ["A"], "rating": ["x"], "p_a": [1], "p_b": [0]}, None, ['found a column "Paper", expected "paper"; rename it: spaces and capitals count']),
        ({"paper": ["A"], "rating": ["x"], "p_a ": [1], "p_ b": [0]}, None, ['found a column "p_a ", expected "p_a"; rename it', 'found a column "p_ b", expected "p_b"']),
        ({"paper": ["A"], "rating": ["x"], "P_a": [1], " P_b": [0]}, None, ['found a column "P_a", expected "p_a"; rename it', 'found a column " P_b", expected "p_b"']),
        ({"papers": ["A"], "rating": ["x"], "p_a": [1], "p_b": [0]}, None, ['expected a column paper; rename "papers" to paper']),
        ({"paper": ["A"], "rating": ["x"], "predicton": [1]}, None, ['expected the rating levels; rename "predicton" to prediction']),
        ({"paper": ["A"], "rating": ["1"], "p_1": [1], "p_2": [0], "p_N/A": [0]}, None, ["found p_ columns for numbers and for names: 1, 2, N/A, expected one or the other"]),
        ({"paper": ["A"], "rating": ["1"], "p_1": [1], "p_01": [0]}, None, ["found p_ columns for 1, 01, expected a scale; the rating scale cannot be used: found two levels that are the number 1"]),
        ({"paper": ["A"], "rating": [None], "prediction": [1]}, None, ["column rating: found no ratings, expected two known levels"]),
        ({"paper": ["A"], "rating": ["x"], "p_Good": [1], "p_Bad": [0]}, None, ["found p_ columns in the order Good, Bad, expected the lowest level first"]),
        ({"paper": ["A"], "rating": ["x"]}, None, ["found no p_<level> columns to take the levels from, expected the rating levels; name the levels"]),
        ({"paper": ["A"], "rating": ["x"], "p_a": [1]}, None, ["found 1 p_<level> column, expected between 2 and 101"]),
        ({"paper": ["A"], "rating": ["x"], "p_a": [1], "p_b": [1], "prediction": [1]}, None, ["found both prediction and p_a, p_b, expected one or the other"]),
        ({"paper": ["A"], "rating": ["x"], "p_accept": [1], "p_reject": [0]}, None, ["found p_ columns in the order accept, reject, expected the lowest level first; name the levels"]),
        ({"paper": ["A"], "rating": ["fine"], "prediction": [1]}, None, ['column rating: found the ratings "fine", expected two known levels; name the levels']),
        ({"paper": ["A"], "rating": ["x"], "p_acept": [1], "p_reject": [0]}, BINARY, ['expected a column p_accept for level "accept"; rename "p_acept"']),
        ({"paper": ["A"], "rating": ["x"], "p_yes": [1]}, Scale(["a", "b"]), ['found the columns p_yes, expected a column p_a for level "a"; add the column, or correct the levels', 'expected a column p_b for level "b"; add the column']),
        ({"paper": ["A"], "rating": ["1"], "p_1.0": [1], "p_3": [0]}, Scale(["1", "2", "3"]), ['expected a column p_1 for level "1"; rename "p_1.0"']),
        ({"paper": ["A"], "rating": ["1"], "Track": [1], "expected ": [0]}, BINARY, ['found a column "Track", expected "track"; rename it: spaces and capitals count', 'found a column "expected ", expected "expected"; rename it']),
        ({"paper": [], "rating": [], "p_a": [], "p_b": []}, None, ["found no reviews, expected at least one row below the header"]),
    ],
)  # fmt: skip
def test_columns_that_cannot_be_understood(
    table: dict[str, list[Any]], scale: Scale | None, messages: list[str]
) -> None:
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table(table, scale)
    found = [str(problem) for problem in caught.value.problems]
    assert len(found) == len(messages), found
    for text, message in zip(found, messages, strict=True):
        assert message in text


def test_counts() -> None:
    table = {"paper": ["A", "A"], "rating": ["1", "2"], "p_1": [6, 1], "p_2": [14, 2]}
    assert Reviews.from_table(table, unit="count").predictions.tolist() == [[0.3, 0.7], [1 / 3, 2 / 3]]
    with pytest.raises(
        ReviewProblems, match="row 0, column p_1, p_2: found no imagined reviewer at all, expected at least one"
    ):
        Reviews.from_table({**table, "p_1": [0, 1], "p_2": [0, 2]}, unit="count")
    with pytest.raises(ReviewProblems, match="found -1, expected a number of imagined reviewers between 0 and 1e9"):
        Reviews.from_table({**table, "p_1": [-1, 1]}, unit="count")
    with pytest.raises(ReviewProblems, match="column prediction: found the unit count, expected p_<level> columns"):
        Reviews.from_table({"paper": ["A"], "rating": ["0"], "prediction": [3]}, unit="count")


def test_spaces_around_numbers_do_not_matter() -> None:
    reviews = Reviews.from_table(with_column("p_reject", [" 0.2", "0.3 ", "\t0.6", " "]))
    assert reviews.predictions[:3, 0].tolist() == [0.2, 0.3, 0.6]


def test_a_scale_is_a_scale() -> None:
    with pytest.raises(InputError, match="found 'binary' as the scale, expected a Scale; Scale.preset"):
        Reviews.from_table(COLUMNS, "binary")  # type: ignore[arg-type]


def test_percent_that_are_counts() -> None:
    table = {"paper": ["A"], "rating": ["1"], "p_1": [6], "p_2": [14]}
    with pytest.raises(
        ReviewProblems, match="found 6, expected a fraction between 0 and 1; use --unit percent or --unit count"
    ):
        Reviews.from_table(table)
    with pytest.raises(ReviewProblems, match="sum to 20, expected 100; correct them, or use --unit count"):
        Reviews.from_table(table, unit="percent")
    with pytest.raises(ReviewProblems, match="between 0 and 1e9"):
        Reviews.from_table({**table, "p_1": [1e308]}, unit="count")


def test_percent_that_are_fractions() -> None:
    with pytest.raises(ReviewProblems, match="found predictions that sum to 1, expected 100; use --unit fraction"):
        Reviews.from_table(COLUMNS, unit="percent")
    with pytest.raises(ReviewProblems, match="found 130, expected a percentage between 0 and 100"):
        Reviews.from_table({**COLUMNS, "p_accept": [130, 70, 40, None], "p_reject": [20, 30, 60, None]}, unit="percent")


def test_what_is_no_table_and_no_unit() -> None:
    with pytest.raises(InputError, match="found a list, expected a polars, pandas or pyarrow table or a mapping"):
        Reviews.from_table([1, 2])
    with pytest.raises(InputError, match="the table cannot be read"):
        Reviews.from_table({"paper": ["A", "B"], "rating": ["a"]})
    with pytest.raises(UnknownName, match='unknown unit "permille"; known: fraction, percent, count'):
        Reviews.from_table(COLUMNS, unit="permille")


def test_a_callers_table_is_not_changed() -> None:
    frame = pd.DataFrame(COLUMNS)
    before = frame.copy()
    Reviews.from_table(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_levels_the_other_way_round_are_said() -> None:
    table = {"paper": ["A", "A"], "rating": ["accept", "reject"]}
    said = "levels as given, lowest first: accept, reject; usually it is reject, accept"
    assert said in Reviews.from_table(table, Scale(["accept", "reject"])).notes
    assert not any("usually" in note for note in Reviews.from_table(table, Scale(["reject", "accept"])).notes)
