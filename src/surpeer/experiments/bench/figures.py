"""The benchmark's tables -> pictures. Nothing is computed here. Needs matplotlib (the extra `figures`)."""

from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from surpeer.experiments.bench.cells import BASELINE, ORACLE
from surpeer.experiments.bench.gaps import POINTS, names
from surpeer.experiments.bench.panels import CROWD
from surpeer.experiments.bench.reliability import EDGES
from surpeer.experiments.bench.targets import DOUBT, in_errors
from surpeer.experiments.figures import BLACK, BLUE, GREEN, GREY, RED, as_png, as_svg, styled

__all__ = ["above_mean_figure", "as_png", "as_svg", "gap_figure", "real_figure", "reliability_figure"]

MARKERS = "osD^vPX*<>"
TICKS = (-50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 50)
COLOURS = (GREEN, RED, BLUE, BLACK, "#CC79A7", "#E69F00", GREY)


@styled
def gap_figure(accuracy: pl.DataFrame) -> Figure:
    """Every cell's gap to the oracle as a dot, by method; the bar is the average. A panel for each kind of forecast."""
    kinds, methods = names(accuracy, "forecasts"), [name for name in names(accuracy, "method") if name != ORACLE]
    figure = Figure(figsize=(10, 6), layout="constrained")
    panels = _panels(figure, len(kinds))
    for axes, kind in zip(panels, kinds, strict=False):
        for at, method in enumerate(methods):
            here = (pl.col("forecasts") == kind) & (pl.col("method") == method)
            gap = POINTS * accuracy.filter(here)["below_oracle"].to_numpy()
            sideways = at + np.linspace(-0.3, 0.3, len(gap))
            axes.plot(sideways, gap, ".", markersize=2, color=GREY)
            axes.plot([at - 0.35, at + 0.35], [gap.mean()] * 2, color=BLACK, linewidth=2)
        axes.set_xticks(range(len(methods)), methods, rotation=30, ha="right")
        axes.axhline(0, color=BLACK, linewidth=0.8)
        axes.set(title=f"{kind} forecasts", ylabel="points below the oracle")
        axes.label_outer()
        axes.grid(axis="y", alpha=0.3, linewidth=0.5)
    figure.suptitle("Gap to the oracle: every dot is a kind of venue, the bar is the average")
    return figure


@styled
def above_mean_figure(accuracy: pl.DataFrame, method: str) -> Figure:
    """One method against the mean in standard errors: every cell, in order, by kind of forecasts."""
    mine = accuracy.filter(pl.col("method") == method).with_columns(errors=in_errors())
    figure = Figure(figsize=(7, 4.4), layout="constrained")
    axes = figure.subplots()
    for at, kind in enumerate(names(mine, "forecasts")):
        errors = np.sort(mine.filter(pl.col("forecasts") == kind)["errors"].to_numpy())
        share = (np.arange(len(errors)) + 0.5) / len(errors)
        every = max(1, len(errors) // 8)
        axes.plot(share, errors, linewidth=1, label=f"{kind} forecasts", markevery=every, **_line(at))
    axes.axhspan(-DOUBT, DOUBT, color=GREY, alpha=0.2, linewidth=0)
    axes.axhline(0, color=BLACK, linewidth=0.8)
    axes.set_yscale("symlog", linthresh=DOUBT)
    axes.set_yticks(TICKS, [f"{tick:+d}" if tick else "0" for tick in TICKS])
    found = mine["errors"].to_numpy()
    axes.set_ylim(min(-2 * DOUBT, 1.2 * found.min()), max(2 * DOUBT, 1.2 * found.max()))
    axes.set(xlabel="share of cells", ylabel=f"{method} above {BASELINE}, in standard errors", xlim=(0, 1))
    axes.set_title(f"{method} against the mean rating; the band is {DOUBT:g} standard errors wide on each side")
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, fontsize=7)
    return figure


@styled
def reliability_figure(reliability: pl.DataFrame) -> Figure:
    """Stated probabilities against the share right, a panel for each kind of forecasts, a line for each K."""
    kinds = names(reliability, "forecasts")
    figure = Figure(figsize=(9, 6), layout="constrained")
    if not kinds:
        figure.suptitle("No registered method states a standard error")
        return figure
    panels = _panels(figure, len(kinds))
    for axes, kind in zip(panels, kinds, strict=False):
        axes.plot([0.5, 1], [0.5, 1], color=BLACK, linewidth=0.8)
        part = reliability.filter(pl.col("forecasts") == kind)
        for at, ((method, levels), line) in enumerate(part.group_by("method", "K", maintain_order=True)):
            label = f"{method}, K = {levels}"
            axes.plot(line["stated"].to_numpy(), line["right"].to_numpy(), linewidth=1, label=label, **_line(at))
        axes.set(xlim=(0.49, 1.01), ylim=(0.45, 1.01), title=f"{kind} forecasts")
        axes.set_xticks(EDGES)
        axes.tick_params(axis="x", labelrotation=60)
        axes.set(xlabel="stated probability", ylabel="share right")
        axes.label_outer()
        axes.grid(alpha=0.3, linewidth=0.5)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle("Of pairs of papers, how often the one ahead is better")
    return figure


@styled
def real_figure(real: pl.DataFrame) -> Figure:
    """Area under the curve by number of people, a panel for each study; bars are two standard errors of the panels."""
    studies, methods = names(real, "study"), names(real, "method")
    sizes = [*(size for size in names(real, "people") if size != CROWD), CROWD]
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    panels = figure.subplots(1, len(studies), sharey=True, squeeze=False)[0]
    for axes, study in zip(panels, studies, strict=True):
        for at, method in enumerate(methods):
            here = (pl.col("study") == study) & (pl.col("method") == method)
            by_size = {row["people"]: row for row in real.filter(here).iter_rows(named=True)}
            x = np.arange(len(sizes)) + 0.07 * (at - (len(methods) - 1) / 2)
            y = [by_size[size]["auc"] for size in sizes]
            doubt = [2 * (by_size[size]["standard_error"] or 0) for size in sizes]
            axes.errorbar(x, y, doubt, linewidth=0.8, label=method, **_line(at))
        axes.set_xticks(range(len(sizes)), sizes)
        axes.set(title=study, xlabel="people per item")
        axes.grid(axis="y", alpha=0.3, linewidth=0.5)
    panels[0].set_ylabel("area under the curve")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(methods), frameon=False)
    return figure


def _line(at: int) -> dict[str, Any]:
    """A colour and a marker of its own for each line."""
    return {"marker": MARKERS[at % len(MARKERS)], "color": COLOURS[at % len(COLOURS)], "markersize": 4}


def _panels(figure: Figure, number: int) -> list[Axes]:
    """Panels in two rows; those that are not needed are left empty."""
    rows = 1 if number < 3 else 2
    grid = figure.subplots(rows, -(-number // rows), sharex=True, sharey=True, squeeze=False)
    panels: list[Axes] = list(grid.ravel())
    for axes in panels[number:]:
        axes.set_axis_off()
    return panels
