"""Reading the log: entries with the names of people and papers as they are called now."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from surpeer.web.accounts.models import Invitation, User
from surpeer.web.audit.log import Action
from surpeer.web.audit.models import Entry
from surpeer.web.audit.named_reviews import CODE, named_reviews
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from surpeer.web.venues.settings_log import change_in_words

NUMBERED = re.compile(r"(paper|reviewer|assignment|account|invitation) (\d{1,18})")
MEANT = {
    Action.INVITED: "reviewer",
    Action.REMINDED: "reviewer",
    Action.REMOVED_MEMBER: "account",
    Action.INVITED_MEMBER: "invitation",
    Action.JOINED: "invitation",
}
"""What the entry is about where it has no more than a number."""
PAPER, REVIEWER = "paper", "reviewer"
"""Details by which what was removed is called: the id of the paper, the number of the reviewer."""
UNSEEN = {"stamp", CODE, PAPER, REVIEWER}
"""Details that are for programs (which state of the reviews a result was made of) or stand there in other words."""
IN_WORDS = {"revoked": "links made void", "missing": "reviews missing", "offset": "papers before these"}
"""Details whose names alone say too little."""

Number = tuple[str, int]


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
    entries = [entry for entry, _ in named]
    names = _names(number for entry in entries for number in _numbers(entry))
    reviews = named_reviews(entries)
    return [Line(entry, who, _about(entry, names), _details(entry, reviews)) for entry, who in named]


def _who(entry: Entry, users: dict[int, User], reviewers: dict[int, Reviewer]) -> str:
    """The person as she is called now; after erasure by number."""
    if entry.user is not None:
        return str(users.get(entry.user, f"account {entry.user}"))
    if entry.reviewer is None:
        return "the server"
    return str(reviewers.get(entry.reviewer, f"reviewer {entry.reviewer}"))


def _numbers(entry: Entry) -> list[Number]:
    """Everything with a number that the entry names."""
    found, reviewer = _number(entry), entry.details.get(REVIEWER)
    return ([found] if found else []) + ([(REVIEWER, reviewer)] if isinstance(reviewer, int) else [])


def _number(entry: Entry) -> Number | None:
    """The kind and the number of what an entry is about; None where it is told otherwise, as by the id of a paper."""
    meant = {action.value: kind for action, kind in MEANT.items()}.get(entry.action)
    text = f"{meant} {entry.about}" if meant and entry.about.isdecimal() else entry.about
    found = NUMBERED.fullmatch(text)
    return (found[1], int(found[2])) if found else None


def _names(numbered: Iterable[Number]) -> dict[Number, str]:
    """What is there still, by kind and number."""
    numbers: dict[str, set[int]] = {}
    for kind, number in numbered:
        numbers.setdefault(kind, set()).add(number)
    assignments = Assignment.objects.select_related("paper", "reviewer").in_bulk(numbers.get("assignment", ()))
    papers = Paper.objects.only("key").in_bulk(numbers.get("paper", ()))
    reviewers = Reviewer.objects.in_bulk(numbers.get("reviewer", ()))
    users = User.objects.in_bulk(numbers.get("account", ()))
    invitations = Invitation.objects.in_bulk(numbers.get("invitation", ()))
    return {
        **{("assignment", pk): f"paper {one.paper.key} for {one.reviewer}" for pk, one in assignments.items()},
        **{("paper", pk): f"paper {one.key}" for pk, one in papers.items()},
        **{("reviewer", pk): str(one) for pk, one in reviewers.items()},
        **{("account", pk): str(one) for pk, one in users.items()},
        **{("invitation", pk): f"invitation of {one.email}" for pk, one in invitations.items() if one.email},
    }


def _about(entry: Entry, names: Mapping[Number, str]) -> str:
    found = _number(entry)
    if found is None:
        return entry.about
    return names.get(found) or _removed(entry, names) or f"{found[0]} {found[1]}"


def _removed(entry: Entry, names: Mapping[Number, str]) -> str:
    """What is gone, as far as the entry itself tells."""
    paper, reviewer = entry.details.get(PAPER), entry.details.get(REVIEWER)
    whose = "" if reviewer is None else f" for {names.get((REVIEWER, reviewer), f'reviewer {reviewer}')}"
    return "" if paper is None else f"paper {paper}{whose}"


def _details(entry: Entry, reviews: Mapping[tuple[int, str], str]) -> list[str]:
    """What stands beside it: "version 2", "new: 24", "the review of Ada"."""
    if entry.action == Action.SUBMITTED.value:
        return [f"version {entry.details.get('number', 1)}"]
    if entry.action == Action.CHANGED_SETTINGS.value:
        return change_in_words(entry.details)
    return [*_review(entry, reviews), *_others(entry)]


def _review(entry: Entry, reviews: Mapping[tuple[int, str], str]) -> list[str]:
    if CODE not in entry.details or entry.venue is None:
        return []
    whose = reviews.get((entry.venue, str(entry.details[CODE])))
    return ["a review that is not there any more" if whose is None else f"the review of {whose}"]


def _others(entry: Entry) -> list[str]:
    shown = {name: value for name, value in entry.details.items() if name not in UNSEEN}
    if entry.action == Action.MADE_LINK.value and not shown.get("revoked"):
        shown.pop("revoked", None)  # one more link, beside the others
    return [f"{IN_WORDS.get(name, name.replace('_', ' '))}: {value}" for name, value in shown.items()]
