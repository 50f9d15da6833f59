"""Where a table of results goes, and in which format: what the commands that write one share."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from surpeer.cli.help_text import OUTPUT
from surpeer.errors import InputError, UnknownName
from surpeer.io.results import WRITERS, Results
from surpeer.io.whole_file import write_whole, write_whole_bytes

FORMATS = ("table", *WRITERS)
ENDINGS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet", ".txt": "table"}

OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result to this file, whose ending says the format (.csv, .json, .parquet, .xlsx, .txt).  "
        "[default: show it]",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(FORMATS),
        help="The format, if the ending of FILE does not say it.  [default: table on a terminal; in a pipe or behind > "
        "csv with all digits]",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]

Result = TypeVar("Result", bound=Results)


def choose_format(wanted: str | None, output: Path | None) -> str:
    """The format that was asked for, or the one that the file's ending or the terminal asks for."""
    if wanted is not None:
        if wanted not in FORMATS:
            raise UnknownName("format", wanted, FORMATS)
        return wanted
    if output is None:
        return "table" if sys.stdout.isatty() else "csv"
    if output.suffix.lower() not in ENDINGS:
        endings = ", ".join((*ENDINGS, ".xlsx"))
        raise InputError(
            f"{output}: the ending says no format that is known; end it in one of {endings}, or give --format"
        )
    return ENDINGS[output.suffix.lower()]


def refuse_to_overwrite(reviews: Path, output: Path | None, what: str) -> None:
    """The file of reviews is not where results go."""
    if output is not None and _same_file(output, reviews):
        raise InputError(f"{output}: this is the file of reviews itself; write the {what} to another file")


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def write_result(
    result: Result,
    kind: str,
    output: Path | None,
    text: Callable[[Result, bool], str],
) -> None:
    """Write the result as a table (`text`, told whether it is for a terminal) or as a file of another format."""
    if kind == "table":
        table = text(result, output is None and sys.stdout.isatty())
        if output is None:
            print(table, end="")
        else:
            write_whole_bytes(output, table.encode())
        return
    if output is not None:
        write_whole(output, lambda stream: WRITERS[kind](result, stream))
        return
    if kind == "parquet" and sys.stdout.isatty():
        raise InputError("parquet cannot be shown on a terminal; give it a file, as in --output ranking.parquet")
    buffer = io.BytesIO()
    WRITERS[kind](result, buffer)
    sys.stdout.buffer.write(buffer.getbuffer())
