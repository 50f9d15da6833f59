"""Queries whose SQL is written once.

Django writes the SQL of a query anew each time, which takes several times as long as running it. For the few queries
that every request of a reviewer makes, the SQL that Django wrote at the first time is kept, and only the values in it
are exchanged. Queries are written with Django's own query sets, so each database gets its own SQL.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from threading import local
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet

Row = Sequence[Any]


class WrittenOnce:
    """A query for rows of values, with places for numbers and texts.

    `query` makes the query set from stand-ins, one of each of `kinds`; it must use each of them as the value of an
    exact look-up.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Any]], *kinds: type[int | str]) -> None:
        self._query, self._kinds = query, kinds
        self._kept = local()  # each thread has a connection of its own

    def first(self, *values: int | str) -> Row | None:
        """The first row that it finds with these values."""
        if not hasattr(self._kept, "written"):
            self._kept.written = _Written(self._query, self._kinds)
        written: _Written = self._kept.written
        return written.first(values)


class _Written:
    """The SQL, and how to read its rows."""

    def __init__(self, query: Callable[..., QuerySet[Any, Any]], kinds: tuple[type[int | str], ...]) -> None:
        stand_ins = [_stand_in(kind, place) for place, kind in enumerate(kinds)]
        self.compiler = query(*stand_ins).query.get_compiler(connection=connection)
        self.sql, values = self.compiler.as_sql()
        self.places = [stand_ins.index(value) for value in values]
        self.converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])

    def first(self, values: tuple[int | str, ...]) -> Row | None:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [values[place] for place in self.places])
            found = cursor.fetchmany(1)
        return next(iter(self.compiler.apply_converters(found, self.converters)), None)


def _stand_in(kind: type[int | str], place: int) -> int | str:
    """A value that occurs nowhere else in the query."""
    return 2_000_000_000 + place if kind is int else f"stand-in {place}"


@cache
def names_of(model: type[Model], path: str = "") -> list[str]:
    """The names of all values of an object, as `values_list` takes them; `path` leads from the query to it."""
    return [f"{path}{field.attname}" for field in model._meta.concrete_fields]


def objects_of(row: Row, *models: type[Model]) -> list[Any]:
    """An object of each model, from a row that holds the values of each in turn."""
    values = iter(row)
    return [
        model.from_db(DEFAULT_DB_ALIAS, names, list(islice(values, len(names))))
        for model, names in ((model, names_of(model)) for model in models)
    ]
