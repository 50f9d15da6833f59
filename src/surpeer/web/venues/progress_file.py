"""Who has reviewed what, as a file to take away while the round goes on. Never a rating, nor when a review came."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

import polars as pl
from django.http import HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from surpeer.io.formulas import without_formulas
from surpeer.web.access import for_readers
from surpeer.web.audit.log import Action, record
from surpeer.web.request import WebRequest
from surpeer.web.venues.models import Assignment, Venue
from surpeer.web.venues.progress import assignments_of

NAME = "progress.csv"
AT_A_TIME = 1000
COLUMNS = (
    "paper",
    "title",
    "track",
    "reviewer_name",
    "reviewer_email",
    "invited_at",
    "reminded_at",
    "state",
    "declined_because",
)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # without it Excel on Windows shows other letters where accents are


@require_safe
@for_readers
def progress_file(request: WebRequest, venue: Venue) -> HttpResponseBase:
    """One row for each paper and reviewer; written into the log."""
    response = StreamingHttpResponse(progress_csv(venue), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{venue.slug}-{NAME}"'
    if request.method == "GET":
        record(request.user, Action.EXPORTED, venue, about=NAME)
    return response


def progress_csv(venue: Venue) -> Iterator[bytes]:
    """The file in parts; a text that a spreadsheet program would run as a formula has an apostrophe before it."""
    found = assignments_of(venue).select_related("paper", "reviewer").defer("paper__abstract")
    yield BYTE_ORDER_MARK + (",".join(COLUMNS) + "\n").encode()
    rows = (_cells(one, is_done=one.is_done) for one in found.order_by("paper__key", "pk").iterator(AT_A_TIME))
    while part := list(islice(rows, AT_A_TIME)):
        table = pl.DataFrame(part, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")
        yield without_formulas(table).write_csv(include_header=False).encode()


def _cells(one: Assignment, *, is_done: bool) -> tuple[str | None, ...]:
    paper, reviewer = one.paper, one.reviewer
    state = "declined" if one.declined_at is not None else "in" if is_done else "missing"
    name = str(reviewer) if reviewer.erased_at is not None else reviewer.name
    times = (_time(reviewer.invited_at), _time(reviewer.reminded_at))
    cells = (paper.key, paper.title, paper.track, name, reviewer.email, *times, state, one.declined_because)
    return tuple(text or None for text in cells)  # polars writes "" otherwise


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")
