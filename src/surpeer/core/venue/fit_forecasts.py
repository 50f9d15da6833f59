"""Finding the parameters of the forecast model by expectation and maximisation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block, for_each, joined
from surpeer.core.venue.columnwise import sums_of_products
from surpeer.core.venue.evidence import LEAST_VARIANCE, as_far_as_evident
from surpeer.core.venue.forecast_model import LEVELS, SIGNAL, Bias, Readings
from surpeer.core.venue.regression import Between, Regression, scatter
from surpeer.core.venue.steps import LAM, G, Own, Spoken, State, Step
from surpeer.core.venue.typical_prior import typical_prior

# People forecast in steps of five percent. Without this floor exact forecasts (simulated ones) would make
# the likelihood infinitely sharp, and small misfits of the model would decide everything.
ROUNDING = 0.05

# Every paper goes through all rounds. More of them, or a typical prior that is renewed more often, put hardly a
# hundredth of a pair of a hundred more in the right order (benchmarks/rounds.py).
ITERATIONS = 5
NEW_BASIS_AT = (2,)
LARGEST_VARIANCE = 0.95  # of clean states, in units of the variance of ratings

POWERS = np.stack([LEVELS**power for power in range(4)])
MEAN_SIGNAL, MEAN_SQUARE = float(SIGNAL.mean()), float(np.mean(LEVELS**2))


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
    squares: FloatArray
    """(D, D) sums of products of forecasts."""
    view: View
    states: list[State]
    error: FloatArray
    bias: Bias | None = None

    def __post_init__(self) -> None:
        self._look()

    @classmethod
    def begin(cls, blocks: Sequence[Block], squares: FloatArray, view: View) -> "_Learning":
        return cls(blocks, squares, view, [State.at_first(block) for block in blocks], np.ones(view.basis.shape[1]))

    def priors(self) -> FloatArray:
        """(K, N)"""
        ratios = [state.ratio[:, block.each] for block, state in zip(self.blocks, self.states, strict=True)]
        return joined(ratios) * self.view.q[:, None]

    def look_from(self, view: View) -> None:
        """Go on in the coordinates of another typical prior."""
        self.states = [state.seen_from(view, self.view) for state in self.states]
        self.view, self.bias = view, None
        self._look()

    def _look(self) -> None:
        """What stays the same as long as the coordinates do: means of forecasts, their squared differences within
        papers, and the least variance of error that a forecast can have."""
        self.said = [block.said(self.view) for block in self.blocks]
        self.scatter = scatter(self.blocks, self.said, self.squares, self.view)
        self.rounding = ROUNDING**2 / 12 * (self.view.basis**2).sum(axis=0)


def fit_forecasts(blocks: Sequence[Block], squares: FloatArray, start: View, values: FloatArray) -> Fitted:
    """Fit the model to papers that all have forecasts.

    squares : (D, D) sums of products of forecasts; start : of the venue's frequency of ratings
    """
    now, steps = _Learning.begin(blocks, squares, start), []
    for iteration in range(ITERATIONS):
        if iteration in NEW_BASIS_AT:
            now.look_from(View.of(typical_prior(now.priors().T, start.q), values))
        step, own = _next_step(now, diagonal=iteration < NEW_BASIS_AT[0])
        before, spoken, sums = now.states, *_take(step, now, own)
        now.error, now.bias = step.error, _bias(step, sums)
        steps.append(step)
    read = tuple(each.readings(block.size) for each, block in zip(spoken, blocks, strict=True))
    return Fitted(tuple(steps), now.bias or step.bias, read, tuple(before))


def _next_step(now: _Learning, *, diagonal: bool) -> tuple[Step, Sequence[Own]]:
    """The venue's parameters, given what is believed of its papers; and own ratings as they are seen by that."""

    def regress(at: int) -> tuple[Own, Regression]:
        block, state = now.blocks[at], now.states[at]
        seen = Own.of(block, now.view, state.rarity)
        return seen, Regression.of(block, now.view, now.said[at], state, seen)

    def compare(at: int) -> Between:
        return Between.of(now.blocks[at], now.said[at], now.states[at], own[at])

    own, regressions = zip(*for_each(regress, len(now.blocks)), strict=True)
    regression = Regression.total(regressions)
    response = _response(regression, now.error, diagonal=diagonal or len(now.error) == 1)
    left = (now.scatter - regression.explained(response)) / regression.freedom
    error = np.maximum(left, now.rounding)
    bias = now.bias or _first_bias(Between.total(for_each(compare, len(now.blocks))), response, error)
    return Step(now.view, response, error, bias), own


def _response(regression: Regression, error: FloatArray, *, diagonal: bool) -> FloatArray:
    """(J, J) R by regression of forecasts on own ratings within papers; off the diagonal only as far as evident."""
    normal, eye = regression.normal, np.eye(len(error))
    normal = normal + (1e-9 * float(normal.trace()) / len(error) + 1e-12) * eye
    inverse = np.linalg.inv(normal) if len(error) > 1 else 1 / normal
    slopes = inverse @ regression.cross
    own = np.maximum(slopes.diagonal(), 0.0)
    response = eye * own
    if not diagonal:
        variances = np.outer(inverse.diagonal(), error)
        evident = as_far_as_evident((slopes + slopes.T) / 2, 0.0, np.sqrt(variances + variances.T) / 2)
        response = np.where(eye, response, evident)
    # R is scaled so that the levels' average stays where it was before the forecasts.
    anchor = min(regression.signal / MEAN_SIGNAL, LARGEST_VARIANCE / max(float(own.max()), LEAST_VARIANCE))
    return response * anchor


def _first_bias(differences: Between, response: FloatArray, error: FloatArray) -> Bias:
    """Where to start: the variance between papers beyond that of averages of errors."""
    between = np.maximum(differences.variance(response) - error * differences.inverse, 1e-8)
    return Bias(np.zeros_like(error), between / MEAN_SQUARE)


def _take(step: Step, now: _Learning, own: Sequence[Own]) -> tuple[list[Spoken], FloatArray]:
    """Take all papers through the step. The last is the sum of `_bias_sums`."""

    def take(at: int) -> tuple[Spoken, State, FloatArray]:
        spoken = step.read(now.blocks[at], now.said[at], own[at])
        return spoken, step.next(spoken), _bias_sums(step, now.blocks[at], spoken)

    spoken, states, sums = zip(*for_each(take, len(now.blocks)), strict=True)
    now.states = list(states)
    return list(spoken), sum(sums[1:], start=sums[0])


def _bias_sums(step: Step, block: Block, spoken: Spoken) -> FloatArray:
    """(L, 1 + 2 J) over papers, of the chances of each level; times pulls, which are distances of what forecasts imply
    from the average bias, times their precision; and times squares of pulls less precisions."""
    chances, features = (spoken.weights * spoken.factor)[:, block.each], spoken.features[:, block.each]
    runs = zip(block.sizes.distinct.tolist(), block.sizes.runs, strict=True)
    parts = [
        _sums_of_run(step.tables(size).precision, step.bias, sums_of_products(chances[:, run], features[:, run]))
        for size, run in runs
    ]
    return sum(parts[1:], start=parts[0])


def _sums_of_run(P: FloatArray, bias: Bias, sums: FloatArray) -> FloatArray:
    """Of papers with equally many forecasts. sums : (L, 5 J + 3) chances times features"""
    said_said, said_own, own_own, said, own = sums[:, :-3].reshape(len(sums), 5, -1).swapaxes(0, 1)
    start, chances = LAM * bias.mean, sums[:, -1:]
    implied = said - G * own
    distance = implied - start * chances
    squares = said_said - G * (2 * said_own - G * own_own) - start * (implied + distance)
    return np.concatenate([chances, P * distance, P * (P * squares - chances)], axis=1)


def _bias(step: Step, sums: FloatArray) -> Bias:
    """Mean and variance of the biases, of which  lam (m + lam T pull)  and  lam^2 T (1 - lam^2 T precision)  are the
    posterior mean and variance at level lam."""
    (mean, variance), by_power = step.bias, POWERS @ sums
    size, papers, square = len(mean), float(by_power[0, 0]), float(by_power[2, 0])
    pulls, squares = by_power[:, 1 : 1 + size], by_power[2, 1 + size :]
    by = variance * pulls[3] / square  # what the mean moves
    spread = by * (by * papers - 2 * variance * pulls[1]) + variance * variance * squares
    return Bias(mean + by, np.maximum(variance + spread / papers, LEAST_VARIANCE))
