"""Options and arguments that several commands share. Those that describe the reviews are in reviews_input."""

import os
from typing import Annotated

import typer

MethodName = Annotated[str, typer.Option("--method", "-m", metavar="NAME", help="One of `surpeer methods`.")]


def paper_as_typed(paper: str) -> str:
    """The id of a paper, whatever the locale made of it."""
    return os.fsencode(paper).decode("utf-8", "replace")
