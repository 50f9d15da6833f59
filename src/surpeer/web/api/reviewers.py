"""Reviewers of a venue."""

from datetime import datetime
from typing import Annotated, Literal

from django.db import transaction
from django.shortcuts import get_object_or_404
from ninja import Query, Router
from pydantic import BaseModel, Field

from surpeer.web.api import rights
from surpeer.web.api.answers import BODY, CHAIRS, CONFLICT, answers
from surpeer.web.api.counting import Counts, counted_part
from surpeer.web.api.fields import WITHOUT_NUL, Given, Pk, Slug, example
from surpeer.web.api.paging import Part, Window
from surpeer.web.api.row_import import AS_SENT, MOST_ROWS, Cell, ImportOut, RowsIn, import_table, read_table
from surpeer.web.api.tokens import ApiRequest, caller_of
from surpeer.web.audit.log import Action, record
from surpeer.web.venues import links
from surpeer.web.venues.import_columns import COLUMNS
from surpeer.web.venues.list_filters import REVIEWER_FILTERS, narrowed
from surpeer.web.venues.models import Reviewer

router = Router(tags=["reviewers"])


class ReviewerWindow(Window):
    """Which reviewers."""

    email: str | None = Field(
        default=None, max_length=254, pattern=WITHOUT_NUL, description="Only the one with this address."
    )
    show: Literal["late", "finished", "not-invited", "declined", "no-link"] | None = Field(
        default=None,
        description="Only those with reviews missing, who have finished, who have papers and were not invited, who "
        "declined a paper, or who had links of which none works any more.",
    )


class ReviewerOut(BaseModel):
    """A reviewer, and how far she is."""

    pk: int = Field(description="Her number on this server, for addresses.")
    name: str
    email: str
    invited_at: datetime | None
    invitation_filed: bool = Field(description="Whether the last invitation was put into a file instead of being sent.")
    reminded_at: datetime | None
    reminder_filed: bool = Field(description="The same of the last reminder.")
    erased_at: datetime | None = Field(description="When her personal data was erased.")
    reviews: Counts

    @classmethod
    def of(cls, one: Reviewer, counts: Counts) -> "ReviewerOut":
        return cls(
            pk=one.pk,
            name=one.name,
            email=one.email,
            invited_at=one.invited_at,
            invitation_filed=one.invitation_filed,
            reminded_at=one.reminded_at,
            reminder_filed=one.reminder_filed,
            erased_at=one.erased_at,
            reviews=counts,
        )


class ReviewerRow(Given):
    """A row of a table of reviewers."""

    email: Cell
    name: Cell = ""


class ReviewersIn(RowsIn):
    """Reviewers to import."""

    model_config = example(rows=[{"email": "ada@example.org", "name": "Ada Adams"}])

    rows: Annotated[list[Annotated[ReviewerRow, AS_SENT]], Field(min_length=1, max_length=MOST_ROWS)]


class RevokedOut(BaseModel):
    """Links that were taken back."""

    revoked: int


class ReviewerList(Part[ReviewerOut]):
    """Reviewers."""


@router.get("/venues/{slug:slug}/reviewers", response=answers(ReviewerList), summary="Reviewers")
def list_reviewers(request: ApiRequest, slug: Slug, window: Query[ReviewerWindow]) -> ReviewerList:
    """All reviewers by name, and how far each is."""
    venue = rights.to_read(request, slug)
    query = narrowed(venue.reviewers.all(), REVIEWER_FILTERS, venue, window.show)
    query = query if window.email is None else query.filter(email=window.email.strip().lower())
    return counted_part(ReviewerList, query, window, ReviewerOut.of)


@router.post(
    "/venues/{slug:slug}/reviewers/import",
    response=answers(ImportOut, *BODY, *CHAIRS, *CONFLICT),
    summary="Import reviewers",
)
def import_reviewers(request: ApiRequest, slug: Slug, given: ReviewersIn) -> ImportOut:
    """Add reviewers and change those that there are, by their addresses: all rows, or none if any has a problem."""
    venue = rights.to_change(request, slug)
    table, malformed = read_table(given.rows, ReviewerRow, COLUMNS["reviewers"])
    return import_table(venue, "reviewers", table, malformed, caller_of(request), dry_run=given.dry_run)


@router.post(
    "/venues/{slug:slug}/reviewers/{int:pk}/revoke-links",
    response=answers(RevokedOut, *CHAIRS),
    summary="Revoke the links of a reviewer",
)
def revoke_links(request: ApiRequest, slug: Slug, pk: Pk) -> RevokedOut:
    """Every personal link of hers is void at once, also in browsers that opened one."""
    venue = rights.to_change(request, slug)
    reviewer = get_object_or_404(venue.reviewers, pk=pk)
    with transaction.atomic():
        revoked = links.revoke(reviewer)
        record(caller_of(request), Action.REVOKED_LINKS, venue, about=f"reviewer {pk}", revoked=revoked)
    return RevokedOut(revoked=revoked)
