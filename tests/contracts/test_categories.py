"""Columns of categories in Parquet files are texts for us, whoever wrote them and however they are read."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from surpeer.engines.check_files import check_files
from surpeer.engines.score_files import score_files
from surpeer.errors import InputError
from surpeer.io import parquet_parts, parquet_sizes
from surpeer.io.parquet_footer import footer_length
from surpeer.io.review_files import Held, find_review_files
from surpeer.io.row_groups import PER_CATEGORY, Group, groups_of

PAPERS, REVIEWS = 40, 200
TEXTS = pl.DataFrame(
    {
        "paper": [f"submission {at * 7 % PAPERS}" for at in range(REVIEWS)],
        "title": [f"On {at * 7 % PAPERS}" if at % 3 else None for at in range(REVIEWS)],
        "rating": ["accept" if at % 5 > 1 else "reject" for at in range(REVIEWS)],
        "p_reject": [at % 11 / 20 for at in range(REVIEWS)],
        "p_accept": [1 - at % 11 / 20 for at in range(REVIEWS)],
    }
)
CATEGORIES = ["paper", "title", "rating"]


def categorical(path: Path) -> None:
    TEXTS.with_columns(pl.col(CATEGORIES).cast(pl.Categorical)).write_parquet(path, row_group_size=50)


def enum(path: Path) -> None:
    """Every group of rows has all names, and so has what the file says of itself."""
    enums = [pl.col(name).cast(pl.Enum(TEXTS[name].drop_nulls().unique())) for name in CATEGORIES]
    TEXTS.with_columns(enums).write_parquet(path, row_group_size=50)


def dictionary(path: Path) -> None:
    """As pandas has categories."""
    table = TEXTS.to_arrow()
    for name in CATEGORIES:
        encoded = table[name].cast(pa.string()).combine_chunks().dictionary_encode()
        table = table.set_column(table.schema.get_field_index(name), name, encoded)
    pq.write_table(table, path, row_group_size=50)


Writer = Callable[[Path], None]
WRITERS = pytest.mark.parametrize("write", [categorical, enum, dictionary])


@pytest.fixture
def by_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group is too large to be read at once."""
    for size in ("SMALL_FILE", "LARGE_FILE", "LARGE_WITH_TEXTS"):
        monkeypatch.setattr(parquet_parts, size, 0)
    monkeypatch.setattr(parquet_parts, "FIRST_ROWS", 10)


def read(path: Path, rows: int = 7) -> pl.DataFrame:
    return pl.concat(part.frame for part in parquet_parts.parquet_parts(path, TEXTS.columns, rows))


@WRITERS
def test_they_are_texts_where_polars_reads_them(tmp_path: Path, write: Writer) -> None:
    write(tmp_path / "a.parquet")
    assert_frame_equal(read(tmp_path / "a.parquet"), TEXTS)
    assert_frame_equal(read(tmp_path / "a.parquet", rows=1000), TEXTS)


@WRITERS
@pytest.mark.usefixtures("by_pages")
@pytest.mark.parametrize("pyarrow", [True, False])
def test_they_are_texts_where_groups_are_large(
    tmp_path: Path, write: Writer, pyarrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_sizes, "can_read_pages", lambda: pyarrow)
    write(tmp_path / "a.parquet")
    assert_frame_equal(read(tmp_path / "a.parquet"), TEXTS)


@WRITERS
@pytest.mark.usefixtures("by_pages")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_scores_are_those_of_texts(tmp_path: Path, write: Writer, engine: str) -> None:
    write(tmp_path / "categories.parquet")
    TEXTS.write_parquet(tmp_path / "texts.parquet")
    found, expected = (
        score_files(tmp_path / f"{name}.parquet", engine=engine, memory=384_000_000) for name in ("categories", "texts")
    )
    assert found.table is not None
    assert expected.table is not None
    assert_frame_equal(found.table, expected.table)
    assert check_files(tmp_path / "categories.parquet") == check_files(tmp_path / "texts.parquet")


def test_nothing_keeps_categories_once_rows_are_read(tmp_path: Path) -> None:
    """Polars remembers all that it has seen as long as there are any: 1.5 times the memory that was allowed."""
    schema = pl.Schema({name: pl.Categorical() if name in CATEGORIES else pl.Float64() for name in TEXTS.columns})
    categorical(tmp_path / "a.parquet")
    scan = parquet_parts._scan(tmp_path / "a.parquet", schema)
    assert scan.collect_schema() == TEXTS.schema
    assert all(batch.frame.schema == TEXTS.schema for batch in find_review_files(tmp_path / "a.parquet").batches())


@pytest.mark.usefixtures("by_pages")
def test_what_polars_makes_of_them_is_planned_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pyarrow reads them, they are never anything but texts."""
    categorical(tmp_path / "a.parquet")
    plain = groups_of(tmp_path / "a.parquet", TEXTS.columns)
    groups = groups_of(tmp_path / "a.parquet", TEXTS.columns, CATEGORIES)
    names = [TEXTS.slice(start, 50).select(pl.col(CATEGORIES).drop_nulls().n_unique()).row(0) for start in (0, 50)]
    assert [group.as_categories for group in groups[:2]] == [PER_CATEGORY * sum(each) for each in names]
    assert [group._replace(as_categories=0) for group in groups] == plain
    files, path = find_review_files(tmp_path / "a.parquet"), tmp_path / "a.parquet"
    monkeypatch.setattr(parquet_sizes, "FEW_HELD", 0)
    held = max(group.held for group in groups) + parquet_sizes.PYARROW
    assert files.held_while_reading() == Held(path, held, ("paper", "title", "rating"), by_pages=True)
    monkeypatch.setattr(parquet_sizes, "can_read_pages", lambda: False)
    most = max(group.held + group.as_categories for group in groups)
    assert files.held_while_reading().bytes == int(parquet_sizes.ANEW * most)


@pytest.mark.usefixtures("by_pages")
def test_the_remedy_for_many_categories_is_plain_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Smaller groups do not help where every one of them has all names."""
    monkeypatch.setattr(parquet_parts, "groups_of", lambda *_: [Group(1, 1, held=400_000_000)])
    dictionary(tmp_path / "a.parquet")
    refused = (
        r"take 445 MB as long as any row is read, so that 711 MB of memory are needed, expected no more than the 384 MB "
        r"that were allowed; write Parquet with plain text instead of categories \(paper, title, rating\) and groups "
        r"of about 100,000 rows, or allow more$"
    )
    with pytest.raises(InputError, match=refused):
        check_files(tmp_path / "a.parquet", memory=384_000_000)


def test_a_file_that_says_too_much_of_itself_is_refused_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All names of an enum are there. A million of 80 letters took 1,274 MB of 1,000, and then the file was called
    damaged."""
    enum(tmp_path / "a.parquet")
    length = footer_length(tmp_path / "a.parquet")
    assert length > sum(len(name) for name in TEXTS["paper"].unique())
    files = find_review_files(tmp_path / "a.parquet", memory=0)
    assert files.held_while_reading().bytes == 0
    monkeypatch.setattr(parquet_parts, "LONG_FOOTER", 0)
    names = sum(TEXTS[name].drop_nulls().n_unique() for name in CATEGORIES)
    needed = length * parquet_parts.COPIES_OF_FOOTER + names * parquet_parts.PER_NAME
    assert files.held_while_reading().bytes == needed
    find_review_files(tmp_path / "a.parquet", memory=needed)
    monkeypatch.setattr(parquet_parts, "COPIES_OF_FOOTER", 200_000_000 // length + 1)
    monkeypatch.setattr(parquet_parts, "_schema", lambda _: pytest.fail("it was opened"))
    refused = (
        r"a\.parquet: found a Parquet file that says so much of itself that it takes 245 MB of memory, expected no more "
        r"than 126 MB, which is what is left for that of what was allowed; write plain text instead of an enum, which "
        r"has all its names there, and groups of about 100,000 rows, or allow 128 MB more$"
    )
    with pytest.raises(InputError, match=refused):
        score_files(tmp_path / "a.parquet", memory=384_000_000)
    TEXTS.clear().with_columns(paper=pl.lit(None, dtype=pl.Enum(TEXTS["paper"].unique()))).write_parquet(
        tmp_path / "no rows.parquet"
    )
    with pytest.raises(InputError, match="says so much of itself that it takes"):
        find_review_files(tmp_path / "no rows.parquet", memory=1)


@pytest.mark.usefixtures("by_pages")
def test_no_footer_is_too_long_for_those_who_have_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pyarrow has a limit of its own, above which it says that a file is damaged."""
    enum(tmp_path / "a.parquet")
    monkeypatch.setattr("surpeer.io.row_groups.NO_LIMITS", {"thrift_string_size_limit": 100})
    with pytest.raises(InputError, match="Exceeded size limit"):
        read(tmp_path / "a.parquet")
    limits = {"thrift_string_size_limit": footer_length(tmp_path / "a.parquet")}
    monkeypatch.setattr("surpeer.io.row_groups.NO_LIMITS", limits)
    assert_frame_equal(read(tmp_path / "a.parquet"), TEXTS)
