"""Weighted medians of many numbers, or of a few numbers many times over."""

import numpy as np

from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.venue.blocks import for_each, joined

ROUNDING = 1e-9
FEW = 12  # numbers that are compared with each other instead of sorted
PAPERS = 16384  # at a time
SORTED = 4096  # with more numbers than this, only those near the median are sorted
SAMPLE = 2048
MARGIN = 0.06  # of the weight, on either side of a sample's median: five times what chance does to it
SAME = 1e-13


def decisive_level(weights: FloatArray) -> int | None:
    """The level with more than half of the weight, if any: its number is the median whatever the others are."""
    numbers = weights.tolist()
    largest = max(numbers)
    return numbers.index(largest) if largest > sum(numbers) / 2 * (1 + ROUNDING) else None


def median_over_levels(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """(K, N) numbers, (K,) weights -> (N,), half way between two numbers where the weights are split evenly."""
    decisive = decisive_level(weights)
    if decisive is not None:
        return np.asarray(numbers[decisive])
    median = _median_by_sorting if len(numbers) > FEW else _median_by_comparing
    if numbers.shape[1] <= PAPERS:
        return median(numbers, weights)
    starts = range(0, numbers.shape[1], PAPERS)
    return joined(for_each(lambda at: median(numbers[:, starts[at] : starts[at] + PAPERS], weights), len(starts)))


def _median_by_sorting(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    order = np.argsort(numbers, axis=0)
    heights = np.cumsum(weights[order], axis=0)
    half = heights[-1] / 2
    ends = [np.argmax(heights >= half * (1 + sign * ROUNDING), axis=0) for sign in (-1, 1)]
    found = [np.take_along_axis(numbers, np.take_along_axis(order, at[None], axis=0), axis=0)[0] for at in ends]
    return np.asarray((found[0] + found[1]) / 2)


def _median_by_comparing(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """Each number with the weight of those that are not above it; the median is the least that has half of all."""
    heights = np.repeat(np.cumsum(weights[::-1])[::-1, None], numbers.shape[1], axis=1)  # as if the first were largest
    for one in range(1, len(numbers)):
        for two in range(one):
            above = (numbers[one] >= numbers[two]).astype(np.float64)
            heights[one] += above * weights[two]
            above *= weights[one]
            heights[two] -= above
    half = float(weights.sum()) / 2
    enough = heights >= half * (1 - ROUNDING)
    low = np.where(enough, numbers, np.inf).min(axis=0)
    more = heights >= half * (1 + ROUNDING)
    if np.array_equal(enough, more):
        return np.asarray(low)
    return np.asarray((low + np.where(more, numbers, np.inf).min(axis=0)) / 2)


def medians_over_papers(numbers: FloatArray, weights: FloatArray, guesses: FloatArray) -> FloatArray:
    """(K, N) numbers, (N,) weights -> (K,) the same over papers. guesses : (K,) taken where they are medians up to
    rounding"""
    if len(weights) <= SORTED:
        known = zip(guesses.tolist(), _are_medians(numbers, weights, guesses).tolist(), numbers, strict=True)
        return np.array([guess if right else _median_of_few(row, weights) for guess, right, row in known])
    several = for_each(lambda row: _median_of_many(numbers[row], weights, float(guesses[row])), len(numbers))
    return np.array(several)


def _are_medians(numbers: FloatArray, weights: FloatArray, guesses: FloatArray) -> BoolArray:
    """(K,) as of `_is_median`."""
    half, limits = weights.sum() / 2, guesses[:, None]
    below, above = (numbers < limits * (1 - SAME)) @ weights, (numbers > limits * (1 + SAME)) @ weights
    return np.asarray(np.maximum(below, above) < half * (1 - 2 * ROUNDING))


def _median_of_few(numbers: FloatArray, weights: FloatArray) -> float:
    order = numbers.argsort()
    return _half_way(numbers, order, weights[order].cumsum(), float(weights.sum()) / 2)


def _half_way(numbers: FloatArray, order: IntArray, heights: FloatArray, half: float) -> float:
    """The first number, in their order, that is half way up; between two where the weights are split evenly."""
    low, high = heights.searchsorted((half * (1 - ROUNDING), half * (1 + ROUNDING))).tolist()
    return float((numbers[order[low]] + numbers[order[high]]) / 2)


def _median_of_many(numbers: FloatArray, weights: FloatArray, guess: float) -> float:
    half, below = float(weights.sum()) / 2, 0.0
    if _is_median(numbers, weights, half, guess):
        return guess
    while len(numbers) > SORTED:
        low, high = _bracket(numbers, weights, half - below)
        under, over = numbers < low, numbers > high
        least, most = below + _weight(weights, under), below + float(weights.sum()) - _weight(weights, over)
        inside = ~(under | over)
        if not least < half * (1 - 2 * ROUNDING) < half * (1 + 2 * ROUNDING) < most or inside.mean() > 0.9:
            break
        numbers, weights, below = numbers[inside], weights[inside], least
    order = np.argsort(numbers)
    return _half_way(numbers, order, np.cumsum(weights[order]) + below, half)


def _is_median(numbers: FloatArray, weights: FloatArray, half: float, guess: float) -> bool:
    """Whether evidently less than half of the weight is below, and above: many numbers are this one up to rounding."""
    below, above = _weight(weights, numbers < guess * (1 - SAME)), _weight(weights, numbers > guess * (1 + SAME))
    return max(below, above) < half * (1 - 2 * ROUNDING)


def _weight(weights: FloatArray, chosen: BoolArray) -> float:
    """Of these. A product of so many numbers would be shared out among threads that there are already."""
    return float((weights * chosen).sum())


def _bracket(numbers: FloatArray, weights: FloatArray, height: float) -> tuple[float, float]:
    """Two numbers between which, in all likelihood, sums of weights reach this height."""
    every = slice(None, None, len(numbers) // SAMPLE)
    sample = numbers[every]
    order = np.argsort(sample)
    heights = np.cumsum(weights[every][order])
    share = height / float(weights.sum())
    ends = np.searchsorted(heights, heights[-1] * np.array([share - MARGIN, share + MARGIN]))
    low, high = sample[order[np.minimum(ends, len(sample) - 1)]].tolist()
    return low, high
