"""Finding the parameters of the forecast model by expectation and maximisation."""

from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import canonical_basis
from surpeer.core.venue.by_paper import Forecasts
from surpeer.core.venue.evidence import LEAST_VARIANCE, as_far_as_evident
from surpeer.core.venue.forecast_model import (
    LEAST_RATIO,
    LEVELS,
    SIGNAL,
    Bias,
    ForecastModel,
    PaperSums,
    bias_posterior,
)
from surpeer.core.venue.typical_prior import typical_prior

# People forecast in steps of five percent. Without this floor exact forecasts (simulated ones) would make
# the likelihood infinitely sharp, and small misfits of the model would decide everything.
ROUNDING = 0.05

ITERATIONS = 12
NEW_BASIS_AT = (2, 4, 6)  # later, the typical prior no longer moves
LARGEST_VARIANCE = 0.95  # of clean states, in units of the variance of ratings


@dataclass(frozen=True)
class _View:
    """Forecasts in the coordinates that belong to a typical prior."""

    forecasts: Forecasts
    q: FloatArray
    basis: FloatArray
    said: FloatArray
    """(R, J) F"""
    sum_said: FloatArray
    square_said: FloatArray
    """(N, J) sums of F and of its squares over each paper's forecasts."""

    @classmethod
    def of(cls, forecasts: Forecasts, q: FloatArray, values: FloatArray) -> "_View":
        basis = canonical_basis(q, values)
        said = forecasts.shares @ basis
        return cls(forecasts, q, basis, said, forecasts.sum(said), forecasts.sum(said**2))

    @property
    def rounding(self) -> FloatArray:
        """(J,) the least variance of error that a forecast can have."""
        return np.asarray(ROUNDING**2 / 12 * (self.basis**2).sum(axis=0))


def fit_forecasts(forecasts: Forecasts, q: FloatArray, values: FloatArray) -> ForecastModel:
    """Fit the model. q : (K,) where to start, the venue's frequency of ratings; values : (K,)"""
    view = _View.of(forecasts, q, values)
    chances = np.full((forecasts.papers, len(LEVELS)), 1 / len(LEVELS))
    ratio = np.ones((forecasts.papers, len(q)))
    error = np.ones(view.basis.shape[1])
    bias = None
    for iteration in range(ITERATIONS):
        if iteration in NEW_BASIS_AT:
            priors = ratio * view.q
            view = _View.of(forecasts, typical_prior(priors[forecasts.present], q), values)
            ratio, bias = priors / view.q, None
        response, own = _own_part(view, chances, ratio, error, diagonal=iteration < NEW_BASIS_AT[0])
        model, ratio = _improve(view, response, own, chances, bias)
        chances, error, bias = model.level_chances, model.error, model.bias
    return model


def _own_part(
    view: _View, chances: FloatArray, ratio: FloatArray, error: FloatArray, *, diagonal: bool
) -> tuple[FloatArray, FloatArray]:
    """R, and (R, J) the part of each forecast that the own rating explains at full signal, R Z."""
    paper, rating = view.forecasts.paper, view.forecasts.rating
    least = 1 - chances @ LEVELS  # a prior is nowhere below (1 - lam) q
    rows = view.basis[rating] / np.maximum(ratio[paper, rating], least[paper])[:, None]
    response = _response(view, rows, chances, error, diagonal=diagonal)
    return response, np.asarray(rows @ response)


def _improve(
    view: _View, response: FloatArray, own: FloatArray, chances: FloatArray, bias: Bias | None
) -> tuple[ForecastModel, FloatArray]:
    """One round of expectation and maximisation, and (N, K) the papers' priors relative to the typical one."""
    forecasts = view.forecasts
    sums = PaperSums(forecasts.count, view.sum_said, forecasts.sum(own))
    mean, scatter = sums.mean, _scatter(view, own, sums)
    weights = (chances * forecasts.present[:, None]).T[:, :, None]  # (L, N, 1)
    error = np.maximum((weights * scatter).sum(axis=(0, 1)) / forecasts.degrees_of_freedom, view.rounding)
    bias = bias or _first_bias(forecasts, (weights * mean).sum(axis=0), error)
    middle, variance, _ = bias_posterior(mean, forecasts.count, bias, error)
    chances = _level_chances(forecasts, mean, scatter, bias, error)
    bias = _bias(forecasts, chances, middle, variance)
    ratio = np.maximum(1 + (chances.T[:, :, None] * middle).sum(axis=0) @ view.basis.T, LEAST_RATIO)
    residual = view.said[:, 0] - (chances @ SIGNAL)[forecasts.paper] * own[:, 0]
    return ForecastModel(view.q, view.basis, response, bias, error, chances, sums, residual), ratio


def _response(
    view: _View, own_rows: FloatArray, chances: FloatArray, error: FloatArray, *, diagonal: bool
) -> FloatArray:
    """(J, J) R by regression of forecasts on own ratings within papers; off the diagonal only as far as evident."""
    forecasts = view.forecasts
    size = len(error)
    apart = forecasts.centred(own_rows)
    signal, square = (chances @ SIGNAL)[forecasts.paper, None], (chances @ SIGNAL**2)[forecasts.paper, None]
    normal = (square * apart).T @ apart
    normal += np.eye(size) * (1e-9 * np.trace(normal) / size + 1e-12)
    inverse = np.linalg.inv(normal)
    slopes = inverse @ ((signal * apart).T @ view.said)
    variances = np.outer(np.diag(inverse), error)
    symmetric = (slopes + slopes.T) / 2
    evident = as_far_as_evident(symmetric, 0.0, np.sqrt(variances + variances.T) / 2)
    own = np.maximum(np.diag(symmetric), 0.0)
    response = np.diag(own) if diagonal else np.where(np.eye(size, dtype=np.bool_), np.diag(own), evident)
    return np.asarray(response * _anchor(forecasts, chances, float(own.max())))


def _anchor(forecasts: Forecasts, chances: FloatArray, largest: float) -> float:
    """By what to scale R so that the levels' average stays where it was before the forecasts."""
    weights = forecasts.count * (forecasts.count > 1)
    average = weights @ (chances @ SIGNAL) / weights.sum()
    return float(min(average / SIGNAL.mean(), LARGEST_VARIANCE / max(largest, LEAST_VARIANCE)))


def _scatter(view: _View, own: FloatArray, sums: PaperSums) -> FloatArray:
    """(L, N, J) squared differences between the forecasts of a paper, less the own ratings' part at each level."""
    forecasts = view.forecasts
    divisor = forecasts.divisor
    said = view.square_said - sums.said**2 / divisor
    both = forecasts.sum(view.said * own) - sums.said * sums.own / divisor
    rated = forecasts.sum(own**2) - sums.own**2 / divisor
    signal = SIGNAL[:, None, None]
    return np.maximum(said - 2 * signal * both + signal**2 * rated, 0.0)


def _first_bias(forecasts: Forecasts, mean: FloatArray, error: FloatArray) -> Bias:
    """Where to start: the variance between papers beyond that of averages of errors. mean : (N, J)"""
    present = forecasts.present
    noise = error * (1 / forecasts.count[present]).mean()
    between = np.maximum(mean[present].var(axis=0) - noise, 1e-8)
    return Bias(np.zeros_like(error), between / np.mean(LEVELS**2))


def _level_chances(
    forecasts: Forecasts, mean: FloatArray, scatter: FloatArray, bias: Bias, error: FloatArray
) -> FloatArray:
    """(N, L) chances of the levels given each paper's forecasts."""
    level = LEVELS[:, None, None]
    spread = level**2 * bias.variance + error / forecasts.divisor  # (L, N, J)
    log = -0.5 * ((mean - level * bias.mean) ** 2 / spread + np.log(spread) + scatter / error).sum(axis=2)
    log[:, ~forecasts.present] = 0.0
    chances = np.exp(log - log.max(axis=0)).T
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _bias(forecasts: Forecasts, chances: FloatArray, middle: FloatArray, variance: FloatArray) -> Bias:
    """Mean and variance of the biases. middle, variance : (L, N, J) of mu"""
    weights = (chances * forecasts.present[:, None]).T[:, :, None]
    level = LEVELS[:, None, None]
    mean = (weights * level * middle).sum(axis=(0, 1)) / (weights * level**2).sum()
    squares = ((middle - level * mean) ** 2 + variance) / level**2
    return Bias(mean, np.maximum((weights * squares).sum(axis=(0, 1)) / forecasts.present.sum(), LEAST_VARIANCE))
