"""How likely it is that a paper is better than another, and that it is among the best.

The true quality of each paper is taken to be normal around its score with the score's standard error, and papers to be
independent. Then for two papers

    P(A better than B) = Phi((a - b) / sqrt(error_a^2 + error_b^2))

and paper i is among the best m of N when fewer than m of the others are better:

    P_i = integral of F_i(x) dG_i(x),   F_i(x) = P(fewer than m of the others are above x),

where G_i is the distribution of the paper's own quality. The number of others above x is a sum of independent yes-or-no
events (a Poisson-binomial number); its distribution comes from its Fourier transform, the product of theirs, from which
the paper's own factor is divided out. Nothing is sampled; the error is about 1e-6 at most, also where one standard
error is ten thousand times another.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import ArrayError

BLOCK = 32  # papers at a time that are compared with all others: what they need stays near the processor

# A score is never known better than this (relative above one): what ties for a ranking is then even here, too.
SMALLEST_ERROR = 1e-9

# Quality is looked for within so many standard errors of the score: outside there is less than 1e-15.
FARTHEST = 8.0

# Probabilities below exp(-SMALL) are left out.
SMALL = 25.0

# Within a cell of the integral the number of better papers falls by at most so many of its standard deviations (fewer
# where that is below FEW), and a little; and it falls nearly as much in one half as in the other. That little is FINER
# where one paper's score is another one: it may lie where the others hardly are.
STEP, FEW, SMALLEST_STEP, EVENNESS, FINER = 0.25, 4.0, 0.01, 0.03, 0.25


def probability_better(value_a: ArrayLike, error_a: ArrayLike, value_b: ArrayLike, error_b: ArrayLike) -> FloatArray:
    """Probability that A is better than B, from their scores and standard errors. All (...).

    >>> float(probability_better(1.0, 0.6, 0.0, 0.8).round(6)), float(probability_better(0.3, 0, 0.1 + 0.2, 0).round(6))
    (0.841345, 0.5)
    """
    a, spread_a = known_scores(value_a, error_a)
    b, spread_b = known_scores(value_b, error_b)
    return np.asarray(ndtr((a - b) / np.hypot(spread_a, spread_b)))


def probability_among_best(value: ArrayLike, standard_error: ArrayLike, places: int) -> FloatArray:
    """Probability that each paper is one of the best `places`: (N,). The probabilities sum to `places`.

    value, standard_error : (N,)

    >>> probability_among_best([1.0, 0.0], [0.6, 0.8], 1).round(5).tolist()
    [0.84134, 0.15866]
    """
    shape, error_shape = np.shape(value), np.shape(standard_error)
    if len(shape) != 1 or shape != error_shape:
        raise ArrayError(f"value has shape {shape} and standard_error {error_shape}, expected (N,) for both")
    mean, spread = known_scores(value, standard_error)
    if not 0 <= places <= len(mean):
        raise ArrayError(f"found {places} places for {len(mean)} papers, expected from 0 to {len(mean)}")
    return _among_best(mean, spread, mean, spread, places)


def probability_among_best_if(
    value: ArrayLike, standard_error: ArrayLike, changed_value: ArrayLike, changed_error: ArrayLike, places: int
) -> FloatArray:
    """The same for each paper if its own score were another one and those of the others stayed as they are: (..., N).

    value, standard_error : (N,); changed_value, changed_error : (..., N), several changes at once take little longer
    than one. The steps of the integral are made for the unchanged papers: good to about 1e-5 where the changed standard
    errors are of the size of the others.

    >>> probability_among_best_if([1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.6, 0.6], 1).round(5).tolist()
    [0.5, 0.5]
    """
    (mean, spread), (changed, reach) = known_scores(value, standard_error), known_scores(changed_value, changed_error)
    if mean.ndim != 1 or mean.shape != spread.shape:
        raise ArrayError(f"value has shape {mean.shape} and standard_error {spread.shape}, expected (N,) for both")
    if changed.shape != reach.shape or changed.shape[-1:] != mean.shape:
        raise ArrayError(
            f"changed_value has shape {changed.shape} and changed_error {reach.shape}, expected (..., {len(mean)}) for "
            "both"
        )
    if not 0 <= places <= len(mean):
        raise ArrayError(f"found {places} places for {len(mean)} papers, expected from 0 to {len(mean)}")
    return _among_best(mean, spread, changed, reach, places)


def clearly_apart(value: ArrayLike, standard_error: ArrayLike, certainty: float) -> tuple[IntArray, IntArray]:
    """How many others each paper is better than, and worse than, with at least this probability: (N,) each.

    >>> [counts.tolist() for counts in clearly_apart([2.0, 0.0, 0.1], [0.5, 0.5, 0.5], 0.8)]
    [[2, 0, 0], [0, 1, 1]]
    """
    if not 0.5 < certainty < 1:
        raise ArrayError(f"certainty is {certainty}, expected a probability between 0.5 and 1")
    mean, spread = known_scores(value, standard_error)
    order = np.argsort(mean)
    mean, variance = mean[order], (ndtri(certainty) * spread[order]) ** 2
    better, worse = np.zeros((2, len(mean)), dtype=np.int64)
    for first in range(0, len(mean), BLOCK):  # each with those before it, whose score is not higher
        last = min(first + BLOCK, len(mean))
        all_apart, some_apart = _between(mean[:last], variance[:last], first)
        ahead = mean[first:last, None] - mean[all_apart:some_apart]
        apart = ahead * np.abs(ahead) >= variance[first:last, None] + variance[all_apart:some_apart]
        better[order[first:last]] = all_apart + np.count_nonzero(apart, axis=1)
        worse[order[:all_apart]] += last - first
        worse[order[all_apart:some_apart]] += np.count_nonzero(apart, axis=0)
    return better, worse


def _between(mean: FloatArray, variance: FloatArray, first: int) -> tuple[int, int]:
    """How many papers, the worst ones, all those from `first` on are clearly better than, and how many any of them can
    be: only what is in between has to be compared one by one. `mean` increases."""
    least, most = mean[first] - mean, mean[-1] - mean  # how far ahead those from `first` on are at least, and at most
    all_apart = least * np.abs(least) >= variance[first:].max() + variance.max()
    some_apart = most * np.abs(most) >= variance[first:].min() + variance.min()
    return int(np.count_nonzero(all_apart)), int(np.count_nonzero(some_apart))


def _among_best(
    mean: FloatArray, spread: FloatArray, own_mean: FloatArray, own_spread: FloatArray, places: int
) -> FloatArray:
    if places in (0, len(mean)):
        return np.full(own_mean.shape, float(places > 0))
    order = np.lexsort((spread, mean))  # so that the order in which papers are given changes nothing at all
    result = np.empty(own_mean.shape)
    others = _Papers(mean[order], spread[order])
    same = own_mean is mean and own_spread is spread
    own = others if same else _Papers(own_mean[..., order], own_spread[..., order])
    result[..., order] = _integral(others, own, places)
    return result


def known_scores(value: ArrayLike, error: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Scores and standard errors as floats; an error is never quite zero."""
    mean, spread = np.asarray(value, dtype=np.float64), np.asarray(error, dtype=np.float64)
    if not np.isfinite(mean).all():
        raise ArrayError("value has an entry that is not a finite number: leave papers without a score out")
    if not (np.isfinite(spread).all() and (spread >= 0).all()):
        raise ArrayError("standard_error has an entry that is not a finite number of at least 0")
    return mean, np.maximum(spread, SMALLEST_ERROR * np.maximum(1.0, np.abs(mean)))


@dataclass(frozen=True, slots=True)
class _Papers:
    mean: FloatArray
    spread: FloatArray

    def above(self, x: float) -> FloatArray:
        """(..., N) probability that each paper is better than x."""
        return np.asarray(ndtr((self.mean - x) / self.spread))

    def number_above(self, points: FloatArray) -> FloatArray:
        """(G, 2) expectation and variance of the number of papers that are better than each point."""
        chances = (self.above(x) for x in points.tolist())
        return np.array([[chance.sum(), (chance * (1 - chance)).sum()] for chance in chances])

    def ends(self) -> FloatArray:
        reach = FARTHEST * self.spread
        return np.array([np.min(self.mean - reach), np.max(self.mean + reach)])


def _integral(papers: _Papers, own: _Papers, places: int) -> FloatArray:
    """(..., N) Stieltjes sums over cells, each taken whole and in halves, and extrapolated from the two.

    own : how the quality of the one paper among the others is distributed; mostly as in `papers`
    """

    def at(x: float) -> tuple[FloatArray, FloatArray]:
        above = papers.above(x)
        return own.above(x), _fewer_of_the_others(above, places)

    points = _points(papers, places, 1.0 if own is papers else FINER).tolist()
    total = own.above(points[-1])  # beyond the last point nobody is better
    above_left, fewer_left = at(points[0])
    for middle, right in zip(points[1::2], points[2::2], strict=True):
        above_middle, fewer_middle = at(middle)
        above_right, fewer_right = at(right)
        whole = (fewer_left + fewer_right) * (above_left - above_right)
        halves = (fewer_left + fewer_middle) * (above_left - above_middle)
        halves += (fewer_middle + fewer_right) * (above_middle - above_right)
        total += (4 * halves - whole) / 6
        above_left, fewer_left = above_right, fewer_right
    return np.clip(total, 0.0, 1.0)


def _points(papers: _Papers, places: int, fineness: float) -> FloatArray:
    """(2 C + 1,) ends and middles of C cells; from one to the next the number of better papers changes little."""
    first, last = papers.ends()
    points = np.array([first, (first + last) / 2, last])
    number = papers.number_above(points)
    while True:
        between = (points[:-1] + points[1:]) / 2
        split = np.repeat(_too_coarse(number, places, fineness), 2) & (points[:-1] < between) & (between < points[1:])
        split &= np.repeat(split[::2] & split[1::2], 2)  # a cell gets both of its new middles or none
        if not split.any():
            return points
        at = np.flatnonzero(split) + 1
        points = np.insert(points, at, between[split])
        number = np.insert(number, at, papers.number_above(between[split]), axis=0)


def _too_coarse(number: FloatArray, places: int, fineness: float) -> BoolArray:
    """(C,) cells in which it is open whether `places` are better, and where their number changes much or not evenly."""
    expected, variance = number[:, 0], number[:, 1]
    reach = _reach(variance)
    surely_more, surely_fewer = expected - 1 - reach > places, expected + reach < places - 1
    settled = (surely_more[:-2:2] & surely_more[2::2]) | (surely_fewer[:-2:2] & surely_fewer[2::2])
    fall = expected[:-2:2] - expected[2::2]
    bend = np.abs(expected[:-2:2] + expected[2::2] - 2 * expected[1::2])
    deviation = np.sqrt(np.maximum(variance[:-2:2], variance[2::2]))
    allowed = STEP * deviation * np.minimum(1.0, deviation / FEW) + SMALLEST_STEP * fineness
    return np.asarray(~settled & ((fall > allowed) | (bend > EVENNESS * allowed)))


def _reach(variance: ArrayLike) -> FloatArray:
    """How far from its expectation the number of better papers can be: Bernstein's bound, exp(-SMALL)."""
    return np.asarray(SMALL / 3 + np.sqrt(SMALL**2 / 9 + 2 * SMALL * np.asarray(variance)))


def _fewer_of_the_others(above: FloatArray, places: int) -> FloatArray:
    """(N,) for each paper the probability that fewer than `places` others are above; `above` (N,) is that of each."""
    expected, variance = float(above.sum()), float((above * (1 - above)).sum())
    reach = float(_reach(variance))
    first = max(0, int(np.floor(expected - 1 - reach)))
    last = min(len(above), int(np.ceil(expected + reach)))
    if not first < places <= last:
        return np.full(len(above), float(places > last))
    size = last - first + 1 + (last - first) % 2  # odd, so that no factor is zero
    angle = 2 * np.pi * np.arange(1, size // 2 + 1) / size
    turn = np.exp(1j * angle[2 * (variance - 0.25) * np.sin(angle / 2) ** 2 < SMALL])  # (L,) others add nothing
    factor = 1 + (turn - 1)[:, None] * above  # (L, N)
    sums = (turn ** -float(first) - turn ** -float(places)) / (1 - 1 / turn)  # of turn^-j, first <= j < places
    parts = (factor.prod(axis=1) * sums)[:, None] / factor
    return np.asarray(np.clip((places - first + 2 * parts.real.sum(axis=0)) / size, 0.0, 1.0))
