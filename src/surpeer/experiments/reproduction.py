"""The paper's experiments in one run: tables, pictures and a text that says what they show."""

from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.experiments.bound_checks import bounds_table
from surpeer.experiments.contours import contour_table
from surpeer.experiments.curves import accuracy_table, jump_table, sampled_table
from surpeer.experiments.examples import example_table, state_table
from surpeer.experiments.large_panels import large_panel_table
from surpeer.experiments.reproduction_text import reproduction_text
from surpeer.experiments.settings import Effort
from surpeer.experiments.statements import statement_table
from surpeer.experiments.theorems import theorem_table

SEED = 2023
"""Of the sampled tables; every run gives the same ones."""

PAGE = "REPRODUCTION.md"


class Step(NamedTuple):
    """One file of the run: what it is called, and how it is made from the tables so far."""

    file: str
    make: Callable[[], bytes]


class Reproduction:
    """A run. Its steps must be made in order; `tables` has those made so far, by name."""

    def __init__(self, effort: Effort, figures: ModuleType | None = None) -> None:
        """`figures` is surpeer.experiments.figures, which needs matplotlib; without it no pictures are drawn."""
        self.tables: dict[str, pl.DataFrame] = {}
        self._effort = effort
        self._figures = figures

    def steps(self) -> Iterator[Step]:
        """All files of the run, in the order in which they can be made."""
        for name, make in self._table_makers().items():
            yield Step(f"{name}.csv", partial(self._make_table, name, make))
        for name, draw in self._drawings().items():
            for ending in ("svg", "png"):
                yield Step(f"figures/{name}.{ending}", partial(self._save_drawing, draw, ending))
        yield Step(PAGE, lambda: reproduction_text(self.tables, self._effort, self._figures is not None).encode())

    def _table_makers(self) -> dict[str, Callable[[], pl.DataFrame]]:
        effort = self._effort
        sampling, bounding, settings = (np.random.default_rng(seed) for seed in np.random.SeedSequence(SEED).spawn(3))
        return {
            "accuracy": partial(accuracy_table, effort),
            "jumps": jump_table,
            "sampled": partial(sampled_table, effort, sampling),
            "bounds": partial(bounds_table, effort, bounding),
            "theorems": partial(theorem_table, settings),
            "examples": example_table,
            "states": state_table,
            "contours": partial(contour_table, effort),
            "large_panels": partial(large_panel_table, effort),
            "statements": lambda: statement_table(self.tables["accuracy"], effort),
        }

    def _drawings(self) -> dict[str, Callable[[], object]]:
        if self._figures is None:
            return {}
        figures, tables = self._figures, self.tables
        with_mean, with_sp = ("mean", "surprisal", "oracle"), ("surprisal", "sp", "sp_infinite", "oracle")

        def curves(bias: str, methods: tuple[str, ...]) -> object:
            return figures.accuracy_figure(tables["accuracy"], tables["jumps"], bias, methods)

        return {
            "accuracy-opposite": lambda: curves("opposite", with_mean),
            "accuracy-same": lambda: curves("same", with_mean),
            "sp-opposite": lambda: curves("opposite", with_sp),
            "sp-same": lambda: curves("same", with_sp),
            "contours": lambda: figures.contour_figure(tables["contours"]),
            "states": lambda: figures.state_figure(tables["states"]),
            "examples": lambda: figures.example_figure(tables["examples"]),
            "bounds": lambda: figures.bound_figure(tables["bounds"]),
        }

    def _make_table(self, name: str, make: Callable[[], pl.DataFrame]) -> bytes:
        self.tables[name] = make()
        return self.tables[name].write_csv().encode()

    def _save_drawing(self, draw: Callable[[], object], ending: str) -> bytes:
        assert self._figures is not None  # noqa: S101 (there are no drawings without it)
        saved: bytes = {"svg": self._figures.as_svg, "png": self._figures.as_png}[ending](draw())
        return saved
