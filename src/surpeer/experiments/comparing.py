"""Which of two papers a method ranks higher, for every pair of vote counts, with ties decided exactly.

With two levels and Bayesian reviewers every method but the oracle reads a paper's votes on a ruler of its own:

    key(k) = (k / n - centre) / spread                        k accepts of n

    mean          centre 0,  spread 1
    surprisal     centre q,  spread (1 - level), which is its divisor but for a factor that both papers share
    sp            centre q,  spread q (1 - q), because v1 / q1 - v0 / q0 = (v1 - q1) / (q0 q1)

where q is the noisy prior of an accept. Centre and spread are fractions of the numbers that were given, so that equal
keys are found equal, however they were reached. `surprisal` and `sp_infinite` put unanimous papers at infinity; `sp`
reads them on its ruler, with q known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.errors import UnknownName


class Noise(NamedTuple):
    """The noise of a paper with two levels, in fractions: its level and how often its bias says accept."""

    level: Fraction
    accept: Fraction


class Ruler(NamedTuple):
    """How a method reads the share of accepts of one paper."""

    centre: Fraction
    spread: Fraction


@dataclass(frozen=True, slots=True)
class VoteMethod:
    """A method that depends on the votes alone, given prior and noise."""

    name: str
    ruler: Callable[[Fraction, Noise], Ruler]
    """From the clean prior of an accept and the noise."""
    infinite: bool
    """Whether unanimous papers are at plus and minus infinity."""


def noisy_prior(prior: Fraction, noise: Noise) -> Fraction:
    """How often an accept is seen: (1 - level) q + level b."""
    return prior + noise.level * (noise.accept - prior)


def _by_mean(prior: Fraction, noise: Noise) -> Ruler:  # noqa: ARG001 (the mean knows neither)
    return Ruler(Fraction(0), Fraction(1))


def _by_surprisal(prior: Fraction, noise: Noise) -> Ruler:
    return Ruler(noisy_prior(prior, noise), 1 - noise.level)


def _by_popularity(prior: Fraction, noise: Noise) -> Ruler:
    q = noisy_prior(prior, noise)
    return Ruler(q, q * (1 - q))


VOTE_METHODS = {
    method.name: method
    for method in (
        VoteMethod("mean", _by_mean, infinite=False),
        VoteMethod("surprisal", _by_surprisal, infinite=True),
        VoteMethod("sp", _by_popularity, infinite=False),
        VoteMethod("sp_infinite", _by_popularity, infinite=True),
    )
}

ORACLE = "oracle"
METHODS = (*VOTE_METHODS, ORACLE)
"""The oracle picks the paper that is more likely to be better, and has no ruler."""

# The share of the larger key within which floats do not decide.
DOUBTFUL = 1e-12


def find_vote_method(name: str) -> VoteMethod | None:
    """The method of this name; None for the oracle."""
    if name not in METHODS:
        raise UnknownName("method", str(name), METHODS)
    return VOTE_METHODS.get(name)


def key(votes: int, n: int, ruler: Ruler) -> Fraction:
    """Where so many accepts of n stand on a ruler."""
    return (Fraction(votes, n) - ruler.centre) / ruler.spread


def preferences(method: VoteMethod, n_a: int, n_b: int, rulers_a: list[Ruler], rulers_b: list[Ruler]) -> FloatArray:
    """1 where A is ranked above B, 0 where below, 1/2 for a tie, for all pairs of vote counts.

    rulers_a, rulers_b : m rulers each; returns (m, n_a + 1, n_b + 1)
    """
    keys_a, size_a = _float_keys(method, n_a, rulers_a)
    keys_b, size_b = _float_keys(method, n_b, rulers_b)
    above = keys_a[:, :, None], keys_b[:, None, :]
    prefer = np.where(above[0] == above[1], 0.5, (above[0] > above[1]).astype(np.float64))
    with np.errstate(invalid="ignore"):  # infinity less infinity
        near = np.abs(above[0] - above[1]) <= DOUBTFUL * (size_a[:, None, None] + size_b[:, None, None])
    for at, a, b in zip(*np.nonzero(near), strict=True):
        difference = key(int(a), n_a, rulers_a[at]) - key(int(b), n_b, rulers_b[at])
        prefer[at, a, b] = 0.5 + ((difference > 0) - (difference < 0)) / 2
    return prefer


def _float_keys(method: VoteMethod, n: int, rulers: list[Ruler]) -> tuple[FloatArray, FloatArray]:
    """Keys in floats, (m, n + 1), and the size of the numbers that they come from, (m,)."""
    centre = np.array([float(ruler.centre) for ruler in rulers])
    spread = np.array([float(ruler.spread) for ruler in rulers])
    keys = (np.arange(n + 1) / n - centre[:, None]) / spread[:, None]
    if method.infinite:
        keys[:, 0], keys[:, n] = -np.inf, np.inf
    return keys, (1 + centre) / spread
