"""Who came by a personal link."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from surpeer.web.venues.models import Reviewer

LINK = "personal_link"
"""Where the session keeps the link that was opened; the link itself says, at every request, whether it still counts."""


class ReviewerMiddleware:
    """Sets `request.reviewer`: None where nobody came by a link that still counts."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.reviewer = reviewer_of(request)  # type: ignore[attr-defined]
        return self.get_response(request)


def reviewer_of(request: HttpRequest) -> Reviewer | None:
    """The reviewer whose link this browser opened, unless it has expired or was revoked since."""
    link = request.session.get(LINK)
    if link is None:
        return None
    open_links = {"links__pk": link, "links__revoked_at": None, "links__expires_at__gt": timezone.now()}
    return Reviewer.objects.select_related("venue").filter(erased_at=None, **open_links).first()
