"""`surpeer plan`: how many reviewers a venue needs. The library twins are in `surpeer.experiments.planning`."""

import json
import shutil
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl
import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.options import Values
from surpeer.cli.pictures import load_figures
from surpeer.cli.progress import progress
from surpeer.cli.tables import plain_table, render
from surpeer.errors import InputError, quoted

if TYPE_CHECKING:
    from surpeer.experiments.planning import PaperKind, Plan

PAIRS = 100_000
TITLES = {
    "mean": "mean rating",
    "surprisal": "surprisal score",
    "sp": "SP-inspired score, if the prior were known",
    "sp_infinite": "SP-inspired score, as in `surpeer score`",
    "oracle": "the best possible (knows prior and noise)",
}
ENDINGS = (".svg", ".png", ".csv", ".json")
SHOWN_SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 200)
BAR = 10


def command(
    accuracy: Annotated[
        float,
        typer.Option(help="Probability of ranking a random pair of papers right, such as 0.8.", show_default=False),
    ],
    prior: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="How true quality varies. Two levels: Beta(A,B) of the share of careful reviewers who accept. More "
            "levels: a Dirichlet weight for each level, lowest first.",
        ),
    ] = "1,1",
    levels: Annotated[int, typer.Option(min=2, max=20, help="Number of rating levels.")] = 2,
    noise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL[:BIAS][@SHARE]",
            help="Noise of a kind of papers, repeatable. BIAS: up, down, both (half of the papers each, the default), "
            "even, or a weight for each level.  [default: no noise]",
            show_default=False,
        ),
    ] = None,
    values: Values = None,
    max_reviewers: Annotated[int, typer.Option(min=1, max=200, help="Try up to so many reviewers per paper.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Of the samples, with more than two levels.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also write the curve: .svg, .png, .csv or .json."),
    ] = None,
) -> None:
    """Tell how many reviewers per paper a venue needs, for each method.

    Two levels are computed exactly, more are sampled. Reviewers are taken to predict as Bayesians; with careless
    predictions the calibrated scores need more reviewers than this.

    Example: surpeer plan --prior 2,2 --noise 0.1@60% --noise 0.5:both@40% --accuracy 0.8
    """
    from surpeer.cli.noise_option import parse_noises
    from surpeer.scale import parse_values

    with exit_codes():
        _check_output(output)
        if not 0.5 <= accuracy < 1:
            raise InputError(
                f"--accuracy {accuracy:g}: expected a probability from 0.5 (a coin toss) to below 1, such as 0.8"
            )
        weights = _weights(prior, levels)
        worth = parse_values(values) if values is not None else None
        if worth is not None and len(worth) != levels:
            raise InputError(f"--values {values}: found {len(worth)} values, expected {levels}, one for each level")
        kinds = parse_noises(noise or [], levels)
        found = _plan(weights, kinds, accuracy, max_reviewers, worth, seed)
        about = _about(weights, kinds, accuracy)
        text = _text(found, about, max_reviewers)
        if output is not None:
            _write(found, about, output)
        print(text, end="")


def _plan(
    weights: tuple[Fraction, ...],
    kinds: "list[PaperKind]",
    wanted: float,
    most: int,
    values: tuple[float, ...] | None,
    seed: int,
) -> "Plan":
    import numpy as np

    from surpeer.experiments.planning import plan_by_sampling, plan_exactly
    from surpeer.experiments.state_priors import Dirichlet

    sizes = range(1, most + 1)
    with progress(most) as begin:
        if len(weights) == 2:
            return plan_exactly((weights[0], weights[1]), kinds, wanted, sizes, lambda: begin("reviewers"))
        prior = Dirichlet(tuple(float(weight) for weight in weights))
        rng = np.random.default_rng(seed)
        return plan_by_sampling(rng, PAIRS, prior, kinds, wanted, sizes, values, lambda: begin("reviewers"))


def _weights(text: str, levels: int) -> tuple[Fraction, ...]:
    try:
        numbers = tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        numbers = ()
    if len(numbers) != levels or not all(number > 0 for number in numbers):
        raise InputError(
            f"--prior {text}: expected {levels} positive numbers, one for each level, such as {_example(levels)}"
        )
    return numbers


def _example(levels: int) -> str:
    return ",".join(["1"] * levels)


def _about(weights: tuple[Fraction, ...], kinds: "list[PaperKind]", wanted: float) -> list[str]:
    from surpeer.cli.noise_option import describe

    name = "Beta" if len(weights) == 2 else "Dirichlet"
    parameters = ", ".join(f"{float(weight):g}" for weight in weights)
    return [
        f"Reviewers per paper so that two random papers are ranked right with probability {wanted:.1%}",
        f"quality: {name}({parameters}); noise: {describe(kinds)}",
    ]


def _text(plan: "Plan", about: list[str], most: int) -> str:
    needed = []
    for method in plan.methods:
        number = plan.needed(method)
        needed.append([method, TITLES[method], f"more than {most}" if number is None else str(number)])
    headings = ["method", "what it is", "reviewers needed"]
    terminal = sys.stdout.isatty()
    parts = [*about, "", render(plain_table(headings, needed, right=headings[2:], fold=["what it is"]), terminal)]
    parts += _notes(plan)
    # Bars need 18 columns for each method; a narrower terminal gets the numbers alone.
    bars = not terminal or shutil.get_terminal_size().columns >= 10 + 18 * len(plan.methods)
    heading = "Accuracy by number of reviewers" + " (bars from 50% to 100%)" * bars
    parts += [heading, _curve_text(plan, terminal, bars)]
    return "\n".join(parts)


def _notes(plan: "Plan") -> list[str]:
    notes = []
    for method in plan.methods:
        missed = plan.falls_back(method)
        if missed:
            sizes = ", ".join(map(str, missed[:8])) + (", ..." if len(missed) > 8 else "")
            notes.append(f"{method} misses it again with {sizes} reviewers: more is not always better.")
    largest = plan.curve["standard_error"].to_numpy().max()
    if largest > 0:
        notes.append(f"Sampled; the standard error of an accuracy is at most {largest:.1%}.")
    return [*notes, ""] if notes else []


def _curve_text(plan: "Plan", terminal: bool, bars: bool) -> str:
    by_size = plan.curve.pivot(on="method", index="n", values="accuracy")
    most = int(by_size["n"].to_numpy().max())
    shown = by_size.filter(pl.col("n").is_in([*SHOWN_SIZES, most])).to_dicts()
    rows = [[str(row["n"]), *(_cell(row[method], bars) for method in plan.methods)] for row in shown]
    return render(plain_table(["reviewers", *plan.methods], rows, right=["reviewers"]), terminal)


def _cell(accuracy: float, bars: bool) -> str:
    full = round(max(0.0, accuracy - 0.5) * 2 * BAR)
    return f"{accuracy:.3f}" + (f" {'█' * full}{'░' * (BAR - full)}" if bars else "")


def _check_output(output: Path | None) -> None:
    if output is not None and output.suffix.lower() not in ENDINGS:
        raise InputError(f"{output}: found the ending {quoted(output.suffix)}, expected one of {', '.join(ENDINGS)}")
    if output is not None and output.suffix.lower() in (".svg", ".png"):
        load_figures("write a .csv")


def _write(plan: "Plan", about: list[str], output: Path) -> None:
    from surpeer.io.whole_file import write_whole_bytes

    ending = output.suffix.lower()
    if ending == ".csv":
        content = plan.curve.write_csv().encode()
    elif ending == ".json":
        needed = {method: plan.needed(method) for method in plan.methods}
        whole = {"accuracy": plan.wanted, "needed": needed, "curve": plan.curve.to_dicts()}
        content = (json.dumps(whole, indent=1) + "\n").encode()
    else:
        figures = load_figures("write a .csv")
        drawing = figures.plan_figure(plan.curve, plan.wanted, about[1].replace("; noise", "\nnoise"))
        content = figures.as_svg(drawing) if ending == ".svg" else figures.as_png(drawing)
    write_whole_bytes(output, content)
