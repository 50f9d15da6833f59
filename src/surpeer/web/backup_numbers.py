"""The numbers that tables have given to their rows so far, also to those that are gone: the log names people and things
by number, so that none may be given a second time, not even after a restore."""

from collections.abc import Mapping

from django.core.management.color import no_style
from django.db import connection, models

Tables = list[type[models.Model]]


def last_numbers(tables: Tables) -> dict[str, int]:
    """The highest number that each table has ever given, by the name of the model."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            given = dict(cursor.fetchall())
        else:
            given = {model._meta.db_table: _of_sequence(cursor, model) for model in tables}
    return {model._meta.label_lower: given.get(model._meta.db_table) or 0 for model in tables}


def go_on_after(tables: Tables, numbers: Mapping[str, int]) -> None:
    """Let new rows have higher numbers than all rows that there are, and than these."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
    reached = last_numbers(tables)
    for model in tables:
        name = model._meta.label_lower
        if numbers.get(name, 0) > reached[name]:
            _set(model, numbers[name])


def _of_sequence(cursor: "connection.cursor", model: type[models.Model]) -> int:  # type: ignore[name-defined]
    """PostgreSQL keeps a sequence for each table; one that has given nothing yet has no last value."""
    cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", _where(model))
    return cursor.fetchone()[0] or 0


def _set(model: type[models.Model], number: int) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [model._meta.db_table, number])
        else:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [*_where(model), number])


def _where(model: type[models.Model]) -> list[str]:
    column = model._meta.pk.column if model._meta.pk is not None else ""
    return [f'"{model._meta.db_table}"', column or ""]
