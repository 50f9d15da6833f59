"""Explanation -> the text that `surpeer explain` prints."""

from collections.abc import Iterable, Iterator

import numpy as np

from surpeer.cli.tables import score_text
from surpeer.cli.venue_text import venue_steps, venue_words
from surpeer.core.shapes import FloatArray
from surpeer.core.status import Status
from surpeer.errors import counted, printable
from surpeer.explanation import Explanation
from surpeer.ranking import FLAGS
from surpeer.scores import METHODS

PRIOR_SHOWN = ("surprisal", "sp")
OF_TWO_RATINGS = ("surprisal_phi", "linear_bayes")


def explanation_text(explanation: Explanation) -> str:
    """The steps of the method that could be taken, then the result and what it means."""
    lines = [*_head(explanation), *_ratings(explanation)]
    if explanation.method != "mean":
        lines += _predictions(explanation)
    if explanation.venue is not None:
        lines += venue_steps(explanation, explanation.venue)
    elif explanation.method in PRIOR_SHOWN and not np.isnan(explanation.q).any():
        lines += _prior(explanation)
        if explanation.method == "surprisal":
            lines += [*_joint(explanation), *_determinant(explanation)]
    lines += [*_result(explanation), *_flags(explanation)]
    return "\n".join(printable(line.rstrip()) for line in lines) + "\n"


def _head(explanation: Explanation) -> Iterator[str]:
    yield f"{explanation.score.paper}: rank {explanation.rank} of {explanation.papers} by {explanation.method}"
    yield f"({METHODS[explanation.method].title})"
    yield ""


def _ratings(explanation: Explanation) -> Iterator[str]:
    yield f"1. Ratings: {counted(explanation.score.reviews, 'review')}"
    yield from _grid(
        explanation,
        {
            "value phi": [f"{value:g}" for value in explanation.scale.values],
            "count": [str(count) for count in explanation.counts],
            "frequency v": _numbers(explanation.v),
        },
    )
    yield f"   mean rating  E_v phi = {explanation.mean:.6g}"
    yield ""


def _predictions(explanation: Explanation) -> Iterator[str]:
    if not explanation.predicted.any():
        partial = explanation.forecasts
        used = f"; {counted(partial, 'partial forecast')}" if partial else ""
        yield f"2. Predictions: no review has a complete one{used}"
        yield ""
        return
    yield "2. Predictions P: what those who gave each rating expect of another reviewer, on average"
    rows = {}
    for level, predicted, row in zip(explanation.scale.labels, explanation.predicted, explanation.P, strict=True):
        rows[f"{level} ({predicted} predicted)"] = ["-"] * len(row) if predicted == 0 else _numbers(row)
    yield from _grid(explanation, rows)
    yield ""


def _prior(explanation: Explanation) -> Iterator[str]:
    yield "3. Prior q_s = 1 / sum_t (P_st / P_ts): how often the predictions say each rating is given to such a paper"
    yield from _grid(explanation, {"prior q": _numbers(explanation.q)})
    yield f"   expected rating  E_q phi = {explanation.prior_mean:.6g}"
    total = float(explanation.q.sum())
    if "prior_sum" in explanation.flags:
        yield f"   q sums to {total:.6g}, not 1: no single prior agrees with these predictions"
    yield ""


def _joint(explanation: Explanation) -> Iterator[str]:
    yield "4. Joint distribution of two reviewers' ratings U = diag(q) P"
    rows = {label: _numbers(row) for label, row in zip(explanation.scale.labels, explanation.U, strict=True)}
    yield from _grid(explanation, rows)
    yield ""


def _determinant(explanation: Explanation) -> Iterator[str]:
    yield "5. Noise scale"
    yield f"   det U = {explanation.determinant:.6g}"
    if np.isfinite(explanation.noise_scale):
        root = 2 * (len(explanation.scale) - 1)
        yield f"   det(U)^(1/{root}) = {explanation.noise_scale:.6g}"
    yield ""


def _result(explanation: Explanation) -> Iterator[str]:
    score = explanation.score
    yield f"Score ({explanation.method}): {score_text(score.value)}   status: {score.status.label}"
    if score.status != Status.FINITE:
        yield f"   {_why_not_finite(explanation)}"
    elif explanation.method == "surprisal":
        yield (
            f"   S = (E_v phi - E_q phi) / det(U)^(1/{2 * (len(explanation.scale) - 1)})"
            f" = ({explanation.mean:.6g} - {explanation.prior_mean:.6g}) / {explanation.noise_scale:.6g}"
            f" = {score.value:.6g}"
        )
        yield f"   {_in_words(explanation)}"
    elif explanation.venue is not None:
        yield f"   standard error {score.standard_error:.4f}"
        yield f"   {venue_words(explanation)}"
    elif explanation.method == "sp":
        phi = "phi = -1, 1" if explanation.scale.is_binary else "phi as above"
        yield f"   S = sum_s phi_s v_s / q_s with {phi}"


def _why_not_finite(explanation: Explanation) -> str:
    if explanation.method in OF_TWO_RATINGS:
        status = explanation.score.status
        return MEANING_OF_TWO_RATINGS.get(status) or _why(status)
    if explanation.score.status == Status.INCOHERENT and not (explanation.q > 0).all():
        return (
            "Somebody predicted a level with exactly 0, and no prior agrees with such certainty: q has a zero, and so "
            "det U is zero. There is no score; the paper is compared by its mean rating, and is worth a discussion."
        )
    return _why(explanation.score.status)


def _in_words(explanation: Explanation) -> str:
    if abs(explanation.score.value) < 0.05:
        return "The ratings are what the predictions led one to expect."
    side = "above" if explanation.score.value > 0 else "below"
    return (
        f"The predictions led one to expect a mean rating of {explanation.prior_mean:.3g}; it is "
        f"{explanation.mean:.3g}, {abs(explanation.score.value):.2f} noise scales {side}."
    )


def _why(status: Status) -> str:
    """What the status means, and what comes of it."""
    return f"{status.meaning[0].upper()}{status.meaning[1:]}{CONSEQUENCES[status]}"


CONSEQUENCES = {
    Status.PLUS_INFINITY: ": above every finite score, level with other such papers.",
    Status.MINUS_INFINITY: ": below every finite score, level with other such papers.",
    Status.MISSING_SIGNAL: ", so P has an empty row and there is no score. The paper is compared by its mean rating.",
    Status.INCOHERENT: (
        ": det U is not positive, so those who rated high did not expect others to rate higher than those who rated "
        "low did. There is no score; the paper is compared by its mean rating, and is worth a discussion."
    ),
    Status.NO_PREDICTIONS: ", so there is nothing to calibrate with. The paper is compared by its mean rating.",
}


MEANING_OF_TWO_RATINGS = {
    Status.MISSING_SIGNAL: (
        "Fewer than two levels have someone who both gave them and made a prediction, so nothing shows how predictions "
        "follow ratings, and there is no score. The paper is compared by its mean rating."
    ),
    Status.INCOHERENT: (
        "The variance of quality that these predictions imply is not positive: those who rated high did not expect "
        "higher ratings than those who rated low did, or a level was predicted with exactly 0. There is no score; the "
        "paper is compared by its mean rating, and is worth a discussion."
    ),
}


def _flags(explanation: Explanation) -> Iterator[str]:
    if explanation.flags:
        yield ""
        yield "Flags"
        for flag in explanation.flags:
            yield f"   {flag}: {FLAGS[flag]}"


def _numbers(row: FloatArray) -> list[str]:
    return [f"{number:.6g}" for number in row.tolist()]


def _grid(explanation: Explanation, rows: dict[str, list[str]]) -> Iterator[str]:
    """Rows of cells under the labels of the levels, all aligned."""
    heads: Iterable[str] = explanation.scale.labels
    columns = list(zip(*rows.values(), strict=True))
    widths = [max(len(head), *map(len, cells)) for head, cells in zip(heads, columns, strict=True)]
    margin = max(len(name) for name in rows)
    yield "   " + " " * margin + "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True))
    for name, cells in rows.items():
        yield f"   {name:<{margin}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
