"""`surpeer methods`: the ways to score a paper."""

import sys

from surpeer.cli.failure import exit_codes
from surpeer.cli.tables import plain_table, render
from surpeer.scores import DEFAULT_METHOD, METHODS


def command() -> None:
    """List the methods that `surpeer score --method` takes."""
    with exit_codes():
        table = plain_table(("method", "what it is", "source"))
        for method in METHODS.values():
            mark = " (default)" if method.name == DEFAULT_METHOD else ""
            table.add_row(method.name + mark, method.title, method.citation)
        print(render(table, sys.stdout.isatty()), end="")
