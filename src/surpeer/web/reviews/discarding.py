"""Throwing a draft away: first a question, then the answer to it, both by POST, so that it needs no JavaScript.

Whoever is asked loses nothing by saying no: what stands in the form is saved before. A draft that another window saved
in the meantime is not thrown away, by the same rules as in `drafts`.
"""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from surpeer.web.request import WebRequest
from surpeer.web.reviews import review_page
from surpeer.web.reviews.checking import can_be_kept
from surpeer.web.reviews.drafts import discard_draft, save_draft
from surpeer.web.reviews.submitting import current_submission
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import window_of
from surpeer.web.venues.models import Assignment

KEPT = "Nothing was discarded: this review was changed in another window in the meantime. Here is what is stored."
GONE = "The draft is discarded."


def ask(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """Shall the draft be thrown away? Shows it once more."""
    typed = Typed.from_post(assignment.reviewer.venue, request.POST)
    window = window_of(request.POST)
    if can_be_kept(typed):
        saved = save_draft(assignment, typed, window)
        if saved.conflict or saved.draft is None:
            return review_page.conflicting(request, assignment, typed)
        window = replace(window, draft=saved.draft.number)
    shown = {
        "window": window,
        "version": review_page.shown_version(assignment.reviewer.venue, typed),
        "current": current_submission(assignment),
    }
    return render(request, "reviews/discard.html", {**review_page.context_of(assignment), **shown})


def discard(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """It shall: back to what was submitted, or to the empty form."""
    if discard_draft(assignment, window_of(request.POST)).conflict:
        messages.warning(request, KEPT)
    else:
        messages.success(request, GONE)
    return redirect("review", assignment.pk)
