"""Papers of a venue."""

from typing import Annotated, Literal

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
from surpeer.web.venues.import_columns import COLUMNS
from surpeer.web.venues.list_filters import PAPER_FILTERS, narrowed
from surpeer.web.venues.models import Paper

router = Router(tags=["papers"])


class PaperWindow(Window):
    """Which papers."""

    id: str | None = Field(
        default=None, max_length=200, pattern=WITHOUT_NUL, description="Only the paper with this id."
    )
    show: Literal["none", "missing", "few", "complete"] | None = Field(
        default=None,
        description="Only papers without a review, with reviews missing, with fewer reviewers than most, or complete.",
    )


class PaperOut(BaseModel):
    """A paper, without its abstract."""

    pk: int = Field(description="Its number on this server, for addresses.")
    id: str = Field(description="The chair's own id.")
    title: str
    authors: str
    track: str
    url: str
    reviews: Counts

    @classmethod
    def of(cls, paper: Paper, counts: Counts) -> "PaperOut":
        return cls(
            pk=paper.pk,
            id=paper.key,
            title=paper.title,
            authors=paper.authors,
            track=paper.track,
            url=paper.url,
            reviews=counts,
        )


class WholePaper(PaperOut):
    """A paper with its abstract."""

    abstract: str


class PaperRow(Given):
    """A row of a table of papers; the limits of each column are those of files."""

    id: Cell
    title: Cell = ""
    authors: Cell = ""
    track: Cell = ""
    url: Cell = ""
    abstract: Cell = ""


class PapersIn(RowsIn):
    """Papers to import."""

    model_config = example(rows=[{"id": "P7", "title": "On fair reviews", "track": "Theory"}])

    rows: Annotated[list[Annotated[PaperRow, AS_SENT]], Field(min_length=1, max_length=MOST_ROWS)]


class PaperList(Part[PaperOut]):
    """Papers."""


@router.get("/venues/{slug:slug}/papers", response=answers(PaperList), summary="Papers")
def list_papers(request: ApiRequest, slug: Slug, window: Query[PaperWindow]) -> PaperList:
    """All papers in the order of their ids, and how many reviews of each are in."""
    venue = rights.to_read(request, slug)
    query = narrowed(venue.papers.all(), PAPER_FILTERS, venue, window.show).defer("abstract")
    query = query if window.id is None else query.filter(key=window.id)
    return counted_part(PaperList, query, window, PaperOut.of)


@router.get("/venues/{slug:slug}/papers/{int:pk}", response=answers(WholePaper), summary="One paper")
def read_paper(request: ApiRequest, slug: Slug, pk: Pk) -> WholePaper:
    """One paper with its abstract."""
    paper = get_object_or_404(rights.to_read(request, slug).papers, pk=pk)
    return WholePaper(**PaperOut.of(paper, Counts.of(paper)).model_dump(), abstract=paper.abstract)


@router.post(
    "/venues/{slug:slug}/papers/import",
    response=answers(ImportOut, *BODY, *CHAIRS, *CONFLICT),
    summary="Import papers",
)
def import_papers(request: ApiRequest, slug: Slug, given: PapersIn) -> ImportOut:
    """Add papers and change those that there are, by their ids: all rows, or none if any has a problem."""
    venue = rights.to_change(request, slug)
    table, malformed = read_table(given.rows, PaperRow, COLUMNS["papers"])
    return import_table(venue, "papers", table, malformed, caller_of(request), dry_run=given.dry_run)
