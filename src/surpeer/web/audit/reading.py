"""Reading the log: entries with the names of people as they are called now."""

from collections.abc import Iterable

from surpeer.web.accounts.models import User
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Reviewer


def with_names(some: Iterable[Entry]) -> list[tuple[Entry, str]]:
    """Each entry and who it was."""
    entries = list(some)
    users = User.objects.in_bulk({entry.user for entry in entries if entry.user is not None})
    reviewers = Reviewer.objects.in_bulk({entry.reviewer for entry in entries if entry.reviewer is not None})
    return [(entry, _who(entry, users, reviewers)) for entry in entries]


def _who(entry: Entry, users: dict[int, User], reviewers: dict[int, Reviewer]) -> str:
    """The person as she is called now; after erasure by number."""
    if entry.user is not None:
        return str(users.get(entry.user, f"account {entry.user}"))
    if entry.reviewer is None:
        return "the server"
    return str(reviewers.get(entry.reviewer, f"reviewer {entry.reviewer}"))
