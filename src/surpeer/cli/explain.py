"""`surpeer explain`: one paper's score, step by step. The library twin is `surpeer.explain`."""

import json
import math
from typing import Annotated, Any

import numpy as np
import typer

from surpeer.cli.explanation_text import explanation_text
from surpeer.cli.failure import exit_codes, print_notes
from surpeer.cli.help_text import OUTPUT
from surpeer.cli.options import MethodName
from surpeer.cli.paper_argument import paper_as_typed, refuse_swapped, refuse_title
from surpeer.cli.reviews_input import ReviewsInput, takes_reviews
from surpeer.errors import UnknownName
from surpeer.explanation import Explanation, explain
from surpeer.pipeline import calibrate
from surpeer.scores import DEFAULT_METHOD

FORMATS = ("text", "json")


@takes_reviews
def command(
    reviews: ReviewsInput,
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Id of the paper, as in the file.", show_default=False)],
    method: MethodName = DEFAULT_METHOD,
    output_format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="|".join(FORMATS), help="For people or for programs.", rich_help_panel=OUTPUT
        ),
    ] = "text",
) -> None:
    """Show why one paper stands where it stands.

    First the answer, then the steps: its ratings, its reviewers' predictions, what was to be expected of it, and what
    each did to its score. With --method surprisal: the quantities of the formula of Lu and Kong.

    Example: surpeer explain reviews.csv "Paper 7"
    """
    with exit_codes():
        if output_format not in FORMATS:
            raise UnknownName("format", output_format, FORMATS)
        wanted = paper_as_typed(paper)
        refuse_swapped(reviews.file, wanted, "explain")
        loaded = reviews.load()
        refuse_title(loaded, wanted)
        explanation = explain(calibrate(loaded, method), wanted)
        print_notes(loaded.notes)
        print(_json(explanation) if output_format == "json" else explanation_text(explanation), end="")


def _json(explanation: Explanation) -> str:
    content = {
        "paper": explanation.score.paper,
        "method": explanation.method,
        "levels": explanation.scale.levels,
        "values": explanation.scale.values,
        "counts": explanation.counts,
        "predicted": explanation.predicted,
        "v": explanation.v,
        "P": explanation.P,
        "q": explanation.q,
        "U": explanation.U,
        "determinant": explanation.determinant,
        "noise_scale": explanation.noise_scale,
        "mean": explanation.mean,
        "prior_mean": explanation.prior_mean,
        "score": explanation.score.value,
        **_venue(explanation),
        "status": explanation.score.status.label,
        "rank": explanation.rank,
        "papers": explanation.papers,
        "flags": explanation.flags,
    }
    return json.dumps({name: _plain(value) for name, value in content.items()}, ensure_ascii=False, indent=2) + "\n"


def _venue(explanation: Explanation) -> dict[str, Any]:
    """What only the venue method knows."""
    venue = explanation.venue
    if venue is None:
        return {}
    parts, trust = venue.parts, venue.trust
    return {
        "standard_error": explanation.score.standard_error,
        "own_share": explanation.score.own_share,
        "parts": {"own_ratings": parts.ratings, "own_forecasts": parts.forecasts, "venue": parts.venue},
        "track": venue.track,
        "typical_mean": venue.typical_mean,
        "expected_mean": venue.expected_mean,
        "forecasts": {
            "weight": trust.weight,
            "own_rating_share": trust.projection.weight,
            "caution": trust.caution,
            "knowledge": trust.knowledge,
        },
    }


def _plain(value: Any) -> Any:
    """Arrays as lists; what is not a finite number as null, because JSON has no other word for it."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
