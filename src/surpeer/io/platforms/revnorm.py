"""Cornell's revNorm: a CSV file whose header is `Paper,Reviewer,Score`, with a number for every score.

https://www.cs.cornell.edu/andru/revNorm/ normalises scores and knows no predictions. Further columns are read as
fields.
"""

from surpeer.errors import Problem, quoted
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.fields import make_field
from surpeer.io.platforms.plain_text import is_number, number_text
from surpeer.io.platforms.refusals import no_export
from surpeer.io.platforms.sheet_columns import Cells, Columns, read_columns
from surpeer.io.review_form.export import Export, Platform
from surpeer.io.review_form.form import Form
from surpeer.io.review_form.names import folded

PAPER, REVIEWER, SCORE = "Paper", "Reviewer", "Score"
KIND = "scores (CSV)"


def recognise(content: Content) -> str | None:
    """Whether the header begins as revNorm wants it."""
    return KIND if any(_begins_as_wanted(sheet) for sheet in content.sheets) else None


def _begins_as_wanted(sheet: Sheet) -> bool:
    names = [folded(name) for name in sheet.header]
    return names[:3] == [folded(PAPER), folded(REVIEWER), folded(SCORE)] and "rating" not in names


def _has_wanted(sheet: Sheet) -> bool:
    return {folded(PAPER), folded(SCORE)} <= {folded(name) for name in sheet.header}


def read(content: Content, form: Form | None) -> Export:
    """One review a row; the columns may be in any order, and Reviewer may be missing."""
    sheet = next(filter(_begins_as_wanted, content.sheets), None) or next(filter(_has_wanted, content.sheets), None)
    if sheet is None:
        expected = f"a table with the columns {PAPER}, {REVIEWER}, {SCORE}"
        raise no_export(content, expected, "leave --from out, or name the platform that the file comes from")
    papers, columns = read_columns(sheet, content.source, (PAPER, REVIEWER, SCORE)).take_papers(PAPER)
    scores, reviewers = columns.take(SCORE) or [], columns.take(REVIEWER)
    good = [at for at, score in enumerate(scores) if score is None or is_number(score)]
    others = columns.keep(good).with_problems(_bad_scores(scores, columns))
    cells = [number_text(score) if (score := scores[at]) else None for at in good]
    rating = make_field(SCORE, cells, form)
    return Export(
        kind=KIND,
        paper=[papers[at] for at in good],
        fields=(rating, *(make_field(name, column, form) for name, column in others.cells.items())),
        place=others.place,
        reviewer=None if reviewers is None else [reviewers[at] for at in good],
        rating=rating.name,
        problems=others.problems,
    )


def _bad_scores(scores: Cells, columns: Columns) -> list[Problem]:
    return [
        Problem(row, SCORE, quoted(score), "a number", "correct it, or delete the row")
        for row, score in zip(columns.place, scores, strict=True)
        if score is not None and not is_number(score)
    ]


PLATFORM = Platform("revnorm", "Cornell revNorm", recognise, read, "CSV with the columns Paper, Reviewer, Score")
