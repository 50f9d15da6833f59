"""Run what a page tells its reader to type, and read it as the command line would."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from surpeer.cli.commands import app

SCRIPTS = Path(sys.executable).parent
SHELL_SIGNS = set("|<>&;$`")
PREFIXES = (".venv/bin/", "")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    exit_code: int
    stdout: str
    terminal: str
    """Standard error, then standard output: notes come before results."""


def run(line: str) -> Ran:
    """Run one command line in the current folder: `surpeer` in this process, everything else by a shell."""
    words = shlex.split(line, comments=True)
    if words[0] in ("surpeer", ".venv/bin/surpeer") and not SHELL_SIGNS & set(_unquoted(line)):
        result = CliRunner().invoke(app, words[1:], prog_name="surpeer")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr + result.stdout)
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env={**os.environ, "PATH": path}, timeout=60
    )
    return Ran(done.returncode, done.stdout, done.stderr + done.stdout)


def _unquoted(line: str) -> str:
    """A command line without what stands between quotes, and without its comment."""
    kept, quote = [], ""
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "#" and line[at - 1 : at] in ("", " "):
            break
        else:
            kept.append(sign)
    return "".join(kept)


def differs(shown: str, printed: str) -> bool:
    """Whether a page shows something else than was printed; a line `...` stands for any lines."""
    return not _matches([line.rstrip() for line in _lines(shown)], [line.rstrip() for line in _lines(printed)])


def _lines(text: str) -> list[str]:
    return text.rstrip().split("\n")


def _matches(shown: list[str], printed: list[str]) -> bool:
    if "..." not in shown:
        return shown == printed
    at = shown.index("...")
    if shown[:at] != printed[:at]:
        return False
    rest, left = shown[at + 1 :], printed[at:]
    return any(_matches(rest, left[skipped:]) for skipped in range(len(left) + 1)) if rest else True


def unknown_parts(words: list[str]) -> Iterator[str]:
    """What in a `surpeer` command line does not exist: a subcommand, or options of it."""
    command: Any = typer.main.get_command(app)
    rest = list(words[1:])
    while rest and hasattr(command, "commands") and not rest[0].startswith("-"):
        name = rest.pop(0)
        if name not in command.commands:
            if command.name == "surpeer" or name.islower():
                yield f"no command {name!r}"
            return
        command = command.commands[name]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known.add("--help")
    for word in rest:
        if word == "--":
            return
        option = word.split("=", 1)[0].strip("[]")
        if is_option(option) and option not in known:
            yield f"{command.name} has no option {option}"


def is_option(word: str) -> bool:
    """Whether a word is an option, and not a negative number or a dash."""
    return word.startswith("--") or (word.startswith("-") and len(word) == 2 and word[1].isalpha())
