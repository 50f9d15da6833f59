"""`surpeer methods`: the ways to score a paper."""

import sys

from surpeer.cli.failure import exit_codes
from surpeer.cli.tables import plain_table, render
from surpeer.scores import DEFAULT_METHOD, METHODS


def command() -> None:
    """List the ways to score papers, as --method takes them."""
    with exit_codes():
        rows = [
            (method.name + (" (default)" if method.name == DEFAULT_METHOD else ""), method.title, method.citation)
            for method in METHODS.values()
        ]
        headings = ("method", "what it is", "source")
        print(render(plain_table(headings, rows, fold=headings[1:]), sys.stdout.isatty()), end="")
