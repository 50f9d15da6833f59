"""`surpeer decide`: which papers to accept, to discuss and to reject. The library twin is `surpeer.decide`."""

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
from surpeer.cli.large_options import Engine, LargeOptions, Master, Memory, Temp
from surpeer.cli.large_runs import LargeResult, done_as_large
from surpeer.cli.number_text import read_certainty
from surpeer.cli.options import Accept, Certainty, MethodName
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.pipeline import calibrate
from surpeer.ranking_notes import all_notes
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.typed_numbers import read_accept


@takes_reviews
def command(
    reviews: ReviewsInput,
    accept: Accept,
    certainty: Certainty = "80%",
    method: MethodName = DEFAULT_METHOD,
    output: OutputFile = None,
    output_format: OutputFormat = None,
    to: Destination = None,
    accept_as: AcceptAs = None,
    reject_as: RejectAs = None,
    venue: Venue = None,
    engine: Engine = None,
    memory: Memory = None,
    temp: Temp = None,
    master: Master = None,
) -> None:
    """Propose which papers to accept, to discuss and to reject.

    Beside each proposal stands P(accept): the probability that the paper is truly one of the best, as many as can be
    accepted. Where it is not certain enough on which side of that cut a paper is, a discussion is proposed. The method
    must give standard errors, as venue does.

    Example: surpeer decide reviews.csv --accept 25%
    """
    from surpeer.cli.decision_text import decisions_summary, decisions_text
    from surpeer.decisions import decide

    with exit_codes():
        find_method(method)
        wanted, sure = read_accept(accept), read_certainty(certainty)
        to = destination_of(to, output) if output_format is None else to
        words = OpenReviewWords(venue, accept_as, reject_as)
        check_destination(to, output, output_format, words, decides=True)
        large = LargeOptions(engine, memory, temp, master)
        result = LargeResult(output, output_format, wanted, sure)
        if done_as_large(reviews, large, method, result, to):
            return
        kind = choose_format(output_format, output) if to is None else ""
        refuse_to_overwrite(reviews.file, output, "decisions")
        loaded = reviews.load()
        ranking = calibrate(loaded, method)
        decisions = decide(ranking, wanted, certainty=sure)
        notes = tuple(all_notes(decisions))
        if to is not None:
            written = write_to(to, decisions, output, words)
            print_notes((*notes, decisions_summary(decisions), *written))
            return
        print_notes(notes)
        write_result(decisions, kind, output, decisions_text)
        if kind != "table":
            print_notes((decisions_summary(decisions),))
