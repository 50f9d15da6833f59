"""The same accuracy by sampling, and what has no closed form: more levels, any noise matrix, any forecasts.

Pairs of papers are drawn in blocks, each with a generator spawned from the one that was given, on as many threads as
there are processors; the result depends on the generator alone. With Bayesian forecasts the score is a function of the
vote counts. With any other forecasts the pairs are made into reviews and go the way of a real venue's
(Reviews -> Matrices -> Scores), so that every registered method can be tried.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from surpeer.core.frequency import frequencies, mean_rating
from surpeer.core.joint import predictions_from_joint
from surpeer.core.noise import noisy_joint
from surpeer.core.order import prefer
from surpeer.core.popular import sp_inspired_score
from surpeer.core.shapes import BoolArray, FloatArray, IntArray, as_distributions, as_matrices
from surpeer.core.surprisal import surprisal_score
from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments.forecasts import ForecastRule
from surpeer.experiments.state_priors import Dirichlet, StatePrior, as_state_prior
from surpeer.experiments.votes import clean_chances, seen_given_clean, through_noise
from surpeer.matrices import build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import METHODS as REGISTERED
from surpeer.scores import score
from surpeer.scores.sp import BINARY_VALUES

# Pairs drawn together: few enough that the arrays stay in the processor's cache.
BLOCK = 1 << 14

KNOWN_PRIOR, INFINITE, ORACLE = "sp", "sp_infinite", "oracle"
SAMPLED_METHODS = ("mean", "surprisal", KNOWN_PRIOR, INFINITE)
"""Methods for any number of levels; `oracle` is added for two."""

Scored = tuple[FloatArray, BoolArray, FloatArray]
"""Score, whether it is defined, and mean rating, as `prefer` takes them."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled probability."""

    mean: float
    standard_error: float
    pairs: int


@dataclass(frozen=True)
class Side:
    """One of the two papers of a pair, as its reviewers see it."""

    n: int
    noise: FloatArray
    """(K, K)"""
    joint: FloatArray
    """(K, K) noisy joint of two reviewers."""
    state: FloatArray | None
    """(K,) its clean state where that is not drawn."""

    @property
    def q(self) -> FloatArray:
        return np.asarray(self.joint.sum(axis=-1))


@dataclass(frozen=True)
class Experiment:
    """What is drawn, and how it is judged."""

    prior: StatePrior
    a: Side
    b: Side
    values: FloatArray
    forecasts: ForecastRule | None

    @property
    def signals(self) -> int:
        return len(self.values)


def sample_accuracy(
    rng: np.random.Generator,
    pairs: int,
    n_a: int,
    n_b: int,
    prior: StatePrior | tuple[float, float],
    noise_a: ArrayLike,
    noise_b: ArrayLike,
    method: str = "surprisal",
    *,
    values: ArrayLike | None = None,
    forecasts: ForecastRule | None = None,
    states: tuple[ArrayLike, ArrayLike] | None = None,
) -> Estimate:
    """`accuracy` by sampling so many pairs of papers: mean and standard error.

    prior : (a, b) of a Beta for two levels, or a `Dirichlet` or `FiniteStates` for any number
    noise_a, noise_b : (K, K) noise matrices, of the family (`surpeer.core.noise_matrix`) or not
    method : mean, surprisal, sp, sp_infinite, or oracle (two levels, Beta prior). With more than two levels
        `sp_infinite` is the score of a venue: undefined, hence the mean, where a level is unused
    values : (K,) what each level is worth; 0 and 1 for two levels, 1..K otherwise
    forecasts : a rule (surpeer.experiments.forecasts) for reviewers who are not Bayesian
    states : the clean states of both papers, for the accuracy on that pair instead of on random ones

    >>> from surpeer.core import noise_matrix
    >>> rng = np.random.default_rng(1)
    >>> found = sample_accuracy(rng, 100_000, 3, 3, (1, 1), noise_matrix(0, [0, 1]), noise_matrix(0.5, [1, 0]))
    >>> abs(found.mean - 0.7180803571428573) < 4 * found.standard_error
    True
    """
    return sample_accuracies(
        rng, pairs, n_a, n_b, prior, noise_a, noise_b, (method,), values=values, forecasts=forecasts, states=states
    )[method]


def sample_accuracies(
    rng: np.random.Generator,
    pairs: int,
    n_a: int,
    n_b: int,
    prior: StatePrior | tuple[float, float],
    noise_a: ArrayLike,
    noise_b: ArrayLike,
    methods: Sequence[str] = SAMPLED_METHODS,
    *,
    values: ArrayLike | None = None,
    forecasts: ForecastRule | None = None,
    states: tuple[ArrayLike, ArrayLike] | None = None,
) -> dict[str, Estimate]:
    """`sample_accuracy` by several methods on the same pairs."""
    experiment = _experiment(n_a, n_b, prior, noise_a, noise_b, values, forecasts, states)
    if pairs < 2:
        raise ArrayError(f"pairs is {pairs}, expected at least 2")
    judge = _judge(experiment, tuple(methods))
    blocks = [BLOCK] * (pairs // BLOCK) + [pairs % BLOCK] * (pairs % BLOCK > 0)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        sums = np.array(list(pool.map(lambda block: judge(*block), zip(rng.spawn(len(blocks)), blocks, strict=True))))
    total, squares = sums.sum(axis=0)  # (methods,) each
    mean = total / pairs
    error = np.sqrt(np.maximum(squares / pairs - mean**2, 0.0) / (pairs - 1))
    return {name: Estimate(float(m), float(e), pairs) for name, m, e in zip(methods, mean, error, strict=True)}


Judge = Callable[[np.random.Generator, int], FloatArray]
"""Draws so many pairs; returns the sum over pairs of how right each method was, and of its square: (2, methods)."""


def _judge(experiment: Experiment, methods: tuple[str, ...]) -> Judge:
    for method in methods:
        if method not in (*SAMPLED_METHODS, ORACLE, *REGISTERED):
            raise UnknownName("method", method, (*SAMPLED_METHODS, ORACLE))
    if ORACLE in methods and not (experiment.signals == 2 and isinstance(experiment.prior, Dirichlet)):
        raise ArrayError("the oracle is known for two levels and a Beta prior only")
    if experiment.signals == 2 and experiment.forecasts is None:
        tables = np.stack([_preference_table(experiment, method) for method in methods])  # (methods, n_a + 1, n_b + 1)
        return lambda rng, pairs: _judge_by_table(rng, pairs, experiment, tables)
    return lambda rng, pairs: _judge_pairs(rng, pairs, experiment, methods)


def _judge_by_table(rng: np.random.Generator, pairs: int, experiment: Experiment, tables: FloatArray) -> FloatArray:
    """Two levels, Bayesian forecasts: what a method prefers is looked up by the two numbers of accepts."""
    state_a, state_b = _states(rng, pairs, experiment)
    accepts_a = _counts(rng, state_a, experiment.a)[1]
    accepts_b = _counts(rng, state_b, experiment.b)[1]
    cell = accepts_a.astype(np.intp) * (experiment.b.n + 1) + accepts_b
    # How often each pair of counts came with A the better, with B the better, and (fixed states) with neither.
    better = np.sign(state_a[:, 1] - state_b[:, 1]).astype(np.intp) + 1
    size = (experiment.a.n + 1) * (experiment.b.n + 1)
    met = np.bincount(better * size + cell, minlength=3 * size).reshape(3, size)
    flat = tables.reshape(len(tables), size)
    right = np.stack([1 - flat, np.full_like(flat, 0.5), flat])  # (3, methods, size)
    return np.stack([np.einsum("bs,bms->m", met, right), np.einsum("bs,bms->m", met, right**2)])


def _judge_pairs(rng: np.random.Generator, pairs: int, experiment: Experiment, methods: tuple[str, ...]) -> FloatArray:
    state_a, state_b = _states(rng, pairs, experiment)
    if experiment.forecasts is None:
        counts = [_counts(rng, state_a, experiment.a).T, _counts(rng, state_b, experiment.b).T]
        scored_a, scored_b = (
            {method: _score_by_counts(counts[at], side, experiment, method) for method in methods}
            for at, side in enumerate((experiment.a, experiment.b))
        )
    else:
        scored_a = _score_by_reviews(rng, state_a, experiment.a, experiment, methods)
        scored_b = _score_by_reviews(rng, state_b, experiment.b, experiment, methods)
    better = (np.sign((state_a - state_b) @ experiment.values) + 1) / 2  # 1, 1/2, 0
    sums = []
    for method in methods:
        chosen = _choice(experiment, method, scored_a[method], scored_b[method])
        right = chosen * better + (1 - chosen) * (1 - better)
        sums.append((right.sum(), (right**2).sum()))
    return np.array(sums).T


def _choice(experiment: Experiment, method: str, a: Scored, b: Scored) -> FloatArray:
    if method == ORACLE:  # it looks at the votes alone
        table = _preference_table(experiment, ORACLE)
        return np.asarray(table[_accepts(a, experiment.a.n), _accepts(b, experiment.b.n)])
    return prefer(*a, *b)


def _accepts(scored: Scored, n: int) -> IntArray:
    return np.rint(scored[0] * n).astype(np.int64)


def _states(rng: np.random.Generator, pairs: int, experiment: Experiment) -> list[FloatArray]:
    """Clean states of both papers of every pair: (pairs, K) each."""
    return [
        experiment.prior.sample(rng, pairs) if side.state is None else np.broadcast_to(side.state, (pairs, len(side.q)))
        for side in (experiment.a, experiment.b)
    ]


def _counts(rng: np.random.Generator, states: FloatArray, side: Side) -> IntArray:
    """How many of a paper's reviewers give each level: (K, papers). One uniform number for each reviewer."""
    below = _level_borders(states, side)
    reached = np.zeros((len(below) + 1, len(states)), dtype=np.int32)  # reviewers up to each level
    for _ in range(side.n):
        ticket = rng.random(len(states))
        for level, border in enumerate(below):
            reached[level] += ticket < border
    reached[-1] = side.n
    return np.diff(reached, axis=0, prepend=0)


def _ratings(rng: np.random.Generator, states: FloatArray, side: Side) -> IntArray:
    """The level that each reviewer gives: (papers, n)."""
    tickets = rng.random((len(states), side.n))
    return np.asarray(sum((tickets >= border[:, None]).astype(np.int64) for border in _level_borders(states, side)))


def _level_borders(states: FloatArray, side: Side) -> FloatArray:
    """Cumulated probabilities of all levels but the last: (K - 1, papers)."""
    return np.ascontiguousarray(np.cumsum(states @ side.noise, axis=1)[:, :-1].T)


def _preference_table(experiment: Experiment, method: str) -> FloatArray:
    """Two levels: what the method prefers for all pairs of numbers of accepts, (n_a + 1, n_b + 1)."""
    a, b = experiment.a, experiment.b
    if method == ORACLE:
        assert isinstance(experiment.prior, Dirichlet)  # noqa: S101 (checked by _judge)
        beta = experiment.prior.alpha[1], experiment.prior.alpha[0]
        seen = seen_given_clean(a.n, a.noise), seen_given_clean(b.n, b.noise)
        chances = through_noise(clean_chances(beta, a.n, b.n), *seen)
        return np.asarray((np.sign(chances.a_better - chances.b_better) + 1) / 2)
    scored = []
    for side in (a, b):
        accepts = np.arange(side.n + 1)
        scored.append(_score_by_counts(np.stack([side.n - accepts, accepts], axis=1), side, experiment, method))
    (value_a, defined_a, mean_a), (value_b, defined_b, mean_b) = scored
    return prefer(value_a[:, None], defined_a[:, None], mean_a[:, None], value_b[None], defined_b, mean_b[None])


def _score_by_counts(counts: IntArray, side: Side, experiment: Experiment, method: str) -> Scored:
    """Scores when every forecast is Bayesian, so that P is known as soon as a level is used. counts : (papers, K)"""
    mean = mean_rating(counts, experiment.values)
    if method in ("mean", ORACLE):
        return mean, np.ones(len(mean), dtype=np.bool_), mean
    v, binary = frequencies(counts), experiment.signals == 2
    if method == "surprisal":
        value = surprisal_score(v, side.joint, experiment.values)
    else:
        value = sp_inspired_score(v, side.q, BINARY_VALUES if binary else experiment.values)
    used = np.asarray((counts > 0).all(axis=1))
    if method == KNOWN_PRIOR:
        used = np.ones_like(used)
    elif binary:
        value = np.where(used, value, np.where(counts[:, 1] > 0, np.inf, -np.inf))
        used = np.ones_like(used)
    return value, used, mean


def _score_by_reviews(
    rng: np.random.Generator, states: FloatArray, side: Side, experiment: Experiment, methods: tuple[str, ...]
) -> dict[str, Scored]:
    """Make reviews with forecasts and score them as a venue's."""
    assert experiment.forecasts is not None  # noqa: S101
    papers, signals = len(states), experiment.signals
    rating = _ratings(rng, states, side).ravel()
    told = experiment.forecasts(rng, predictions_from_joint(side.joint)[rating], rating)
    scale = Scale(range(1, signals + 1), experiment.values)
    reviews = Reviews(scale, pl.Series(np.arange(papers)), np.repeat(np.arange(papers), side.n), rating, told)
    matrices = build_matrices(reviews)
    scored: dict[str, Scored] = {}
    for method in methods:
        if method == KNOWN_PRIOR:  # the prior from the forecasts, and the true one where they do not give it
            q = np.where(np.all(matrices.q > 0, axis=1, keepdims=True), matrices.q, side.q)
            phi = BINARY_VALUES if signals == 2 else experiment.values
            scored[method] = sp_inspired_score(matrices.v, q, phi), np.ones(papers, dtype=np.bool_), matrices.mean
        else:
            scores = score(matrices, {INFINITE: "sp", ORACLE: "mean"}.get(method, method))
            scored[method] = scores.value, scores.defined, scores.mean
    return scored


def _experiment(
    n_a: int,
    n_b: int,
    prior: StatePrior | tuple[float, float],
    noise_a: ArrayLike,
    noise_b: ArrayLike,
    values: ArrayLike | None,
    forecasts: ForecastRule | None,
    states: tuple[ArrayLike, ArrayLike] | None,
) -> Experiment:
    of_states = as_state_prior(prior)
    signals = of_states.signals
    default = (0.0, 1.0) if signals == 2 else tuple(range(1, signals + 1))
    phi = np.asarray(default if values is None else values, dtype=np.float64)
    _check_levels("values", phi.shape, (signals,))
    sides = []
    for at, (n, noise, name) in enumerate(((n_a, noise_a, "a"), (n_b, noise_b, "b"))):
        matrix = as_distributions(as_matrices(noise, f"noise_{name}"), f"noise_{name}")
        _check_levels(f"noise_{name}", matrix.shape, (signals, signals))
        state = None if states is None else as_distributions(states[at], f"w_{name}")
        if state is not None:
            _check_levels(f"w_{name}", state.shape, (signals,))
        if n < 1:
            raise ArrayError(f"n_{name} is {n}, expected at least one reviewer")
        sides.append(Side(int(n), matrix, noisy_joint(of_states.joint, matrix), state))
    return Experiment(of_states, sides[0], sides[1], phi, forecasts)


def _check_levels(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> None:
    if found != expected:
        raise ArrayError(f"{name} has shape {found}, expected {expected[0]} levels as the prior has")
