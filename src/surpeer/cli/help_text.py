"""Help and complaints of the command line in plain text: options and commands in groups, each under a heading.

Groups are typer's `rich_help_panel`, which typer itself only knows how to draw in boxes.
"""

import os
import re
from collections.abc import Iterable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

# Headings of groups of options, in the order in which they are shown.
OPTIONS = "Options"  # those without another heading
OUTPUT = "Output"
TO_OPENREVIEW = "With --to openreview"
LEVELS = "Levels and predictions, where surpeer cannot tell"
SOURCE = "What the file is, where surpeer cannot tell"
WHO = "Which reviews, and what becomes of reviewers' names"
LARGE = "More reviews than fit into memory"
HEADINGS = (OPTIONS, OUTPUT, TO_OPENREVIEW, LEVELS, SOURCE, WHO, LARGE)

WIDEST = 100  # lines that are longer are hard to read
WIDEST_NAME = 24  # the text beside a longer one begins on the next line
SETTINGS = {"max_content_width": WIDEST}

# Typer 0.29 and later write the type of an argument behind its name, and braces around it.
TYPE = re.compile(r" <[A-Za-z ]+>$")

# It writes ranges as mathematicians do.
RANGE = re.compile(r"(\d+)<=x<=(\d+)")
LEAST = re.compile(r"; x>=0|x>=0; ")


UsageError: Any = typer.BadParameter.__bases__[0]  # which typer does not hand on under its own name

IN_QUOTES = 'What has a space in it goes in quotes, as in --levels "weak reject,accept"'


class PlainCommand(TyperCommand):
    """A command whose options are shown in groups, and which says what a missing one is for."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then the groups of options."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{heading: [] for heading in HEADINGS}}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if parameter.param_type_name == "argument":
                groups["Arguments"].append((TYPE.sub("", record[0]), record[1]))
            else:
                heading = getattr(parameter, "rich_help_panel", None) or OPTIONS
                groups.setdefault(heading, []).append((record[0], LEAST.sub("", RANGE.sub(r"\1 to \2", record[1]))))
        write_groups(formatter, groups.items())

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`[OPTIONS] REVIEWS`."""
        return [piece if "|" in piece else piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What the parser says of something that is missing is its name only; add what it is, and an example."""
        try:
            return list(super().parse_args(ctx, args))
        except typer.BadParameter as error:
            if not error.message and error.param is not None:
                error.message = f"{getattr(error.param, 'help', None) or ''}\n{self._example()}".strip()
            raise
        except UsageError as error:
            if "extra argument" in error.message:
                error.message += f".\n{IN_QUOTES}"
            raise

    def _example(self) -> str:
        paragraphs = (self.help or "").split("\n\n")
        return next((" ".join(text.split()) for text in paragraphs if text.startswith("Example: ")), "")


class PlainGroup(TyperGroup):
    """Commands in groups."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command; somebody who typed the name of a file instead is told what to do with it."""
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            if ctx.parent is None and os.path.isfile(args[0]):
                error.message += f" It is a file; did you mean: {ctx.info_name} report {args[0]}"
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The groups in the order of their first commands."""
        commands = {name: self.commands[name] for name in self.list_commands(ctx) if not self.commands[name].hidden}
        room = formatter.width - 6 - max(map(len, commands))
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, command in commands.items():
            heading = getattr(command, "rich_help_panel", None) or "Commands"
            groups.setdefault(heading, []).append((name, command.get_short_help_str(room)))
        write_groups(formatter, groups.items())


def write_groups(formatter: Any, groups: Iterable[tuple[str, list[tuple[str, str]]]]) -> None:
    """Every group that has something in it under its heading; what is said begins at the same place in all."""
    filled = [(heading, rows) for heading, rows in groups if rows]
    widest = max((len(name) for _, rows in filled for name, _ in rows if len(name) <= WIDEST_NAME), default=0)
    for heading, rows in filled:
        with formatter.section(heading):
            formatter.write_dl([(f"{name:<{widest}}", text) for name, text in rows], col_max=widest)
