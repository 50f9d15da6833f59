"""Pages of papers: the list, and one paper with its reviewers."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.web.access import for_chairs, for_readers
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.forms import PaperForm
from surpeer.web.venues.list_filters import PAPER_FILTERS, usual_reviewers
from surpeer.web.venues.lists import searched
from surpeer.web.venues.models import Paper, Venue
from surpeer.web.venues.progress import assignments_of
from surpeer.web.venues.settings_views import FORM_METHODS

HAS_REVIEWS = (
    "Reviews of this paper were submitted, so it stays. To leave a review out of the results, exclude it there."
)


@require_safe
@for_readers
def papers(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """All papers, and how many reviews of each are in."""
    context = searched(request, venue, venue.papers.all(), ("key", "title", "authors", "track"), PAPER_FILTERS)
    has_tracks = any(paper.track for paper in context["rows"])
    usual = usual_reviewers(venue) if context["show"] == "few" else None
    return render(request, "venues/papers.html", {"venue": venue, "has_tracks": has_tracks, "usual": usual, **context})


@require_safe
@for_readers
def paper(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """One paper, and who reviews it."""
    one = get_object_or_404(venue.papers, pk=pk)
    assignments = assignments_of(venue).filter(paper=one).select_related("reviewer").order_by("reviewer__name", "pk")
    has_reviews = any(assignment.is_done for assignment in assignments)
    context = {"venue": venue, "paper": one, "assignments": assignments, "has_reviews": has_reviews}
    return render(request, "venues/paper.html", context)


@require_http_methods(FORM_METHODS)
@for_chairs
def new_paper(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """Add one paper."""
    return _form(request, venue, Paper(venue=venue), Action.ADDED)


@require_http_methods(FORM_METHODS)
@for_chairs
def edit_paper(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Change one paper."""
    return _form(request, venue, get_object_or_404(venue.papers, pk=pk), Action.CHANGED)


def _form(request: WebRequest, venue: Venue, one: Paper, action: Action) -> HttpResponseBase:
    form = PaperForm(request.POST if request.method == "POST" else None, instance=one)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            saved = form.save()
            record(request.user, action, venue, about=f"paper {saved.pk}")
        messages.success(request, f"Paper {saved.key} was saved.")
        return redirect("paper", venue.slug, saved.pk)
    status = 422 if form.errors else 200
    is_new = one.pk is None
    return render(
        request, "venues/paper_form.html", {"venue": venue, "form": form, "is_new": is_new, "pk": one.pk}, status=status
    )


@require_POST
@for_chairs
def remove_paper(request: WebRequest, venue: Venue, pk: int) -> HttpResponseBase:
    """Remove a paper that nobody has reviewed, with its assignments."""
    with transaction.atomic():
        one = get_object_or_404(venue.papers.select_for_update(), pk=pk)
        if Submission.objects.filter(assignment__paper=one).exists():
            messages.error(request, HAS_REVIEWS)
            return redirect("paper", venue.slug, pk)
        one.delete()
        record(request.user, Action.REMOVED, venue, about=f"paper {pk}", paper=one.key)
    messages.success(request, f"Paper {one.key} was removed.")
    return redirect("papers", venue.slug)
