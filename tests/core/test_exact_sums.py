"""Predictions are summed as the decimals they are; the sign of the determinant does not depend on rounding."""

from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.core.determinant import determinants, integer_determinant, mean_predictions
from surpeer.core.fixed_point import decimal_complement, nearest_decimal, sum_by_cell, to_parts


@given(st.lists(st.integers(0, 10**8), min_size=1, max_size=30))
def test_decimals_of_eight_places_are_exact(units: list[int]) -> None:
    sums = sum_by_cell(np.array([[unit / 10**8] for unit in units]), np.zeros(len(units), dtype=np.int64), (1,))
    assert len(sums.parts) == 1
    assert sums.parts[0].item() == sum(units)
    assert sums.exact.all()


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=30))
def test_decimals_of_fifteen_places_are_exact(units: list[int]) -> None:
    sums = sum_by_cell(np.array([[unit / 10**15] for unit in units]), np.zeros(len(units), dtype=np.int64), (1,))
    assert Fraction(sums.to_integers().item(), sums.denominator) == Fraction(sum(units), 10**15)
    assert sums.exact.all()


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=30), st.randoms())
def test_any_floats_sum_alike_in_any_order_and_to_the_last_bit(fractions: list[float], random: object) -> None:
    shuffled = fractions[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    cells = np.zeros(len(fractions), dtype=np.int64)
    one, other = (sum_by_cell(np.array([[x] for x in order]), cells, (1,)) for order in (fractions, shuffled))
    assert one.to_integers().item() == other.to_integers().item()
    exact = sum(Fraction(x) for x in fractions)
    assert abs(Fraction(one.to_integers().item(), one.denominator) - exact) <= exact * Fraction(2, 2**53)
    assert one.to_float().item() / 10**8 == pytest.approx(float(exact), rel=1e-15)


def test_a_computed_forecast_is_inexact_and_says_so() -> None:
    parts, inexact = to_parts(np.array([[0.25], [1 / 3]]))
    assert len(parts) == 3
    assert inexact is not None
    assert inexact.tolist() == [[False], [True]]


def test_large_counts_do_not_leave_the_exact_range() -> None:
    many = np.full((200_000, 1), 0.999999999999999)
    sums = sum_by_cell(many, np.zeros(len(many), dtype=np.int64), (1,))
    assert Fraction(sums.to_integers().item(), sums.denominator) == Fraction(200_000 * (10**15 - 1), 10**15)


def test_many_computed_forecasts_do_not_leave_it_either() -> None:
    many = np.full((40_000, 1), 1 / 3)
    sums = sum_by_cell(many, np.zeros(len(many), dtype=np.int64), (1,))
    single = sum_by_cell(many[:1], np.zeros(1, dtype=np.int64), (1,))
    assert sums.to_integers().item() == 40_000 * single.to_integers().item()


@given(st.integers(0, 10**6))
def test_percentages_become_the_nearest_fraction(units: int) -> None:
    percent = units / 10**4
    assert nearest_decimal(np.array([percent]), 100).item() == units / 10**6
    assert decimal_complement(np.array([units / 10**6])).item() == (10**6 - units) / 10**6


def determinant_of(rows: list[list[list[float]]]) -> tuple[int, float]:
    """Sign and logarithm for one paper, from the predictions of those who gave each level."""
    levels = len(rows)
    flat = np.array([prediction for given_by in rows for prediction in given_by])
    rating = np.repeat(np.arange(levels), [len(given_by) for given_by in rows])
    sums = sum_by_cell(flat, rating, (1, levels))
    predicted = np.array([[len(given_by) for given_by in rows]])
    P = mean_predictions(sums, predicted)
    found = determinants(P, sums, predicted)
    return int(found.sign[0]), float(found.logarithm[0])


def test_floats_would_decide_wrongly_and_whole_numbers_do_not() -> None:
    in_floats = np.mean([0.1, 0.2, 0.3])
    assert in_floats > 0.2  # so P11 - P01 looks positive
    accepts = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]]
    assert determinant_of([[[0.8, 0.2]], accepts]) == (0, pytest.approx(np.nan, nan_ok=True))


def test_a_difference_in_the_last_bit_of_computed_forecasts_is_no_difference() -> None:
    thirds = [[2 / 3, 1 / 3], [1 / 3, 2 / 3]]
    assert determinant_of([thirds, [[0.5, 0.5]]])[0] == 0
    assert determinant_of([[[0.5, 0.5]], thirds])[0] == 0


@given(st.integers(2, 6), st.data())
def test_sign_and_size_in_percent_are_those_of_fractions(levels: int, data: st.DataObject) -> None:
    percents = data.draw(
        st.lists(st.lists(st.integers(0, 4), min_size=levels, max_size=levels), min_size=levels, max_size=levels)
    )
    rows = [[[25 * cell / 100 for cell in row]] for row in percents]
    exact = oracle.determinant([[Fraction(cell, 4) for cell in row] for row in percents])
    sign, logarithm = determinant_of(rows)
    assert sign == (exact > 0) - (exact < 0)
    if exact > 0:
        assert logarithm == pytest.approx(float(np.log(float(exact))), abs=1e-12)


@given(st.integers(1, 6), st.data())
def test_integer_determinant_is_leibniz(size: int, data: st.DataObject) -> None:
    matrix = data.draw(
        st.lists(st.lists(st.integers(-9, 9), min_size=size, max_size=size), min_size=size, max_size=size)
    )
    expected = oracle.determinant([[Fraction(cell) for cell in row] for row in matrix])
    assert integer_determinant(np.array(matrix, dtype=object)) == expected
