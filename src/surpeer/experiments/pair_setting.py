"""What the sampler draws: two papers, each with its reviewers and its noise, and a prior over their states."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.noise import noisy_joint
from surpeer.core.shapes import FloatArray, as_distributions, as_matrices
from surpeer.errors import ArrayError
from surpeer.experiments.forecasts import ForecastRule
from surpeer.experiments.state_priors import StatePrior, as_state_prior
from surpeer.experiments.votes import as_reviewers


@dataclass(frozen=True)
class Side:
    """One of the two papers, as its reviewers see it."""

    n: int
    noise: FloatArray
    """(K, K)"""
    joint: FloatArray
    """(K, K) noisy joint distribution of two reviewers' ratings."""
    state: FloatArray | None
    """(K,) its clean state, where that is not drawn."""

    @property
    def q(self) -> FloatArray:
        """(K,) noisy prior of each level."""
        return np.asarray(self.joint.sum(axis=-1))


@dataclass(frozen=True)
class PairSetting:
    """A pair of papers to be drawn."""

    prior: StatePrior
    a: Side
    b: Side
    values: FloatArray
    """(K,) what each level is worth, increasing."""
    forecasts: ForecastRule | None
    """None for Bayesian reviewers."""

    @property
    def signals(self) -> int:
        return len(self.values)

    @classmethod
    def of(
        cls,
        n_a: int,
        n_b: int,
        prior: StatePrior | tuple[float, float],
        noise_a: ArrayLike,
        noise_b: ArrayLike,
        values: ArrayLike | None = None,
        forecasts: ForecastRule | None = None,
        states: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> "PairSetting":
        """Check the arguments of `sample_accuracy`, which explains them."""
        of_states = as_state_prior(prior)
        if states is not None and len(states) != 2:
            raise ArrayError(f"states has {len(states)} entries, expected those of paper A and paper B")
        w_a, w_b = (None, None) if states is None else states
        sides = (_side(of_states, n_a, noise_a, w_a, "a"), _side(of_states, n_b, noise_b, w_b, "b"))
        return cls(of_states, *sides, _values(values, of_states.signals), forecasts)


def _side(prior: StatePrior, n: int, noise: ArrayLike, state: ArrayLike | None, name: str) -> Side:
    matrix = as_distributions(as_matrices(noise, f"noise_{name}"), f"noise_{name}")
    _check_shape(f"noise_{name}", matrix, (prior.signals, prior.signals))
    known = None if state is None else as_distributions(state, f"w_{name}")
    if known is not None:
        _check_shape(f"w_{name}", known, (prior.signals,))
    return Side(as_reviewers(n, f"n_{name}"), matrix, noisy_joint(prior.joint, matrix), known)


def _values(values: ArrayLike | None, signals: int) -> FloatArray:
    if values is None:
        return np.arange(2.0) if signals == 2 else np.arange(1.0, signals + 1)
    numbers = np.asarray(values, dtype=np.float64)
    _check_shape("values", numbers, (signals,))
    if not np.all(np.diff(numbers) > 0) or not np.all(np.isfinite(numbers)):
        raise ArrayError(f"values are {numbers.tolist()}, expected finite numbers that increase from level to level")
    return numbers


def _check_shape(name: str, array: FloatArray, expected: tuple[int, ...]) -> None:
    if array.shape != expected:
        raise ArrayError(f"{name} has shape {array.shape}, expected {expected[0]} levels as the prior has")
