"""Storing a review in one go: the statement that writes it also checks whether it may be written.

Nearly every submission can be stored as it is, and thousands of them may come in the last hour. So nothing is asked of
the database before: what refuses a submission stands in the statement itself, and where it stores nothing, `submitting`
finds out why. PostgreSQL takes all of it as one statement, which is a transaction by itself; SQLite takes one
transaction of up to three.
"""

from contextlib import nullcontext
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from django.utils import timezone

from surpeer.web.audit.log import Action, entry_of
from surpeer.web.audit.models import Entry
from surpeer.web.one_writes import one_writes
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues.models import Assignment, Reviewer, Venue

ASKED = ("levels", "prediction_form", "imagined", "blindness")
"""What reviewers of a venue are asked, and who will see it: the values were checked by this."""


@cache
def _fields(model: type[Model]) -> "list[Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@cache
def _insert(model: type[Model]) -> str:
    columns = [connection.ops.quote_name(str(field.column)) for field in _fields(model)]
    return f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(['%s'] * len(columns))}"


def _values(row: Model, database: BaseDatabaseWrapper) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), database) for field in _fields(type(row))]


# The venue is locked against chairs who change it meanwhile; many submissions hold this lock at once. SQLite, whose
# transactions that write come one after the other, has no need of it.
_MAY_BE_STORED = f"""
FROM {Assignment._meta.db_table} AS assignment
JOIN {Reviewer._meta.db_table} AS reviewer ON reviewer.id = assignment.reviewer_id
JOIN {Venue._meta.db_table} AS venue ON venue.id = reviewer.venue_id
WHERE assignment.id = %s AND assignment.declined_at IS NULL AND venue.closed_at IS NULL AND venue.deadline > %s
AND {" AND ".join(f"venue.{name} = %s" for name in ASKED)}
AND %s = (SELECT COALESCE(MAX(number), 0) FROM {Submission._meta.db_table} WHERE assignment_id = assignment.id)
"""  # noqa: S608 - of names of our own
_DROP_DRAFT = f"DELETE FROM {Draft._meta.db_table} WHERE assignment_id"  # noqa: S608 - of names of our own


def _conditions(new: Submission, database: BaseDatabaseWrapper) -> list[Any]:
    venue = new.assignment.reviewer.venue
    expected = {"deadline": timezone.now(), **{name: getattr(venue, name) for name in ASKED}}
    column = Venue._meta.get_field
    of_venue = [column(name).get_db_prep_save(value, database) for name, value in expected.items()]  # type: ignore[union-attr]
    return [new.assignment_id, *of_venue, new.number - 1]


def stored_at_once(new: Submission) -> bool:
    """Store this review with its entry in the log, in place of the draft; False where that cannot be done at once.

    IntegrityError where the same form, or another one, was faster.
    """
    database = connections[DEFAULT_DB_ALIAS]  # `connection` looks it up anew for each of the many values
    reviewer, paper = new.assignment.reviewer, new.assignment.paper
    entry = entry_of(reviewer, Action.SUBMITTED, reviewer.venue, paper.key, number=new.number)
    rows = [*_values(new, database), *_conditions(new, database)], _values(entry, database)
    if database.vendor != "postgresql":
        with one_writes(), transaction.atomic(), database.cursor() as cursor:
            return _in_three_statements(cursor, new.assignment_id, *rows)
    # An error would end the transaction that this is a part of, if any.
    with transaction.atomic() if database.in_atomic_block else nullcontext(), database.cursor() as cursor:
        return _in_one_statement(cursor, *rows)


def _in_one_statement(cursor: CursorWrapper, new: list[Any], entry: list[Any]) -> bool:
    stored = f"{_insert(Submission)} {_MAY_BE_STORED} FOR SHARE OF venue RETURNING assignment_id"
    dropped = f"{_DROP_DRAFT} IN (SELECT assignment_id FROM stored)"  # noqa: S608 - likewise
    cursor.execute(f"WITH stored AS ({stored}), dropped AS ({dropped}) {_insert(Entry)} FROM stored", [*new, *entry])
    return bool(cursor.rowcount == 1)


def _in_three_statements(cursor: CursorWrapper, assignment: int, new: list[Any], entry: list[Any]) -> bool:
    cursor.execute(f"{_insert(Submission)} {_MAY_BE_STORED}", new)
    if cursor.rowcount != 1:
        return False
    cursor.execute(f"{_DROP_DRAFT} = %s", [assignment])
    cursor.execute(_insert(Entry), entry)
    return True
