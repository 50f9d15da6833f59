"""A sheet whose first row names its columns -> the columns, with the row of every review."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from surpeer.errors import Problem, ReviewProblems
from surpeer.io.content import Sheet
from surpeer.io.id_cells import PAPER_ID, altered_id
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, too_many_fields
from surpeer.io.review_form.names import folded
from surpeer.io.table_header import FIRST_ROW, distinct_names, ragged_row, twin_problems

Cells = list[str | None]


@dataclass(frozen=True, slots=True)
class Columns:
    """The cells of a sheet by column; rows with nothing in them are left out."""

    cells: dict[str, Cells]
    """(n,) cells by the names of columns, in their order; a name that is there twice has its column's number."""
    place: list[int]
    problems: tuple[Problem, ...]
    """Of rows that cannot be read, in their order; these are not among the others."""

    def take(self, name: str) -> Cells | None:
        """The column of this name, which is then no longer among the others; None if there is none."""
        found = next((other for other in self.cells if folded(other) == folded(name)), None)
        return None if found is None else self.cells.pop(found)

    def take_papers(self, name: str) -> tuple[list[str], "Columns"]:
        """The column that names the papers, and the others; a row without a paper, or with an id that a spreadsheet
        has altered, has a problem instead."""
        papers = self.take(name) or [None] * len(self.place)
        problems: list[Problem] = []
        good: dict[int, str] = {}
        for at, (row, paper) in enumerate(zip(self.place, papers, strict=True)):
            problem = missing_paper(row, name) if paper is None else altered_id(row, name, paper, PAPER_ID)
            if problem is not None:
                problems.append(problem)
            elif paper is not None:
                good[at] = paper
        return list(good.values()), self.keep(list(good)).with_problems(problems)

    def without_altered(self, name: str | None, expected: str) -> "Columns":
        """The rows whose cell in this column, if there is one, is as it was typed; others have a problem instead."""
        if name is None:
            return self
        cells = next((cells for other, cells in self.cells.items() if folded(other) == folded(name)), [])
        problems = {
            at: problem
            for at, cell in enumerate(cells)
            if cell is not None and (problem := altered_id(self.place[at], name, cell, expected))
        }
        if not problems:
            return self
        return self.keep([at for at in range(len(cells)) if at not in problems]).with_problems([*problems.values()])

    def keep(self, positions: list[int]) -> "Columns":
        """Some of the rows."""
        cells = {name: [column[at] for at in positions] for name, column in self.cells.items()}
        return Columns(cells, [self.place[at] for at in positions], self.problems)

    def with_problems(self, problems: list[Problem]) -> "Columns":
        """The same columns with further problems."""
        return replace(self, problems=tuple(sorted([*self.problems, *problems], key=lambda problem: problem.row or 0)))

    def lower(self, rows: int) -> "Columns":
        """The same columns so many rows further down; further up if less than none."""
        problems = tuple(
            problem if problem.row is None else replace(problem, row=problem.row + rows) for problem in self.problems
        )
        return Columns(self.cells, [row + rows for row in self.place], problems)


def missing_paper(row: int, column: str) -> Problem:
    """The problem of a review that does not say what it reviews."""
    return Problem(row, column, "an empty cell", "the id of a paper", "fill it in or delete the row")


def read_columns(sheet: Sheet, source: str, once: tuple[str, ...], fold: Callable[[str], str] = folded) -> Columns:
    """The columns of a sheet. Those of `once` must not be there twice; `fold` says which names are the same."""
    names = [plain_name(name) for name in sheet.header]
    while names and not names[-1]:
        names.pop()
    if len(names) > MOST_FIELDS:
        raise too_many_fields(source, len(names), "column")
    twins = twin_problems(names, once, fold)
    if twins:
        raise ReviewProblems(source, twins)
    rows: list[Cells] = []
    place: list[int] = []
    problems: list[Problem] = []
    for number, row in enumerate(sheet.rows[1:], start=FIRST_ROW):
        cells = [cell.strip() or None for cell in row]
        while cells and cells[-1] is None:
            cells.pop()
        if len(cells) > len(names):
            problems.append(ragged_row(number, row, len(cells), len(names), is_text=not sheet.name))
        elif cells:
            rows.append(cells + [None] * (len(names) - len(cells)))
            place.append(number)
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in names]
    return Columns(dict(zip(distinct_names(names, fold), columns, strict=True)), place, tuple(problems))
