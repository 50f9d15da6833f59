"""HotCRP: tables and JSON of reviews -> Export. What each of them holds is told in docs/how-to/hotcrp.md."""

from dataclasses import replace

from surpeer.errors import Problem, ReviewProblems, counted, listed
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.hotcrp.form import NAME, read_form
from surpeer.io.platforms.hotcrp.keywords import field_of_keyword
from surpeer.io.platforms.hotcrp.narrow import Narrow, gather_reviews, sort_rows
from surpeer.io.platforms.hotcrp.rest import COMPLETE, REST, is_reviews, read_reviews, refusal
from surpeer.io.platforms.hotcrp.tables import NARROW, REVIEWS, SCORES, Rows, kind_of, nearest_kind, read_rows
from surpeer.io.platforms.json_cells import moment
from surpeer.io.platforms.refusals import no_export
from surpeer.io.review_form.export import Export, Field, Platform
from surpeer.io.review_form.form import Form

SETTINGS = "settings (JSON)"

_HOW = "in HotCRP search for all papers, select them, and download Reviews (CSV)"


def recognise(content: Content) -> str | None:
    """Which of HotCRP's exports this is. The settings are one, so that reading them can say what they are for."""
    if content.sheets:
        return next(filter(None, map(kind_of, content.sheets)), None)
    if is_reviews(content.json):
        return REST
    return SETTINGS if read_form(content.json) is not None else None


def read(content: Content, form: Form | None) -> Export:
    """The reviews of any of the exports, with the fields as the form calls them."""
    sheets = [sheet for find in (kind_of, nearest_kind) for sheet in content.sheets if find(sheet)]
    if sheets:
        export = _from_table(sheets[0], content.source)
    elif not content.sheets and is_reviews(content.json):
        export = read_reviews(content.json, content.source)
    else:
        raise _unusable(content)
    if not export.paper:
        nothing = Problem(None, None, "no reviews", "at least one", _HOW)
        raise ReviewProblems(content.source, export.problems or [nothing], export.notes)
    return _with_names(export, form)


def _unusable(content: Content) -> ReviewProblems:
    refused = None if content.sheets else refusal(content.json)
    if refused is not None:
        found = f"an error instead of reviews: {refused}"
        return ReviewProblems(content.source, [Problem(None, None, found, "reviews", "ask HotCRP again as a chair")])
    if not content.sheets and read_form(content.json) is not None:
        found, remedy = "the settings of a review form", "give the reviews, and this file with --form"
        return ReviewProblems(content.source, [Problem(None, None, found, "reviews", remedy)])
    return no_export(content, 'an export of HotCRP, such as "Reviews (CSV)", with its header', _HOW)


def _from_table(sheet: Sheet, source: str) -> Export:
    kind = nearest_kind(sheet) or REVIEWS
    rows = read_rows(sheet, kind, source)
    _refuse_several_sites(rows, source)
    sorted_rows = sort_rows(rows) if kind == NARROW else Narrow()
    if kind == NARROW:
        rows = gather_reviews(rows, sorted_rows.answers, source)
    papers = rows.own["paper" if "paper" in rows.own else "pid"]
    rounds = [name or None for name in rows.column("round")]
    return Export(
        kind=kind,
        paper=papers,
        fields=tuple(Field(name, cells) for name, cells in rows.fields.items()),
        place=rows.place,
        reviewer=_reviewers(rows),
        name=rows.own.get("review"),
        round=rounds if any(rounds) else None,
        submitted=[_seconds(text) for text in rows.own["submitted_at"]] if "submitted_at" in rows.own else None,
        draft=[text not in ("", COMPLETE) for text in rows.own["status"]] if "status" in rows.own else None,
        withdrawn=[paper in sorted_rows.withdrawn for paper in papers] if sorted_rows.withdrawn else None,
        title=_titles(rows, [sorted_rows.titles.get(paper) for paper in papers]),
        choices_from_one=True,
        notes=tuple(sorted_rows.notes),
        problems=tuple(sorted(rows.problems, key=lambda problem: problem.row or 0)),
    )


def _refuse_several_sites(rows: Rows, source: str) -> None:
    sites = set(rows.column("sitename")) - {""}
    if len(sites) > 1:
        found = f"reviews of {counted(len(sites), 'site')}: {listed(sorted(sites), 5)}"
        problem = Problem(
            None, "sitename", found, "one, because papers have the same numbers", "make one file for each"
        )
        raise ReviewProblems(source, [problem])


def _reviewers(rows: Rows) -> list[str | None] | None:
    """Their addresses, else their names; None where the export does not tell."""
    if "email" not in rows.own and "reviewername" not in rows.own:
        return None
    pairs = zip(rows.column("email"), rows.column("reviewername"), strict=True)
    return [email or name or None for email, name in pairs]


def _titles(rows: Rows, of_papers: list[str | None]) -> list[str | None] | None:
    """Of the papers, in the column that the lists of papers have or as the narrow table says; None if neither does."""
    titles = [title or other for title, other in zip(rows.column("title"), of_papers, strict=True)]
    return titles if any(titles) else None


def _seconds(text: str) -> float | None:
    return moment(int(text)) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _with_names(export: Export, form: Form | None) -> Export:
    """The fields under the names that they have in the form, with its options."""
    if form is None:
        return export
    fields = [make_field(field.name, field.cells, form) for field in export.fields]
    if export.kind in (SCORES, REST):
        fields, notes = _by_likeness(fields, form)
        export = replace(export, notes=(*export.notes, *notes))
    return replace(export, fields=tuple(fields))


def _by_likeness(fields: list[Field], form: Form) -> tuple[list[Field], list[str]]:
    """Keywords that HotCRP made longer than we would, because other fields of the site have similar names."""
    known = {field.name for field in fields}
    free = [question.name for question in form.questions if question.name not in known]
    named, notes = [], []
    for field in fields:
        found = field_of_keyword(field.name, free) if not form.find(field.name) else None
        if found is None or free[found] in known:
            named.append(field)
            continue
        known.add(free[found])
        named.append(make_field(free[found], field.cells, form, [field.name]))
        notes.append(f"{field.name} is read as {free[found]}")
    return named, notes


PLATFORM = Platform(
    NAME,
    "HotCRP",
    recognise,
    read,
    "Reviews (CSV), Scores (CSV), batch/reviewcsv.php wide and long, JSON of the API; --form: the settings JSON",
)
