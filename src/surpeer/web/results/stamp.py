"""What a result was made of, as a short text that changes when any of it does."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import metadata

from django.db.models import Count, Max, Q, QuerySet

from surpeer.web.audit.log import Action
from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Exclusion, Submission
from surpeer.web.venues.models import Venue

CHANGES = (
    Action.IMPORTED,
    Action.ADDED,
    Action.CHANGED,
    Action.REMOVED,
    Action.DECLINED,
    Action.TOOK_BACK,
    Action.CHANGED_SETTINGS,
)
"""Of what counting rows does not show: titles, tracks, papers that were declined. All of it is written into the log in
the same transaction."""


Numbers = list[int | None]
"""How many rows there are, and their largest id; None where there is none."""


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
    reviews = _reviews(venue)
    facts = [
        _version(),
        [venue.name, venue.levels, venue.prediction_form, venue.blindness, venue.accept],
        reviews,
        list(venue.papers.aggregate(Count("pk"), Max("pk")).values()),
        list(_changes(venue).aggregate(Count("pk"), Max("pk")).values()),
    ]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    return Stamp(digest[:32], reviews[0][0] or 0)


@cache
def _version() -> str:
    """Of the program; another one may compute something else."""
    return metadata.version("surpeer")


_counted: dict[int, tuple[object, list[Numbers]]] = {}
"""For each venue what there was in all venues when its own reviews were counted, and what was found."""


def _reviews(venue: Venue) -> list[Numbers]:
    """The numbers of submissions and of exclusions.

    To find those of a venue among all is the slow part of a stamp. It is done again only if there are others than the
    last time, which is found out first: what comes in between is then found twice, not never.
    """
    last = Submission.objects.order_by("-pk").values_list("pk", "key").first()
    everywhere = (last, Submission.objects.count(), _exclusions(Exclusion.objects.all()))
    known = _counted.get(venue.pk)
    if known is None or known[0] != everywhere:
        mine = {"assignment__paper__venue": venue}
        submissions = Submission.objects.filter(**mine).aggregate(Count("pk"), Max("pk"))
        found = [list(submissions.values()), _exclusions(Exclusion.objects.filter(**mine))]
        known = _counted[venue.pk] = (everywhere, found)
    return known[1]


def _exclusions(found: QuerySet[Exclusion]) -> Numbers:
    lifted = Count("pk", filter=Q(lifted_at__isnull=False))
    return list(found.aggregate(Count("pk"), Max("pk"), lifted=lifted).values())


def _changes(venue: Venue) -> QuerySet[Entry]:
    return Entry.objects.filter(venue=venue.pk, action__in=[action.value for action in CHANGES])
