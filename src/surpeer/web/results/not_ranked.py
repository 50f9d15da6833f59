"""Papers that have no place in the ranking, because no review of them counts: which, and why."""

from collections import Counter
from dataclasses import dataclass

from surpeer.web.results.reviews_table import counted_submissions
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import Venue

MOST_NAMED = 20
"""In a sentence, and as links on a page; a file has all of them."""


@dataclass(frozen=True)
class NotRanked:
    """A paper without a place."""

    pk: int
    paper: str
    """Its id."""
    title: str
    track: str
    why: str


def not_ranked(venue: Venue) -> list[NotRanked]:
    """In the order of their ids."""
    counted = counted_submissions(venue).order_by().values("assignment__paper")
    left = venue.papers.exclude(pk__in=counted)
    excluded = current_submissions(venue).filter(assignment__paper__in=left.order_by())
    number = Counter(excluded.values_list("assignment__paper", flat=True))
    rows = left.values_list("pk", "key", "title", "track")
    return [NotRanked(pk, key, title, track, _why(number[pk])) for pk, key, title, track in rows]


def not_ranked_note(papers: list[NotRanked]) -> str:
    """Which papers have no place, for the notes on how reviews were read."""
    named = ", ".join(f"{one.paper} ({one.why})" for one in papers[:MOST_NAMED])
    more = f" and {len(papers) - MOST_NAMED:,} more" if len(papers) > MOST_NAMED else ""
    return f"not ranked, because no review counts: {named}{more}"


def _why(excluded: int) -> str:
    if not excluded:
        return "no review"
    return "its only review is excluded" if excluded == 1 else f"its {excluded:,} reviews are excluded"
