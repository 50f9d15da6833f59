"""How much reviewers take their own rating for everybody's (false consensus)."""

from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.by_paper import Forecasts
from surpeer.core.venue.evidence import EVIDENT, LEAST_VARIANCE, as_far_as_evident, jackknife_error

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


def find_projection(forecasts: Forecasts, first_coordinate: FloatArray) -> Projection:
    """Reviewers who forecast as well as they can would have  Cov(forecast, own rating) = Cov(other's, own rating).

    That holds whatever they know, because a forecast is then the expectation of another's rating given all they know.
    Forecasts of the form (1 - e) best + e own rating exceed it by e times the variance of ratings within papers.

    first_coordinate : (K,) the standardised value of each level
    """
    own = first_coordinate[forecasts.rating]
    said = forecasts.shares @ first_coordinate
    present = forecasts.present
    count = forecasts.count[present].astype(np.float64)
    mean_own, mean_said = (forecasts.sum(rows)[present] / count for rows in (own, said))
    apart_own = forecasts.centred(own[:, None])[:, 0]
    within_own = forecasts.sum(apart_own**2)[present]
    within_both = forecasts.sum(apart_own * said)[present]
    one = np.ones_like(count)
    rows = np.stack(
        [one, 1 / count, count - 1, within_own, within_both, mean_own, mean_said, mean_own**2, mean_own * mean_said], 1
    )
    found, slope = _excess(rows.sum(axis=0))
    error, slope_error = jackknife_error(_excess, rows).tolist()
    weight = float(as_far_as_evident(found, 0.0, error)) if found > 0 else 0.0
    responds = slope > max(EVIDENT * slope_error, LEAST_SLOPE)
    clipped = float(np.clip(slope, 0.0, LARGEST_SLOPE))
    return Projection(min(weight, MOST_PROJECTION), float(found), error, clipped, bool(responds))


def _excess(sums: FloatArray) -> FloatArray:
    """(..., 2): excess covariance over the variance within papers, and the slope within papers."""
    papers, inverse, freedom, own_own, own_said, own, said, square, product = np.moveaxis(sums, -1, 0)
    within, within_both = own_own / freedom, own_said / freedom
    noise = inverse / papers  # a paper's mean carries this share of the variance within
    between = (square - own * own / papers) / (papers - 1) - within * noise
    between_both = (product - own * said / papers) / (papers - 1) - within_both * noise
    with np.errstate(divide="ignore", invalid="ignore"):
        excess, slope = (within_both + between_both - between) / within, within_both / within
    differ = within > LEAST_VARIANCE
    return np.stack([np.where(differ, excess, 0.0), np.where(differ, slope, 0.0)], axis=-1)


def without_projection(forecasts: Forecasts, weight: float) -> Forecasts:
    """The forecasts less that share of the reviewers' own ratings."""
    if weight == 0:
        return forecasts
    own = np.zeros_like(forecasts.shares)
    own[np.arange(len(own)), forecasts.rating] = weight
    return Forecasts(forecasts.paper, forecasts.rating, (forecasts.shares - own) / (1 - weight), forecasts.papers)
