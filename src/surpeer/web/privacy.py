"""Headers of every answer: what a page may load, and that nobody on the way keeps pages about people's judgements."""

from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse


class PrivacyMiddleware:
    """No answer of the application is stored unless its view says otherwise; static files are answered before.

    The policy of what pages may load is the same for all but a few, whose views set their own: it is written once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, self.policy)
        response.headers.setdefault("Cache-Control", "no-store, private")
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response
