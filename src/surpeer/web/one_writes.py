"""One writer at a time, in turn.

SQLite lets one connection write at a time, and has the others look again after a while: with many writers, processors
stand idle meanwhile. Those who wait for each other here go on at once. Who writes without it still waits for SQLite.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from django.conf import settings

_between_threads = Lock()


@contextmanager
def one_writes() -> Iterator[None]:
    """Keeps others out, of this process and of other ones, who use the same database."""
    with _between_threads:
        file = _opened(os.getpid())
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@cache
def _opened(_process: int) -> int:
    """A file beside the database; each process opens it for itself, because a lock belongs to what was opened."""
    name = settings.DEPLOYMENT.data / "surpeer.sqlite3-turn"
    return os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
