"""The navigation of the documentation site: the links in the lists of an index page, in their order and words.

So index pages are plain Markdown, and what a reader of the repository can click on is what the site's sidebar shows.
"""

import re
from pathlib import PurePosixPath

ENTRY = re.compile(r"^ *[-*] \[([^\]]+)\]\(([^)#:]+)\.(?:md|ipynb)\)", re.MULTILINE)


def entries(page: str) -> list[tuple[str, str]]:
    """Words and target (without its ending) of every list item that begins with a link to a page."""
    return ENTRY.findall(page)


def table_of_contents(page: str) -> str:
    """A hidden toctree of these entries."""
    lines = [f"{words} <{target}>" for words, target in entries(page)]
    return "\n".join(["\n\n```{toctree}", ":hidden:", "", *lines, "```", ""])


def with_navigation(_app: object, page: str, source: list[str]) -> None:
    """Sphinx's `source-read`: give an index page its toctree."""
    if PurePosixPath(page).name == "index":
        source[0] += table_of_contents(source[0])
