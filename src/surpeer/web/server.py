"""Running the application: prepare the data, then gunicorn with several workers, and the background process beside it.

main -> prepare (folder, key, tables, static files) -> Server.run -> SupervisingArbiter
                                                                      |- workers: answer requests
                                                                      |- surpeer.web.background: computes results
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from django.core.management import call_command
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import ThreadWorker

from surpeer.web.deployment import Deployment
from surpeer.web.setting_up import set_up
from surpeer.web.versions import check_not_later

BACKGROUND = (sys.executable, "-m", "surpeer.web.background")
PAUSE = 5.0
"""Seconds before a background process that ended is started again."""
LAST_WAIT = 5.0
"""Seconds that it has to end by itself: what it computes is stored in one piece or not at all."""
LAST_ANSWERS = 0.1
"""Seconds that a worker has to answer what it is being asked when a terminal ends the server."""
MOST_WORKERS = 16
"""Unless somebody asks for more: PostgreSQL lets about a hundred in by default, and there may be other programs."""
OF_TERMINALS = frozenset({signal.SIGINT, signal.SIGHUP})
"""Signals that a terminal sends to all processes in it, though the first of them tells the others to end."""
ENDING = OF_TERMINALS | {signal.SIGTERM, signal.SIGQUIT}
"""Signals that end a worker."""


@dataclass(frozen=True)
class Options:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = min(2 * (os.cpu_count() or 1), MOST_WORKERS)
    """Two for each processor, so that one can wait for the disk: more get into each other's way."""
    threads: int = 2
    """Of each worker: requests that are answered at the same time."""


def prepare(deployment: Deployment) -> None:
    """Everything that a server needs before its first request; does no harm when it is there already."""
    set_up(deployment)
    check_not_later()
    call_command("migrate", verbosity=0, interactive=False)
    _forget_old_visits()
    call_command("collectstatic", verbosity=0, interactive=False, clear=False)


def _forget_old_visits() -> None:
    from surpeer.web.visits.store import SessionStore  # models can be imported only once Django is set up

    SessionStore.clear_expired()


def serve(options: Options, when_ready: Callable[[], None]) -> None:
    """Answer requests until a signal ends it; `when_ready` is called once it does."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # the command lets it end a process: any client that left would
    Server(options, when_ready).run()


class Server(BaseApplication):
    """gunicorn, configured from here instead of from a file."""

    def __init__(self, options: Options, when_ready: Callable[[], None]) -> None:
        self.options = options
        self.when_ready = when_ready
        super().__init__()

    def load_config(self) -> None:
        host = f"[{self.options.host}]" if ":" in self.options.host else self.options.host
        settings = {
            "bind": f"{host}:{self.options.port}",
            "workers": self.options.workers,
            "threads": self.options.threads,
            "worker_class": Worker,
            "backlog": 2048,
            "keepalive": 5,
            "timeout": 60,
            "graceful_timeout": 30,
            "max_requests": 50_000,
            "max_requests_jitter": 5_000,
            "control_socket_disable": True,
            "loglevel": "warning",
            "proc_name": "surpeer",
            "forwarded_allow_ips": "127.0.0.1,::1",
            "when_ready": lambda _server: self.when_ready(),
            "post_worker_init": _listen,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from surpeer.web.wsgi import application

        return application

    def run(self) -> None:
        SupervisingArbiter(self).run()


class Worker(ThreadWorker):
    """Lets go of the port once it is told to end: as long as it finishes what it has begun, others would get in by it,
    wait, and get no answer."""

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in self.sockets:
                listener.close()

    def handle_quit(self, _number: int, _frame: FrameType | None) -> None:
        """Soon, wherever it is: to end in order takes locks that it may hold, and then it would wait for itself."""
        time.sleep(LAST_ANSWERS)
        os._exit(0)


class SupervisingArbiter(Arbiter):
    """Keeps the background process running beside the workers, and ends it with them."""

    background: subprocess.Popen[bytes] | None = None
    started = -PAUSE

    def manage_workers(self) -> None:
        super().manage_workers()
        ended = self.background is None or self.background.poll() is not None
        if ended and time.monotonic() - self.started >= PAUSE:
            self.background = _without_interrupts((*BACKGROUND, str(os.getpid())))
            self.started = time.monotonic()

    def spawn_worker(self) -> Any:
        """A worker begins as a copy of this process, which would only take note of a signal: it gets those that come
        while it starts once it knows what to do. When it ends, it must not tidy up after the whole server, whose code
        it is in the middle of."""
        with _later(ENDING):
            try:
                return super().spawn_worker()
            except SystemExit as ended:
                if os.getpid() != self.pid:
                    os._exit(ended.code if isinstance(ended.code, int) else 0)
                raise

    def handle_hup(self) -> None:
        """A terminal that closes ends what was started in it; there is no configuration to read again."""
        self.handle_term()

    def stop(self, graceful: bool = True) -> None:
        if self.background is not None:
            self.background.terminate()
        super().stop(graceful)
        if self.background is not None:
            _ended(self.background)


@contextmanager
def _later(signals: Set[signal.Signals]) -> Iterator[None]:
    """Signals that come meanwhile come afterwards; to a process that is started meanwhile, only once it says so."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)


def _listen(_worker: Any) -> None:
    """A worker is ready: it gets the signals that came while it started. A terminal that closes is for its parent."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _without_interrupts(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """A process that never gets the signals of a terminal: its parent tells it to end."""
    with _later(OF_TERMINALS):
        return subprocess.Popen(command)  # noqa: S603 - our own command; it ends by itself when this process is gone


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was told to end, and not for long."""
    try:
        process.wait(LAST_WAIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
