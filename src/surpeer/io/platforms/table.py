"""Any table with one row for each review: CSV, Excel or a JSON list, as questionnaires and spreadsheets have them.

Which column is the paper, the reviewer, the round, the track and the title is found by its name, or said by a column
map; all other columns are fields.
"""

from collections.abc import Sequence
from typing import Any

from surpeer.errors import InputError, listed, quoted
from surpeer.io.content import Content, Sheet, seen_first
from surpeer.io.id_cells import REVIEWER_ID
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.header_rows import read_below
from surpeer.io.platforms.json_cells import cell
from surpeer.io.platforms.paper_titles import why_no_titles
from surpeer.io.platforms.refusals import MOST_FIELDS, no_export
from surpeer.io.platforms.sheet_columns import Cells, Columns
from surpeer.io.review_form.column_map import ColumnMap
from surpeer.io.review_form.export import Export, Platform
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.names import folded, rating_tier

NAMES = {
    "paper": (
        "paper", "paper id", "paper number", "paper no", "paper #", "paperid", "submission", "submission id",
        "submission number", "submission no", "submission #", "proposal", "proposal id", "proposal number",
        "abstract id", "application", "application id", "entry", "entry id", "pid", "manuscript", "manuscript id",
        "item", "item id",
    ),
    "reviewer": (
        "reviewer", "reviewer id", "reviewer email", "reviewer e-mail", "reviewer name", "reviewername", "referee",
        "referee id", "email", "e-mail", "email address", "member", "judge", "juror", "panelist", "assessor", "grader",
    ),
    "round": ("round", "review round", "phase", "stage"),
    "track": ("track", "area", "panel", "category", "subject area", "primary area"),
    "title": (
        "paper title", "submission title", "proposal title", "abstract title", "application title", "entry title",
        "manuscript title", "item title", "talk title", "project title", "title of the paper",
        "title of the submission", "title of the proposal", "title",
    ),
}  # fmt: skip

KIND = "with a row for each review"
HOW_TO_SAY = (
    "name the platform that the file comes from (--from NAME; `surpeer platforms` lists them), "
    'or say in a file which column is what (--columns FILE, with lines such as paper = "Submission no.")'
)
FIRST_RECORDS = 50


def recognise(content: Content) -> str | None:
    """Whether a sheet has a column for papers and one that is called like a rating."""
    for sheet in first_rows(content):
        names = {folded(name) for name in sheet.header}
        if names & set(NAMES["paper"]) and any(rating_tier(name) for name in sheet.header):
            return KIND
    return None


def read(content: Content, form: Form | None) -> Export:
    """The reviews of a table whose columns are known by their names."""
    return read_with(content, form, ColumnMap())


def read_with(content: Content, form: Form | None, columns: ColumnMap) -> Export:
    """The reviews of a table, some of whose columns the user named."""
    sheet = _sheet(content, columns)
    header = _header(content, sheet, columns)
    said: dict[str, str | None] = {role: getattr(columns, role) for role in NAMES}
    once = tuple(name for name in said.values() if name)
    found = read_below(sheet, header, content.source, once).lower(0 if content.sheets else -1)  # records count from 1
    others = _named_by_user(columns)
    names = {role: said[role] or _name_of(found, role, others, content.source) for role in NAMES}
    shown = _listed(*sheet.rows[header : header + 1])
    if names["paper"] is None:
        raise InputError(f"{content.source}: found no column that is the paper; {HOW_TO_SAY}; {shown}")
    _require(found, "paper", names["paper"], shown, content.source)
    found = found.without_altered(names["reviewer"], REVIEWER_ID)
    papers, found = found.take_papers(names["paper"])
    notes = () if said["title"] else _check_titles(found, papers, names)
    roles = {role: _take(found, role, names[role], shown, content.source) for role in NAMES if role != "paper"}
    return Export(
        kind=KIND if not sheet.name else f"sheet {quoted(sheet.name)}",
        paper=papers,
        fields=tuple(make_field(name, cells, form) for name, cells in found.cells.items()),
        place=found.place,
        reviewer=roles["reviewer"],
        round=roles["round"],
        track=roles["track"],
        title=roles["title"],
        notes=notes,
        problems=found.problems,
    )


def sheets_of(content: Content) -> tuple[Sheet, ...]:
    """The sheets of a file; a JSON list of plain objects is a sheet too."""
    return content.sheets or _records_sheet(content.json, None)


def first_rows(content: Content) -> tuple[Sheet, ...]:
    """The sheets of a file, from a JSON list the first few records only."""
    return content.sheets or _records_sheet(content.json, FIRST_RECORDS)


def _records_sheet(document: Any, most: int | None) -> tuple[Sheet, ...]:
    records = [document] if isinstance(document, dict) else document
    if not isinstance(records, list) or not records:
        return ()
    first = records[:FIRST_RECORDS]
    if not all(isinstance(record, dict) and record for record in first):
        return ()
    if any(isinstance(value, dict) for record in first for value in record.values()):
        return ()
    plain = [record if isinstance(record, dict) else {} for record in records[:most]]
    names = list(dict.fromkeys(name for record in plain for name in record))
    if len(names) > MOST_FIELDS:
        return (Sheet([names]),)
    return (Sheet([names, *([cell(record.get(name)) or "" for name in names] for record in plain)]),)


def _sheet(content: Content, columns: ColumnMap) -> Sheet:
    """The sheet with the reviews; one that people see before others."""
    sheets = seen_first(sheets_of(content))
    if any({"rank", "paper", "reviews", "score"} <= {folded(name) for name in sheet.header} for sheet in sheets):
        raise no_export(content, "reviews", "surpeer wrote this: give the reviews that it was made from")
    if not sheets:
        raise no_export(
            content,
            "a table: CSV, Excel, or a JSON list of objects; or an export of a platform",
            "name its platform with --from; `surpeer platforms` lists them",
        )
    if columns.sheet is not None:
        named = [sheet for sheet in sheets if folded(sheet.name) == folded(columns.sheet)]
        if not named:
            names = ", ".join(quoted(sheet.name) for sheet in sheets)
            raise InputError(f"{content.source}: found no sheet {quoted(columns.sheet)}; sheets: {names}")
        return named[0]
    known = [sheet for sheet in sheets if recognise(Content(content.source, (sheet,))) is not None]
    return (known or sheets)[0]


def _header(content: Content, sheet: Sheet, columns: ColumnMap) -> int:
    """The position of the row that has the names of columns: the one that was said, or the first that is not empty."""
    if columns.header_row is None:
        return next((at for at, row in enumerate(sheet.rows) if any(map(str.strip, row))), 0)
    if columns.header_row > len(sheet.rows):
        found = f"found {len(sheet.rows)} rows, expected the header in row {columns.header_row}"
        raise InputError(f"{content.source}: {found}")
    return columns.header_row - 1


def _named_by_user(columns: ColumnMap) -> set[str]:
    """The columns, folded, that the user said what they are."""
    wanted = columns.wanted
    fields = (wanted.rating, wanted.expected, *wanted.predictions, *wanted.shares.values())
    return {folded(name) for name in (*fields, *(getattr(columns, role) for role in NAMES)) if name}


def _name_of(columns: Columns, role: str, others: set[str], source: str) -> str | None:
    """The column that is called like one of this role, if there is one that is not said to be something else."""
    names = [name for name in columns.cells if folded(name) in NAMES[role] and folded(name) not in others]
    if len(names) > 1 and role == "paper":
        several = ", ".join(quoted(name) for name in names)
        how = f"say which in a file: --columns FILE, with a line such as paper = {quoted(names[0])}"
        raise InputError(f"{source}: found {len(names)} columns that may be the paper: {several}; {how}")
    if role == "title":  # a lone "title" may be anything's
        names.sort(key=lambda name: NAMES[role].index(folded(name)))
    return next(iter(names), None)


def _check_titles(columns: Columns, papers: list[str], names: dict[str, str | None]) -> tuple[str, ...]:
    """Leave a column alone that is called like titles but has others than papers': of reviews, of people (Dr.)."""
    title = names["title"]
    cells = next((cells for name, cells in columns.cells.items() if name == title), None)
    why = None if cells is None else why_no_titles(papers, cells)
    if why is None:
        return ()
    names["title"] = None
    return (f"{quoted(title)} is not taken for the title of papers: {why}; a column map can say that it is",)


def _take(columns: Columns, role: str, name: str | None, shown: str, source: str) -> Cells | None:
    """The column of a role, which is then no longer among the fields."""
    if name is None:
        return None
    _require(columns, role, name, shown, source)
    return columns.take(name)


def _require(columns: Columns, role: str, name: str, shown: str, source: str) -> None:
    """Raise for a column that the user named and that is not there, or is another role's."""
    if folded(name) not in map(folded, columns.cells):
        where = "header_row and sheet in the column map say where the names of columns are"
        raise InputError(f"{source}: found no column {quoted(name)} for the {role}; {shown}; {where}")


def _listed(header: Sequence[str] = ()) -> str:
    names = [quoted(name) for name in header if name.strip()]
    return f"the columns are {listed(names, 30)}" if names else "its first row is empty"


PLATFORM = Platform(
    "table",
    "a plain table",
    recognise,
    read,
    "CSV, Excel or a JSON list with a row for each review; --columns says which column is what",
)
