"""`surpeer bench`: how good the methods are. The library twin is `surpeer.experiments.bench`."""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.help_text import SETTINGS, PlainCommand, PlainGroup
from surpeer.cli.pictures import load_figures
from surpeer.cli.progress import progress
from surpeer.cli.tables import plain_table, render

if TYPE_CHECKING:
    import polars as pl

app = typer.Typer(cls=PlainGroup, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure how well the methods rank papers."""


@app.command("accuracy", cls=PlainCommand, context_settings=SETTINGS)
def accuracy(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where to put tables, pictures and page.", show_default=False
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer kinds of venues, and smaller ones.")] = False,
    real: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Real votes with known truth: study1a.csv, study2.csv, study4b.csv."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The same number gives the same tables.")] = 1,
    figures: Annotated[bool, typer.Option(help="Draw the pictures, which needs matplotlib.")] = True,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, metavar="N", help="Processes to work with.  [default: one per processor]", show_default=False
        ),
    ] = None,
) -> None:
    """Measure every method on made-up venues whose truth is known.

    Writes accuracy.csv, reliability.csv, with --real also real.csv, pictures as SVG and PNG (figures/), and
    summary.html, which shows how far each method is from the best possible and from the mean rating. Files of these
    names are replaced. The full grid takes about half an hour on two processors, --quick about a minute.

    Example: surpeer bench accuracy --quick --output accuracy
    """
    from surpeer.experiments.bench.benchmark import PAGE, AccuracyBenchmark
    from surpeer.experiments.bench.grid import FULL, QUICK
    from surpeer.experiments.bench.studies import read_studies
    from surpeer.experiments.bench.workers import available_processors
    from surpeer.io.whole_folder import check_folder, write_whole_folder

    with exit_codes():
        drawing = _drawing() if figures else None
        studies = None if real is None else read_studies(real)
        run = AccuracyBenchmark(QUICK if quick else FULL, seed, studies, drawing)
        check_folder(output, run.files)
        with progress(run.steps) as begin:
            made = run.run(workers or available_processors(), begin)
        write_whole_folder(output, made)
        print("Points of pairwise accuracy below the best possible, on average, by kind of predictions:")
        print(_gaps(run.tables["accuracy"]), end="")
        print()
        print(f"{len(made)} files are in {output}; begin with {output / PAGE}")


def _drawing() -> ModuleType:
    load_figures("leave them out with --no-figures")
    from surpeer.experiments.bench import figures

    return figures


def _gaps(accuracy: "pl.DataFrame") -> str:
    from surpeer.experiments.bench.gaps import gap_table, names

    kinds = names(accuracy, "forecasts")
    found = {(row["method"], row["forecasts"]): row for row in gap_table(accuracy, "method", "forecasts").to_dicts()}
    rows = [
        [method, *(f"{found[method, kind]['below_oracle']:.2f}" for kind in kinds)]
        for method in names(accuracy, "method")
    ]
    return render(plain_table(["method", *kinds], rows, right=kinds), sys.stdout.isatty())
