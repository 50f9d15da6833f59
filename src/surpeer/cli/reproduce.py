"""`surpeer reproduce`: the paper's figures and numbers. The library twin is `surpeer.experiments`."""

import sys
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.pictures import load_figures
from surpeer.cli.progress import progress
from surpeer.cli.tables import plain_table, render


def command(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where to put tables, pictures and text.", show_default=False
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="A coarse grid and smaller samples.")] = False,
    figures: Annotated[bool, typer.Option(help="Draw the pictures, which needs matplotlib.")] = True,
) -> None:
    """Regenerate every number and figure of Lu and Kong's article.

    Writes tables (accuracy.csv, bounds.csv and others), pictures as SVG and PNG (figures/), and REPRODUCTION.md, which
    says which statements of the article hold and which do not. Files of these names are replaced.

    Example: surpeer reproduce --quick --output reproduction
    """
    from surpeer.experiments.reproduction import PAGE, Reproduction
    from surpeer.experiments.settings import FULL, QUICK
    from surpeer.io.whole_folder import check_folder, write_whole_folder

    with exit_codes():
        drawing = load_figures("leave them out with --no-figures") if figures else None
        run = Reproduction(QUICK if quick else FULL, drawing)
        steps = list(run.steps())
        check_folder(output, [step.file for step in steps])
        made: dict[str, bytes] = {}
        with progress(len(steps)) as begin:
            for step in steps:
                begin(step.file)
                made[step.file] = step.make()
        write_whole_folder(output, made)
        grid = "a coarse grid of the curves" if quick else "the curves"
        print(f"Probability of ranking two random papers right, average over {grid} of the article's figures:")
        print(_averages(run.tables["accuracy"]), end="")
        print()
        print(_readings(run.tables["statements"]), end="")
        print()
        print(f"{len(made)} files are in {output}; begin with {output / PAGE}")


def _averages(accuracy: pl.DataFrame) -> str:
    from surpeer.experiments.curves import average_table

    wide = average_table(accuracy)
    rows = [[str(bias), str(n), *(f"{value:.4f}" for value in values)] for bias, n, *values in wide.iter_rows()]
    return render(plain_table(wide.columns, rows, right=wide.columns[1:]), sys.stdout.isatty())


def _readings(statements: pl.DataFrame) -> str:
    """One line for each statement: at how many points it fails, and by how much at the worst."""
    totals = statements.group_by("statement", maintain_order=True).agg(
        pl.col("points", "against").sum(), worst=pl.col("worst").sort_by(pl.col("worst").abs()).last()
    )
    rows = [
        [statement, "holds", ""]
        if against == 0
        else [statement, f"fails at {against:,} of {points:,} points", f"{worst:+.4f}"]
        for statement, points, against, worst in totals.iter_rows()
    ]
    headings = ["statement", "on the grid", "worst"]
    return render(plain_table(headings, rows, right=headings[2:], fold=headings[:1]), sys.stdout.isatty())
