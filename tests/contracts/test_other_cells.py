"""Rows of Parquet files without a paper have all their cells, and only they, however they are read."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.engines.check_files import check_files
from surpeer.errors import InputError
from surpeer.io import other_cells, parquet_parts
from surpeer.io.row_groups import PagedFile

ROWS = 60
TABLE = pl.DataFrame(
    {
        "paper": [None if at % 7 in (3, 4) else f"P{at % 9}" for at in range(ROWS)],
        "rating": [at % 2 for at in range(ROWS)],
        "comments": [None if at % 7 == 3 else f"number {at}" for at in range(ROWS)],
        "colour": pl.Series([None if at % 7 == 3 else "red" for at in range(ROWS)], dtype=pl.Categorical),
        "marks": [None if at % 7 == 3 else [at, at + 1] for at in range(ROWS)],
    }
)
OURS = ["paper", "rating"]


@pytest.fixture
def by_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ("SMALL_FILE", "LARGE_FILE", "LARGE_WITH_TEXTS"):
        monkeypatch.setattr(parquet_parts, size, 0)


def expected(table: pl.DataFrame) -> pl.DataFrame:
    others = pl.exclude(OURS)
    return table.with_columns(pl.col("colour").cast(pl.String)).with_columns(
        pl.when(pl.col("paper").is_null()).then(others).otherwise(None)
    )


def read(path: Path, rows: int) -> pl.DataFrame:
    parts = [part.frame for part in parquet_parts.parquet_parts(path, OURS, rows)]
    assert all(("comments" in part.columns) == bool(part["paper"].null_count()) for part in parts)
    return pl.concat(parts, how="diagonal")


@pytest.mark.parametrize("large", [True, False])
@pytest.mark.parametrize("group", [60, 10, 7])
@pytest.mark.parametrize("rows", [1, 4, 60])
def test_polars_or_pages_are_read(
    tmp_path: Path, large: bool, group: int, rows: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if large:
        request.getfixturevalue("by_pages")
    monkeypatch.setattr(other_cells, "ROWS", 3)
    monkeypatch.setattr(other_cells, "ROWS_BY_POLARS", 5)
    TABLE.write_parquet(tmp_path / "a.parquet", row_group_size=group)
    assert_frame_equal(read(tmp_path / "a.parquet", rows), expected(TABLE))


@examples(50)
@given(
    empty=st.lists(st.booleans(), min_size=1, max_size=40),
    group=st.integers(1, 40),
    rows=st.integers(1, 40),
    at_once=st.integers(1, 9),
    by_pages=st.booleans(),
)
def test_any_rows_in_any_groups(
    tmp_path_factory: pytest.TempPathFactory, empty: list[bool], group: int, rows: int, at_once: int, by_pages: bool
) -> None:
    path = tmp_path_factory.mktemp("others") / "a.parquet"
    table = TABLE.head(len(empty)).with_columns(
        paper=pl.Series([None if each else "P" for each in empty], dtype=pl.String)
    )
    table.write_parquet(path, row_group_size=group)
    with pytest.MonkeyPatch.context() as patch:
        for size in ("SMALL_FILE", "LARGE_FILE", "LARGE_WITH_TEXTS") if by_pages else ():
            patch.setattr(parquet_parts, size, 0)
        patch.setattr(other_cells, "ROWS", at_once)
        patch.setattr(other_cells, "ROWS_BY_POLARS", at_once)
        found = read(path, rows)
    assert_frame_equal(found, expected(table).select(found.columns))
    assert found.columns == (table.columns if any(empty) else OURS)


@pytest.mark.usefixtures("by_pages")
def test_rows_that_are_not_there_are_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet", row_group_size=10)
    real = PagedFile.rows_of
    monkeypatch.setattr(PagedFile, "rows_of", lambda *how: iter(list(real(*how))[:-1]))
    monkeypatch.setattr(other_cells, "ROWS", 3)
    with pytest.raises(InputError, match=r"found a damaged Parquet file \(rows are missing\), expected a sound one"):
        read(tmp_path / "a.parquet", 60)


@pytest.mark.parametrize("large", [True, False])
def test_only_rows_with_nothing_in_any_cell_are_empty(
    tmp_path: Path, large: bool, request: pytest.FixtureRequest
) -> None:
    if large:
        request.getfixturevalue("by_pages")
    rows = pl.int_range(pl.len())
    table = TABLE.with_columns(paper=pl.format("P{}", rows % 9), p_0=pl.lit(0.5), p_1=pl.lit(0.5))
    nothing = table.with_columns(pl.when(rows % 7 != 3).then(pl.all()))
    nothing.write_parquet(tmp_path / "a.parquet", row_group_size=10)
    empty = int(np.sum(np.arange(ROWS) % 7 == 3))
    assert f"skipped {empty} empty rows" in check_files(tmp_path / "a.parquet").notes
    nothing.with_columns(comments=pl.lit("something")).write_parquet(tmp_path / "a.parquet", row_group_size=10)
    with pytest.raises(InputError, match=r"row 4, column paper"):
        check_files(tmp_path / "a.parquet")
