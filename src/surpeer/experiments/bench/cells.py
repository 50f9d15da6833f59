"""One cell by every registered method and the oracle."""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.shapes import FloatArray
from surpeer.core.status import Status
from surpeer.experiments.bench.grid import Cell, generator
from surpeer.experiments.bench.judging import (
    VenueMean,
    choose_pairs,
    mean_over_pairs,
    over_venues,
    rightness,
    top_quarter_precision,
)
from surpeer.experiments.bench.reliability import Sums, reliability_sums
from surpeer.experiments.bench.venues import Venue, draw_venue
from surpeer.ranking import rank
from surpeer.scores import METHODS, Outcome, Scores, score

BASELINE, ORACLE = "mean", "oracle"

SCHEMA: dict[str, type[pl.DataType]] = {
    "K": pl.Int64,
    "reviewers": pl.String,
    "prior": pl.String,
    "bias": pl.String,
    "forecasts": pl.String,
    "papers": pl.Int64,
    "held_out": pl.Boolean,
    "method": pl.String,
    "accuracy": pl.Float64,
    "standard_error": pl.Float64,
    "above_mean": pl.Float64,
    "above_mean_error": pl.Float64,
    "top_quarter": pl.Float64,
    "defined": pl.Float64,
    "below_oracle": pl.Float64,
    "below_oracle_error": pl.Float64,
}
"""Of accuracy.csv. Differences are paired: over the same pairs of papers, with a standard error of their own."""


class CellResult(NamedTuple):
    """What is kept of a cell."""

    cell: Cell
    rows: list[tuple[object, ...]]
    """Of the accuracy table, one for each method."""
    reliability: list[tuple[str, Sums]]


class _Judged(NamedTuple):
    """One method on one venue."""

    accuracy: VenueMean
    above_mean: VenueMean
    below_oracle: VenueMean
    top_quarter: float
    defined: float
    sums: Sums | None


def run_cell(cell: Cell, venues: int, seed: int) -> CellResult:
    """So many random venues of this kind by every method. The same seed gives the same numbers."""
    judged: dict[str, list[_Judged]] = {}
    for at in range(venues):
        rng = generator(seed, cell.words, at)
        for method, found in _judge(draw_venue(cell, rng), rng).items():
            judged.setdefault(method, []).append(found)
    rows = [(*_place(cell), method, *_numbers(found)) for method, found in judged.items()]
    sums = [(method, one.sums) for method, found in judged.items() for one in found if one.sums is not None]
    return CellResult(cell, rows, sums)


def accuracy_table(results: list[CellResult]) -> pl.DataFrame:
    """The rows of all cells."""
    return pl.DataFrame([row for result in results for row in result.rows], schema=SCHEMA, orient="row")


def _judge(venue: Venue, rng: np.random.Generator) -> dict[str, _Judged]:
    pairs = choose_pairs(rng, len(venue.quality))
    scored = {name: score(venue.matrices, name) for name in METHODS}
    scored[ORACLE] = _oracle_scores(venue)
    right = {
        name: rightness(pairs, scores.value, scores.defined, scores.mean, venue.quality)
        for name, scores in scored.items()
    }

    def compared(number: FloatArray) -> VenueMean:
        return mean_over_pairs(number, pairs)

    return {
        name: _Judged(
            compared(right[name]),
            compared(right[name] - right[BASELINE]),
            compared(right[ORACLE] - right[name]),
            top_quarter_precision(rank(scores), venue.quality),
            float(scores.defined.mean()),
            reliability_sums(scores, pairs, right[name]),
        )
        for name, scores in scored.items()
    }


def _oracle_scores(venue: Venue) -> Scores:
    everything = np.full(len(venue.oracle), Status.FINITE, dtype=np.int64)
    return Scores(ORACLE, venue.matrices, Outcome(venue.oracle, everything))


def _place(cell: Cell) -> tuple[object, ...]:
    return (cell.levels, cell.reviewers, cell.prior, cell.bias, cell.forecasts, cell.papers, cell.held_out)


def _numbers(found: list[_Judged]) -> tuple[float, ...]:
    accuracy, above, below = (
        over_venues([getattr(one, name) for one in found]) for name in ("accuracy", "above_mean", "below_oracle")
    )
    top_quarter = float(np.mean([one.top_quarter for one in found]))
    defined = float(np.mean([one.defined for one in found]))
    return (*accuracy, *above, top_quarter, defined, *below)
