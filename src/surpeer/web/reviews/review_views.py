"""Reviewing one paper: the form, drafts of it, and the answer to a submission."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surpeer.web.access import for_assigned
from surpeer.web.request import WebRequest
from surpeer.web.reviews import discarding, review_page
from surpeer.web.reviews.checking import LONGEST_COMMENT, Problem, ReviewProblems, can_be_kept, checked_review
from surpeer.web.reviews.drafts import is_behind
from surpeer.web.reviews.drafts import save_draft as save
from surpeer.web.reviews.forms import ReviewForm
from surpeer.web.reviews.models import Draft
from surpeer.web.reviews.prediction import question_of, whole_number
from surpeer.web.reviews.scaling import scaled
from surpeer.web.reviews.submitting import Status, current_submission, submit
from surpeer.web.reviews.tasks import next_task
from surpeer.web.reviews.typed import Typed
from surpeer.web.reviews.window import window_of
from surpeer.web.venues.local_times import short_time
from surpeer.web.venues.models import Assignment, Venue

TOO_LATE = "The round is closed: what you sent was not submitted."
KEPT = "It is kept as a draft, and will be here if the chairs reopen the round. What you typed is still in the form."
NOT_KEPT = "What you typed is still in the form: copy it if you want to send it to the chairs."
ONLY_KEPT = "The round is closed: nothing can be submitted any more. What you typed is kept as a draft."
CHANGED = (
    "The chairs changed the scale, the question or who sees what while you were writing: nothing was submitted. Look "
    "again."
)
DECLINED = "You declined this paper in another window: what you sent was not submitted. Take that back first."
TOO_LONG = f"Draft not saved: the comment is longer than {LONGEST_COMMENT:,} characters."


@require_http_methods(["GET", "HEAD", "POST"])
@for_assigned
def review(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    """The form; its buttons say in `action` what to do with what is in it, to submit it if none does."""
    if request.method != "POST":
        return review_page.opened(request, assignment)
    return ACTIONS.get(request.POST.get("action", ""), _submit)(request, assignment)


def _submit(request: WebRequest, assignment: Assignment) -> HttpResponse:
    try:
        given = checked_review(assignment.reviewer.venue, request.POST)
    except ReviewProblems as found:
        if not assignment.reviewer.venue.takes_reviews:
            return _too_late(request, assignment)
        return _as_typed(request, assignment, status=422, problems=found.problems)
    if _told_of_another(request, assignment):
        return review_page.conflicting(request, assignment, _typed(request, assignment))
    return _answer(request, assignment, submit(assignment, *given))


def _told_of_another(request: WebRequest, assignment: Assignment) -> bool:
    """Whether the window was told that another one got ahead (its script says so) and has not compared them yet. Other
    submissions are spared the query."""
    told = request.POST.get("overtaken") and assignment.reviewer.venue.takes_reviews
    return bool(told) and is_behind(assignment, window_of(request.POST))


def _answer(request: WebRequest, assignment: Assignment, status: Status) -> HttpResponse:
    if status.succeeded:
        return HttpResponseRedirect(f"{request.path}stored/")  # finding out the address takes longer
    if status == Status.CONFLICT:
        return review_page.conflicting(request, assignment, _typed(request, assignment))
    if status == Status.CLOSED:
        return _too_late(request, assignment)
    if status == Status.CHANGED:
        assignment.reviewer.venue.refresh_from_db()
        return _as_typed(request, assignment, status=409, refusal=CHANGED)
    return _as_typed(request, assignment, status=409, refusal=DECLINED)


def _too_late(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """What was sent after the closing is not submitted, and not lost either."""
    assignment.reviewer.venue.refresh_from_db()  # it may have been closed just now: the page must not say otherwise
    typed = _typed(request, assignment)
    kept = can_be_kept(typed) and not save(assignment, typed, window_of(request.POST)).conflict
    return _as_typed(request, assignment, status=409, refusal=f"{TOO_LATE} {KEPT if kept else NOT_KEPT}")


def _draft(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """The button that saves a draft, for browsers without JavaScript."""
    typed = _typed(request, assignment)
    if not can_be_kept(typed):
        return _as_typed(request, assignment, status=422, refusal=TOO_LONG)
    if save(assignment, typed, window_of(request.POST)).conflict:
        return review_page.conflicting(request, assignment, typed)
    takes_reviews = assignment.reviewer.venue.takes_reviews
    messages.success(request, "Draft saved. It counts only once you submit it." if takes_reviews else ONLY_KEPT)
    return redirect("review", assignment.pk)


def _scale(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """The button that scales to the total, for browsers without JavaScript: says what it did, and can be undone."""
    typed = _typed(request, assignment)
    question = question_of(assignment.reviewer.venue)
    numbers = [whole_number(text) for text in typed.numbers]
    given = [number for number in numbers if number is not None]
    if len(given) < len(numbers) or sum(given) == 0:
        nothing = "Nothing was scaled: first give whole numbers, at least one of them larger than 0."
        return _as_typed(request, assignment, status=422, refusal=nothing)
    after = [str(number) for number in scaled(given, question.whole)]
    changes = list(zip(question.labels, given, after, strict=True))
    done = {"before": ",".join(map(str, given)), "sum": sum(given), "changes": changes}
    return _as_typed(request, assignment, replace(typed, numbers=after), scaling=done)


def _unscale(request: WebRequest, assignment: Assignment) -> HttpResponse:
    """The numbers as they were before scaling."""
    typed = _typed(request, assignment)
    before = request.POST.get("before", "").split(",")
    fits = len(before) == len(typed.numbers) and all(whole_number(text) is not None for text in before)
    return _as_typed(request, assignment, replace(typed, numbers=before) if fits else typed)


ACTIONS: dict[str, Callable[[WebRequest, Assignment], HttpResponse]] = {
    "submit": _submit,
    "draft": _draft,
    "discard": discarding.ask,
    "discard-now": discarding.discard,
    "scale": _scale,
    "unscale": _unscale,
}


def _typed(request: WebRequest, assignment: Assignment) -> Typed:
    return Typed.from_post(assignment.reviewer.venue, request.POST)


def _as_typed(
    request: WebRequest,
    assignment: Assignment,
    typed: Typed | None = None,
    problems: Sequence[Problem] = (),
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The form as it was sent, in the same window."""
    venue, window = assignment.reviewer.venue, window_of(request.POST)
    form = ReviewForm(venue, typed or _typed(request, assignment), window, problems)
    return review_page.with_form(request, assignment, form, current_submission(assignment), status, **more)


@require_safe
@for_assigned
def review_stored(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    """What was stored, and what is next."""
    current = current_submission(assignment)
    if current is None:
        return redirect("review", assignment.pk)
    version = review_page.shown_version(assignment.reviewer.venue, Typed.from_submission(current))
    shown = {"current": current, "version": version, "next": next_task(assignment)}
    return render(request, "reviews/stored.html", {**review_page.context_of(assignment), **shown})


@require_POST
@for_assigned
def save_draft(request: WebRequest, assignment: Assignment) -> HttpResponseBase:
    """Drafts while typing: answers the script of the page."""
    typed = _typed(request, assignment)
    if not can_be_kept(typed):
        return JsonResponse({"problem": TOO_LONG}, status=422)
    saved = save(assignment, typed, window_of(request.POST))
    if saved.conflict or saved.draft is None:
        problem = "This review was changed in another window. What you type here is no longer saved."
        return JsonResponse({"problem": problem, "compare": reverse("review", args=[assignment.pk])}, status=409)
    return JsonResponse(_saved(assignment.reviewer.venue, saved.draft))


def _saved(venue: Venue, draft: Draft) -> dict[str, object]:
    """What the script goes on with, and what it shows: times are those of the venue, as everywhere."""
    closed = not venue.takes_reviews
    text = ONLY_KEPT if closed else f"Draft saved {short_time(draft.saved_at, venue)}"
    saved_at = timezone.localtime(draft.saved_at).isoformat()
    return {"draft": draft.number, "saved_at": saved_at, "text": text, "closed": closed}
