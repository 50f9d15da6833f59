"""`surpeer serve`: the application in the browser. It is named as text, so that nothing here imports it."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from surpeer.cli.failure import exit_codes
from surpeer.io.extras import needs_extra

APPLICATION = "surpeer.web.starting"
NEEDED = ("django", "the application in the browser needs Django", "web", "use the other commands on files")

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="Where the application keeps its data; by default SURPEER_DATA, else a folder of the user's.",
    ),
]


def command(
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="The port to listen on.")] = 8000,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; by default for this machine only.")
    ] = "127.0.0.1",
    data: DataFolder = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, metavar="N", help="Processes that answer requests; by default two per processor."),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Open with filled example venues, in a folder that goes again.")
    ] = False,
) -> None:
    """Collect reviews in the browser, watch them come in, decide.

    Starts on this machine with a database of its own and prints a link to create the first chair. DATABASE_URL names a
    PostgreSQL database, SURPEER_URL the public address, EMAIL_HOST a mail server: see the page on running a server.

    Example: surpeer serve --demo
    """
    with exit_codes():
        with needs_extra(*NEEDED):
            import_module("django")
        application = import_module(APPLICATION)
        ready = application.get_ready(application.Choice(host, port, workers, data, demo))
    ready.serve()
