"""`surpeer decide`: which papers to accept, to discuss and to reject. The library twin is `surpeer.decide`."""

import re
from fractions import Fraction
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.number_text import read_number
from surpeer.cli.options import Levels, MethodName, ReviewsFile, ScaleName, UnitName, Values, load_reviews
from surpeer.cli.score import ranking_notes
from surpeer.cli.table_output import OutputFile, OutputFormat, choose_format, refuse_to_overwrite, write_result
from surpeer.errors import InputError
from surpeer.pipeline import calibrate
from surpeer.scores import DEFAULT_METHOD, find_method


def command(
    reviews: ReviewsFile,
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
    levels: Levels = None,
    values: Values = None,
    scale: ScaleName = None,
    unit: UnitName = "fraction",
    output: OutputFile = None,
    output_format: OutputFormat = None,
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
        kind = choose_format(output_format, output)
        refuse_to_overwrite(reviews, output, "decisions")
        loaded = load_reviews(reviews, levels, values, scale, unit)
        ranking = calibrate(loaded, method)
        decisions = decide(ranking, wanted, certainty=sure)
        print_notes((*loaded.notes, *ranking_notes(ranking), *decisions_notes(decisions)))
        write_result(decisions, kind, output, decisions_text)
        if kind != "table":
            print_notes((decisions_summary(decisions),))


def read_accept(text: str) -> int | Fraction:
    """A number of papers (digits alone) or a share of them (a percentage, a decimal fraction, a quotient).

    >>> read_accept("25"), read_accept("25%"), read_accept("0.25"), read_accept("1/4")
    (25, Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    plain = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", plain):
        if int(plain) == 0:
            raise InputError(f"--accept {text}: expected at least one paper")
        return int(plain)
    number = read_number(plain)
    if number is None:
        raise InputError(f"--accept {text}: expected a number of papers such as 12, or a share such as 25% or 0.25")
    if not 0 < number < 1:
        raise InputError(
            f"--accept {text}: expected a share of more than 0% and less than 100%, or a number of papers such as 12"
        )
    return number


def _certainty(text: str) -> float:
    number = read_number(text)
    if number is None or not Fraction(1, 2) <= number < 1:
        raise InputError(f"--certainty {text}: expected a probability from 0.5 to below 1, such as 0.8 or 80%")
    return float(number)
