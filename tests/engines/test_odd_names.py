"""Names of files and folders mean nothing: patterns are what people write in quotes, links lead where they lead."""

import gzip
from functools import partial
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from invented_venues import simulated
from large_ways import WAYS, WRITERS, assert_same, in_memory, scored, write_files

from surpeer.engines.score_files import score_files

REVIEWS = simulated(2)[:300].with_columns(pl.format("P{}", "paper").alias("paper"))

ODD = "venue [2026] *{a,b}"
"""A folder that polars, left to itself, takes for a pattern which nothing fits."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ODD).mkdir()
    return tmp_path / ODD


def expected(folder: Path, accept: float | None = None) -> pl.DataFrame:
    REVIEWS.write_csv(folder / "all.csv")
    return in_memory(folder / "all.csv", "venue", accept)[0]


@pytest.mark.parametrize("way", WAYS)
def test_signs_of_patterns_in_the_names_of_folders_that_are_there(folder: Path, way: str) -> None:
    """They were called damaged Parquet files, and where ranks were on disk, it was a traceback."""
    votes = write_files(REVIEWS, folder / "votes[1]", 2)
    found = scored(way, votes, temp=folder, accept=0.25, method="venue").table
    assert found is not None
    assert_same(found, expected(folder, 0.25))
    result = folder / "decisions[1].parquet"
    scored(way, votes, result, temp=folder, accept=0.25, method="venue")
    assert pl.read_parquet(result.read_bytes())["paper"].to_list() == found["paper"].to_list()


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "csv.gz", "csv.zst"])
def test_another_file_that_fits_the_name_as_a_pattern_is_not_read(folder: Path, ending: str) -> None:
    """Of votes[1].parquet, columns were those of votes1.parquet."""
    kind, _, packed = ending.partition(".")
    pack = {"": bytes, "gz": gzip.compress, "zst": partial(pa.compress, codec="zstd", asbytes=True)}
    for name, rows in (("votes[1]", REVIEWS), ("votes1", pl.DataFrame({"nothing": [1]}))):
        WRITERS[kind](rows, folder / f"written.{kind}")
        data = (folder / f"written.{kind}").read_bytes()
        (folder / f"{name}.{ending}").write_bytes(pack[packed](data))
    found = score_files(folder / f"votes[1].{ending}").table
    assert found is not None
    assert_same(found, expected(folder))


def test_folders_behind_links_are_read_once(tmp_path: Path) -> None:
    """They were left out without a word. A link to a folder that it is in leads nowhere new."""
    votes, elsewhere = (
        write_files(rows, tmp_path / name, 2) for name, rows in (("votes", REVIEWS[:120]), ("elsewhere", REVIEWS[120:]))
    )
    (votes / "more").symlink_to(elsewhere)
    (votes / "round").symlink_to(votes)
    (elsewhere / "back").symlink_to(votes)
    result = score_files(votes)
    assert result.table is not None
    assert "4 files read as one table" in result.notes
    assert_same(result.table, expected(tmp_path))


@pytest.mark.parametrize("way", ["buckets", "duckdb"])
def test_a_folder_for_temporary_files_with_a_question_mark(tmp_path: Path, way: str) -> None:
    """For DuckDB the name of a file ends there."""
    votes, odd = write_files(REVIEWS, tmp_path / "votes", 1), tmp_path / "why?"
    odd.mkdir()
    assert scored(way, votes, temp=odd).papers == REVIEWS["paper"].n_unique()
    assert list(odd.iterdir()) == []
