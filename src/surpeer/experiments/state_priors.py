"""Where papers come from: distributions over clean states, on any number of levels."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit

from surpeer.core.joint import joint_from_dirichlet
from surpeer.core.shapes import SIMPLEX_TOLERANCE, FloatArray, as_distributions, as_vectors
from surpeer.errors import ArrayError
from surpeer.experiments.rational import as_floats, as_fractions

# Beyond these, states are so alike or so extreme that floats cannot tell them apart.
LEAST_WEIGHT, LARGEST_WEIGHT = Fraction(1, 10**9), Fraction(10**9)
WEIGHT_LIMITS = f"{float(LEAST_WEIGHT):g} to {float(LARGEST_WEIGHT):g}"

# The trapezoidal rule over a normal merit: with this step and reach it is exact to rounding up to this strength.
MERIT_STEP, MERIT_REACH, LARGEST_STRENGTH = 0.1, 9.0, 5.0


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


@dataclass(frozen=True)
class OrderedLogit:
    """Levels that are steps of one merit: theta ~ N(0, 1) and P(rating <= s) = logistic(cut_s - strength * theta).

    The cuts are those with which all levels are equally frequent. Integrals over theta are sums over `merits`.
    """

    signals: int
    strength: float

    def __post_init__(self) -> None:
        if self.signals < 2:
            raise ArrayError(f"signals is {self.signals}, expected at least two levels")
        if not 0 < self.strength <= LARGEST_STRENGTH:
            raise ArrayError(f"strength is {self.strength}, expected a number above 0, at most {LARGEST_STRENGTH:g}")

    @cached_property
    def merits(self) -> FloatArray:
        """Where integrals over the merit are evaluated."""
        steps = round(MERIT_REACH / MERIT_STEP)
        return np.asarray(MERIT_STEP * np.arange(-steps, steps + 1), dtype=np.float64)

    @cached_property
    def weights(self) -> FloatArray:
        """How much each of `merits` counts; they sum to one."""
        density = np.exp(-(self.merits**2) / 2)
        return np.asarray(density / density.sum())

    @cached_property
    def cuts(self) -> FloatArray:
        """(K - 1,), increasing."""

        def share_below(cut: float) -> float:
            return float(self.weights @ expit(cut - self.strength * self.merits))

        widest = 10 * self.strength + 10 + float(np.log(self.signals))
        shares = np.arange(1, self.signals) / self.signals
        return np.array([brentq(lambda c, q=q: share_below(c) - q, -widest, widest, xtol=1e-14) for q in shares])

    def states_at(self, merits: FloatArray) -> FloatArray:
        """(..., K) the state of papers of these merits."""
        below = expit(self.cuts - self.strength * merits[..., None])  # (..., K - 1)
        ends = np.zeros((*merits.shape, 1))
        return np.diff(np.concatenate([ends, below, ends + 1], axis=-1), axis=-1)

    @property
    def joint(self) -> FloatArray:
        states = self.states_at(self.merits)
        return np.asarray(states.T @ (self.weights[:, None] * states))

    def sample(self, rng: np.random.Generator, papers: int) -> FloatArray:
        """(papers, K)"""
        return self.states_at(rng.normal(size=papers))


def as_state_prior(prior: StatePrior | ArrayLike) -> StatePrior:
    """A prior, or the parameters (a, b) of a Beta for two levels."""
    if isinstance(prior, StatePrior):
        return prior
    numbers = as_floats(as_fractions(prior, "prior"))
    if numbers.shape != (2,):
        raise ArrayError(f"prior is {prior!r}, expected (a, b) of a Beta, a Dirichlet or FiniteStates")
    return Dirichlet.beta(*numbers.tolist())
