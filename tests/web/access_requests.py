"""How each address of the matrix is asked for: its parts, and a form that somebody who may send it sends."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from surpeer.web.results.pictures import OF_A_PAPER
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.venues.importing import READERS
from web.access_world import PICTURE, World

Parts = dict[str, Any]
NEW_PASSWORD = "entirely new words"
VENUE_FORM = {
    "name": "New", "prediction_form": "imagined", "imagined": "20", "blindness": "double",
    "deadline": "2099-01-01T12:00", "time_zone": "UTC", "accept": "25%", "instructions": "",
    "level_label": ["reject", "accept"], "level_value": ["0", "1"],
}  # fmt: skip


@cache
def named_addresses() -> dict[str, URLPattern]:
    """Every address of the project by its name, those of the API left out: they are walked by its description."""
    found: dict[str, URLPattern] = {}
    for pattern in _below(get_resolver()):
        assert pattern.name, f"{pattern} has no name"
        assert pattern.name not in found, f"two addresses are called {pattern.name}"
        found[pattern.name] = pattern
    return found


def _below(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern
        elif pattern.app_name != "ninja":
            yield from _below(pattern)


def address(world: World, name: str, /, **other: Any) -> str:
    """The address of this name in this world; `other` replaces some of its parts."""
    pattern = named_addresses()[name].pattern
    parts = PARTS.get(name, _usual)(world)
    wanted = {part: {**_usual(world), **parts, **other}[part] for part in pattern.converters}
    return reverse(name, kwargs=wanted)


def form(world: World, name: str) -> Parts:
    """What is sent to this address by POST."""
    return FORMS[name](world) if name in FORMS else {}


def _usual(world: World) -> Parts:
    people = world.people
    return {"slug": people.venue.slug, "assignment": people.assignments[0].pk, "pk": None}


def _pk(find: Callable[[World], int]) -> Callable[[World], Parts]:
    return lambda world: {"pk": find(world)}


_paper = _pk(lambda world: world.people.papers[0].pk)
_reviewer = _pk(lambda world: world.people.second_reviewer.pk)


def _review(world: World) -> Parts:
    return {**_paper(world), "code": review_code(world.objects["their assignment"])}


def _own_excluded_review(world: World) -> Parts:
    return {**_paper(world), "code": review_code(world.people.assignments[0].pk)}


PARTS: dict[str, Callable[[World], Parts]] = {
    "no_call": lambda world: {"rest": "venues/workshop/nothing"},
    "join": lambda world: {"token": world.secrets["invitation"]},
    "personal_link": lambda world: {"token": world.secrets["link"]},
    "password_reset_confirm": lambda world: {"uidb64": world.secrets["uid"], "token": world.secrets["reset"]},
    "revoke_token": _pk(lambda world: world.objects["token"]),
    "remove_member": _pk(lambda world: world.objects["membership"]),
    "withdraw_invitation": _pk(lambda world: world.objects["invitation"]),
    "import": lambda world: {"kind": next(iter(READERS))},
    "import_preview": _pk(lambda world: world.objects["upload"]),
    "import_confirm": _pk(lambda world: world.objects["upload"]),
    **dict.fromkeys(("paper", "edit_paper", "remove_paper", "assign_reviewer", "paper_result"), _paper),
    "unassign": _pk(lambda world: world.objects["their assignment"]),
    "result_picture": lambda world: {"name": PICTURE},
    "paper_chart": lambda world: {**_paper(world), "chart": OF_A_PAPER[0], "theme": "light"},
    "exclude_review": _review,
    "lift_exclusion": _own_excluded_review,
    "download": lambda world: {"name": "versions.csv"},
    **dict.fromkeys(
        (
            "reviewer", "edit_reviewer", "remove_reviewer", "assign_paper", "invite_one", "remind_one", "make_link",
            "replace_links", "revoke_links", "export_person", "erase_person",
        ),
        _reviewer,
    ),
}  # fmt: skip

FORMS: dict[str, Callable[[World], Parts]] = {
    "login": lambda world: {"username": "observer@example.org", "password": "wrong"},
    "join": lambda world: {
        "name": "Zoe", "email": "zoe@example.org", "password": NEW_PASSWORD, "again": NEW_PASSWORD
    },
    "account": lambda world: {"name": "Another Name"},
    "new_token": lambda world: {"name": "script", "days": "30"},
    "password_reset": lambda world: {"email": "observer@example.org"},
    "invite_member": lambda world: {"email": "zoe@example.org", "role": "observer"},
    "new_venue": lambda world: VENUE_FORM,
    "venue_settings": lambda world: VENUE_FORM,
    "import": lambda world: {"file": SimpleUploadedFile("papers.csv", b"id,title\nN1,New one\n")},
    "reopen_round": lambda world: {"deadline": "2099-01-01T12:00", "time_zone": "UTC"},
    "new_paper": lambda world: {"key": "N1", "title": "New"},
    "edit_paper": lambda world: {"key": "P1", "title": "Changed"},
    "new_reviewer": lambda world: {"name": "Zoe", "email": "zoe@example.org"},
    "edit_reviewer": lambda world: {"name": "Zoe", "email": "zoe@example.org"},
    "assign_paper": lambda world: {"paper": "S000"},
    "assign_reviewer": lambda world: {"reviewer": "reviewer0-workshop@example.org"},
    "review": lambda world: {
        "key": str(uuid4()), "based_on": "1", "draft": "0", "rating": "1", "number_0": "5", "number_1": "15"
    },
    "save_draft": lambda world: {"key": str(uuid4()), "based_on": "1", "rating": "1"},
    "decline": lambda world: {"declined_because": "no time"},
    "exclude_review": lambda world: {"reason": "about another paper"},
}  # fmt: skip

FOREIGN: dict[str, str] = {
    "remove_member": "membership",
    "withdraw_invitation": "invitation",
    "import_preview": "upload",
    "import_confirm": "upload",
    "unassign": "assignment",
    **{name: "paper" for name, parts in PARTS.items() if parts is _paper},
    **{name: "reviewer" for name, parts in PARTS.items() if parts is _reviewer},
    **dict.fromkeys(("paper_chart", "exclude_review", "lift_exclusion"), "paper"),
}
"""Of addresses with a number in a venue: what of the other venue is asked for under the name of this one."""
