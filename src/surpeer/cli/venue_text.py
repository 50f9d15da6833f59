"""What the venue method made of forecasts, in words."""

from collections.abc import Iterator, Sequence

from surpeer.core.venue import Trust
from surpeer.errors import counted
from surpeer.explanation import Explanation, VenueExplanation
from surpeer.scores.method import TrackFit

MOST_TRACKS = 5

# With fewer papers than this, what is not known about the venue matters, and standard errors leave it out.
FEW_PAPERS = 30


def trust_text(trust: Trust) -> str:
    """One sentence on how far forecasts are followed, and why."""
    why = _why_not(trust)
    if why is not None:
        return f"not followed ({why}): papers are ranked by their ratings alone"
    words = "followed in full" if trust.weight == 1 else f"followed with weight {trust.weight:.2f}"
    if trust.projection.weight > 0:
        words += f"; {trust.projection.weight:.0%} of a forecast is the reviewer's own rating, which was taken off"
    if trust.caution != 1:
        words += f"; ratings differ {trust.caution:.2f} times as much as forecasts say"
    return words


def _why_not(trust: Trust) -> str | None:
    """Why forecasts are not followed; None if they are."""
    if trust.follows:
        return None
    if not trust.judged:
        return "too few papers have two forecasts to compare"
    if not trust.differ:
        return "it cannot be seen that they differ from paper to paper more than from reviewer to reviewer"
    if not trust.projection.responds:
        return "it cannot be seen that they rise with the reviewer's own rating"
    if trust.caution <= 0:
        return "papers that are expected to be rated higher are not"
    if not trust.leaves_quality:
        return "they know about quality: without what they say hardly any would be left in the ratings"
    return "reviewers mostly forecast their own opinion, which also knows about quality"


def track_notes(tracks: Sequence[TrackFit]) -> list[str]:
    """Notes on the forecasts of each track, on tracks that are too small, and on ranking tracks together."""
    if len(tracks) <= MOST_TRACKS:
        notes = [f"forecasts{_of(track.track)} are {trust_text(track.fit.trust)}" for track in tracks]
    else:
        followed = sum(track.fit.trust.follows for track in tracks)
        notes = [f"forecasts are followed in {followed} of {counted(len(tracks), 'track')}"]
    small = [len(track.papers) for track in tracks if track.fit.trust.follows and len(track.papers) < FEW_PAPERS]
    if small:
        notes.append(
            f"only {counted(min(small), 'paper')}{'' if len(tracks) == 1 else ' in a track'} to learn from: errors are "
            "larger than stated, and more is open than it seems"
        )
    if len(tracks) > 1:
        notes.append(f"one ranking of all {len(tracks):,} tracks, as if they were equally good on average")
    return notes


def _of(track: str | None) -> str:
    return "" if track is None else f" of track {track}"


def venue_steps(explanation: Explanation, venue: VenueExplanation) -> Iterator[str]:
    """The lines that lead from ratings and forecasts to the score."""
    score = explanation.score
    of_track = "venue" if venue.track is None else f"track ({venue.track})"
    yield "3. Expected rating: what the paper was to get whatever its quality"
    yield f"   forecasts are {trust_text(venue.trust)}"
    yield f"   a paper of the {of_track} that nothing pushes up or down: {venue.typical_mean:.4g}"
    own = score.own_share or 0.0
    yield f"   this paper: {venue.expected_mean:.4g} ({own:.0%} from its own forecasts, less what is their own rating;"
    yield f"      {1 - own:.0%} from the {of_track})"
    yield ""
    yield "4. What moved the score, in standard deviations of quality"
    parts = venue.parts
    rows = {
        "its ratings, at face value": parts.ratings,
        "caution, because ratings are few and noisy": parts.venue,
        "  = by its ratings alone": parts.ratings + parts.venue,
        "its forecasts": parts.forecasts,
        "  = score": parts.score,
    }
    width = max(map(len, rows))
    yield from (f"   {name:<{width}}  {number:+z8.4f}" for name, number in rows.items())
    yield ""


def venue_words(explanation: Explanation) -> str:
    """The score in one sentence."""
    score = explanation.score
    if abs(score.value) < 0.05:
        return "About as good as a typical paper."
    side = "better" if score.value > 0 else "worse"
    sure = abs(score.value) / (score.standard_error or 1.0)
    doubt = "" if sure >= 1 else ", less than its standard error: the evidence is thin"
    return f"{abs(score.value):.2f} standard deviations of quality {side} than a typical paper{doubt}."
