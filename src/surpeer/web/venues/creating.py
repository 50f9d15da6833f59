"""Making a venue, changing its settings, ending and reopening its round."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from surpeer.errors import InputError
from surpeer.web.accounts.models import Role, User
from surpeer.web.audit.log import Action, record
from surpeer.web.venues.links import follow_deadline
from surpeer.web.venues.models import Blindness, Membership, Venue
from surpeer.web.venues.progress import has_reviews
from surpeer.web.venues.scales import Level
from surpeer.web.venues.settings_log import change_details, deadline_kept

FIXED = "A review was submitted, so the rating scale and the form of predictions can no longer be changed."
STAYS_BLIND = (
    "A review was submitted, and its reviewer was promised that chairs do not see who gave which rating, so the "
    "blindness can no longer be changed."
)
TOO_LATE_TO_HIDE = (
    "The results are open, so chairs may have seen who gave which rating. It is too late to promise that they do not."
)
STAYS_CLOSED = (
    "The results are open, and chairs of this venue do not see who gave which rating. A review that came or changed "
    "now would show whose it is, so the round cannot be reopened."
)
RESERVED = {"new"}  # addresses that are pages of their own
LOGGED = (
    *("name", "prediction_form", "imagined", "blindness", "deadline", "time_zone", "accept"),
    *("instructions", "mail_message"),
)


def create(venue: Venue, levels: list[Level], by: User) -> Venue:
    """Save a new venue, whose chair is who made it."""
    venue.levels, venue.created_by = levels, by
    with transaction.atomic():
        venue.slug = free_slug(venue.name)
        venue.save()
        Membership.objects.create(venue=venue, user=by, role=Role.CHAIR)
        record(by, Action.CREATED_VENUE, venue)
    return venue


def free_slug(name: str) -> str:
    """An address for a venue of this name that no other venue has."""
    base = slugify(name)[:50].strip("-") or "venue"
    taken = set(Venue.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)


def change(venue: Venue, levels: list[Level], by: User) -> list[str]:
    """Save changed settings; returns what changed. InputError where reviews fix what was to be changed."""
    with transaction.atomic():
        before = Venue.objects.select_for_update().get(pk=venue.pk)
        venue.levels = before.levels if _same(levels, before.levels) else levels
        changed = [name for name in (*LOGGED, "levels") if getattr(venue, name) != getattr(before, name)]
        _check_reviews_allow(before, changed)
        if "blindness" in changed and venue.hides_reviewers and before.is_open:
            raise InputError(TOO_LATE_TO_HIDE)
        if changed:
            venue.save(update_fields=changed)
            follow_deadline(venue)
            record(by, Action.CHANGED_SETTINGS, venue, **change_details(before, venue, changed))
    return changed


def _check_reviews_allow(before: Venue, changed: list[str]) -> None:
    """InputError with all that was to be changed and that reviews fix."""
    question = bool({"levels", "prediction_form", "imagined"} & set(changed))
    promise = "blindness" in changed and before.blindness == Blindness.TRIPLE
    if not (question or promise) or not has_reviews(before):
        return
    if question and promise:
        raise InputError(FIXED + " " + STAYS_BLIND)
    raise InputError(FIXED if question else STAYS_BLIND)


def _same(levels: list[Level], others: list[Level]) -> bool:
    """Whether two scales are the same; 1 and 1.0 are the same value."""
    return [(one["label"], float(one["value"])) for one in levels] == [
        (one["label"], float(one["value"])) for one in others
    ]


def close(venue: Venue, by: User) -> bool:
    """End the round now; False where it had been ended already."""
    with transaction.atomic():
        closed = Venue.objects.filter(pk=venue.pk, closed_at=None).update(closed_at=timezone.now())
        if closed:
            record(by, Action.CLOSED, venue)
    return bool(closed)


def reopen(venue: Venue, deadline: datetime, time_zone: str, by: User) -> None:
    """Let reviewers submit again until the deadline. InputError where the open results would show who they are."""
    with transaction.atomic():
        if Venue.objects.select_for_update().get(pk=venue.pk).stays_closed:
            raise InputError(STAYS_CLOSED)
        venue.closed_at, venue.deadline, venue.time_zone = None, deadline, time_zone
        venue.save(update_fields=["closed_at", "deadline", "time_zone"])
        follow_deadline(venue)
        record(by, Action.REOPENED, venue, deadline=deadline_kept(venue))
