"""Where papers come from: distributions over clean states, on any number of levels."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.joint import joint_from_dirichlet
from surpeer.core.shapes import SIMPLEX_TOLERANCE, FloatArray, as_distributions, as_vectors
from surpeer.errors import ArrayError
from surpeer.experiments.rational import as_floats, as_fractions

# Beyond these, states are so alike or so extreme that floats cannot tell them apart.
LEAST_WEIGHT, LARGEST_WEIGHT = Fraction(1, 10**9), Fraction(10**9)
WEIGHT_LIMITS = f"{float(LEAST_WEIGHT):g} to {float(LARGEST_WEIGHT):g}"


def are_weights(numbers: Iterable[float | Fraction]) -> bool:
    """Whether the parameters of a Beta or Dirichlet distribution can be computed with."""
    return all(LEAST_WEIGHT <= number <= LARGEST_WEIGHT for number in numbers)


def check_weights(numbers: Iterable[float | Fraction], name: str, given: object) -> None:
    """`given` is what the user wrote, for the message."""
    if not are_weights(numbers):
        raise ArrayError(f"{name} is {given!r}, expected numbers from {WEIGHT_LIMITS}")


@runtime_checkable
class StatePrior(Protocol):
    """A distribution over clean states w, each a distribution over K levels."""

    @property
    def signals(self) -> int:
        """K."""

    @property
    def joint(self) -> FloatArray:
        """(K, K) joint distribution U = E[w' w] of two reviewers' clean ratings of one random paper."""

    def sample(self, rng: np.random.Generator, papers: int) -> FloatArray:
        """(papers, K) states of random papers."""


@dataclass(frozen=True)
class Dirichlet:
    """States drawn from Dirichlet(alpha), lowest level first."""

    alpha: tuple[float, ...]

    def __post_init__(self) -> None:
        weights = as_vectors(self.alpha, "alpha")
        if weights.ndim != 1:
            raise ArrayError("alpha has several rows, expected one weight for each level")
        check_weights(weights.tolist(), "alpha", self.alpha)

    @classmethod
    def beta(cls, a: float, b: float) -> "Dirichlet":
        """Two levels; the share of accepts is Beta(a, b)."""
        return cls((float(b), float(a)))

    @property
    def signals(self) -> int:
        return len(self.alpha)

    @property
    def joint(self) -> FloatArray:
        return joint_from_dirichlet(self.alpha)

    def sample(self, rng: np.random.Generator, papers: int) -> FloatArray:
        """(papers, K), by the gamma variables of numpy (faster here than its beta)."""
        return rng.dirichlet(self.alpha, papers)


@dataclass(frozen=True)
class FiniteStates:
    """A few kinds of papers: states, (kinds, K), and how frequent each kind is."""

    states: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len({np.shape(state) for state in self.states}) != 1 or np.ndim(self.states[0]) != 1:
            raise ArrayError(f"states are {self.states}, expected a distribution over the same levels for each kind")
        as_distributions(self.states, "states")
        weights = np.asarray(self.weights, dtype=np.float64)
        sums_to_one = abs(weights.sum() - 1) <= SIMPLEX_TOLERANCE
        if weights.shape != (len(self.states),) or not np.all(weights > 0) or not sums_to_one:
            raise ArrayError(f"weights are {self.weights}, expected a positive share of one for each state")

    @property
    def signals(self) -> int:
        return len(self.states[0])

    @property
    def joint(self) -> FloatArray:
        states = np.asarray(self.states)
        return np.asarray(states.T @ (np.asarray(self.weights)[:, None] * states))

    def sample(self, rng: np.random.Generator, papers: int) -> FloatArray:
        """(papers, K)"""
        kinds = rng.choice(len(self.states), size=papers, p=np.asarray(self.weights) / np.sum(self.weights))
        return np.asarray(self.states)[kinds]


def as_state_prior(prior: StatePrior | ArrayLike) -> StatePrior:
    """A prior, or the parameters (a, b) of a Beta for two levels."""
    if isinstance(prior, StatePrior):
        return prior
    numbers = as_floats(as_fractions(prior, "prior"))
    if numbers.shape != (2,):
        raise ArrayError(f"prior is {prior!r}, expected (a, b) of a Beta, a Dirichlet or FiniteStates")
    return Dirichlet.beta(*numbers.tolist())
