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
from surpeer.cli.help_text import OUTPUT
from surpeer.cli.large_options import Engine, LargeOptions, Master, Memory, Temp
from surpeer.cli.large_runs import LargeResult, done_as_large
from surpeer.cli.options import MethodName
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.errors import InputError
from surpeer.pipeline import calibrate
from surpeer.ranking import Ranking
from surpeer.ranking_notes import ranking_notes
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.typed_numbers import read_accept


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
            help="With --to: how many papers can be accepted, for files that have decisions (see `surpeer decide`).",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    accept_as: AcceptAs = None,
    reject_as: RejectAs = None,
    venue: Venue = None,
    engine: Engine = None,
    memory: Memory = None,
    temp: Temp = None,
    master: Master = None,
) -> None:
    """Rank the papers of a file of reviews.

    REVIEWS is the export of a review platform, as it is (`surpeer platforms` lists them), or a table with a row for
    each review. Its columns: paper; rating; for each rating level p_<level>, the share of the paper's other reviewers
    who will give that level, as this reviewer predicts; and if wanted reviewer, title, and track (each track is then
    judged by itself). Instead of the p_ columns there may be `prediction` (the share of the highest level only),
    `distribution` (the shares of all levels in one cell) or `expected` (the mean rating expected of the others).

    Example: surpeer score reviews.csv --output ranking.csv
    """
    with exit_codes():
        find_method(method)
        to = destination_of(to, output) if output_format is None else to
        words = OpenReviewWords(venue, accept_as, reject_as)
        check_destination(to, output, output_format, words, accept is not None)
        if accept is not None and to is None:
            raise InputError("--accept is for files with decisions (--to); to see decisions use `surpeer decide`")
        large = LargeOptions(engine, memory, temp, master)
        result = LargeResult(output, output_format)
        if done_as_large(reviews, large, method, result, to):
            return
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


def _text(ranking: Ranking, for_terminal: bool) -> str:
    from surpeer.cli.table_legend import ranking_legend
    from surpeer.cli.tables import ranking_text

    return ranking_text(ranking, for_terminal) + ranking_legend(ranking)
