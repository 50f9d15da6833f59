"""Options and arguments that several commands share, and what they mean together."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from surpeer.errors import InputError
from surpeer.reviews import UNITS, Reviews

ReviewsFile = Annotated[
    Path,
    typer.Argument(metavar="REVIEWS", help="File of reviews: CSV, TSV, Parquet or JSON lines.", show_default=False),
]
MethodName = Annotated[str, typer.Option("--method", "-m", metavar="NAME", help="One of `surpeer methods`.")]
Levels = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Rating levels, lowest first: reject,accept or 1..10. Default: taken from the p_ columns, "
        "which must then be there for every level.",
        show_default=False,
    ),
]
Values = Annotated[
    str | None,
    typer.Option(
        metavar="X,Y,...",
        help="The number that each level stands for. Default: 0,1 for two levels, else 1,2,...",
        show_default=False,
    ),
]
ScaleName = Annotated[
    str | None,
    typer.Option(
        "--scale",
        metavar="NAME|FILE",
        help="Levels and values from a TOML or JSON file, or a preset.",
        show_default=False,
    ),
]
UnitName = Annotated[str, typer.Option(metavar="|".join(UNITS), help="How predictions are written.")]


def paper_as_typed(paper: str) -> str:
    """The id of a paper, whatever the locale made of it."""
    return os.fsencode(paper).decode("utf-8", "replace")


def load_reviews(file: Path, levels: str | None, values: str | None, scale: str | None, unit: str) -> Reviews:
    """The reviews that these options describe."""
    from surpeer.io.scale_file import read_scale
    from surpeer.io.tabular import read_reviews
    from surpeer.scale import Scale, parse_values

    if levels is not None and scale is not None:
        raise InputError("found both --levels and --scale, expected one or the other")
    chosen = Scale.parse(levels) if levels is not None else read_scale(scale) if scale is not None else None
    numbers = parse_values(values) if values is not None else None
    if chosen is not None and numbers is not None:
        chosen, numbers = chosen.with_values(numbers), None
    with _quiet_below_python():
        return read_reviews(file, chosen, values=numbers, unit=unit)


@contextmanager
def _quiet_below_python() -> Iterator[None]:
    """Keep off the screen what polars writes about a damaged Parquet file before it raises its error.

    It writes to the file descriptor, below Python; we say the same in our own words. Python's errors are not touched.
    """
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
