"""What EasyChair's sheet of submissions says of papers: which were withdrawn, their tracks and titles."""

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
    title_of: dict[str, str]
    known: bool

    def withdrawn(self, papers: list[str]) -> list[bool] | None:
        """(n,) whether the paper of each review was withdrawn, deleted or rejected without a review."""
        return [paper in self.out for paper in papers] if self.known else None

    def tracks(self, papers: list[str]) -> list[str | None] | None:
        """(n,) the track of the paper of each review, if there are several."""
        return [self.track_of.get(paper) for paper in papers] if len(set(self.track_of.values())) > 1 else None

    def titles(self, papers: list[str]) -> list[str | None] | None:
        """(n,) the title of the paper of each review."""
        return [self.title_of.get(paper) for paper in papers] if self.title_of else None


def read_submissions(content: Content) -> Submissions:
    """The submissions, if a sheet of the file has them."""
    for sheet in content.sheets:
        at = find_header(sheet, _is_submissions)
        if at is not None:
            return _read(read_below(sheet, at, content.source))
    return Submissions(frozenset(), {}, {}, False)


def _is_submissions(header: Header) -> bool:
    return {NUMBER, TITLE} <= header and bool(header & {DECISION, DELETED})


def _read(columns: Columns) -> Submissions:
    by_name = {folded(name): cells for name, cells in columns.cells.items()}
    numbers = by_name.get(NUMBER, [])
    nothing: list[str | None] = [None] * len(numbers)
    out = set()
    track_of: dict[str, str] = {}
    title_of: dict[str, str] = {}
    cells = [by_name.get(name, nothing) for name in (DECISION, DELETED, TRACK, TITLE)]
    for number, decision, gone, track, title in zip(numbers, *cells, strict=True):
        if number is None:
            continue
        if folded(decision or "") in OUT or folded(gone or "") == "yes":
            out.add(number)
        if track is not None:
            track_of[number] = track
        if title is not None:
            title_of.setdefault(number, title)
    return Submissions(frozenset(out), track_of, title_of, True)
