"""Every error that a call can end with -> one JSON shape."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import IntegrityError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja.errors import AuthenticationError, HttpError

from surpeer.errors import printable
from surpeer.web.accounts.limits import WITHIN
from surpeer.web.api.answers import ProblemOut, Problems

MOST = 1000
"""Problems in one answer."""
BRING_ONE = (
    "A token is needed, in the header “Authorization: Bearer TOKEN”. Make one on your account page; tokens expire and "
    "can be revoked."
)
NO_JSON = "The body could not be read. Expected JSON (UTF-8)."
TOO_LARGE = "The body is too large. Send it in several parts."
TOO_MANY = f"Too many wrong tokens came from this network address. Wait {WITHIN.seconds // 60} minutes."
AT_ONCE = "Something else changed the same thing at the same moment, so nothing was written. Try again."


class Refusal(Exception):
    """A call that is refused, and why."""

    def __init__(self, status: int, *problems: ProblemOut | str) -> None:
        self.status = status
        self.problems = [ProblemOut(message=one) if isinstance(one, str) else one for one in problems]
        super().__init__(status, problems)


class MalformedRequest(Exception):
    """Parameters or a body that do not fit the description; `errors` are pydantic's."""

    def __init__(self, errors: Iterable[Mapping[str, Any]]) -> None:
        self.problems = [malformed(error) for error in errors]
        super().__init__(self.problems)


def refused(status: int, problems: list[ProblemOut]) -> HttpResponse:
    """The answer."""
    shown = problems[:MOST]
    if len(problems) > MOST:
        shown.append(ProblemOut(message=f"... and {len(problems) - MOST:,} more"))
    return JsonResponse(Problems(problems=shown).model_dump(), status=status)


def said(status: int, sentence: str) -> HttpResponse:
    """The answer where there is one sentence to say."""
    return refused(status, [ProblemOut(message=sentence)])


def of_form(form: BaseForm) -> list[ProblemOut]:
    """What a form found wrong, field by field."""
    return [
        ProblemOut(message=str(message), where=None if field == "__all__" else field)
        for field, messages in form.errors.items()
        for message in messages
    ]


def malformed(error: Mapping[str, Any]) -> ProblemOut:
    """What one of pydantic's errors says, in our words; its place begins with the part of the request."""
    place, *path = [str(part) for part in error["loc"]]
    where = f"{place}: {'.'.join(path[1:] if place == 'body' else path)}".removesuffix(": ")
    remedy = ""
    if error["type"] == "missing":
        found, expected, remedy = "nothing", "a value", "add it"
    elif error["type"] == "extra_forbidden":
        found, expected, remedy = "a field that is not known", "no such field", "remove it, or correct its name"
    elif error["type"] == "unknown_parameter":
        where, found, expected, remedy = place, error["ctx"]["unknown"], error["msg"], "correct the name"
    else:
        found, expected = _shown(error["input"]), _expected(error)
    sentence = f"{where}: found {found}, expected {expected}" + (f"; {remedy}" if remedy else "")
    return ProblemOut(message=sentence, where=where, found=found, expected=expected, remedy=remedy or None)


def _shown(value: Any) -> str:
    """As it was sent, cut where it is long."""
    text = printable(json.dumps(value, ensure_ascii=False, default=str))
    return f"{text[:60]}..." if len(text) > 63 else text


EXPECTED = {
    "string_too_short": "text of {min_length} or more characters",
    "string_too_long": "text of at most {max_length} characters",
    "string_pattern_mismatch": "text that fits {pattern}",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
    "greater_than_equal": "a number that is at least {ge}",
    "less_than_equal": "a number that is at most {le}",
    "literal_error": "{expected}",
    "enum": "{expected}",
}
"""By pydantic's names for what can be wrong; anything else in pydantic's words."""


def _expected(error: Mapping[str, Any]) -> str:
    if error["type"] in EXPECTED:
        return EXPECTED[error["type"]].format(**error["ctx"])
    message: str = error["msg"].removeprefix("Input should be ")
    return message[:1].lower() + message[1:]


def _on_refusal(request: HttpRequest, error: Refusal) -> HttpResponse:
    response = refused(error.status, error.problems)
    if error.status == 429:
        response.headers["Retry-After"] = str(WITHIN.seconds)
    return response


def _on_malformed(request: HttpRequest, error: MalformedRequest) -> HttpResponse:
    return refused(422, error.problems)


def _on_missing(request: HttpRequest, error: Http404) -> HttpResponse:
    own = error.args[0] if error.args and isinstance(error.args[0], str) else ""
    return said(404, own if own and "matches the given query" not in own else "There is no such thing here.")


def _on_denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return said(403, str(error))


def _on_too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return said(413, TOO_LARGE)


def _on_clash(request: HttpRequest, error: IntegrityError) -> HttpResponse:
    return said(409, AT_ONCE)


def _on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What django-ninja raises itself: no token (or a void one), and a body that is no JSON."""
    if isinstance(error, AuthenticationError):
        response = said(401, BRING_ONE)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    return said(error.status_code, NO_JSON if error.status_code == 400 else str(error))


HANDLERS: dict[type[Exception], Any] = {
    Refusal: _on_refusal,
    MalformedRequest: _on_malformed,
    Http404: _on_missing,
    PermissionDenied: _on_denied,
    RequestDataTooBig: _on_too_large,
    IntegrityError: _on_clash,
    HttpError: _on_http_error,
}
