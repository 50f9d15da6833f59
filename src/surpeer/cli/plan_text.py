"""A plan as text: how many reviewers each method needs, and the curve as a table with bars."""

import shutil
import sys
from textwrap import fill

import polars as pl

from surpeer.cli.tables import plain_table, render
from surpeer.experiments.planning import Plan
from surpeer.probability_text import percent_text

TITLES = {
    "mean": "mean rating",
    "surprisal": "surprisal score",
    "sp": "SP-inspired (surprisingly popular) score",
    "oracle": "the best possible (knows prior and noise)",
}
SHOWN_SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 200)
BAR = 10
BAR_COLUMN = 8 + BAR  # number, bar and the space between columns
WIDTH = 100
ROUNDING = 1e-12


def plan_text(plan: Plan, venue: str, levels: int) -> str:
    """All that `surpeer plan` prints."""
    terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if terminal else WIDTH
    bars = not terminal or columns >= 10 + BAR_COLUMN * len(plan.methods)  # a narrow terminal gets the numbers alone
    rows = [[method, TITLES[method], _needed(plan, method)] for method in plan.methods]
    headings = ["method", "what it is", "reviewers needed"]
    wanted = percent_text(plan.wanted)
    parts = [
        fill(f"Reviewers per paper so that two random papers are ranked right with probability {wanted}", columns),
        fill(venue, columns),
        "",
        render(plain_table(headings, rows, fold=["what it is"]), terminal),
        *(fill(note, columns) for note in _notes(plan, levels)),
        "Accuracy by number of reviewers" + " (bars from 50% to 100%)" * bars,
        _curve(plan, terminal, bars),
    ]
    return "\n".join(parts)


def _needed(plan: Plan, method: str) -> str:
    most = int(plan.curve["n"].to_numpy().max())
    number = plan.needed(method)
    if number is None:
        last = plan.curve.filter((pl.col("method") == method) & (pl.col("n") == most))["accuracy"].item()
        return f"more than {most} (accuracy {last:.3f} with {most})"
    low, high = plan.needed_between(method)
    if (low, high) == (number, number):
        return str(number)
    return f"about {number} ({low} to {'more' if high is None else high})"


def _notes(plan: Plan, levels: int) -> list[str]:
    notes = []
    for method in plan.methods:
        missed = plan.falls_back(method)
        if missed:
            sizes = ", ".join(map(str, missed[:8])) + (", ..." if len(missed) > 8 else "")
            notes.append(f"{method} misses it again with {sizes} reviewers: more is not always better.")
    largest = plan.curve["standard_error"].to_numpy().max()
    if largest > 0:
        notes.append(f"Sampled; the standard error of an accuracy is at most {largest:.1%}.")
    if levels > 2:
        notes.append(
            f"With {levels} levels a surprisal or SP score needs someone who gives each of the {levels}; papers "
            "without one are compared by their mean rating, so that with few reviewers the methods hardly differ."
        )
    return [*notes, ""] if notes else []


def _curve(plan: Plan, terminal: bool, bars: bool) -> str:
    by_size = plan.curve.pivot(on="method", index="n", values="accuracy")
    most = int(by_size["n"].to_numpy().max())
    shown = by_size.filter(pl.col("n").is_in([*SHOWN_SIZES, most])).to_dicts()
    rows = [[str(row["n"]), *(_cell(row[method], bars) for method in plan.methods)] for row in shown]
    return render(plain_table(["reviewers", *plan.methods], rows, right=["reviewers"]), terminal)


def _cell(accuracy: float, bars: bool) -> str:
    full = round(max(0.0, accuracy - 0.5) * 2 * BAR)
    # An accuracy that is exactly half way between two decimals is shown as the upper one, whatever its last bit.
    return f"{accuracy + ROUNDING:.3f}" + (f" {'█' * full}{'░' * (BAR - full)}" if bars else "")
