"""Whether pairs that a method is 80 % sure of are right 80 % of the time. For methods that know a standard error."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from scipy.special import ndtr

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.experiments.bench.judging import Pairs
from surpeer.scores import Scores

EDGES = (0.5, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0)

SCHEMA: dict[str, type[pl.DataType]] = {
    "K": pl.Int64,
    "forecasts": pl.String,
    "method": pl.String,
    "at_least": pl.Float64,
    "below": pl.Float64,
    "pairs": pl.Int64,
    "stated": pl.Float64,
    "right": pl.Float64,
}

Sums = FloatArray
"""(bins, 3): pairs, their stated probabilities summed, those that are right (a tie counts one half)."""


def reliability_sums(scores: Scores, pairs: Pairs, right: FloatArray) -> Sums | None:
    """Sums over the pairs of a venue, by stated probability; None for a method without standard errors.

    stated : Phi(|S_A - S_B| / sqrt(se_A^2 + se_B^2)), the probability that the paper ahead is the better one
    """
    if scores.standard_error is None:
        return None
    known = scores.defined & np.isfinite(scores.value) & (scores.standard_error > 0)
    kept = known[pairs.a] & known[pairs.b]
    a, b = pairs.a[kept], pairs.b[kept]
    difference = np.abs(scores.value[a] - scores.value[b])
    stated = ndtr(difference / np.hypot(scores.standard_error[a], scores.standard_error[b]))
    at = bin_of(stated)
    columns = (np.ones(len(a)), stated, right[kept])
    return np.stack([np.bincount(at, column, len(EDGES) - 1) for column in columns], axis=1)


def bin_of(stated: FloatArray) -> IntArray:
    """The bin of each probability from 1/2 to 1; an edge belongs to the bin above it."""
    return np.searchsorted(EDGES[1:-1], stated, side="right")


def reliability_table(found: Iterable[tuple[int, str, str, Sums]]) -> pl.DataFrame:
    """Levels, forecasts, method and sums of many venues -> mean stated probability and share right, by bin."""
    total: dict[tuple[int, str, str], Sums] = {}
    for levels, forecasts, method, sums in found:
        key = (levels, forecasts, method)
        total[key] = total.get(key, np.zeros_like(sums)) + sums
    rows = [
        (*key, EDGES[at], EDGES[at + 1], int(pairs), stated / pairs, right / pairs)
        for key, sums in total.items()
        for at, (pairs, stated, right) in enumerate(sums.tolist())
        if pairs
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
