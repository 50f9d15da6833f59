"""Why each paper of a ranking stands where it stands, in a sentence or two; for thousands of papers at once."""

import numpy as np

from surpeer.core.status import Status
from surpeer.decisions import Decisions
from surpeer.errors import counted
from surpeer.expectation import expected_means
from surpeer.probability_text import probability_text
from surpeer.proposals import Proposal, Reason
from surpeer.ranking import FLAGS, Ranking
from surpeer.scores.method import Scores

# Closer than this to each other, two mean ratings are the same in words.
SAME = 0.005

INFINITE = {
    Status.PLUS_INFINITY: "which puts it above every finite score",
    Status.MINUS_INFINITY: "which puts it below every finite score",
}


def sentences_of(results: Ranking | Decisions, *, with_flags: bool = True) -> list[str]:
    """One text for each paper, in the order of the rows; `with_flags`: also what its flags mean."""
    if isinstance(results, Ranking):
        return ranking_sentences(results, with_flags=with_flags)
    proposals, rest = proposal_sentences(results), ranking_sentences(results.ranking, with_flags=with_flags)
    return [f"{first} {second}" for first, second in zip(proposals, rest, strict=True)]


def ranking_sentences(ranking: Ranking, *, with_flags: bool = True) -> list[str]:
    """What its reviewers said, what was to be expected, what the score makes of it, and what a chair should know."""
    scores, order = ranking.scores, ranking.order
    rows = zip(
        scores.reviews[order].tolist(),
        scores.mean[order].tolist(),
        expected_means(scores)[order].tolist(),
        _score_sentences(scores, order.tolist()),
        _flag_sentences(ranking) if with_flags else [""] * len(ranking),
        strict=True,
    )
    return [
        " ".join(filter(None, (_rated(reviews, mean, expected), score, flags)))
        for reviews, mean, expected, score, flags in rows
    ]


def proposal_sentences(decisions: Decisions) -> list[str]:
    """What is proposed, and why."""
    reviews = decisions.ranking.scores.reviews[decisions.ranking.order]
    rows = zip(
        decisions.proposal.tolist(),
        decisions.reason.tolist(),
        decisions.probability.tolist(),
        reviews.tolist(),
        strict=True,
    )
    return [_proposed(decisions, Proposal(kind), Reason(why), chance, count) for kind, why, chance, count in rows]


def _proposed(decisions: Decisions, proposal: Proposal, reason: Reason, chance: float, reviews: int) -> str:
    word = proposal.label.capitalize()
    if reason == Reason.NO_SCORE:
        return f"{word}: without a score no probability is known."
    if reason == Reason.INCOHERENT_FORECASTS:
        return f"{word}: its reviewers' predictions contradict each other, whatever its probability."
    likely = f"with a probability of {probability_text(chance)}"
    belongs = f"{_belongs(decisions.places)} {likely}"
    if reason == Reason.LIKELY:
        return f"{word}: {belongs}{', though on a single review' if reviews == 1 else ''}."
    if chance >= decisions.certainty or chance <= 1 - decisions.certainty:
        return f"{word}: {belongs}, but it shares its rank with a paper on the other side of the cut."
    return f"{word}: {belongs}, which is not certain enough."


def _belongs(places: int) -> str:
    return "it is the best paper" if places == 1 else f"it belongs among the best {places:,}"


def _rated(reviews: int, mean: float, expected: float) -> str:
    rated = f"Mean rating {mean:z.2f} from {counted(reviews, 'review')}"
    if not np.isfinite(expected):
        return f"{rated}."
    if abs(mean - expected) < SAME:
        return f"{rated}, as predictions led one to expect."
    side = "higher" if mean > expected else "lower"
    return f"{rated}, {abs(mean - expected):.2f} {side} than predictions led one to expect ({expected:z.2f})."


def _score_sentences(scores: Scores, order: list[int]) -> list[str]:
    errors = scores.standard_error
    status, value = scores.status.tolist(), scores.value.tolist()
    return [
        _without_score(Status(status[at]))
        or _scored(scores.method, value[at], None if errors is None else float(errors[at]))
        for at in order
    ]


def _without_score(status: Status) -> str:
    """Why there is no score that is a number; '' if there is one."""
    if status == Status.FINITE:
        return ""
    if status in INFINITE:
        return f"{status.meaning[0].upper()}{status.meaning[1:]}, {INFINITE[status]}."
    return f"It has no score, because {status.meaning}; it is compared by its mean rating."


def _scored(method: str, value: float, error: float | None) -> str:
    if method == "mean":
        return ""
    if error is None:
        return f"Score {value:z.3f}."
    if abs(value) < SAME:
        return f"Score {value:z.2f} ± {error:.2f}: as good as a typical paper."
    side = "better" if value > 0 else "worse"
    thin = ", though the evidence is thin" if abs(value) < error else ""
    return f"Score {value:z.2f} ± {error:.2f}: {side} than a typical paper{thin}."


def _flag_sentences(ranking: Ranking) -> list[str]:
    texts = [""] * len(ranking)
    for name, mask in ranking.flags.items():
        if name == "ranked_by_mean":  # said in the sentence on the score
            continue
        sentence = f"{FLAGS[name][0].upper()}{FLAGS[name][1:]}."
        for row in np.flatnonzero(mask).tolist():
            texts[row] = f"{texts[row]} {sentence}".strip()
    return texts
