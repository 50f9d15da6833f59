"""The main values as tables for notebooks: plain HTML in the notebook's own colours, no scripts, at most 20 rows."""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import islice

import numpy as np
import polars as pl

from surpeer.decisions import Decisions
from surpeer.errors import counted, printable
from surpeer.explanation import Explanation
from surpeer.matrices import Matrices
from surpeer.proposals import Proposal
from surpeer.ranking import FLAGS, Ranking
from surpeer.report.number_text import DASH, decimal_text
from surpeer.reviews import Reviews
from surpeer.scores.method import Scores

MOST_ROWS = 20
MOST_LEVELS = 12
LONGEST = 60
"""Letters of a cell."""
STYLE = "border-collapse:collapse;margin:.3em 0"
CELL = "padding:.2em .6em;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)"

Row = Sequence[object]


def html_of(shown: object) -> str:
    """A table with a caption in words."""
    for kind, make in MAKERS.items():
        if isinstance(shown, kind):
            return make(shown)
    return f"<pre>{escape(repr(shown))}</pre>"


def _ranking(ranking: Ranking) -> str:
    caption = f"{counted(len(ranking), 'paper')} ranked by the method {ranking.scores.method}, the best first"
    return _frame(caption, ranking.table, len(ranking))


def _decisions(decisions: Decisions) -> str:
    counts = ", ".join(f"{decisions.count(kind):,} {kind.label}" for kind in Proposal)
    caption = (
        f"{counts}: {counted(decisions.places, 'place')} for {counted(len(decisions), 'paper')}, "
        f"with a certainty of {decisions.certainty:.6g}"
    )
    return _frame(caption, decisions.table, len(decisions))


def _scores(scores: Scores) -> str:
    errors = scores.standard_error
    rows = [
        (
            str(one.paper),
            one.reviews,
            one.mean,
            one.value,
            *(() if errors is None else (one.standard_error,)),
            one.status.label,
        )
        for one in islice(scores, MOST_ROWS)
    ]
    heads = ["paper", "reviews", "mean", "score", *([] if errors is None else ["standard error"]), "status"]
    defined = f"{int(scores.defined.sum()):,} of {counted(len(scores), 'paper')}"
    return _table(
        f"Scores of {defined} by the method {scores.method}, in the order of their ids", heads, rows, len(scores)
    )


def _reviews(reviews: Reviews) -> str:
    few = min(MOST_ROWS, len(reviews))
    levels = list(reviews.scale.labels)[:MOST_LEVELS]
    papers = list(map(str, reviews.papers.gather(reviews.paper[:few])))
    who = [None] * few if reviews.reviewer is None else reviews.reviewer.head(few).to_list()
    shares = reviews.predictions[:few, : len(levels)]
    rows = [
        (papers[at], who[at], reviews.scale.labels[reviews.rating[at]], *(_percent(share) for share in shares[at]))
        for at in range(few)
    ]
    heads = ["paper", "reviewer", "rating", *(f"predicts {level}" for level in levels)]
    predicting = f"{int(reviews.has_forecast.sum()):,} with a prediction"
    caption = f"{counted(len(reviews), 'review')} of {counted(len(reviews.papers), 'paper')}, {predicting}"
    return _table(caption, heads, rows, len(reviews), reviews.notes)


def _matrices(matrices: Matrices) -> str:
    few = min(MOST_ROWS, len(matrices.papers))
    levels = list(matrices.scale.labels)[:MOST_LEVELS]
    papers = list(map(str, matrices.papers.head(few)))
    counts = matrices.counts[:few, : len(levels)].tolist()
    rows = [
        (paper, reviews, mean, *given)
        for paper, reviews, mean, given in zip(
            papers, matrices.reviews[:few].tolist(), matrices.mean[:few].tolist(), counts, strict=True
        )
    ]
    complete = f"{int(matrices.complete.sum()):,} of them with a prediction for every rating"
    caption = f"Ratings of {counted(len(matrices.papers), 'paper')}, {complete}"
    return _table(
        caption, ["paper", "reviews", "mean", *(f"gave {level}" for level in levels)], rows, len(matrices.papers)
    )


def _explanation(explanation: Explanation) -> str:
    """Ratings, what those who gave them predicted, and what was to be expected."""
    levels = list(explanation.scale.labels)
    score = explanation.score
    heads = ["", *levels]
    rows: list[Row] = [("ratings given", *explanation.counts.tolist())]
    rows += [
        (f"predicted by those who gave {levels[given]}", *(_percent(share) for share in explanation.P[given]))
        for given in np.flatnonzero(explanation.predicted).tolist()
    ]
    expected = explanation.q if explanation.venue is None else explanation.venue.expected_shares
    if explanation.method != "mean" and not np.isnan(expected).any():
        rows.append(("to be expected whatever the quality", *(_percent(share) for share in expected)))
    value = f"score {_text(score.value)}" if score.is_defined else f"no score ({score.status.label})"
    caption = (
        f"Paper {score.paper}: rank {explanation.rank:,} of {explanation.papers:,} by the method {explanation.method}, "
        f"{value}, mean rating {_text(score.mean)}"
    )
    return _table(caption, heads, rows, len(rows), [FLAGS.get(flag, flag) for flag in explanation.flags])


MAKERS: dict[type, Callable[..., str]] = {
    Ranking: _ranking,
    Decisions: _decisions,
    Scores: _scores,
    Reviews: _reviews,
    Matrices: _matrices,
    Explanation: _explanation,
}


def _frame(caption: str, table: pl.DataFrame, size: int) -> str:
    heads = [name.replace("_", " ") for name in table.columns]
    return _table(caption, heads, table.head(MOST_ROWS).with_columns(pl.col("paper").cast(pl.String)).rows(), size)


def _table(caption: str, heads: Sequence[str], rows: Iterable[Row], size: int, notes: Sequence[str] = ()) -> str:
    """The rows, and how many more there are."""
    head = "".join(f'<th scope="col" style="text-align:left;{CELL}">{_escaped(name)}</th>' for name in heads)
    body = [f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows]
    more = f"<p>... and {size - len(body):,} more</p>" if size > len(body) else ""
    said = "".join(f"<li>{_escaped(note, 500)}</li>" for note in notes[:MOST_ROWS])
    return (
        f'<table style="{STYLE}"><caption style="text-align:left;font-weight:bold">{_escaped(caption, 500)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{more}"
        + (f"<ul>{said}</ul>" if said else "")
    )


def _cell(value: object) -> str:
    side = "right" if isinstance(value, int | float) else "left"
    return f'<td style="text-align:{side};{CELL}">{_escaped(_text(value))}</td>'


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return DASH
    if isinstance(value, float):
        return decimal_text(value, 4)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _percent(share: float) -> str:
    return DASH if math.isnan(share) else f"{share:.0%}"


def _escaped(text: str, longest: int = LONGEST) -> str:
    shown = printable(text)
    return escape(shown if len(shown) <= longest else f"{shown[:longest]}…")
