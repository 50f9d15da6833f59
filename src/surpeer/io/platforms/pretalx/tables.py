"""Pretalx: the export of reviews from the organiser's pages, which is a table, in CSV or as a JSON list.

The organiser ticks the columns. `Score` is the weighted sum of the score categories; each active category has a column
of its own if there are several. Questions to reviewers have their text as the name of the column.
"""

from collections.abc import Iterator

from surpeer.errors import Problem, counted
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.json_cells import cell, found_value, in_one_language, moment
from surpeer.io.platforms.plain_text import number_text, plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, no_export, too_many_fields
from surpeer.io.platforms.sheet_columns import Columns, read_columns
from surpeer.io.review_form.export import Export, Field
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.names import folded

KIND = "reviews (CSV or JSON)"
PAPER, TITLE, SCORE, NAME, EMAIL = "Proposal ID", "Proposal title", "Score", "Reviewer name", "Reviewer email"
CREATED, UPDATED, TEXT = "Created", "Updated", "Text"
ONCE = (PAPER, TITLE, SCORE, NAME, EMAIL, CREATED, UPDATED)

# `Score in “Relevance”`; before 2024 with straight quotes.
CATEGORY_START, CATEGORY_QUOTES = "Score in ", "“”'\"„‟‘’"

# What pretalx puts an apostrophe in front of, so that a spreadsheet program does not run it.
RUN_BY_SPREADSHEETS = "@+-=|%"


def headers(content: Content) -> list[set[str]]:
    """The names of columns, folded, of every sheet, or the keys of a JSON list of flat objects."""
    names = [sheet.header for sheet in content.sheets]
    if isinstance(content.json, list) and content.json and isinstance(content.json[0], dict):
        names.append(list(content.json[0]))
    return [{folded(name) for name in header} for header in names]


def is_reviews(header: set[str]) -> bool:
    """Whether these are, surely, columns of pretalx's reviews."""
    has = {name for name in (PAPER, TITLE, SCORE, NAME, EMAIL, CREATED, UPDATED, TEXT) if folded(name) in header}
    of_proposal, of_review = has & {PAPER, TITLE}, has & {NAME, EMAIL, SCORE, TEXT}
    return bool(of_proposal and of_review) and len(has) >= 3 and not is_sessions(header)


def has_reviews(header: set[str]) -> bool:
    """Whether these columns can be read as reviews, should the user say that they are."""
    return is_reviews(header) or folded(PAPER) in header


def is_sessions(header: set[str]) -> bool:
    """Whether these are columns of pretalx's sessions with the scores of all their reviews in one."""
    scores = {folded("Median score"), folded("Average (mean) score")} & header
    return bool(scores) and bool(header & {folded(TITLE), folded("Proposal state"), "id"})


def read(content: Content, form: Form | None) -> Export:
    """One review a row."""
    columns = _columns(content)
    if folded(PAPER) not in map(folded, columns.cells):
        raise no_export(content, f"a column {PAPER}", f"export again and tick {PAPER}")
    papers, columns = columns.take_papers(PAPER)
    notes = list(_undo_protection(columns)) if content.sheets else []
    titles = columns.take(TITLE)
    emails, names = columns.take(EMAIL), columns.take(NAME)
    created, updated = columns.take(CREATED), columns.take(UPDATED)
    notes += _drop_empty_categories(columns)
    fields = tuple(_field(name, cells, form) for name, cells in columns.cells.items())
    rating = next((at for at, name in enumerate(columns.cells) if folded(name) == folded(SCORE)), None)
    return Export(
        kind=KIND,
        paper=papers,
        fields=fields,
        place=columns.place,
        reviewer=_first_of(emails, names),
        submitted=[moment(date) for date in dates] if (dates := _first_of(updated, created)) else None,
        title=titles,
        rating=None if rating is None else fields[rating].name,
        notes=tuple(notes),
        problems=columns.problems,
    )


def _columns(content: Content) -> Columns:
    if isinstance(content.json, list):
        return _columns_of_records(content.json, content.source)
    wanted = [*content.sheets, Sheet([])]
    sheet = next((sheet for sheet in wanted if has_reviews({folded(name) for name in sheet.header})), wanted[0])
    return read_columns(sheet, content.source, ONCE)


def _columns_of_records(records: list[object], source: str) -> Columns:
    """The columns of a list of objects; `place` counts them from 1."""
    rows: list[dict[str, str | None]] = []
    place: list[int] = []
    problems = []
    for number, record in enumerate(records, start=1):
        if isinstance(record, dict):
            rows.append({name: _value(value) for name, value in record.items()})
            place.append(number)
        else:
            problems.append(Problem(number, None, found_value(record), "an object with the keys of a review"))
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) > MOST_FIELDS:
        raise too_many_fields(source, len(names), "key")
    return Columns({name: [row.get(name) for row in rows] for name in names}, place, tuple(problems))


def _value(value: object) -> str | None:
    return in_one_language(value) if isinstance(value, dict) else cell(value)


def _undo_protection(columns: Columns) -> Iterator[str]:
    """Take off the apostrophes that pretalx put before cells which a spreadsheet program would run."""
    count = 0
    for cells in columns.cells.values():
        for at, text in enumerate(cells):
            if text and text[0] == "'" and text[1:2] in RUN_BY_SPREADSHEETS and len(text) > 1:
                cells[at] = text[1:].replace("\\|", "|")
                count += 1
    if count:
        yield f"{counted(count, 'cell')} that pretalx had put an apostrophe before read without it"


def _drop_empty_categories(columns: Columns) -> Iterator[str]:
    """Leave out the columns `Score in “...”` that recent versions of pretalx never fill, and say what Score is."""
    categories = [name for name in columns.cells if _category(name)]
    for name in categories:
        if not any(columns.cells[name]):
            columns.take(name)
            yield f'the column "{name}", in which there is nothing, left out'
    if len(categories) > 1:
        listed = ", ".join(_category(name) for name in categories)
        yield f"{SCORE} is pretalx's weighted sum of {listed}; --rating takes one of them instead"


def _category(name: str) -> str:
    """The category that a column has the scores of, '' for other columns."""
    if not name.startswith(CATEGORY_START):
        return ""
    return name.removeprefix(CATEGORY_START).strip(CATEGORY_QUOTES)


def _field(name: str, cells: list[str | None], form: Form | None) -> Field:
    numbers = [number_text(text) if text else None for text in cells]
    return make_field(plain_name(name) or name, numbers, form, [_category(name)])


def _first_of(first: list[str | None] | None, second: list[str | None] | None) -> list[str | None] | None:
    """Cell by cell the first that is there; None if there is neither column."""
    if first is None or second is None:
        return first if second is None else second
    return [one or other for one, other in zip(first, second, strict=True)]
