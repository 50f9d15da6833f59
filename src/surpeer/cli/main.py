"""`surpeer`: the commands in one place."""

import os
import signal
import sys
from typing import Annotated

import typer

from surpeer import __version__
from surpeer.cli import (
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
    reproduce,
    score,
    validate,
)

app = typer.Typer(
    name="surpeer",
    help="Rank papers by ratings that are calibrated by what reviewers predict of each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"surpeer {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Rank papers by ratings that are calibrated by what reviewers predict of each other."""


app.command("score")(score.command)
app.command("decide")(decide.command)
app.command("compare")(compare.command)
app.command("validate")(validate.command)
app.command("explain")(explain.command)
app.command("form")(form.command)
app.command("convert")(convert.command)
app.command("platforms")(platforms.command)
app.command("methods")(methods.command)
app.command("demo")(demo.command)
app.command("plan")(plan.command)
app.command("reproduce")(reproduce.command)
app.add_typer(bench.app, name="bench")


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
