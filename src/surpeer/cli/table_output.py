"""Where a table of results goes, and in which format: what the commands that write one share."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from surpeer.errors import InputError, UnknownName
from surpeer.io.results import WRITERS, Results
from surpeer.io.whole_file import write_whole, write_whole_bytes

FORMATS = ("table", *WRITERS)
ENDINGS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet", ".txt": "table"}

OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, whole or not at all.")
]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(FORMATS),
        help="Default: by the ending of FILE; else a table on a terminal and csv in a pipe.",
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
        endings = ", ".join(ENDINGS)
        raise InputError(f"{output}: the ending says no format; end it in one of {endings}, or give --format")
    return ENDINGS[output.suffix.lower()]


def refuse_to_overwrite(reviews: Path, output: Path | None, what: str) -> None:
    """The file of reviews is not where results go."""
    if output is not None and _same_file(output, reviews):
        raise InputError(f"{output}: this is the file of reviews; write the {what} to another file")


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
        raise InputError("parquet is not for a terminal; give --output FILE or redirect to a file")
    buffer = io.BytesIO()
    WRITERS[kind](result, buffer)
    sys.stdout.buffer.write(buffer.getbuffer())
