"""Columns in the names of folders are columns, on every engine; other folders only hold files."""

import re
from pathlib import Path

import polars as pl
import pytest
from folders_of_reviews import ODD_TRACKS, in_folders, nested
from invented_venues import THREE, simulated
from large_ways import assert_same, scored

from surpeer.engines.score_files import score_files
from surpeer.errors import InputError

TRACKS = simulated(2, papers=120).with_columns(
    track=(pl.col("paper") // 3 % 6).replace_strict(dict(enumerate(ODD_TRACKS)), return_dtype=pl.String)
)
TAKEN = "track taken from the names of folders"


def table_of(what: str | Path, way: str = "at once") -> pl.DataFrame:
    table = scored(way, what, method="venue").table
    assert table is not None
    return table


def whole(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """The result of one file that has all columns."""
    frame.write_parquet(path)
    return table_of(path)


@pytest.mark.parametrize("way", ["at once", "buckets", "duckdb"])
@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_a_column_of_odd_values(tmp_path: Path, kind: str, way: str) -> None:
    frame = TRACKS.with_columns(pl.col("paper").cast(pl.String)) if kind == "csv" else TRACKS
    expected = whole(frame, tmp_path / "whole.parquet")
    folder = in_folders(frame, tmp_path / "votes", "track", kind, deeper="2027")
    assert_same(table_of(folder, way), expected)
    notes = score_files(folder).notes
    assert notes[:2] == ("6 files read as one table", TAKEN)


@pytest.mark.parametrize("pattern", ["votes/*", "votes/*/*.parquet", "vo*/track=*/part-?.parquet", "./votes/track=*"])
def test_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    """Folders count from the first one that the pattern leaves open."""
    monkeypatch.chdir(tmp_path)
    expected = whole(TRACKS, tmp_path / "whole.parquet")
    in_folders(TRACKS, tmp_path / "votes", "track")
    assert_same(table_of(pattern), expected)
    assert_same(table_of(f"{tmp_path}/{pattern}"), expected)


@pytest.mark.parametrize("column", ["rating", "paper"])
def test_any_column(tmp_path: Path, column: str) -> None:
    frame = simulated(3, papers=20).with_columns(pl.col("paper").cast(pl.String))
    expected = whole(frame, tmp_path / "whole.parquet")
    assert_same(table_of(in_folders(frame, tmp_path / "votes", column)), expected)


def test_levels_are_found_in_the_names_of_folders(tmp_path: Path) -> None:
    """Where no column is named after a level, all ratings are looked at, of which the files have none."""
    words = {"1": "reject", "2": "accept"}
    frame = simulated(2, papers=20).select("paper", pl.col("rating").replace(words), prediction="p_2")
    expected = whole(frame, tmp_path / "whole.parquet")
    assert_same(table_of(in_folders(frame, tmp_path / "votes", "rating")), expected)


def test_what_is_inside_a_named_folder_has_no_such_column(tmp_path: Path) -> None:
    folder = in_folders(TRACKS, tmp_path / "votes", "track") / "track=007"
    found = score_files(folder)
    assert found.table is not None
    assert "track" not in found.table.columns
    assert TAKEN not in found.notes


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_other_folders_only_hold_files(tmp_path: Path, kind: str) -> None:
    frame = THREE.with_columns(pl.format("P{}", "paper").alias("paper"))
    expected = whole(frame, tmp_path / "whole.parquet")
    assert_same(table_of(nested(frame, tmp_path / "votes", kind)), expected)


def test_a_column_in_two_places(tmp_path: Path) -> None:
    folder = tmp_path / "votes"
    (folder / "track=a").mkdir(parents=True)
    TRACKS.write_parquet(folder / "track=a" / "part-0.parquet")
    said = (
        f"{re.escape(str(folder))}: found track both as a column of the files and in the names of folders "
        r"\(track=...\), expected it once; rename the folders, or leave the column out of the files"
    )
    with pytest.raises(InputError, match=f"^{said}$"):
        score_files(folder)


def test_a_column_of_some_folders(tmp_path: Path) -> None:
    folder = in_folders(TRACKS, tmp_path / "votes", "track")
    TRACKS.drop("track").write_parquet(folder / "others.parquet")
    said = (
        f"{re.escape(str(folder))}: found track= in the names of folders of some files and not of others "
        rf"\({re.escape(str(folder))}/others.parquet\), expected it for all; choose files that belong together with a "
        "pattern, or rename the folders"
    )
    with pytest.raises(InputError, match=f"^{said}$"):
        score_files(folder)
