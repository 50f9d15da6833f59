"""Rows of a table that a script sends -> the plan of an import, by the rules for files.

What is no text at all is found by pydantic, and told together with what the table's own rules find.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from django.db import transaction
from pydantic import BaseModel, BeforeValidator, Field, StrictBool, TypeAdapter, ValidationError, WrapValidator

from surpeer.errors import InputError
from surpeer.web.accounts.models import User
from surpeer.web.api.answers import ProblemOut
from surpeer.web.api.fields import MOST_PK, Given
from surpeer.web.api.problems import Refusal, malformed
from surpeer.web.venues.import_cells import Column, ReadTable
from surpeer.web.venues.import_plan import Plan
from surpeer.web.venues.import_writing import apply
from surpeer.web.venues.importing import PLANNERS
from surpeer.web.venues.models import Venue

MOST_ROWS = 50_000


def _whole_number_as_text(value: Any) -> Any:
    """An id may be a whole number, as in a workbook; true and false are none, though Python counts with them."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number and abs(value) <= MOST_PK else value


Text = Annotated[str, Field(max_length=20_000)]
Whole = Annotated[int, Field(ge=-MOST_PK, le=MOST_PK)]
Cell = Annotated[Text, BeforeValidator(_whole_number_as_text, json_schema_input_type=Text | Whole)]
"""Each column has a bound and rules of its own, which are checked with all the others."""
AS_SENT = WrapValidator(lambda row, _: row)
"""Of a row: is described, and not yet checked, because its problems are told with those of all other rows."""
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
    warnings: list[str] = Field(description="What to look at, though it can be imported.")


def import_table(
    venue: Venue, kind: str, table: ReadTable, others: Sequence[ProblemOut], by: User, *, dry_run: bool
) -> ImportOut:
    """Import all rows or nothing. 422 with every problem of every row; 409 if the venue changed at the same moment."""
    with transaction.atomic():
        Venue.objects.select_for_update().get(pk=venue.pk)  # two imports, one after the other
        plan = PLANNERS[kind](venue, table)
        if plan.problems or others:
            raise Refusal(422, *others, *map(ProblemOut.of, plan.problems))
        if not dry_run:
            _apply(plan, by)
    return ImportOut(
        dry_run=dry_run,
        new=len(plan.new),
        changed=len(plan.changed),
        unchanged=plan.unchanged,
        summary=plan.summary,
        warnings=plan.warnings,
    )


def _apply(plan: Plan, by: User) -> None:
    try:
        apply(plan, by)
    except InputError as error:
        raise Refusal(409, str(error)) from None


def read_table(
    rows: Sequence[Any], schema: type[Given], columns: Sequence[Column]
) -> tuple[ReadTable, list[ProblemOut]]:
    """The rows as far as they can be read, with what is wrong with their texts; and what is no text, or no row, at all.
    Rows count from 1."""
    texts, errors = _texts(rows, schema)
    table = ReadTable([], [], [])
    bad = {(at, field) for at, *fields in (error["loc"] for error in errors) for field in fields[:1]}
    faulty = {error["loc"][0] for error in errors}
    for at, cells in enumerate(texts):
        if isinstance(cells, dict):
            fields = [column for column in columns if (at, column.title) not in bad]
            given = {column.field: _whole_number_as_text(cells.get(column.title, "")) for column in fields}
            table.add(at + 1, given, columns, is_sound=at not in faulty)
    return table, [malformed({**error, "loc": ("body", "given", "rows", *error["loc"])}) for error in errors]


def _texts(rows: Sequence[Any], schema: type[Given]) -> tuple[Sequence[Any], list[Any]]:
    """The rows by the description of one, and pydantic's errors, where they do not all fit it."""
    adapter: TypeAdapter[list[Given]] = TypeAdapter(list[schema])  # type: ignore[valid-type]
    try:
        return [row.model_dump() for row in adapter.validate_python(rows)], []
    except ValidationError as error:
        return rows, error.errors(include_url=False)
