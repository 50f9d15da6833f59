"""The noise levels of paper B at which a pair of vote counts ties: there the accuracy curve jumps.

Left of such a level one order of the two papers is right by the method, right of it the other, and at the level itself
a coin decides, so that the value there is between the two limits and isolated.
"""

from fractions import Fraction
from itertools import pairwise
from math import isqrt, sqrt
from typing import NamedTuple

from surpeer.errors import ArrayError
from surpeer.experiments.comparing import VOTE_METHODS, Noise, find_vote_method, key, preferences
from surpeer.experiments.exact import expected_accuracy
from surpeer.experiments.grid import Grid
from surpeer.experiments.rational import Number

JUMPING = ("surprisal", "sp", "sp_infinite")
"""Methods whose order of vote counts changes with the noise."""

Level = Fraction | float
"""A float where the level is irrational."""


class Tie(NamedTuple):
    """A level at which the curve jumps."""

    level_b: Level
    votes: tuple[tuple[int, int], ...]
    """Accepts of A and of B that tie."""
    before: float
    at: float
    after: float


def ties_on_curve(
    n_a: int,
    n_b: int,
    prior: tuple[Number, Number],
    level_a: Number,
    bias_a: tuple[Number, Number],
    bias_b: tuple[Number, Number],
    method: str = "surprisal",
) -> list[Tie]:
    """All levels of B in (0, 1) at which two vote counts tie, in order: there the curve jumps, unless ties that come
    together make up for each other. Arguments as for `accuracy`.

    >>> ties_on_curve(3, 3, (1, 1), 0, (0, 1), (1, 0))[0].level_b
    Fraction(1, 2)
    """
    find_vote_method(method)
    if method not in JUMPING:
        raise ArrayError(f"the curve of {method!r} has no jumps; expected one of {', '.join(JUMPING)}")
    start = Grid.of(n_a, n_b, prior, level_a, 0, bias_a, bias_b)
    if start.shape != ():
        raise ArrayError(f"level_a or a bias has several settings, of shape {start.shape}; expected one curve")
    share, noise_a, accept_b = start.share, start.noises_a[0], start.noises_b[0].accept
    met = _tied_votes(n_a, n_b, share, noise_a, accept_b, method)
    ordered = sorted(met, key=float)
    borders = [Fraction(0), *(_near(level) for level in ordered), Fraction(1)]
    between = [(left + right) / 2 for left, right in pairwise(borders)]  # in every gap the order is one and the same
    chosen = VOTE_METHODS[method]
    ruler_a = chosen.ruler(share, noise_a)
    rulers_b = [chosen.ruler(share, Noise(level, accept_b)) for level in between]
    orders = preferences(chosen, n_a, n_b, [ruler_a] * len(between), rulers_b)  # (gaps, n_a + 1, n_b + 1)
    found = []
    for at, level in enumerate(ordered):
        chances = Grid.of(n_a, n_b, prior, level_a, _near(level), bias_a, bias_b).chances(slice(None))
        before, after = (float(expected_accuracy(chances, orders[gap])[0]) for gap in (at, at + 1))
        tied = orders[at].copy()
        for a, b in met[level]:
            tied[a, b] = 0.5
        found.append(Tie(level, tuple(met[level]), before, float(expected_accuracy(chances, tied)[0]), after))
    return found


def _tied_votes(
    n_a: int, n_b: int, share: Fraction, noise_a: Noise, accept_b: Fraction, method: str
) -> dict[Level, list[tuple[int, int]]]:
    """For every level of B in (0, 1) at which some pair of vote counts ties, those pairs."""
    chosen = VOTE_METHODS[method]
    ruler_a = chosen.ruler(share, noise_a)
    unanimous = 1 if chosen.infinite else 0
    met: dict[Level, list[tuple[int, int]]] = {}
    for a in range(unanimous, n_a + 1 - unanimous):
        for b in range(unanimous, n_b + 1 - unanimous):
            for level in _levels(key(a, n_a, ruler_a), Fraction(b, n_b), share, accept_b, method):
                if 0 < level < 1:
                    met.setdefault(level, []).append((a, b))
    return met


def _levels(target: Fraction, votes: Fraction, share: Fraction, accept: Fraction, method: str) -> set[Level]:
    """The levels at which so large a share of accepts of B stands at `target` on its ruler.

    The noisy prior is q = share + level (accept - share). For surprisal, votes - q = target (1 - level) is linear in
    the level; for sp, votes - q = target q (1 - q) is quadratic in q.
    """
    away = accept - share
    if method == "surprisal":
        return {(votes - share - target) / (away - target)} if away != target else set()
    if away == 0:
        return set()
    roots = [votes] if target == 0 else _roots(target, -(1 + target), votes)
    return {(q - share) / away if isinstance(q, Fraction) else (q - float(share)) / float(away) for q in roots}


def _roots(a: Fraction, b: Fraction, c: Fraction) -> list[Level]:
    """The solutions of a x^2 + b x + c = 0, in fractions where they are rational."""
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    exact = Fraction(isqrt(discriminant.numerator), isqrt(discriminant.denominator))
    root: Level = exact if exact * exact == discriminant else sqrt(discriminant)
    if isinstance(root, Fraction):
        return [(-b - root) / (2 * a), (-b + root) / (2 * a)]
    larger = -float(b) + root if b < 0 else -float(b) - root  # without cancellation
    return [larger / (2 * float(a)), 2 * float(c) / larger]


def _near(level: Level) -> Fraction:
    return level if isinstance(level, Fraction) else Fraction(level)
