"""Opening the results: once, by a chair, for all chairs and observers, and written into the log."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.models import Assignment, Venue

P = ParamSpec("P")
VenueView = Callable[Concatenate[WebRequest, Venue, P], HttpResponseBase]


@transaction.atomic
def open_for_all(venue: Venue, chair: User) -> bool:
    """Open the results; False if somebody did so before."""
    if not Venue.objects.filter(pk=venue.pk, opened_at=None).update(opened_at=timezone.now()):
        return False
    reviews, missing = reviews_and_missing(venue)
    record(chair, Action.OPENED_RESULTS, venue, reviews=reviews, missing=missing)
    return True


def reviews_and_missing(venue: Venue) -> tuple[int, int]:
    """How many reviews there are, and how many were asked for and have not come."""
    reviews = current_submissions(venue).count()
    return reviews, Assignment.objects.filter(paper__venue=venue, declined_at=None).count() - reviews


def once_opened(view: VenueView[P]) -> VenueView[P]:
    """For views of chairs that make no sense before the results are open, inside `for_chairs`."""

    @wraps(view)
    def opened(request: WebRequest, venue: Venue, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not venue.is_open:
            return render(request, "results/not_open.html", {"venue": venue}, status=409)
        return view(request, venue, *args, **kwargs)

    return opened
