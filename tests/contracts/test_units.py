"""Whether predictions are fractions, percentages or counts: what the unit auto makes of them, and normalising."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale
from surpeer.reviews import Reviews

FRACTIONS = "0.1 0.2 0.5 0.2"
PERCENT = "10 20 50 20"
SHARES = [0.1, 0.2, 0.5, 0.2]
SPAN = "column p_1 ... p_4"


def read(*rows: str, unit: str = "auto", size: int = 4, **how: object) -> Reviews:
    """The reviews of these rows of cells, `_` for an empty one."""
    levels = [str(level) for level in range(1, size + 1)]
    cells = [[None if cell == "_" else cell for cell in row.split()] for row in rows]
    columns = {f"p_{level}": pl.Series([row[at] for row in cells], dtype=pl.String) for at, level in enumerate(levels)}
    table = {"paper": list(range(len(rows))), "rating": ["1"] * len(rows), **columns}
    return Reviews.from_table(table, Scale(levels), unit=unit, first_row=2, **how)  # type: ignore[arg-type]


def notes(reviews: Reviews) -> list[str]:
    return [note for note in reviews.notes if "prediction" in note]


def problems(*rows: str, **how: object) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        read(*rows, **how)  # type: ignore[arg-type]
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("times", [1, 5])
def test_fractions_and_percentages_are_told_by_their_sums(times: int) -> None:
    fractions = read(*[FRACTIONS] * times)
    assert fractions.predictions.tolist() == [SHARES] * times
    assert notes(fractions) == ["predictions are read as fractions"]
    percentages = read(*[PERCENT] * times)
    assert percentages.predictions.tolist() == [SHARES] * times
    assert notes(percentages) == ["predictions are read as percentages"]


def test_a_mixture_is_counted() -> None:
    reviews = read(PERCENT, FRACTIONS, PERCENT, "10% 20% 50% 20%", "10 20 50 20%")
    assert reviews.predictions.tolist() == [SHARES] * 5
    assert notes(reviews) == ["4 predictions read as percentages and 1 as fractions, by their sums"]


@given(st.integers(2, 2000).filter(lambda total: not 90 <= total <= 110), st.integers(2, 5), st.randoms())
def test_counts_of_the_same_number_of_reviewers(total: int, rows: int, random: object) -> None:
    cells = []
    for _ in range(rows):
        cuts = sorted(random.randint(0, total) for _ in range(3))  # type: ignore[attr-defined]
        cells.append([cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], total - cuts[2]])
    texts = [" ".join(map(str, row)) for row in cells]
    reviews = read(*texts)
    np.testing.assert_array_equal(reviews.predictions, read(*texts, unit="count").predictions)
    assert notes(reviews) == [
        f"predictions are read as counts of {total} imagined reviewers, because most sum to {total}"
    ]


def test_a_slip_among_counts_is_reported_with_its_row() -> None:
    assert problems("1 2 5 2", "0 0 10 0", "1 2 5 1", "3 3 3 1", "1 1 1 1") == [
        (
            f"row 4, {SPAN}: found predictions that sum to 9, expected 10, as most others do; "
            "correct them, or add --normalise, which scales what is up to 10% off"
        ),
        (
            f"row 6, {SPAN}: found predictions that sum to 4, expected 10, as most others do; "
            "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
    ]
    scaled = read("1 2 5 2", "0 0 10 0", "1 2 5 1", normalise=True)
    np.testing.assert_array_equal(scaled.predictions[2], np.array([1, 2, 5, 1]) / 9)


def test_counts_that_are_left_out() -> None:
    reviews = read("1 2 5 2", "0 0 10 0", "_ _ 10 _", "1 3 5 _", "_ _ 5 _", "_ _ _ _")
    assert reviews.predictions[2].tolist() == [0, 0, 1, 0]
    assert reviews.predictions[3].tolist() == [0.1, 0.3, 0.5, 0.1]
    assert reviews.predictions[4, 2] == 0.5
    assert np.isnan(reviews.predictions[4, [0, 1, 3]]).all()
    assert np.isnan(reviews.predictions[5]).all()


def test_percentages_among_counts() -> None:
    reviews = read("1 2 5 2", "0 0 10 0", "2 2 3 3", PERCENT.replace(" ", "% ") + "%")
    assert reviews.predictions[3].tolist() == SHARES
    without_signs = read("1 2 5 2", "0 0 10 0", "2 2 3 3", PERCENT, "0.1 0.2 0.5 0.2")
    assert without_signs.predictions[3].tolist() == without_signs.predictions[4].tolist() == SHARES


def test_one_review_is_never_a_count() -> None:
    assert problems("1 2 5 2") == [
        (
            f"row 2, {SPAN}: found predictions that sum to 10, expected 1 or 100; "
            "correct them, or use --unit count if they are numbers of imagined reviewers"
        )
    ]
    assert read("1 2 5 2", unit="count").predictions.tolist() == [SHARES]


@pytest.mark.parametrize("slip", ["10 20 50 25", "10 20 50 10"])
def test_the_same_slip_near_100_twice_is_no_count(slip: str) -> None:
    assert len(problems(slip, slip)) == 2


@pytest.mark.parametrize(
    ("slip", "total", "remedy"),
    [
        ("10 20 50 15", "95", "or add --normalise, which scales what is up to 10% off"),
        ("10 20 50 10", "90", "or add --normalise, which scales what is up to 10% off"),
        ("10 20 50 30", "110", "or add --normalise, which scales what is up to 10% off"),
        ("10 20 50 9.9", "89.9", "leave all empty, or add --drop-bad-predictions to count ratings alone"),
        ("10 20 50 0", "80", "leave all empty, or add --drop-bad-predictions to count ratings alone"),
        ("1 2 5 2", "10", "leave all empty, or add --drop-bad-predictions to count ratings alone"),
        ("0.1 0.2 0.5 0.1", "0.9", "or add --normalise, which scales what is up to 10% off"),
        ("0 0 0 0", "0", "leave all empty, or add --drop-bad-predictions to count ratings alone"),
    ],
)
@pytest.mark.parametrize("others", [[PERCENT] * 20, [FRACTIONS] * 20])
def test_one_slip_among_many_is_reported_and_no_count(slip: str, total: str, remedy: str, others: list[str]) -> None:
    expected = f"row 7, {SPAN}: found predictions that sum to {total}, expected 1 or 100; correct them, {remedy}"
    assert problems(*others[:5], slip, *others[5:]) == [expected]


def test_fractions_with_per_cent_signs() -> None:
    assert problems("0.1% 0.2% 0.5% 0.2%", PERCENT) == [
        (
            f"row 2, {SPAN}: found predictions that sum to 1, expected 100, because of the % signs; "
            "leave the % signs out if they are fractions"
        )
    ]


def test_partial_rows_are_read_as_most_others() -> None:
    percent = read(PERCENT, "_ 30 _ 40", "10 20 30 _", "_ _ 100 _")
    assert percent.predictions[1, [1, 3]].tolist() == [0.3, 0.4]
    assert percent.predictions[2].tolist() == [0.1, 0.2, 0.3, 0.4]
    assert percent.predictions[3].tolist() == [0, 0, 1, 0]
    fractions = read(FRACTIONS, "_ 0.3 _ 0.4", "0.1 0.2 0.3 _", "_ _ 1 _")
    np.testing.assert_array_equal(fractions.predictions[1:], percent.predictions[1:])
    np.testing.assert_array_equal(read("_ 30 _ 40").predictions[0, [1, 3]], [0.3, 0.4])
    np.testing.assert_array_equal(read("_ 0.3 _ 0.4").predictions[0, [1, 3]], [0.3, 0.4])
    np.testing.assert_array_equal(read(FRACTIONS, "_ 30% _ 40%").predictions[1, [1, 3]], [0.3, 0.4])
    assert problems(PERCENT, "_ 70 _ 40") == [
        (
            f"row 3, {SPAN}: found predictions that sum to 110 with some levels left empty, expected at most 100; "
            "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        )
    ]


def top(*cells: str | None, unit: str = "auto", size: int = 2) -> Reviews:
    levels = [str(level) for level in range(1, size + 1)]
    table = {"paper": list(range(len(cells))), "rating": ["1"] * len(cells), "prediction": list(cells)}
    return Reviews.from_table(table, Scale(levels), unit=unit)


def test_the_share_of_the_higher_of_two_levels() -> None:
    assert top("70", "25", None).predictions[:2].tolist() == [[0.3, 0.7], [0.75, 0.25]]
    assert top("0.7", "1", "0").predictions.tolist() == [[0.3, 0.7], [0.0, 1.0], [1.0, 0.0]]
    assert top("70%", "0.5%").predictions.tolist() == [[0.3, 0.7], [0.995, 0.005]]
    assert top("1", "2").predictions.tolist() == [[0.99, 0.01], [0.98, 0.02]]
    assert top("70", "25", size=3).predictions[:, 2].tolist() == [0.7, 0.25]
    with pytest.raises(ReviewProblems, match="row 1, column prediction: found 170, expected at most 100; correct it$"):
        top("70", "170")
    for unit, text in (("percent", "70"), ("fraction", "0.7")):
        assert top(text, unit=unit).predictions.tolist() == [[0.3, 0.7]]


@pytest.mark.parametrize(
    ("row", "sum_"), [("10 20 50 10", 90), ("10 20 50 30", 110), ("0.1 0.2 0.5 0.1", 0.9), ("12 22 52 22", 108)]
)
def test_normalising_scales_what_is_nearly_right(row: str, sum_: float) -> None:
    reviews = read(PERCENT, row, FRACTIONS, normalise=True)
    cells = np.array([float(cell) for cell in row.split()])
    np.testing.assert_array_equal(reviews.predictions[1], cells / cells.sum())
    assert reviews.predictions[[0, 2]].tolist() == [SHARES, SHARES]
    scaled = f"1 prediction summing to {sum_:g} scaled to the whole, as asked (--normalise: up to 10% off)"
    assert scaled in reviews.notes


def test_normalising_does_not_scale_what_is_far_off() -> None:
    assert problems(PERCENT, "10 20 50 10", "10 20 50 5", "1 2 5 2", normalise=True) == [
        (
            f"row 4, {SPAN}: found predictions that sum to 85, expected 1 or 100; "
            "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
        (
            f"row 5, {SPAN}: found predictions that sum to 10, expected 1 or 100; "
            "correct them, leave all empty, or add --drop-bad-predictions to count ratings alone"
        ),
    ]


def test_normalising_leaves_rounded_sums_as_they_are() -> None:
    rounded = read("33.3 33.3 33.3 0", PERCENT, normalise=True)
    assert rounded.predictions[0].tolist() == [0.333, 0.333, 0.333, 0.0]
    assert "1 prediction summing to 99.9 taken as written" in rounded.notes


@pytest.mark.parametrize(("unit", "factor"), [("fraction", 1), ("percent", 100)])
def test_normalising_with_a_given_unit(unit: str, factor: int) -> None:
    row = " ".join(f"{factor * share:g}" for share in (0.1, 0.2, 0.5, 0.1))
    np.testing.assert_allclose(read(row, unit=unit, normalise=True).predictions, [np.array([1, 2, 5, 1]) / 9])
    assert len(problems(row, unit=unit)) == 1


@given(st.lists(st.lists(st.integers(0, 20), min_size=4, max_size=4), min_size=1, max_size=6), st.booleans())
def test_what_is_read_sums_to_one_and_what_does_not_is_reported(rows: list[list[int]], normalise: bool) -> None:
    cells = 5.0 * np.array(rows)
    sums = cells.sum(axis=1)
    totals, times = np.unique(sums, return_counts=True)
    usual = totals[times.argmax()] if 2 <= times.max() > len(sums) / 2 else 0
    usual = usual if usual >= 2 and not 90 <= usual <= 110 else 100
    whole = np.where(sums == 100, 100, usual)
    off = np.abs(sums / whole - 1)
    wrong = off > (0.1 + 1e-9 if normalise else 0)
    if wrong.any():
        with pytest.raises(ReviewProblems) as caught:
            read(*(" ".join(f"{cell:g}" for cell in row) for row in cells), normalise=normalise)
        assert [problem.row for problem in caught.value.problems] == [2 + int(at) for at in np.flatnonzero(wrong)]
    else:
        reviews = read(*(" ".join(f"{cell:g}" for cell in row) for row in cells), normalise=normalise)
        np.testing.assert_allclose(reviews.predictions, cells / sums[:, None])


def test_an_unknown_unit() -> None:
    with pytest.raises(ValueError, match='^unknown unit "percents"; did you mean "percent"'):
        read(PERCENT, unit="percents")


def test_given_units_are_no_guesses() -> None:
    assert read("0.5 0.2 0.2 0.1", unit="fraction").notes == read(FRACTIONS, unit="fraction").notes
    assert problems(PERCENT, unit="fraction")[0] == (
        "row 2, column p_1: found 10, expected a fraction between 0 and 1; "
        "use --unit percent or --unit count if that is what predictions are"
    )
    assert problems(FRACTIONS, unit="percent") == [
        (
            f"row 2, {SPAN}: found predictions that sum to 1, expected 100; "
            "use --unit fraction if predictions are fractions"
        )
    ]
    assert read("10% 20% 50% 20", unit="percent").predictions.tolist() == [SHARES]
    assert read("3 3 3 1", "1 0 0 0", unit="count").predictions.tolist() == [[0.3, 0.3, 0.3, 0.1], [1, 0, 0, 0]]


def test_bad_predictions_are_left_out_if_that_is_asked_for() -> None:
    rows = (PERCENT, "10 20 50 x", "10 20 50 10", "10 20 50 95", "_ _ _ _")
    reviews = read(*rows, drop_bad_predictions=True)
    assert reviews.has_forecast.tolist() == [True, False, False, False, False]
    assert "3 predictions that cannot be used left out, as asked: rows 3, 4, 5" in reviews.notes
    scaled = read(*rows, drop_bad_predictions=True, normalise=True)
    assert scaled.has_forecast.tolist() == [True, False, True, False, False]
    assert len(problems(*rows)) == 3
