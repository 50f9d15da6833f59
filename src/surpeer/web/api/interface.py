"""All calls together, with one way to authenticate and one shape of refusals."""

from typing import Any

from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import ValidationErrorContext

from surpeer import __version__
from surpeer.web.api import (
    assignments,
    exclusions,
    log_calls,
    mails,
    paper_result,
    papers,
    results,
    reviewers,
    reviews,
    round_calls,
    venues,
)
from surpeer.web.api.problems import HANDLERS, MalformedRequest
from surpeer.web.api.tokens import Token

DESCRIPTION = """What chairs and observers do on the pages, for their scripts.

Make a token on your account page and send it with every call: `Authorization: Bearer TOKEN`. A script may do what you
may do: chairs change, observers read, and to everybody else a venue does not exist (404). Nobody sees a rating before a
chair has opened the results (409).

Lists come in parts: `limit` and `offset` in, `count` and `items` out. A refusal lists everything that is wrong and has
changed nothing. Times are in ISO 8601 with an offset."""
PARTS = (
    venues,
    round_calls,
    papers,
    reviewers,
    assignments,
    mails,
    results,
    paper_result,
    reviews,
    exclusions,
    log_calls,
)


class Interface(NinjaAPI):
    """Django Ninja's, with refusals in our shape."""

    def validation_error_from_error_contexts(self, error_contexts: list[ValidationErrorContext[Any]]) -> Any:
        """What does not fit the description, all of it."""
        return MalformedRequest(
            {**error, "loc": (context.model.__ninja_param_source__, *_place(context.model, error["loc"]))}
            for context in error_contexts
            for error in context.pydantic_validation_error.errors(include_url=False)
        )

    def get_openapi_operation_id(self, operation: Any) -> str:
        """The name of the function, which is what it does."""
        return str(operation.view_func.__name__)


def _place(model: Any, place: tuple[Any, ...]) -> tuple[Any, ...]:
    """Where in the query or the address something is, without the names of our own arguments."""
    known: tuple[Any, ...] = model.__ninja_flatten_map_reverse__.get(place, place)
    return known


def make() -> Interface:
    """The interface with all its calls."""
    made = Interface(
        title="surpeer",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        docs_decorator=require_safe,
        urls_namespace="api",
        auth=Token(),
    )
    for kind, handler in HANDLERS.items():
        made.add_exception_handler(kind, handler)
    for part in PARTS:
        made.add_router("", part.router)
    return made


api = make()
