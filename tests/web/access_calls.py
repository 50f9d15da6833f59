"""How each operation of the API is called, by the description of the API."""

import json
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from django.http import HttpResponse
from django.test import Client

from surpeer.web.results.pseudonyms import review_code
from web.access_world import World

DESCRIPTION = "/api/v1/openapi.json"
DEADLINE = {"deadline": "2099-01-01T12:00:00+00:00"}
BODIES: dict[str, Callable[[World], Any]] = {
    "create_venue": lambda world: {"name": "New", "levels": [{"label": "no"}, {"label": "yes"}], **DEADLINE},
    "change_venue": lambda world: {"instructions": "Mind the appendix."},
    "reopen_round": lambda world: DEADLINE,
    "import_papers": lambda world: {"rows": [{"id": "N1", "title": "New"}]},
    "import_reviewers": lambda world: {"rows": [{"email": "new@example.org", "name": "New"}]},
    "import_assignments": lambda world: {"rows": [{"paper": "P1", "reviewer": "reviewer0-workshop@example.org"}]},
    "send_invitations": lambda world: {},
    "send_reminders": lambda world: {},
    "exclude_review": lambda world: {"reason": "about another paper"},
}


@cache
def operations() -> dict[str, tuple[str, str]]:
    """Method and path of every operation, by its id; none where there is no API."""
    if find_spec("surpeer.web.api") is None:
        return {}
    paths = Client().get(DESCRIPTION).json()["paths"]
    return {one["operationId"]: (method.upper(), path) for path in paths for method, one in paths[path].items()}


def call(world: World, name: str, role: str, **other: Any) -> HttpResponse:
    """Ask for it with the token of this role, or with its session where it has none."""
    method, path = operations()[name]
    code = world.people.assignments[0].pk if name == "lift_exclusion" else world.objects["their assignment"]
    pk = world.people.second_reviewer.pk if "/reviewers/" in path else world.people.papers[0].pk
    parts = {"slug": world.people.venue.slug, "pk": pk, "code": review_code(code), **other}
    token = {"HTTP_AUTHORIZATION": f"Bearer {world.tokens[role]}"} if role in world.tokens else {}
    body = json.dumps(BODIES[name](world)) if name in BODIES else ""
    browser = Client() if token else world.browser(role)
    return browser.generic(method, path.format(**parts), body, "application/json", **token)  # type: ignore[return-value]
