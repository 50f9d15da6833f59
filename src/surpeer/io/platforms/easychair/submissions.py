"""What EasyChair's sheet of submissions says of papers: which were withdrawn, and in which track they are."""

from dataclasses import dataclass

from surpeer.io.content import Content
from surpeer.io.platforms.header_rows import Header, find_header, read_below
from surpeer.io.platforms.sheet_columns import Columns
from surpeer.io.review_form.names import folded

NUMBER, TITLE, DECISION, DELETED, TRACK = "#", "title", "decision", "deleted?", "track name"
OUT = ("withdrawn", "withdraw", "desk reject", "desk rejected", "desk-reject", "desk-rejected")


@dataclass(frozen=True, slots=True)
class Submissions:
    """What is known of papers; nothing, if the file has no submissions."""

    out: frozenset[str]
    track_of: dict[str, str]
    known: bool

    def withdrawn(self, papers: list[str]) -> list[bool] | None:
        """(n,) whether the paper of each review was withdrawn, deleted or rejected without a review."""
        return [paper in self.out for paper in papers] if self.known else None

    def tracks(self, papers: list[str]) -> list[str | None] | None:
        """(n,) the track of the paper of each review, if there are several."""
        return [self.track_of.get(paper) for paper in papers] if len(set(self.track_of.values())) > 1 else None


def read_submissions(content: Content) -> Submissions:
    """The submissions, if a sheet of the file has them."""
    for sheet in content.sheets:
        at = find_header(sheet, _is_submissions)
        if at is not None:
            return _read(read_below(sheet, at, content.source))
    return Submissions(frozenset(), {}, False)


def _is_submissions(header: Header) -> bool:
    return {NUMBER, TITLE} <= header and bool(header & {DECISION, DELETED})


def _read(columns: Columns) -> Submissions:
    by_name = {folded(name): cells for name, cells in columns.cells.items()}
    numbers = by_name.get(NUMBER, [])
    nothing: list[str | None] = [None] * len(numbers)
    out, track_of = set(), {}
    decisions, deleted, tracks = (by_name.get(name, nothing) for name in (DECISION, DELETED, TRACK))
    for number, decision, gone, track in zip(numbers, decisions, deleted, tracks, strict=True):
        if number is None:
            continue
        if folded(decision or "") in OUT or folded(gone or "") == "yes":
            out.add(number)
        if track is not None:
            track_of[number] = track
    return Submissions(frozenset(out), track_of, True)
