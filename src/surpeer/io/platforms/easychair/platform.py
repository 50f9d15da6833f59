"""EasyChair: the conference data as a workbook, as a zip archive of CSV files, or the file of reviews alone."""

from surpeer.errors import Problem, counted, quoted
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.easychair.answers import Answers, read_scores, read_texts
from surpeer.io.platforms.easychair.submissions import read_submissions
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.header_rows import Header, find_header, read_below
from surpeer.io.platforms.json_cells import moment
from surpeer.io.platforms.refusals import MOST_FIELDS, no_export, too_many_fields
from surpeer.io.platforms.sheet_columns import Cells, Columns
from surpeer.io.review_form.export import Export, Field, Platform
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.names import folded

KIND = "reviews"
PAPER, MEMBER, MEMBER_NAME, NUMBER, VERSION = "submission #", "member #", "member name", "number", "version"
TEXT, SCORES, TOTAL, DATE, TIME = "text", "scores", "total score", "date", "time"
FIRST_NAME, LAST_NAME, EMAIL = "reviewer first name", "reviewer last name", "reviewer email"
ONCE = (PAPER, MEMBER, MEMBER_NAME, NUMBER, VERSION, TEXT, SCORES, TOTAL, EMAIL)
OVERALL = "Overall evaluation"
"""What EasyChair calls the rating, unless a venue calls it something else."""
EXPECTED_SCORES = f'lines such as "{OVERALL}: 2"'


def recognise(content: Content) -> str | None:
    """Whether any sheet has EasyChair's columns of reviews."""
    return KIND if any(find_header(sheet, _is_reviews) is not None for sheet in content.sheets) else None


def _is_reviews(header: Header) -> bool:
    return _has_scores(header) and bool(header & {MEMBER, MEMBER_NAME, NUMBER, TOTAL, EMAIL})


def _has_scores(header: Header) -> bool:
    return {PAPER, SCORES} <= header


def read(content: Content, form: Form | None) -> Export:
    """One review a row; of several versions of a review the last."""
    sheet, header = _reviews_of(content)
    papers, columns = read_below(sheet, header, content.source, ONCE).take_papers(PAPER)
    scores, problems = _read_scores(columns)
    kept, notes = _last_versions(papers, columns, {problem.row for problem in problems})
    papers, scores = [papers[at] for at in kept], [scores[at] for at in kept]
    columns = columns.keep(kept).with_problems(problems)
    submissions = read_submissions(content)
    fields = _fields(columns, scores, content.source, form)
    rating, total_notes = _rating(fields, _column(columns, TOTAL))
    return Export(
        kind=KIND,
        paper=papers,
        fields=tuple(fields),
        place=columns.place,
        reviewer=_reviewers(columns),
        name=_names(columns, papers),
        submitted=_moments(columns),
        withdrawn=submissions.withdrawn(papers),
        track=submissions.tracks(papers),
        title=submissions.titles(papers),
        rating=rating,
        notes=(*notes, *total_notes),
        problems=columns.problems,
    )


def _reviews_of(content: Content) -> tuple[Sheet, int]:
    """The sheet with the reviews, and where its header is."""
    for is_header in (_is_reviews, _has_scores):
        for sheet in content.sheets:
            at = find_header(sheet, is_header)
            if at is not None:
                return sheet, at
    remedy = "download the conference data again (Excel or CSV), and give the whole file or its sheet Reviews"
    raise no_export(content, f"EasyChair's reviews, with the columns {PAPER} and {SCORES}", remedy)


def _column(columns: Columns, name: str) -> Cells:
    """The cells of a column that may not be there."""
    return columns.cells.get(_own_name(columns, name), [None] * len(columns.place))


def _own_name(columns: Columns, name: str) -> str:
    return next((other for other in columns.cells if folded(other) == name), name)


def _read_scores(columns: Columns) -> tuple[list[Answers], list[Problem]]:
    """The scores of every row, and what cannot be read. Equal cells are read once."""
    known: dict[str | None, Answers | None] = {None: {}}
    scores: list[Answers] = []
    problems = []
    for row, cell in zip(columns.place, _column(columns, SCORES), strict=True):
        if cell is not None and cell not in known:
            known[cell] = read_scores(cell)
        found = known[cell]
        if found is None:
            problems.append(Problem(row, SCORES, quoted(cell), EXPECTED_SCORES, "correct the cell"))
        scores.append(found or {})
    return scores, problems


def _last_versions(papers: list[str], columns: Columns, bad: set[int | None]) -> tuple[list[int], list[str]]:
    """The positions of reviews that can be read and that their authors have not changed since."""
    keys = list(zip(papers, _column(columns, NUMBER), strict=True))
    versions = [int(cell) if cell and cell.isdecimal() and len(cell) < 9 else 0 for cell in _column(columns, VERSION)]
    last: dict[tuple[str, str | None], int] = {}
    for key, version in zip(keys, versions, strict=True):
        last[key] = max(version, last.get(key, 0))
    usable = [at for at, row in enumerate(columns.place) if row not in bad]
    kept = [at for at in usable if keys[at][1] is None or versions[at] == last[keys[at]]]
    older = len(usable) - len(kept)
    notes = [f"{counted(older, 'earlier version')} of reviews left out: the last one counts"] if older else []
    return kept, notes


def _fields(columns: Columns, scores: list[Answers], source: str, form: Form | None) -> list[Field]:
    """Scores by their labels, then texts by their headings."""
    texts = read_texts(_column(columns, TEXT))
    labels = dict.fromkeys(label for one in scores for label in one)
    headings = dict.fromkeys(heading for one in texts for heading in one)
    if len(labels) + len(headings) > MOST_FIELDS:
        raise too_many_fields(source, len(labels) + len(headings), "score")
    taken = {folded(label) for label in labels}
    fields = [make_field(label, [one.get(label) or None for one in scores], form) for label in labels]
    for heading in headings:
        name = f"{heading} (text)" if folded(heading) in taken else heading
        fields.append(make_field(name, [one.get(heading) for one in texts], form))
    return fields


def _rating(fields: list[Field], totals: Cells) -> tuple[str | None, list[str]]:
    """The score that EasyChair itself takes for the rating: the one that the total score repeats."""
    named = [one for one in fields if folded(OVERALL) in map(folded, (one.name, *one.keywords))]
    given = [(at, total) for at, total in enumerate(totals) if total is not None]
    same = [one for one in fields if given and all(one.cells[at] == total for at, total in given)]
    if len(same) == 1:
        return same[0].name, []
    if given and not same:
        about = f"the {TOTAL}, which is a weighted sum of several scores, left out"
        return (named[0].name if named else None), [about]
    return (named[0].name if named else None), []


def _reviewers(columns: Columns) -> list[str | None] | None:
    """The subreviewer where there was one, else the member of the programme committee."""
    members, numbers = _column(columns, MEMBER_NAME), _column(columns, MEMBER)
    first, last, emails = (_column(columns, name) for name in (FIRST_NAME, LAST_NAME, EMAIL))
    namesakes = _namesakes(members, numbers)
    reviewers: list[str | None] = []
    for at, member in enumerate(members):
        subreviewer = emails[at] or " ".join(filter(None, (first[at], last[at])))
        own = f"{member} ({numbers[at]})" if member in namesakes else member or numbers[at]
        reviewers.append(subreviewer or own)
    return reviewers if any(reviewers) else None


def _namesakes(names: Cells, numbers: Cells) -> set[str | None]:
    """Names that more than one member has."""
    of_name: dict[str | None, set[str | None]] = {}
    for name, number in zip(names, numbers, strict=True):
        if name is not None:
            of_name.setdefault(name, set()).add(number)
    return {name for name, different in of_name.items() if len(different) > 1}


def _names(columns: Columns, papers: list[str]) -> list[str]:
    numbers = _column(columns, NUMBER)
    return [f"{number or '?'} of submission {paper}" for number, paper in zip(numbers, papers, strict=True)]


def _moments(columns: Columns) -> list[float | None]:
    dates, times = _column(columns, DATE), _column(columns, TIME)
    return [moment(f"{date} {time or '00:00'}") if date else None for date, time in zip(dates, times, strict=True)]


PLATFORM = Platform(
    "easychair", "EasyChair", recognise, read, "conference data: Excel, or CSV in a zip archive; review.csv"
)
