"""Coordinates in which the venue's covariance is nearly diagonal: functions of the level, orthonormal under q."""

import numpy as np
from numpy.polynomial import legendre

from surpeer.core.shapes import FloatArray

# Finer shapes than a polynomial of this degree cannot be seen in a few reviews; it also bounds the work on fine scales.
MOST_COORDINATES = 9


def canonical_basis(q: FloatArray, values: FloatArray) -> FloatArray:
    """(K, J) functions of the level with mean 0, variance 1 and no correlation when levels are drawn from q.

    The first is the standardised rating, (phi - E_q phi) / sd_q phi; the others are polynomials in the rank of the
    level, of growing degree, so that uneven values do no harm. J = K - 1, at most MOST_COORDINATES.
    """
    signals = len(q)
    coordinates = min(signals - 1, MOST_COORDINATES)
    ranks = np.linspace(-1.0, 1.0, signals)
    columns = legendre.legvander(ranks, coordinates)
    columns[:, 1] = (values - values.mean()) / (values.max() - values.min())
    weights = np.sqrt(q)[:, None]
    orthonormal, _ = np.linalg.qr(weights * columns)
    functions = orthonormal / weights
    return np.asarray(functions * np.sign(functions[-1]))[:, 1:]
