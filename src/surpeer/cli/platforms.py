"""`surpeer platforms`: what files of reviews surpeer reads."""

import sys

from surpeer.cli.failure import exit_codes
from surpeer.cli.tables import plain_table, render


def command() -> None:
    """List the platforms whose exports can be read."""
    from surpeer.io.platforms.registry import PLATFORMS
    from surpeer.io.review_file import OURS

    with exit_codes():
        rows = [(name, platform.title, platform.files) for name, platform in PLATFORMS.items()]
        rows.append((OURS, "surpeer's own columns", "CSV, Excel, Parquet, JSON lines: paper, rating, p_<level>"))
        headings = ("name", "platform", "files")
        print(render(plain_table(headings, rows, fold=headings[2:]), sys.stdout.isatty()), end="")
