"""Who came by a personal link. The session keeps which link it was; the link says, at every request, whether it still
counts."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import QuerySet
from django.utils import timezone

from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from surpeer.web.visits.models import Visit
from surpeer.web.written_once import Row, WrittenOnce, names_of, objects_of

REVIEWER = "link__reviewer__"
UNTIL = ("expire_date", "link__expires_at")
"""Until when the session counts, and the link."""


def _visits(key: str) -> QuerySet[Visit, Any]:
    by_link = Visit.objects.filter(session_key=key, link__isnull=False)
    return by_link.filter(link__revoked_at=None, link__reviewer__erased_at=None)


def _reviewers(key: str) -> QuerySet[Visit, Any]:
    names = names_of(Reviewer, REVIEWER) + names_of(Venue, f"{REVIEWER}venue__")
    return _visits(key).values_list(*UNTIL, *names)


def _assignments(key: str, pk: int) -> QuerySet[Visit, Any]:
    hers = f"{REVIEWER}assignments"
    names = names_of(Reviewer, REVIEWER) + names_of(Venue, f"{REVIEWER}venue__")
    more = names_of(Assignment, f"{hers}__") + names_of(Paper, f"{hers}__paper__")
    return _visits(key).filter(**{hers: pk}).values_list(*UNTIL, *names, *more)


REVIEWERS = WrittenOnce(_reviewers, str)
ASSIGNMENTS = WrittenOnce(_assignments, str, int)


def reviewer_of(session: SessionBase) -> Reviewer | None:
    """The reviewer whose link this browser opened, with her venue, unless it has expired or was revoked since."""
    found = _found(REVIEWERS, session)
    if found is None:
        return None
    reviewer: Reviewer
    reviewer, reviewer.venue = objects_of(found, Reviewer, Venue)
    return reviewer


def assignment_of(session: SessionBase, pk: int) -> Assignment | None:
    """One of her assignments, with the paper, herself and her venue; None for anybody else's."""
    found = _found(ASSIGNMENTS, session, pk)
    if found is None:
        return None
    assignment: Assignment
    reviewer, reviewer.venue, assignment, assignment.paper = objects_of(found, Reviewer, Venue, Assignment, Paper)
    assignment.reviewer = reviewer
    return assignment


def _found(query: WrittenOnce, session: SessionBase, *more: int) -> Row | None:
    """The row of a query by the key of a session, unless the session or the link counts no more."""
    session.accessed = True  # so that Django tells caches that the answer depends on it
    found = query.first(session.session_key, *more) if session.session_key else None
    return None if found is None or min(found[:2]) <= timezone.now() else found[2:]
