"""Pages of reviewers: the list, and one reviewer with her papers and links."""

from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.web.access import for_chairs, for_readers
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews.models import Submission
from surpeer.web.venues import links
from surpeer.web.venues.forms import ReviewerForm
from surpeer.web.venues.list_filters import REVIEWER_FILTERS
from surpeer.web.venues.lists import searched
from surpeer.web.venues.mail_files import delete_mails_to
from surpeer.web.venues.models import Reviewer, Venue
from surpeer.web.venues.progress import assignments_of
from surpeer.web.venues.settings_views import FORM_METHODS

HAS_REVIEWS = "This reviewer has submitted reviews and cannot be removed. You can erase her personal data instead."


@require_safe
@for_readers
def reviewers(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """All reviewers, and how far each is."""
    context = searched(request, venue, venue.reviewers.all(), ("name", "email"), REVIEWER_FILTERS)
    context["locked_out"] = links.locked_out(context["rows"])
    return render(request, "venues/reviewers.html", {"venue": venue, **context})


@require_safe
@for_readers
def reviewer(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """One reviewer: her papers, her links, what can be done."""
    one = get_object_or_404(venue.reviewers, pk=pk)
    assignments = assignments_of(venue).filter(reviewer=one).select_related("paper").order_by("paper__key")
    context = {
        "venue": venue,
        "reviewer": one,
        "assignments": assignments,
        "links": one.links.order_by("-created_at")[:20],
        "has_reviews": any(one.is_done for one in assignments),
        "has_work_left": any(not one.is_done and one.declined_at is None for one in assignments),
    }
    return render(request, "venues/reviewer.html", context)


@require_http_methods(FORM_METHODS)
@for_chairs
def new_reviewer(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Add one reviewer."""
    return _form(request, venue, Reviewer(venue=venue), Action.ADDED)


@require_http_methods(FORM_METHODS)
@for_chairs
def edit_reviewer(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Change name or address of one who was not erased."""
    return _form(request, venue, get_object_or_404(venue.reviewers.filter(erased_at=None), pk=pk), Action.CHANGED)


def _form(request: WebRequest, venue: Venue, one: Reviewer, action: Action) -> HttpResponseBase:
    form = ReviewerForm(request.POST if request.method == "POST" else None, instance=one)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            saved = form.save()
            if action == Action.CHANGED and "email" in form.changed_data:
                _forget_mails(saved)
            record(request.user, action, venue, about=f"reviewer {saved.pk}")
        messages.success(request, f"{saved} was saved.")
        return redirect("reviewer", venue.slug, saved.pk)
    status = 422 if form.errors else 200
    context = {"venue": venue, "form": form, "is_new": one.pk is None, "pk": one.pk}
    return render(request, "venues/reviewer_form.html", context, status=status)


def _forget_mails(one: Reviewer) -> None:
    """What went to the earlier address may have reached somebody else: its links are void, and mails go out again."""
    links.end(one)
    one.invited_at = one.reminded_at = None
    one.invitation_filed = one.reminder_filed = False
    one.save(update_fields=["invited_at", "reminded_at", "invitation_filed", "reminder_filed"])


@require_POST
@for_chairs
def remove_reviewer(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Remove a reviewer who has submitted nothing, with her assignments and links."""
    with transaction.atomic():
        one = get_object_or_404(venue.reviewers.select_for_update(), pk=pk)
        if Submission.objects.filter(assignment__reviewer=one).exists():
            messages.error(request, HAS_REVIEWS)
            return redirect("reviewer", venue.slug, pk)
        shown = str(one)
        one.delete()
        transaction.on_commit(partial(delete_mails_to, pk))
        record(request.user, Action.REMOVED, venue, about=f"reviewer {pk}")
    messages.success(request, f"{shown} was removed.")
    return redirect("reviewers", venue.slug)
