"""Microsoft CMT: the reviews that a chair exports to Excel, one sheet for each track, with titles above the header."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate

from surpeer.errors import Problem, ReviewProblems, quoted
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.cmt.questions import Question, is_question, read_questions
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.header_rows import Header, find_header, read_below
from surpeer.io.platforms.json_cells import moment
from surpeer.io.platforms.refusals import MOST_FIELDS, no_export, too_many_fields
from surpeer.io.platforms.sheet_columns import Cells, Columns
from surpeer.io.review_form.export import Export, Field, Platform
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.names import folded

REVIEWS, META_REVIEWS, SUBMISSIONS = "Reviews", "Meta-Reviews", "Submissions"
PAPER, TITLE, NUMBER, NAME, EMAIL = "Paper ID", "Paper Title", "Reviewer Number", "Reviewer Name", "Reviewer Email"
CREATED, MODIFIED, AUTHORS = "Created", "Last Modified", "Author Names"
ONCE = (PAPER, NAME, EMAIL, NUMBER)
REMEDY = "export again from the chair's console: Actions > Export to Excel > Reviews"
DATE = "%m/%d/%Y %I:%M:%S %p %z"


def recognise(content: Content) -> str | None:
    """Which of CMT's exports has these columns."""
    kinds = [kind for sheet in content.sheets if (kind := _kind_of(sheet)) is not None]
    return REVIEWS if REVIEWS in kinds else next(iter(kinds), None)


def _kind_of(sheet: Sheet) -> str | None:
    for kind, is_header in ((REVIEWS, _is_reviews), (META_REVIEWS, _is_meta), (SUBMISSIONS, _is_submissions)):
        if find_header(sheet, is_header) is not None:
            return kind
    return None


def _is_reviews(header: Header) -> bool:
    return _has_reviews(header) and any(is_question(name) for name in header)


def _has_reviews(header: Header) -> bool:
    return folded(PAPER) in header and bool(header & {folded(NAME), folded(EMAIL), folded(NUMBER)})


def _is_meta(header: Header) -> bool:
    return folded(PAPER) in header and any(name.startswith(("meta-review", "senior meta-review")) for name in header)


def _is_submissions(header: Header) -> bool:
    return {folded(PAPER), folded(AUTHORS), folded(CREATED)} <= header


def read(content: Content, form: Form | None) -> Export:
    """One review a row, of all sheets; a sheet is a track."""
    tracks = [_read_track(sheet, at, content.source) for sheet, at in _review_sheets(content)]
    several = len(tracks) > 1
    papers = [paper for track in tracks for paper in track.papers]
    reviewers = [reviewer for track in tracks for reviewer in track.reviewers]
    titles = [title for track in tracks for title in track.titles]
    return Export(
        kind=REVIEWS,
        paper=papers,
        fields=_fields(tracks, content.source, form),
        place=_places(tracks),
        reviewer=reviewers if any(reviewers) else None,
        name=[name for track in tracks for name in track.names(several)],
        submitted=_moments(papers, reviewers, [date for track in tracks for date in track.dates]),
        track=[track.name for track in tracks for _ in track.papers] if several else None,
        title=titles if any(titles) else None,
        problems=_problems(tracks) if several else tracks[0].problems,
    )


def _review_sheets(content: Content) -> list[tuple[Sheet, int]]:
    for is_header in (_is_reviews, _has_reviews):
        found = [(sheet, at) for sheet in content.sheets if (at := find_header(sheet, is_header)) is not None]
        if found:
            return found
    kind = recognise(content)
    if kind is not None:
        found_instead = Problem(None, None, f"CMT's {kind}", f"its {REVIEWS}", REMEDY)
        raise ReviewProblems(content.source, [found_instead])
    raise no_export(content, f"CMT's {REVIEWS}, with the columns {PAPER} and {EMAIL}", REMEDY)


@dataclass(frozen=True, slots=True)
class _Track:
    """The reviews of one sheet."""

    name: str
    rows: int
    """Of the sheet."""
    papers: list[str]
    place: list[int]
    titles: Cells
    reviewers: Cells
    numbers: Cells
    dates: Cells
    questions: list[Question]
    problems: tuple[Problem, ...]

    def names(self, several: bool) -> Iterator[str]:
        """What each review is called: by the number of the reviewer, and by its row where there are several sheets."""
        for number, paper, row in zip(self.numbers, self.papers, self.place, strict=True):
            review = f"of paper {paper}" if number is None else f"#{number} of paper {paper}"
            yield f"{review}, row {row} of sheet {quoted(self.name)}" if several else review


def _read_track(sheet: Sheet, header: int, source: str) -> _Track:
    papers, columns = read_below(sheet, header, source, ONCE).take_papers(PAPER)
    titles = _taken(columns, TITLE)
    emails, names, numbers, modified, created = (
        _taken(columns, name) for name in (EMAIL, NAME, NUMBER, MODIFIED, CREATED)
    )
    return _Track(
        name=sheet.name,
        rows=len(sheet.rows),
        papers=papers,
        place=columns.place,
        titles=titles,
        reviewers=[email or name or number for email, name, number in zip(emails, names, numbers, strict=True)],
        numbers=numbers,
        dates=[last or first for last, first in zip(modified, created, strict=True)],
        questions=read_questions(columns),
        problems=columns.problems,
    )


def _taken(columns: Columns, name: str) -> Cells:
    return columns.take(name) or [None] * len(columns.place)


def _rows_above(tracks: Sequence[_Track]) -> list[int]:
    """For each sheet the rows of all sheets before it: rows are counted through, so that each has one number."""
    return [0, *accumulate(track.rows for track in tracks[:-1])]


def _places(tracks: Sequence[_Track]) -> list[int]:
    return [above + row for above, track in zip(_rows_above(tracks), tracks, strict=True) for row in track.place]


def _problems(tracks: Sequence[_Track]) -> tuple[Problem, ...]:
    """Of several sheets, with the sheet that each is in."""
    return tuple(
        replace(problem, row=above + (problem.row or 0), review=f"in row {problem.row} of sheet {quoted(track.name)}")
        for above, track in zip(_rows_above(tracks), tracks, strict=True)
        for problem in track.problems
    )


def _fields(tracks: Sequence[_Track], source: str, form: Form | None) -> tuple[Field, ...]:
    """A field for every question; tracks that ask the same share it, whatever its number."""
    names: dict[str, str] = {}
    keywords: dict[str, dict[str, None]] = {}
    for track in tracks:
        for question in track.questions:
            key = folded(question.name)
            names.setdefault(key, question.name)
            keywords.setdefault(key, {}).update(dict.fromkeys(question.keywords))
    if len(names) > MOST_FIELDS:
        raise too_many_fields(source, len(names), "question")
    by_name = [{folded(question.name): question.cells for question in track.questions} for track in tracks]
    fields = []
    for key, name in names.items():
        cells: Cells = []
        for track, questions in zip(tracks, by_name, strict=True):
            cells += questions.get(key) or [None] * len(track.papers)
        fields.append(make_field(name, cells, form, tuple(keywords[key])))
    return tuple(fields)


def _moments(papers: Sequence[str], reviewers: Cells, dates: Cells) -> list[float | None] | None:
    """When reviews were changed last; only looked at if a reviewer has two on one paper."""
    by_whom = [pair for pair in zip(papers, reviewers, strict=True) if pair[1] is not None]
    if len(set(by_whom)) == len(by_whom) or not any(dates):
        return None
    return [None if date is None else _moment(date) for date in dates]


def _moment(date: str) -> float | None:
    try:
        return datetime.strptime(date, DATE).timestamp()
    except (ValueError, OverflowError):
        return moment(date)


PLATFORM = Platform(
    "cmt",
    "Microsoft CMT",
    recognise,
    read,
    "reviews (xls, xlsx or CSV) with columns such as Q1 (Overall Rating - Value)",
)
