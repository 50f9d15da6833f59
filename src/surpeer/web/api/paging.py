"""Lists in parts: so many entries from a position on, and how many there are in all."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from pydantic import BaseModel, Field

from surpeer.web.api.fields import Asked

MOST_ON_A_PAGE = 500
ON_A_PAGE = 100
LAST_OFFSET = 10**9

Entry = TypeVar("Entry", bound=BaseModel)
Row = TypeVar("Row", bound=Model)
Whole = TypeVar("Whole", bound="Part[Any]")


class Window(Asked):
    """Which part of a list."""

    limit: int = Field(default=ON_A_PAGE, ge=1, le=MOST_ON_A_PAGE, description="How many entries at most.")
    offset: int = Field(default=0, ge=0, le=LAST_OFFSET, description="How many entries to leave out before them.")

    @property
    def part(self) -> slice:
        return slice(self.offset, self.offset + self.limit)


class Part(BaseModel, Generic[Entry]):
    """A part of a list."""

    count: int = Field(description="How many entries there are in all.")
    items: list[Entry]


def part_of(kind: type[Whole], query: QuerySet[Row], window: Window, shown: Callable[[Row], BaseModel]) -> Whole:
    """The part of a query that was asked for."""
    return kind(count=query.count(), items=[shown(row) for row in query[window.part]])
