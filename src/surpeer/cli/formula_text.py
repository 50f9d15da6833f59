"""The steps of the methods of Lu and Kong and of those made after them, in words, with their notation in brackets."""

from collections.abc import Iterator

import numpy as np

from surpeer.cli.level_grid import fractions, level_grid
from surpeer.core.status import Status
from surpeer.explanation import Explanation

PRIOR_SHOWN = ("surprisal", "sp")
OF_TWO_RATINGS = ("surprisal_phi", "linear_bayes")


def formula_answer(explanation: Explanation) -> str:
    """Why the paper stands where it stands, in a sentence."""
    status = explanation.score.status
    if status != Status.FINITE:
        return _why_not_finite(explanation)
    if explanation.method == "surprisal":
        return _in_words(explanation)
    return f"Its score is {explanation.score.value:.3g} and its mean rating {explanation.mean:.3g}."


def formula_steps(explanation: Explanation) -> Iterator[str]:
    """What follows from ratings and predictions, as far as it can be computed."""
    if explanation.method in PRIOR_SHOWN and not np.isnan(explanation.q).any():
        yield from _prior(explanation)
        if explanation.method == "surprisal":
            yield from _joint(explanation)
            yield from _determinant(explanation)


def _prior(explanation: Explanation) -> Iterator[str]:
    yield "3. Expected ratings: how often, by these predictions, each rating is given to such a paper"
    yield "   [prior q_s = 1 / sum_t (P_st / P_ts)]"
    yield from level_grid(explanation.scale.labels, {"expected share [q]": fractions(explanation.q)})
    yield f"   expected rating [E_q phi]: {explanation.prior_mean:.6g}"
    total = float(explanation.q.sum())
    if "prior_sum" in explanation.flags:
        yield f"   the shares sum to {total:.6g}, not 1: no single prior agrees with these predictions"
    yield ""


def _joint(explanation: Explanation) -> Iterator[str]:
    yield "4. How often two reviewers give each pair of ratings [U = diag(q) P]"
    rows = {label: fractions(row) for label, row in zip(explanation.scale.labels, explanation.U, strict=True)}
    yield from level_grid(explanation.scale.labels, rows)
    yield ""


def _determinant(explanation: Explanation) -> Iterator[str]:
    yield "5. Noise scale: how much of real differences noise has left"
    yield f"   [det U] = {explanation.determinant:.6g}"
    if np.isfinite(explanation.noise_scale):
        yield f"   noise scale [det(U)^(1/{_root(explanation)})] = {explanation.noise_scale:.6g}"
    yield ""


def formula_result(explanation: Explanation) -> Iterator[str]:
    """The last step, below the score."""
    score = explanation.score
    if score.status != Status.FINITE:
        return
    if explanation.method == "surprisal":
        yield (
            "   (mean rating - expected rating) / noise scale"
            f" = ({explanation.mean:.6g} - {explanation.prior_mean:.6g}) / {explanation.noise_scale:.6g}"
            f" = {score.value:.6g}"
        )
    elif explanation.method == "sp":
        phi = "phi = -1, 1" if explanation.scale.is_binary else "phi as above"
        yield f"   each rating's share of the reviews over its expected share [sum_s phi_s v_s / q_s with {phi}]"


def _root(explanation: Explanation) -> int:
    return 2 * (len(explanation.scale) - 1)


def _in_words(explanation: Explanation) -> str:
    if abs(explanation.score.value) < 0.05:
        return f"Its mean rating, {explanation.mean:.3g}, is what the predictions led one to expect."
    side = "above" if explanation.score.value > 0 else "below"
    return (
        f"Its mean rating is {explanation.mean:.3g}; the predictions led one to expect {explanation.prior_mean:.3g}. "
        f"That is {abs(explanation.score.value):.2f} noise scales {side}."
    )


def _why_not_finite(explanation: Explanation) -> str:
    status = explanation.score.status
    if explanation.method in OF_TWO_RATINGS and status in MEANING_OF_TWO_RATINGS:
        return MEANING_OF_TWO_RATINGS[status]
    if status == Status.INCOHERENT and not (explanation.q > 0).all():
        return (
            "Somebody predicted a level with exactly 0, and no prior agrees with such certainty [q has a zero, and so "
            "det U is zero]. There is no score; the paper is compared by its mean rating, and is worth a discussion."
        )
    return f"{status.meaning[0].upper()}{status.meaning[1:]}{CONSEQUENCES[status]}"


CONSEQUENCES = {
    Status.PLUS_INFINITY: ": above every finite score, level with other such papers.",
    Status.MINUS_INFINITY: ": below every finite score, level with other such papers.",
    Status.MISSING_SIGNAL: ", so there is no score [P has an empty row]. The paper is compared by its mean rating.",
    Status.INCOHERENT: (
        ": those who rated high did not expect others to rate higher than those who rated low did [det U is not "
        "positive]. There is no score; the paper is compared by its mean rating, and is worth a discussion."
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
