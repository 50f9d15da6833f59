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

from surpeer.errors import InputError
from surpeer.prediction_units import UNITS
from surpeer.reviews import Reviews


@dataclass(frozen=True, slots=True)
class ReviewsInput:
    """What was typed about the file of reviews."""

    file: Annotated[
        Path,
        typer.Argument(
            metavar="REVIEWS",
            help="File of reviews: a table (CSV, Excel, Parquet, JSON lines), or the export of a platform.",
            show_default=False,
        ),
    ]
    platform: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="NAME",
            help="The platform that the file comes from (see `surpeer platforms`). Default: by its content.",
            show_default=False,
        ),
    ] = None
    form: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The review form's settings (JSON) from the platform: levels, labels, what answers stand for.",
            show_default=False,
        ),
    ] = None
    columns: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Which column of a table is what (TOML or JSON).", show_default=False),
    ] = None
    rating: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="The field of an export that is the rating.", show_default=False),
    ] = None
    prediction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="A field of an export that is a prediction: once for each level, lowest first, or once; or none.",
            show_default=False,
        ),
    ] = None
    round: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A round of reviews that counts; may be repeated. Default: all.", show_default=False
        ),
    ] = None
    reviewers: Annotated[
        str,
        typer.Option(
            metavar="keep|drop|pseudonym", help="What becomes of reviewers' identities; pseudonyms need --key."
        ),
    ] = "keep"
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The secret key of pseudonyms; made if it does not exist.",
            show_default=False,
        ),
    ] = None
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Rating levels, lowest first: reject,accept or 1..10. Default: taken from the p_ columns, "
            "which must then be there for every level, or from the export.",
            show_default=False,
        ),
    ] = None
    values: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="The number that each level stands for. Default: 0,1 for two levels, else 1,2,...; in exports a level "
            "that is a number stands for itself.",
            show_default=False,
        ),
    ] = None
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE", help="Levels and values from a TOML or JSON file, or a preset.", show_default=False
        ),
    ] = None
    unit: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(UNITS),
            help="How predictions are written; auto: each row says so by its sum. Default: fraction; auto in exports.",
            show_default=False,
        ),
    ] = None
    normalise: Annotated[
        bool,
        typer.Option(
            "--normalise",
            help="Scale predictions that sum to up to 10% more or less than the whole.",
            show_default=False,
        ),
    ] = False

    drop_bad_predictions: Annotated[
        bool,
        typer.Option(
            "--drop-bad-predictions", help="Leave out predictions that cannot be used, and count them; ratings stay."
        ),
    ] = False

    def load(self) -> Reviews:
        """The reviews that these options describe."""
        from surpeer.io.review_file import live_venue, read_reviews
        from surpeer.io.scale_file import read_scale
        from surpeer.scale import Scale, parse_values

        if self.levels is not None and self.scale is not None:
            raise InputError("found both --levels and --scale, expected one or the other")
        chosen = Scale.parse(self.levels) if self.levels is not None else None
        chosen = read_scale(self.scale) if self.scale is not None else chosen
        numbers = parse_values(self.values) if self.values is not None else None
        if chosen is not None and numbers is not None:
            chosen.with_values(numbers)  # raises for values that do not fit, before anything is read
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
