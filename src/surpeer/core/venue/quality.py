"""Ratings and what forecasts say about the paper -> its quality: posterior mean and standard deviation.

For a noise level lam with g = (1 - lam)^2, in the coordinates of the forecast model,

    V_p - mu_p  =  (1 - lam) (clean state of the paper)  +  sampling of n ratings  +  what is not known of mu_p

and the best linear estimate of the clean state's first coordinate (the rating scale, so the quality) follows from the
three covariances. Levels are averaged by their chances. The unit is the standard deviation of quality over papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray, rows_at
from surpeer.core.venue.evidence import as_far_as_evident
from surpeer.core.venue.forecast_model import SIGNAL, Readings
from surpeer.core.venue.setting import Setting
from surpeer.core.venue.spread import Spread, as_foreseen
from surpeer.core.venue.trust import Trust

LEAST_STATES, LARGEST_DOUBT = 1e-3, 0.5  # of the variance of clean states, and of what ratings cannot rule out
MOST_FROM_ONE_RATING = 0.95  # share of a rating's variance that can be quality; else one rating would settle all

NAMES = ("mean", "deviation", "own_share")  # of the arrays of Quality


@dataclass(frozen=True)
class Quality:
    """Of N papers, in standard deviations of quality."""

    mean: FloatArray
    deviation: FloatArray
    own_share: FloatArray
    """Weight of the paper's own forecasts in the prior that was taken from its ratings; the rest is the venue's."""

    def put_at(self, papers: IntArray) -> "Quality":
        """The same, each paper at its position. papers : (N,) a permutation"""
        result, at = Quality(*(np.empty(len(papers)) for _ in range(3))), rows_at(papers)
        for name in NAMES:
            getattr(result, name)[at] = getattr(self, name)
        return result

    @classmethod
    def joined(cls, parts: "Sequence[Quality]") -> "Quality":
        """Of all papers, one part after the other."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in NAMES))


@dataclass(frozen=True)
class QualityModel:
    """All that is needed to judge a paper whose forecasts have been read."""

    q: FloatArray
    basis: FloatArray
    error: FloatArray
    trust: Trust
    states: FloatArray
    """(J,) variances of clean states."""
    spread: Spread
    """Of ratings about the papers' priors."""

    def setting(self, counts: IntArray, readings: Readings) -> Setting:
        """These papers, as the model sees them."""
        return Setting.of(self.q, self.basis, self.error, self.trust, counts, readings)

    def judge(self, counts: IntArray, readings: Readings) -> Quality:
        """counts : (B, K) ratings, B at least 2 and not too large"""
        return self.judge_in(self.setting(counts, readings))

    def judge_in(self, setting: Setting) -> Quality:
        """The papers of a setting of this model."""
        surprise, precision = self._estimate(setting)
        signal = (SIGNAL * self.states[0])[:, None]
        possible = self.basis[[0, -1], 0] / np.sqrt(self.states[0])  # a state is a mixture of levels
        mean = np.clip(np.sqrt(signal) * surprise, *possible)
        least = 1 - 1 / (1 + (1 / MOST_FROM_ONE_RATING - 1) / setting.reviews)
        variance = np.maximum(1 - signal * precision, least)
        average = (setting.chances * mean).sum(axis=0)
        variance += (mean - average) ** 2
        spread = (setting.chances * variance).sum(axis=0)
        return Quality(average, np.sqrt(np.maximum(spread, 0.0)), setting.own_share)

    def _estimate(self, setting: Setting) -> tuple[FloatArray, FloatArray]:
        """(L, B) each: the first coordinate of C^-1 surprise, and of C^-1 (1, 0, ...), C the covariance of surprise."""
        total, surprise = self._covariances(setting), setting.surprise()
        for last in range(len(self.states) - 1, 0, -1):  # elimination from the last coordinate to the second
            inverse = 1 / total[last][last]
            for row in range(last):
                factor = total[last][row] * inverse
                surprise[row] -= factor * surprise[last]
                for column in range(row + 1):
                    total[row][column] -= factor * total[last][column]
        precision = 1 / total[0][0]
        return surprise[0] * precision, precision

    def _covariances(self, setting: Setting) -> list[list[FloatArray]]:
        """(L, B) for each row and column of the lower triangle: of surprise, quality's part in it included."""
        one_of, size = 1 / setting.reviews, len(self.states)
        quality = (self.states[:, None] * SIGNAL)[:, :, None]  # (J, L, 1)
        known = setting.doubt + quality + 1e-9
        covariances = iter(setting.covariance())
        rows = [[next(covariances) for _ in range(row + 1)] for row in range(size)]
        for at, row in enumerate(rows):
            for column in range(at):
                row[column] *= self.spread.together * one_of
            diagonal = row[-1]
            diagonal += self.spread.surplus[at]
            np.maximum(diagonal, quality[at] / MOST_FROM_ONE_RATING, out=diagonal)
            diagonal -= quality[at]
            diagonal *= one_of
            diagonal += known[at]
        return rows


class Seen(NamedTuple):
    """What the ratings of some papers show about the venue, (J, N) or (N,)."""

    reviews: FloatArray
    varied: FloatArray
    """Mean squares of the ratings about the bias."""
    foreseen: FloatArray
    """What they should be, as forecasts have it."""
    excess: FloatArray
    """Squared surprise in the first coordinate beyond what sampling and doubt explain."""
    signal: FloatArray
    """By what the variance of clean states is multiplied in it."""

    @classmethod
    def of(cls, setting: Setting) -> "Seen":
        chances, reviews, rated = setting.chances, setting.reviews, setting.rated
        bias = setting.weight * np.einsum("lb,jlb->jb", chances, setting.middle)
        squared_bias = setting.weight**2 * np.einsum("lb,jlb,jlb->jb", chances, setting.middle, setting.middle)
        variance = np.einsum("lb,jlb->jb", chances, setting.variance())
        doubt = (chances * setting.doubt).sum(axis=1)
        crossed = squared_bias - 2 * rated * bias
        return cls(
            reviews,
            setting.squared + crossed,
            variance + doubt,
            rated[0] ** 2 + crossed[0] - variance[0] / reviews - doubt[0],
            SIGNAL @ chances * (1 - 1 / reviews),
        )

    @classmethod
    def joined(cls, parts: "Sequence[Seen]") -> "Seen":
        return cls(*(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True)))


def find_spread(seen: Seen) -> Spread:
    """What ratings vary about their papers' priors beyond what the priors say, as far as that is evident.

    With one coordinate there is nothing to find: on two levels the mean of a prior says how wide it is.
    """
    size = len(seen.varied)
    if size == 1:
        return as_foreseen(size)
    weighted = zip(seen.reviews * seen.varied, seen.reviews * seen.foreseen, strict=True)
    ratio, doubt = np.transpose([_ratio_and_error(*coordinate) for coordinate in weighted])
    beyond = np.maximum(as_far_as_evident(ratio, 1.0, doubt) - 1, 0.0)
    average = seen.foreseen @ seen.reviews / seen.reviews.sum()
    return Spread(beyond * average, max(0.0, 1 - float(beyond.max())))


def state_variances(seen: Seen, response: FloatArray, surplus: float = 0.0) -> FloatArray:
    """(J,) variances of the clean states: their size from the ratings, their shape from the forecasts.

    Ratings show what is left of their variance between papers when bias and sampling are taken off. Forecasts show it
    in how they follow own ratings (the diagonal of `response`), and that is believed until ratings contradict.

    surplus : variance of a rating, in the first coordinate, that forecasts did not foresee
    """
    said = response.diagonal()
    found, doubt = _ratio_and_error(seen.excess - surplus / seen.reviews, seen.signal)
    size = min(float(as_far_as_evident(found, said[0], doubt)), 1.0 + surplus)
    size = max(size, min(doubt, LARGEST_DOUBT), LEAST_STATES)  # what ratings cannot rule out
    shape = np.minimum(said / said[0], 1.0) if said[0] > 1e-6 else np.zeros_like(said)
    shape[0] = 1.0
    return np.asarray(size * shape)


def _ratio_and_error(excess: FloatArray, signal: FloatArray) -> tuple[float, float]:
    """sum(excess) / sum(signal) with its standard error; no error is too large where there is no signal at all.

    A paper with a single review shows nothing: sampling and quality cannot be told apart.
    """
    total = float(signal.sum())
    if total <= 0:
        return 0.0, np.inf
    ratio = float(excess.sum()) / total
    return ratio, float(np.sqrt(((excess - ratio * signal) ** 2).sum())) / total
