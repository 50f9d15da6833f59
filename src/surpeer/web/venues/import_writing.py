"""A plan of an import -> the database: all of it or nothing."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction

from surpeer.errors import InputError
from surpeer.web.accounts.models import User
from surpeer.web.audit.log import Action, record
from surpeer.web.venues.import_plan import Plan
from surpeer.web.venues.models import Assignment, Paper, Reviewer

AT_ONCE = 2000  # rows per statement
HAS_PROBLEMS = "The file has problems, so nothing was imported."
HAS_CHANGED = "The venue has changed since this file was looked at. Nothing was imported; look at what would be now."


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
