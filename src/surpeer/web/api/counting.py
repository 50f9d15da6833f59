"""Lists of papers and reviewers with how many reviews were asked for and are in: only those listed are counted."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from pydantic import BaseModel, Field

from surpeer.web.api.paging import Whole, Window
from surpeer.web.venues.models import Paper, Reviewer
from surpeer.web.venues.progress import Counted, with_counts


class Counts(BaseModel):
    """Reviews that were asked for."""

    assigned: int = Field(description="Without those that were declined.")
    done: int
    declined: int

    @classmethod
    def of(cls, one: Paper | Reviewer) -> "Counts":
        """Of a single paper or reviewer."""
        return counts_of(type(one)._default_manager.filter(pk=one.pk))[one.pk]


def counts_of(query: QuerySet[Any]) -> dict[int, Counts]:
    """By key."""
    rows = with_counts(query).values_list("pk", "assigned", "done", "declined")
    return {pk: Counts(assigned=assigned, done=done, declined=declined) for pk, assigned, done, declined in rows}


def counted_part(
    kind: type[Whole], query: QuerySet[Counted], window: Window, shown: Callable[[Counted, Counts], BaseModel]
) -> Whole:
    """The part of a query that was asked for, each row with its counts."""
    rows = list(query[window.part])
    counts = counts_of(query.model._default_manager.filter(pk__in=[row.pk for row in rows]))
    return kind(count=query.count(), items=[shown(row, counts[row.pk]) for row in rows if row.pk in counts])
