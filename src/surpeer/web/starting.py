"""`surpeer serve` behind the command line: prepare, say how to get in, serve."""

import os
import socket
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from urllib.parse import urljoin

from surpeer.errors import InputError
from surpeer.web.deployment import DATABASE_URL, MAIL_HOST, PUBLIC_URL, Deployment

BEYOND = (
    "would be reached from other machines without encryption: keep it on 127.0.0.1, put a web server with HTTPS before "
    f"it, and set {PUBLIC_URL} to the address that people use, such as https://review.example.org"
)


@dataclass(frozen=True)
class Choice:
    """What the user asked for."""

    host: str
    port: int
    workers: int | None
    """None for as many as this machine should have."""
    data: Path | None
    demo: bool


@dataclass(frozen=True)
class Ready:
    """Everything is in place; what is left is to serve."""

    choice: Choice
    lines: list[str]
    """What the user is told once it answers."""
    kept: ExitStack
    """What goes when it ends."""

    def serve(self) -> None:
        """Serve until a signal ends it. The server handles signals in its own way: nothing else may do so here."""
        from surpeer.web.server import Options, serve

        options = Options(self.choice.host, self.choice.port)
        if self.choice.workers is not None:
            options = replace(options, workers=self.choice.workers)
        with self.kept:
            serve(options, when_ready=lambda: print("\n".join(self.lines), flush=True))  # noqa: T201 - what the command says


def get_ready(choice: Choice) -> Ready:
    """Check, make whatever is missing, and find out how people get in."""
    with ExitStack() as kept:
        lines = _prepared(choice, _checked(choice, _deployment(choice, kept)))
        left = kept.pop_all()
    return Ready(choice, lines, left)


def _prepared(choice: Choice, deployment: Deployment) -> list[str]:
    from surpeer.web.server import prepare

    prepare(deployment)
    import_module("surpeer.web.urls")  # all pages at once: processes that are forked from this one share what they load
    base = deployment.public_url or f"http://{_named(choice.host)}:{choice.port}"
    lines = [f"surpeer is running at {base}", *_ways_in(choice, base), *_where(choice, deployment)]
    from django.db import connections

    connections.close_all()  # processes that are forked from this one must not share a connection
    return [*lines, "Stop it with Ctrl-C."]


def _deployment(choice: Choice, kept: ExitStack) -> Deployment:
    """As the environment says; a demonstration has a folder and a database of its own, which go with it."""
    deployment = Deployment.from_environment()
    if choice.demo:
        folder = kept.enter_context(tempfile.TemporaryDirectory(prefix="surpeer-demo-"))
        os.environ.pop(DATABASE_URL, None)
        os.environ.pop(MAIL_HOST, None)  # nor does it send mails
        return replace(deployment, data=Path(folder), database_url=None)
    return deployment if choice.data is None else replace(deployment, data=choice.data.absolute())


def _checked(choice: Choice, deployment: Deployment) -> Deployment:
    """Say at once why it cannot start."""
    if choice.host not in ("127.0.0.1", "localhost", "::1") and not deployment.https:
        raise InputError(f"--host {choice.host}: {BEYOND}")
    family = socket.AF_INET6 if ":" in choice.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((choice.host, choice.port))
        except OSError as error:
            another = choice.port + 1 if choice.port < 65535 else 8001
            raise InputError(
                f"--port {choice.port}: cannot be used on {choice.host} ({error.strerror}); does surpeer run already? "
                f"Another port: --port {another}"
            ) from None
    return deployment


def _ways_in(choice: Choice, base: str) -> list[str]:
    if choice.demo:
        from surpeer.web.demo_filling import filled

        demo = filled()
        links = [f"  as {name}, a reviewer: {urljoin(base, link)}" for name, link in demo.links.items()]
        return ["Look around:", f"  as the chair: {base}/login/ with {demo.email} and {demo.password}", *links]
    from surpeer.web.accounts.invitations import invite_first_chair

    path = invite_first_chair()
    return [] if path is None else [f"Create the first chair with this link, which works once: {base}{path}"]


def _where(choice: Choice, deployment: Deployment) -> list[str]:
    if choice.demo:
        return ["Everything you do here is gone when it stops."]
    database = "PostgreSQL" if deployment.database_url else "the embedded database"
    mail = "" if os.environ.get(MAIL_HOST) else f"; mails are put into {deployment.data / 'mail'}, not sent"
    return [f"Data: {database}, files in {deployment.data}{mail}."]


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
