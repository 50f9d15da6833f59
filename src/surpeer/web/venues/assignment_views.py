"""Assigning a paper to a reviewer by hand, and taking it back."""

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from surpeer.errors import nearest_name, quoted
from surpeer.web.access import for_chairs
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.venues.import_conflicts import seems_author
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from surpeer.web.venues.near_ids import NearIds

REVIEWED = "This review was submitted, so the paper stays assigned. To leave it out of the results, exclude it there."


@require_POST
@for_chairs
def assign_paper(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Give a reviewer the paper whose id was typed."""
    reviewer = get_object_or_404(venue.reviewers.filter(erased_at=None), pk=pk)
    key = " ".join(request.POST.get("paper", "").split())
    paper = venue.papers.filter(key=key).first()
    if paper is None:
        near = NearIds(venue.papers.values_list("key", flat=True)).nearest(key)
        messages.error(request, f"Found {quoted(key)}, expected the id of a paper. {_did_you_mean(near)}")
    else:
        _assign(request, venue, paper, reviewer)
    return redirect("reviewer", venue.slug, pk)


@require_POST
@for_chairs
def assign_reviewer(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Give a paper to the reviewer whose address or name was typed."""
    paper = get_object_or_404(venue.papers, pk=pk)
    text = " ".join(request.POST.get("reviewer", "").split())
    reviewer = _reviewer_called(venue, text)
    if reviewer is None:
        known = venue.reviewers.filter(erased_at=None).exclude(email="").values_list("email", flat=True)
        near = nearest_name(text, known)
        messages.error(request, f"Found {quoted(text)}, expected the address of a reviewer. {_did_you_mean(near)}")
    else:
        _assign(request, venue, paper, reviewer)
    return redirect("paper", venue.slug, pk)


@require_POST
@for_chairs
def unassign(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Take a paper back that was not reviewed."""
    with transaction.atomic():
        one = get_object_or_404(Assignment.objects.select_related("paper", "reviewer"), pk=pk, paper__venue=venue)
        if one.submissions.exists():
            messages.error(request, REVIEWED)
        else:
            Assignment.objects.filter(pk=pk).delete()
            _log(request, Action.REMOVED, one)
            messages.success(request, f"Paper {one.paper.key} is no longer assigned to {one.reviewer}.")
    if request.POST.get("back") == "paper":
        return redirect("paper", venue.slug, one.paper_id)
    return redirect("reviewer", venue.slug, one.reviewer_id)


def _reviewer_called(venue: Venue, text: str) -> Reviewer | None:
    """The one reviewer with this address, or else with this name."""
    if not text:
        return None
    present = venue.reviewers.filter(erased_at=None)
    found = list(present.filter(email=text.lower())[:2]) or list(present.filter(name__iexact=text)[:2])
    return found[0] if len(found) == 1 else None


def _log(request: WebRequest, action: Action, one: Assignment) -> None:
    """With the paper and the reviewer, because the assignment may be gone when the entry is read."""
    paper, about = one.paper, f"assignment {one.pk}"
    record(request.user, action, paper.venue, about=about, paper=paper.key, reviewer=one.reviewer_id)


def _assign(request: WebRequest, venue: Venue, paper: Paper, reviewer: Reviewer) -> None:
    try:
        with transaction.atomic():
            one = Assignment.objects.create(paper=paper, reviewer=reviewer)
            _log(request, Action.ADDED, one)
    except IntegrityError:
        messages.info(request, f"Paper {paper.key} was assigned to {reviewer} already.")
    else:
        messages.success(request, f"Paper {paper.key} is assigned to {reviewer}.")
        if seems_author(reviewer.name, reviewer.email, paper.authors):
            messages.warning(
                request, f"{reviewer} seems to be an author of paper {paper.key}: look at this assignment."
            )


def _did_you_mean(near: str | None) -> str:
    return f"Did you mean {quoted(near)}?" if near else "The list of the venue has them all."
