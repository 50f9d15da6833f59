"""`surpeer validate`: every problem of a file of reviews, or of many that are one table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import PROBLEMS_FOUND, exit_codes, print_notes
from surpeer.cli.help_text import LARGE
from surpeer.cli.large_options import LargeOptions, Memory, is_large, reading_options, refuse_options_of_exports
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.typed_path import as_typed, is_address
from surpeer.errors import InputError, ReviewProblems, counted, printable, printable_lines
from surpeer.scale import Scale

Temp = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where that is kept.  [default: where this machine keeps temporary files]",
        show_default=False,
        rich_help_panel=LARGE,
    ),
]


@takes_reviews
def command(
    reviews: ReviewsInput,
    memory: Memory = None,
    temp: Temp = None,
) -> None:
    """List every problem of a file of reviews.

    Without problems it says how the file was understood. The exit code is 1 if there are problems. REVIEWS may also be
    what `surpeer score` takes of large tables: a folder, a pattern in quotes, or packed files.

    Example: surpeer validate reviews.csv
    """
    with exit_codes():
        if is_address(reviews.file):
            raise InputError(
                f"{as_typed(reviews.file)}: Apache Spark reads such addresses; `surpeer score --engine spark` checks "
                "every review before it scores any"
            )
        large = LargeOptions(memory=memory, temp=temp)
        try:
            understood = _understood_of_large(reviews, large) if is_large(reviews, large) else _understood(reviews)
        except ReviewProblems as error:
            print(printable_lines(str(error)))
            raise typer.Exit(PROBLEMS_FOUND) from None
        print_notes(understood.notes)
        print(f"{reviews.file}: no problems")
        print(understood)


@dataclass(frozen=True, slots=True)
class _Understood:
    """How reviews without problems were read."""

    reviews: int
    papers: int
    predictions: int
    """Complete ones."""
    partial: int
    tracks: int | None
    scale: Scale
    notes: tuple[str, ...]

    def __str__(self) -> str:
        tracks = [] if self.tracks is None else [counted(self.tracks, "track")]
        levels_and_values = zip(self.scale.levels, self.scale.values, strict=True)
        levels = ", ".join(f"{level} ({value:g})" for level, value in levels_and_values)
        lines = [
            f"{counted(self.reviews, 'review')} of {counted(self.papers, 'paper')}",
            self._predictions(),
            *tracks,
            f"levels, lowest first, and the number each stands for: {printable(levels)}",
        ]
        return "\n".join(f"  {line}" for line in lines)

    def _predictions(self) -> str:
        partial = f", {counted(self.partial, 'partial prediction')}" if self.partial else ""
        without = self.reviews - self.predictions - self.partial
        return f"{counted(self.predictions, 'prediction')}{partial}, {counted(without, 'review')} without one"


def _understood(reviews: ReviewsInput) -> _Understood:
    """Of a file that is read whole."""
    loaded = reviews.load()
    complete, any_kind = int(loaded.has_prediction.sum()), int(loaded.has_forecast.sum())
    return _Understood(
        reviews=len(loaded),
        papers=len(loaded.papers),
        predictions=complete,
        partial=any_kind - complete,
        tracks=None if loaded.track is None else loaded.track.n_unique(),
        scale=loaded.scale,
        notes=loaded.notes,
    )


def _understood_of_large(reviews: ReviewsInput, large: LargeOptions) -> _Understood:
    """Of files that may be larger than memory."""
    from surpeer.cli.progress import row_progress
    from surpeer.engines.check_files import check_files

    refuse_options_of_exports(reviews)
    options, memory = reading_options(reviews), large.bytes_of_memory()
    with row_progress() as progress:
        found = check_files(as_typed(reviews.file), options, memory=memory, temp=large.temp, progress=progress)
    return _Understood(
        found.reviews, found.papers, found.predictions, found.partial, found.tracks, found.scale, found.notes
    )
