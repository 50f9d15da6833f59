"""Papers, their ratings in coordinates and what is expected of them at every noise level. Papers are the last axis."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.columnwise import times_columns
from surpeer.core.venue.forecast_model import LEAST_RATIO, Readings, bias_posterior
from surpeer.core.venue.trust import Trust


@cache
def lower_triangle(size: int) -> tuple[IntArray, IntArray]:
    """As np.tril_indices, which takes longer than what is done with them."""
    one, two = np.tril_indices(size)
    return one, two


@dataclass(frozen=True)
class Setting:
    """B papers as a venue sees them that follows forecasts to some extent."""

    q: FloatArray
    basis: FloatArray
    reviews: FloatArray
    """(B,)"""
    rated: FloatArray
    """(J, B) V, mean coordinates of the ratings."""
    squared: FloatArray
    """(J, B) mean squares of the ratings' coordinates."""
    middle: FloatArray
    """(J, L, B) the bias that is believed, before it is weighted."""
    weight: float
    doubt: FloatArray
    """(J, L, B or 1) variance of the bias that is taken off."""
    chances: FloatArray
    """(L, B) of noise levels, as far as forecasts are trusted."""
    own_share: FloatArray
    """(B,)"""

    @classmethod
    def of(
        cls, q: FloatArray, basis: FloatArray, error: FloatArray, trust: Trust, counts: IntArray, readings: Readings
    ) -> "Setting":
        """counts : (B, K) ratings, B at least 2"""
        middle, variance, own = bias_posterior(readings, trust.bias, error)
        by_level = np.ascontiguousarray(counts.T, dtype=np.float64)
        reviews = by_level.sum(axis=0)
        followed = min(trust.weight, 1.0)
        tempered = readings.chances if followed == 1 else readings.chances**followed
        tempered = tempered / tempered.sum(axis=0)
        return cls(
            q=q,
            basis=basis,
            reviews=reviews,
            rated=np.einsum("sj,sb->jb", basis, by_level) / reviews,
            squared=np.einsum("sj,sb->jb", basis**2, by_level) / reviews,
            middle=middle,
            weight=trust.weight,
            doubt=trust.weight**2 * variance,
            chances=tempered,
            own_share=followed * (tempered * own[0]).sum(axis=0),
        )

    @cached_property
    def _relative(self) -> FloatArray:
        """(K, L, B) the prior of each paper relative to q, but for a factor. An overstated bias (weight above 1) is no
        prior, so it stops at 1."""
        size, *papers = self.middle.shape
        ratio = times_columns(min(self.weight, 1.0) * self.basis, self.middle.reshape(size, -1))
        ratio += 1
        np.maximum(ratio, LEAST_RATIO, out=ratio)
        return ratio.reshape(-1, *papers)

    @property
    def expected(self) -> FloatArray:
        """(K, L, B) the prior of each paper."""
        prior = self._relative * self.q[:, None, None]
        return np.asarray(prior / prior.sum(axis=0))

    def surprise(self) -> FloatArray:
        """(J, L, B) ratings less the bias."""
        surprise = self.middle * -self.weight
        surprise += self.rated[:, None]
        return np.asarray(surprise)

    def variance(self) -> FloatArray:
        """(J, L, B) of one rating's coordinates under the papers' priors."""
        size = self.basis.shape[1]
        return self._variance_of_one if size == 1 else self._covariances(np.arange(size), np.arange(size))

    def covariance(self) -> FloatArray:
        """(J (J + 1) / 2, L, B) of each two of one rating's coordinates under the papers' priors, in the order of
        `lower_triangle`; made anew each time."""
        size = self.basis.shape[1]
        return self._variance_of_one.copy() if size == 1 else self._covariances(*lower_triangle(size))

    @cached_property
    def _variance_of_one(self) -> FloatArray:
        """(1, L, B) of the only coordinate, if there is one: then that is all there is to the covariance."""
        return self._covariances(*lower_triangle(1))

    def _covariances(self, one: IntArray, two: IntArray) -> FloatArray:
        size, relative = self.basis.shape[1], self._relative
        functions = np.ones((1 + size + len(one), len(self.q)))
        functions[1 : 1 + size] = self.basis.T
        functions[1 + size :] = functions[1 + one] * functions[1 + two]
        means = times_columns(functions * self.q, relative.reshape(len(relative), -1))
        means[1:] *= 1 / means[0]
        covariances = means[1 + size :]
        for at, (j, k) in enumerate(zip(one.tolist(), two.tolist(), strict=True)):
            covariances[at] -= means[1 + j] * means[1 + k]
        return covariances.reshape(-1, *relative.shape[1:])
