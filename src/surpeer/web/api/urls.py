"""Addresses of the interface. What is no call, or no method of it, is refused in the shape of all refusals."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.csrf import csrf_exempt

from surpeer.web.api.interface import api
from surpeer.web.api.problems import said

NO_CALL = "There is no such call. All calls are described in /api/v1/openapi.json."


def _in_our_shape(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def answered(request: HttpRequest, **places: Any) -> HttpResponse:
        answer = view(request, **places)
        if not isinstance(answer, HttpResponseNotAllowed):
            return answer
        allowed = ", ".join(sorted(answer.headers["Allow"].split(", ")))
        refusal = said(405, f"Found {request.method}, expected {allowed}.")
        refusal.headers["Allow"] = allowed
        return refusal

    return answered


@csrf_exempt  # no cookie counts here
def no_call(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Everything else below this address."""
    return said(404, NO_CALL)


calls, app, namespace = api.urls
for call in calls:
    if isinstance(call, URLPattern):
        call.callback = no_call if call.name == "api-root" else _in_our_shape(call.callback)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", (calls, app, namespace)),
    path("<path:rest>", no_call, name="no_call"),
]
