"""What a Parquet file says of its groups of rows is what pyarrow says of them, whoever wrote the file."""

from datetime import datetime
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer.io.parquet_footer import Dictionary, read_dictionary, read_page, row_groups

TABLE = pl.DataFrame(
    {
        "paper": [f"P{number % 7}" for number in range(40)],
        "p_0.5": [0.5, None] * 20,
        "distribution": [[0.25, 0.75], None, [], [1.0]] * 10,
        "form": [{"soundness": number, "comments": ["good", None]} for number in range(40)],
        "on": [datetime(2027, 1, 1 + number % 28) for number in range(40)],
        "final": [True, False, None, True] * 10,
    }
)


def polars_file(path: Path, rows: int) -> None:
    TABLE.write_parquet(path, row_group_size=rows, statistics="full", metadata={"made": "by hand"})


def pyarrow_file(path: Path, rows: int) -> None:
    pq.write_table(TABLE.to_arrow(), path, row_group_size=rows, write_page_index=True, store_decimal_as_integer=True)


def plain_file(path: Path, rows: int) -> None:
    options = {"use_dictionary": False, "write_statistics": False, "compression": "none", "version": "1.0"}
    pq.write_table(TABLE.to_arrow(), path, row_group_size=rows, **options)


@pytest.mark.parametrize("rows", [40, 16, 1])
@pytest.mark.parametrize("write", [polars_file, pyarrow_file, plain_file])
def test_it_says_what_pyarrow_says(tmp_path: Path, write: object, rows: int) -> None:
    path = tmp_path / "a.parquet"
    write(path, rows)  # type: ignore[operator]
    theirs = pq.ParquetFile(path).metadata
    found = list(row_groups(path))
    assert len(found) == theirs.num_row_groups == -(-40 // rows)
    for at, group in enumerate(found):
        same = theirs.row_group(at)
        assert group.rows == same.num_rows
        columns = [same.column(number) for number in range(same.num_columns)]
        assert [column.name for column in group.columns] == [_top(column.path_in_schema) for column in columns]
        assert [column.bytes for column in group.columns] == [column.total_uncompressed_size for column in columns]
        assert [column.packed for column in group.columns] == [column.total_compressed_size for column in columns]
        assert [column.dictionary_at for column in group.columns] == [
            column.dictionary_page_offset if column.has_dictionary_page else None for column in columns
        ]


def _top(path: str) -> str:
    return path if path in TABLE.columns else path.split(".")[0]


@pytest.mark.parametrize("compression", ["zstd", "snappy", "none"])
def test_dictionaries_have_as_many_entries_and_bytes_as_there_are_different_texts(
    tmp_path: Path, compression: str
) -> None:
    """Each text has four bytes before it that say how long it is."""
    texts = ["short", "a longer one", "ein längerer", "x" * 3000]
    path = tmp_path / "a.parquet"
    table = pl.DataFrame({"title": texts * 300, "number": range(1200)}).to_arrow()
    pq.write_table(table, path, use_dictionary=["title"], compression=compression)
    (group,) = row_groups(path)
    with open(path, "rb") as file:
        found = {column.name: read_dictionary(file, column) for column in group.columns}
    assert found == {
        "title": Dictionary(4, sum(4 + len(text.encode()) for text in texts)),
        "number": Dictionary(0, 0),
    }


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("statistics", [True, False])
def test_pages_are_as_large_as_they_were_written(tmp_path: Path, version: str, statistics: bool) -> None:
    """What follows in the header, such as the longest text, may be longer than what is read of it."""
    path = tmp_path / "a.parquet"
    table = pl.DataFrame({"title": ["x" * 5000] * 40, "number": range(40)}).to_arrow()
    options = {"use_dictionary": False, "compression": "none", "column_encoding": {"title": "PLAIN", "number": "PLAIN"}}
    pq.write_table(table, path, data_page_version=version, write_statistics=statistics, **options)
    (group,) = row_groups(path)
    with open(path, "rb") as file:
        title, number = (read_page(file, column) for column in group.columns)
    for page, letters in ((title, 40 * 5004), (number, 40 * 8)):
        assert page.packed == page.bytes
        assert letters <= page.bytes <= letters + 16  # with what says which are missing
    pq.write_table(table, path, use_dictionary=False, compression="zstd")
    (group,) = row_groups(path)
    with open(path, "rb") as file:
        packed = read_page(file, group.columns[0])
    assert 40 * 5004 <= packed.bytes <= 40 * 5004 + 16
    assert packed.packed < packed.bytes // 10


def test_a_file_without_rows(tmp_path: Path) -> None:
    for number, write in enumerate(
        (pl.DataFrame.write_parquet, lambda table, path: pq.write_table(table.to_arrow(), path))
    ):
        path = tmp_path / f"{number}.parquet"
        write(TABLE.clear(), path)  # type: ignore[operator]
        assert sum(group.rows for group in row_groups(path)) == 0


def test_a_file_that_ends_too_soon(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    polars_file(path, 40)
    whole = path.read_bytes()
    for end in (0, 3, 7, 100, len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match="^its end is missing$"):
            list(row_groups(path))


@examples(300)
@given(data=st.data())
def test_damage_is_an_error_or_harmless(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever the bytes are, they are read in time and memory that go with how many they are."""
    path = tmp_path_factory.mktemp("damage") / "a.parquet"
    polars_file(path, 16)
    damaged = bytearray(path.read_bytes())
    length = int.from_bytes(damaged[-8:-4], "little")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(len(damaged) - 8 - length, len(damaged) - 9))
        damaged[at] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    try:
        groups = list(row_groups(path))
        with open(path, "rb") as file:
            for group in groups:
                for column in group.columns:
                    read_dictionary(file, column)
                    read_page(file, column)
    except (ValueError, OSError):
        return
    assert isinstance(groups, list)
