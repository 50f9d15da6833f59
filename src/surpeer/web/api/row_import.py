"""Rows of a table that a script sends -> the plan of an import, by the rules for files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from django.db import transaction
from pydantic import BaseModel, Field, StrictBool

from surpeer.errors import InputError
from surpeer.web.accounts.models import User
from surpeer.web.api.answers import ProblemOut
from surpeer.web.api.fields import Given
from surpeer.web.api.problems import Refusal
from surpeer.web.venues.import_columns import COLUMNS, Column
from surpeer.web.venues.import_plan import Plan
from surpeer.web.venues.import_table import ReadTable, Row
from surpeer.web.venues.importing import PLANNERS, apply
from surpeer.web.venues.models import Venue

MOST_ROWS = 50_000
Cell = Annotated[str, Field(max_length=20_000)]
"""Each column has a bound and rules of its own, which are checked with all the others."""
DryRun = Annotated[StrictBool, Field(description="Say what would be done, and do nothing.")]


class RowsIn(Given):
    """What all imports have."""

    dry_run: DryRun = False


class ImportOut(BaseModel):
    """What an import did, or would do. Nothing is ever deleted; an empty cell leaves what is there."""

    dry_run: bool
    new: int
    changed: int
    unchanged: int
    summary: str


def import_rows(venue: Venue, kind: str, rows: Sequence[Mapping[str, str]], by: User, *, dry_run: bool) -> ImportOut:
    """Import all rows or nothing. 422 with every problem of every row; 409 if the venue changed at the same moment."""
    table = read_table(rows, COLUMNS[kind])
    with transaction.atomic():
        Venue.objects.select_for_update().get(pk=venue.pk)  # two imports, one after the other
        plan = PLANNERS[kind](venue, table)
        if plan.problems:
            raise Refusal(422, *map(ProblemOut.of, plan.problems))
        if not dry_run:
            _apply(plan, by)
    return ImportOut(
        dry_run=dry_run,
        new=len(plan.new),
        changed=len(plan.changed),
        unchanged=plan.unchanged,
        summary=plan.summary,
    )


def _apply(plan: Plan, by: User) -> None:
    try:
        apply(plan, by)
    except InputError as error:
        raise Refusal(409, str(error)) from None


def read_table(rows: Iterable[Mapping[str, str]], columns: Sequence[Column]) -> ReadTable:
    """The rows that can be used, and what is wrong with the others. Rows count from 1."""
    table = ReadTable([], [], [])
    for number, cells in enumerate(rows, start=1):
        read = {column.field: column.read(cells.get(column.title, ""), number) for column in columns}
        problems = [problem for _, problem in read.values() if problem is not None]
        table.problems.extend(problems)
        if not problems:
            table.rows.append(Row(number, {field: text for field, (text, _) in read.items()}))
    return table
