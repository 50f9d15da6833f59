"""Ratings and what forecasts say about the paper -> its quality: posterior mean and standard deviation.

For a noise level lam with g = (1 - lam)^2, in the coordinates of the forecast model,

    V_p - mu_p  =  (1 - lam) (clean state of the paper)  +  sampling of n ratings  +  what is not known of mu_p

and the best linear estimate of the clean state's first coordinate (the rating scale, so the quality) follows from the
three covariances. Levels are averaged by their chances. The unit is the standard deviation of quality over papers.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.evidence import as_far_as_evident
from surpeer.core.venue.forecast_model import LEAST_RATIO, LEVELS, SIGNAL, PaperSums, bias_posterior
from surpeer.core.venue.spread import Spread, as_foreseen
from surpeer.core.venue.trust import Trust

LEAST_STATES, LARGEST_DOUBT = 1e-3, 0.5  # of the variance of clean states, and of what ratings cannot rule out
MOST_FROM_ONE_RATING = 0.95  # share of a rating's variance that can be quality; else one rating would settle all
BLOCK = 4096  # papers at a time, so that memory does not grow with J^2 for all of them


@dataclass(frozen=True)
class Quality:
    """Of N papers, in standard deviations of quality."""

    mean: FloatArray
    deviation: FloatArray
    own_share: FloatArray
    """Weight of the paper's own forecasts in the prior that was taken from its ratings; the rest is the venue's."""


@dataclass(frozen=True)
class QualityModel:
    """All that is needed to judge a paper of the venue."""

    q: FloatArray
    basis: FloatArray
    error: FloatArray
    trust: Trust
    states: FloatArray
    """(J,) variances of clean states."""
    spread: Spread
    """Of ratings about the papers' priors."""

    def setting(self, counts: IntArray, sums: PaperSums, chances: FloatArray) -> "Setting":
        """These papers, as the model sees them."""
        return Setting.of(self.q, self.basis, self.error, self.trust, counts, sums, chances)

    def judge(self, counts: IntArray, sums: PaperSums, chances: FloatArray) -> Quality:
        """counts : (N, K) ratings; sums : their forecasts; chances : (N, L) of noise levels"""
        blocks = [
            self._judge_block(counts[at], sums.take(at), chances[at])
            for at in np.split(np.arange(len(counts)), range(BLOCK, len(counts), BLOCK))
        ]
        return Quality(
            *(np.concatenate([getattr(block, name) for block in blocks]) for name in ("mean", "deviation", "own_share"))
        )

    def _judge_block(self, counts: IntArray, sums: PaperSums, chances: FloatArray) -> Quality:
        setting = self.setting(counts, sums, chances)
        size = len(self.states)
        first = np.zeros((len(counts), size, 1))
        first[:, 0] = 1.0
        least = 1 - 1 / (1 + (1 / MOST_FROM_ONE_RATING - 1) / setting.reviews)
        possible = self.basis[[0, -1], 0] / np.sqrt(self.states[0])  # a state is a mixture of levels
        mean, variance = (np.empty(setting.chances.T.shape) for _ in range(2))
        for at, signal in enumerate(SIGNAL):
            sampling = self.spread.of_a_rating(setting.sampling(at))
            diagonal = sampling[:, range(size), range(size)]
            sampling[:, range(size), range(size)] = np.maximum(diagonal, signal * self.states / MOST_FROM_ONE_RATING)
            total = sampling / setting.reviews[:, None, None]
            kept = (1 - 1 / setting.reviews)[:, None] * signal * self.states + setting.doubt[at]
            total[:, range(size), range(size)] += kept + 1e-9
            both = np.concatenate([setting.surprise(at)[:, :, None], first], axis=2)
            solved = np.linalg.solve(total, both)[:, 0]  # (B, 2)
            mean[at] = np.clip(np.sqrt(signal * self.states[0]) * solved[:, 0], *possible)
            variance[at] = np.maximum(1 - signal * self.states[0] * solved[:, 1], least)
        weights = setting.chances.T
        average = (weights * mean).sum(axis=0)
        spread = (weights * (variance + (mean - average) ** 2)).sum(axis=0)
        return Quality(average, np.sqrt(np.maximum(spread, 0.0)), setting.own_share)


@dataclass(frozen=True)
class Setting:
    """Papers, their ratings in coordinates and what is expected of them at every noise level."""

    q: FloatArray
    basis: FloatArray
    reviews: FloatArray
    """(N,)"""
    rated: FloatArray
    """(N, J) V, mean coordinates of the ratings."""
    squared: FloatArray
    """(N, J) mean squares of the ratings' coordinates."""
    middle: FloatArray
    """(L, N, J) the bias that is believed, before it is weighted."""
    weight: float
    doubt: FloatArray
    """(L, N, J) variance of the bias that is taken off."""
    chances: FloatArray
    """(N, L) of noise levels, as far as forecasts are trusted."""
    own_share: FloatArray
    """(N,)"""

    @classmethod
    def of(
        cls,
        q: FloatArray,
        basis: FloatArray,
        error: FloatArray,
        trust: Trust,
        counts: IntArray,
        sums: PaperSums,
        chances: FloatArray,
    ) -> "Setting":
        middle, variance, own = bias_posterior(sums.mean, sums.count, trust.bias, error)
        reviews = counts.sum(axis=1).astype(np.float64)
        followed = min(trust.weight, 1.0)
        tempered = chances**followed
        tempered /= tempered.sum(axis=1, keepdims=True)
        return cls(
            q=q,
            basis=basis,
            reviews=reviews,
            rated=counts @ basis / reviews[:, None],
            squared=counts @ basis**2 / reviews[:, None],
            middle=middle,
            weight=trust.weight,
            doubt=trust.weight**2 * variance,
            chances=tempered,
            own_share=followed * (tempered.T * own[:, :, 0]).sum(axis=0),
        )

    def surprise(self, level: int) -> FloatArray:
        """(N, J) ratings less the bias."""
        return np.asarray(self.rated - self.weight * self.middle[level])

    def expected(self, level: int) -> FloatArray:
        """(N, K) the prior of each paper. An overstated bias (weight above 1) is no prior, so it stops at 1."""
        ratio = 1 + min(self.weight, 1.0) * self.middle[level] @ self.basis.T
        prior = self.q * np.maximum(ratio, LEAST_RATIO)
        return np.asarray(prior / prior.sum(axis=1, keepdims=True))

    def sampling(self, level: int) -> FloatArray:
        """(N, J, J) covariance of one rating's coordinates under the papers' priors."""
        prior = self.expected(level)
        mean = prior @ self.basis
        size = self.basis.shape[1]
        products = (self.basis[:, :, None] * self.basis[:, None, :]).reshape(len(self.q), size * size)
        return np.asarray((prior @ products).reshape(-1, size, size) - mean[:, :, None] * mean[:, None, :])


def find_spread(setting: Setting) -> Spread:
    """What ratings vary about their papers' priors beyond what the priors say, as far as that is evident.

    With one coordinate there is nothing to find: on two levels the mean of a prior says how wide it is.
    """
    size = setting.basis.shape[1]
    if size == 1:
        return as_foreseen(size)
    seen, foreseen = (np.zeros(setting.rated.shape) for _ in range(2))  # of one rating
    for at in range(len(LEVELS)):
        chance, bias, prior = setting.chances[:, at, None], setting.weight * setting.middle[at], setting.expected(at)
        seen += chance * (setting.squared - 2 * bias * setting.rated + bias**2)
        foreseen += chance * (prior @ setting.basis**2 - (prior @ setting.basis) ** 2 + setting.doubt[at])
    weighted = zip(setting.reviews * seen.T, setting.reviews * foreseen.T, strict=True)
    ratio, doubt = np.transpose([_ratio_and_error(*coordinate) for coordinate in weighted])
    beyond = np.maximum(as_far_as_evident(ratio, 1.0, doubt) - 1, 0.0)
    average = setting.reviews @ foreseen / setting.reviews.sum()
    return Spread(beyond * average, max(0.0, 1 - float(beyond.max())))


def state_variances(setting: Setting, response: FloatArray, surplus: float = 0.0) -> FloatArray:
    """(J,) variances of the clean states: their size from the ratings, their shape from the forecasts.

    Ratings show what is left of their variance between papers when bias and sampling are taken off. Forecasts show it
    in how they follow own ratings (the diagonal of `response`), and that is believed until ratings contradict.

    surplus : variance of a rating, in the first coordinate, that forecasts did not foresee
    """
    excess, signal = (np.zeros(len(setting.reviews)) for _ in range(2))
    first = setting.basis[:, 0]
    for at in range(len(LEVELS)):
        prior = setting.expected(at)
        sampling = (prior @ first**2 - (prior @ first) ** 2 + surplus) / setting.reviews
        left = setting.surprise(at)[:, 0] ** 2 - sampling - setting.doubt[at, :, 0]
        excess += setting.chances[:, at] * left
        signal += setting.chances[:, at] * SIGNAL[at] * (1 - 1 / setting.reviews)
    said = np.diag(response)
    found, doubt = _ratio_and_error(excess, signal)
    size = float(np.clip(as_far_as_evident(found, said[0], doubt), 0.0, 1.0 + surplus))
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
