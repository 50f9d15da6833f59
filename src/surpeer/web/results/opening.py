"""Opening the results: once, by a chair, for all chairs and observers, and written into the log."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from surpeer.errors import InputError
from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews.submitting import current_submissions
from surpeer.web.venues.creating import close
from surpeer.web.venues.few_predictions import few_predictions
from surpeer.web.venues.models import Assignment, Venue

P = ParamSpec("P")
VenueView = Callable[Concatenate[WebRequest, Venue, P], HttpResponseBase]
NO_REVIEW = "No review has been submitted, so there are no results to open. Open them when reviews are in."
CLOSE_FIRST = (
    "Chairs of this venue do not see who gave which rating. While reviewers can submit, the results would change with "
    "each review and so show whose it is. Close the round first; after the opening it cannot be reopened."
)


@transaction.atomic
def open_for_all(venue: Venue, chair: User) -> bool:
    """Open the results; False if somebody did so before. InputError where they cannot be opened yet.

    Where chairs must not learn who gave which rating, a round that only its deadline ended is closed with it: a later
    deadline would let reviews in again.
    """
    now = Venue.objects.select_for_update().get(pk=venue.pk)
    if now.is_open:
        return False
    _check_that_it_may(now)
    if now.hides_reviewers:
        close(now, chair)
    Venue.objects.filter(pk=venue.pk).update(opened_at=timezone.now())
    reviews, missing = reviews_and_missing(venue)
    record(chair, Action.OPENED_RESULTS, venue, reviews=reviews, missing=missing)
    return True


def why_not_yet(venue: Venue) -> str:
    """Why the results cannot be opened; empty if they can."""
    try:
        _check_that_it_may(venue)
    except InputError as error:
        return str(error)
    return ""


def _check_that_it_may(venue: Venue) -> None:
    """InputError where the results of the venue cannot be opened yet."""
    if not current_submissions(venue).exists():
        raise InputError(NO_REVIEW)
    if venue.hides_reviewers and venue.takes_reviews:
        raise InputError(CLOSE_FIRST)


def before_opening(venue: Venue) -> dict[str, object]:
    """What a chair should know before she opens the results."""
    reviews, missing = reviews_and_missing(venue)
    return {
        "venue": venue,
        "reviews": reviews,
        "missing": missing,
        "why_not": why_not_yet(venue),
        "few_predictions": few_predictions(venue, "done") if reviews else "",
    }


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
