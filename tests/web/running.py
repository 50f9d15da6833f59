"""`surpeer serve` as a process of its own, as a user starts it."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from web.postgresql import free_port
from web.waiting import PATIENCE

FEW_WORKERS = ("--workers", "2")
"""Each loads the pages when it is first asked for one: with the usual number, tests would wait for that most of all."""
OURS = ("DATABASE_URL", "SURPEER_", "EMAIL_", "DJANGO_SETTINGS_MODULE")


@dataclass
class RunningServer:
    """A server with its data folder. `text` is what it has printed so far."""

    process: subprocess.Popen[bytes]
    data: Path
    port: int
    output: Path
    database_url: str | None
    options: tuple[str, ...]

    @classmethod
    @contextmanager
    def started(
        cls, data: Path, database_url: str | None = None, options: tuple[str, ...] = (), port: int | None = None
    ) -> Iterator["RunningServer"]:
        """Start it and wait until it answers; at the end the whole group of processes is gone."""
        running = cls.start(data, database_url, options, port)
        try:
            running.wait_until_ready()
            yield running
        finally:
            running.stop()

    @classmethod
    def start(
        cls, data: Path, database_url: str | None = None, options: tuple[str, ...] = (), port: int | None = None
    ) -> "RunningServer":
        port = port or free_port()
        data.parent.mkdir(parents=True, exist_ok=True)
        output = data.parent / f"{data.name}-{port}.log"
        command = [sys.executable, "-m", "surpeer", "serve", "--data", str(data), "--port", str(port)]
        command += [*FEW_WORKERS, *options]  # what comes last counts
        with output.open("ab") as file:
            process = subprocess.Popen(
                command, env=environment(database_url), stdout=file, stderr=file, start_new_session=True
            )
        return cls(process, data, port, output, database_url, options)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def text(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def link(self, path: str) -> str:
        """The first printed address below `path`, such as /join/."""
        found = re.search(rf"http://\S+{re.escape(path)}\S+", self.text)
        assert found, f"no link to {path} in:\n{self.text}"
        return found.group()

    def wait_until_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/health/", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"the server did not start:\n{self.text}") from None
                time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL to every process of the server at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM, and SIGKILL to whatever is left of it."""
        if self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=30)
        with suppress(ProcessLookupError):
            self.kill()


def environment(database_url: str | None, **more: str) -> dict[str, str]:
    """Of a process: nothing of ours but what is given."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return {**rest, **({"DATABASE_URL": database_url} if database_url else {}), **more}
