"""Tables that come one after the other become one Parquet file, and a failure on either side ends both."""

import errno
import threading
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.engines.parquet_stream import write_parquet_stream

SCHEMA = {"rank": pl.Int64(), "paper": pl.String(), "flags": pl.List(pl.String)}


def table(first: int, rows: int) -> pl.DataFrame:
    numbers = range(first, first + rows)
    flags = [["tie"] * (number % 3) for number in numbers]
    return pl.DataFrame({"rank": numbers, "paper": [f"P{one}" for one in numbers], "flags": flags}, schema=SCHEMA)


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(0, 40), min_size=1, max_size=12), row_group=st.integers(1, 50))
def test_all_tables_in_order(tmp_path_factory: pytest.TempPathFactory, sizes: list[int], row_group: int) -> None:
    tables = [table(sum(sizes[:at]), size) for at, size in enumerate(sizes)]
    path = tmp_path_factory.mktemp("stream") / "made"
    write_parquet_stream(iter(tables), path, row_group)
    assert_frame_equal(pl.read_parquet(path), pl.concat(tables))


@pytest.mark.parametrize("error", [ValueError("no more"), OSError(5, "broken"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [0, 1, 5])
def test_an_error_of_whoever_makes_tables_is_raised_and_the_writer_ends(
    tmp_path: Path, error: BaseException, after: int
) -> None:
    def tables() -> Iterator[pl.DataFrame]:
        for number in range(after):
            yield table(number, 1)
        raise error

    before = threading.active_count()
    with pytest.raises(type(error)) as found:
        write_parquet_stream(tables(), tmp_path / "made", 10)
    assert found.value is error
    assert threading.active_count() == before


def test_a_file_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_parquet_stream(iter([table(0, 1)]), tmp_path / "nowhere" / "made", 10)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_stops_whoever_makes_tables() -> None:
    def for_ever() -> Iterator[pl.DataFrame]:
        while True:
            yield table(0, 10_000)

    before = threading.active_count()
    with pytest.raises(OSError, match="No space left on device") as found:
        write_parquet_stream(for_ever(), Path("/dev/full"), 1000)
    assert found.value.errno == errno.ENOSPC
    assert threading.active_count() == before


def test_tables_of_other_columns_are_refused(tmp_path: Path) -> None:
    tables = [table(0, 3), table(3, 3).drop("flags")]
    with pytest.raises(ValueError, match="expected .*flags.*, as in the first one"):
        write_parquet_stream(iter(tables), tmp_path / "made", 10)
