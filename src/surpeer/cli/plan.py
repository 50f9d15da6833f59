"""`surpeer plan`: how many reviewers a venue needs. The library twins are in `surpeer.experiments.planning`."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from surpeer.cli.failure import exit_codes
from surpeer.cli.pictures import load_figures
from surpeer.cli.progress import progress
from surpeer.errors import InputError, quoted
from surpeer.io.whole_file import check_file, write_whole_bytes
from surpeer.typed_numbers import read_number

if TYPE_CHECKING:
    from surpeer.experiments.planning import PaperKind, Plan

PAIRS = 100_000
ENDINGS = (".svg", ".png", ".csv", ".json")


def command(
    accuracy: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="How often two random papers are to be put in the right order, such as 80%.",
            show_default=False,
        ),
    ],
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="How true quality differs between papers. Two levels: the share of careful reviewers who accept has "
            "the distribution Beta(A,B). More: a Dirichlet weight for each level, lowest first.  [default: all ones]",
            show_default=False,
        ),
    ] = None,
    levels: Annotated[int, typer.Option(min=2, max=20, metavar="K", help="Number of rating levels.")] = 2,
    noise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL[:BIAS][@SHARE]",
            help="How reviews of a kind of papers are swayed; once for each kind. BIAS: up, down, both (half of the "
            "papers each; the default), even (no direction), or a weight for each level.  [default: not at all]",
            show_default=False,
        ),
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="The number that each level stands for.  [default: 0,1 for two levels, else 1,2,...]",
            show_default=False,
        ),
    ] = None,
    max_reviewers: Annotated[
        int, typer.Option(min=1, max=200, metavar="N", help="Try up to so many reviewers per paper.")
    ] = 50,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="With more than two levels: another number gives other samples.")
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Also write the curve: .svg, .png, .csv or .json.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Tell how many reviewers per paper a venue needs.

    For each method: how many put two papers in the right order as often as wanted, if reviews of a SHARE of the papers
    follow, with the probability LEVEL, not quality but something else, which points up or down (BIAS). Reviewers are
    taken to predict perfectly; with careless predictions all methods but mean need more reviewers than this. Two levels
    are computed exactly, more are sampled.

    Example: surpeer plan --prior 2,2 --noise 0.1@60% --noise 0.5:both@40% --accuracy 80%
    """
    from surpeer.cli.noise_option import parse_noises
    from surpeer.cli.plan_text import plan_text

    with exit_codes():
        _check_output(output)
        venue = _Venue(
            _weights(prior, levels), parse_noises(noise or [], levels), _values(values, levels), max_reviewers, seed
        )
        plan = _plan(venue, _wanted(accuracy))
        text = plan_text(plan, venue.in_words(), levels)
        if output is not None:
            _write(plan, venue, output)
            text += f"\nThe curve is in {output}\n"
        print(text, end="")


@dataclass(frozen=True)
class _Venue:
    """What the options describe."""

    prior: tuple[Fraction, ...]
    kinds: "list[PaperKind]"
    values: tuple[float, ...]
    most: int
    seed: int

    def in_words(self) -> str:
        from surpeer.cli.noise_option import describe

        name = "Beta" if len(self.prior) == 2 else "Dirichlet"
        parameters = ", ".join(f"{float(weight):g}" for weight in self.prior)
        return f"quality: {name}({parameters}); noise: {describe(self.kinds)}"

    def as_json(self) -> dict[str, object]:
        kinds = [
            {"share": kind.share, "level": float(kind.level), "bias": [float(weight) for weight in kind.bias]}
            for kind in self.kinds
        ]
        prior = [float(weight) for weight in self.prior]
        return {"levels": len(self.prior), "prior": prior, "values": self.values, "noise": kinds, "seed": self.seed}


def _plan(venue: _Venue, wanted: float) -> "Plan":
    import numpy as np

    from surpeer.experiments.planning import plan_by_sampling, plan_exactly
    from surpeer.experiments.state_priors import Dirichlet

    sizes = range(1, venue.most + 1)
    with progress(venue.most) as begin:

        def step() -> None:
            begin("numbers of reviewers")

        if len(venue.prior) == 2:
            return plan_exactly((venue.prior[0], venue.prior[1]), venue.kinds, wanted, sizes, step)
        prior = Dirichlet(tuple(float(weight) for weight in venue.prior))
        rng = np.random.default_rng(venue.seed)
        return plan_by_sampling(rng, PAIRS, prior, venue.kinds, wanted, sizes, venue.values, step)


def _wanted(text: str) -> float:
    number = read_number(text)
    if number is None or not Fraction(1, 2) <= number < 1:
        raise InputError(f"--accuracy {text}: expected a probability from 0.5 (a coin toss) to below 1, such as 0.8")
    return float(number)


def _weights(text: str | None, levels: int) -> tuple[Fraction, ...]:
    from surpeer.experiments.state_priors import WEIGHT_LIMITS, are_weights

    if text is None:
        return (Fraction(1),) * levels
    read = [read_number(part) for part in text.split(",")]
    numbers = tuple(number for number in read if number is not None)
    if len(read) != levels or len(numbers) != levels or not are_weights(numbers):
        example = ",".join(["1"] * levels)
        raise InputError(
            f"--prior {text}: expected {levels} positive numbers ({WEIGHT_LIMITS}), one for each level, "
            f"such as {example}"
        )
    return numbers


def _values(text: str | None, levels: int) -> tuple[float, ...]:
    from surpeer.scale import Scale, parse_values

    names = ("lower", "higher") if levels == 2 else range(1, levels + 1)
    return Scale(names, () if text is None else parse_values(text)).values


def _check_output(output: Path | None) -> None:
    if output is not None and output.suffix.lower() not in ENDINGS:
        raise InputError(f"{output}: found the ending {quoted(output.suffix)}, expected one of {', '.join(ENDINGS)}")
    if output is not None:
        check_file(output)
        if output.suffix.lower() in (".svg", ".png"):
            load_figures("write a .csv")


def _write(plan: "Plan", venue: _Venue, output: Path) -> None:
    ending = output.suffix.lower()
    if ending == ".csv":
        content = plan.curve.write_csv().encode()
    elif ending == ".json":
        needed = {method: plan.needed(method) for method in plan.methods}
        whole = {"accuracy": plan.wanted, **venue.as_json(), "needed": needed, "curve": plan.curve.to_dicts()}
        content = (json.dumps(whole, indent=1) + "\n").encode()
    else:
        figures = load_figures("write a .csv")
        drawing = figures.plan_figure(plan.curve, plan.wanted, venue.in_words())
        content = figures.as_svg(drawing) if ending == ".svg" else figures.as_png(drawing)
    write_whole_bytes(output, content)
