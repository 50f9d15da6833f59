"""Parquet is read by groups of rows, by pages of large groups, and by bytes where texts are long."""

import gc
from itertools import accumulate
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.errors import InputError
from surpeer.io import parquet_parts, parquet_sizes, row_groups
from surpeer.io.parquet_sizes import AtOnce, Division, Run
from surpeer.io.review_files import Held, find_review_files
from surpeer.io.row_groups import PYARROW, Group, PagedFile, groups_of

TEXTS = pl.DataFrame({"paper": ["a", "b", "c", "d"] * 6, "rating": [1, 2] * 12, "comment": ["nobody reads this"] * 24})
NUMBERS = pl.DataFrame({"paper": range(20), "p_accept": [at / 20 for at in range(20)]})


@pytest.fixture
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ("SMALL_FILE", "LARGE_FILE", "LARGE_WITH_TEXTS"):
        monkeypatch.setattr(parquet_parts, size, 0)


@pytest.fixture
def pages_read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Numbers of groups that were read page by page, and how many rows at a time."""
    seen: list[tuple[int, int]] = []
    real = PagedFile.rows_of
    monkeypatch.setattr(PagedFile, "rows_of", lambda file, *how: (seen.append(how), real(file, *how))[1])
    return seen


def write_groups(path: Path, table: pl.DataFrame, groups: list[int]) -> Path:
    with pq.ParquetWriter(path, table.to_arrow().schema) as file:
        for end, length in zip(accumulate(groups), groups, strict=True):
            file.write_table(table[end - length : end].to_arrow(), row_group_size=max(1, length))
    return path


def read(path: Path, table: pl.DataFrame, rows: int, most_bytes: int | None = None) -> list[int]:
    """How many rows came at a time; they are those of the table."""
    parts = list(parquet_parts.parquet_parts(path, table.columns, rows, most_bytes))
    assert_frame_equal(pl.concat(part.frame for part in parts), table)
    assert [part.first_row for part in parts] == [1, *accumulate((len(part.frame) for part in parts), initial=1)][1:-1]
    assert parts[-1].done == path.stat().st_size
    return [len(part.frame) for part in parts]


def test_one_large_group_of_rows_is_read_page_by_page(
    tmp_path: Path, pages_read: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_groups(tmp_path / "a.parquet", TEXTS, [24])
    table = TEXTS.select("paper", "rating")
    assert read(path, table, rows=2) == [2] * 12
    assert not pages_read
    for size in ("SMALL_FILE", "LARGE_FILE", "LARGE_WITH_TEXTS"):
        monkeypatch.setattr(parquet_parts, size, 0)
    assert read(path, table, rows=2) == [2] * 12
    assert pages_read == [(0, 2)]
    pages_read.clear()
    monkeypatch.setattr(parquet_sizes, "can_read_pages", lambda: False)
    assert read(path, table, rows=2) == [2] * 12
    assert not pages_read


def test_pages_are_read_where_files_are_large_or_texts_are_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pyarrow takes 45 MB, and many short texts as ids were read in 387 of 384 MB with it."""
    path = write_groups(tmp_path / "a.parquet", TEXTS, [24])
    size = path.stat().st_size
    for small, large, with_texts, rows, only_numbers, expected in (
        (0, size - 1, size - 1, 10_000, True, True),
        (0, size - 1, size - 1, 10_000, False, True),
        (0, size, 0, 1, True, None),
        (0, size, size - 1, 24, False, True),
        (0, size, size, 24, False, False),
        (0, size, size - 1, size, False, False),
        (size, size, 0, 1, False, None),
    ):
        monkeypatch.setattr(parquet_parts, "SMALL_FILE", small)
        monkeypatch.setattr(parquet_parts, "LARGE_FILE", large)
        monkeypatch.setattr(parquet_parts, "LARGE_WITH_TEXTS", with_texts)
        wanted = parquet_parts._Wanted(["paper"], {"paper": pl.Int64() if only_numbers else pl.String()})
        found = parquet_parts._division(path, wanted, rows)
        assert (None if found is None else found.by_pages) is expected
    packed = Division.of([Group(1, 1, packed=PYARROW + 1)], wide=False)
    assert packed.by_pages, "polars would have more of it in memory than pyarrow takes"
    assert not Division.of([Group(1, 1, packed=PYARROW)] * 2, wide=False).by_pages
    assert Division.of([Group(1, 1, as_categories=PYARROW + 1)], wide=False).by_pages, "the same of what it makes of it"
    assert not Division.of([Group(1, 1, as_categories=PYARROW)] * 2, wide=False).by_pages


def test_what_dictionaries_take_is_in_what_a_file_says_of_itself(tmp_path: Path) -> None:
    """Twice their bytes, which are four and the letters of each text, and sixteen for each text; measured at 144 and 506
    MB where this says 146 and 501."""
    texts = [f"{number} " + "x" * 50 for number in range(30)]
    table = pl.DataFrame({"title": texts * 3 + texts[:5] * 18, "comment": ["nobody reads this"] * 180})
    path = write_groups(tmp_path / "a.parquet", table, [90, 90])
    letters = [len(text) for text in texts]
    both = [group.held for group in groups_of(path, ["title"])]
    assert both == [2 * (sum(some) + 4 * len(some)) + 16 * len(some) for some in (letters, letters[:5])]
    assert groups_of(path, table.columns)[0].held > both[0]


def test_large_pages_are_planned_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB writes pages of up to 100 MB: 544 of 384 MB were taken. Each column has one unpacked, and one of them is
    there as it is packed, too."""
    table = pl.DataFrame({"paper": [f"submission {number}" for number in range(4000)], "title": ["x" * 700] * 4000})
    path = tmp_path / "a.parquet"
    monkeypatch.setattr(row_groups, "LARGE_PAGE", 2**16)
    found = {}
    for size in (2**30, 2**12):
        options = {"use_dictionary": False, "data_page_size": size, "write_batch_size": 4, "compression": "none"}
        pq.write_table(table.to_arrow(), path, write_statistics=False, **options)
        found[size] = groups_of(path, ["paper", "title"])[0].held
    title, paper = 4000 * 704, sum(4 + len(text) for text in table["paper"])
    assert title + title + paper <= found[2**30] <= title + title + paper + 100
    assert found[2**12] == 0


def test_of_a_damaged_file_nothing_is_planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading names it, with all others that are damaged."""
    monkeypatch.setattr(parquet_parts, "SMALL_FILE", 0)
    for name in "ab":
        path = write_groups(tmp_path / f"{name}.parquet", TEXTS, [24])
        damaged = bytearray(path.read_bytes())
        damaged[4:40] = bytes(36)
        path.write_bytes(damaged)
    files = find_review_files(tmp_path)
    assert files.held_while_reading().bytes == 0
    with pytest.raises(InputError, match=r"(?s)a\.parquet.*damaged Parquet file.*b\.parquet.*damaged Parquet file"):
        list(files.batches())


@pytest.mark.usefixtures("every_file_is_large")
def test_what_dictionaries_take_is_planned_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what else it takes to read a part of a group; nothing where dictionaries are small, or there are only
    numbers."""
    folder = tmp_path / "reviews"
    folder.mkdir()
    for name, groups in (("a", [3] * 8), ("b", [24])):
        write_groups(folder / f"{name}.parquet", TEXTS.with_columns(title="paper"), groups)
    largest = groups_of(folder / "b.parquet", ["paper", "rating", "title"])[0]
    files = find_review_files(folder)
    assert files.held_while_reading() == Held(folder / "a.parquet", by_pages=True)
    monkeypatch.setattr(parquet_sizes, "FEW_HELD", largest.held - 1)
    assert files.held_while_reading() == Held(folder / "b.parquet", largest.held + PYARROW, by_pages=True)
    monkeypatch.setattr(parquet_sizes, "can_read_pages", lambda: False)
    again = int(parquet_sizes.ANEW * largest.held)
    assert files.held_while_reading() == Held(folder / "b.parquet", again)
    monkeypatch.setattr(parquet_sizes, "FEW_PACKED", largest.packed - 7)
    assert files.held_while_reading().bytes == again + 7
    NUMBERS.write_parquet(tmp_path / "numbers.parquet")
    monkeypatch.setattr(parquet_sizes, "FEW_HELD", -1)
    assert find_review_files(tmp_path / "numbers.parquet").held_while_reading().bytes == 0
    TEXTS.write_csv(tmp_path / "texts.csv")
    assert find_review_files(tmp_path / "texts.csv").held_while_reading().bytes == 0


def test_rows_are_as_wide_as_their_texts_however_often_these_come(tmp_path: Path) -> None:
    """In the file each is there once. By its bytes there, four times as many rows were read at once as had room."""
    texts = [f"{number:04d} " + "x" * 95 for number in range(25)]
    table = pl.DataFrame({"title": texts * 40, "short": ["accept", "reject"] * 500})
    path = write_groups(tmp_path / "a.parquet", table, [1000])
    (short,), (both,) = groups_of(path, ["short"]), groups_of(path, table.columns)
    assert short.bytes < 1000, "numbers of texts that are shorter than these would be longer"
    assert both.bytes - short.bytes == 1000 * (100 + 4)
    at_once = AtOnce.of_texts(1000, most_bytes=-(-both.bytes // 10))
    runs = list(at_once.runs(Division([both], by_pages=False)))
    assert [run.rows for run in runs] == [100] * 10
    assert at_once.rows_of_pages(Run(1000, both.bytes)) == 100


@pytest.mark.usefixtures("every_file_is_large")
def test_who_keeps_ids_does_not_keep_texts(tmp_path: Path) -> None:
    """Columns of one batch of Arrow share their memory, which is not given back before the last is gone."""
    table = pl.DataFrame({"paper": range(2000), "title": [f"{at} " + "x" * 1000 for at in range(2000)]})
    file = PagedFile(write_groups(tmp_path / "a.parquet", table, [2000]), table.columns)
    before = pa.total_allocated_bytes()
    kept = [frame["paper"] for frame in file.rows_of(0, 100)]
    assert pl.concat(kept).to_list() == table["paper"].to_list()
    del file
    gc.collect()
    assert pa.total_allocated_bytes() - before < 100_000 < table.estimated_size() // 10


@pytest.mark.usefixtures("every_file_is_large")
def test_damage_inside_a_large_group_is_told(tmp_path: Path) -> None:
    path = write_groups(tmp_path / "a.parquet", TEXTS, [24])
    damaged = bytearray(path.read_bytes())
    damaged[4:40] = bytes(36)
    path.write_bytes(damaged)
    with pytest.raises(InputError, match=r"found a damaged Parquet file \(.*\), expected a sound one; write it again"):
        list(parquet_parts.parquet_parts(path, ["paper", "rating"], 2))


def test_small_groups_of_rows_are_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several at once, as long as these are few rows; one that has more is read by itself."""
    path = write_groups(tmp_path / "a.parquet", NUMBERS, [3, 3, 3, 9, 1, 1])
    assert read(path, NUMBERS, rows=2) == [8, 8, 4]
    monkeypatch.setattr(parquet_parts, "LARGE_FILE", 0)
    assert read(path, NUMBERS, rows=2) == [6, 3, 9, 2]
    monkeypatch.setattr(parquet_sizes, "BYTES_OF_GROUP", 8 * 9 - 1)  # with two rows to a batch: 8.9 rows of two columns
    assert read(path, NUMBERS, rows=2) == [6, 3, 2, 2, 2, 2, 1, 2]
    assert read(path, NUMBERS.select("paper"), rows=2) == [6, 3, 9, 2]


def test_bytes_of_groups_are_those_of_the_columns_that_are_read(tmp_path: Path) -> None:
    """Columns may have points in their names, and lists are several levels deep in the file."""
    table = pl.DataFrame({"p_1": [1.0] * 9, "p_1.5": [1.0] * 9, "distribution": [[1.0, 2.0]] * 9})
    path = write_groups(tmp_path / "a.parquet", table, [4, 5])
    sizes = {name: [group.bytes for group in groups_of(path, [name])] for name in table.columns}
    together = [group[:2] for group in groups_of(path, table.columns)]
    assert together == [(rows, sum(sizes[name][at] for name in table.columns)) for at, rows in enumerate((4, 5))]
    assert all(size > 0 for both in sizes.values() for size in both)


@pytest.mark.usefixtures("every_file_is_large")
def test_pages_have_the_columns_that_are_read_whatever_points_are_in_names(
    tmp_path: Path, pages_read: list[tuple[int, int]]
) -> None:
    table = pl.DataFrame({"p_1.5": [1.0] * 9, "paper": ["a"] * 9, "p_1": [2.0] * 9})
    path = write_groups(tmp_path / "a.parquet", table, [9])
    for columns in (["paper", "p_1"], ["p_1", "p_1.5", "paper"]):
        assert read(path, table.select(columns), rows=1) == [1] * 9
    assert len(pages_read) == 2


@pytest.mark.usefixtures("every_file_is_large")
@pytest.mark.parametrize("pyarrow", [True, False])
def test_of_rows_with_long_texts_fewer_are_read(tmp_path: Path, pyarrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, 115,000 rows were read at once however long their titles, which took 627 of 512 MB."""
    if not pyarrow:
        monkeypatch.setattr(parquet_sizes, "can_read_pages", lambda: False)
    monkeypatch.setattr(parquet_parts, "FIRST_ROWS", 50)
    table = pl.DataFrame({"paper": range(2000), "title": [f"{at} " + "x" * 640 for at in range(2000)]})
    path = write_groups(tmp_path / "a.parquet", table, [400] * 5)
    most = 100 * int(table.head(1).estimated_size())
    lengths = read(path, table, rows=1000, most_bytes=most)
    assert 90 <= max(lengths) <= 101
    assert max(read(path, table, rows=1000)) == 800
    assert set(read(path, table, rows=7, most_bytes=most)) <= {7, 1, 5, 400 % 7}


@pytest.mark.usefixtures("every_file_is_large")
def test_polars_never_reads_rows_of_a_group_that_is_too_large(
    tmp_path: Path, pages_read: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the first ones: it took 830 MB to see how long titles are in a group of a million rows."""
    monkeypatch.setattr(parquet_parts, "FIRST_ROWS", 50)
    table = pl.DataFrame({"title": [f"{at} " + "x" * 640 for at in range(2000)]})
    path = write_groups(tmp_path / "a.parquet", table, [2000])
    lengths = read(path, table, rows=1000, most_bytes=100 * int(table.head(1).estimated_size()))
    assert pages_read == [(0, 50), (0, max(lengths))]
    assert 90 <= max(lengths) <= 101
    pages_read.clear()
    texts_again = pl.DataFrame({"title": ["x" * 640] * 2000})  # a few bytes in the file, but not in memory
    path = write_groups(tmp_path / "b.parquet", texts_again, [2000])
    assert max(read(path, texts_again, rows=1000, most_bytes=100 * int(texts_again.head(1).estimated_size()))) <= 101


@pytest.mark.usefixtures("every_file_is_large")
def test_texts_that_are_longer_further_down_are_seen_in_what_a_file_says_of_its_groups(tmp_path: Path) -> None:
    short, long = ([f"{at} " + "x" * length for at in range(1000)] for length in (1, 640))
    table = pl.DataFrame({"title": short + long})
    path = write_groups(tmp_path / "a.parquet", table, [500] * 4)
    most = 100 * int(table.tail(1).estimated_size())
    lengths = read(path, table, rows=1000, most_bytes=most)
    assert lengths[:2] == [500, 500] or lengths[0] == 1000
    assert max(lengths[2:]) <= 101


def test_batches_of_long_texts_are_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes of a batch are those of what is read from the file, too."""
    monkeypatch.setattr(parquet_parts, "FIRST_ROWS", 50)
    table = pl.DataFrame({"paper": range(600), "rating": [1] * 600, "title": ["x" * 640] * 600})
    table.write_parquet(tmp_path / "a.parquet")
    seen: list[int] = []
    real = parquet_parts.parquet_parts

    def noting(*how: object) -> object:
        for part in real(*how):  # type: ignore[arg-type]
            seen.append(len(part.frame))
            yield part

    monkeypatch.setattr("surpeer.io.review_files.parquet_parts", noting)
    most = 100 * int(table.head(1).estimated_size())
    batches = list(find_review_files(tmp_path / "a.parquet").batches(rows_per_batch=500, most_bytes=most))
    assert [len(batch.frame) for batch in batches] == seen
    assert 90 <= max(seen) <= 101


GROUPS = st.lists(st.builds(Group, st.integers(0, 60), st.integers(0, 4000)), max_size=12)


@examples(200)
@given(
    groups=GROUPS,
    by_pages=st.booleans(),
    batch=st.integers(1, 40),
    most_bytes=st.none() | st.integers(1, 4000),
    width=st.integers(1, 200),
)
def test_runs_are_all_rows_in_order_and_none_is_too_large(
    groups: list[Group], by_pages: bool, batch: int, most_bytes: int | None, width: int
) -> None:
    at_once = AtOnce.of_texts(batch, most_bytes)
    some = pl.DataFrame({"title": ["x" * width]})
    at_once.look_at(some)
    runs = list(at_once.runs(Division(groups, by_pages)))
    assert sum(run.rows for run in runs) == sum(group.rows for group in groups)
    ends = set(accumulate(group.rows for group in groups))
    assert by_pages or ends >= set(accumulate(run.rows for run in runs)) - _inside_large(groups, at_once)
    for run in runs:
        fits = most_bytes is None or (run.bytes <= most_bytes and run.rows * some.estimated_size() <= most_bytes)
        if run.pages is None:
            assert run.rows <= parquet_sizes.SEVERAL * batch
            assert fits or run.rows <= 1
        else:
            assert by_pages
            assert groups[run.pages][:2] == run[:2]
            assert run.rows > parquet_sizes.SEVERAL * batch or not fits
            assert 1 <= at_once.rows_of_pages(run) <= batch
            assert most_bytes is None or at_once.rows_of_pages(run) * run.bytes <= max(most_bytes * run.rows, run.bytes)


def _inside_large(groups: list[Group], at_once: AtOnce) -> set[int]:
    """Rows that are inside a group that is too large, as they are counted from the first one on."""
    starts = accumulate((group.rows for group in groups), initial=0)
    large = (
        range(start, start + group.rows)
        for start, group in zip(starts, groups, strict=False)
        if at_once.is_large(group)
    )
    return {row for group in large for row in group}


@given(count=st.integers(0, 1000), batch=st.integers(1, 400))
def test_steps_are_all_rows(count: int, batch: int) -> None:
    steps = list(AtOnce.of_texts(batch, 1000).steps(count))
    assert sum(run.rows for run in steps) == count
    assert all(run == Run(batch) for run in steps[:-1])
