"""Who saw, changed or exported what."""

from datetime import datetime

from ninja import Query, Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import answers
from surpeer.web.api.fields import Slug
from surpeer.web.api.paging import Part, Window
from surpeer.web.api.tokens import ApiRequest
from surpeer.web.audit.models import Entry
from surpeer.web.audit.reading import with_names

router = Router(tags=["log"])


class EntryOut(BaseModel):
    """Somebody did something."""

    at: datetime
    who: str = Field(description="As she is called now; by number once her data was erased.")
    user: int | None
    reviewer: int | None
    action: str
    about: str
    details: dict[str, str | int | float | bool | None]


class EntryList(Part[EntryOut]):
    """Entries of the log."""


@router.get("/venues/{slug:slug}/log", response=answers(EntryList), summary="Log")
def list_log(request: ApiRequest, slug: Slug, window: Query[Window]) -> EntryList:
    """The log of the venue, the latest entry first. Entries are only ever added."""
    entries = Entry.objects.filter(venue=rights.to_read(request, slug).pk)
    items = [_shown(entry, who) for entry, who in with_names(entries[window.part])]
    return EntryList(count=entries.count(), items=items)


def _shown(entry: Entry, who: str) -> EntryOut:
    return EntryOut(
        at=entry.at,
        who=who,
        user=entry.user,
        reviewer=entry.reviewer,
        action=entry.action,
        about=entry.about,
        details=entry.details,
    )
