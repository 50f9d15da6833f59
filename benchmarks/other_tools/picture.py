"""The table of tools and worlds as a picture. Nothing is computed here. Needs matplotlib (the extra `figures`)."""

from pathlib import Path

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from other_tools.registry import BASELINE
from surpeer.experiments.figures import BLACK, BLUE, GREY, as_svg, styled

SHOWN = ("conference", 5)


def write_picture(table: pl.DataFrame, path: Path) -> None:
    shown = table.filter((pl.col("venue") == SHOWN[0]) & (pl.col("levels") == SHOWN[1]))
    if shown.height:
        path.write_bytes(as_svg(gain_figure(shown)))


@styled
def gain_figure(table: pl.DataFrame) -> Figure:
    """A panel for each world, a line for each tool: points above the mean rating, two standard errors each way."""
    worlds = table["world"].unique(maintain_order=True).to_list()
    names = [name for name in table["tool"].unique(maintain_order=True) if name != BASELINE]
    figure = Figure(figsize=(9.5, 5.6), layout="constrained")
    panels = np.ravel(
        figure.subplots(-(-len(worlds) // 3), min(3, len(worlds)), sharex=True, sharey=True, squeeze=False)
    )
    for axes, world in zip(panels, worlds, strict=False):
        here = {row["tool"]: row for row in table.filter(pl.col("world") == world).iter_rows(named=True)}
        for at, name in enumerate(names):
            if name not in here:
                continue
            gain, error = here[name]["above_mean"], np.nan_to_num(here[name]["above_mean_error"])
            marker, colour = ("s", BLUE) if name.startswith("surpeer") else ("o", GREY)
            axes.errorbar(gain, at, xerr=2 * error, fmt=marker, color=colour, markersize=4)
        axes.axvline(0, color=BLACK, linewidth=0.8)
        axes.set_title(f"{world} (mean rating: {here[BASELINE]['accuracy']:.1f} %)")
        axes.grid(axis="x", alpha=0.3, linewidth=0.5)
        axes.set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    figure.supxlabel("points above the mean rating (pairs of papers in the right order)", fontsize=8)
    return figure
