"""Importing papers, reviewers and assignments: a file -> a plan, and a plan -> the database.

Importing a file twice changes nothing the second time; an empty cell leaves what is there; nothing is deleted. A file
with a problem in any row is not imported at all.
"""

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction

from surpeer.errors import InputError, Problem, counted, nearest_name, quoted
from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.venues.import_columns import ASSIGNMENT_COLUMNS, PAPER_COLUMNS, REVIEWER_COLUMNS
from surpeer.web.venues.import_plan import Changed, New, Plan
from surpeer.web.venues.import_table import ReadTable, Row, read_rows
from surpeer.web.venues.models import Assignment, Paper, Reviewer, Venue
from surpeer.web.venues.near_ids import NearIds

AT_ONCE = 2000  # rows per statement
MOST_SUGGESTIONS = 20  # looking for the nearest name among thousands takes its time
LIKENESS = 0.9  # of a reviewer's address or name: addresses at one place are much alike without being meant
HAS_PROBLEMS = "The file has problems, so nothing was imported."
HAS_CHANGED = "The venue has changed since this file was looked at. Nothing was imported; look at what would be now."


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
    return _plan_of(venue, "papers", table, "key", there)


def plan_reviewers(venue: Venue, table: ReadTable) -> Plan:
    """What importing these rows of reviewers would do; an address means the same in capitals."""
    for row in table.rows:
        row.cells["email"] = row.cells["email"].lower()
    there = {reviewer.email: reviewer for reviewer in venue.reviewers.exclude(email="")}
    return _plan_of(venue, "reviewers", table, "email", there)


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
        if paper is None or reviewer is None:
            continue
        seen.add((paper, reviewer))
        if (paper, reviewer) not in there:
            there.add((paper, reviewer))
            new.append(New(f"{row.cells['paper']}: {row.cells['reviewer']}", dict(row.cells), (paper, reviewer)))
    return Plan(venue, "assignments", new, [], len(seen) - len(new), _in_order(problems), table.notes)


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


def apply(plan: Plan, by: User | None = None) -> None:
    """Do what the plan says, all of it or nothing. InputError where it has problems or the venue changed meanwhile."""
    if plan.problems:
        raise InputError(HAS_PROBLEMS)
    if not plan.does_something:
        return
    try:
        with transaction.atomic():
            _WRITERS[plan.kind](plan)
            record(by, Action.IMPORTED, plan.venue, plan.kind, new=len(plan.new), changed=len(plan.changed))
    except IntegrityError:
        raise InputError(HAS_CHANGED) from None


def _plan_of(
    venue: Venue, kind: str, table: ReadTable, key: str, there: dict[str, Paper] | dict[str, Reviewer]
) -> Plan:
    """Compare rows with what is there, by the field that tells one from another."""
    plan = Plan(venue, kind, [], [], 0, list(table.problems), table.notes)
    seen: dict[str, Row] = {}
    unchanged = 0
    for row in table.rows:
        name = row.cells[key]
        if name in seen:
            plan.problems.extend(_twice(row, seen[name], key))
            continue
        seen[name] = row
        known = there.get(name)
        if known is None:
            plan.new.append(New(name, {field: text for field, text in row.cells.items() if text}))
        elif changes := _changes(row, known):
            plan.changed.append(Changed(known.pk, name, changes))
        else:
            unchanged += 1
    return Plan(venue, kind, plan.new, plan.changed, unchanged, _in_order(plan.problems), plan.notes)


def _changes(row: Row, known: Paper | Reviewer) -> dict[str, tuple[str, str]]:
    """What the row says otherwise; an empty cell says nothing."""
    old = {field: getattr(known, field) for field in row.cells}
    return {field: (old[field], text) for field, text in row.cells.items() if text and text != old[field]}


def _twice(row: Row, first: Row, key: str) -> list[Problem]:
    """The problem of a row for something that an earlier row is for, if it says something else."""
    if row.cells == first.cells:
        return []
    title = "id" if key == "key" else key
    found = f"{quoted(row.cells[key])}, as in row {first.number}, with other content"
    return [Problem(row.number, title, found, "one row for each", "keep one of the two rows")]


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


def _write_papers(plan: Plan) -> None:
    Paper.objects.bulk_create((Paper(venue=plan.venue, **new.fields) for new in plan.new), batch_size=AT_ONCE)
    _write_changes(Paper, plan)


def _write_reviewers(plan: Plan) -> None:
    Reviewer.objects.bulk_create((Reviewer(venue=plan.venue, **new.fields) for new in plan.new), batch_size=AT_ONCE)
    _write_changes(Reviewer, plan)


def _write_changes(model: type[Paper] | type[Reviewer], plan: Plan) -> None:
    """Update what changes; something that is no longer there, or other than it was, is a plan that is out of date."""
    changes = {changed.pk: changed.changes for changed in plan.changed}
    pks = iter(changes)
    while some := list(islice(pks, AT_ONCE)):
        known: list[Any] = list(model._default_manager.filter(venue=plan.venue, pk__in=some))
        if len(known) < len(some):
            raise InputError(HAS_CHANGED)
        for one in known:
            _change(one, changes[one.pk])
        fields = sorted({name for pk in some for name in changes[pk]})
        model._default_manager.bulk_update(known, fields, batch_size=AT_ONCE // len(fields))


def _change(one: Paper | Reviewer, changes: dict[str, tuple[str, str]]) -> None:
    for name, (old, new) in changes.items():
        if getattr(one, name) != old:
            raise InputError(HAS_CHANGED)
        setattr(one, name, new)


def _write_assignments(plan: Plan) -> None:
    rows = (Assignment(paper_id=new.pks[0], reviewer_id=new.pks[1]) for new in plan.new)
    Assignment.objects.bulk_create(rows, batch_size=AT_ONCE)


_WRITERS: dict[str, Callable[[Plan], None]] = {
    "papers": _write_papers,
    "reviewers": _write_reviewers,
    "assignments": _write_assignments,
}
