"""Who is asked to review what, and who has."""

from datetime import datetime
from typing import Annotated

from ninja import Query, Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, answers
from surpeer.web.api.fields import MOST_PK, Given, Slug, example
from surpeer.web.api.paging import Part, Window
from surpeer.web.api.row_import import AS_SENT, MOST_ROWS, Cell, ImportOut, RowsIn, import_table, read_table
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.venues.import_columns import COLUMNS
from surpeer.web.venues.models import Assignment
from surpeer.web.venues.progress import assignments_of

router = Router(tags=["assignments"])


class AssignmentWindow(Window):
    """Which assignments."""

    paper: int | None = Field(default=None, ge=1, le=MOST_PK, description="Only those of the paper with this `pk`.")
    reviewer: int | None = Field(
        default=None, ge=1, le=MOST_PK, description="Only those of the reviewer with this `pk`."
    )
    done: bool | None = Field(
        default=None, description="Only those whose review is in, or only those whose review is not."
    )


class AssignmentOut(BaseModel):
    """A reviewer is asked to rate a paper."""

    paper: str = Field(description="The id of the paper.")
    paper_pk: int
    reviewer: str = Field(description="The reviewer's name, or else her address.")
    reviewer_pk: int
    done: bool = Field(description="Whether a review was submitted. What it says is in the results, once open.")
    declined_at: datetime | None
    declined_because: str


class AssignmentRow(Given):
    """A row of a table of assignments: the id of a paper, and a reviewer by her address or name."""

    paper: Cell
    reviewer: Cell


class AssignmentsIn(RowsIn):
    """Assignments to import."""

    model_config = example(rows=[{"paper": "P1", "reviewer": "ada@example.org"}])

    rows: Annotated[list[Annotated[AssignmentRow, AS_SENT]], Field(min_length=1, max_length=MOST_ROWS)]


class AssignmentList(Part[AssignmentOut]):
    """Assignments."""


@router.get("/venues/{slug:slug}/assignments", response=answers(AssignmentList), summary="Assignments")
def list_assignments(request: ApiRequest, slug: Slug, window: Query[AssignmentWindow]) -> AssignmentList:
    """Who is asked to review what, and who has."""
    found = assignments_of(rights.to_read(request, slug))
    for name, value in (("paper", window.paper), ("reviewer", window.reviewer), ("is_done", window.done)):
        found = found if value is None else found.filter(**{name: value})
    rows = found.select_related("paper", "reviewer").defer("paper__abstract").order_by("paper__key", "pk")
    items = [_shown(row, is_done=row.is_done) for row in rows[window.part]]
    return AssignmentList(count=found.count(), items=items)


def _shown(one: Assignment, *, is_done: bool) -> AssignmentOut:
    return AssignmentOut(
        paper=one.paper.key,
        paper_pk=one.paper_id,
        reviewer=str(one.reviewer),
        reviewer_pk=one.reviewer_id,
        done=is_done,
        declined_at=one.declined_at,
        declined_because=one.declined_because,
    )


@router.post(
    "/venues/{slug:slug}/assignments/import",
    response=answers(ImportOut, *BODY, *CHAIRS, *CONFLICT),
    summary="Import assignments",
)
def import_assignments(request: ApiRequest, slug: Slug, given: AssignmentsIn) -> ImportOut:
    """Add assignments of papers and reviewers that the venue has: all rows, or none if any has a problem."""
    venue = rights.to_change(request, slug)
    table, malformed = read_table(given.rows, AssignmentRow, COLUMNS["assignments"])
    return import_table(venue, "assignments", table, malformed, caller_of(request), dry_run=given.dry_run)
