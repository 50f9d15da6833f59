"""The narrow table of batch/reviewcsv.php, one row for each answer -> one row for each review.

With -c it also has comments, and with -f what the paper itself says: its title, and whether it was withdrawn.
"""

from dataclasses import dataclass, field

from surpeer.errors import Problem, counted, quoted
from surpeer.io.platforms.hotcrp.tables import Rows
from surpeer.io.platforms.plain_text import plain_name
from surpeer.io.platforms.refusals import MOST_FIELDS, too_many_fields

COMMENTS = ("comment", "response")
WITHDRAWN, TITLE = "withdrawn", "Title"


@dataclass(slots=True)
class Narrow:
    """The rows of a narrow table by what they are about."""

    answers: list[int] = field(default_factory=list)
    """Positions of the rows that are answers of reviews."""
    comments: int = 0
    of_papers: int = 0
    """Rows with texts of papers that nobody needs."""
    withdrawn: set[str] = field(default_factory=set)
    """Papers."""
    titles: dict[str, str] = field(default_factory=dict)
    """By papers."""

    @property
    def notes(self) -> list[str]:
        counts = ((self.comments, "comments"), (self.of_papers, "texts of papers"))
        return [
            f"{counted(times, 'row')} that {'is no review' if times == 1 else 'are no reviews'} left out ({what})"
            for times, what in counts
            if times
        ]


def sort_rows(rows: Rows) -> Narrow:
    """Which rows are answers of reviews. A paper's own texts have no review and nobody who wrote it."""
    found = Narrow()
    papers, names, data = map(rows.column, ("pid", "field", "data"))
    columns = zip(rows.column("review"), rows.column("email"), rows.column("status"), strict=True)
    for at, (review, email, status) in enumerate(columns):
        if not review and not email:
            if names[at] == TITLE and data[at]:
                found.titles.setdefault(papers[at], data[at])
            else:
                found.of_papers += 1
            if status == WITHDRAWN:
                found.withdrawn.add(papers[at])
        elif status.endswith(COMMENTS):
            found.comments += 1
        else:
            found.answers.append(at)
    return found


def gather_reviews(rows: Rows, answers: list[int], source: str) -> Rows:
    """A row for each review and a column for each field."""
    plain = {name: plain_name(name) for name in set(rows.column("field"))}
    if len(plain) > MOST_FIELDS:
        raise too_many_fields(source, len(plain), "field")
    papers, reviews, emails, names, data = map(rows.column, ("pid", "review", "email", "field", "data"))
    first: list[int] = []
    known: dict[tuple[str, str, str], int] = {}
    cells: dict[str, dict[int, str]] = {}
    problems = list(rows.problems)
    for at in answers:
        review = known.setdefault((papers[at], reviews[at], emails[at]), len(first))
        if review == len(first):
            first.append(at)
        name = plain[names[at]]
        column = cells.setdefault(name, {})
        if not name or review in column:
            problems.append(_problem(rows.place[at], name, reviews[at]))
        else:
            column[review] = data[at]
    return Rows(
        {name: [column[at] for at in first] for name, column in rows.own.items()},
        {name: [column.get(at) or None for at in range(len(first))] for name, column in cells.items() if name},
        [rows.place[at] for at in first],
        problems,
    )


def _problem(row: int, name: str, review: str) -> Problem:
    if not name:
        return Problem(row, "field", "an empty cell", "the name of a field", "export the file again")
    found = f"a second {quoted(name)} of review {quoted(review)}"
    return Problem(row, "field", found, "one answer", "delete one of the two rows, or export the file again")
