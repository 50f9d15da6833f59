"""Draw the pictures of docs/explanation/cheap-signals.md. Needs matplotlib (the extra `figures`).

    python tools/write_explanation_pictures.py

Every number comes from surpeer itself. Qualities of papers are Beta(2, 2), as in `surpeer demo`; three papers of the
same quality carry no cheap signal, one that half of the reviewers follow upwards, and one downwards.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from surpeer import calibrate, core
from surpeer.core.shapes import FloatArray
from surpeer.core.surprisal import noise_scale
from surpeer.demo import BETA, CHEAP_SIGNALS, make_venue, pairwise_accuracy
from surpeer.experiments.figures import BLACK, BLUE, GREEN, GREY, RED, as_svg, styled
from surpeer.reviews import Reviews
from surpeer.scale import Scale

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "figures"
QUALITY = 0.7
PUSH = 0.5
VENUE_PAPERS, VENUE_SEED = 300, 3
LOOKS = {  # name of the signal: bias, colour, marker, line
    "none": ((0.5, 0.5), BLACK, "o", "-"),
    "famous group": ((0.0, 1.0), RED, "^", (0, (5, 2))),
    "unfashionable topic": ((1.0, 0.0), BLUE, "v", (0, (1, 1.2))),
}
DARK, LIGHT = "#4d4d4d", "#d9d9d9"


class Pushed(NamedTuple):
    """A paper as its reviewers see it, in shares of accepts."""

    signal: str
    level: float
    got: float
    """Share of accepts."""
    expected: float
    """What such a paper gets whatever its quality."""
    rejecting: float
    """What those who reject predict."""
    accepting: float
    """What those who accept predict."""
    scale: float
    """What noise has left of real differences."""
    score: float


def pushed(signal: str, quality: float = QUALITY, push: float = PUSH) -> Pushed:
    """What a paper of this quality gets, with Bayesian reviewers."""
    level = 0.0 if signal == "none" else push
    M = core.noise_matrix(level, LOOKS[signal][0])
    U = core.noisy_joint(core.joint_from_dirichlet(BETA[::-1]), M)
    w, P = core.noisy_state([1 - quality, quality], M), core.predictions_from_joint(U)
    score = core.surprisal_score(w, U, [0, 1])
    numbers = (w[1], U.sum(axis=1)[1], P[0, 1], P[1, 1], noise_scale(U), score)
    return Pushed(signal, level, *(float(number) for number in numbers))


@styled
def three_papers() -> Figure:
    """What reviewers say of three papers that careful reviewers would accept alike."""
    figure = Figure(figsize=(7.5, 2.9), layout="constrained")
    axes = figure.subplots()
    for row, signal in enumerate(LOOKS):
        paper = pushed(signal)
        down, up = (paper.level * share for share in LOOKS[signal][0])
        parts: tuple[tuple[float, str, dict[str, Any]], ...] = (
            (QUALITY * (1 - paper.level), "read it, accept", {"color": DARK}),
            (up, "follow the signal, accept", {"color": "#9ecae1", "hatch": "///", "edgecolor": BLACK}),
            (down, "follow the signal, reject", {"color": "#fdd0a2", "hatch": "\\\\\\", "edgecolor": BLACK}),
            ((1 - QUALITY) * (1 - paper.level), "read it, reject", {"color": LIGHT}),
        )
        left = 0.0
        for share, label, look in parts:
            axes.barh(row, share, left=left, height=0.6, linewidth=0.5, label=label if row == 0 else None, **look)
            left += share
        axes.text(1.02, row, f"{paper.got:.0%} accept", va="center", fontsize=9)
    axes.plot([QUALITY, QUALITY], [-0.42, 2.5], color=BLACK, linewidth=1)
    axes.text(QUALITY, -0.46, f"all read it: {QUALITY:.0%} accept", ha="center", va="bottom", fontsize=8)
    _rows(axes)
    axes.set_xlabel("share of reviewers")
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    return figure


def _rows(axes: Axes) -> None:
    """One row for each paper, the first on top, and per cents below."""
    names = {"none": "no cheap signal", "famous group": "famous group", "unfashionable topic": "unfashionable topic"}
    axes.set_yticks(range(len(LOOKS)), [names[signal] for signal in LOOKS], fontsize=9)
    axes.set_ylim(len(LOOKS) - 0.5, -0.75)
    axes.set_xlim(0, 1)
    axes.set_xticks(np.linspace(0, 1, 6), [f"{share:.0%}" for share in np.linspace(0, 1, 6)])


@styled
def predictions() -> Figure:
    """What reviewers of the three papers predict, what was to be expected of each, and what it got."""
    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    axes = figure.subplots()
    for row, signal in enumerate(LOOKS):
        paper = pushed(signal)
        axes.plot([0, 1], [row, row], color=LIGHT, linewidth=1, zorder=0)
        marks = (
            (paper.rejecting, "v", "white", "predicted by those who reject"),
            (paper.accepting, "^", "white", "predicted by those who accept"),
            (paper.expected, "D", GREY, "expected, whatever the quality"),
            (paper.got, "o", BLACK, "what it got"),
        )
        for at, marker, face, words in marks:
            label = words if row == 0 else None
            low = row + 0.13 * (marker in "v^")  # predictions stand a little lower, so that nothing is covered
            axes.plot(at, low, marker, markersize=8, markerfacecolor=face, markeredgecolor=BLACK, label=label)
        arrow = {"arrowstyle": "->", "color": GREEN, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (paper.got, row - 0.25), (paper.expected, row - 0.25), arrowprops=arrow)
        middle = (paper.got + paper.expected) / 2
        axes.text(middle, row - 0.3, f"+{100 * (paper.got - paper.expected):.0f} points", ha="center", fontsize=8)
    _rows(axes)
    axes.set_xlabel("share of accepts")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return figure


@styled
def shrinking() -> Figure:
    """Papers of five qualities through three noises: noise moves them, and moves them together."""
    qualities = np.array([0.3, 0.4, 0.5, 0.6, 0.7])
    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axes = figure.subplots()
    for at, (signal, (_, colour, marker, line)) in zip((1.09, 1.03, 1.03), LOOKS.items(), strict=True):
        got = np.array([pushed(signal, quality).got for quality in (0.0, 1.0)])
        axes.plot([0, 1], got, color=colour, linestyle=line, linewidth=1.2, label=signal)
        five = np.array([pushed(signal, quality).got for quality in qualities])
        axes.plot(qualities, five, marker, color=colour, markersize=6)
        axes.plot([at, at], five[[0, -1]], color=colour, linewidth=4, clip_on=False, solid_capstyle="butt")
        axes.text(
            at + 0.02, five.mean(), f"{100 * np.ptp(five):.0f} points apart", va="center", color=colour, fontsize=8
        )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="share of careful reviewers who would accept (quality)")
    axes.set_ylabel("share of reviewers who accept")
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, fontsize=8, loc="upper left", title="cheap signal")
    return figure


@styled
def same_score() -> Figure:
    """The same paper through stronger and stronger signals: its mean rating, and its score."""
    levels = np.linspace(0, 0.9, 10)
    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    for signal in ("famous group", "unfashionable topic"):
        _, colour, marker, line = LOOKS[signal]
        papers = [pushed(signal, push=float(level)) for level in levels]
        look = {"color": colour, "marker": marker, "linestyle": line, "label": signal, "linewidth": 1.2}
        left.plot(levels, [paper.got for paper in papers], **look)
        right.plot(levels, [round(paper.score, 6) for paper in papers], **look)
    left.axhline(QUALITY, color=GREY, linewidth=0.8)
    left.set(title="mean rating", ylim=(0, 1), ylabel="share of accepts")
    right.set(title="surprisal score", ylim=(0, 1.2))
    for axes in (left, right):
        axes.set_xlabel("share of reviewers who follow the signal")
        axes.grid(alpha=0.3, linewidth=0.5)
    left.legend(frameon=False, fontsize=8, title="cheap signal")
    return figure


class Ranked(NamedTuple):
    """A made-up venue by two methods."""

    papers: pl.DataFrame
    accuracy: dict[str, float]
    """Share of the pairs of papers in the right order."""


def ranked_venue() -> Ranked:
    """The venue of `surpeer demo`, larger."""
    venue = make_venue(np.random.default_rng(VENUE_SEED), VENUE_PAPERS)
    reviews = Reviews.from_table(venue.reviews, Scale(["reject", "accept"]))
    rankings = {method: calibrate(reviews, method) for method in ("mean", "venue")}
    papers = venue.truth.join(rankings["venue"].table.select("paper", "mean", "score"), on="paper")
    accuracy = {method: pairwise_accuracy(ranking, venue.truth) for method, ranking in rankings.items()}
    return Ranked(papers.with_columns(pl.col("score").round(2)), accuracy)


@styled
def whole_venue() -> Figure:
    """Every paper of a made-up venue: what it got against what it is worth."""
    papers, accuracy = ranked_venue()
    figure = Figure(figsize=(7.5, 3.9), layout="constrained")
    panels = figure.subplots(1, 2)
    for axes, column, method, name in zip(
        panels, ("mean", "score"), ("mean", "venue"), ("mean rating", "venue score"), strict=True
    ):
        for signal, *_ in CHEAP_SIGNALS:
            _, colour, marker, _ = LOOKS[signal]
            part = papers.filter(pl.col("cheap_signal") == signal)
            x, y = part["true_quality"].to_numpy(), part[column].to_numpy()
            axes.plot(x, y, marker, color=colour, markersize=4, markerfacecolor="none", label=signal)
            axes.plot([0, 1], np.full(2, np.round(_at_middle(x, y), 3)), color=colour, linestyle=LOOKS[signal][3])
        axes.set(
            title=f"{name}: {accuracy[method]:.0%} of pairs in the right order", xlim=(0, 1), xlabel="true quality"
        )
        axes.set_ylabel(name)
        axes.grid(alpha=0.3, linewidth=0.5)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return figure


def _at_middle(x: FloatArray, y: FloatArray) -> float:
    """What a paper of quality one half gets on average, by a straight line through the papers."""
    slope, start = np.polyfit(x, y, 1)
    return float(start + slope / 2)


PICTURES = {
    "cheap-signals-three-papers.svg": three_papers,
    "cheap-signals-predictions.svg": predictions,
    "cheap-signals-shrinking.svg": shrinking,
    "cheap-signals-same-score.svg": same_score,
    "cheap-signals-venue.svg": whole_venue,
}


def files() -> dict[str, bytes]:
    """The content of every picture by its name."""
    return {name: as_svg(draw()) for name, draw in PICTURES.items()}


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)
