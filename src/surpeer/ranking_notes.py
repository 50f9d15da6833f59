"""What a reader should know about a ranking, or about decisions, as a whole: sentences for notes and reports."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from surpeer.core.venue import Trust
from surpeer.errors import counted
from surpeer.ranking import Ranking
from surpeer.scores.method import Scores

if TYPE_CHECKING:
    from surpeer.decisions import Decisions  # which loads what rankings do not need

MOST_TRACKS = 5

# With fewer papers than this, what is not known about the venue matters, and standard errors leave it out.
FEW_PAPERS = 30


class TrackFacts(Protocol):
    """What is told about a track."""

    @property
    def track(self) -> str | None: ...

    @property
    def size(self) -> int:
        """Its papers."""

    @property
    def trust(self) -> Trust: ...


def trust_text(trust: Trust) -> str:
    """One sentence on how far predictions are followed, and why."""
    why = why_not_followed(trust)
    if why is not None:
        return f"not followed ({why}): papers are ranked by their ratings alone"
    words = "followed in full" if trust.weight == 1 else f"followed with weight {trust.weight:.2f} (1 is in full)"
    if trust.projection.weight > 0:
        words += f"; {trust.projection.weight:.0%} of a prediction is the reviewer's own rating, which was taken off"
    if trust.caution != 1:
        words += f"; papers' ratings differ {trust.caution:.2f} times as much as predictions say"
    return words


def why_not_followed(trust: Trust) -> str | None:
    """Why predictions are not followed; None if they are."""
    if trust.follows:
        return None
    if not trust.judged:
        return "too few papers have two predictions to compare"
    if not trust.differ:
        return "they do not clearly differ more from paper to paper than from reviewer to reviewer"
    if not trust.projection.responds:
        return "those who rate higher do not clearly predict higher ratings"
    if trust.caution <= 0:
        return "papers that are predicted to be rated higher are not"
    if not trust.leaves_quality:
        return "they seem to be about quality itself, hardly any of which would be left in the ratings without them"
    return "reviewers mostly predict their own opinion, which is about quality too"


def track_notes(tracks: Sequence[TrackFacts]) -> list[str]:
    """Notes on the predictions of each track, on tracks that are too small, and on ranking tracks together."""
    if len(tracks) <= MOST_TRACKS:
        notes = [f"predictions{_of(track.track)} are {trust_text(track.trust)}" for track in tracks]
    else:
        followed = sum(track.trust.follows for track in tracks)
        notes = [f"predictions are followed in {followed} of {counted(len(tracks), 'track')}"]
    return [*notes, *cautions(tracks)]


def cautions(tracks: Sequence[TrackFacts]) -> list[str]:
    """What makes the scores of these tracks less certain, or less comparable, than they look."""
    notes = []
    small = [track.size for track in tracks if track.trust.follows and track.size < FEW_PAPERS]
    if small:
        notes.append(
            f"only {counted(min(small), 'paper')}{'' if len(tracks) == 1 else ' in a track'} to learn from: scores are "
            "less certain than their standard errors say"
        )
    if len(tracks) > 1:
        notes.append(f"one ranking of all {len(tracks):,} tracks, as if they were equally good on average")
    return notes


TYPICAL = (
    "a typical paper is one with the ratings that are usual in the venue, or in its track; half a rating of each level "
    "is counted with them"
)
"""What has the score 0 (surpeer.core.venue.moments.start_of)."""


def one_sided_notes(scores: Scores) -> Iterator[str]:
    """Where all papers are better, or all are worse, than a typical one: in very small venues."""
    for side, word in ((1, "above"), (-1, "below")):
        found = [
            track
            for track, papers, fit in scores.outcome.tracks
            if not fit.trust.follows and (side * scores.value[papers] > 0).all()
        ]
        if found:
            where = _of(found[0]) if len(found) == 1 else f" of {counted(len(found), 'track')}"
            yield f"all papers{where} score {word} 0: {TYPICAL}, which matters where there are so few"


def _of(track: str | None) -> str:
    return "" if track is None else f" of track {track}"


def ranking_notes(ranking: Ranking) -> list[str]:
    """What a user should know about a ranking as a whole."""
    scores = ranking.scores
    tracks = scores.outcome.tracks
    said_so = len(tracks) == 1 and not scores.matrices.source.has_forecast.any()  # that there are no predictions
    return [
        *([] if said_so else track_notes(tracks)),
        *order_notes(scores.method, len(ranking), int((~scores.defined).sum()), ranking.broken),
    ]


def order_notes(method: str, papers: int, undefined: int, broken: int) -> Iterator[str]:
    """On papers without a score, and on comparisons that the order goes against."""
    if undefined:
        yield (
            f"{undefined:,} of {papers:,} papers without a {method} score: compared by the mean "
            "rating (the column status says why)"
        )
    if broken:
        yield (
            "comparisons by score and by mean contradict each other in a circle; the ranking goes against "
            f"{broken:,} of them (papers flagged cycle)"
        )


def decisions_notes(decisions: "Decisions") -> Iterator[str]:
    """What a chair should know about the decisions as a whole."""
    if decisions.tied_at_cut:
        yield from tie_notes(decisions.tied_at_cut, int(decisions.ranking.rank[decisions.places]))


def tie_notes(papers: int, rank: int) -> Iterator[str]:
    """On papers that share the rank that the cut goes through, if any do."""
    if papers:
        yield (
            f"the cut goes through a tie: {papers:,} papers share rank {rank}; "
            "their order in the table is that of their ids"
        )


def all_notes(results: "Ranking | Decisions") -> list[str]:
    """How the reviews were read, and what to know about the results as a whole."""
    ranking = results if isinstance(results, Ranking) else results.ranking
    notes = [*ranking.scores.matrices.source.notes, *ranking_notes(ranking)]
    return notes if isinstance(results, Ranking) else [*notes, *decisions_notes(results)]


def as_sentence(note: str) -> str:
    """A note as it is printed after `note:`, as a sentence of its own.

    >>> as_sentence("skipped 2 empty rows")
    'Skipped 2 empty rows.'
    """
    text = note[:1].upper() + note[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
