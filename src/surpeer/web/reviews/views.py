"""What a reviewer sees besides the review form: her papers, declining one, her data."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.web.access import for_assigned, for_reviewers
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews import tasks
from surpeer.web.reviews.forms import DeclineForm
from surpeer.web.reviews.own_data import everything_about
from surpeer.web.reviews.review_page import context_of
from surpeer.web.reviews.submitting import current_submission
from surpeer.web.venues.models import Assignment, Reviewer

A_PAGE = 100
CLOSED = "The round is closed: papers can no longer be declined or taken back. Ask the chairs."


@require_safe
@for_reviewers
def my_papers(request: WebRequest, reviewer: Reviewer) -> HttpResponseBase:
    """What is left, done and declined."""
    found = tasks.tasks_of(reviewer)
    counts = tasks.Counts.of(found.values_list("state", flat=True))
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "reviews/my_papers.html", {"venue": reviewer.venue, "counts": counts, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@for_assigned
def decline(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    """Ask for the reason, then decline."""
    if not assignment.reviewer.venue.takes_reviews:
        return _too_late(request, assignment)
    form = DeclineForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        tasks.decline(assignment, form.cleaned_data["declined_because"])
        messages.success(request, f"You declined “{assignment.paper}”. You can take that back until the deadline.")
        return redirect("my_papers")
    shown = {**context_of(assignment), "form": form, "current": current_submission(assignment)}
    return render(request, "reviews/decline.html", shown, status=422 if form.errors else 200)


@require_POST
@for_assigned
def take_back(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    """Review a declined paper after all."""
    if not assignment.reviewer.venue.takes_reviews:
        return _too_late(request, assignment)
    if assignment.declined_at is not None:
        tasks.take_back(assignment)
    return redirect("review", assignment.pk)


def _too_late(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    messages.error(request, CLOSED)
    return redirect("review", assignment.pk)


@require_safe
@for_reviewers
def my_data(request: WebRequest, reviewer: Reviewer) -> HttpResponseBase:
    """Everything stored about her, as a file."""
    record(reviewer, Action.EXPORTED_PERSON, reviewer.venue)
    name = f"my-reviews-{slugify(reviewer.venue.slug)}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(
        everything_about(reviewer), json_dumps_params={"indent": 2, "ensure_ascii": False}, headers=headers
    )
