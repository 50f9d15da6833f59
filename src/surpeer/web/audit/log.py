"""Writing the log: one function, and every action that there is."""

from enum import StrEnum

from surpeer.web.accounts.models import User
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Reviewer, Venue

JsonValue = str | int | float | bool | None


class Action(StrEnum):
    """What can be recorded; the value is what the log says."""

    SIGNED_IN = "signed in"
    JOINED = "joined"
    CREATED_VENUE = "created the venue"
    CHANGED_SETTINGS = "changed the settings"
    IMPORTED = "imported"
    ADDED = "added by hand"
    CHANGED = "changed by hand"
    REMOVED = "removed by hand"
    MADE_LINK = "made a personal link"
    INVITED = "invited"
    REMINDED = "reminded"
    REVOKED_LINKS = "revoked links"
    OPENED_LINK = "opened a personal link"
    SUBMITTED = "submitted a review"
    DECLINED = "declined a paper"
    TOOK_BACK = "took back that a paper was declined"
    CLOSED = "closed the round"
    REOPENED = "reopened the round"
    OPENED_RESULTS = "opened the results"
    SAW_RESULTS = "saw the results"
    SAW_PAPER = "saw the results of a paper"
    EXCLUDED = "excluded a review"
    LIFTED_EXCLUSION = "let an excluded review count again"
    EXPORTED = "exported"
    EXPORTED_PERSON = "exported personal data"
    ERASED_PERSON = "erased personal data"
    INVITED_MEMBER = "invited a chair or observer"
    REMOVED_MEMBER = "removed a chair or observer"
    MADE_TOKEN = "made a token for scripts"  # noqa: S105 - no password
    REVOKED_TOKEN = "revoked a token for scripts"  # noqa: S105


def record(
    actor: User | Reviewer | None,
    action: Action,
    venue: Venue | None = None,
    about: str = "",
    **details: JsonValue,
) -> None:
    """Add an entry: this person did this. `about` and `details` hold ids, numbers and values of settings,
    never names of people or what they wrote."""
    entry_of(actor, action, venue, about, **details).save(force_insert=True)


def entry_of(
    actor: User | Reviewer | None, action: Action, venue: Venue | None, about: str, **details: JsonValue
) -> Entry:
    """The entry that `record` adds, for whoever adds it with a statement of his own."""
    return Entry(
        venue=None if venue is None else venue.pk,
        user=actor.pk if isinstance(actor, User) else None,
        reviewer=actor.pk if isinstance(actor, Reviewer) else None,
        action=action.value,
        about=about,
        details=details,
    )
