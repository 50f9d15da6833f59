"""What is found in the parts of a table, put together: all problems at once, and the notes of the whole table."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from surpeer.checked_rows import CheckedRows, RowChecker, RowCounts
from surpeer.columns import PAPER
from surpeer.errors import Problem, ReviewProblems

MOST = 1000  # problems that are described


@dataclass(slots=True)
class Findings:
    """Findings of one run; parts are added in the order of the table, so that problems are in that order too."""

    checker: RowChecker
    source: str
    """How errors name the table."""
    counts: RowCounts | None = None
    problems: list[Problem] = field(default_factory=list)
    """The first of them."""
    problem_count: int = 0
    unread_count: int = 0
    """Of them, those of rows that could not be read."""
    id_files: dict[bool, str] = field(default_factory=dict)
    """By whether ids are text: the first file in which they are."""

    with_rows: bool = True
    """Whether the numbers of rows say which they are: not if they are of several files."""

    def add(self, checked: CheckedRows, file: str = "", problems: Sequence[Problem] = ()) -> None:
        """Take in what was found in one part.

        file : where the part is from, if the table is in several files; problems : those of rows that could not be read
        """
        self.add_counts(checked.counts)
        self.with_rows = self.with_rows and not file
        if len(checked) and checked.paper.null_count() < len(checked):
            self.id_files.setdefault(checked.short_ids or checked.paper.dtype == pl.String, file)
        self.unread_count += len(problems)
        unread = len(problems) and not len(checked)  # no row could be read: nothing else is known
        found = [*problems] if unread else sorted([*problems, *checked.problems], key=lambda problem: problem.row or 0)
        self.add_problems(found, file, len(problems) + (0 if unread else checked.problem_count))

    def add_counts(self, counts: RowCounts) -> None:
        """Take in the counts of one part."""
        self.counts = counts if self.counts is None else self.counts + counts

    def add_problems(self, problems: Sequence[Problem], file: str = "", total: int = 0) -> None:
        """Take in problems, of which there are so many in all; those of the table as a whole only once."""
        known = {problem for problem in self.problems if problem.row is None}
        new = [replace(problem, file=file) if file and problem.row is not None else problem for problem in problems]
        new = [problem for problem in new if problem.row is not None or problem not in known]
        self.problem_count += max(total, len(problems)) - len(problems) + len(new)
        self.problems += new[: max(MOST - len(self.problems), 0)]

    def add_in_order(self, files: Sequence[str], problems: Sequence[Problem], total: int) -> None:
        """Take in problems, of which there are so many in all, where they belong among those that are known.

        files : the names of all files, in their order; problems : of rows, each with its file where there are several
        """
        place = {file: at for at, file in enumerate(files)}

        def in_table(problem: Problem) -> tuple[int, int]:
            return (-1, 0) if problem.row is None else (place.get(problem.file, 0), problem.row)

        self.problem_count += total
        self.problems = sorted([*self.problems, *problems], key=in_table)[:MOST]

    def raise_if_any(self) -> None:
        """Raise ReviewProblems with every problem, or with the first thousand and their number."""
        of_rows = any(problem.row is not None for problem in self.problems)
        if self.counts is None or not (self.counts.rows or of_rows):
            nothing = Problem(None, None, "no reviews", "at least one row below the header")
            raise ReviewProblems(self.source, [nothing])
        problems = [*self._id_problems(), *self.checker.problems_of_all(self.counts, self.problems)]
        if problems:
            total = self.problem_count + len(problems) - len(self.problems)
            notes = self.checker.problem_notes() if total > self.unread_count else ()
            raise ReviewProblems(self.source, problems[:MOST], notes, total)

    def notes(self) -> tuple[str, ...]:
        """What a user should know about all rows, but for what is said of papers."""
        return () if self.counts is None else self.checker.notes(self.counts, self.with_rows)

    def _id_problems(self) -> list[Problem]:
        return [] if len(self.id_files) < 2 else [mixed_ids(self.id_files[False], self.id_files[True])]


def mixed_ids(numbers: str, texts: str) -> Problem:
    """Ids that are numbers in one file and text in another; no names where there is one file."""
    files = [f" in {file}" if file else "" for file in (numbers, texts)]
    both = f"ids that are whole numbers{files[0]} and text{files[1]}"
    return Problem(None, PAPER, both, "the same everywhere", "write all of them as text, or all as numbers")
