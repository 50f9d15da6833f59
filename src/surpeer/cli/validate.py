"""`surpeer validate`: every problem of a file of reviews."""

import typer

from surpeer.cli.failure import PROBLEMS_FOUND, exit_codes, print_notes
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.errors import ReviewProblems, counted, printable, printable_lines
from surpeer.reviews import Reviews


@takes_reviews
def command(
    reviews: ReviewsInput,
) -> None:
    """List every problem of a file of reviews.

    Without problems it says how the file was understood. The exit code is 1 if there are problems.

    Example: surpeer validate reviews.csv
    """
    with exit_codes():
        try:
            loaded = reviews.load()
        except ReviewProblems as error:
            print(printable_lines(str(error)))
            raise typer.Exit(PROBLEMS_FOUND) from None
        print_notes(loaded.notes)
        print(f"{reviews.file}: no problems")
        print(f"  {counted(len(loaded), 'review')} of {counted(len(loaded.papers), 'paper')}")
        print(f"  {_predictions(loaded)}")
        if loaded.track is not None:
            print(f"  {counted(loaded.track.n_unique(), 'track')}")
        levels_and_values = zip(loaded.scale.levels, loaded.scale.values, strict=True)
        listed = ", ".join(f"{level} ({value:g})" for level, value in levels_and_values)
        print(f"  levels, lowest first, and the number each stands for: {printable(listed)}")


def _predictions(reviews: Reviews) -> str:
    complete, any_kind = int(reviews.has_prediction.sum()), int(reviews.has_forecast.sum())
    partial = f", {counted(any_kind - complete, 'partial prediction')}" if any_kind > complete else ""
    return f"{counted(complete, 'prediction')}{partial}, {counted(len(reviews) - any_kind, 'review')} without one"
