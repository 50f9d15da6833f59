"""Reading the log: entries with the names of people and papers as they are called now."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Assignment, Paper, Reviewer

NUMBERED = re.compile(r"(paper|reviewer|assignment|account) (\d{1,18})")
MEANT = {Action.INVITED: "reviewer", Action.REMINDED: "reviewer", Action.REMOVED_MEMBER: "account"}
"""What the entry is about where it has no more than a number."""
UNSEEN = {"stamp"}
"""Details that are for programs: which state of the reviews a result was made of."""


@dataclass(frozen=True)
class Line:
    """An entry as people read it."""

    entry: Entry
    who: str
    about: str
    details: list[str]


def with_names(some: Iterable[Entry]) -> list[tuple[Entry, str]]:
    """Each entry and who it was."""
    entries = list(some)
    users = User.objects.in_bulk({entry.user for entry in entries if entry.user is not None})
    reviewers = Reviewer.objects.in_bulk({entry.reviewer for entry in entries if entry.reviewer is not None})
    return [(entry, _who(entry, users, reviewers)) for entry in entries]


def in_words(some: Iterable[Entry]) -> list[Line]:
    """Each entry with who it was and what it is about, in a fixed number of queries."""
    named = with_names(some)
    numbered = [found for entry, _ in named if (found := _number(entry))]
    names = _names(numbered)
    return [Line(entry, who, _about(entry, names), _details(entry)) for entry, who in named]


def _who(entry: Entry, users: dict[int, User], reviewers: dict[int, Reviewer]) -> str:
    """The person as she is called now; after erasure by number."""
    if entry.user is not None:
        return str(users.get(entry.user, f"account {entry.user}"))
    if entry.reviewer is None:
        return "the server"
    return str(reviewers.get(entry.reviewer, f"reviewer {entry.reviewer}"))


def _number(entry: Entry) -> tuple[str, int] | None:
    """The kind and the number of what an entry is about; None where it is told otherwise, as by the id of a paper."""
    meant = {action.value: kind for action, kind in MEANT.items()}.get(entry.action)
    text = f"{meant} {entry.about}" if meant and entry.about.isdecimal() else entry.about
    found = NUMBERED.fullmatch(text)
    return (found[1], int(found[2])) if found else None


def _names(numbered: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """What is there still, by kind and number."""
    numbers: dict[str, set[int]] = {}
    for kind, number in numbered:
        numbers.setdefault(kind, set()).add(number)
    assignments = Assignment.objects.select_related("paper", "reviewer").in_bulk(numbers.get("assignment", ()))
    papers = Paper.objects.only("key").in_bulk(numbers.get("paper", ()))
    reviewers = Reviewer.objects.in_bulk(numbers.get("reviewer", ()))
    users = User.objects.in_bulk(numbers.get("account", ()))
    return {
        **{("assignment", pk): f"paper {one.paper.key} for {one.reviewer}" for pk, one in assignments.items()},
        **{("paper", pk): f"paper {one.key}" for pk, one in papers.items()},
        **{("reviewer", pk): str(one) for pk, one in reviewers.items()},
        **{("account", pk): str(one) for pk, one in users.items()},
    }


def _about(entry: Entry, names: dict[tuple[str, int], str]) -> str:
    found = _number(entry)
    return entry.about if found is None else names.get(found, f"{found[0]} {found[1]}")


def _details(entry: Entry) -> list[str]:
    """The numbers beside it: "version 2", "new: 24"."""
    if entry.action == Action.SUBMITTED.value:
        return [f"version {entry.details.get('number', 1)}"]
    return [f"{name}: {value}" for name, value in entry.details.items() if name not in UNSEEN]
