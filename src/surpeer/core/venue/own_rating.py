"""How much reviewers take their own rating for everybody's (false consensus)."""

from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray, paper_sums
from surpeer.core.venue.basis import View
from surpeer.core.venue.evidence import EVIDENT, LEAST_VARIANCE, as_far_as_evident, error_of_left_out
from surpeer.core.venue.moments import Moments

# A reviewer who only repeats her own rating leaves nothing to learn; this keeps the division possible.
MOST_PROJECTION = 0.99
LARGEST_SLOPE = 0.95
LEAST_SLOPE = 1e-6  # below it is rounding


class Projection(NamedTuple):
    """Found by comparing what own ratings say about forecasts with what they say about other ratings."""

    weight: float
    """Share of a forecast that is the reviewer's own rating projected on everybody."""
    found: float
    """The same before it was reduced to what is evident; may be negative."""
    standard_error: float
    slope: float
    """By how much a forecast's mean rises with the reviewer's own rating, within papers."""
    responds: bool
    """Whether it evidently rises at all."""


def find_projection(moments: Moments, view: View) -> Projection:
    """Reviewers who forecast as well as they can would have  Cov(forecast, own rating) = Cov(other's, own rating).

    That holds whatever they know, because a forecast is then the expectation of another's rating given all they know.
    Forecasts of the form (1 - e) best + e own rating exceed it by e times the variance of ratings within papers.

    view : its first coordinate is the standardised value of each level
    """
    moments = moments if moments.present.all() else moments.take(moments.present)
    levels, forecasts = view.basis[:, 0], moments.forecasts.T.astype(np.float64, order="C")
    count = moments.size.astype(np.float64)
    said = np.einsum("nkd,d->kn", moments.sums, view.span[:, 0])  # sums of the first coordinate, by own level
    mean_own, mean_said = np.einsum("k,kn->n", levels, forecasts) / count, said.sum(axis=0) / count
    apart = levels[:, None] - mean_own
    within_own, within_both = np.einsum("kn,kn,kn->n", apart, apart, forecasts), np.einsum("kn,kn->n", apart, said)
    one = np.ones_like(count)
    rows = np.array(
        [one, 1 / count, count - 1, within_own, within_both, mean_own, mean_said, mean_own**2, mean_own * mean_said]
    )
    totals = rows.sum(axis=1)
    found, slope = _excess(totals).tolist()
    error, slope_error = error_of_left_out(_excess(totals[:, None] - rows)).tolist()
    weight = float(as_far_as_evident(found, 0.0, error)) if found > 0 else 0.0
    responds = slope > max(EVIDENT * slope_error, LEAST_SLOPE)
    clipped = min(max(slope, 0.0), LARGEST_SLOPE)
    return Projection(min(weight, MOST_PROJECTION), found, error, clipped, responds)


def _excess(sums: FloatArray) -> FloatArray:
    """(9, ...) -> (2, ...): excess covariance over the variance within papers, and the slope within papers."""
    papers, inverse, freedom, own_own, own_said, own, said, square, product = sums
    within, within_both = own_own / freedom, own_said / freedom
    noise = inverse / papers  # a paper's mean carries this share of the variance within
    between = (square - own * own / papers) / (papers - 1) - within * noise
    between_both = (product - own * said / papers) / (papers - 1) - within_both * noise
    differ = within > LEAST_VARIANCE
    excess = within_both + between_both - between
    return np.asarray(np.array([excess, within_both]) * differ / np.where(differ, within, 1.0))


def squares_without_own(moments: Moments, weight: float, coordinates: FloatArray) -> FloatArray:
    """(D, D) sums of products m m' over all forecasts, of which this share of the own rating is taken off."""
    if not weight:
        return moments.product_sums()
    crossed = coordinates.T @ paper_sums(moments.sums)
    own = coordinates.T @ (paper_sums(moments.forecasts)[:, None] * coordinates)
    return np.asarray((moments.product_sums() - weight * (crossed + crossed.T) + weight**2 * own) / (1 - weight) ** 2)
