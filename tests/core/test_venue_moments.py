"""The sums by paper from which the venue method learns: exact, additive, and enough."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_venue import Venue, mixed, simulate

from surpeer.core.fixed_point import FixedPointSums, sum_by_cell
from surpeer.core.venue import Moments, moments_of_reviews, together
from surpeer.core.venue.basis import FINE_SCALE, View, coordinates_of
from surpeer.core.venue.completion import complete_forecasts, typical_forecasts_of_sums
from surpeer.core.venue.moments import PRODUCT_UNIT, in_coordinates, start_of

NAN = math.nan
seldom = settings(derandomize=True, deadline=None, max_examples=25)


def in_percent(levels: int, papers: int, seed: int) -> Venue:
    """Forecasts in whole percents: whole, partial, expected or missing in turn."""
    rng = np.random.default_rng(seed)
    venue = simulate(rng, [1.0] * levels, mixed(rng, papers, 1, 5))
    prior = venue.shares / venue.shares.sum(axis=1, keepdims=True)
    shares = np.array(
        [rng.multinomial(100, row) / 100 for row in np.maximum(prior, 0) / np.maximum(prior, 0).sum(1)[:, None]]
    )
    expected = np.full(len(shares), NAN)
    kind = rng.integers(0, 5, len(shares))
    expected[kind == 1] = (shares @ venue.values)[kind == 1]
    shares[kind == 1] = NAN
    shares[kind == 2, 1:] = NAN
    shares[kind == 3] = NAN
    return replace(venue, shares=shares, expected=expected)


def assert_same(one: Moments, other: Moments) -> None:
    """To the last bit."""
    for name in ("counts", "forecasts", "sums", "products"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


# What they are


def test_sums_by_hand() -> None:
    """Paper 1 has no forecast, paper 2 one, paper 3 no review that says anything."""
    shares = np.array([[0.1, 0.9], [0.3, 0.7], [NAN, NAN], [0.25, 0.75], [NAN, NAN]])
    paper, rating = np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 1, 0])
    counts = np.array([[1, 1], [0, 1], [0, 1], [1, 0]])
    moments = moments_of_reviews(counts, paper, rating, shares, np.full(5, NAN), np.array([0.0, 1.0]))
    assert moments.forecasts.tolist() == [[1, 1], [0, 0], [0, 1], [0, 0]]
    assert moments.size.tolist() == [2, 0, 1, 0]
    assert moments.present.tolist() == [True, False, True, False]
    assert moments.sums.tolist() == [
        [[0.1, 0.9], [0.3, 0.7]],
        [[0, 0], [0, 0]],
        [[0, 0], [0.25, 0.75]],
        [[0, 0], [0, 0]],
    ]
    assert moments.products is not None
    assert moments.products.tolist() == [[0.1, 0.3, 1.3], [0, 0, 0], [0.0625, 0.1875, 0.5625], [0, 0, 0]]


@pytest.mark.parametrize("levels", [2, 4, 25])
def test_sums_and_squares_of_any_function_follow(levels: int) -> None:
    """Against sums over rows, one by one, of partial forecasts too."""
    venue = in_percent(levels, 12, levels)
    moments, view = venue.moments, View.of(start_of(venue.counts), venue.values)
    complete = ~np.isnan(venue.shares).any(axis=1)
    by_rating = sum_by_cell(venue.shares[complete], venue.rating[complete], (levels,))
    typical = typical_forecasts_of_sums(by_rating, start_of(venue.counts))
    whole, usable = complete_forecasts(venue.shares, venue.expected, venue.rating, typical, venue.values)
    for at in range(view.basis.shape[1]):
        sums, squares = np.zeros((12, levels)), np.zeros(12)
        for row in np.flatnonzero(usable):
            said = whole[row] @ view.basis[:, at]
            sums[venue.paper[row], venue.rating[row]] += said
            squares[venue.paper[row]] += said**2
        np.testing.assert_allclose(moments.sums @ view.span[:, at], sums, atol=1e-9)
        np.testing.assert_allclose(moments.said_squares(view.span[:, at]), squares, atol=1e-9)


def test_sums_of_typed_percents_are_exact() -> None:
    """As the nearest float to the sum of fractions, not as a sum of floats."""
    shares = np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    three = np.zeros(3, dtype=np.int64)
    moments = moments_of_reviews(np.array([[3, 0]]), three, three, shares, np.full(3, NAN), np.arange(2.0))
    assert moments.sums[0, 0].tolist() == [float(Fraction(6, 10)), float(Fraction(24, 10))]
    assert moments.products is not None
    assert moments.products[0].tolist() == [0.14, 0.46, 1.94]


@pytest.mark.parametrize("levels", [FINE_SCALE, FINE_SCALE + 1, 101])
def test_fine_scales_are_added_up_in_a_few_coordinates(levels: int) -> None:
    values = np.cumsum(np.random.default_rng(levels).uniform(0.1, 2, levels))
    coordinates = coordinates_of(values)
    assert coordinates.shape == (levels, levels if levels <= FINE_SCALE else 10)
    for seed in range(3):
        q = np.random.default_rng(seed).dirichlet(np.full(levels, 2.0)) + 1e-4
        view = View.of(q / q.sum(), values)
        np.testing.assert_allclose(coordinates @ view.span, view.basis, atol=1e-8)


def test_coordinates_of_a_forecast_do_not_depend_on_those_beside_it() -> None:
    values = np.arange(50.0)
    shares = np.random.default_rng(1).dirichlet(np.ones(50), 40)
    together_ = in_coordinates(shares, values)
    for rows in ([3], [3, 4], [39, 3, 0], list(range(39, -1, -1))):
        np.testing.assert_array_equal(in_coordinates(shares[rows], values), together_[:, rows])


# Order and parts


@seldom
@given(st.sampled_from([2, 3, 5, 30]), st.integers(0, 10_000))
def test_order_of_rows_changes_no_bit(levels: int, seed: int) -> None:
    venue = in_percent(levels, 8, seed)
    order = np.random.default_rng(seed).permutation(len(venue.paper))
    assert_same(venue.moments, venue.in_order(order).moments)


@seldom
@given(st.integers(0, 10_000))
def test_whole_numbers_can_be_added_up_in_parts(seed: int) -> None:
    """Half of the rows and the other half, added up in whole numbers as an engine does, are all rows."""
    rng = np.random.default_rng(seed)
    venue = simulate(rng, [1.0] * 3, mixed(rng, 6))
    venue = venue.saying(np.round(venue.shares, 2))
    half = rng.random(len(venue.paper)) < 0.5
    sums, products, counts = [], [], []
    for rows in (half, ~half):
        cells = venue.paper[rows] * 3 + venue.rating[rows]
        sums.append(sum_by_cell(venue.shares[rows], cells, (6, 3)).parts[0])
        counts.append(np.bincount(cells, minlength=18).reshape(6, 3))
        pairs = [venue.shares[rows, j] * venue.shares[rows, k] for j, k in zip(*np.triu_indices(3), strict=True)]
        whole = np.floor(np.array(pairs).T * PRODUCT_UNIT + 0.5).astype(np.int64)
        part = np.zeros((6, 6), dtype=np.int64)
        np.add.at(part, venue.paper[rows], whole)
        products.append(part)
    complete = FixedPointSums((sums[0] + sums[1],), np.ones(6, dtype=np.bool_))
    added = counts[0] + counts[1]
    assert_same(Moments.of_sums(added, added, complete, None, products[0] + products[1]), venue.moments)


def test_papers_can_be_taken_and_put_together() -> None:
    moments = in_percent(3, 20, 5).moments
    parts = [moments.take(papers) for papers in np.split(np.arange(20), [3, 11])]
    assert [len(part) for part in parts] == [3, 8, 9]
    assert_same(together(parts), moments)
    unknown = together([replace(parts[0], products=None), parts[1]])
    assert unknown.products is None
    with pytest.raises(ValueError, match="can be judged, not learned from"):
        unknown.said_squares(np.ones(3))


def test_a_paper_with_very_many_forecasts_is_added_up_exactly() -> None:
    """Beyond the range in which floats are whole numbers: 20,000 products near 1."""
    rows = 20_000
    shares = np.tile([1e-6, 1 - 1e-6], (rows, 1))
    none = np.zeros(rows, dtype=np.int64)
    moments = moments_of_reviews(np.array([[rows, 0]]), none, none, shares, np.full(rows, NAN), np.arange(2.0))
    assert moments.products is not None
    assert moments.products[0].tolist() == [2e-8, 0.01999998, 19999.96000002]


def test_products_are_added_up_in_one_order_however_they_lie_in_memory() -> None:
    """Numpy adds up along memory: the library and files have them in different orders."""
    rng = np.random.default_rng(2)
    papers, levels = 60_000, 5
    counts = np.ones((papers, levels), dtype=np.int64)
    products = rng.integers(0, PRODUCT_UNIT, (papers, levels * (levels + 1) // 2))
    completed = np.zeros((papers, levels, levels), dtype=np.int64)
    one, other = (
        Moments.of_sums(counts, counts, None, completed, np.asarray(products, order=order)).product_sums()
        for order in ("C", "F")
    )
    assert np.array_equal(one, other)
