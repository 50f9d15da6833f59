"""What a chair does about one reviewer's personal links and personal data."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from surpeer.web.access import for_chairs
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews.own_data import everything_about
from surpeer.web.venues import links, personal_data
from surpeer.web.venues.models import Blindness, Reviewer, Venue
from surpeer.web.venues.settings_views import FORM_METHODS


@require_POST
@for_chairs
def make_link(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Make one more personal link and show it, this once; earlier ones go on working."""
    reviewer = get_object_or_404(venue.reviewers.filter(erased_at=None), pk=pk)
    return _shown_link(request, reviewer, replaces=False)


@require_http_methods(FORM_METHODS)
@for_chairs
def replace_links(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Ask, then make every link of a reviewer void, and a new one that is shown this once."""
    reviewer = get_object_or_404(venue.reviewers.filter(erased_at=None), pk=pk)
    if request.method != "POST":
        return _ask(request, reviewer, "venues/replace.html")
    return _shown_link(request, reviewer, replaces=True)


def _shown_link(request: WebRequest, reviewer: Reviewer, *, replaces: bool) -> HttpResponseBase:
    with transaction.atomic():
        revoked = links.revoke(reviewer) if replaces else 0
        address = links.new_link(reviewer, request)
        record(request.user, Action.MADE_LINK, reviewer.venue, about=f"reviewer {reviewer.pk}", revoked=revoked)
    shown = {"venue": reviewer.venue, "reviewer": reviewer, "link": address}
    return render(request, "venues/link.html", shown)


def _ask(request: WebRequest, reviewer: Reviewer, template: str) -> HttpResponseBase:
    """What becomes of the links that work now, before it happens."""
    working = links.working_links().filter(reviewer=reviewer).count()
    return render(request, template, {"venue": reviewer.venue, "reviewer": reviewer, "working": working})


@require_http_methods(FORM_METHODS)
@for_chairs
def revoke_links(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Ask, then make every link of a reviewer void."""
    reviewer = get_object_or_404(venue.reviewers, pk=pk)
    if request.method != "POST":
        return _ask(request, reviewer, "venues/revoke.html")
    with transaction.atomic():
        revoked = links.revoke(reviewer)
        record(request.user, Action.REVOKED_LINKS, venue, about=f"reviewer {pk}", revoked=revoked)
    messages.success(request, f"Every personal link of {reviewer} is void, also in browsers that opened one.")
    return redirect("reviewer", venue.slug, pk)


@require_POST
@for_chairs
def export_person(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """What is known of a reviewer, as JSON. What her reviews say is in it once the results are open, if chairs may know
    who gave which rating at all."""
    reviewer = get_object_or_404(venue.reviewers, pk=pk)
    with_reviews = venue.is_open and venue.blindness != Blindness.TRIPLE
    with transaction.atomic():
        content = everything_about(reviewer, with_reviews=with_reviews)
        record(request.user, Action.EXPORTED_PERSON, venue, about=f"reviewer {pk}")
    response = JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response.headers["Content-Disposition"] = f'attachment; filename="{venue.slug}-reviewer-{pk}.json"'
    return response


@require_http_methods(FORM_METHODS)
@for_chairs
def erase_person(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Ask, then erase the personal data of a reviewer; her ratings and predictions stay."""
    reviewer = get_object_or_404(venue.reviewers.filter(erased_at=None), pk=pk)
    if request.method != "POST":
        return render(request, "venues/erase.html", {"venue": venue, "reviewer": reviewer})
    with transaction.atomic():
        personal_data.erase(reviewer)
        record(request.user, Action.ERASED_PERSON, venue, about=f"reviewer {pk}")
    messages.success(request, f"The personal data was erased. From now on it says “{reviewer}”.")
    return redirect("reviewer", venue.slug, pk)
