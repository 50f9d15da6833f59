"""Finding the parameters of the forecast model by expectation and maximisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block, for_each, joined
from surpeer.core.venue.evidence import LEAST_VARIANCE, as_far_as_evident
from surpeer.core.venue.forecast_model import LEVELS, SIGNAL, Bias, Readings
from surpeer.core.venue.regression import Regression
from surpeer.core.venue.steps import Spoken, State, Step
from surpeer.core.venue.typical_prior import typical_prior

# People forecast in steps of five percent. Without this floor exact forecasts (simulated ones) would make
# the likelihood infinitely sharp, and small misfits of the model would decide everything.
ROUNDING = 0.05

ITERATIONS = 12
NEW_BASIS_AT = (2, 4, 6)  # later, the typical prior no longer moves
LARGEST_VARIANCE = 0.95  # of clean states, in units of the variance of ratings


@dataclass(frozen=True)
class Fitted:
    """The forecast model of a venue."""

    steps: tuple[Step, ...]
    """How it was found; the parameters of the last step are the model's, but for the bias."""
    bias: Bias
    read: tuple[Readings, ...]
    states: tuple[State, ...]
    """Of every block: what its forecasts say after the last step, and what was believed before it."""

    @property
    def last(self) -> Step:
        return self.steps[-1]


@dataclass
class _Learning:
    """Where learning stands."""

    blocks: Sequence[Block]
    view: View
    states: list[State]
    said: list[FloatArray]
    error: FloatArray
    bias: Bias | None = None

    @classmethod
    def begin(cls, blocks: Sequence[Block], view: View) -> "_Learning":
        states = [State.at_first(block) for block in blocks]
        return cls(blocks, view, states, [block.said(view) for block in blocks], np.ones(view.basis.shape[1]))

    def priors(self) -> FloatArray:
        """(K, N)"""
        ratios = [state.ratio[:, block.each] for block, state in zip(self.blocks, self.states, strict=True)]
        return joined(ratios) * self.view.q[:, None]

    def look_from(self, view: View) -> None:
        """Go on in the coordinates of another typical prior."""
        self.states = [state.seen_from(view, self.view) for state in self.states]
        self.said = [block.said(view) for block in self.blocks]
        self.view, self.bias = view, None


def fit_forecasts(blocks: Sequence[Block], squares: FloatArray, q: FloatArray, values: FloatArray) -> Fitted:
    """Fit the model to papers that all have forecasts.

    squares : (D, D) sums of products of forecasts; q : (K,) where to start, the venue's frequency of ratings
    """
    now, steps = _Learning.begin(blocks, View.of(q, values)), []
    for iteration in range(ITERATIONS):
        if iteration in NEW_BASIS_AT:
            now.look_from(View.of(typical_prior(now.priors().T, q), values))
        step = _next_step(now, squares, diagonal=iteration < NEW_BASIS_AT[0])
        before, spoken, sums = now.states, *_take(step, now)
        now.error, now.bias = step.error, _bias(step, sums)
        steps.append(step)
    read = tuple(each.readings(block.size) for each, block in zip(spoken, blocks, strict=True))
    return Fitted(tuple(steps), now.bias or step.bias, read, tuple(before))


def _next_step(now: _Learning, squares: FloatArray, *, diagonal: bool) -> Step:
    """The venue's parameters, given what is believed of its papers."""

    def regress(at: int) -> Regression:
        return Regression.of(now.blocks[at], now.view, now.said[at], now.states[at])

    regression = Regression.total(for_each(regress, len(now.blocks)))
    response = _response(regression, now.error, diagonal=diagonal)
    error = np.maximum(regression.scatter(response, squares, now.view) / regression.freedom, _rounding(now.view))
    bias = now.bias or _first_bias(regression, response, error)
    return Step(now.view, response, error, bias)


def _rounding(view: View) -> FloatArray:
    """(J,) the least variance of error that a forecast can have."""
    return np.asarray(ROUNDING**2 / 12 * (view.basis**2).sum(axis=0))


def _response(regression: Regression, error: FloatArray, *, diagonal: bool) -> FloatArray:
    """(J, J) R by regression of forecasts on own ratings within papers; off the diagonal only as far as evident."""
    size = len(error)
    normal = regression.normal + np.eye(size) * (1e-9 * np.trace(regression.normal) / size + 1e-12)
    inverse = np.linalg.inv(normal)
    slopes = inverse @ regression.cross
    variances = np.outer(np.diag(inverse), error)
    symmetric = (slopes + slopes.T) / 2
    evident = as_far_as_evident(symmetric, 0.0, np.sqrt(variances + variances.T) / 2)
    own = np.maximum(np.diag(symmetric), 0.0)
    response = np.diag(own) if diagonal else np.where(np.eye(size, dtype=np.bool_), np.diag(own), evident)
    # R is scaled so that the levels' average stays where it was before the forecasts.
    anchor = min(regression.signal / SIGNAL.mean(), LARGEST_VARIANCE / max(float(own.max()), LEAST_VARIANCE))
    return np.asarray(response * anchor)


def _first_bias(regression: Regression, response: FloatArray, error: FloatArray) -> Bias:
    """Where to start: the variance between papers beyond that of averages of errors."""
    between = np.maximum(regression.variance(response) - error * regression.inverse, 1e-8)
    return Bias(np.zeros_like(error), between / np.mean(LEVELS**2))


class _BiasSums(NamedTuple):
    """Over papers."""

    chances: FloatArray
    """(L,)"""
    pulls: FloatArray
    """(L, J) chances times pulls: distances of what forecasts imply from the average bias, times their precision."""
    squares: FloatArray
    """(L, J) chances times squares of pulls."""
    precisions: FloatArray
    """(L, J) chances times precisions."""


def _take(step: Step, now: _Learning) -> tuple[list[Spoken], _BiasSums]:
    """Take all papers through the step."""

    def take(at: int) -> tuple[Spoken, State, _BiasSums]:
        block = now.blocks[at]
        spoken = step.read(block, now.said[at], now.states[at].rarity)
        return spoken, step.next(spoken), _bias_sums(step, block, spoken)

    spoken, states, sums = zip(*for_each(take, len(now.blocks)), strict=True)
    now.states = list(states)
    return list(spoken), _total(sums)


def _total(sums: Sequence[_BiasSums]) -> _BiasSums:
    return sums[0] if len(sums) == 1 else _BiasSums(*(np.sum(parts, axis=0) for parts in zip(*sums, strict=True)))


def _bias_sums(step: Step, block: Block, spoken: Spoken) -> _BiasSums:
    chances, features = (spoken.weights / spoken.averages[0])[:, block.each], spoken.features[:, block.each]
    runs = zip(block.sizes.distinct.tolist(), block.sizes.runs, strict=True)
    return _total(
        [_sums_of_run(step.precision(size), step.bias, chances[:, run] @ features[:, run].T) for size, run in runs]
    )


def _sums_of_run(P: FloatArray, bias: Bias, sums: FloatArray) -> _BiasSums:
    """Of papers with equally many forecasts. sums : (L, 5 J + 3) chances times features"""
    said_said, said_own, own_own, said, own = np.split(sums[:, :-3], 5, axis=1)
    signal, start, chances = SIGNAL[:, None], LEVELS[:, None] * bias.mean, sums[:, -1:]
    distance = said - signal * own - start * chances
    squares = said_said - 2 * signal * said_own + signal**2 * own_own - start * (said - signal * own + distance)
    return _BiasSums(sums[:, -1], P * distance, P**2 * squares, P * chances)


def _bias(step: Step, sums: _BiasSums) -> Bias:
    """Mean and variance of the biases, of which  lam (m + lam T pull)  and  lam^2 T (1 - lam^2 T precision)  are the
    posterior mean and variance at level lam."""
    papers, variance = sums.chances.sum(), step.bias.variance
    square = LEVELS**2 @ sums.chances
    moved = (step.bias.mean * square + variance * (LEVELS**3 @ sums.pulls)) / square
    by = step.bias.mean - moved
    spread = by**2 * papers + 2 * by * variance * (LEVELS @ sums.pulls) + variance**2 * (LEVELS**2 @ sums.squares)
    left = variance * papers - variance**2 * (LEVELS**2 @ sums.precisions)
    return Bias(moved, np.maximum((spread + left) / papers, LEAST_VARIANCE))
