"""Files that wait between the preview of an import and its confirmation: kept for a day at most."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from surpeer.web.accounts.models import User
from surpeer.web.venues.models import ImportUpload, Venue

KEPT = timedelta(days=1)


def keep(venue: Venue, user: User, kind: str, name: str, data: bytes) -> ImportUpload:
    """Keep a file until it is confirmed; an earlier one of the same kind makes room."""
    with transaction.atomic():
        forget_old()
        ImportUpload.objects.filter(venue=venue, user=user, kind=kind).delete()
        return ImportUpload.objects.create(venue=venue, user=user, kind=kind, name=name[-200:], data=data)


def kept_for(venue: Venue, user: User) -> QuerySet[ImportUpload]:
    """What somebody uploaded and can still import; nobody sees what somebody else uploaded."""
    return venue.uploads.filter(user=user, uploaded_at__gt=timezone.now() - KEPT)


def forget_old() -> int:
    """Delete what was not confirmed within a day; returns how many files there were. The background process does
    this, too, so that files go even if nobody uploads another one."""
    deleted, _ = ImportUpload.objects.filter(uploaded_at__lte=timezone.now() - KEPT).delete()
    return deleted
