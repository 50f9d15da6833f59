"""Files of reviews -> a Spark DataFrame, and a Spark DataFrame -> files of results."""

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote
from uuid import uuid4

from surpeer.engines.spark_failures import EXISTS, spark_failures
from surpeer.errors import InputError, UnknownName
from surpeer.io.folder_columns import NO_VALUE, folder_columns, names_in_folders, refuse_both
from surpeer.io.found_files import base_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

FORMATS = ("parquet", "csv", "jsonl")

ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
CSV: dict[str, bool | str] = {
    "header": True,
    "inferSchema": False,  # all cells as text: what they mean is decided by our own checks
    "quote": '"',
    "escape": '"',
    "multiLine": True,  # a cell may hold several lines; a file is then read by one task
    "enforceSchema": False,  # files with other columns are an error,
    "mode": "FAILFAST",  # and so is a row with too many cells,
    "columnPruning": False,  # even in columns that are not read
}

COMPRESSED = (".gz", ".zst", ".bz2", ".snappy", ".lz4", ".deflate")


def is_address(path: str) -> bool:
    """Whether it is a URL, such as s3a://bucket/reviews.

    >>> is_address("s3a://bucket/reviews"), is_address("reviews.parquet")
    (True, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def format_of(path: str) -> str | None:
    """The format that the ending of a path or of a glob says, None if it says none.

    >>> format_of("s3a://bucket/2027/*.csv.gz"), format_of("hdfs://host/reviews")
    ('csv', None)
    """
    name = path.rstrip("/").rsplit("/", 1)[-1].lower()
    for packed in COMPRESSED:
        name = name.removesuffix(packed)
    return ENDINGS.get(os.path.splitext(name)[1])


def read_reviews(session: "SparkSession", path: str, kind: str | None = None) -> "DataFrame":
    """The rows of a file, a folder or a glob, on this machine or at an address that the cluster can read.

    kind : parquet, csv or jsonl, where endings do not say it
    """
    if kind is not None and kind not in FORMATS:
        raise UnknownName("format", kind, FORMATS)
    with spark_failures(path):
        place = path if is_address(path) else _local(path)
        kind = kind or format_of(path) or _format_inside(session, place)
        if kind is None:
            raise InputError(
                f"{path}: the endings of its files say no format; expected .parquet, .csv or .jsonl, or give the format"
            )
        return _with_folder_columns(_read(session, place, kind), path, place)


def _local(path: str) -> str:
    """A path of this machine, whatever the default file system of the cluster is."""
    return "file://" + os.path.abspath(os.path.expanduser(path))


def _format_inside(session: "SparkSession", place: str) -> str | None:
    """The one format of the files in a folder, or behind a glob, by their endings."""
    listed = session.read.format("binaryFile").option("recursiveFileLookup", "true").load(place).select("path")
    found = {format_of(row["path"]) for row in listed.limit(1000).collect()} - {None}
    if len(found) > 1:
        raise InputError(f"{place}: found files of {' and '.join(sorted(map(str, found)))}, expected one format")
    return found.pop() if found else None


def _read(session: "SparkSession", place: str, kind: str) -> "DataFrame":
    """Files in folders of a folder, too, which Spark would leave out without a word."""
    reader = session.read.option("recursiveFileLookup", "true")
    if kind == "parquet":
        return reader.option("mergeSchema", "true").parquet(place)
    if kind == "csv":
        return reader.options(**CSV).csv(place)
    return reader.json(place, mode="FAILFAST")


def _with_folder_columns(table: "DataFrame", path: str, place: str) -> "DataFrame":
    """The table with the columns that are in the names of folders, as text, as on one machine: Spark itself would make
    numbers of some, so that 007 were 7."""
    from pyspark.sql import functions as f

    files, outside = [_parts(file) for file in table.inputFiles()], len(_parts(base_of(place)))
    by_file = {"/".join(parts): folder_columns([unquote(name) for name in parts[outside:-1]]) for parts in files}
    names = names_in_folders(path, by_file)
    refuse_both(path, names, table.columns)
    for name in names:
        written = f.regexp_extract(f.col("_metadata.file_path"), rf"/\Q{quote(name)}\E=([^/]*)/", 1)
        value = _decoded(_decoded(written))  # the address of a file, and in it what no name of a file can have
        table = table.withColumn(name, f.when(value != NO_VALUE, value))
    return table


def _parts(address: str) -> list[str]:
    """The names of folders, and of the file, of an address."""
    return [name for name in re.sub(r"^[^/]*:(//[^/]*)?", "", address).split("/") if name]


def _decoded(written: "Column") -> "Column":
    from pyspark.sql import functions as f

    return f.coalesce(f.try_url_decode(f.replace(written, f.lit("+"), f.lit("%2B"))), written)


def refuse_existing(session: "SparkSession", path: str) -> None:
    """Say at once, not after a long computation, that a folder of results is there already."""
    with spark_failures(path):
        jvm: Any = session.sparkContext._jvm
        place = jvm.org.apache.hadoop.fs.Path(path if is_address(path) else _local(path))
        if place.getFileSystem(session.sparkContext._jsc.hadoopConfiguration()).exists(place):
            raise InputError(f"{path}: {EXISTS}")


def write_folder(table: "DataFrame", path: str) -> None:
    """Write a folder of Parquet files. It is complete when it has a file _SUCCESS; on this machine it is put in place
    when it is complete."""
    with spark_failures(path):
        if is_address(path):
            table.write.mode("error").parquet(path)
            return
        place = Path(path).expanduser().absolute()
        beside = place.with_name(f".{place.name}.{uuid4().hex[:8]}.part")
        try:
            table.write.mode("error").parquet(_local(str(beside)))
            os.rename(beside, place)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
        finally:
            shutil.rmtree(beside, ignore_errors=True)
