"""`surpeer compare`: which of two papers is better, and how surely. The library twins are `surpeer.probability_better`
and `surpeer.compare`."""

import json
import math
from typing import TYPE_CHECKING, Annotated

import typer

from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.help_text import OUTPUT
from surpeer.cli.options import MethodName
from surpeer.cli.paper_argument import paper_as_typed, refuse_title
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.errors import UnknownName
from surpeer.pipeline import calibrate
from surpeer.ranking_notes import ranking_notes
from surpeer.scores import DEFAULT_METHOD, find_method

if TYPE_CHECKING:
    from surpeer.cli.paper_pair import Pair, Side

FORMATS = ("text", "json")


@takes_reviews
def command(
    reviews: ReviewsInput,
    a: Annotated[str, typer.Argument(metavar="A", help="Id of a paper, as in the file.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Id of another paper.", show_default=False)],
    method: MethodName = DEFAULT_METHOD,
    output_format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="|".join(FORMATS), help="For people or for programs.", rich_help_panel=OUTPUT
        ),
    ] = "text",
) -> None:
    """Say which of two papers is better, and how surely.

    Below the answer stands what it rests on, side by side.

    Example: surpeer compare reviews.csv "Paper 7" "Paper 12"
    """
    from surpeer.cli.decision_text import pair_text
    from surpeer.cli.paper_pair import compare_papers

    with exit_codes():
        find_method(method)
        if output_format not in FORMATS:
            raise UnknownName("format", output_format, FORMATS)
        loaded = reviews.load()
        papers = [paper_as_typed(paper) for paper in (a, b)]
        for paper in papers:
            refuse_title(loaded, paper)
        ranking = calibrate(loaded, method)
        pair = compare_papers(ranking, *papers)
        print_notes((*loaded.notes, *ranking_notes(ranking)))
        print(_json(pair) if output_format == "json" else pair_text(pair), end="")


def _json(pair: "Pair") -> str:
    from surpeer.cli.decision_text import verdict

    content = {
        "method": pair.method,
        "verdict": verdict(pair),
        "p_a_better": pair.probability,
        "pairwise_rule": pair.rule,
        "a": _side(pair.a),
        "b": _side(pair.b),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _side(side: "Side") -> dict[str, object]:
    return {
        "paper": side.score.paper,
        "rank": side.rank,
        "score": _finite(side.score.value),
        "status": side.score.status.label,
        "standard_error": _finite(side.score.standard_error),
        "own_share": _finite(side.score.own_share),
        "mean": side.score.mean,
        "reviews": side.score.reviews,
        "forecasts": side.forecasts,
        "expected_by_forecasts": side.expected,
        "flags": side.flags,
    }


def _finite(number: float | None) -> float | None:
    """JSON has no word for anything else."""
    return number if number is not None and math.isfinite(number) else None
