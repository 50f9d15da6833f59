"""One step of the forecast model for every paper by itself, given what all papers have in common.

Learning is a few such steps; between two of them the venue's parameters are found anew. With the parameters of all
steps any other paper can be taken the same way, and arrives where it would have been had it been learned from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

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


class State(NamedTuple):
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

    @property
    def rarity(self) -> FloatArray:
        """(K, B) how much more an own rating tells of each level: q / q_p. A prior is nowhere below (1 - lam) q."""
        return np.asarray(1 / np.maximum(self.ratio, 1 - self.averages[2]))


class Own(NamedTuple):
    """Own ratings of B papers, as far as they tell something about forecasts."""

    rarity: FloatArray
    """(K, B) as of the state."""
    squares: FloatArray
    """(K, B) forecasts times squared rarity."""
    mean: FloatArray
    """(J, B) of Z."""

    @classmethod
    def of(cls, block: Block, view: View, rarity: FloatArray) -> "Own":
        weights = block.forecasts * rarity
        mean = times_columns(view.functions, weights)
        mean /= block.divisor
        weights *= rarity
        return cls(rarity, weights, mean)


class Spoken(NamedTuple):
    """Forecasts of B papers after a step."""

    features: FloatArray
    """(5 J + 3, B) squares of `said`, said times own, squares of `own`, said, own; own ratings' squares and their
    products with forecasts, in units of error; and 1."""
    weights: FloatArray
    """(L, B) chances of the noise levels, but for a factor."""
    averages: FloatArray
    """(4 + 3 J, B) as of `SizeTables.averaging`."""
    factor: FloatArray
    """(B,) by what weights are multiplied to get chances."""

    def readings(self, size: IntArray) -> Readings:
        """size : (B,) forecasts of each paper"""
        coordinates = (len(self.features) - 3) // 5
        said, own = self.features[3 * coordinates : -3].reshape(2, coordinates, -1)
        return Readings(size, said, own, self.weights / self.averages[0])


class SizeTables(NamedTuple):
    """What a step does with papers that have equally many forecasts."""

    precision: FloatArray
    """(L, J) of what so many forecasts imply about mu."""
    likelihood: FloatArray
    """(L, 5 J + 3) the logarithm of the likelihood as a matrix: it is linear in the features, but for what all levels
    share.

    -1/2 sum_j [ P (said - g own - lam m)^2 - log P ]  -  1/2 sum_i (own part of forecast i, less its mean)^2 g^2
    + sum_i (own part of i, less its mean) (forecast i) g,   the last two in units of error
    """
    averaging: FloatArray
    """(4 + 3 J, L) what is averaged over the levels: 1, AVERAGED, and by what `said`, `own` and 1 are multiplied to get
    the posterior mean of mu."""

    @classmethod
    def of(cls, size: int, bias: Bias, error: FloatArray) -> "SizeTables":
        start, spread = LAM * bias.mean, LAM_SQUARED * bias.variance
        P = 1 / np.maximum(spread + error / size, LEAST_DIVISOR) if size else np.zeros_like(spread)
        within, pull, weight = size / error - P, start * P, spread * P
        constant = (np.log(P) if size else P) - start * pull
        squares = [P / -2, -G * within, HALF_G_SQUARED * within, pull, -G * pull]
        rest = [-HALF_G_SQUARED, G, np.add.reduce(constant, axis=1, keepdims=True) / 2]
        averaged = np.concatenate([TOTAL_AND_AVERAGED, weight.T, (-G * weight).T, (start - start * weight).T])
        return cls(P, np.concatenate(squares + rest, axis=1), averaged)


@dataclass(frozen=True)
class Step:
    """The venue's parameters in one step."""

    view: View
    response: FloatArray
    """(J, J) R, symmetric."""
    error: FloatArray
    """(J,)"""
    bias: Bias
    _tables: dict[int, SizeTables] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """What can be computed again is not sent to other machines."""
        return {name: getattr(self, name) for name in ("view", "response", "error", "bias")} | {"_tables": {}}

    @cached_property
    def explained(self) -> FloatArray:
        """(K, J) R h, what an own rating explains of a forecast at full signal, before rarity."""
        return np.asarray(self.view.basis @ self.response)

    @cached_property
    def _in_errors(self) -> tuple[FloatArray, FloatArray]:
        """(K,) squares of `explained` in units of error, and (K, D) by what sums of forecasts are multiplied to get
        their products with it."""
        weighted = self.explained / self.error
        return np.einsum("kj,kj->k", weighted, self.explained), weighted @ self.view.span.T

    def tables(self, size: int) -> SizeTables:
        """For papers with so many forecasts."""
        if size not in self._tables:
            self._tables[size] = SizeTables.of(size, self.bias, self.error)
        return self._tables[size]

    def read(self, block: Block, said: FloatArray, own: Own) -> Spoken:
        """said : (J, B) as of the block in this view"""
        size, (squared, crossed) = len(said), self._in_errors
        features = np.empty((5 * size + 3, said.shape[1]))
        both = features[3 * size : -3].reshape(2, size, -1)
        both[0] = said
        both[1] = times_columns(self.response, own.mean)
        np.multiply(said, said, out=features[:size])
        np.multiply(both, both[1], out=features[size : 3 * size].reshape(2, size, -1))
        np.einsum("s,sb->b", squared, own.squares, out=features[-3])
        np.einsum("sb,sb->b", np.einsum("sd,sdb->sb", crossed, block.sums), own.rarity, out=features[-2])
        features[-1] = 1
        log = block.sizes.apply(lambda count: self.tables(count).likelihood, features)
        log -= np.maximum.reduce(log, axis=0)
        np.exp(log, out=log)
        averages = block.sizes.apply(lambda count: self.tables(count).averaging, log)
        return Spoken(features, log, averages, 1 / averages[0])

    def next(self, spoken: Spoken) -> State:
        """What is believed after the step."""
        size = len(self.error)
        said, own, rest = spoken.averages[4:].reshape(3, size, -1)
        middle = said * spoken.features[3 * size : 4 * size]
        middle += own * spoken.features[4 * size : 5 * size]
        middle += rest
        middle *= spoken.factor
        ratio = times_columns(self.view.basis, middle)
        ratio += 1
        return State(np.maximum(ratio, LEAST_RATIO, out=ratio), spoken.averages[1:4] * spoken.factor)


def replay(steps: Sequence[Step], block: Block) -> Readings:
    """Take papers through all steps."""
    state, view = State.at_first(block), steps[0].view
    said = block.said(view)
    for step in steps:
        if step.view is not view:
            said, state = block.said(step.view), state.seen_from(step.view, view)
            view = step.view
        spoken = step.read(block, said, Own.of(block, view, state.rarity))
        if step is not steps[-1]:
            state = step.next(spoken)
    return spoken.readings(block.size)
