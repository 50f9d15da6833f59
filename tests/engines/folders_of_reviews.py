"""Reviews in folders whose names are columns, as other programs write them."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import polars as pl

from surpeer.io.folder_columns import NO_VALUE

ODD_TRACKS = ["theory/proofs", "50% or less", "a+b", "007", "é = ü", None]


def name_of_folder(column: str, value: object) -> str:
    """As Spark, Hive and DuckDB write it: what a name cannot have is a per cent sign and two digits."""
    return f"{column}={NO_VALUE if value is None else quote(str(value), safe=' +é=ü')}"


def in_folders(frame: pl.DataFrame, folder: Path, column: str, kind: str = "parquet", deeper: str = "") -> Path:
    """The reviews with each value of a column in a folder of its own, and without that column."""
    for (value,), part in frame.group_by(column, maintain_order=True):
        _write(part.drop(column), folder / deeper / name_of_folder(column, value), kind)
    return folder


def nested(frame: pl.DataFrame, folder: Path, kind: str = "parquet") -> Path:
    """Some reviews in the folder itself, others in folders of folders."""
    places: Iterable[Path] = (folder, folder / "2027", folder / "2027" / "spring", folder / "year=2026" / "x")
    for number, place in enumerate(places):
        _write(frame[number::4], place, kind)
    return folder


def _write(frame: pl.DataFrame, folder: Path, kind: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"part-0.{kind}"
    {"parquet": frame.write_parquet, "csv": frame.write_csv, "jsonl": frame.write_ndjson}[kind](path)  # type: ignore[operator]
