"""What the venue method made of predictions, in words."""

from collections.abc import Iterator

from surpeer.explanation import Explanation, VenueExplanation
from surpeer.ranking_notes import trust_text
from surpeer.report.number_text import rounded_parts

LITTLE = 0.05  # standard deviations of quality, which nobody need be told of


def venue_answer(place: str, explanation: Explanation, venue: VenueExplanation) -> Iterator[str]:
    """Where the paper stands and why, in two sentences. place : `W07 has rank 7 of 12`"""
    score = explanation.score
    thin = "" if _sure(explanation) >= 1 else ": the evidence is thin"
    yield f"{place} by its score of {score.value:z.2f} (standard error {score.standard_error:.2f}{thin})."
    mean, expected = f"{explanation.mean:.3g}", f"{venue.expected_mean:.3g}"
    if not venue.trust.follows:
        typical = f"{venue.typical_mean:.3g}"
        whose = "a typical paper" if venue.track is None else "a typical paper of its track"
        yield f"Its mean rating is {mean}, that of {whose} {typical}; predictions had no part in the score."
    elif mean == expected:
        yield f"Its mean rating is {mean}, as was to be expected whatever its quality."
    else:
        side = "higher" if explanation.mean > venue.expected_mean else "lower"
        who = "its reviewers' predictions" if score.own_share else "predictions for other papers"
        led = f"the {expected} that {who} led one to expect"
        yield f"Its mean rating is {mean}, {side} than {led} whatever its quality."


def venue_steps(explanation: Explanation, venue: VenueExplanation) -> Iterator[str]:
    """The lines that lead from ratings and predictions to the score."""
    own = explanation.score.own_share or 0.0
    where = "this venue" if venue.track is None else f"track {venue.track}"
    yield "3. What was to be expected whatever the paper's quality"
    yield f"   the predictions of {where} are {trust_text(venue.trust)}"
    yield f"   mean rating of a typical paper, which nothing pushes up or down: {venue.typical_mean:.4g}"
    yield f"   mean rating to be expected of this paper: {venue.expected_mean:.4g}"
    yield f"      ({own:.0%} of that from its own reviewers' predictions, {1 - own:.0%} from the rest of {where})"
    yield ""
    yield "4. What moved its score, in standard deviations of quality (a typical paper has 0)"
    yield f"   {_in_a_sentence(venue)}"
    parts = venue.parts
    ratings, caution, predictions = rounded_parts([parts.ratings, parts.venue, parts.forecasts], parts.score)
    rows = {
        "its ratings, at face value": ratings,
        "caution, because ratings are few and noisy": caution,
        "  = by its ratings alone": ratings + caution,
        "its predictions": predictions,
        "  = score": parts.score,
    }
    width = max(map(len, rows))
    yield from (f"   {name:<{width}}  {number:+z6.2f}" for name, number in rows.items())
    yield ""


def _in_a_sentence(venue: VenueExplanation) -> str:
    """What the steps come to."""
    alone, moved = venue.parts.ratings + venue.parts.venue, venue.parts.forecasts
    by_ratings = f"By its ratings alone it would be {_place(alone)}"
    if abs(moved) < LITTLE:
        return f"{by_ratings}; what reviewers predicted changes hardly anything."
    expected_less = venue.expected_mean < venue.typical_mean
    way = "raises" if moved > 0 else "lowers"
    if expected_less != (moved > 0):
        return f"{by_ratings}; what its reviewers predicted {way} the score."
    return f"{by_ratings}; its reviewers expected {'less' if expected_less else 'more'} of it, which {way} the score."


def _place(score: float) -> str:
    if abs(score) < LITTLE:
        return "about as good as a typical paper"
    return f"{'better' if score > 0 else 'worse'} than a typical paper"


def venue_result(explanation: Explanation) -> Iterator[str]:
    """The score, and what it says."""
    score = explanation.score
    yield f"Score: {score.value:z.2f}, standard error {score.standard_error:.2f}"
    yield f"   {venue_words(explanation)}"


def venue_words(explanation: Explanation) -> str:
    """The score in one sentence."""
    score = explanation.score
    if abs(score.value) < LITTLE:
        return "About as good as a typical paper."
    side = "better" if score.value > 0 else "worse"
    doubt = "" if _sure(explanation) >= 1 else ", less than its standard error: the evidence is thin"
    return f"{abs(score.value):.2f} standard deviations of quality {side} than a typical paper{doubt}."


def _sure(explanation: Explanation) -> float:
    """The score in standard errors."""
    return abs(explanation.score.value) / (explanation.score.standard_error or 1.0)
