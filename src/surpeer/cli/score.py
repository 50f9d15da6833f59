"""`surpeer score`: a file of reviews -> a ranking. The library twin is `surpeer.calibrate`."""

from fractions import Fraction
from typing import Annotated

import typer

from surpeer.cli.destination import (
    AcceptAs,
    AnyResults,
    Destination,
    OpenReviewWords,
    RejectAs,
    Venue,
    check_destination,
    destination_of,
    write_to,
)
from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.number_text import read_accept
from surpeer.cli.options import MethodName
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.cli.venue_text import track_notes
from surpeer.errors import InputError
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.scores import DEFAULT_METHOD, find_method


@takes_reviews
def command(
    reviews: ReviewsInput,
    method: MethodName = DEFAULT_METHOD,
    output: OutputFile = None,
    output_format: OutputFormat = None,
    to: Destination = None,
    accept: Annotated[
        str | None,
        typer.Option(
            metavar="M|SHARE",
            help="With --to: how many papers are accepted, so that proposals can be written (see `surpeer decide`).",
            show_default=False,
        ),
    ] = None,
    accept_as: AcceptAs = None,
    reject_as: RejectAs = None,
    venue: Venue = None,
) -> None:
    """Rank the papers of a file of reviews.

    REVIEWS is the export of a platform (see `surpeer platforms`), or a table with the columns paper, reviewer
    (optional), rating, and p_<level> for every level: the predicted share of other reviewers who give that level. Some
    of them, only `prediction` (of the highest level), or only `expected` (the rating expected of another reviewer) will
    do for the method venue. A column `track` has each track judged by itself.

    Example: surpeer score reviews.csv --levels reject,accept --unit percent -o ranking.csv
    """
    with exit_codes():
        find_method(method)
        to = destination_of(to, output) if output_format is None else to
        words = OpenReviewWords(venue, accept_as, reject_as)
        check_destination(to, output, output_format, words, accept is not None)
        if accept is not None and to is None:
            raise InputError("--accept is for --to; `surpeer decide` proposes decisions")
        wanted = read_accept(accept) if accept is not None else None
        kind = choose_format(output_format, output) if to is None else ""
        refuse_to_overwrite(reviews.file, output, "ranking")
        loaded = reviews.load()
        ranking = calibrate(loaded, method)
        if to is None:
            print_notes((*loaded.notes, *ranking_notes(ranking)))
            write_result(ranking, kind, output, _text)
            return
        notes = write_to(to, _results(ranking, wanted), output, words)
        print_notes((*loaded.notes, *ranking_notes(ranking), *notes))


def _results(ranking: Ranking, accept: int | Fraction | None) -> AnyResults:
    """The ranking, or decisions where it is known how many papers are accepted."""
    from surpeer.decisions import decide

    return ranking if accept is None else decide(ranking, accept)


def ranking_notes(ranking: Ranking) -> list[str]:
    """What a user should know about a ranking as a whole."""
    undefined = int((~ranking.scores.defined).sum())
    tracks = ranking.scores.outcome.tracks
    no_forecasts = not ranking.scores.matrices.source.has_forecast.any()  # then the reader has said so
    notes = [] if len(tracks) == 1 and no_forecasts else track_notes(tracks)
    if undefined:
        notes.append(
            f"{undefined:,} of {len(ranking):,} papers have no {ranking.scores.method} score "
            "and are compared by their mean rating (see the status column)"
        )
    if ranking.broken:
        notes.append(
            f"comparisons by score and by mean contradict each other; the ranking breaks {ranking.broken:,} of them "
            "(papers flagged cycle)"
        )
    return notes


def _text(ranking: Ranking, for_terminal: bool) -> str:
    from surpeer.cli.tables import ranking_text

    return ranking_text(ranking, for_terminal)
