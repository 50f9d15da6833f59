"""Importing papers, reviewers and assignments: a file -> a plan. What is done with it is in `import_writing`.

Importing a file twice changes nothing the second time; an empty cell leaves what is there; nothing is deleted. A file
with a problem in any row is not imported at all.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from surpeer.errors import Problem, counted, nearest_name, quoted
from surpeer.web.venues.import_cells import ReadTable, Row
from surpeer.web.venues.import_columns import ASSIGNMENT_COLUMNS, COLUMNS, PAPER_COLUMNS, REVIEWER_COLUMNS
from surpeer.web.venues.import_conflicts import author_warnings
from surpeer.web.venues.import_plan import Changed, New, Plan
from surpeer.web.venues.import_table import read_rows
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from surpeer.web.venues.near_ids import NearIds, alike_warnings
from surpeer.web.venues.same_names import same_name_warnings

MOST_SUGGESTIONS = 20  # looking for the nearest name among thousands takes its time
LIKENESS = 0.9  # of a reviewer's address or name: addresses at one place are much alike without being meant


def read_papers(venue: Venue, name: str, data: bytes) -> Plan:
    """What importing this file of papers would do. `name` is the file's."""
    return plan_papers(venue, read_rows(name, data, PAPER_COLUMNS))


def read_reviewers(venue: Venue, name: str, data: bytes) -> Plan:
    """What importing this file of reviewers would do."""
    return plan_reviewers(venue, read_rows(name, data, REVIEWER_COLUMNS))


def read_assignments(venue: Venue, name: str, data: bytes) -> Plan:
    """What importing this file of assignments would do."""
    return plan_assignments(venue, read_rows(name, data, ASSIGNMENT_COLUMNS))


def plan_papers(venue: Venue, table: ReadTable) -> Plan:
    """What importing these rows of papers would do."""
    there = {paper.key: paper for paper in venue.papers.all()}
    plan = _plan_of(venue, "papers", table, "key", there)
    return replace(plan, warnings=alike_warnings([new.name for new in plan.new], there))


def plan_reviewers(venue: Venue, table: ReadTable) -> Plan:
    """What importing these rows of reviewers would do; an address means the same in capitals."""
    for row in table.rows:
        row.cells.update({field: text.lower() for field, text in row.cells.items() if field == "email"})
    there = {reviewer.email: reviewer for reviewer in venue.reviewers.exclude(email="")}
    plan = _plan_of(venue, "reviewers", table, "email", there)
    return replace(plan, warnings=same_name_warnings(plan, {email: one.name for email, one in there.items()}))


def plan_assignments(venue: Venue, table: ReadTable) -> Plan:
    """What importing these rows of assignments would do: a paper by its id, a reviewer by address or by name."""
    papers: dict[str, list[int]] = {key: [pk] for key, pk in venue.papers.values_list("key", "pk")}
    reviewers = _reviewers_by_name(venue)
    near_papers, near_reviewers = NearIds(papers).nearest, partial(nearest_name, known=reviewers, likeness=LIKENESS)
    there = set(Assignment.objects.filter(paper__venue=venue).values_list("paper", "reviewer"))
    problems, new, seen = list(table.problems), [], set()
    for row in table.rows:
        paper = _find(row, "paper", papers, near_papers, problems)
        reviewer = _find(row, "reviewer", reviewers, near_reviewers, problems)
        if paper is None or reviewer is None or not row.is_sound:
            continue
        seen.add((paper, reviewer))
        if (paper, reviewer) not in there:
            there.add((paper, reviewer))
            new.append(New(f"{row.cells['paper']}: {row.cells['reviewer']}", dict(row.cells), (paper, reviewer)))
    plan = Plan(venue, "assignments", new, [], len(seen) - len(new), _in_order(problems), table.notes)
    return replace(plan, warnings=author_warnings(venue, new))


READERS: dict[str, Callable[[Venue, str, bytes], Plan]] = {
    "papers": read_papers,
    "reviewers": read_reviewers,
    "assignments": read_assignments,
}
PLANNERS: dict[str, Callable[[Venue, ReadTable], Plan]] = {
    "papers": plan_papers,
    "reviewers": plan_reviewers,
    "assignments": plan_assignments,
}


def _plan_of(
    venue: Venue, kind: str, table: ReadTable, key: str, there: dict[str, Paper] | dict[str, Reviewer]
) -> Plan:
    """Compare rows with what is there, by the field that tells one from another."""
    rows, twice = _one_row_each(table.rows, key, {column.field: column.title for column in COLUMNS[kind]})
    plan = Plan(venue, kind, [], [], 0, _in_order([*table.problems, *twice]), table.notes)
    unchanged = 0
    for row in rows:
        if not row.is_sound:
            continue
        name = row.cells[key]
        known = there.get(name)
        if known is None:
            plan.new.append(New(name, {field: text for field, text in row.cells.items() if text}))
        elif changes := _changes(row, known):
            plan.changed.append(Changed(known.pk, name, changes))
        else:
            unchanged += 1
    return replace(plan, unchanged=unchanged)


def _changes(row: Row, known: Paper | Reviewer) -> dict[str, tuple[str, str]]:
    """What the row says otherwise; an empty cell says nothing."""
    old = {field: getattr(known, field) for field in row.cells}
    return {field: (old[field], text) for field, text in row.cells.items() if text and text != old[field]}


def _one_row_each(rows: Iterable[Row], key: str, titles: dict[str, str]) -> tuple[list[Row], list[Problem]]:
    """One row for each id or address: a later one may fill what the first leaves empty, and must not contradict it."""
    found: dict[str, Row] = {}
    problems = []
    for row in rows:
        if key not in row.cells:
            continue
        first = found.setdefault(row.cells[key], row)
        others = [field for field, text in row.cells.items() if text and first.cells.get(field, "") not in ("", text)]
        if others:
            different = " and ".join(_another(titles[field]) for field in others)
            twice = f"{quoted(row.cells[key])}, as in row {first.number}, with {different}"
            problems.append(Problem(row.number, titles[key], twice, "one row for each", "keep one of the two rows"))
        else:
            first.cells.update({field: text for field, text in row.cells.items() if text})
    return list(found.values()), problems


def _another(title: str) -> str:
    return f"other {title}" if title.endswith("s") else f"another {title}"


def _reviewers_by_name(venue: Venue) -> dict[str, list[int]]:
    """Reviewers by address and by name, in lower case; several may have one name."""
    found: dict[str, list[int]] = {}
    for pk, name, email in venue.reviewers.filter(erased_at=None).values_list("pk", "name", "email"):
        for text in {name.lower(), email} - {""}:
            found.setdefault(text, []).append(pk)
    return found


def _find(
    row: Row, column: str, known: dict[str, list[int]], nearest: Callable[[str], str | None], problems: list[Problem]
) -> int | None:
    """The key of the paper or reviewer that a cell names; else None, and a problem."""
    if column not in row.cells:  # its problem is known
        return None
    text = row.cells[column].lower() if column == "reviewer" else row.cells[column]
    found = known.get(text, [])
    if len(found) == 1:
        return found[0]
    cell = quoted(row.cells[column])
    if found:
        several = f"{cell}, which {counted(len(found), 'reviewer')} are called"
        problems.append(Problem(row.number, column, several, "one reviewer", "write the e-mail address instead"))
        return None
    near = nearest(text) if len(problems) < MOST_SUGGESTIONS else None
    remedy = f"did you mean {quoted(near)}?" if near else f"import the {column}s first, or correct the cell"
    expected = f"a {column} of this venue" + (" (e-mail address or name)" if column == "reviewer" else "")
    problems.append(Problem(row.number, column, cell, expected, remedy))
    return None


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.row or 0)
