"""The file of reviews that a command reads, and every option that says how: the same for all commands."""

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from surpeer.cli.help_text import LEVELS, SOURCE, WHO
from surpeer.cli.typed_path import typed_path
from surpeer.errors import InputError
from surpeer.prediction_units import UNITS
from surpeer.reviews import Reviews
from surpeer.scale import PRESETS, Scale

OURS = "surpeer"  # what --from calls a table in our own columns


@dataclass(frozen=True, slots=True)
class ReviewsInput:
    """What was typed about the file of reviews."""

    file: Annotated[
        Path,
        typer.Argument(
            metavar="REVIEWS",
            help="The file of reviews: the export of a review platform, or a table (CSV, Excel, Parquet, JSON lines).",
            show_default=False,
            parser=typed_path,
        ),
    ]
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="All ratings that can be given, lowest first: reject,accept or 1..10.  [default: from the p_ columns, "
            "if every level has one, or from the export]",
            show_default=False,
            rich_help_panel=LEVELS,
        ),
    ] = None
    values: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="The number that each level stands for.  [default: 0,1 for two levels, else 1,2,...; in exports a "
            "level that is a number stands for itself]",
            show_default=False,
            rich_help_panel=LEVELS,
        ),
    ] = None
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help=f"Levels, values and labels in a TOML or JSON file, or one of {', '.join(PRESETS)}.",
            show_default=False,
            rich_help_panel=LEVELS,
        ),
    ] = None
    unit: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(UNITS),
            help="How predictions are written: 0.25 (fraction), 25 (percent), or so many of some imagined reviewers "
            "(count); auto finds out row by row.  [default: fraction; in exports auto]",
            show_default=False,
            rich_help_panel=LEVELS,
        ),
    ] = None
    normalise: Annotated[
        bool,
        typer.Option(
            "--normalise",
            help="Scale predictions to the right sum where they are up to 10% off; otherwise that is an error.",
            show_default=False,
            rich_help_panel=LEVELS,
        ),
    ] = False
    drop_bad_predictions: Annotated[
        bool,
        typer.Option(
            "--drop-bad-predictions",
            help="Leave out predictions that cannot be used and say how many; the ratings beside them still count.",
            rich_help_panel=LEVELS,
        ),
    ] = False
    platform: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="NAME",
            help="The platform that the file comes from, such as hotcrp; `surpeer platforms` lists them.  "
            "[default: found out from the file]",
            show_default=False,
            rich_help_panel=SOURCE,
        ),
    ] = None
    form: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The settings of the platform's review form (JSON): they say what levels and answers mean.",
            show_default=False,
            rich_help_panel=SOURCE,
        ),
    ] = None
    columns: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='A file that says which column of a table is what, in lines such as paper = "Submission" '
            "(TOML or JSON).",
            show_default=False,
            rich_help_panel=SOURCE,
        ),
    ] = None
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The name of the field (or column) of an export that is the rating.",
            show_default=False,
            rich_help_panel=SOURCE,
        ),
    ] = None
    prediction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="The name of a field that is a prediction. Once if one field has all of it, else once for each level, "
            "lowest first. The word none: there are no predictions.",
            show_default=False,
            rich_help_panel=SOURCE,
        ),
    ] = None
    round: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Count only the reviews of this round; may be given several times.  [default: all rounds]",
            show_default=False,
            rich_help_panel=WHO,
        ),
    ] = None
    reviewers: Annotated[
        str,
        typer.Option(
            metavar="keep|drop|pseudonym",
            help="Keep reviewers' names, drop them, or put pseudonyms in their place (needs --key).",
            rich_help_panel=WHO,
        ),
    ] = "keep"
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The secret that pseudonyms are made with, to be kept; made if there is no such file.",
            show_default=False,
            rich_help_panel=WHO,
        ),
    ] = None

    def load(self) -> Reviews:
        """The reviews that these options describe."""
        from surpeer.io.review_file import live_venue, read_reviews

        chosen, numbers = self.scale_and_values()
        live = live_venue(self.file) is not None  # then somebody may have to be asked for a code
        with nullcontext() if live else _quiet_below_python():
            return read_reviews(
                self.file,
                chosen,
                values=numbers,
                unit=self.unit,
                normalise=self.normalise,
                drop_bad_predictions=self.drop_bad_predictions,
                platform=self.platform,
                form=self.form,
                columns=self.columns,
                rating=self.rating,
                predictions=self.prediction or (),
                rounds=self.round or (),
                reviewers=self.reviewers,
                key=self.key,
            )

    def scale_and_values(self) -> tuple[Scale | None, tuple[float, ...] | None]:
        """The levels and the numbers that they stand for, as far as they were typed."""
        from surpeer.io.scale_file import read_scale
        from surpeer.scale import parse_values

        if self.levels is not None and self.scale is not None:
            raise InputError("found both --levels and --scale, expected one of them; leave the other out")
        chosen = Scale.parse(self.levels) if self.levels is not None else None
        chosen = read_scale(self.scale) if self.scale is not None else chosen
        numbers = parse_values(self.values) if self.values is not None else None
        if chosen is not None and numbers is not None:
            chosen.with_values(numbers)  # raises for values that do not fit, before anything is read
        return chosen, numbers

    def for_exports(self) -> list[str]:
        """The options that were typed and only make sense for files that are not in our own columns."""
        typed = {
            "--from": self.platform not in (None, OURS),
            "--form": self.form is not None,
            "--columns": self.columns is not None,
            "--rating": self.rating is not None,
            "--prediction": bool(self.prediction),
            "--round": bool(self.round),
            "--reviewers": self.reviewers != "keep",
            "--key": self.key is not None,
        }
        return [option for option, given in typed.items() if given]


def takes_reviews(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose first parameter is a ReviewsInput, as one with the argument and the options of a ReviewsInput."""
    hints = get_type_hints(ReviewsInput, include_extras=True)
    mine = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if one.name == "file" else one.default,
            annotation=hints[one.name],
        )
        for one in fields(ReviewsInput)
    ]
    own = list(inspect.signature(command).parameters.values())[1:]
    required = [one for one in own if one.default is inspect.Parameter.empty]
    optional = [one for one in own if one.default is not inspect.Parameter.empty]
    parameters = [mine[0], *required, *optional, *mine[1:]]

    def with_reviews(**arguments: Any) -> None:
        given = {one.name: arguments.pop(one.name) for one in mine}
        command(ReviewsInput(**given), **arguments)

    with_reviews.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_reviews.__annotations__ = {one.name: one.annotation for one in parameters}
    with_reviews.__doc__, with_reviews.__name__ = command.__doc__, command.__name__
    return with_reviews


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
