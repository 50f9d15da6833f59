"""Whether ratings spread about a paper's prior as widely as the prior says: forecasts may be too sure of themselves.

Under the model one rating of paper p has the distribution q_p whatever else is known, so in each coordinate

    E (h_j(x_i) - mu_pj)^2  =  Var_{q_p} h_j  +  what is not known of mu_pj

Reviewers who state narrow forecasts make q_p narrow: ratings that come all the time are then next to impossible, the
coordinates of one rating nearly determine each other, and the best linear estimate extrapolates wildly. What ratings
vary beyond the right side is measured for the whole venue and, as far as it is evident, added to the variance of a
rating; covariances between coordinates, which nobody but these priors vouches for, count for as much less.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray


@dataclass(frozen=True)
class Spread:
    """Of one rating about its paper's prior, beyond what the prior says."""

    surplus: FloatArray
    """(J,) variance in each coordinate that forecasts did not foresee; 0 if they are as wide as they should be."""
    together: float
    """By what covariances between coordinates are multiplied: 1 less the largest surplus, as a share of what was
    foreseen; 0 where ratings vary twice as much as foreseen."""


def as_foreseen(size: int) -> Spread:
    """Nothing speaks against the papers' priors. size : J"""
    return Spread(np.zeros(size), 1.0)
