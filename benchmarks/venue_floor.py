"""How fast the venue method could be on a thousand papers of two levels: `python benchmarks/venue_floor.py`.

Its rounds are written for any number of levels, coordinates and reviews. Here they are once more, by hand, for
two levels and papers with equally many reviews: with as few calls of numpy as were found, and numbers instead of
arrays wherever there is only one. What that takes, with what is outside the rounds, is what a rearrangement of the
general code could hope for at best; it says nothing of compiled code. The parameters are compared with those of the
general code.
"""

import argparse
import timeit
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from scale_data import Venue, pieces

import surpeer
from surpeer.core.shapes import FloatArray
from surpeer.core.venue import venue_fit
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.evidence import LEAST_VARIANCE
from surpeer.core.venue.fit_forecasts import (
    ITERATIONS,
    LARGEST_VARIANCE,
    MEAN_SIGNAL,
    MEAN_SQUARE,
    NEW_BASIS_AT,
    POWERS,
    ROUNDING,
    fit_forecasts,
)
from surpeer.core.venue.forecast_model import LEAST_RATIO, LEVELS, SIGNAL
from surpeer.core.venue.steps import AVERAGED, TOTAL_AND_AVERAGED
from surpeer.core.venue.typical_prior import typical_prior

HALF_SQUARE, LEVELS_SQUARED = SIGNAL**2 / 2, LEVELS**2
OF_BIAS = [0, 1, 2, 3, 4, 7]  # features whose averages over papers say how biases differ


def rounds_by_hand(block: Block, squares: FloatArray, start: View, values: FloatArray) -> tuple[float, float]:
    """The response and the error after all rounds."""
    count, papers = float(block.size[0]), block.forecasts.shape[1]
    if len(values) != 2 or (block.size != count).any():
        raise ValueError("this is written for two levels and equally many reviews")
    one = block.forecasts / count
    ratio, averages = np.ones((2, papers)), np.repeat(AVERAGED.mean(axis=1)[:, None], papers, axis=1)
    features, table, error = np.empty((8, papers)), np.empty((len(LEVELS), 8)), 1.0
    features[7] = 1
    weights = np.empty((7, len(LEVELS)))
    weights[:4] = TOTAL_AND_AVERAGED
    view, new = start, True
    for iteration in range(ITERATIONS):
        if iteration in NEW_BASIS_AT:
            before, view, new = view, View.of(typical_prior((ratio * view.q[:, None]).T, start.q), values), True
            ratio *= (before.q / view.q)[:, None]
        if new:
            level, span = view.basis[:, 0], view.span[:, 0]
            sums = np.einsum("d,sdb->sb", span, block.sums)
            said = sums.sum(axis=0) / count
            np.multiply(said, said, out=features[0])
            features[3] = said
            scatter = float(span @ squares @ span) - count * float(features[0].sum())
            rounding = ROUNDING**2 / 12 * float(level @ level)
            level_squared, column, mean, variance = level * level, level[:, None], 0.0, -1.0
        rarity = np.maximum(ratio, 1 - averages[2])
        np.divide(1, rarity, out=rarity)
        own_weights = one * rarity
        own = np.dot(level, own_weights, out=features[4])
        own_weights *= rarity
        np.multiply(said, own, out=features[1])
        np.multiply(own, own, out=features[2])
        np.dot(level_squared, own_weights, out=features[5])
        rarity *= sums
        np.dot(level, rarity, out=features[6])
        g, g_squared = averages[0], averages[1]
        normal = count * (float(g_squared @ features[5]) - float(g_squared @ features[2]))
        cross = float(g @ features[6]) - count * float(g @ features[1])
        slope = max(cross / (normal * (1 + 1e-9) + 1e-12), 0.0)
        anchor = min(float(g.mean()) / MEAN_SIGNAL, LARGEST_VARIANCE / max(slope, LEAST_VARIANCE))
        R = slope * anchor
        error = max((scatter - R * (2 * cross - normal * R)) / (papers * (count - 1)), rounding)
        if new:
            variance = max(float((said - R * g * own).var()) - error / count, 1e-8) / MEAN_SQUARE
            new = False
        start_at, spread = LEVELS * mean, LEVELS_SQUARED * variance
        P = 1 / (spread + error / count)
        within, pull, weight = count / error - P, start_at * P, spread * P
        seen = SIGNAL * R
        table[:, 0] = P / -2
        table[:, 1] = -seen * within
        table[:, 2] = HALF_SQUARE * within * (R * R)
        table[:, 3] = pull
        table[:, 4] = -seen * pull
        table[:, 5] = HALF_SQUARE * (-count * R * R / error)
        table[:, 6] = SIGNAL * (R / error)
        table[:, 7] = (np.log(P) - start_at * pull) / 2
        log = table @ features
        log -= np.maximum.reduce(log, axis=0)
        np.exp(log, out=log)
        weights[4], weights[5], weights[6] = weight, -seen * weight, start_at - start_at * weight
        averaged = weights @ log
        factor = 1 / averaged[0]
        averaged *= factor
        averages = averaged[1:4]
        middle = averaged[4] * said
        middle += averaged[5] * own
        middle += averaged[6]
        ratio = column * middle
        ratio += 1
        np.maximum(ratio, LEAST_RATIO, out=ratio)
        log *= factor
        totals = log @ features[OF_BIAS].T
        implied, chances = totals[:, 3] - seen * totals[:, 4], totals[:, 5]
        distance = implied - start_at * chances
        pulls = P * distance
        squared = totals[:, 0] - seen * (2 * totals[:, 1] - seen * totals[:, 2]) - start_at * (implied + distance)
        by_power = POWERS @ np.array([chances, pulls, P * (P * squared - chances)]).T
        by = variance * float(by_power[3, 1]) / float(by_power[2, 0])
        change = by * (by * papers - 2 * variance * float(by_power[1, 1])) + variance**2 * float(by_power[2, 2])
        mean, variance = mean + by, max(variance + change / papers, LEAST_VARIANCE)
    return R, error


def milliseconds(call: Callable[[], object], repeats: int) -> float:
    """The least of many."""
    return 1e3 * min(timeit.repeat(call, number=1, repeat=repeats))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=300)
    repeats = parser.parse_args().repeats
    reviews = surpeer.Reviews.from_table(next(pieces(Venue(4000))), surpeer.Scale(["0", "1"]))
    with patch.object(venue_fit, "fit_forecasts", wraps=fit_forecasts) as fit:
        surpeer.score(surpeer.build_matrices(reviews), "venue")
    blocks, squares, start, values = fit.call_args.args
    last = fit_forecasts(blocks, squares, start, values).last
    found = rounds_by_hand(blocks[0], squares, start, values)
    np.testing.assert_allclose(found, (last.response[0, 0], last.error[0]), rtol=1e-9)
    whole = milliseconds(lambda: surpeer.score(surpeer.build_matrices(reviews), "venue"), repeats)
    rounds = milliseconds(lambda: fit_forecasts(blocks, squares, start, values), repeats)
    by_hand = milliseconds(lambda: rounds_by_hand(blocks[0], squares, start, values), repeats)
    print(f"venue, 1,000 papers, 4,000 reviews, two levels        {whole:5.2f} ms")
    print(f"    its rounds                                        {rounds:5.2f} ms")
    print(f"    the rest                                          {whole - rounds:5.2f} ms")
    print(f"the same rounds by hand, for two levels only          {by_hand:5.2f} ms")
    print(f"    with the rest                                     {whole - rounds + by_hand:5.2f} ms")


if __name__ == "__main__":
    main()
