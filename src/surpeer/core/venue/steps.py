"""One step of the forecast model for every paper by itself, given what all papers have in common.

Learning is a dozen such steps; between two of them the venue's parameters are found anew. With the parameters of all
steps any other paper can be taken the same way, and arrives where it would have been had it been learned from.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.columnwise import times_columns
from surpeer.core.venue.forecast_model import LEAST_DIVISOR, LEAST_RATIO, LEVELS, SIGNAL, Bias, Readings

AVERAGED = np.stack([SIGNAL, SIGNAL**2, LEVELS])
"""What is averaged over a paper's noise levels: g, g^2 and lam."""

# As columns, (L, 1), and (1 + 3, L) with the sum of weights.
G, LAM, LAM_SQUARED, HALF_G_SQUARED = (column[:, None] for column in (SIGNAL, LEVELS, LEVELS**2, SIGNAL**2 / 2))
TOTAL_AND_AVERAGED = np.concatenate([np.ones((1, len(LEVELS))), AVERAGED])


@dataclass(frozen=True)
class State:
    """What is believed of B papers between two steps."""

    ratio: FloatArray
    """(K, B) prior relative to the typical one."""
    averages: FloatArray
    """(3, B) as of AVERAGED."""

    @classmethod
    def at_first(cls, block: Block) -> "State":
        averages = np.repeat(AVERAGED.mean(axis=1)[:, None], len(block.size), axis=1)
        return cls(np.ones_like(block.forecasts), averages)

    def seen_from(self, view: View, before: View) -> "State":
        """The same, relative to another typical prior."""
        return self if view is before else State(self.ratio * before.q[:, None] / view.q[:, None], self.averages)

    @cached_property
    def rarity(self) -> FloatArray:
        """(K, B) how much more an own rating tells of each level: q / q_p. A prior is nowhere below (1 - lam) q."""
        return np.asarray(1 / np.maximum(self.ratio, 1 - self.averages[2]))


@dataclass(frozen=True)
class Spoken:
    """Forecasts of B papers after a step."""

    features: FloatArray
    """(5 J + 3, B) squares of `said`, said times own, squares of `own`, said, own; own ratings' squares and their
    products with forecasts, in units of error; and 1."""
    weights: FloatArray
    """(L, B) chances of the noise levels, but for a factor."""
    averages: FloatArray
    """(4 + 3 J, B) as of `Step.averaging`."""

    def readings(self, size: IntArray) -> Readings:
        """size : (B,) forecasts of each paper"""
        coordinates = (len(self.features) - 3) // 5
        said, own = self.features[3 * coordinates : -3].reshape(2, coordinates, -1)
        return Readings(size, said, own, self.weights / self.averages[0])


@dataclass(frozen=True)
class Step:
    """The venue's parameters in one step."""

    view: View
    response: FloatArray
    """(J, J) R"""
    error: FloatArray
    """(J,)"""
    bias: Bias
    _tables: dict[str, FloatArray] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """What can be computed again is not sent to other machines."""
        return {name: getattr(self, name) for name in ("view", "response", "error", "bias")} | {"_tables": {}}

    def _kept(self, name: str, make: Callable[[], FloatArray]) -> FloatArray:
        if name not in self._tables:
            self._tables[name] = make()
        return self._tables[name]

    @property
    def explained(self) -> FloatArray:
        """(K, J) R h, what an own rating explains of a forecast at full signal, before rarity."""
        return self._kept("explained", lambda: self.view.basis @ self.response)

    @property
    def _crossed(self) -> FloatArray:
        """(K, D) by what sums of forecasts are multiplied to get their products with `explained`, in units of error."""
        return self._kept("crossed", lambda: (self.explained / self.error) @ self.view.span.T)

    @property
    def _squared(self) -> FloatArray:
        """(K,) squares of `explained` in units of error."""
        return self._kept("squared", lambda: (self.explained**2 / self.error).sum(axis=1))

    @property
    def _span_of_means(self) -> FloatArray:
        """(K, 3 J) from the three parts of the posterior mean of mu to priors relative to the typical one."""
        return self._kept("means", lambda: np.concatenate([self.view.basis] * 3, axis=1))

    def precision(self, size: int) -> FloatArray:
        """(L, J) of what so many forecasts imply about mu."""
        return self._kept(f"precision {size}", lambda: self._precision(size))

    def _precision(self, size: int) -> FloatArray:
        if not size:
            return np.zeros((len(LEVELS), len(self.error)))
        return np.asarray(1 / np.maximum(LAM_SQUARED * self.bias.variance + self.error / size, LEAST_DIVISOR))

    def likelihood(self, size: int) -> FloatArray:
        """(L, 5 J + 3) the logarithm of the likelihood of a paper with so many forecasts, as a matrix: it is linear in
        the features, but for what all levels share.

        -1/2 sum_j [ P (said - g own - lam m)^2 - log P ]  -  1/2 sum_i (own part of forecast i, less its mean)^2 g^2
        + sum_i (own part of i, less its mean) (forecast i) g,   the last two in units of error
        """
        return self._kept(f"likelihood {size}", lambda: self._likelihood(size))

    def _likelihood(self, size: int) -> FloatArray:
        P, start = self.precision(size), LAM * self.bias.mean
        within, pull = size / self.error - P, start * P
        logarithm = np.log(P) if size else P
        constant = (logarithm - start * pull).sum(axis=1, keepdims=True) / 2
        parts = [P / -2, -G * within, HALF_G_SQUARED * within, pull, -G * pull, -HALF_G_SQUARED, G, constant]
        return np.concatenate(parts, axis=1)

    def averaging(self, size: int) -> FloatArray:
        """(4 + 3 J, L) what is averaged over the levels of a paper with so many forecasts: 1, AVERAGED, and by what
        `said`, `own` and 1 are multiplied to get the posterior mean of mu."""
        return self._kept(f"averaging {size}", lambda: self._averaging(size))

    def _averaging(self, size: int) -> FloatArray:
        weight = (LAM_SQUARED * self.precision(size) * self.bias.variance).T  # (J, L)
        start = self.bias.mean[:, None] * LEVELS
        return np.concatenate([TOTAL_AND_AVERAGED, weight, -SIGNAL * weight, start * (1 - weight)])

    def read(self, block: Block, said: FloatArray, rarity: FloatArray) -> Spoken:
        """said : (J, B) as of the block in this view; rarity : (K, B)"""
        size = len(said)
        features = np.empty((5 * size + 3, said.shape[1]))
        own = features[4 * size : 5 * size]
        weights = block.forecasts * rarity
        np.einsum("sj,sb->jb", self.explained, weights, out=own)
        own /= block.divisor
        np.multiply(said, said, out=features[:size])
        np.multiply(said, own, out=features[size : 2 * size])
        np.multiply(own, own, out=features[2 * size : 3 * size])
        features[3 * size : 4 * size] = said
        weights *= rarity
        np.einsum("s,sb->b", self._squared, weights, out=features[-3])
        crossed = np.einsum("sd,sdb->sb", self._crossed, block.sums)
        crossed *= rarity
        np.add.reduce(crossed, axis=0, out=features[-2])
        features[-1] = 1
        log = block.sizes.apply(self.likelihood, features)
        log -= np.maximum.reduce(log, axis=0)
        np.exp(log, out=log)
        return Spoken(features, log, block.sizes.apply(self.averaging, log))

    def next(self, spoken: Spoken) -> State:
        """What is believed after the step."""
        size, inverse = len(self.error), 1 / spoken.averages[0]
        means = spoken.averages[4:].copy()
        means[: 2 * size] *= spoken.features[3 * size : -3]
        ratio = times_columns(self._span_of_means, means)
        ratio *= inverse
        ratio += 1
        return State(np.maximum(ratio, LEAST_RATIO, out=ratio), spoken.averages[1:4] * inverse)


def replay(steps: Sequence[Step], block: Block) -> Readings:
    """Take papers through all steps."""
    state, view = State.at_first(block), steps[0].view
    said = block.said(view)
    for step in steps:
        if step.view is not view:
            said, state = block.said(step.view), state.seen_from(step.view, view)
            view = step.view
        spoken = step.read(block, said, state.rarity)
        if step is not steps[-1]:
            state = step.next(spoken)
    return spoken.readings(block.size)
