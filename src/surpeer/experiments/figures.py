"""Tables -> pictures. Nothing is computed here. Needs matplotlib (the extra `figures`).

Colours are Okabe and Ito's, which colour-blind people can tell apart; every line also has a dash of its own.
"""

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from textwrap import fill
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

GREEN, RED, BLUE, BLACK, GREY = "#009E73", "#D55E00", "#0072B2", "#000000", "#777777"
LINES: dict[str, dict[str, Any]] = {
    "mean": {"color": GREEN, "linestyle": (0, (5, 2)), "label": "mean rating (baseline)"},
    "surprisal": {"color": RED, "linestyle": "-", "label": "surprisal score"},
    "sp": {"color": BLUE, "linestyle": (0, (5, 2)), "label": "SP-inspired, prior known"},
    "sp_infinite": {"color": BLACK, "linestyle": (0, (4, 1, 1, 1)), "label": "SP-inspired, unanimous at ±∞"},
    "oracle": {"color": GREY, "linestyle": (0, (1, 1.5)), "label": "oracle (knows prior, level and bias)"},
}
STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 8,
    "svg.hashsalt": "surpeer",  # the same table gives the same file
    "figure.dpi": 100,
    "savefig.dpi": 160,
}
JUMP_DRAWN = 1e-6

Arguments = ParamSpec("Arguments")


def as_svg(figure: Figure) -> bytes:
    """The picture as an SVG file."""
    return _saved(figure, "svg", {"Date": None, "Creator": "surpeer"})


def as_png(figure: Figure) -> bytes:
    """The picture as a PNG file."""
    return _saved(figure, "png", {"Software": "surpeer"})


def _saved(figure: Figure, kind: str, metadata: dict[str, str | None]) -> bytes:
    buffer = io.BytesIO()
    with our_style():
        figure.savefig(buffer, format=kind, metadata=metadata)
    return buffer.getvalue()


def our_style() -> AbstractContextManager[None]:
    """Our style, whatever the user's is."""
    return mpl.rc_context({**mpl.rcParamsDefault, **STYLE})


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Draw with our style."""

    @wraps(draw)
    def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with our_style():
            return draw(*args, **kwargs)

    return drawn


@styled
def accuracy_figure(accuracy: pl.DataFrame, jumps: pl.DataFrame, bias: str, methods: tuple[str, ...]) -> Figure:
    """The curves of one bias: a row of panels for each prior, a block of columns for each number of reviewers."""
    table, at_jumps = accuracy.filter(pl.col("bias") == bias), jumps.filter(pl.col("bias") == bias)
    priors = table["prior"].unique(maintain_order=True).to_list()
    columns = table.select("n", "lambda_a").unique().sort("n", "lambda_a").rows()
    figure = Figure(figsize=(13, 6.6), layout="constrained")
    panels = figure.subplots(len(priors), len(columns), sharex=True, sharey="row", squeeze=False)
    for row, prior in zip(panels, priors, strict=True):
        for axes, (n, level_a) in zip(row, columns, strict=True):
            here = (pl.col("n") == n) & (pl.col("prior") == prior) & (pl.col("lambda_a") == level_a)
            for method in methods:
                of_method = here & (pl.col("method") == method)
                _draw_curve(axes, table.filter(of_method), at_jumps.filter(of_method), method)
            axes.set_xlim(0, 1)
            axes.grid(alpha=0.3, linewidth=0.5)
        row[0].set_ylabel(f"quality Beta({prior})\naccuracy")
    for axes, (n, level_a) in zip(panels[0], columns, strict=True):
        axes.set_title(f"{n} reviewers, $\\lambda_A$ = {level_a:g}")
    for axes in panels[-1]:
        axes.set_xlabel("$\\lambda_B$, noise level of paper B")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(methods), frameon=False)
    biases = f"{bias} bias{'es' * (bias == 'opposite')}"
    against = "the SP-inspired score" if "sp" in methods else "the mean rating"
    figure.suptitle(f"Probability of ranking two random papers right: surprisal score and {against}, {biases}")
    return figure


def _draw_curve(axes: Axes, curve: pl.DataFrame, jumps: pl.DataFrame, method: str) -> None:
    """A line that is broken where it jumps, with a dot at each isolated value."""
    drawn = jumps.filter(
        ((pl.col("after") - pl.col("before")).abs() > JUMP_DRAWN)
        | ((pl.col("at") - pl.col("before")).abs() > JUMP_DRAWN)
    )
    keep = ~np.isin(np.round(curve["lambda_b"].to_numpy(), 12), np.round(drawn["lambda_b"].to_numpy(), 12))
    x, y = curve["lambda_b"].to_numpy()[keep], curve["accuracy"].to_numpy()[keep]
    level = drawn["lambda_b"].to_numpy()
    gap = np.full(len(level), np.nan)
    x = np.concatenate([x, np.repeat(level, 3)])
    y = np.concatenate([y, np.stack([drawn["before"].to_numpy(), gap, drawn["after"].to_numpy()], axis=1).ravel()])
    order = np.argsort(x, kind="stable")
    axes.plot(x[order], y[order], linewidth=1.3, **LINES[method])
    axes.plot(level, drawn["at"].to_numpy(), ".", markersize=3, color=str(LINES[method]["color"]))


@styled
def contour_figure(contours: pl.DataFrame) -> Figure:
    """The score over the two predictions; where it is undefined the panel is hatched."""
    figure = Figure(figsize=(9, 4.9), layout="constrained")
    votes = contours.select("accepts", "rejects").unique(maintain_order=True).rows()
    panels = figure.subplots(1, len(votes), sharey=True, squeeze=False)[0]
    levels = np.array([-8, -4, -2, -1, -0.5, 0, 0.5, 1, 2, 4, 8])
    for axes, (accepts, rejects) in zip(panels, votes, strict=True):
        part = contours.filter(pl.col("accepts") == accepts)
        wide = part.pivot(on="rejecting_predict", index="accepting_predict", values="score")
        x = part["rejecting_predict"].unique().sort().to_numpy()
        y = wide["accepting_predict"].to_numpy()
        score = wide.drop("accepting_predict").to_numpy().astype(np.float64)
        axes.patch.set(facecolor="#e8e8e8", hatch="///", edgecolor="#bbbbbb")
        shown = np.ma.masked_invalid(score)
        filled = axes.contourf(x, y, shown, levels=levels, cmap="RdBu", norm=_even(levels), extend="both")
        lines = axes.contour(x, y, shown, levels=levels, colors="black", linewidths=0.5)
        axes.clabel(lines, fontsize=6)
        axes.set_title(f"{accepts} accept, {rejects} reject")
        axes.set_xlabel("share of accepts that rejecting reviewers predict")
        axes.set_box_aspect(1)
    panels[0].set_ylabel("share of accepts that accepting reviewers predict")
    undefined = Patch(facecolor="#e8e8e8", hatch="///", edgecolor="#bbbbbb")
    text = "undefined: those who accept expect no more accepts than those who reject (or one side is certain)"
    figure.legend([undefined], [text], loc="outside lower center", frameon=False)
    figure.colorbar(filled, ax=list(panels), label="surprisal score", shrink=0.8, ticks=levels, format="%g")
    figure.suptitle("Surprisal score of three reviewers, by what they predict")
    return figure


def _even(levels: np.ndarray) -> mpl.colors.BoundaryNorm:
    """One step of colour from each contour to the next."""
    return mpl.colors.BoundaryNorm(levels, 256, extend="both")


@styled
def state_figure(states: pl.DataFrame) -> Figure:
    """The model: what reviewers of three types of papers say, clean and through two noises, and the score."""
    titles = {
        "none": "no noise",
        "negative": "negative bias: half of the\nreviewers reject unread",
        "positive": "positive bias: half of the\nreviewers accept unread",
    }
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    panels = figure.subplots(1, len(titles), sharey=True)
    for axes, (noise, title) in zip(panels, titles.items(), strict=True):
        part = states.filter(pl.col("noise") == noise)
        x = np.arange(len(part))
        accept, reject = part["accept"].to_numpy(), part["reject"].to_numpy()
        axes.bar(x, accept, color=BLUE, label="accept")
        axes.bar(x, reject, bottom=accept, color="#f0c9a8", hatch="//", edgecolor="white", label="reject")
        for at, (share, score) in enumerate(zip(accept, part["surprisal_score"], strict=True)):
            axes.text(at, share / 2, f"{share:.0%}", ha="center", va="center", color="white")
            axes.text(at, 1.03, f"S = {score + 0.0:.2f}", ha="center")
        axes.set_xticks(x, [f"type {kind}" for kind in part["type"]])
        axes.set_ylim(0, 1.12)
        axes.set_title(title)
    panels[0].set_ylabel("share of reviewers")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("Ratings change with the noise, the surprisal score S does not")
    return figure


@styled
def example_figure(examples: pl.DataFrame) -> Figure:
    """Every number that the paper prints in an example, and what it is exactly."""
    shown = examples.filter(pl.col("printed") != "").reverse()
    at = np.arange(len(shown))
    figure = Figure(figsize=(7.5, 0.19 * len(shown) + 1), layout="constrained")
    axes = figure.subplots()
    printed = shown["printed"].cast(pl.Float64).to_numpy()
    differs = (shown["agrees"] == "no").to_numpy()
    axes.barh(at[differs], 1.4, left=-0.35, height=0.9, color="#f6ddcc")
    axes.plot(printed, at, "o", markersize=6, markerfacecolor="none", color=GREY, label="printed")
    axes.plot(shown["exact"].to_numpy(), at, "x", markersize=5, color=RED, label="exact")
    axes.set_yticks(at, [f"{place}: {what}" for place, what in shown.select("place", "quantity").rows()], fontsize=6.5)
    axes.set_ylim(-0.8, len(shown) - 0.2)
    axes.grid(axis="x", alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, loc="lower right")
    axes.set_xlabel("value")
    axes.set_title("Worked examples; shaded where print and exact value differ by more than rounding")
    return figure


@styled
def bound_figure(bounds: pl.DataFrame) -> Figure:
    """Error probability against the bound of Theorems 2 and 3: every point must be above the line."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    kinds = (("binary", "Theorem 2 (2 levels, exact)"), ("general", "Theorem 3 (3 and 4 levels, sampled)"))
    lowest = 1e-9
    for axes, (theorem, title) in zip(panels, kinds, strict=True):
        part = bounds.filter(pl.col("theorem") == theorem)
        sizes = part["n_b"].unique().sort().to_list()
        shades = mpl.colormaps["viridis"](np.linspace(0.05, 0.9, len(sizes)))
        for n, shade in zip(sizes, shades, strict=True):
            of_size = part.filter(pl.col("n_b") == n)
            error, bound = of_size["error"].to_numpy(), of_size["bound"].to_numpy()
            axes.plot(error, bound, ".", markersize=3, color=shade, label=f"n = {n}")
        tiny = part.filter((pl.col("error") < lowest) | (pl.col("bound") < lowest)).height
        axes.plot([lowest, 1], [lowest, 1], color="black", linewidth=0.8)
        axes.annotate("error = bound", (1e-5, 1e-5), rotation=30, va="top", ha="left", fontsize=7)
        axes.set(xscale="log", yscale="log", xlim=(lowest, 1), ylim=(lowest, 20))
        axes.set_xlabel(f"error probability (not shown: {tiny} settings with error or bound below {lowest:g})")
        axes.set_title(f"{title}: {int(part['holds'].sum()):,} of {len(part):,} within the bound")
        axes.legend(frameon=False, fontsize=7, markerscale=2)
        axes.grid(alpha=0.3, linewidth=0.5)
    panels[0].set_ylabel("bound")
    return figure


PLAN_LABELS = {
    "mean": "mean rating",
    "surprisal": "surprisal score",
    "sp": "SP-inspired score",
    "oracle": "best possible",
}


@styled
def plan_figure(curve: pl.DataFrame, wanted: float, venue: str) -> Figure:
    """Accuracy against the number of reviewers, by method; a band of two standard errors where it was sampled.

    venue : what the venue is like, in words
    """
    figure = Figure(figsize=(6.5, 4.4), layout="constrained")
    axes = figure.subplots()
    methods = curve["method"].unique(maintain_order=True).to_list()
    for width, method in zip(np.linspace(4, 1.2, len(methods)), methods, strict=True):  # lines that coincide all show
        part = curve.filter(pl.col("method") == method)
        n, accuracy = part["n"].to_numpy(), part["accuracy"].to_numpy()
        doubt = 2 * part["standard_error"].to_numpy()
        line = {**LINES[method], "label": PLAN_LABELS[method]}
        axes.plot(n, accuracy, marker="." if len(n) < 2 else "", linewidth=width, **line)
        axes.fill_between(n, accuracy - doubt, accuracy + doubt, color=line["color"], alpha=0.2, linewidth=0)
    axes.axhline(wanted, color="black", linewidth=0.8)
    axes.annotate(f"{100 * wanted:.6g}%", (1, wanted), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="reviewers per paper", ylabel="probability of ranking two random papers right")
    axes.set_title(f"Reviewers for an accuracy of {100 * wanted:.6g}%\n" + fill(venue, 90))
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, fontsize=7)
    return figure
