"""`surpeer convert`: the export of a platform -> a table in surpeer's own columns."""

from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import refuse_to_overwrite
from surpeer.errors import InputError, counted
from surpeer.scale import Scale


@takes_reviews
def command(
    reviews: ReviewsInput,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The table: .csv, .jsonl or .parquet.", show_default=False),
    ],
) -> None:
    """Turn a platform's export into a plain table of reviews.

    The table has ratings, predictions and titles of papers in surpeer's columns and no text of a review, to keep or to
    hand on.

    Example: surpeer convert reviews.json --reviewers pseudonym --key venue.key -o reviews.csv
    """
    from surpeer.io.reviews_table import WRITERS
    from surpeer.io.whole_file import write_whole

    with exit_codes():
        writer = WRITERS.get(output.suffix.lower())
        if writer is None:
            raise InputError(
                f"{output}: the ending says no format that is known; end it in one of {', '.join(WRITERS)}"
            )
        refuse_to_overwrite(reviews.file, output, "table")
        loaded = reviews.load()
        write_whole(output, lambda stream: writer(loaded, stream))
        print_notes(loaded.notes)
        print(f"{output}: {counted(len(loaded), 'review')} of {counted(len(loaded.papers), 'paper')}")
        print(_how_to_score(output, loaded.scale))


def _how_to_score(output: Path, scale: Scale) -> str:
    """The command that reads the table as it was meant."""
    if any("," in level for level in scale.levels):
        return "to score it, give the levels in a file: --scale FILE (levels and values, lowest first)"
    values = ",".join(f"{value:g}" for value in scale.values)
    return f'to score it: surpeer score {output} --levels "{",".join(scale.levels)}" --values={values}'
