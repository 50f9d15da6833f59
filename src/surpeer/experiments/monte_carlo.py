"""The same accuracy by sampling, and what has no closed form: more levels, any noise matrix, any forecasts.

Pairs of papers are drawn in blocks, each with a generator spawned from the one that was given, on as many threads as
there are processors; the result depends on the generator alone. Each paper of a pair has a generator of its own, so
that with the same seed and more reviewers the first ones say the same.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from surpeer.core.order import nearly_equal, prefer
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import ArrayError
from surpeer.experiments.comparing import METHODS, ORACLE, find_vote_method
from surpeer.experiments.forecasts import ForecastRule
from surpeer.experiments.pair_setting import PairSetting, Side
from surpeer.experiments.sampled_scores import (
    Scored,
    oracle_table,
    preference_table,
    score_by_counts,
    score_venue,
    venue_of,
)
from surpeer.experiments.state_priors import StatePrior

# Pairs drawn together: few enough that the arrays stay in the processor's cache.
BLOCK = 1 << 14

# Reviews made together, where they are made one by one.
REVIEWS = 1 << 16

SAMPLED_METHODS = tuple(method for method in METHODS if method != ORACLE)
"""Methods for any number of levels; the oracle is for two."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled probability."""

    mean: float
    standard_error: float
    pairs: int


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
        surprisal and sp_infinite are undefined, hence compared by the mean, where a level is unused
    values : (K,) what each level is worth; 0 and 1 for two levels, 1..K otherwise
    forecasts : a rule (surpeer.experiments.forecasts) for reviewers who are not Bayesian; `sp` then has its prior from
        what they say, and the true one only where they do not give it
    states : the clean states of both papers, for the accuracy on that pair instead of on random ones

    >>> from surpeer.core import noise_matrix
    >>> rng = np.random.default_rng(1)
    >>> found = sample_accuracy(rng, 100_000, 3, 3, (1, 1), noise_matrix(0, [0, 1]), noise_matrix(0.5, [1, 0]))
    >>> abs(found.mean - 0.7180803571428573) < 4 * found.standard_error
    True
    """
    setting = PairSetting.of(n_a, n_b, prior, noise_a, noise_b, values, forecasts, states)
    return _sample(rng, pairs, setting, (method,))[method]


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
    setting = PairSetting.of(n_a, n_b, prior, noise_a, noise_b, values, forecasts, states)
    return _sample(rng, pairs, setting, tuple(methods))


def _sample(
    rng: np.random.Generator, pairs: int, setting: PairSetting, methods: tuple[str, ...]
) -> dict[str, Estimate]:
    if not isinstance(rng, np.random.Generator):
        raise ArrayError(f"rng is {rng!r}, expected a numpy.random.Generator such as numpy.random.default_rng(1)")
    if not isinstance(pairs, int | np.integer) or pairs < 2:
        raise ArrayError(f"pairs is {pairs}, expected a whole number, at least 2")
    judge = _judge(setting, methods)
    block = BLOCK if setting.forecasts is None else max(1, REVIEWS // max(setting.a.n, setting.b.n))
    blocks = [min(block, int(pairs) - start) for start in range(0, int(pairs), block)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        sums = sum(pool.map(judge, _generators(rng, len(blocks)), blocks))
    total, squares = np.asarray(sums)  # (methods,) each
    mean = total / pairs
    error = np.sqrt(np.maximum(squares / pairs - mean**2, 0.0) / (pairs - 1))
    return {name: Estimate(float(m), float(e), int(pairs)) for name, m, e in zip(methods, mean, error, strict=True)}


def _generators(rng: np.random.Generator, number: int) -> list[np.random.Generator]:
    """Independent generators that follow from the state of this one, which moves on."""
    return [np.random.default_rng(seed) for seed in np.random.SeedSequence(draw_seed(rng)).spawn(number)]


def draw_seed(rng: np.random.Generator) -> list[int]:
    """A seed for other generators."""
    return [int(number) for number in rng.integers(0, 2**32, 8)]


Judge = Callable[[np.random.Generator, int], FloatArray]
"""Draws so many pairs; returns the sum over pairs of how right each method was, and of its square: (2, methods)."""


def _judge(setting: PairSetting, methods: tuple[str, ...]) -> Judge:
    if not methods:
        raise ArrayError(f"methods is empty, expected some of {', '.join(METHODS)}")
    for method in methods:
        find_vote_method(method)
    if setting.signals == 2 and setting.forecasts is None:
        tables = np.stack([preference_table(setting, method).ravel() for method in methods])  # (methods, cells)
        right = np.stack([1 - tables, np.full_like(tables, 0.5), tables])  # B is better, neither, A is
        return lambda rng, pairs: _judge_by_table(rng, pairs, setting, np.stack([right, right**2]))
    oracle = oracle_table(setting) if ORACLE in methods else np.empty(0)
    return lambda rng, pairs: _judge_by_score(rng, pairs, setting, methods, oracle)


def _judge_by_table(rng: np.random.Generator, pairs: int, setting: PairSetting, right: FloatArray) -> FloatArray:
    """Two levels, Bayesian forecasts: how right a method is follows from the two numbers of accepts.

    right : (2, 3, methods, cells) for B, neither or A the better paper, and squared
    """
    rng_a, rng_b = rng.spawn(2)
    state_a, state_b = _states(rng_a, pairs, setting, setting.a), _states(rng_b, pairs, setting, setting.b)
    accepts_a, accepts_b = _counts(rng_a, state_a, setting.a)[1], _counts(rng_b, state_b, setting.b)[1]
    cell = accepts_a.astype(np.intp) * (setting.b.n + 1) + accepts_b
    better = 1 + (state_a[:, 1] > state_b[:, 1]) - (state_a[:, 1] < state_b[:, 1]).astype(np.intp)
    cells = right.shape[-1]
    met = np.bincount(better * cells + cell, minlength=3 * cells).reshape(3, cells)  # how often each case came up
    return np.asarray(np.einsum("bc,sbmc->sm", met, right))


def _judge_by_score(
    rng: np.random.Generator, pairs: int, setting: PairSetting, methods: tuple[str, ...], oracle: FloatArray
) -> FloatArray:
    """Any other setting: every paper is scored."""
    rng_a, rng_b = rng.spawn(2)
    state_a, state_b = _states(rng_a, pairs, setting, setting.a), _states(rng_b, pairs, setting, setting.b)
    accepts_a, scored_a = _scored(rng_a, state_a, setting.a, setting, methods)
    accepts_b, scored_b = _scored(rng_b, state_b, setting.b, setting, methods)
    quality_a, quality_b = state_a @ setting.values, state_b @ setting.values
    better = np.where(nearly_equal(quality_a, quality_b), 0.5, (quality_a > quality_b).astype(np.float64))
    sums = []
    for method in methods:
        by_votes = method == ORACLE
        first = oracle[accepts_a, accepts_b] if by_votes else prefer(*scored_a[method], *scored_b[method])
        right = first * better + (1 - first) * (1 - better)
        sums.append((right.sum(), (right**2).sum()))
    return np.array(sums).T


def _scored(
    rng: np.random.Generator, states: FloatArray, side: Side, setting: PairSetting, methods: tuple[str, ...]
) -> tuple[IntArray, dict[str, Scored]]:
    """How often each paper got the highest level, and its score by each method but the oracle."""
    wanted = [method for method in methods if method != ORACLE]
    if setting.forecasts is None:
        counts = _counts(rng, states, side).T
        return counts[:, -1], {method: score_by_counts(counts, side, setting, method) for method in wanted}
    venue = venue_of(rng, _ratings(rng, states, side), side, setting)
    return venue.counts[:, -1], {method: score_venue(venue, side, setting, method) for method in wanted}


def _states(rng: np.random.Generator, pairs: int, setting: PairSetting, side: Side) -> FloatArray:
    """Clean states of one side's papers: (pairs, K)."""
    return setting.prior.sample(rng, pairs) if side.state is None else np.tile(side.state, (pairs, 1))


def _counts(rng: np.random.Generator, states: FloatArray, side: Side) -> IntArray:
    """How many of a paper's reviewers give each level: (K, papers). One uniform number for each reviewer."""
    below = _level_borders(states, side)
    smallest = np.uint8 if side.n < 256 else np.int32  # less memory to go through
    reached = np.zeros((len(below) + 1, len(states)), dtype=smallest)  # reviewers up to each level
    for _ in range(side.n):
        ticket = rng.random(len(states))
        for level, border in enumerate(below):
            reached[level] += ticket < border
    reached[-1] = side.n
    reached[1:] -= reached[:-1].copy()
    return reached


def _ratings(rng: np.random.Generator, states: FloatArray, side: Side) -> IntArray:
    """The level that each reviewer gives: (papers, n)."""
    tickets = rng.random((len(states), side.n))
    return np.asarray(sum((tickets >= border[:, None]).astype(np.int64) for border in _level_borders(states, side)))


def _level_borders(states: FloatArray, side: Side) -> FloatArray:
    """Cumulated probabilities of all levels but the last: (K - 1, papers)."""
    return np.ascontiguousarray(np.cumsum(states @ side.noise, axis=1)[:, :-1].T)
