"""All that the venue method needs to know of each paper's reviews: a few sums, whatever their number and order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from surpeer.core.fixed_point import COARSE, EXACT_FLOAT, FixedPointSums, sum_by_cell
from surpeer.core.shapes import BoolArray, FloatArray, IntArray, at_every_level, level_sums, paper_sums
from surpeer.core.venue.basis import FINE_SCALE, coordinates_of
from surpeer.core.venue.completion import complete_forecasts, typical_forecasts_of_sums
from surpeer.errors import ArrayError, InputError

Number = TypeVar("Number", np.float64, np.int64)

ROWS = 1 << 14  # of a fine scale at a time

PRODUCT_UNIT = 10**12
"""Sums of products, and of forecasts that were not typed as they are, are kept in whole numbers of this part of one."""


MOST_FORECASTS = 9_000_000
"""Of one paper: more products could leave the whole numbers of 64 bits."""


@cache
def upper_triangle(size: int) -> tuple[IntArray, IntArray]:
    """As np.triu_indices, which takes longer than what is done with them."""
    one, two = np.triu_indices(size)
    return one, two


def in_units(numbers: FloatArray) -> FloatArray:
    """Rounded to whole numbers of 1 / PRODUCT_UNIT (as floats; they are far inside the range where those are exact)."""
    units = numbers * PRODUCT_UNIT
    units += 0.5
    return np.floor(units, out=units)


@dataclass(frozen=True)
class Moments:
    """Sums over the reviews of N papers on K levels. A forecast m is added up in D coordinates (`coordinates_of`)."""

    counts: IntArray
    """(N, K) ratings."""
    forecasts: IntArray
    """(N, K) forecasts, by the level that the reviewer gave."""
    sums: FloatArray
    """(N, K, D) sums of forecasts, by the level that the reviewer gave."""
    products: FloatArray | None
    """(N, D (D + 1) / 2) sums over forecasts of m_j m_k, j <= k in the order of `np.triu_indices(D)`. Only learning
    needs them: None is good enough for papers that are judged."""

    @classmethod
    def of_sums(
        cls,
        counts: IntArray,
        forecasts: IntArray,
        complete: FixedPointSums | None,
        completed: IntArray | None,
        products: IntArray | None,
    ) -> "Moments":
        """From whole numbers, which can be added up in any order.

        complete : (N, K, D) of forecasts that were given completely; None on fine scales
        completed : (N, K, D) in units of 1 / PRODUCT_UNIT, of all others; None if there are none
        products : in units of 1 / PRODUCT_UNIT
        """
        if level_sums(forecasts).max(initial=0) > MOST_FORECASTS:
            raise InputError(
                f"found a paper with more than {MOST_FORECASTS:,} predictions, which the method venue cannot add up "
                "exactly; leave some out, or use another method"
            )
        parts = [] if complete is None else [complete.to_float() / COARSE]
        if completed is not None:
            parts.append(completed / PRODUCT_UNIT)
        sums = parts[0] if len(parts) == 1 else parts[0] + parts[1]
        if products is not None:
            # In one order of memory, whoever made them: sums over papers are then added up in one order.
            products = np.ascontiguousarray(products)
        return cls(counts, forecasts, sums, None if products is None else products / PRODUCT_UNIT)

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def size(self) -> IntArray:
        """(N,) forecasts of each paper."""
        return level_sums(self.forecasts)

    @cached_property
    def present(self) -> BoolArray:
        """(N,) papers with a forecast."""
        return self.size > 0

    def take(self, papers: IntArray | BoolArray | slice) -> "Moments":
        """Some of the papers."""
        products = None if self.products is None else self.products[papers]
        return Moments(self.counts[papers], self.forecasts[papers], self.sums[papers], products)

    def said_squares(self, function: FloatArray) -> FloatArray:
        """(N,) sums over forecasts of (m @ function)^2; function : (D,)"""
        one, two = upper_triangle(len(function))
        return np.asarray(self._known_products() @ (function[one] * function[two] * np.where(one == two, 1.0, 2.0)))

    def product_sums(self) -> FloatArray:
        """(D, D) sums over the forecasts of all papers of m m'."""
        size = self.sums.shape[2]
        total = np.zeros((size, size))
        one, two = upper_triangle(size)
        total[one, two] = total[two, one] = paper_sums(self._known_products())
        return total

    def _known_products(self) -> FloatArray:
        if self.products is None:
            raise ValueError("papers without products of their forecasts can be judged, not learned from")
        return self.products


def together(parts: Sequence[Moments]) -> Moments:
    """The papers of all parts, one after the other."""
    products = [part.products for part in parts if part.products is not None]
    return Moments(
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.forecasts for part in parts]),
        np.concatenate([part.sums for part in parts]),
        np.concatenate(products) if len(products) == len(parts) else None,
    )


def moments_of_reviews(
    counts: IntArray, paper: IntArray, rating: IntArray, shares: FloatArray, expected: FloatArray, values: FloatArray
) -> Moments:
    """Add up R reviews of N papers on K levels. The order of the reviews does not matter at all.

    counts : (N, K) ratings of each paper, at least one
    paper, rating : (R,) of each review; shares : (R, K) forecasts, NaN where not given
    expected : (R,) expected ratings, NaN where not given; values : (K,) increasing
    """
    _check(counts, paper, rating, shares, expected, values)
    shares = np.asfortranarray(shares)  # one level after the other: most of what follows goes by level
    complete = at_every_level(~np.isnan(shares))
    if not complete.all():
        by_rating = sum_by_cell(shares[complete], rating[complete], (len(values),))
        typical = typical_forecasts_of_sums(by_rating, start_of(counts))
        shares, usable = complete_forecasts(shares, expected, rating, typical, values)
        if not usable.all():
            paper, rating, shares, complete = paper[usable], rating[usable], shares[usable], complete[usable]
    cells = paper * len(values) + rating
    forecasts = np.bincount(cells, minlength=counts.size).reshape(counts.shape)
    said, most = in_coordinates(shares, values), int(level_sums(forecasts).max(initial=0))
    fine = len(values) > FINE_SCALE
    in_full = np.zeros_like(complete) if fine else complete
    return Moments.of_sums(
        counts,
        forecasts,
        None if fine else sum_by_cell(_rows(shares, in_full), _rows(cells, in_full), counts.shape),
        None if in_full.all() else _sums_in_units(_rows(said.T, ~in_full).T, cells[~in_full], counts.shape, most),
        _products(said, paper, len(counts), most),
    )


def _rows(array: NDArray[Number], chosen: BoolArray) -> NDArray[Number]:
    return array if chosen.all() else array[chosen]


def start_of(counts: IntArray) -> FloatArray:
    """(K,) the venue's frequency of ratings; half a rating more of each, so that none is 0."""
    given = paper_sums(counts)
    return np.asarray((given + 0.5) / (given.sum() + 0.5 * len(given)))


def in_coordinates(shares: FloatArray, values: FloatArray) -> FloatArray:
    """(D, R) whole forecasts in the coordinates of `Moments`; each to the last bit the same, whatever is beside it."""
    if len(values) <= FINE_SCALE:
        return np.ascontiguousarray(shares.T)
    coordinates = coordinates_of(values)
    result = np.empty((coordinates.shape[1], len(shares)))
    for at in range(0, len(shares), ROWS):
        rows = np.zeros((len(values), min(ROWS, len(shares) - at) + 1))  # a single one would be added in another order
        rows[:, :-1] = shares[at : at + ROWS].T
        result[:, at : at + ROWS] = np.einsum("kr,kd->dr", rows, coordinates)[:, :-1]
    return result


def _sums_in_units(said: FloatArray, cells: IntArray, shape: tuple[int, ...], most: int) -> IntArray:
    """(N, K, D) in units. said : (D, R)"""
    result = np.empty((*shape, len(said)), dtype=np.int64)
    for at, row in enumerate(said):
        result[..., at] = _sum_whole(in_units(row), cells, int(np.prod(shape)), most).reshape(shape)
    return result


def _products(said: FloatArray, paper: IntArray, papers: int, most: int) -> IntArray:
    """(N, D (D + 1) / 2) in units. said : (D, R)"""
    pairs = zip(*upper_triangle(len(said)), strict=True)
    return np.stack([_sum_whole(in_units(said[j] * said[k]), paper, papers, most) for j, k in pairs]).T


def _sum_whole(numbers: FloatArray, cells: IntArray, size: int, most: int) -> IntArray:
    """Exact sums of whole numbers by cell, fast where no sum can leave the range in which floats are exact.

    most : numbers in one cell
    """
    if float(np.abs(numbers).max(initial=0.0)) * most < EXACT_FLOAT:
        return np.bincount(cells, weights=numbers, minlength=size).astype(np.int64)
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, cells, numbers.astype(np.int64))
    return sums


def _check(
    counts: IntArray, paper: IntArray, rating: IntArray, shares: FloatArray, expected: FloatArray, values: FloatArray
) -> None:
    """Shapes and ranges; what is written in a file of reviews is checked where it is read."""
    papers, signals, reviews = len(counts), len(values), len(paper)
    shapes = {
        "counts": (counts, (papers, signals)),
        "rating": (rating, (reviews,)),
        "shares": (shares, (reviews, signals)),
        "expected": (expected, (reviews,)),
    }
    for name, (array, shape) in shapes.items():
        if array.shape != shape:
            raise ArrayError(f"{name} has shape {array.shape}, expected {shape}")
    if signals < 2 or not (values[1:] > values[:-1]).all():
        raise ArrayError(f"values are {values}, expected two or more increasing numbers")
    for name, numbers, size in (("paper", paper, papers), ("rating", rating, signals)):
        if reviews and not (numbers.min() >= 0 and numbers.max() < size):
            raise ArrayError(f"{name} goes from {numbers.min()} to {numbers.max()}, expected 0 to {size - 1}")
