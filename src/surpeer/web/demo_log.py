"""The log of a made-up venue: what its people would have done, in the order of its times."""

from collections.abc import Iterator
from datetime import datetime

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, JsonValue, entry_of
from surpeer.web.audit.models import Entry
from surpeer.web.demo_times import Moments
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.models import Assignment, PersonalLink, Reviewer, Venue


def write_log(venue: Venue, chair: User, moments: Moments) -> None:
    """Made, filled, invited, reviewed, and, where that is so, closed and opened."""
    entries = [*_set_up(venue, chair, moments), *_reviewed(venue), *_ended(venue, chair)]
    Entry.objects.bulk_create(sorted(entries, key=lambda entry: entry.at))


def _set_up(venue: Venue, chair: User, moments: Moments) -> Iterator[Entry]:
    """What the chair did before anybody reviewed."""
    yield _entry(moments.created, chair, Action.CREATED_VENUE, venue, made_up="for this demonstration")
    sizes = {"papers": venue.papers.count(), "reviewers": venue.reviewers.count(), "assignments": _assigned(venue)}
    for (kind, number), at in zip(sizes.items(), moments.imports(), strict=True):
        yield _entry(at, chair, Action.IMPORTED, venue, kind, new=number, changed=0)
    for reviewer in venue.reviewers.all():
        if reviewer.invited_at is not None:
            yield _entry(reviewer.invited_at, chair, Action.INVITED, venue, str(reviewer.pk))


def _reviewed(venue: Venue) -> Iterator[Entry]:
    """What reviewers did: each opened her link before her first review."""
    for link in PersonalLink.objects.filter(reviewer__venue=venue).select_related("reviewer"):
        if link.used_at is not None:
            yield _entry(link.used_at, link.reviewer, Action.OPENED_LINK, venue)
    for one in _submissions(venue):
        about, reviewer = one.assignment.paper.key, one.assignment.reviewer
        yield _entry(one.submitted_at, reviewer, Action.SUBMITTED, venue, about, number=one.number)


def _ended(venue: Venue, chair: User) -> Iterator[Entry]:
    if venue.closed_at is not None:
        yield _entry(venue.closed_at, chair, Action.CLOSED, venue)
    if venue.opened_at is not None:
        reviews = len(_submissions(venue))
        missing = _assigned(venue) - reviews
        yield _entry(venue.opened_at, chair, Action.OPENED_RESULTS, venue, reviews=reviews, missing=missing)


def _entry(
    at: datetime, actor: User | Reviewer, action: Action, venue: Venue, about: str = "", **details: JsonValue
) -> Entry:
    entry = entry_of(actor, action, venue, about, **details)
    entry.at = at
    return entry


def _assigned(venue: Venue) -> int:
    return Assignment.objects.filter(paper__venue=venue).count()


def _submissions(venue: Venue) -> list[Submission]:
    found = Submission.objects.filter(assignment__paper__venue=venue)
    return list(found.select_related("assignment__paper", "assignment__reviewer"))
