"""How reviewers turn what a Bayesian would predict into what they say. A forecast rule is any function

    rule(rng, bayesian, rating) -> forecasts

bayesian : (n, K) the Bayesian prediction of each of n reviewers (those of many papers one after the other),
rating : (n,) what each of them gave; returns (n, K) distributions, a row of NaN for no prediction. It is called from
several threads. These are the common ways to be wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import ArrayError

ForecastRule = Callable[[np.random.Generator, FloatArray, IntArray], FloatArray]


@dataclass(frozen=True)
class LogNoise:
    """Normal noise of standard deviation `size` on the logarithm of every share.

    With two levels the log odds get noise of size * sqrt(2).
    """

    size: float

    def __post_init__(self) -> None:
        if not 0 <= self.size < float("inf"):
            raise ArrayError(f"size is {self.size}, expected a standard deviation of at least 0")

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:  # noqa: ARG002
        with np.errstate(divide="ignore"):
            logarithms = np.log(bayesian)
        return np.asarray(softmax(logarithms + rng.normal(0, self.size, bayesian.shape), axis=-1))


@dataclass(frozen=True)
class Conservative:
    """Too near to "all levels alike": that much weight on the uniform distribution."""

    weight: float

    def __post_init__(self) -> None:
        _check_weight(self.weight)

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:  # noqa: ARG002
        return np.asarray((1 - self.weight) * bayesian + self.weight / bayesian.shape[-1])


@dataclass(frozen=True)
class FalseConsensus:
    """Too sure that others agree: that much weight on the reviewer's own rating."""

    weight: float

    def __post_init__(self) -> None:
        _check_weight(self.weight)

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:  # noqa: ARG002
        return np.asarray((1 - self.weight) * bayesian + self.weight * np.eye(bayesian.shape[-1])[rating])


@dataclass(frozen=True)
class VenueAverage:
    """Forecasts that say nothing: everybody predicts how often each level was given, over all reviews of the call."""

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:  # noqa: ARG002
        frequency = np.bincount(rating, minlength=bayesian.shape[-1]) / max(1, len(rating))
        return np.tile(frequency, (len(rating), 1))


@dataclass(frozen=True)
class AgreesWithMe:
    """Lazy forecasts: that much weight on the reviewer's own rating, the rest on all levels alike."""

    weight: float

    def __post_init__(self) -> None:
        _check_weight(self.weight)

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:  # noqa: ARG002
        signals = bayesian.shape[-1]
        return np.asarray(self.weight * np.eye(signals)[rating] + (1 - self.weight) / signals)


@dataclass(frozen=True)
class SomeMissing:
    """A Bayesian who makes no prediction with this probability."""

    share: float

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ArrayError(f"share is {self.share}, expected a probability from 0 to 1")

    def __call__(self, rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:
        left_out = rng.random(len(rating)) < self.share
        return np.where(left_out[:, None], np.nan, bayesian)


def _check_weight(weight: float) -> None:
    if not 0 <= weight <= 1:
        raise ArrayError(f"weight is {weight}, expected a share from 0 to 1")
