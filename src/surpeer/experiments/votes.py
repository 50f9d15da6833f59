"""How likely every pair of vote counts is, together with which of the two papers is truly better. No quadrature.

Both papers' qualities are drawn from Beta(a, b). Without noise the votes of a paper are beta-binomial, and given them
its quality is Beta again, so that "A is better and the votes are c and d" is the product of three closed forms; the
third, P(X > Y) for two independent Beta variables, changes by an elementary term when a parameter changes by one.
Noise replaces every vote independently of the quality, so that it is one stochastic matrix for each paper, from clean
counts to seen counts. All terms are non-negative and the matrices are small.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import poch

from surpeer.core.shapes import FloatArray
from surpeer.errors import ArrayError


class Chances(NamedTuple):
    """Probabilities of every pair of vote counts, (..., n_a + 1, n_b + 1), split by which paper is better."""

    a_better: FloatArray
    b_better: FloatArray


# Tables of all pairs of vote counts have the square of this many entries.
MOST_REVIEWERS = 5000


def as_reviewers(n: object, name: str) -> int:
    """A number of reviewers: whole, at least one, and not absurd."""
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or not 1 <= n <= MOST_REVIEWERS:
        raise ArrayError(f"{name} is {n!r}, expected a whole number of reviewers from 1 to {MOST_REVIEWERS:,}")
    return int(n)


@lru_cache(maxsize=64)
def clean_chances(prior: tuple[float, float], n_a: int, n_b: int) -> Chances:
    """The chances of every pair of counts of clean accepts, when qualities are drawn from Beta(*prior). Not to be
    written to.

    >>> clean_chances((1, 1), 1, 1).a_better  # exactly [[1/8, 1/24], [5/24, 1/8]]
    array([[0.125     , 0.04166667],
           [0.20833333, 0.125     ]])
    """
    votes = clean_votes(prior, n_a)[:, None] * clean_votes(prior, n_b)  # (n_a + 1, n_b + 1)
    better = _a_is_better(prior, n_a, n_b)
    chances = Chances(votes * better, votes * (1 - better))
    for table in chances:
        table.flags.writeable = False
    return chances


def clean_votes(prior: tuple[float, float], n: int) -> FloatArray:
    """The beta-binomial distribution of the number of clean accepts: (n + 1,)."""
    a, b = prior
    factorial = _rising(1.0, n)
    ways = factorial[n] - factorial - factorial[::-1]
    return _exp(ways + _rising(a, n) + _rising(b, n)[::-1] - _rising(a + b, n)[n])


def seen_given_clean(n: int, noise: FloatArray) -> FloatArray:
    """How n votes with c clean accepts become k seen ones: entry (c, k), for each noise matrix.

    noise : (..., 2, 2); returns (..., n + 1, n + 1), rows sum to one
    """
    kept = np.ones((*noise.shape[:-2], 1, 1))
    reject, accept = noise[..., 0, None, :], noise[..., 1, None, :]  # (..., 1, 2) what becomes of such a vote
    for votes in range(n):
        longer = np.zeros((*noise.shape[:-2], votes + 2, votes + 2))
        longer[..., :-1, :-1] = kept * reject[..., :1]  # one more clean reject, seen as reject
        longer[..., :-1, 1:] += kept * reject[..., 1:]
        longer[..., -1:, :-1] = kept[..., -1:, :] * accept[..., :1]  # all accepts, and one more
        longer[..., -1:, 1:] += kept[..., -1:, :] * accept[..., 1:]
        kept = longer
    return kept


def through_noise(clean: Chances, seen_a: FloatArray, seen_b: FloatArray) -> Chances:
    """Chances of the seen votes from those of the clean ones; seen_a, seen_b as `seen_given_clean` returns them."""
    turned = np.swapaxes(seen_a, -1, -2)
    return Chances(turned @ clean.a_better @ seen_b, turned @ clean.b_better @ seen_b)


def _a_is_better(prior: tuple[float, float], n_a: int, n_b: int) -> FloatArray:
    """P(X > Y), X ~ Beta(a + c, b + n_a - c) and Y ~ Beta(a + d, b + n_b - d), for all c and d: (n_a + 1, n_b + 1).

    Moving one vote from reject to accept raises it by h (1/alpha + 1/beta), where h is `_Overlap` at the parameters
    without that vote. The start is 1/2, two papers with equally many rejects and nothing else.
    """
    a, b = prior
    overlap = _Overlap(prior, n_a + n_b)
    fewer, more = sorted((n_a, n_b))
    extra = np.arange(fewer, more)  # rejects that only one of the papers has
    start = np.sum(overlap(0, fewer, 0, extra) / (b + extra)) * np.sign(n_b - n_a)
    c, d = np.arange(n_a), np.arange(n_b)
    rise = overlap(c, n_a - c - 1, 0, n_b) * (1 / (a + c) + 1 / (b + (n_a - 1 - c)))  # (n_a,)
    of_a = np.concatenate([[0.0], np.cumsum(rise)])  # (n_a + 1,)
    all_c = np.arange(n_a + 1)[:, None]
    fall = overlap(all_c, n_a - all_c, d, n_b - d - 1) * (1 / (a + d) + 1 / (b + (n_b - 1 - d)))  # (n_a + 1, n_b)
    of_b = np.concatenate([np.zeros((n_a + 1, 1)), np.cumsum(fall, axis=1)], axis=1)
    return np.asarray(np.clip(0.5 + start + of_a[:, None] - of_b, 0.0, 1.0))


class _Overlap:
    """h = B(alpha + gamma, beta + delta) / (B(alpha, beta) B(gamma, delta)) for parameters that are the prior's plus
    whole numbers of votes: h of the prior, times rising factorials."""

    def __init__(self, prior: tuple[float, float], votes: int) -> None:
        a, b = prior
        # B(2a, 2b) / B(a, b)^2 by the duplication formula of the gamma function, in which the large parts cancel
        self._of_prior = poch(a, 0.5) * (poch(b, 0.5) / poch(a + b, 0.5)) / (2 * np.sqrt(np.pi))
        self._single = [_rising(x, votes) for x in (a, b, a + b)]
        self._double = [_rising(2 * x, votes) for x in (a, b, a + b)]

    def __call__(self, c: object, e: object, d: object, f: object) -> FloatArray:
        """With c accepts and e rejects on one side, d and f on the other; whole numbers or arrays of them."""
        c, e, d, f = (np.asarray(votes) for votes in (c, e, d, f))
        accepts, rejects, both = self._single
        accepts2, rejects2, both2 = self._double
        joint = accepts2[c + d] + rejects2[e + f] - both2[c + d + e + f]
        apart = accepts[c] + rejects[e] - both[c + e] + accepts[d] + rejects[f] - both[d + f]
        return np.asarray(self._of_prior * _exp(joint - apart))


def _rising(x: float, n: int) -> NDArray[np.longdouble]:
    """Logarithms of x (x + 1) ... (x + i - 1) for i = 0 .. n: (n + 1,). They grow with n and are subtracted from each
    other, hence the extra digits (where the machine has them)."""
    return np.concatenate([[np.longdouble(0)], np.cumsum(np.log(np.longdouble(x) + np.arange(n)))])


def _exp(logarithms: NDArray[np.longdouble]) -> FloatArray:
    plain: FloatArray = np.exp(logarithms).astype(np.float64)
    return plain
