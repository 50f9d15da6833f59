"""Real studies -> how well each method tells true items from false ones, for whole crowds and random panels."""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.order import prefer
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.experiments.bench.cells import BASELINE
from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.studies import Study
from surpeer.matrices import Matrices, build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import METHODS, Scores, score

SIZES = (4, 8, 16)
RIVALS = (BASELINE, "surprisal")
"""A method should not be worse than the better of these."""
CROWD = "all"

SCHEMA: dict[str, type[pl.DataType]] = {
    "study": pl.String,
    "people": pl.String,
    "items": pl.Int64,
    "panels": pl.Int64,
    "method": pl.String,
    "auc": pl.Float64,
    "standard_error": pl.Float64,
    "above_rivals": pl.Float64,
    "above_rivals_error": pl.Float64,
}
"""Of real.csv. Errors are of drawing the panels, given these people and items; a whole crowd has none."""


class PanelJob(NamedTuple):
    """One study with panels of one size; None for the whole crowd."""

    study: Study
    people: int | None
    panels: int

    @property
    def words(self) -> str:
        return f"{self.study.name} {CROWD if self.people is None else self.people} people"


def panel_jobs(studies: list[Study], panels: int) -> list[PanelJob]:
    """Every study: the whole crowd, and panels of every size."""
    return [PanelJob(study, people, 1 if people is None else panels) for study in studies for people in (None, *SIZES)]


def run_panels(job: PanelJob, seed: int) -> list[tuple[object, ...]]:
    """Rows of the table of real data. The same seed gives the same numbers."""
    areas: dict[str, list[float]] = {name: [] for name in METHODS}
    for at in range(job.panels):
        rows = _draw_rows(generator(seed, job.words, at), job.study.item, job.people)
        matrices = _matrices(job.study, rows)
        for name, found in areas.items():
            found.append(area_under_curve(score(matrices, name), job.study.truth))
    best = max(RIVALS, key=lambda name: float(np.mean(areas[name])))
    place = (job.study.name, CROWD if job.people is None else str(job.people), len(job.study.truth), job.panels)
    rows_made: list[tuple[object, ...]] = []
    for name, found in areas.items():
        above = np.subtract(found, areas[best])
        rows_made.append((*place, name, *_mean_and_error(np.array(found)), *_mean_and_error(above)))
    return rows_made


def real_table(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    """The rows of all jobs."""
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def area_under_curve(scores: Scores, truth: BoolArray) -> float:
    """Probability that a random true item is ranked above a random false one, by the pairwise rule."""
    true, false = np.flatnonzero(truth)[:, None], np.flatnonzero(~truth)[None, :]
    value, defined, mean = scores.value, scores.defined, scores.mean
    return float(prefer(value[true], defined[true], mean[true], value[false], defined[false], mean[false]).mean())


def _draw_rows(rng: np.random.Generator, item: IntArray, people: int | None) -> IntArray:
    """So many random people for each item, all of them where it has fewer: positions in the study."""
    if people is None:
        return np.arange(len(item))
    shuffled = rng.permutation(len(item))
    by_item = shuffled[np.argsort(item[shuffled], kind="stable")]
    first = np.searchsorted(item, item)  # `item` is sorted, and so is item[by_item]
    return np.sort(by_item[np.arange(len(item)) - first < people])


def _matrices(study: Study, rows: IntArray) -> Matrices:
    forecast = study.forecast[rows]
    return build_matrices(
        Reviews(
            Scale((0, 1)),
            pl.Series(np.arange(len(study.truth))),
            study.item[rows],
            study.vote[rows],
            np.stack([1 - forecast, forecast], axis=1),
        )
    )


def _mean_and_error(numbers: FloatArray) -> tuple[float, float | None]:
    if len(numbers) < 2:
        return float(numbers.mean()), None
    return float(numbers.mean()), float(numbers.std(ddof=1) / np.sqrt(len(numbers)))
