"""Results that come in chunks -> a file, or a folder of parts: in bounded memory, put in place whole.

Everything is written into a hidden work folder beside the result first (surpeer.engines.work_folder), which a killed
process leaves behind and the next run with the same result removes. What was there before stays until the last moment.
"""

import errno
import io
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import polars as pl

from surpeer.columns import TITLE
from surpeer.engines.disk_space import OTHER_OUTPUT, check_space
from surpeer.engines.parquet_stream import write_parquet_stream
from surpeer.engines.public_table import public_chunk
from surpeer.engines.work_folder import BEFORE, work_folder
from surpeer.errors import InputError
from surpeer.io.results import write_csv, write_json
from surpeer.io.whole_file import check_file, put_in_place, to_disk
from surpeer.io.whole_folder import check_folder, folder_in_place

ROW_GROUP = 100_000
"""Papers in a row group of a Parquet file, and that are turned into words at a time; fewer where texts are long."""
LEAST_AT_ONCE, TEXT_AT_ONCE = 1000, 1 << 24
"""Papers, at least, and bytes of their ids, titles and tracks, at most."""
ROWS_WITH_TITLES = 1 << 12
"""Papers in a row group that has titles, at most."""
JSON_ROWS = 10_000
"""Papers that become text at a time."""
PART = re.compile(r"part-\d{5,}\.parquet")


def _nothing() -> None:
    """Nobody wants to know."""


def write_result_chunks(
    chunks: Iterable[pl.DataFrame], output: Path, kind: str, at_last: Callable[[], object] = _nothing
) -> tuple[str, ...]:
    """Write a result; notes on what killed runs had left behind.

    chunks : ranked papers with codes, from the best to the worst, as `public_chunk` takes them; at least one chunk,
        which may be empty
    output : a file, a pipe or a device; with kind "folder" a folder that is new, or empty, or has parts only
    kind : csv, json, parquet or folder
    at_last : called when the result is complete, before it is put in place
    """
    check_output(output, kind)
    try:
        if kind != "folder" and output.exists() and not output.is_file():
            _through(chunks, output, kind)
            return ()
        with work_folder(output, remedy=OTHER_OUTPUT) as work:
            made = work.path / "result"
            FORMS[kind](chunks, made)
            at_last()
            if kind == "folder":
                folder_in_place(made, Path(os.path.realpath(output)), work.path / BEFORE)
            else:
                put_in_place(made, Path(os.path.realpath(output)))
            return work.notes
    except OSError as error:
        raise _refused(output, error) from None


def _refused(output: str | Path, error: OSError) -> InputError:
    return InputError(f"{output}: cannot be written: {error.strerror or error}")


def check_output(output: Path, kind: str, need: int = 0) -> None:
    """Say at once, not after a long computation, that a result cannot be written.

    need : about how many bytes it will have
    """
    parent = Path(os.path.realpath(output)).parent
    if kind == "folder":
        check_folder(output)
        if not parent.is_dir():
            raise InputError(f"{output}: cannot be written: there is no folder {parent}")
        for entry in output.iterdir() if output.is_dir() else ():
            if not PART.fullmatch(entry.name) or not entry.is_file():
                raise InputError(
                    f"{output}: found {entry.name} in this folder, expected no such folder, or one with parts of an "
                    "earlier result only; give --output another name"
                )
    else:
        check_file(output)
    if not os.access(parent, os.W_OK | os.X_OK) and not (output.exists() and not output.is_file()):
        raise InputError(f"{output}: cannot be written: no permission in {parent}")
    check_space(parent, need, OTHER_OUTPUT)


def refuse_among_reviews(reviews: str, output: Path) -> None:
    """Results do not go where reviews are read from: the next run would take them for reviews.

    reviews : a file, a folder or a pattern
    """
    source, result = Path(reviews), Path(os.path.realpath(output))
    if source.is_dir() and result.is_relative_to(os.path.realpath(source)):
        raise InputError(f"{output}: this is inside the folder of reviews; write the result to another place")
    beside = result.is_relative_to(os.path.realpath(source.parent))
    if source.name != output.name and beside and output.match(source.name):
        raise InputError(f"{output}: {reviews} would take this for reviews; give the result another name")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a result, to be written like a whole one."""

    ranked: pl.DataFrame

    @property
    def table(self) -> pl.DataFrame:
        return public_chunk(self.ranked)

    def table_with_joined_flags(self, separator: str) -> pl.DataFrame:
        """Flags as one text."""
        return public_chunk(self.ranked, separator)


def _csv_into(chunks: Iterable[pl.DataFrame], stream: BinaryIO) -> None:
    for number, chunk in enumerate(_small(chunks)):
        text = io.BytesIO()
        write_csv(Chunk(chunk), text)
        header = text.getvalue().index(b"\n") + 1 if number else 0
        stream.write(text.getbuffer()[header:])


def _json_into(chunks: Iterable[pl.DataFrame], stream: BinaryIO) -> None:
    begin, between, end = b"[\n", b",\n", b"\n]\n"
    stream.write(begin)
    for number, piece in enumerate(piece for chunk in chunks for piece in chunk.iter_slices(JSON_ROWS)):
        text = io.BytesIO()
        write_json(Chunk(piece), text)
        stream.write(between if number else b"")
        stream.write(text.getbuffer()[len(begin) : -len(end)])
    stream.write(end)


INTO: dict[str, Callable[[Iterable[pl.DataFrame], BinaryIO], None]] = {"csv": _csv_into, "json": _json_into}
"""Formats that are text, one chunk after the other."""


def _write_text(chunks: Iterable[pl.DataFrame], path: Path, kind: str) -> None:
    with open(path, "wb") as stream:
        INTO[kind](chunks, stream)
        to_disk(stream)


def _write_parquet(chunks: Iterable[pl.DataFrame], path: Path) -> None:
    rest = iter(chunks)
    first = next(rest)
    with _parquet_errors():
        write_parquet_stream(map(public_chunk, _small(chain([first], rest))), path, _rows_of_group(first))
    to_disk(path)


def _write_parts(chunks: Iterable[pl.DataFrame], path: Path) -> None:
    path.mkdir()
    for number, chunk in enumerate(chunks):
        part = path / f"part-{number:05d}.parquet"
        with _parquet_errors():
            public_chunk(chunk).write_parquet(part, row_group_size=ROW_GROUP)
        to_disk(part)
    to_disk(path)


@contextmanager
def _parquet_errors() -> Iterator[None]:
    """Polars does not always say why it could not write: it is a full disk then, as a rule."""
    try:
        yield
    except pl.exceptions.ComputeError as error:
        if "thrift: transport error" in str(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        raise


FORMS: dict[str, Callable[[Iterable[pl.DataFrame], Path], None]] = {
    "csv": partial(_write_text, kind="csv"),
    "json": partial(_write_text, kind="json"),
    "parquet": _write_parquet,
    "folder": _write_parts,
}


def write_chunks_to(
    stream: BinaryIO, chunks: Iterable[pl.DataFrame], kind: str, name: str | Path = "standard output"
) -> None:
    """Into a stream from which nothing can be taken back.

    chunks : whose own errors of files are InputErrors
    name : of the stream, for messages

    Raises BrokenPipeError where nobody reads any more.
    """
    try:
        if kind in INTO:
            INTO[kind](chunks, stream)
            return
        with work_folder(None) as work:
            _write_parquet(chunks, work.path / "result")
            refused = _copy(work.path / "result", stream)
        if refused is not None:  # by the stream, not by the disk of the work folder
            raise refused
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refused(name, error) from None


def _copy(made: Path, stream: BinaryIO) -> OSError | None:
    try:
        with open(made, "rb") as source:
            shutil.copyfileobj(source, stream)
            stream.flush()
    except OSError as error:
        return error
    return None


def _through(chunks: Iterable[pl.DataFrame], output: Path, kind: str) -> None:
    """Into a pipe or a device, where nothing can be replaced."""
    with open(output, "wb") as stream:
        write_chunks_to(stream, chunks, kind, output)


def _small(chunks: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, few at a time; an empty chunk stays, for its columns."""
    for chunk in chunks:
        yield from chunk.iter_slices(_at_once(chunk)) if len(chunk) else [chunk]


def _rows_of_group(first: pl.DataFrame) -> int:
    """Of a Parquet file that begins with this chunk. All of a group is in memory until it is written, and titles may be
    longer further down."""
    return min(_at_once(first), ROWS_WITH_TITLES) if TITLE in first.columns else _at_once(first)


def _at_once(chunk: pl.DataFrame) -> int:
    """How many of its papers are written at a time."""
    text = sum(int(column.str.len_bytes().sum()) for column in chunk.select(pl.col(pl.String)))
    return max(LEAST_AT_ONCE, min(ROW_GROUP, TEXT_AT_ONCE * len(chunk) // max(1, text)))
