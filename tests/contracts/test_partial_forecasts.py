"""Predictions for some levels, expected ratings, and what becomes of them."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Reviews, Scale, calibrate, read_reviews
from surpeer.matrices import build_matrices

ABC = Scale(["a", "b", "c"])
BINARY = Scale.preset("binary")
INCOMPLETE = "some levels empty: the method venue uses what is given, other methods leave such predictions out"


def read(scale: Scale | None = ABC, unit: str = "fraction", **columns: list[Any]) -> Reviews:
    size = len(next(iter(columns.values())))
    ratings = (scale or ABC).levels[0]
    return Reviews.from_table({"paper": ["A"] * size, "rating": [ratings] * size, **columns}, scale, unit=unit)


def problems_of(scale: Scale | None = ABC, unit: str = "fraction", **columns: list[Any]) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        read(scale, unit, **columns)
    return [str(problem) for problem in caught.value.problems]


def as_lists(predictions: Any) -> list[list[float | None]]:
    return [[None if np.isnan(share) else float(share) for share in row] for row in predictions]


def test_what_is_not_given_stays_empty() -> None:
    reviews = read(p_a=[0.2, 0.1, None, 0.1], p_b=[0.3, None, None, 0.2], p_c=[0.5, None, None, 0.7])
    assert as_lists(reviews.predictions) == [[0.2, 0.3, 0.5], [0.1, None, None], [None] * 3, [0.1, 0.2, 0.7]]
    assert reviews.has_prediction.tolist() == [True, False, False, True]
    assert reviews.has_forecast.tolist() == [True, True, False, True]
    assert f"1 prediction leaves {INCOMPLETE}" in reviews.notes
    two = read(p_a=[0.2, 0], p_b=[None, None], p_c=[None, None])
    assert f"2 predictions leave {INCOMPLETE}" in two.notes


def test_levels_that_can_only_be_zero_are_zero() -> None:
    reviews = read(p_a=[0.4, None, 0.333, None], p_b=[0.6, None, 0.667, 0.0004], p_c=[None, 1, None, 0.999])
    assert as_lists(reviews.predictions) == [[0.4, 0.6, 0], [0, 0, 1], [0.333, 0.667, 0], [0, 0.0004, 0.999]]
    assert "4 predictions leave levels empty that can only be 0: the others sum to 1" in reviews.notes
    assert "1 prediction summing to 0.9994 taken as written" in reviews.notes
    percent = read(unit="percent", p_a=[40], p_b=[60], p_c=[None])
    assert as_lists(percent.predictions) == [[0.4, 0.6, 0]]
    assert "1 prediction leaves levels empty that can only be 0: the others sum to 100" in percent.notes


def test_one_level_left_is_the_rest() -> None:
    reviews = read(p_a=[0.1, 0, None], p_b=[0.2, None, 0.2], p_c=[None, 0, 0.7])
    assert as_lists(reviews.predictions) == [[0.1, 0.2, 0.7], [0, 1, 0], [0.1, 0.2, 0.7]]
    assert reviews.has_prediction.all()
    assert "3 predictions leave one level empty, which is what the others leave of 1" in reviews.notes
    percent = read(unit="percent", p_a=[33.3], p_b=[None], p_c=[3])
    assert as_lists(percent.predictions) == [[0.333, 0.637, 0.03]]
    assert "1 prediction leaves one level empty, which is what the others leave of 100" in percent.notes


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=2).filter(lambda pair: sum(pair) < 999_000))
def test_the_rest_is_exact(pair: list[int]) -> None:
    """The float nearest to the exact difference of the decimals that were written."""
    reviews = read(p_a=[pair[0] / 10**6], p_b=[None], p_c=[pair[1] / 10**6])
    assert reviews.predictions[0, 1] == float(1 - Fraction(sum(pair), 10**6))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9995, 0.9999995, 1.0, 1 / 3])
def test_one_of_two_levels_is_a_complete_prediction(share: float) -> None:
    single = read(BINARY, prediction=[share, None])
    for columns in ({"p_accept": [share, None]}, {"p_accept": [share, None], "p_reject": [None, None]}):
        assert as_lists(read(BINARY, **columns).predictions) == as_lists(single.predictions)
    other = read(BINARY, p_reject=[share, None])
    assert as_lists(other.predictions[:, ::-1]) == as_lists(single.predictions)


def test_columns_for_some_levels() -> None:
    reviews = read(Scale.preset("1-10"), p_10=[0.25, None, 1], p_id=[1, 2, 3])
    assert as_lists(reviews.predictions[:, [0, 8, 9]]) == [[None, None, 0.25], [None] * 3, [0, 0, 1]]
    assert "ignored, because no level has that name: p_id" in reviews.notes
    assert "9 levels without a column, read as left empty: p_1, p_2, p_3, p_4, p_5, ..." in reviews.notes
    assert f"1 prediction leaves {INCOMPLETE}" in reviews.notes
    ordered = read(ABC, p_c=[0.5], p_a=[0.1])
    assert as_lists(ordered.predictions) == [[0.1, 0.4, 0.5]]
    assert "1 level without a column, read as left empty: p_b" in ordered.notes


def test_a_column_that_seems_misspelt_is_an_error() -> None:
    grades = Scale.preset("four-grades")
    assert problems_of(grades, p_accept=[0.1], p_weak_accept=[0.2]) == [
        (
            'found the columns p_accept, p_weak_accept, expected a column p_weak accept for level "weak accept"; '
            'rename "p_weak_accept"'
        )
    ]


def test_single_prediction_column_with_more_levels_is_the_top_share() -> None:
    reviews = read(ABC, prediction=[0.3, None, 1, 0])
    assert as_lists(reviews.predictions) == [[None, None, 0.3], [None] * 3, [0, 0, 1], [None, None, 0]]
    assert "prediction is read as the share of the highest level, c" in reviews.notes
    assert as_lists(read(ABC, "percent", prediction=[30]).predictions) == [[None, None, 0.3]]
    assert not any("highest level" in note for note in read(BINARY, prediction=[0.3]).notes)
    assert problems_of(ABC, prediction=[1.5]) == [
        "row 0, column prediction: found 1.5, expected a fraction between 0 and 1; correct it"
    ]


def test_problems_of_partial_rows() -> None:
    assert problems_of(p_a=[0.8, 0.5, -1, 0.5005], p_b=[0.4, None, None, 0.5], p_c=[None, 2, None, None]) == [
        (
            "row 0, column p_a, p_b, p_c: found predictions that sum to 1.2 with some levels left empty, "
            "expected at most 1; correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
        (
            "row 1, column p_c: found 2, expected a fraction between 0 and 1; use --unit percent or --unit count if that "
            "is what predictions are"
        ),
        "row 2, column p_a: found -1, expected a fraction between 0 and 1; correct it",
    ]
    assert problems_of(unit="percent", p_a=[70], p_b=[40])[0].startswith(
        "row 0, column p_a, p_b: found predictions that sum to 110 with some levels left empty, expected at most 100"
    )


def test_counts_need_every_level() -> None:
    assert problems_of(unit="count", p_a=[3, 1], p_b=[None, 1], p_c=[None, 1]) == [
        (
            "row 0, column p_b, p_c: found an empty cell beside counts for other levels, expected a count for every level "
            "or for none; write 0 where no reviewer is imagined, or use another unit"
        )
    ]
    assert problems_of(unit="count", p_a=[3], p_c=[3]) == [
        (
            "found the unit count and no column p_b, expected a count for every level; add the columns, or use another "
            "unit: shares can only be worked out from the counts of all levels"
        )
    ]
    assert not read(unit="count", p_a=[None], p_b=[None], p_c=[None]).has_forecast.any()


def test_percentages_that_look_like_fractions() -> None:
    note = "no prediction is above 1 percent: use --unit fraction if they are fractions"
    assert note in read(ABC, "percent", prediction=[0.3, 0.9]).notes
    assert note in read(BINARY, "percent", prediction=[0.3, 0.9]).notes
    assert note not in read(BINARY, "percent", prediction=[0, 2]).notes
    assert note not in read(BINARY, "percent", prediction=[0, None]).notes


def test_numbers_far_out_of_range_are_no_warning() -> None:
    for unit in ("fraction", "percent"):
        for scale in (ABC, BINARY):
            assert len(problems_of(scale, unit, prediction=[1e308, float("inf"), float("-inf")])) == 3


def test_expected_ratings() -> None:
    reviews = read(expected=["2.5", None, " 1", "3"])
    assert reviews.expected is not None
    assert as_lists(reviews.expected[:, None]) == [[2.5], [None], [1], [3]]
    assert not reviews.has_prediction.any()
    assert reviews.has_forecast.tolist() == [True, False, True, True]
    assert "expected is read as a rating between 1 (a) and 3 (c)" in reviews.notes
    assert (
        "3 expected ratings for the method venue only: other methods need predictions for all levels" in reviews.notes
    )
    assert not any("the table has no predictions" in note for note in reviews.notes)
    assert read(p_a=[0.5], p_b=[0.5], p_c=[0]).expected is None
    other = Reviews.from_table({"paper": ["A"], "rating": ["a"], "expected": [-3]}, ABC, values=(-4, 0, 4))
    assert other.expected is not None
    assert other.expected.tolist() == [-3]


def test_problems_of_expected_ratings() -> None:
    remedy = "correct it, leave the cell empty, or rename the column if it is something else"
    assert problems_of(expected=["0.9", "3.5", "x", "2,5", "nan", "2"]) == [
        f"row 0, column expected: found 0.9, expected a rating between 1 (a) and 3 (c); {remedy}",
        f"row 1, column expected: found 3.5, expected a rating between 1 (a) and 3 (c); {remedy}",
        f'row 2, column expected: found "x", expected a rating between 1 (a) and 3 (c); {remedy}',
        (
            'row 3, column expected: found "2,5", expected a rating between 1 (a) and 3 (c); '
            "write a point instead of the comma"
        ),
        f'row 4, column expected: found "nan", expected a rating between 1 (a) and 3 (c); {remedy}',
    ]
    assert problems_of(Scale.preset("1-5"), expected=[float("inf"), 7]) == [
        f"row 0, column expected: found inf, expected a rating between 1 and 5; {remedy}",
        f"row 1, column expected: found 7, expected a rating between 1 and 5; {remedy}",
    ]


def test_expected_ratings_on_levels_that_stand_for_other_numbers() -> None:
    assert problems_of(Scale.parse("0..3"), expected=[2]) == [
        (
            "column expected: found expected ratings on the levels 0 ... 3, which stand for 1 ... 4, expected numbers with "
            "one meaning; add --values=0,1,2,3, or give other values and use their numbers"
        )
    ]
    meant = read(Scale.parse("0..3", "0,1,2,3"), expected=[2])
    assert "expected is read as a rating between 0 and 3" in meant.notes
    best_first = read(Scale(["3", "2", "1"]), expected=[2.5])
    assert "expected is read as a rating between 1 (3) and 3 (1)" in best_first.notes


def test_expected_rating_of_two_levels_is_a_complete_prediction() -> None:
    reviews = read(BINARY, expected=[0.9, None, 1])
    assert as_lists(reviews.predictions) == [[0.1, 0.9], [None, None], [0, 1]]
    assert reviews.has_prediction.tolist() == [True, False, True]
    assert "2 expected ratings turned into shares of the two levels" in reviews.notes
    assert not any("venue only" in note for note in reviews.notes)
    shifted = read(Scale(["low", "high"], (1, 3)), expected=[1.6, 2.2, 1 + 2 / 3])
    assert as_lists(shifted.predictions[:2]) == [[0.7, 0.3], [0.4, 0.6]]
    np.testing.assert_allclose(shifted.predictions[2], [2 / 3, 1 / 3], rtol=1e-14)


def test_complete_shares_win_over_an_expected_rating() -> None:
    reviews = read(p_a=[0.2] * 4, p_b=[0.3] * 4, p_c=[0.5] * 4, expected=[2.3, 2.34, 2.35, None])
    assert reviews.expected is not None
    assert np.isnan(reviews.expected).all()
    assert reviews.has_prediction.all()
    assert "2 expected ratings beside predictions for all levels, which say more, unused" in reviews.notes
    assert (
        "1 expected rating at odds with the shares of the same row (by more than 2% of the scale), unused: "
        "the shares count" in reviews.notes
    )
    two = read(BINARY, p_accept=[0.5], p_reject=[0.5], expected=[0.9])
    assert as_lists(two.predictions) == [[0.5, 0.5]]
    assert any(note.startswith("1 expected rating at odds") for note in two.notes)


def test_an_expected_rating_beside_some_shares_is_kept_where_both_can_be_true() -> None:
    """Half of the others at c: the mean is between 2 (all the rest at a) and 2.5 (all the rest at b)."""
    reviews = read(p_c=[0.5] * 5, expected=[1.9, 2, 2.2, 2.53, 2.6])
    assert reviews.expected is not None
    assert as_lists(reviews.expected[:, None]) == [[None], [2], [2.2], [2.53], [None]]
    assert any(note.startswith("2 expected ratings at odds with the shares") for note in reviews.notes)
    assert reviews.has_forecast.all()


SHARES = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(sum)


@given(SHARES, st.lists(st.booleans(), min_size=4, max_size=4))
def test_a_true_expected_rating_never_contradicts_its_shares(counts: list[int], hidden: list[bool]) -> None:
    shares = [count / sum(counts) for count in counts]
    levels = Scale(["a", "b", "c", "d"], (-2, -1, 1, 2))
    mean = float(np.dot(shares, levels.values))
    columns: dict[str, list[float | None]] = {
        f"p_{level}": [None if hide else share]
        for level, share, hide in zip(levels.levels, shares, hidden, strict=True)
    }
    reviews = read(levels, **columns, expected=[mean])
    assert not any("at odds" in note for note in reviews.notes)
    assert reviews.has_forecast.all()


def test_the_papers_methods_use_complete_predictions_only() -> None:
    table = {
        "paper": ["A", "A", "A", "A", "B", "B", "B"],
        "rating": ["a", "b", "c", "c", "a", "b", "c"],
        "p_a": [0.6, 0.2, 0.1, None, 0.6, 0.2, 0.1],
        "p_b": [0.3, 0.5, 0.2, None, 0.3, 0.5, 0.2],
        "p_c": [0.1, 0.3, 0.7, 0.2, 0.1, 0.3, 0.7],
    }
    matrices = build_matrices(Reviews.from_table(table))
    assert matrices.counts.tolist() == [[1, 1, 2], [1, 1, 1]]
    assert matrices.predicted.tolist() == [[1, 1, 1], [1, 1, 1]]
    np.testing.assert_array_equal(matrices.P[0], matrices.P[1])
    emptied = {**table, "p_c": [0.1, 0.3, 0.7, None, 0.1, 0.3, 0.7]}
    for method in ("surprisal", "sp"):
        partly, without = (calibrate(Reviews.from_table(each), method) for each in (table, emptied))
        assert partly.table.equals(without.table)
        assert "missing_predictions" in partly.table.filter(pl.col("paper") == "A")["flags"][0]


def test_partial_forecasts_from_every_kind_of_file(tmp_path: Path) -> None:
    csv = tmp_path / "reviews.csv"
    csv.write_text("paper,rating,p_c,expected,track\nA,a,0.5,2.2,1\nA,b,,,1\nB,c,,3,\n")
    lines = tmp_path / "reviews.jsonl"
    lines.write_text(
        '{"paper": "A", "rating": "a", "p_c": 0.5, "expected": 2.2, "track": 1}\n'
        '{"paper": "A", "rating": "b", "track": "1"}\n{"paper": "B", "rating": "c", "expected": 3}\n'
    )
    parquet = tmp_path / "reviews.parquet"
    pl.read_csv(csv).write_parquet(parquet)
    for path in (csv, lines, parquet):
        reviews = read_reviews(path, ABC)
        assert as_lists(reviews.predictions) == [[None, None, 0.5], [None] * 3, [None] * 3]
        assert reviews.expected is not None
        assert as_lists(reviews.expected[:, None]) == [[2.2], [None], [3]]
        assert reviews.track is not None
        assert reviews.track.to_list() == ["1", "(none)"]


@pytest.mark.parametrize("cells", [[[1], [2]], [b"\xff", b"\x00"]], ids=["lists", "bytes"])
@pytest.mark.parametrize("column", ["expected", "p_5"])
def test_cells_that_are_no_cells_are_problems(column: str, cells: list[object]) -> None:
    table = pl.DataFrame({"paper": ["A", "A"], "rating": [1, 2], column: cells})
    with pytest.raises(ReviewProblems) as caught:
        Reviews.from_table(table, Scale(range(1, 6)))
    whole_column = column == "p_5" and isinstance(cells[0], list)
    assert [problem.column for problem in caught.value.problems] == [column] * (1 if whole_column else 2)
