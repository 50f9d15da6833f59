"""Coordinates in which the venue's covariance is nearly diagonal: functions of the level, orthonormal under q."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.polynomial import legendre

from surpeer.core.shapes import FloatArray

# Finer shapes than a polynomial of this degree cannot be seen in a few reviews; it also bounds the work on fine scales.
MOST_COORDINATES = 9

FINE_SCALE = 20
"""On more levels than this, forecasts are kept as their means of a few fixed functions of the level."""


def fixed_functions(values: FloatArray) -> FloatArray:
    """(K, J + 1) the functions that every canonical basis is made of: 1, the value, and polynomials in the rank."""
    return _functions_of(tuple(values.tolist()))


@lru_cache(maxsize=64)
def _functions_of(values: tuple[float, ...]) -> FloatArray:
    """Kept, because one fit asks for the same several times; nobody may write to it."""
    signals, numbers = len(values), np.array(values)
    columns = legendre.legvander(np.linspace(-1.0, 1.0, signals), min(signals - 1, MOST_COORDINATES))
    columns[:, 1] = (numbers - numbers.mean()) / (numbers.max() - numbers.min())
    columns.flags.writeable = False
    return np.asarray(columns)


def coordinates_of(values: FloatArray) -> FloatArray:
    """(K, D) in what a forecast is added up: the shares themselves, or on a fine scale their `fixed_functions`."""
    return np.eye(len(values)) if len(values) <= FINE_SCALE else fixed_functions(values)


def canonical_basis(q: FloatArray, values: FloatArray) -> FloatArray:
    """(K, J) functions of the level with mean 0, variance 1 and no correlation when levels are drawn from q.

    The first is the standardised rating, (phi - E_q phi) / sd_q phi; the others are polynomials in the rank of the
    level, of growing degree, so that uneven values do no harm. J = K - 1, at most MOST_COORDINATES.
    """
    return View.of(q, values).basis


@dataclass(frozen=True)
class View:
    """A typical prior, and the coordinates that belong to it."""

    q: FloatArray
    """(K,)"""
    basis: FloatArray
    """(K, J) the canonical basis."""
    span: FloatArray
    """(D, J) how a forecast's sums are turned into it: `coordinates_of(values) @ span` is the basis."""

    @cached_property
    def functions(self) -> FloatArray:
        """(J, K) the basis, a row for each function."""
        return np.ascontiguousarray(self.basis.T)

    @classmethod
    def of(cls, q: FloatArray, values: FloatArray) -> "View":
        weights = np.sqrt(q)[:, None]
        orthonormal, triangle = np.linalg.qr(weights * fixed_functions(values))
        functions = orthonormal / weights
        signs = np.where(functions[-1] < 0, -1.0, 1.0)  # a function that ends at 0 is one, too
        basis = (functions * signs)[:, 1:]
        span = basis if len(q) <= FINE_SCALE else np.linalg.inv(triangle)[:, 1:] * signs[1:]
        return cls(q, np.ascontiguousarray(basis), np.ascontiguousarray(span))
