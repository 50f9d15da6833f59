"""Accuracy from the definitions, by another route: polynomials in the quality, integrated exactly or by quadrature.

Nothing here is shared with surpeer.experiments. The score is the paper's, with its square root squared away, from the
prediction matrix that Bayesian reviewers would report.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import mpmath as mp
import numpy as np
from scipy.special import betainc, betaln, expit, log_expit

Poly = list[Fraction]


def times(a: Poly, b: Poly) -> Poly:
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for (i, x), (j, y) in product(enumerate(a), enumerate(b)):
        result[i + j] += x * y
    return result


def power(a: Poly, n: int) -> Poly:
    result = [Fraction(1)]
    for _ in range(n):
        result = times(result, a)
    return result


def vote_polynomials(n: int, level: Fraction, accept: Fraction) -> list[Poly]:
    """Pr[k accepts of n | quality], as polynomials in the quality."""
    seen = [level * accept, 1 - level]
    unseen = [1 - level * accept, -(1 - level)]
    return [[comb(n, k) * c for c in times(power(seen, k), power(unseen, n - k))] for k in range(n + 1)]


def squared_score(method: str, k: int, n: int, prior: tuple[Fraction, Fraction], level: Fraction, accept: Fraction):
    """A number that orders papers as the score does: sign(S) S^2 for surprisal. Infinity as (sign, ...)."""
    a, b = prior
    mean, second = a / (a + b), a * (a + 1) / ((a + b) * (a + b + 1))
    to_accept, keep = level * accept, 1 - level
    q1 = to_accept + keep * mean
    both = to_accept**2 + 2 * to_accept * keep * mean + keep**2 * second  # E[seen^2]
    P01, P11 = (q1 - both) / (1 - q1), both / q1
    v1 = Fraction(k, n)
    if method == "mean":
        return (0, v1)
    if method in ("surprisal", "sp_infinite") and k in (0, n):
        return (1 if k else -1, Fraction(0))
    if method == "surprisal":
        q1_from_predictions = P01 / (P01 + 1 - P11)
        assert q1_from_predictions == q1
        away = v1 - q1
        square = away**2 / (q1 * (1 - q1) * (P11 - P01))
        return (0, square if away > 0 else -square)
    return (0, v1 / q1 - (1 - v1) / (1 - q1))


def preference(method, n_a, n_b, prior, level_a, level_b, accept_a, accept_b):
    table = {}
    for k, m in product(range(n_a + 1), range(n_b + 1)):
        a = squared_score(method, k, n_a, prior, level_a, accept_a)
        b = squared_score(method, m, n_b, prior, level_b, accept_b)
        table[k, m] = Fraction(1, 2) if a == b else Fraction(int(a > b))
    return table


def exact_accuracy(n_a, n_b, prior, level_a, level_b, accept_a, accept_b, method) -> Fraction:
    """For whole-number Beta parameters, in fractions."""
    a, b = prior
    density = times(power([Fraction(0), Fraction(1)], a - 1), power([Fraction(1), Fraction(-1)], b - 1))
    weight = sum(c / (i + 1) for i, c in enumerate(density))
    density = [c / weight for c in density]
    votes_a = [times(density, p) for p in vote_polynomials(n_a, level_a, accept_a)]
    votes_b = [times(density, p) for p in vote_polynomials(n_b, level_b, accept_b)]
    prior = Fraction(a), Fraction(b)
    prefer = None if method == "oracle" else preference(method, n_a, n_b, prior, level_a, level_b, accept_a, accept_b)
    total = Fraction(0)
    for (k, p), (m, q) in product(enumerate(votes_a), enumerate(votes_b)):
        below = [Fraction(0), *(c / (i + 1) for i, c in enumerate(q))]  # integral of q from 0 to x
        a_better = sum(c / (i + 1) for i, c in enumerate(times(p, below)))
        both = sum(c / (i + 1) for i, c in enumerate(p)) * sum(c / (i + 1) for i, c in enumerate(q))
        if prefer is None:
            total += max(a_better, both - a_better)
        else:
            total += prefer[k, m] * a_better + (1 - prefer[k, m]) * (both - a_better)
    return total


@cache
def _numeric_chances(n_a, n_b, prior, level_a, level_b, accept_a, accept_b) -> tuple[np.ndarray, np.ndarray]:
    """The chances of every two numbers of accepts with paper A better, and with paper B better."""
    a, b = (float(x) for x in prior)
    step = 1 / 128
    t = np.arange(-7.5, 7.5 + step, step)  # tanh-sinh: the quality is expit(s)
    s = np.pi * np.sinh(t)
    x, y = expit(s), expit(-s)  # the quality and its complement, both accurate near zero
    weight = np.exp(a * log_expit(s) + b * log_expit(-s) - betaln(a, b)) * np.pi * np.cosh(t) * step
    c = np.arange(n_b + 1)[:, None]
    parts = np.exp(betaln(a + c, b + n_b - c) - betaln(a, b))
    below, above = parts * betainc(a + c, b + n_b - c, x), parts * betainc(b + n_b - c, a + c, y)  # (n_b + 1, points)
    seen_b = np.array(
        [[float(_bernstein(n_b, m, level_b, accept_b, at)) for at in range(n_b + 1)] for m in range(n_b + 1)]
    )
    to_accept, keep = float(level_a * accept_a), float(1 - level_a)
    to_reject = float(level_a * (1 - accept_a))
    seen, unseen = to_accept + keep * x, to_reject + keep * y
    votes_a = np.array([comb(n_a, k) * seen**k * unseen ** (n_a - k) for k in range(n_a + 1)]) * weight
    return votes_a @ (seen_b @ below).T, votes_a @ (seen_b @ above).T  # (n_a + 1, n_b + 1)


def numeric_accuracy(n_a, n_b, prior, level_a, level_b, accept_a, accept_b, method) -> float:
    """For any Beta: tanh-sinh quadrature over the quality of paper A, incomplete beta functions for paper B."""
    a_better, b_better = _numeric_chances(n_a, n_b, prior, level_a, level_b, accept_a, accept_b)
    if method == "oracle":
        return float(np.maximum(a_better, b_better).sum())
    table = preference(method, n_a, n_b, prior, level_a, level_b, accept_a, accept_b)
    prefer = np.array([[float(table[k, m]) for m in range(n_b + 1)] for k in range(n_a + 1)])
    return float((prefer * a_better + (1 - prefer) * b_better).sum())


def fifty_digit_accuracy(n_a, n_b, prior, level_a, level_b, accept_a, accept_b, method) -> mp.mpf:
    """For priors too extreme for the quadrature, small panels: P(X > Y) step by step from 1/2, in fifty digits."""
    table = preference(method, n_a, n_b, prior, level_a, level_b, accept_a, accept_b)
    with mp.workdps(50):
        total = mp.mpf(0)
        for c, d in product(range(n_a + 1), range(n_b + 1)):
            better = beta_above_beta(*prior, c, n_a - c, d, n_b - d)
            a, b = (_mpf(x) for x in prior)
            weight = mp.beta(a + c, b + n_a - c) * mp.beta(a + d, b + n_b - d) / mp.beta(a, b) ** 2
            for k, m in product(range(n_a + 1), range(n_b + 1)):
                chance = _bernstein(n_a, k, level_a, accept_a, c) * _bernstein(n_b, m, level_b, accept_b, d)
                first = _mpf(table[k, m])
                total += _mpf(chance) * weight * (first * better + (1 - first) * (1 - better))
        return total


def beta_above_beta(a, b, c: int, e: int, d: int, f: int) -> mp.mpf:
    """P(X > Y) for X ~ Beta(a + c, b + e), Y ~ Beta(a + d, b + f): each whole step changes it by a known term."""
    p, q, r, s = _mpf(a), _mpf(b), _mpf(a), _mpf(b)
    chance = mp.mpf(1) / 2

    def term() -> mp.mpf:
        return mp.beta(p + r, q + s) / (mp.beta(p, q) * mp.beta(r, s))

    for _ in range(c):
        chance, p = chance + term() / p, p + 1
    for _ in range(e):
        chance, q = chance - term() / q, q + 1
    for _ in range(d):
        chance, r = chance - term() / r, r + 1
    for _ in range(f):
        chance, s = chance + term() / s, s + 1
    return chance


def _mpf(x) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def _bernstein(n: int, m: int, level: Fraction, accept: Fraction, c: int) -> Fraction:
    """Pr[m accepts seen | c clean accepts of n] * C(n, c): summed over who was misread."""
    up, down = level * accept, level * (1 - accept)
    total = Fraction(0)
    for kept in range(max(0, m - (n - c)), min(c, m) + 1):
        gained = m - kept
        total += (
            comb(c, kept) * (1 - down) ** kept * down ** (c - kept)
            * comb(n - c, gained) * up**gained * (1 - up) ** (n - c - gained)
        )  # fmt: skip
    return total * comb(n, c)
