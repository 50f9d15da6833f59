"""Partial forecasts: what a reviewer did not say is taken from what others of the venue say."""

import numpy as np

from surpeer.core.fixed_point import COARSE, FixedPointSums
from surpeer.core.shapes import BoolArray, FloatArray, IntArray


def complete_forecasts(
    shares: FloatArray, expected: FloatArray, rating: IntArray, typical: FloatArray, values: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Forecasts of which some shares, or only the expected rating, were given -> whole ones, and which rows have any.

    The result is as near as possible, in the chi-square sense, to the typical forecast of those who gave the same
    rating: shares that were not given divide what is left in its proportions, and an expected rating tilts them in
    proportion to the values, the least change that gives that mean.

    shares : (R, K), NaN where not given; expected : (R,), NaN where not given; typical : (K, K) by own rating
    """
    given = ~np.isnan(shares)
    usable = given.any(axis=1) | ~np.isnan(expected)
    partial = np.flatnonzero(usable & ~given.all(axis=1))
    whole = shares.copy()
    if not len(partial):
        return whole, usable
    known = given[partial]
    base = np.where(known, 0.0, typical[rating[partial]])  # (M, K)
    mass = base.sum(axis=1, keepdims=True)
    base = np.where(mass > 0, base / np.where(mass > 0, mass, 1.0), ~known / (~known).sum(axis=1, keepdims=True))
    fixed = np.where(known, shares[partial], 0.0)
    rest = np.maximum(1 - fixed.sum(axis=1), 0.0)
    tilted = rest[:, None] * base + _tilt(expected[partial], fixed, base, rest, values)
    whole[partial] = np.where(known, fixed, tilted)
    return whole, usable


def _tilt(
    expected: FloatArray, fixed: FloatArray, base: FloatArray, rest: FloatArray, values: FloatArray
) -> FloatArray:
    """(M, K) what to add to the shares that were not given so that the mean is the expected rating."""
    middle = base @ values
    deviation = values - middle[:, None]
    spread = (base * deviation**2).sum(axis=1)
    missing = expected - fixed @ values - rest * middle
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where((spread > 0) & ~np.isnan(missing), missing / spread, 0.0)
    return np.asarray(slope[:, None] * base * deviation)


def typical_forecasts_of_sums(sums: FixedPointSums, q: FloatArray) -> FloatArray:
    """(K, K) mean complete forecast of those who gave each level; q counts as one more of each.

    sums : (K, K) of complete forecasts by the level given
    """
    total = sums.to_float() / COARSE + q
    return np.asarray(total / total.sum(axis=1, keepdims=True))
