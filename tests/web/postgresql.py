"""A PostgreSQL server for tests: a cluster in a temporary folder, reached over loopback, gone afterwards."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import SystemRandom

import psycopg
import pytest

MISSING = "PostgreSQL is not installed (Debian: sudo apt install postgresql)"
OPTIONS = "-c max_connections=100 -c fsync=off -c full_page_writes=off"
"""No test cuts the power: what PostgreSQL has committed outlives our own processes without waiting for the disk."""
_numbers = count(1)


def programs() -> Path | None:
    """The folder of the server's programs, which Debian keeps off the path."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


def free_port() -> int:
    """A port on loopback that nobody uses, below those that connections get: one of them might take it meanwhile."""
    while True:
        port = SystemRandom().randrange(10_000, 32_768)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass(frozen=True)
class PostgreSQL:
    """A running server."""

    folder: Path
    port: int

    @classmethod
    @contextmanager
    def started(cls) -> Iterator["PostgreSQL"]:
        bin_folder = programs()
        if bin_folder is None:
            if os.environ.get("CI"):
                pytest.fail(MISSING)
            pytest.skip(MISSING)
        folder = Path(tempfile.mkdtemp(prefix="surpeer-pg-"))
        user = _owner(folder)
        port = free_port()
        data = str(folder / "data")
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} {OPTIONS}"
        made = ["-D", data, "-U", "surpeer", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        _run(user, [bin_folder / "initdb", *made])
        _run(user, [bin_folder / "pg_ctl", "-D", data, "-l", folder / "log", "-o", options, "-w", "start"])
        try:
            yield cls(folder, port)
        finally:
            _run(user, [bin_folder / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])
            shutil.rmtree(folder, ignore_errors=True)

    def new_database(self) -> str:
        """The address of a new and empty database."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def url(self, database: str) -> str:
        return f"postgresql://surpeer@127.0.0.1:{self.port}/{database}"


def _owner(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root: then the user that its package made runs it."""
    if os.geteuid() != 0:
        return None
    shutil.chown(folder, "postgres")
    if folder.parent.stat().st_uid == 0 and not folder.parent.stat().st_mode & 0o001:
        folder.parent.chmod(0o711)  # the folder of this test run, which that user has to pass through
    return pwd.getpwnam("postgres").pw_name


def _run(user: str | None, command: list[object]) -> None:
    words = [str(word) for word in command]
    subprocess.run(words, user=user, check=True, stdout=subprocess.DEVNULL, cwd="/", extra_groups=[] if user else None)
