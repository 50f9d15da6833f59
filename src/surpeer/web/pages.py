"""Pages that belong to no app: the way in, and errors."""

from typing import cast

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from surpeer.web.came_by_link import reviewer_of
from surpeer.web.request import WebRequest


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Where everybody belongs: chairs at their venues, reviewers at their papers, others at the door."""
    known = cast(WebRequest, request)
    if known.user.is_authenticated:
        return redirect("venues")
    if reviewer_of(known.session) is not None:
        return redirect("my_papers")
    return render(request, "home.html")


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """For whatever watches the server: it answers, and so does its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that was not ours, or came too late."""
    return render(request, "error_form_expired.html", status=403)
