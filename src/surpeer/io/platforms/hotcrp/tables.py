"""HotCRP's tables: "Reviews (CSV)" and "Scores (CSV)" of the list of papers, and batch/reviewcsv.php, wide and narrow.

Rows end at their last cell that has something in it. The first columns are HotCRP's own, all others fields of the form;
a field may be called `Review`, which is not the column `review`.
"""

import re
from dataclasses import dataclass, field

from surpeer.errors import Problem, quoted
from surpeer.io.content import Sheet
from surpeer.io.platforms.json_cells import cell
from surpeer.io.platforms.sheet_columns import read_columns

REVIEWS, SCORES = "Reviews (CSV)", "Scores (CSV)"
WIDE, NARROW = "batch/reviewcsv.php", "batch/reviewcsv.php --narrow"

LOOKED_AT = 20  # rows

_LISTED = ("paper", "title", "decision", "review", "reviewername", "email")
_BATCH = ("sitename", "siteclass", "pid", "review", "email", "round", "submitted_at", "vtag", "status")
_LONG = ("field", "format", "data")
OWN_COLUMNS = {REVIEWS: _LISTED, SCORES: _LISTED, WIDE: _BATCH, NARROW: (*_BATCH, *_LONG)}

_REVIEW = re.compile(r"[0-9]+([A-Z]+|r[0-9]+|rnew)", re.ASCII)
_KEYWORD = re.compile(r"[A-Z0-9.][A-Za-z0-9~?!._]*", re.ASCII)


@dataclass(slots=True)
class Rows:
    """The rows of a table: HotCRP's own cells by column, and the cells of fields."""

    own: dict[str, list[str]]
    """(n,) '' where there is nothing; only the columns that the table has."""
    fields: dict[str, list[str | None]]
    """(n,) by name, in the order of the table."""
    place: list[int]
    problems: list[Problem] = field(default_factory=list)

    def column(self, name: str) -> list[str]:
        """One of HotCRP's own columns; empty cells if the table does not have it."""
        return self.own.get(name, [""] * len(self.place))


def kind_of(sheet: Sheet) -> str | None:
    """Which of the tables this is, by its header and first rows; None for a table that may be something else."""
    names = [name.strip() for name in sheet.header]
    columns = set(names)
    if "pid" not in columns:
        named = "review" in columns or {"reviewername", "email"} <= columns
        ours = {"paper", "title"} <= columns and named and "rating" not in columns
        return nearest_kind(sheet) if ours and _reviews_have_names(sheet, names) else None
    return nearest_kind(sheet) if {"review", "email", "round"} <= columns else None


def nearest_kind(sheet: Sheet) -> str | None:
    """Which of the tables this is if it is one at all; None if it does not even say what is reviewed."""
    names = [name.strip() for name in sheet.header]
    columns = set(names)
    if not columns & {"review", "email"}:
        return None
    if "pid" in columns:
        return NARROW if {"field", "data"} <= columns else WIDE
    fields = [name for name in names if name and name not in _LISTED]
    is_scores = "decision" in columns or (bool(fields) and all(map(_KEYWORD.fullmatch, fields)))
    return (SCORES if is_scores else REVIEWS) if "paper" in columns else None


def _reviews_have_names(sheet: Sheet, names: list[str]) -> bool:
    """Whether the first rows name reviews as HotCRP does: 12B is a review of paper 12."""
    if "review" not in names:
        return True
    paper, review = names.index("paper"), names.index("review")
    rows = [row for row in sheet.rows[1 : LOOKED_AT + 1] if len(row) > max(paper, review) and row[review].strip()]
    return not rows or any(_belongs(row[review].strip(), row[paper].strip()) for row in rows)


def _belongs(review: str, paper: str) -> bool:
    return review.startswith(paper) and _REVIEW.fullmatch(review) is not None and not review[len(paper)].isdigit()


def read_rows(sheet: Sheet, kind: str, source: str) -> Rows:
    """The rows that can be read, and a problem for each of the others."""
    columns = read_columns(sheet, source, OWN_COLUMNS[kind], fold=str)
    found = [name for name in OWN_COLUMNS[kind] if name in columns.cells]
    own = {name: [text or "" for text in columns.cells.pop(name)] for name in found}
    problems = _row_problems(own, columns.place, kind)
    kept = [at for at, row in enumerate(columns.place) if row not in problems]
    fields = columns.keep(kept)
    return Rows(
        {name: [cells[at] for at in kept] for name, cells in own.items()},
        {
            name: [cell(text) if text and text[:8].casefold() == "no entry" else text for text in cells]
            for name, cells in fields.cells.items()
        },
        fields.place,
        [*columns.problems, *problems.values()],
    )


def _row_problems(own: dict[str, list[str]], place: list[int], kind: str) -> dict[int, Problem]:
    """What is wrong with rows, by their numbers."""
    name = "paper" if "paper" in own else "pid"
    nothing = [""] * len(place)
    rows = zip(place, own[name], own.get("review", nothing), own.get("email", nothing), strict=True)
    problems = {}
    for row, paper, review, email in rows:
        if not (paper.isascii() and paper.isdigit()):
            found = quoted(paper) if paper else "an empty cell"
            remedy = "export the file again, and do not edit it"
            problems[row] = Problem(row, name, found, "the number of a paper", remedy)
        elif kind in (REVIEWS, SCORES) and (problem := _review_problem(row, paper, review, email)):
            problems[row] = problem
    return problems


def _review_problem(row: int, paper: str, review: str, email: str) -> Problem | None:
    """A review without a name has somebody who wrote it, unless the row was cut off."""
    if not review and not email:
        found, remedy = "a row that ends before the review", "export the file again"
        return Problem(row, None, found, "a review", remedy)
    if review and not _belongs(review, paper):
        return Problem(row, "review", quoted(review), f"the name of a review of paper {paper}, such as {paper}A")
    return None
