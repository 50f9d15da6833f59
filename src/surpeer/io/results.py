"""Ranking -> CSV, JSON, Parquet."""

import json
from collections.abc import Callable
from typing import BinaryIO

import polars as pl

from surpeer.ranking import Ranking

FLAG_SEPARATOR = ";"


def write_csv(ranking: Ranking, stream: BinaryIO) -> None:
    """Flags are joined by semicolons; an infinite score is inf or -inf, an undefined one empty."""
    ranking.table_with_joined_flags(FLAG_SEPARATOR).write_csv(stream)


def write_json(ranking: Ranking, stream: BinaryIO) -> None:
    """A list with one object for each paper; the score is null unless its status is finite."""
    finite = pl.when(pl.col("score").is_finite()).then(pl.col("score"))
    rows = ranking.table.with_columns(finite.alias("score")).iter_rows(named=True)
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    stream.write(f"[\n{body}\n]\n".encode())


def write_parquet(ranking: Ranking, stream: BinaryIO) -> None:
    """The table as it is: flags as lists, undefined scores as null."""
    ranking.table.write_parquet(stream)


WRITERS: dict[str, Callable[[Ranking, BinaryIO], None]] = {
    "csv": write_csv,
    "json": write_json,
    "parquet": write_parquet,
}
