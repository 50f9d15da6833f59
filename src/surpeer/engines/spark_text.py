"""CSV and JSON lines on a cluster. Spark hands out the lines of files; what they say is read on the executors by the
readers of the other engines, so that separators, quotes, decimal commas and everything that can be wrong are the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from surpeer.columns import DISTRIBUTION, PAPER, RATING, TITLE, TRACK, is_ours
from surpeer.engines.spark_batches import map_arrow
from surpeer.engines.spark_heads import look_at_all, refuse_packed, text_at_start
from surpeer.engines.spark_listing import SparkFile, SparkFiles, number_of_file
from surpeer.engines.spark_unread import BESIDE, COMMAS, OTHER, UNREAD, unread_rows
from surpeer.errors import Problem, ReviewProblems
from surpeer.findings import mixed_ids
from surpeer.io.delimited_parts import HEADER_BYTES, names_at_start, parts_of_delimited
from surpeer.io.files_together import common_names
from surpeer.io.folder_columns import names_in_folders, refuse_both
from surpeer.io.json_lines_parts import FIRST_BYTES, json_lines_parts, records_at_start
from surpeer.io.review_files import with_columns
from surpeer.io.table_parts import TablePart
from surpeer.io.text_blocks import Piece
from surpeer.paper_cells import title_texts, track_texts
from surpeer.rating_cells import rating_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FEW_BYTES = 2**16  # in which most headers are

BLOCK = 4 * 2**20  # bytes that are read at once

SHARES = pl.List(pl.Float64)


def read_text(session: "SparkSession", files: SparkFiles) -> tuple["DataFrame", tuple[str, ...]]:
    """The rows of CSV files or JSON lines, and the names of all columns. Rows have those of ours, and those of
    surpeer.engines.spark_unread."""
    names, types = _columns(session, files)
    in_folders = names_in_folders(files.source, {file.path: file.folders for file in files.files})
    refuse_both(files.source, in_folders, names)
    text = dict.fromkeys((*in_folders, OTHER, UNREAD), pl.String())
    ours = {name: types.get(name, pl.String()) for name in names if is_ours(name)}
    schema = pl.Schema({**ours, **text, COMMAS: pl.Int64()})
    names = (*names, *in_folders)
    reader = _Reader(files.kind, {file.number: file for file in files.files}, names, schema)
    return map_arrow(_lines(session, files), reader, schema), names


def _columns(session: "SparkSession", files: SparkFiles) -> tuple[tuple[str, ...], dict[str, pl.DataType]]:
    """The names of all columns, and the types of those that are no text, by how every file begins."""
    look = _first_names if files.kind == "CSV" else _first_records
    by_file = look_at_all(files.source, files.addresses, lambda path, address: look(session, path, address))
    names = common_names(files.source, files.kind, {path: list(columns) for path, columns in by_file.items()})
    return names, _types(files, by_file)


def _first_names(session: "SparkSession", path: str, address: str) -> dict[str, pl.DataType]:
    start = text_at_start(session, path, address, FEW_BYTES)
    if len(start) == FEW_BYTES and b"\n" not in start:
        start = text_at_start(session, path, address, HEADER_BYTES)
    refuse_packed(path, start)
    return dict.fromkeys(names_at_start(Path(path), start), pl.String())


def _first_records(session: "SparkSession", path: str, address: str) -> dict[str, pl.DataType]:
    start = text_at_start(session, path, address, FIRST_BYTES)
    refuse_packed(path, start)
    return dict(records_at_start(Path(path), start).schema)


def _types(files: SparkFiles, by_file: Mapping[str, Mapping[str, pl.DataType]]) -> dict[str, pl.DataType]:
    """Ids are whole numbers, and distributions lists, if they are in all files that have any."""
    known: dict[str, dict[bool, str]] = {PAPER: {}, DISTRIBUTION: {}}
    for file in files.files:
        columns = by_file[file.path]
        for name, firsts in known.items():
            if name in columns and columns[name] != pl.Null:
                firsts.setdefault(columns[name] == pl.String, file.name)
    if len(known[PAPER]) > 1:
        raise ReviewProblems(files.source, [mixed_ids(known[PAPER][False], known[PAPER][True])])
    plain = {PAPER: pl.Int64(), DISTRIBUTION: SHARES}
    return {name: plain[name] for name, firsts in known.items() if list(firsts) == [False]}


def _lines(session: "SparkSession", files: SparkFiles) -> "DataFrame":
    """Each line as bytes with its end, the number of its file, and where the part of the file begins that it is in."""
    from pyspark.sql import functions as f

    reading = _whole_files(session, files) if files.kind == "CSV" else session
    line = f.concat(f.col("value").cast("binary"), f.lit(b"\n"))
    lines = reading.read.option("lineSep", "\n").option("recursiveFileLookup", "true").text(files.places)
    start = f.col("_metadata.file_block_start")
    return lines.select(line.alias("line"), number_of_file().alias("number"), start.alias("start"))


def _whole_files(session: "SparkSession", files: SparkFiles) -> "SparkSession":
    """A session with the same settings in which each file is read by one task: a cell may hold several lines, so that
    nobody who begins in the middle could know where a row begins. Several small files may go into one task."""
    sizes = [file.size for file in files.files]
    largest = max(1, *sizes)
    reading: SparkSession = type(session)(session.sparkContext, session._jsparkSession.cloneSession())
    most = max(largest, _bytes(reading.conf.get("spark.sql.files.maxPartitionBytes") or "0"))
    tasks = max(1, min(session.sparkContext.defaultParallelism, sum(sizes) // largest))
    reading.conf.set("spark.sql.files.maxPartitionBytes", str(most))
    reading.conf.set("spark.sql.files.minPartitionNum", str(tasks))
    return reading


def _bytes(written: str) -> int:
    """A size as Spark writes it.

    >>> _bytes("134217728b"), _bytes("128m")
    (134217728, 134217728)
    """
    units = {"b": 0, "k": 10, "m": 20, "g": 30, "t": 40}
    number = written.strip().lower().removesuffix("b") or "0"
    return int(number[:-1]) << units[number[-1]] if number[-1] in units else int(number)


@dataclass(frozen=True)
class _Reader:
    """Reads lines, on an executor."""

    kind: str
    files: Mapping[int, SparkFile]
    """By their numbers."""
    names: tuple[str, ...]
    """Of all columns."""
    schema: pl.Schema

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
        for (number, start), runs in groupby(_runs(batches), key=itemgetter(0)):
            yield from self._file(self.files[number], start, (text for _, text in runs))

    def _file(self, file: SparkFile, start: int, texts: Iterator[bytes]) -> Iterator[pl.DataFrame]:
        """The rows of a file, or of the part of it that begins there, of which nobody knows the numbers of its rows."""
        try:
            for part in self._parts(file, _pieces(texts)):
                problems = [replace(one, file=file.name, row=None if start else one.row) for one in part.problems]
                frame, more = self._typed(part, file)
                yield frame
                if problems or more:
                    yield unread_rows([*problems, *more], self.schema)
        except ReviewProblems as error:
            path = file.path if file.name else ""
            yield unread_rows((replace(one, file=path, row=None) for one in error.problems), self.schema)

    def _parts(self, file: SparkFile, text: Iterator[Piece]) -> Iterator[TablePart]:
        path = Path(file.path)
        return parts_of_delimited(path, text, BLOCK) if self.kind == "CSV" else json_lines_parts(path, BLOCK, text)

    def _typed(self, part: TablePart, file: SparkFile) -> tuple[pl.DataFrame, list[Problem]]:
        """The columns of ours as the schema has them, and problems of columns."""
        ours = [name for name in self.schema.names() if name not in BESIDE]
        frame = with_columns(part, ours, self.names, file.folders, file.name or file.path)
        typed = [_typed_column(frame, name, self.schema[name]) for name in ours]
        others = frame.select(pl.exclude(ours).is_not_null())
        filled = others.sum_horizontal() > 0 if others.width else pl.repeat(False, len(frame), eager=True)
        table = pl.DataFrame([column for column, _ in typed]).with_columns(
            pl.when(filled).then(pl.lit("filled")).alias(OTHER),
            pl.lit(None, dtype=pl.String).alias(UNREAD),
            pl.when(pl.int_range(pl.len()) == 0).then(pl.lit(part.commas or None, dtype=pl.Int64)).alias(COMMAS),
        )
        return table, [problem for _, problems in typed for problem in problems]


def _typed_column(frame: pl.DataFrame, name: str, kind: pl.DataType) -> tuple[pl.Series, list[Problem]]:
    """A column of a part as this type; numbers become the text that they print as, and ratings and names of tracks the
    text that they are read as."""
    column = frame[name]
    if column.dtype == kind or column.dtype == pl.Null:
        return column.cast(kind), []
    if kind != pl.String:
        return _numbers(column, kind)
    if name == RATING:
        return rating_texts(frame), []
    if name in (TRACK, TITLE):
        texts, problems = (track_texts if name == TRACK else title_texts)(column)
        return pl.Series(name, [None] * len(column), dtype=pl.String) if texts is None else texts, problems
    if isinstance(column.dtype, pl.List):
        return ("[" + column.cast(pl.List(pl.String)).list.join(", ") + "]").rename(name), []
    return column.cast(pl.String), []


def _numbers(column: pl.Series, kind: pl.DataType) -> tuple[pl.Series, list[Problem]]:
    """Whole numbers, or lists of numbers; a problem where others of this column are, and these are not."""
    if column.dtype != pl.String:
        return column.cast(kind), []
    empty = pl.Series(column.name, [None] * len(column), dtype=kind)
    if column.name == PAPER:
        return empty, [mixed_ids("", "")]
    found = "lists of numbers in the first records and text in others"
    remedy = "write all as lists, or all as text"
    return empty, [Problem(None, column.name, found, "the same everywhere", remedy)]


def _runs(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The text of lines that are together in a batch and from one part of one file, with what says which that is."""
    for batch in batches:
        lines, number, start = batch.columns
        if not len(lines):
            continue
        ends = np.frombuffer(lines.buffers()[1], dtype=np.int32)[lines.offset : lines.offset + len(lines) + 1]
        numbers, starts = number.to_numpy(), start.to_numpy()
        others = np.flatnonzero((numbers[1:] != numbers[:-1]) | (starts[1:] != starts[:-1])) + 1
        for first, end in pairwise([0, *others.tolist(), len(lines)]):
            text = memoryview(lines.buffers()[2])[ends[first] : ends[end]]
            yield (int(numbers[first]), int(starts[first])), bytes(text)


def _pieces(texts: Iterator[bytes]) -> Iterator[Piece]:
    """The same text in pieces of BLOCK bytes or more, but for the last."""
    waiting: list[bytes] = []
    size = 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size >= BLOCK:
            yield Piece(b"".join(waiting), 0)
            waiting, size = [], 0
    if waiting:
        yield Piece(b"".join(waiting), 0)
