"""The accuracy benchmark in one run: tables, pictures and a page."""

from collections.abc import Callable
from functools import partial
from types import ModuleType

import polars as pl

from surpeer.experiments.bench.cells import CellResult, accuracy_table, run_cell
from surpeer.experiments.bench.grid import Cell, Grid
from surpeer.experiments.bench.page import summary_page
from surpeer.experiments.bench.panels import PanelJob, panel_jobs, real_table, run_panels
from surpeer.experiments.bench.reliability import reliability_table
from surpeer.experiments.bench.studies import Study
from surpeer.experiments.bench.workers import run_jobs
from surpeer.scores import DEFAULT_METHOD

PAGE = "summary.html"


class AccuracyBenchmark:
    """A run. `tables` has what was found, by name; without studies there is no table of real data."""

    def __init__(
        self,
        grid: Grid,
        seed: int,
        studies: list[Study] | None = None,
        figures: ModuleType | None = None,
        method: str = DEFAULT_METHOD,
    ) -> None:
        """`figures` is surpeer.experiments.bench.figures, which needs matplotlib; without it no pictures are drawn.
        `method` is the one that the page is about."""
        self.tables: dict[str, pl.DataFrame] = {}
        self.method = method
        self._grid, self._seed, self._studies, self._figures = grid, seed, studies, figures
        self._cells = list(grid.cells())
        self._panels = [] if studies is None else panel_jobs(studies, grid.panels)

    @property
    def steps(self) -> int:
        """How often `run` reports."""
        return len(self._cells) + len(self._panels) + 1

    @property
    def files(self) -> list[str]:
        """All that `run` makes, in that order."""
        names = ["accuracy", "reliability", *(["real"] if self._studies is not None else [])]
        pictures = [f"figures/{name}.{ending}" for name in self._drawings() for ending in ("svg", "png")]
        return [*(f"{name}.csv" for name in names), *pictures, PAGE]

    def run(self, workers: int = 1, begin: Callable[[str], None] = lambda _: None) -> dict[str, bytes]:
        """The content of every file. `begin` is called with a few words before each step."""
        self._make_tables(workers, begin)
        begin("pictures and page")
        made = {f"{name}.csv": table.write_csv().encode() for name, table in self.tables.items()}
        for name, draw in self._drawings().items():
            assert self._figures is not None  # noqa: S101 (there are no drawings without it)
            drawing = draw()
            made[f"figures/{name}.svg"] = self._figures.as_svg(drawing)
            made[f"figures/{name}.png"] = self._figures.as_png(drawing)
        made[PAGE] = summary_page(self.tables, self._grid, self._seed, self.method).encode()
        return made

    def _make_tables(self, workers: int, begin: Callable[[str], None]) -> None:
        jobs: list[Cell | PanelJob] = [*self._cells, *self._panels]
        results: list[CellResult] = []
        rows: list[tuple[object, ...]] = []
        done = run_jobs(partial(_run, grid=self._grid, seed=self._seed), jobs, workers)
        for job in jobs:
            begin(job.words)
            result = next(done)
            if isinstance(result, CellResult):
                results.append(result)
            else:
                rows += result
        self.tables["accuracy"] = accuracy_table(results)
        self.tables["reliability"] = reliability_table(
            (result.cell.levels, result.cell.forecasts, method, sums)
            for result in results
            for method, sums in result.reliability
        )
        if self._studies is not None:
            self.tables["real"] = real_table(rows)

    def _drawings(self) -> dict[str, Callable[[], object]]:
        if self._figures is None:
            return {}
        figures, tables = self._figures, self.tables
        drawings: dict[str, Callable[[], object]] = {
            "gap-to-oracle": lambda: figures.gap_figure(tables["accuracy"]),
            "above-mean": lambda: figures.above_mean_figure(tables["accuracy"], self.method),
            "reliability": lambda: figures.reliability_figure(tables["reliability"]),
        }
        if self._studies is not None:
            drawings["real"] = lambda: figures.real_figure(tables["real"])
        return drawings


def _run(job: Cell | PanelJob, grid: Grid, seed: int) -> CellResult | list[tuple[object, ...]]:
    """In a worker process."""
    if isinstance(job, PanelJob):
        return run_panels(job, seed)
    return run_cell(job, grid.venues[job.papers], seed)
