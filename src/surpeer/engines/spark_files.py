"""Files of reviews -> a Spark DataFrame, and a Spark DataFrame -> files of results."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from surpeer.engines.spark_failures import EXISTS, spark_failures
from surpeer.engines.spark_listing import is_address, list_files, local_address
from surpeer.engines.spark_parquet import read_parquet
from surpeer.engines.spark_text import read_text
from surpeer.errors import InputError
from surpeer.io.files_together import notes_on_files

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class ReadReviews:
    """Reviews in files."""

    table: "DataFrame"
    names: tuple[str, ...]
    """Of all columns of the files; the table has those that mean something to us, and maybe others."""
    notes: tuple[str, ...]
    """What a user should know about the files."""


def read_reviews(session: "SparkSession", path: str, kind: str | None = None) -> ReadReviews:
    """The rows of a file, a folder or a glob, on this machine or at an address that the cluster can read.

    kind : parquet, csv or jsonl, where endings do not say it
    """
    with spark_failures(path):
        files = list_files(session, path, kind)
        table, names = (read_parquet if files.kind == "Parquet" else read_text)(session, files)
    in_folders = list(files.files[0].folders)
    return ReadReviews(table, names, tuple(notes_on_files(len(files.files), in_folders, files.ignored)))


def refuse_existing(session: "SparkSession", path: str) -> None:
    """Say at once, not after a long computation, that a folder of results is there already."""
    with spark_failures(path):
        jvm: Any = session.sparkContext._jvm
        place = jvm.org.apache.hadoop.fs.Path(path if is_address(path) else local_address(path))
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
            table.write.mode("error").parquet(local_address(str(beside)))
            os.rename(beside, place)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
        finally:
            shutil.rmtree(beside, ignore_errors=True)
