"""The page with the form of one review, in all the states it can be in."""

from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.shortcuts import render

from surpeer.web.request import WebRequest
from surpeer.web.reviews.drafts import current_draft
from surpeer.web.reviews.forms import ReviewForm
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.reviews.prediction import left_to_place, question_of
from surpeer.web.reviews.submitting import current_submission
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import Window
from surpeer.web.venues.models import Assignment, Blindness, Venue

A_FEW_LINES = 400
"""Characters of instructions that are never in the way."""


def shown_version(venue: Venue, typed: Typed) -> dict[str, Any]:
    """A version for `reviews/version.html`."""
    unit = question_of(venue).unit
    given = typed.named_numbers(venue)
    numbers = [(label, f"{text}{unit}" if text.strip().isdecimal() else text) for label, text in given]
    return {"rating": typed.rating_label(venue), "numbers": numbers, "comment": typed.comment}


def are_instructions_open(assignment: Assignment, current: Submission | None) -> bool:
    """Whether the chairs' instructions are unfolded: a few lines always, more until she submitted her first review."""
    if len(assignment.reviewer.venue.instructions) <= A_FEW_LINES:
        return True
    return current is None and not Submission.objects.filter(assignment__reviewer=assignment.reviewer).exists()


def context_of(assignment: Assignment) -> dict[str, Any]:
    """What every page about one paper shows."""
    venue, paper = assignment.reviewer.venue, assignment.paper
    return {
        "venue": venue,
        "assignment": assignment,
        "paper": paper,
        "authors": paper.authors if venue.blindness == Blindness.SINGLE else "",
        "link": paper.url if paper.url.startswith(("https://", "http://")) else "",
    }


def opened(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """The page as it is opened: the draft, else what was submitted, else empty."""
    current = current_submission(assignment)
    draft = current_draft(assignment, current.number if current else 0)
    venue = assignment.reviewer.venue
    if not venue.takes_reviews or assignment.declined_at is not None:
        return _read_only(request, assignment, current, draft)
    typed = Typed.from_draft(draft.fields) if draft else Typed.from_submission(current) if current else Typed()
    form = ReviewForm(venue, typed, new_window(current, draft))
    return with_form(request, assignment, form, current, drafted=draft)


def new_window(current: Submission | None, draft: Draft | None) -> Window:
    """A window that knows of everything that is stored."""
    return Window(uuid4(), current.number if current else 0, draft.number if draft else 0)


def with_form(
    request: WebRequest,
    assignment: Assignment,
    form: ReviewForm,
    current: Submission | None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The page with this form in it; `current` is what was submitted last."""
    texts = [str(field.value() or "") for field in form.numbers]
    shown = {
        "form": form,
        "question": form.question,
        "left": left_to_place(form.question, texts),
        "current": current,
        "instructions_open": are_instructions_open(assignment, current),
        **more,
    }
    return render(request, "reviews/review.html", {**context_of(assignment), **shown}, status=status)


def conflicting(request: WebRequest, assignment: Assignment, typed: Typed) -> HttpResponse:
    """Both versions: what is stored, and what was typed here, which the form still holds."""
    venue = assignment.reviewer.venue
    current = current_submission(assignment)
    draft = current_draft(assignment, current.number if current else 0)
    stored = Typed.from_draft(draft.fields) if draft else Typed.from_submission(current) if current else Typed()
    other = {
        "submitted": draft is None,
        "at": draft.saved_at if draft else current.submitted_at if current else None,
        "version": shown_version(venue, stored),
        "typed": shown_version(venue, typed),
    }
    form = ReviewForm(venue, typed, new_window(current, draft))
    return with_form(request, assignment, form, current, status=409, other=other)


def _read_only(
    request: WebRequest, assignment: Assignment, current: Submission | None, draft: Draft | None
) -> HttpResponse:
    """What she submitted, when nothing can be changed any more or the paper was declined."""
    venue = assignment.reviewer.venue
    shown = {
        "current": current,
        "instructions_open": are_instructions_open(assignment, current),
        "version": shown_version(venue, Typed.from_submission(current)) if current else None,
        "unsubmitted": shown_version(venue, Typed.from_draft(draft.fields)) if draft else None,
    }
    return render(request, "reviews/read_only.html", {**context_of(assignment), **shown})
