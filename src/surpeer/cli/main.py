"""`surpeer`: the commands in one place."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from surpeer import __version__
from surpeer.cli import (
    backup,
    bench,
    compare,
    convert,
    decide,
    demo,
    explain,
    form,
    methods,
    plan,
    platforms,
    plot,
    report,
    reproduce,
    score,
    serve,
    validate,
)
from surpeer.cli.help_text import SETTINGS, PlainCommand, PlainGroup

HELP = """Rank papers fairly by ratings and by what reviewers predict of each other.

Reviewers rate a paper and say what share of its other reviewers will give each rating. Their predictions show what was
to be expected of the paper whatever its quality; what counts is how far the ratings are above or below that.

Begin with: surpeer demo
"""

# In the order of a chair's work.
COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "Rank and decide": {
        "demo": demo.command,
        "validate": validate.command,
        "score": score.command,
        "decide": decide.command,
        "report": report.command,
        "plot": plot.command,
        "explain": explain.command,
        "compare": compare.command,
    },
    "In the browser": {"serve": serve.command, "backup": backup.backup, "restore": backup.restore},
    "Before the reviews are written": {"form": form.command, "plan": plan.command},
    "Files and methods": {
        "platforms": platforms.command,
        "convert": convert.command,
        "methods": methods.command,
    },
    "For researchers": {"reproduce": reproduce.command},
}

app = typer.Typer(
    name="surpeer",
    cls=PlainGroup,
    help=HELP,
    context_settings=SETTINGS,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for heading, commands in COMMANDS.items():
    for name, command in commands.items():
        app.command(name, cls=PlainCommand, context_settings=SETTINGS, rich_help_panel=heading)(command)
app.add_typer(bench.app, name="bench", cls=PlainGroup, rich_help_panel="For researchers")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"surpeer {__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """What is not a command."""


def main() -> None:
    """Entry point of the installed command."""
    if hasattr(signal, "SIGPIPE"):  # `surpeer score ... | head` ends like any other command, without a word
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 (closed by the caller: nobody listens)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # ids are unicode whatever the locale says
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()
