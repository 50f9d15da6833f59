"""`surpeer decide`: which papers to accept, to discuss and to reject. The library twin is `surpeer.decide`."""

from fractions import Fraction
from typing import Annotated

import typer

from surpeer.cli.destination import (
    AcceptAs,
    Destination,
    OpenReviewWords,
    RejectAs,
    Venue,
    check_destination,
    destination_of,
    write_to,
)
from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.number_text import read_accept, read_number
from surpeer.cli.options import MethodName
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.score import ranking_notes
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.errors import InputError
from surpeer.pipeline import calibrate
from surpeer.scores import DEFAULT_METHOD, find_method


@takes_reviews
def command(
    reviews: ReviewsInput,
    accept: Annotated[
        str,
        typer.Option(
            metavar="M|SHARE",
            help="How many papers are accepted: a number such as 12, or a share such as 25% or 0.25.",
            show_default=False,
        ),
    ],
    certainty: Annotated[
        str, typer.Option(metavar="P", help="Propose nothing but a discussion for papers that are less sure than this.")
    ] = "80%",
    method: MethodName = DEFAULT_METHOD,
    output: OutputFile = None,
    output_format: OutputFormat = None,
    to: Destination = None,
    accept_as: AcceptAs = None,
    reject_as: RejectAs = None,
    venue: Venue = None,
) -> None:
    """Propose which papers to accept, to discuss and to reject, with the probability behind it.

    P(accept) is the probability that a paper is truly one of the best M, given how sure its score is. The method must
    be one that gives standard errors.

    Example: surpeer decide reviews.csv --accept 25% --output decisions.csv
    """
    from surpeer.cli.decision_text import decisions_notes, decisions_summary, decisions_text
    from surpeer.decisions import decide

    with exit_codes():
        find_method(method)
        wanted, sure = read_accept(accept), _certainty(certainty)
        to = destination_of(to, output) if output_format is None else to
        words = OpenReviewWords(venue, accept_as, reject_as)
        check_destination(to, output, output_format, words, decides=True)
        kind = choose_format(output_format, output) if to is None else ""
        refuse_to_overwrite(reviews.file, output, "decisions")
        loaded = reviews.load()
        ranking = calibrate(loaded, method)
        decisions = decide(ranking, wanted, certainty=sure)
        notes = (*loaded.notes, *ranking_notes(ranking), *decisions_notes(decisions))
        if to is not None:
            written = write_to(to, decisions, output, words)
            print_notes((*notes, decisions_summary(decisions), *written))
            return
        print_notes(notes)
        write_result(decisions, kind, output, decisions_text)
        if kind != "table":
            print_notes((decisions_summary(decisions),))


def _certainty(text: str) -> float:
    number = read_number(text)
    if number is None or not Fraction(1, 2) <= number < 1:
        raise InputError(f"--certainty {text}: expected a probability from 0.5 to below 1, such as 0.8 or 80%")
    return float(number)
