"""Coming by a personal link, and signing out."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from surpeer.web.access import for_reviewers
from surpeer.web.accounts import limits
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.venues.links import find_link
from surpeer.web.venues.models import PersonalLink, Reviewer
from surpeer.web.visits.store import LINK

WHAT = "link"


@require_safe
def personal_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let a reviewer in and move the secret out of the address bar. The link stays good until it expires, so that a
    robot that looks at it first (mail programs do) takes nothing away from her."""
    response = _answer(request, token)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _answer(request: HttpRequest, token: str) -> HttpResponse:
    if request.method == "HEAD":  # robots ask this way; it says nothing and changes nothing
        return HttpResponse()
    if limits.too_many(WHAT, request):
        return limits.wait_page(request)
    link = find_link(token)
    if link is None or not link.is_open or link.reviewer.erased_at is not None:
        limits.wrong(WHAT, request)
        return render(request, "reviews/link_void.html", status=404)
    _let_in(request, link)
    return redirect("my_papers")


def _let_in(request: HttpRequest, link: PersonalLink) -> None:
    """A new session key, so that nobody who knew the old one comes in with her."""
    if request.session.session_key is not None:
        request.session.cycle_key()
    request.session[LINK] = link.pk
    with transaction.atomic():
        PersonalLink.objects.filter(pk=link.pk).update(used_at=timezone.now())
        record(link.reviewer, Action.OPENED_LINK, link.reviewer.venue)


@require_POST
@for_reviewers
def leave(request: WebRequest, reviewer: Reviewer) -> HttpResponseBase:
    """End the reviewer's part of the session; somebody who is also signed in as a chair stays signed in."""
    del request.session[LINK]
    if request.user.is_authenticated:
        request.session.cycle_key()
    else:
        request.session.flush()
    messages.success(request, "You are signed out. To come back, open your personal link again.")
    return redirect("home")
