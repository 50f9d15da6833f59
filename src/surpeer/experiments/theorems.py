"""Claims and theorems, tried on random settings: one row each, for equalities with the largest difference found."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

import surpeer.core as core
from surpeer.core.shapes import FloatArray
from surpeer.experiments.exact import error_probability

SIGNALS = (2, 3, 4, 5)
SETTINGS = 2000
"""Random settings for each row."""

# For equalities in floats. Inverses and roots of small determinants magnify the rounding of their entries.
TOLERANCE = 1e-10

LIMIT_REVIEWERS = (10, 100, 1000)


class Check(NamedTuple):
    """One statement of the paper, tried out."""

    statement: str
    levels: int
    quantity: str
    settings: int
    worst: float
    """Largest difference, relative for numbers above one, or what `quantity` says."""
    holds: bool


def theorem_table(rng: np.random.Generator) -> pl.DataFrame:
    """`theorems.csv`: every equality of the paper, with the largest difference between its two sides."""
    return pl.DataFrame([check._asdict() for check in _checks(rng)])


def _checks(rng: np.random.Generator) -> Iterator[Check]:
    for signals in SIGNALS:
        yield from _checks_of_family(rng, signals)
    for signals in SIGNALS:
        yield from _checks_of_invariant_surprisal(rng, signals)
    yield from _checks_of_limits()


def _checks_of_family(rng: np.random.Generator, signals: int) -> Iterator[Check]:
    """Noises of the family M*."""
    Q = _random_papers(rng, signals)
    level, bias = rng.uniform(0, 0.95, SETTINGS), rng.dirichlet(np.full(signals, 0.5), SETTINGS)
    level_b, bias_b = rng.permutation(level), rng.permutation(bias)
    M, M_b = core.noise_matrix(level, bias), core.noise_matrix(level_b, bias_b)
    w_a, w_b = Q.states[:, 0], Q.states[:, 1]
    values = np.sort(rng.normal(size=signals)) + np.arange(signals)
    joint = core.noisy_joint(Q.joint, M)
    P = core.predictions_from_joint(joint)
    prior = core.noisy_state(Q.prior, M)
    yield _equal("Claim 1: prior from predictions", signals, "q", core.prior_from_predictions(P), prior)
    yield _equal("Claim 1: joint from predictions", signals, "U", core.joint_from_predictions(P), joint)
    seen = core.noisy_state(w_a, M)
    yield _equal("Claim 2: noisy state", signals, "w M", seen, (1 - level[:, None]) * w_a + level[:, None] * bias)
    if signals == 2:
        found_level, found_bias = core.noise_level_and_bias(M)
        yield _equal("Claim 2: every binary noise is in the family", 2, "level", found_level, level)
        yield _equal(
            "Claim 2: every binary noise is in the family",
            2,
            "level * bias",
            found_level[:, None] * found_bias,
            level[:, None] * bias,
        )
        q0, q1 = prior[:, 0], prior[:, 1]
        divisor = np.sqrt(q0 * q1 * (P[:, 1, 1] - P[:, 0, 1]))
        yield _equal("Claim 3: binary divisor", 2, "noise scale", core.noise_scale(joint), divisor)
    yield _equal("det M = (1 - level)^(K-1)", signals, "det M", np.linalg.det(M), (1 - level) ** (signals - 1))
    clean = core.surprisal_vector(w_a, Q.joint)
    yield _equal("Theorem 1: invariance", signals, "surprisal vector", core.surprisal_vector(seen, joint), clean)
    at_prior = core.surprisal_vector(core.noisy_state(Q.prior, M), joint)
    yield _equal("Theorem 1: zero at the prior", signals, "surprisal vector", at_prior, 0 * at_prior)
    noisy_a = core.surprisal_score(seen, joint, values)
    noisy_b = core.surprisal_score(core.noisy_state(w_b, M_b), core.noisy_joint(Q.joint, M_b), values)
    clean_a, clean_b = (core.surprisal_score(w, Q.joint, values) for w in (w_a, w_b))
    name = "Corollary 1: comparison through two noises"
    yield _equal(name, signals, "S(A) - S(B)", noisy_a - noisy_b, clean_a - clean_b)
    quality = (w_a - w_b) @ values
    wrong = float(np.mean(np.sign(noisy_a - noisy_b) != np.sign(quality)))
    yield Check(name, signals, "share of pairs in another order than their quality", SETTINGS, wrong, wrong == 0)


def _checks_of_invariant_surprisal(rng: np.random.Generator, signals: int) -> Iterator[Check]:
    """Any invertible noise."""
    Q = _random_papers(rng, signals)
    M = _invertible_noise(rng, signals)
    w = Q.states[:, 0]
    joint = core.noisy_joint(Q.joint, M)
    clean = core.invariant_surprisal(w, Q.joint)
    seen = core.invariant_surprisal(core.noisy_state(w, M), joint)
    yield _equal("Theorem 4: invariant to any invertible noise", signals, "invariant surprisal", seen, clean)
    least = float(seen.min())
    yield Check("Theorem 4: non-negative", signals, "least invariant surprisal", SETTINGS, least, least >= -TOLERANCE)
    at_prior = core.invariant_surprisal(core.noisy_state(Q.prior, M), joint)
    yield _equal("Theorem 4: zero at the prior", signals, "invariant surprisal", at_prior, 0 * at_prior)
    if signals == 2:
        binary = (w - Q.joint.sum(axis=-1))[:, 1] ** 2 / np.linalg.det(Q.joint)
        yield _equal("Theorem 4: binary form", 2, "invariant surprisal", clean, binary)
    q = _unbalanced_priors(rng, signals)
    everybody = np.eye(signals)
    consensus = q[:, :, None] * everybody  # (settings, K, K): diag(q)
    expected = 1 / q - 1
    found = core.invariant_surprisal(np.broadcast_to(everybody, consensus.shape), consensus[:, None])
    yield _equal("Consensus: 1 / q - 1", signals, "invariant surprisal", found, expected)
    noisy = core.invariant_surprisal(
        core.noisy_state(np.broadcast_to(everybody, consensus.shape), M[:, None]),
        core.noisy_joint(consensus, M)[:, None],
    )
    yield _equal("Corollary 2: noisy consensus", signals, "invariant surprisal", noisy, expected)
    identified = core.identify_consensus_state(np.abs(noisy), q[:, None, :])
    missed = float(np.mean(identified != np.arange(signals)))
    name = "Clean state identified through noise"
    yield Check(name, signals, "share of states missed", SETTINGS, missed, missed == 0)


def _checks_of_limits() -> Iterator[Check]:
    """Theorem 2: the error vanishes with many reviewers, here through strong noise with opposite biases."""
    name, fewer = "Theorem 2: the error falls with more reviewers (one example)", 0.5
    for n in LIMIT_REVIEWERS:
        error = float(error_probability([0.7, 0.3], [0.3, 0.7], n, n, 0.6, 0.8, [0, 1], [1, 0]))
        yield Check(name, 2, f"error of 0.3 against 0.7 with {n} reviewers", 1, error, error < fewer)
        fewer = error


class _Papers(NamedTuple):
    states: FloatArray
    """(settings, K + 2, K) some papers of each setting"""
    joint: FloatArray
    """(settings, K, K) of a prior that gives each of them the same weight"""

    @property
    def prior(self) -> FloatArray:
        """(settings, K)"""
        return np.asarray(self.states.mean(axis=1))


def _random_papers(rng: np.random.Generator, signals: int) -> _Papers:
    states = rng.dirichlet(np.ones(signals), (SETTINGS, signals + 2))
    return _Papers(states, np.swapaxes(states, -1, -2) @ states / (signals + 2))


def _invertible_noise(rng: np.random.Generator, signals: int) -> FloatArray:
    """Row-stochastic matrices well away from singular ones, most of them outside the family."""
    random = rng.dirichlet(np.ones(signals), (SETTINGS, signals))
    mixed = 0.5 * random + 0.5 * np.eye(signals)
    order = rng.permuted(np.tile(np.arange(signals), (SETTINGS, 1)), axis=1)  # even "reject means accept"
    return np.take_along_axis(mixed, order[:, None, :], axis=2)


def _unbalanced_priors(rng: np.random.Generator, signals: int) -> FloatArray:
    """Priors whose entries differ, so that consensus states can be told apart."""
    steps = rng.uniform(0.5, 1.5, (SETTINGS, signals)).cumsum(axis=1)
    return np.asarray(rng.permuted(steps, axis=1) / steps.sum(axis=1, keepdims=True))


def _equal(statement: str, signals: int, quantity: str, found: FloatArray, expected: FloatArray) -> Check:
    difference = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    worst = float(difference.max())
    return Check(statement, signals, f"difference in {quantity}", SETTINGS, worst, worst <= TOLERANCE)
