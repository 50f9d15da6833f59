"""Rankings and decisions -> CSV, JSON, Parquet."""

import json
from collections.abc import Callable
from typing import BinaryIO, Protocol

import polars as pl

from surpeer.io.formulas import without_formulas

FLAG_SEPARATOR = ";"


class Results(Protocol):
    """A table with one row for each paper, flags as lists: a Ranking, or Decisions."""

    @property
    def table(self) -> pl.DataFrame: ...

    def table_with_joined_flags(self, separator: str) -> pl.DataFrame: ...


def write_csv(results: Results, stream: BinaryIO) -> None:
    """Flags are joined by semicolons; an infinite score is inf or -inf, what is not known is empty.
    An id that a spreadsheet program would run as a formula has an apostrophe before it."""
    without_formulas(results.table_with_joined_flags(FLAG_SEPARATOR)).write_csv(stream)


def write_json(results: Results, stream: BinaryIO) -> None:
    """A list with one object for each paper; what is not known or not finite is null."""
    finite = pl.when(pl.col("score").is_finite()).then(pl.col("score"))
    rows = results.table.with_columns(finite.alias("score")).iter_rows(named=True)
    encode = json.JSONEncoder(ensure_ascii=False).encode  # made once, not for every row
    body = ",\n".join(map(encode, rows))
    stream.write(f"[\n{body}\n]\n".encode())


def write_parquet(results: Results, stream: BinaryIO) -> None:
    """The table as it is: flags as lists, what is not known as null."""
    results.table.write_parquet(stream)


WRITERS: dict[str, Callable[[Results, BinaryIO], None]] = {
    "csv": write_csv,
    "json": write_json,
    "parquet": write_parquet,
}
