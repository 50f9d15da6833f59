"""Write docs/reference/command-line.md from the commands themselves."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.update(COLUMNS="100", TERMINAL_WIDTH="100", NO_COLOR="1")

import typer
from typer.testing import CliRunner

from surpeer.cli.commands import app

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "command-line.md"

HEAD = """# Command line

Written from the commands by `tools/write_cli_reference.py`; do not edit.

Results go to standard output, notes and errors to standard error.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | `validate` found problems |
| 2 | the input or an option cannot be used; the problems are listed and nothing was written |
| 130 | stopped by the user (Ctrl-C; 143 by `kill`, 129 when the terminal closed); no file was left half-written |
| 141 | nobody reads the output any more, as when it goes into `head`; temporary files are gone |
"""


def commands(group: Any = None, before: str = "") -> Iterator[str]:
    """Every command that can be run, `bench accuracy` for one of a group, in the order of the help text."""
    known: Any = group or typer.main.get_command(app)
    for name, command in known.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        elif not command.hidden:
            yield f"{before}{name}"


def page() -> str:
    parts = [HEAD]
    for command in commands():
        text = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="surpeer").output.strip()
        parts.append(f"## surpeer {command}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
