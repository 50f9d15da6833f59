"""The database -> one file that shows one moment (its form: `backup_tables`)."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.db import connection, transaction
from django.utils import timezone

from surpeer import __version__
from surpeer.errors import InputError
from surpeer.io.whole_file import write_whole
from surpeer.web.backup_numbers import last_numbers
from surpeer.web.backup_tables import ABOUT, FORMAT, applied_migrations, tables_at, write_rows
from surpeer.web.versions import check_not_later
from surpeer.web.zip_member import new_member

OURS_ONLY = 0o600


def back_up(path: Path) -> dict[str, int]:
    """Write a backup, which then is there whole or not at all; returns how many rows there are of each kind."""
    check_not_later()
    if not applied_migrations():
        raise InputError("the database has no tables of surpeer: there is nothing to back up")
    if path.is_file():
        path.chmod(OURS_ONLY)  # a file that is replaced hands on who may read it
    counts: dict[str, int] = {}
    write_whole(path, lambda stream: counts.update(_write(stream)))
    return counts


def _write(stream: BinaryIO) -> dict[str, int]:
    counts = {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, _one_moment():
        migrations = applied_migrations()
        tables = tables_at(migrations)
        for model in tables:
            name = model._meta.label_lower
            with archive.open(new_member(f"{name}.jsonl"), "w", force_zip64=True) as file:
                counts[name] = write_rows(model, file)
        about = {
            "format": FORMAT,
            "made_by": f"surpeer {__version__}",
            "made_at": timezone.now().isoformat(),
            "migrations": migrations,
            "rows": counts,
            "numbers": last_numbers(tables),
        }
        archive.writestr(ABOUT, json.dumps(about, indent=1))
    return counts


@contextmanager
def _one_moment() -> Iterator[None]:
    """A transaction that does not see what others write meanwhile, and does not keep them from writing."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        # elsewhere transactions begin with the lock for writing
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined] # of SQLite's alone
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
