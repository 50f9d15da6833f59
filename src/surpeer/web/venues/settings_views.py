"""Pages on which a venue is made and its settings and its round are changed."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from surpeer.errors import InputError
from surpeer.scale import PRESETS
from surpeer.web.access import ONLY_CHAIRS, creates_venues, for_chairs, for_readers
from surpeer.web.accounts.models import Role
from surpeer.web.request import WebRequest
from surpeer.web.venues import creating
from surpeer.web.venues.forms import PAST, DeadlineForm, VenueForm, typed_deadline
from surpeer.web.venues.models import Venue
from surpeer.web.venues.progress import has_reviews, progress_of
from surpeer.web.venues.scale_form import ScaleRows
from surpeer.web.venues.scales import levels_of
from surpeer.web.venues.settings_merging import merged_scale, show_both

FORM_METHODS = ["GET", "HEAD", "POST"]
USUAL_SCALE = "five-grades"
MAIL_PAGES = ("invite", "remind")
"""Pages that send a chair to the settings for her message, and to which she returns."""


@require_http_methods(FORM_METHODS)
@creates_venues
def new_venue(request: WebRequest) -> HttpResponseBase:
    """Make a venue."""
    if request.method != "POST":
        return _form_page(request, None, VenueForm(), ScaleRows.from_levels(levels_of(PRESETS[USUAL_SCALE])))
    rows = ScaleRows.from_post(request.POST)
    if ScaleRows.only_edits(request.POST):
        return _form_page(request, None, _as_typed(request, Venue()), rows)
    form = VenueForm(request.POST)
    levels = rows.levels()
    if not form.is_valid() or levels is None:
        return _form_page(request, None, form, rows, status=422)
    venue = creating.create(form.save(commit=False), levels, request.user)
    messages.success(request, "The venue was created. Import papers next.")
    return redirect("venue", venue.slug)


@require_http_methods(FORM_METHODS)
@for_readers
def venue_settings(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Change a venue; observers read."""
    if request.membership.role != Role.CHAIR:
        if request.method == "POST":
            raise PermissionDenied(ONLY_CHAIRS)
        return render(request, "venues/settings_read.html", {"venue": venue})
    return _change_settings(request, venue)


def _change_settings(request: WebRequest, venue: Venue) -> HttpResponseBase:
    fixed = has_reviews(venue)
    if request.method != "POST":
        return _form_page(request, venue, VenueForm(instance=venue, fixed=fixed), ScaleRows.from_levels(venue.levels))
    if ScaleRows.only_edits(request.POST) and not fixed:
        return _form_page(request, venue, _as_typed(request, venue), ScaleRows.from_post(request.POST))
    with transaction.atomic():  # nobody else saves between reading what it is now and writing
        return _save(request, venue, Venue.objects.select_for_update().get(pk=venue.pk), fixed)


def _save(request: WebRequest, venue: Venue, now: Venue, fixed: bool) -> HttpResponseBase:
    """Write what she changed; where somebody else changed the same meanwhile, write nothing and show both.

    now : the venue as it is, into which the form puts what was typed; `venue` stays what the page is headed with
    """
    form = VenueForm(request.POST, instance=now, fixed=fixed)
    rows = ScaleRows.from_levels(now.levels) if fixed else ScaleRows.from_post(request.POST)
    rows, levels = merged_scale(rows, now.levels)
    if not form.is_valid() or levels is None:
        both_changed = bool(form.overtaken) or rows.overtaken
        if both_changed:
            show_both(form)
        return _form_page(request, venue, form, rows, status=409 if both_changed else 422)
    try:
        changed = creating.change(form.save(commit=False), levels, request.user)
    except InputError as error:
        form.add_error(None, str(error))
        return _form_page(request, venue, form, rows, status=409)
    messages.success(request, "The settings were saved." if changed else "Nothing was changed.")
    return redirect(_came_from(request) or "venue_settings", venue.slug)


def _came_from(request: WebRequest) -> str:
    """The page that sent her here for her message; empty where it was none."""
    page = request.GET.get("from", "")
    return page if page in MAIL_PAGES else ""


def _as_typed(request: WebRequest, venue: Venue) -> VenueForm:
    """The form with what was typed, unchecked: a button that adds a level is no time for complaints."""
    names = [name for name in VenueForm.base_fields if name in request.POST]
    form = VenueForm(instance=venue, initial={name: request.POST[name] for name in names})
    form.data = request.POST  # it is asked for what the fields were when the page was opened
    return form


def _form_page(
    request: WebRequest, venue: Venue | None, form: VenueForm, rows: ScaleRows, status: int = 200
) -> HttpResponseBase:
    template = "venues/new_venue.html" if venue is None else "venues/settings.html"
    fixed = venue is not None and has_reviews(venue)
    context = {"venue": venue, "form": form, "scale": rows, "fixed": fixed, "came_from": _came_from(request)}
    return render(request, template, context, status=status)


@require_http_methods(FORM_METHODS)
@for_chairs
def close_round(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Ask, then end the round."""
    if request.method != "POST":
        return render(request, "venues/close.html", {"venue": venue, "progress": progress_of(venue)})
    if creating.close(venue, request.user):
        messages.success(request, "The round is closed. Reviewers can read what they wrote and change nothing.")
    else:
        messages.info(request, "The round was closed already.")
    return redirect("venue", venue.slug)


@require_http_methods(FORM_METHODS)
@for_chairs
def reopen_round(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Ask for a deadline, then let reviewers submit again."""
    if venue.stays_closed:
        return render(request, "venues/stays_closed.html", {"venue": venue, "why": creating.STAYS_CLOSED}, status=409)
    still = typed_deadline(venue) if venue.deadline > timezone.now() else None  # one that has passed is of no use
    form = DeadlineForm(
        request.POST if request.method == "POST" else None, initial={"deadline": still, "time_zone": venue.time_zone}
    )
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["deadline"] > timezone.now():
            creating.reopen(venue, **form.cleaned_data, by=request.user)
            messages.success(request, "The round is open again.")
            return redirect("venue", venue.slug)
        form.add_error("deadline", PAST)
    status = 422 if form.errors else 200
    return render(request, "venues/reopen.html", {"venue": venue, "form": form}, status=status)
