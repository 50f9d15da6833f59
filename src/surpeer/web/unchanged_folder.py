"""A folder of the data that is as it was before, if what was to fill it fails."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from surpeer.web.deployment import KEY_FILE

DATABASE = "surpeer.sqlite3"
OURS = (KEY_FILE, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal")


@contextmanager
def unchanged_on_failure(folder: Path) -> Iterator[None]:
    """Take away again the key, the database and the folders that were not there before, whatever ends this early."""
    files = [path for name in OURS if not (path := folder / name).exists()]
    folders = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        yield
    except BaseException:
        _close_database()
        for path in files:
            path.unlink(missing_ok=True)
        for path in folders:
            with suppress(OSError):  # somebody else put something there
                path.rmdir()
        raise


def _close_database() -> None:
    """So that nothing is written into it after it has gone."""
    from django.apps import apps
    from django.db import connections

    if apps.ready:
        connections.close_all()
