"""Whether a venue has papers enough for predictions to count, said while something can still be done about it."""

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from django.db.models import Count

from surpeer.core.venue.venue_fit import LEAST_PAPERS
from surpeer.errors import counted
from surpeer.paper_cells import NO_TRACK
from surpeer.web.venues.models import Assignment, Venue
from surpeer.web.venues.progress import FIRST

COMPARED = 2
"""Predictions of one paper that can be compared with each other."""
MOST_NAMED = 5


def few_predictions(venue: Venue, reviews: Literal["assigned", "done"]) -> str:
    """What to know where predictions cannot count, for the reviews that are in, or for all that were asked for; empty
    where there are enough to judge them by."""
    papers = _comparable(venue, reviews)
    small = {track: number for track, number in papers.items() if number < LEAST_PAPERS}
    if not small:
        return ""
    got = "assigned to two reviewers or more" if reviews == "assigned" else "with two reviews or more"
    needed = f"At least {LEAST_PAPERS} papers {got} are needed to judge predictions by"
    if len(papers) == 1:
        (number,) = small.values()
        alone = "Predictions will not count: papers will be ranked by their ratings alone."
        return f"{alone} {needed}; there {_are(number)}."
    named = ", ".join(f"{track} ({number})" for track, number in sorted(small.items())[:MOST_NAMED])
    more = f" and {len(small) - MOST_NAMED:,} more" if len(small) > MOST_NAMED else ""
    which = "any track" if len(small) == len(papers) else f"{len(small):,} of {counted(len(papers), 'track')}"
    return (
        f"Predictions will not count in {which}, because each track is read by itself: papers there will be ranked by "
        f"their ratings alone. {needed} in a track; too few have {named}{more}."
    )


def _comparable(venue: Venue, reviews: str) -> Mapping[str, int]:
    """For each track that has reviews, how many papers have predictions that can be compared."""
    asked = Assignment.objects.filter(paper__venue=venue, declined_at=None)
    counted_ones = asked if reviews == "assigned" else asked.filter(submissions__number=FIRST)
    found: Counter[str] = Counter()
    for _, track, number in counted_ones.values_list("paper", "paper__track").annotate(Count("pk")).order_by():
        found[track.strip() or NO_TRACK] += number >= COMPARED
    return found


def _are(number: int) -> str:
    return f"{'is' if number == 1 else 'are'} {number or 'none'}"
