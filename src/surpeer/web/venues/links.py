"""Personal links of reviewers: made, found again, and taken back."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from surpeer.web.accounts.secret_links import hash_of
from surpeer.web.address import absolute
from surpeer.web.venues.models import PersonalLink, Reviewer, Venue

OPEN_AFTER_DEADLINE = timedelta(days=30)
"""So that a reviewer can still read, and take along, what she wrote."""


def new_link(reviewer: Reviewer, request: HttpRequest | None = None) -> str:
    """The whole address of a new personal link, which is shown this once; earlier links go on working."""
    return made_link(reviewer, request)[1]


def made_link(reviewer: Reviewer, request: HttpRequest | None = None) -> tuple[PersonalLink, str]:
    """A new personal link, and its whole address."""
    link = PersonalLink(reviewer=reviewer, expires_at=expiry_of(reviewer.venue))
    return link, absolute(reverse("personal_link", args=[link.make()]), request)


def expiry_of(venue: Venue) -> datetime:
    """Until when links of the venue work."""
    return max(venue.deadline, timezone.now()) + OPEN_AFTER_DEADLINE


def find_link(secret: str) -> PersonalLink | None:
    """The link with this secret, if it still opens anything."""
    found = PersonalLink.objects.select_related("reviewer__venue").filter(
        hash=hash_of(secret), revoked_at=None, expires_at__gt=timezone.now(), reviewer__erased_at=None
    )
    return found.first()


def revoke(reviewer: Reviewer) -> int:
    """Make every link of the reviewer void at once, in browsers that opened one, too; returns how many there were."""
    return working_links().filter(reviewer=reviewer).update(revoked_at=timezone.now())


def end(reviewer: Reviewer) -> None:
    """Make every link of the reviewer void because it may have reached somebody else; this is no chair's decision to
    keep her out."""
    working_links().filter(reviewer=reviewer).update(expires_at=timezone.now())


def kept_out() -> Q:
    """The condition on reviewers that a chair revoked their links and they got none since: the newest is revoked. Mails
    to many do not undo that."""
    newer = PersonalLink.objects.filter(reviewer=OuterRef("reviewer"), pk__gt=OuterRef("pk"))
    newest = PersonalLink.objects.filter(~Exists(newer), reviewer=OuterRef("pk"))
    return Q(Exists(newest.filter(revoked_at__isnull=False)))


def working_links() -> QuerySet[PersonalLink]:
    """Links that were neither revoked nor have expired."""
    return PersonalLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now())


def locked_out(reviewers: Sequence[Reviewer]) -> set[int]:
    """The keys of those who had links of which none works any more."""
    found = Reviewer.objects.filter(without_working_link(), pk__in=[one.pk for one in reviewers])
    return set(found.values_list("pk", flat=True))


def without_working_link() -> Q:
    """The condition on reviewers that they had links of which none works any more."""
    had = PersonalLink.objects.filter(reviewer=OuterRef("pk"))
    return Q(Exists(had)) & ~Q(Exists(working_links().filter(reviewer=OuterRef("pk"))))


def follow_deadline(venue: Venue) -> None:
    """Let the links that are open work as long as a new deadline asks for; none becomes shorter."""
    until = expiry_of(venue)
    links = PersonalLink.objects.filter(reviewer__venue=venue, revoked_at=None, expires_at__gt=timezone.now())
    links.filter(expires_at__lt=until).update(expires_at=until)
