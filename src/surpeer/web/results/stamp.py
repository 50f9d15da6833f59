"""What a result was made of, as a short text that changes when any of it does."""

import hashlib
import json
from dataclasses import dataclass
from importlib import metadata

from django.db.models import Count, Max, Q, QuerySet

from surpeer.web.audit.log import Action
from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.venues.models import Assignment, Venue

CHANGES = (
    Action.IMPORTED,
    Action.ADDED,
    Action.CHANGED,
    Action.REMOVED,
    Action.DECLINED,
    Action.TOOK_BACK,
    Action.CHANGED_SETTINGS,
)
"""Of what counting alone does not show: titles, tracks, one paper declined and another taken back."""


@dataclass(frozen=True)
class Stamp:
    """The reviews, exclusions and settings of a venue at one moment."""

    text: str
    submissions: int
    """Versions of reviews."""


def stamp_of(venue: Venue) -> str:
    """Changes whenever a submission, an exclusion, a paper or a setting that matters does."""
    return find_stamp(venue).text


def find_stamp(venue: Venue) -> Stamp:
    """Found by counting: no row has to be written with every submission, which all of them would wait for.

    Numbers of rows as well as the largest id, because what was begun first need not be finished first.
    """
    mine = {"assignment__paper__venue": venue}
    submissions = Submission.objects.filter(**mine).aggregate(Count("pk"), Max("pk"))
    lifted = Count("pk", filter=Q(lifted_at__isnull=False))
    facts = [
        metadata.version("surpeer"),
        [venue.name, venue.levels, venue.prediction_form, venue.blindness, venue.accept],
        list(submissions.values()),
        list(Exclusion.objects.filter(**mine).aggregate(Count("pk"), Max("pk"), lifted=lifted).values()),
        Assignment.objects.filter(paper__venue=venue, declined_at__isnull=False).count(),
        list(venue.papers.aggregate(Count("pk"), Max("pk")).values()),
        list(_changes(venue).aggregate(Count("pk"), Max("pk")).values()),
    ]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    return Stamp(digest[:32], submissions["pk__count"])


def _changes(venue: Venue) -> QuerySet[Entry]:
    return Entry.objects.filter(venue=venue.pk, action__in=[action.value for action in CHANGES])
