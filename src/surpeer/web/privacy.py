"""Pages about people's judgements are kept by nobody on the way: no browser cache, no proxy."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class PrivacyMiddleware:
    """No answer of the application is stored unless its view says otherwise; static files are answered before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store, private")
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response
