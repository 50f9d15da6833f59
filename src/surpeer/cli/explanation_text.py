"""Explanation -> the text that `surpeer explain` prints: the answer, then the steps that lead to it.

The steps of `venue` and `mean` are told in words; those of the other methods have the notation of
Lu and Kong in brackets.
"""

from collections.abc import Iterator

from surpeer.cli.formula_text import formula_answer, formula_result, formula_steps
from surpeer.cli.level_grid import fractions, level_grid, percentages
from surpeer.cli.tables import score_text
from surpeer.cli.venue_text import venue_answer, venue_result, venue_steps
from surpeer.errors import counted, printable
from surpeer.explanation import Explanation
from surpeer.ranking import FLAGS
from surpeer.scores import METHODS


def explanation_text(explanation: Explanation) -> str:
    """Where the paper stands and why, the steps of the method that could be taken, and the result."""
    lines = [*_answer(explanation), "", *_ratings(explanation)]
    if explanation.method != "mean":
        lines += _predictions(explanation)
    if explanation.venue is not None:
        lines += venue_steps(explanation, explanation.venue)
    else:
        lines += formula_steps(explanation)
    lines += [*_result(explanation), *_flags(explanation)]
    return "\n".join(printable(line.rstrip()) for line in lines) + "\n"


def _answer(explanation: Explanation) -> Iterator[str]:
    paper, place = explanation.score.paper, f"{explanation.rank:,} of {explanation.papers:,}"
    if explanation.venue is not None:
        yield from venue_answer(f"{paper} has rank {place}", explanation, explanation.venue)
        return
    yield f"{paper} has rank {place} by the method {explanation.method}: {METHODS[explanation.method].title}."
    if explanation.method == "mean":
        yield f"Its mean rating is {explanation.mean:.3g}; nothing else counts."
    else:
        yield formula_answer(explanation)


def _ratings(explanation: Explanation) -> Iterator[str]:
    in_words = _in_words(explanation)
    yield f"1. What its reviewers said: {counted(explanation.score.reviews, 'review')}"
    shares = percentages(explanation.v) if in_words else fractions(explanation.v)
    rows = {
        f"counts as{'' if in_words else ' [phi]'}": [f"{value:g}" for value in explanation.scale.values],
        "given by": [str(count) for count in explanation.counts],
        f"share of the reviews{'' if in_words else ' [v]'}": shares,
    }
    yield from level_grid(explanation.scale.labels, rows)
    yield f"   mean rating{'' if in_words else ' [E_v phi]'}: {explanation.mean:.6g}"
    yield ""


def _predictions(explanation: Explanation) -> Iterator[str]:
    in_words = _in_words(explanation)
    if not explanation.predicted.any():
        partial = explanation.forecasts
        used = f"; {counted(partial, 'review')} said part of one" if partial else ""
        yield f"2. What they predicted: no review has a complete prediction{used}"
        yield ""
        return
    symbol = "" if in_words else " [P]"
    yield f"2. What they predicted{symbol}: the share of a paper's other reviewers who give each rating"
    rows = {}
    for level, predicted, row in zip(explanation.scale.labels, explanation.predicted, explanation.P, strict=True):
        shares = percentages(row) if in_words else fractions(row)
        rows[_who(level, int(predicted))] = ["-"] * len(row) if predicted == 0 else shares
    yield from level_grid(explanation.scale.labels, rows)
    without = explanation.score.reviews - int(explanation.predicted.sum())
    if without:
        yield f"   {counted(without, 'review')} without a complete prediction"
    yield ""


def _who(level: str, predicted: int) -> str:
    """The reviewers whose predictions a row shows."""
    if predicted == 0:
        return f"nobody who gave {level}"
    return f"the one who gave {level}" if predicted == 1 else f"average of the {predicted:,} who gave {level}"


def _in_words(explanation: Explanation) -> bool:
    """Whether the paper's notation is of no use."""
    return explanation.venue is not None or explanation.method == "mean"


def _result(explanation: Explanation) -> Iterator[str]:
    score = explanation.score
    if explanation.venue is not None:
        yield from venue_result(explanation)
    else:
        yield f"Score ({explanation.method}): {score_text(score.value)}   status: {score.status.label}"
        yield from formula_result(explanation)


def _flags(explanation: Explanation) -> Iterator[str]:
    if explanation.flags:
        yield ""
        yield "Flags: what to know about this paper"
        for flag in explanation.flags:
            yield f"   {flag}: {FLAGS[flag]}"
