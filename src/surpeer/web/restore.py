"""One file -> an empty database (its form: `backup_tables`).

The tables are made as they were when the backup was, filled, and then brought up to date: so an old backup can be
restored by a newer surpeer, and one made on SQLite into PostgreSQL. All of that is one transaction, so that a restore
that fails leaves the database as it was. Sessions are not part of a backup: people sign in again; personal links go on
working.
"""

import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction

from surpeer.errors import InputError, counted
from surpeer.web.accounts.models import User
from surpeer.web.backup_numbers import go_on_after
from surpeer.web.backup_tables import (
    ABOUT,
    BATCH,
    FORMAT,
    Migrations,
    applied_migrations,
    read_rows,
    tables_at,
)
from surpeer.web.versions import APPS, check_not_later, known_migrations

Model = type[models.Model]
READ_AT_ONCE = 1024 * 1024


def restore(path: Path) -> dict[str, int]:
    """Restore a backup into a database that has nobody's data; returns how many rows there are of each kind."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = _checked(path, archive)
            _check_empty()
            migrations: Migrations = [(app, name) for app, name in about["migrations"]]
            with _all_or_nothing():
                _make_tables(migrations)
                _fill(path, archive, tables_at(migrations), about)
                call_command("migrate", verbosity=0, interactive=False)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except zipfile.BadZipFile as error:
        raise InputError(f"{path}: found no backup ({error}), expected a file that `surpeer backup` wrote") from None
    return dict(about["rows"])


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """A transaction for tables as well as for rows. SQLite changes tables only while nobody watches references between
    them, which cannot be switched within a transaction; `_fill` looks at them itself."""
    with connection.constraint_checks_disabled(), transaction.atomic():
        yield


def _checked(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    """What the backup says of itself; an error unless it is whole, and of a kind that is known here."""
    names = archive.namelist()
    damaged = [name for name in names if not _can_be_read(archive, name)] if ABOUT in names else []
    if damaged:
        raise InputError(f"{path}: is damaged at {damaged[0]}; use another copy of the backup")
    try:
        about: dict[str, Any] = json.loads(archive.read(ABOUT))
        rows, made_by, form = dict(about["rows"]), about["made_by"], about["format"]
        unknown = [f"{app}.{name}" for app, name in about["migrations"] if (app, name) not in known_migrations()]
    except (KeyError, ValueError, TypeError):
        raise InputError(
            f"{path}: found no {ABOUT} that can be read, expected a file that `surpeer backup` wrote"
        ) from None
    if form != FORMAT or unknown:
        raise InputError(
            f"{path}: was made by {made_by}, a later version than this one; install that one, or a later one"
        )
    missing = [name for name in rows if f"{name}.jsonl" not in names]
    if missing:
        raise InputError(f"{path}: is damaged: {missing[0]}.jsonl is missing; use another copy of the backup")
    return about


def _can_be_read(archive: zipfile.ZipFile, name: str) -> bool:
    try:
        with archive.open(name) as file:
            while file.read(READ_AT_ONCE):
                pass
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):  # the last: encrypted, or packed in an unknown way
        return False
    return True


def _check_empty() -> None:
    """Nobody's data is overwritten."""
    check_not_later()
    people = User.objects.count() if User._meta.db_table in connection.introspection.table_names() else 0
    if people:
        raise InputError(
            f"the database has {counted(people, 'account')}, and a backup is restored into an empty one only; "
            "name another folder with --data, or another database in DATABASE_URL"
        )


def _make_tables(migrations: Migrations) -> None:
    """Tables as they were at these migrations; empty ones that are there go first."""
    for app in APPS if applied_migrations() else ():
        call_command("migrate", app, "zero", verbosity=0, interactive=False)
    for app, name in migrations:
        call_command("migrate", app, name, verbosity=0, interactive=False)


def _fill(path: Path, archive: zipfile.ZipFile, tables: list[Model], about: dict[str, Any]) -> None:
    """Every row, and the numbers that new rows go on with."""
    reading = ""
    try:
        for model in tables:
            reading = model._meta.label_lower
            with archive.open(f"{reading}.jsonl") as lines:
                count = sum(map(len, _saved(model, read_rows(model, lines))))
            _check_count(path, reading, count, about["rows"])
            connection.check_constraints([model._meta.db_table])  # that what its rows refer to is there
        go_on_after(tables, about.get("numbers", {}))
    except InputError:
        raise
    except (DatabaseError, ValidationError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = str(error).split("\n")[0]
        raise InputError(f"{path}: is damaged at {reading}.jsonl ({what}); use another copy of the backup") from None


def _check_count(path: Path, name: str, count: int, expected: dict[str, int]) -> None:
    if count != expected.get(name):
        found = f"{name} has {counted(count, 'row')}, expected {expected.get(name, 0):,}"
        raise InputError(f"{path}: is damaged: {found}; use another copy of the backup")


def _saved(model: Model, rows: Iterator[models.Model]) -> Iterator[list[models.Model]]:
    while batch := list(islice(rows, BATCH)):
        yield model._base_manager.bulk_create(batch)
