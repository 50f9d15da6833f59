"""Results in chunks: the same bytes as results in one piece, put in place whole."""

import errno
import io
import os
import re
import resource
import shutil
import threading
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from surpeer import Decisions, Ranking, Reviews, Scale, calibrate, decide
from surpeer.engines import result_files
from surpeer.engines.public_table import public_chunk
from surpeer.engines.result_files import check_output, write_chunks_to, write_result_chunks
from surpeer.engines.work_folder import work_folder
from surpeer.errors import InputError
from surpeer.io import whole_folder
from surpeer.io.results import WRITERS

KINDS = ["csv", "json", "parquet", "folder"]
Usage = namedtuple("Usage", "total used free")


def ranking_of(method: str, *, words: bool = False) -> Ranking:
    """Papers of all kinds: with a score, infinite, incoherent, without predictions, tied; with hostile ids."""
    rng = np.random.default_rng(1)
    papers = np.repeat(np.arange(60), 4)
    ids = [f"=SUM({paper})" if paper % 7 == 0 else f'p "{paper}", Ü' for paper in papers.tolist()]
    rating = rng.integers(0, 2, len(papers))
    rating[papers < 6] = papers[papers < 6] % 2
    share = np.where(rng.random(len(papers)) < 0.1, np.nan, rng.integers(1, 10, len(papers)) / 10)
    share[papers > 55] = np.nan
    table = pl.DataFrame(
        {
            "paper": ids if words else papers * 1000,
            "rating": [("reject", "accept")[level] for level in rating.tolist()],
            "p_reject": pl.Series(1 - share).fill_nan(None),
            "p_accept": pl.Series(share).fill_nan(None),
        }
    )
    if words:
        table = table.with_columns(
            track=pl.Series([f"-track {paper % 2}" for paper in papers]),
            title=pl.Series([f"@title {paper}\nof two lines" for paper in papers]),
        )
    return calibrate(Reviews.from_table(table, Scale.preset("binary")), method=method)


def coded(results: Ranking | Decisions) -> pl.DataFrame:
    """The table before codes became words."""
    ranking = results if isinstance(results, Ranking) else results.ranking
    scores, order = ranking.scores, ranking.order
    columns = [
        pl.Series("status", scores.status[order].astype(np.int8)),
        pl.Series("flags", ranking.flag_code.astype(np.int16)),
    ]
    table = ranking.table.with_columns(pl.Series("score", scores.value[order]), *columns)
    if isinstance(results, Ranking):
        return table
    return table.with_columns(
        p_accept=results.probability,
        p_better_than_cut=results.better_than_cut,
        proposal=pl.Series(results.proposal.astype(np.int8)),
        reason=pl.Series(results.reason.astype(np.int8)),
    )


RESULTS: dict[str, Ranking | Decisions] = {
    "numbers": ranking_of("surprisal"),
    "words": ranking_of("venue", words=True),
    "decisions": decide(ranking_of("venue", words=True), 20),
}


@pytest.mark.parametrize("name", RESULTS)
def test_codes_become_the_columns_that_people_get(name: str) -> None:
    assert_frame_equal(public_chunk(coded(RESULTS[name])), RESULTS[name].table)
    assert_frame_equal(public_chunk(coded(RESULTS[name]), "; "), RESULTS[name].table_with_joined_flags("; "))
    assert_frame_equal(public_chunk(RESULTS[name].table), RESULTS[name].table)  # words already
    assert_frame_equal(public_chunk(RESULTS[name].table, "; "), RESULTS[name].table_with_joined_flags("; "))


def test_the_samples_have_all_kinds_of_papers() -> None:
    table = RESULTS["numbers"].table
    assert set(table["status"]) == {
        "finite",
        "plus_infinity",
        "minus_infinity",
        "incoherent",
        "missing_signal",
        "no_predictions",
    }
    assert {"tie", "ranked_by_mean", "incoherent_forecasts", "missing_predictions"} <= set(table["flags"].explode())


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("rows", [1, 7, 1000])
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_text_is_the_same_to_the_byte(tmp_path: Path, name: str, rows: int, kind: str) -> None:
    whole = io.BytesIO()
    WRITERS[kind](RESULTS[name], whole)
    notes = write_result_chunks(coded(RESULTS[name]).iter_slices(rows), tmp_path / "out", kind)
    assert (tmp_path / "out").read_bytes() == whole.getvalue()
    assert (notes, os.listdir(tmp_path)) == ((), ["out"])


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_parquet_is_the_same_table_in_one_file_or_in_parts(tmp_path: Path, name: str, rows: int) -> None:
    expected = RESULTS[name].table
    write_result_chunks(coded(RESULTS[name]).iter_slices(rows), tmp_path / "out.parquet", "parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "out.parquet"), expected)
    write_result_chunks(coded(RESULTS[name]).iter_slices(rows), tmp_path / "parts", "folder")
    parts = -(-len(expected) // rows)
    assert sorted(os.listdir(tmp_path / "parts")) == [f"part-{number:05d}.parquet" for number in range(parts)]
    assert_frame_equal(pl.read_parquet(tmp_path / "parts"), expected)
    assert sorted(os.listdir(tmp_path)) == ["out.parquet", "parts"]


@pytest.mark.parametrize("kind", KINDS)
def test_large_chunks_are_written_in_small_ones(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_files, "ROW_GROUP", 7)
    monkeypatch.setattr(result_files, "JSON_ROWS", 7)
    write_result_chunks([coded(RESULTS["words"])], tmp_path / "out", kind)
    if kind in ("parquet", "folder"):
        assert_frame_equal(pl.read_parquet(tmp_path / "out"), RESULTS["words"].table)
    else:
        whole = io.BytesIO()
        WRITERS[kind](RESULTS["words"], whole)
        assert (tmp_path / "out").read_bytes() == whole.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_no_papers(tmp_path: Path, kind: str) -> None:
    nobody = coded(RESULTS["numbers"]).clear()
    write_result_chunks([nobody], tmp_path / "out", kind)
    if kind in ("parquet", "folder"):
        assert_frame_equal(pl.read_parquet(tmp_path / "out"), RESULTS["numbers"].table.clear())
    else:
        expected = {"csv": b"rank,paper,reviews,mean,score,status,flags\n", "json": b"[\n\n]\n"}
        assert (tmp_path / "out").read_bytes() == expected[kind]


def before(folder: Path, kind: str) -> Path:
    """An earlier result."""
    out = folder / "out"
    if kind == "folder":
        out.mkdir()
        (out / "part-00000.parquet").write_bytes(b"before")
        (out / "part-00001.parquet").write_bytes(b"before")
    else:
        out.write_bytes(b"before")
        out.chmod(0o640)
    return out


def is_as_before(out: Path) -> bool:
    files = [out] if out.is_file() else [out / "part-00000.parquet", out / "part-00001.parquet"]
    return os.listdir(out.parent) == ["out"] and all(file.read_bytes() == b"before" for file in files)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is needed")
@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_a_stream_that_takes_no_more_is_named_and_not_the_disk_of_temporary_files(tmp_path: Path, kind: str) -> None:
    refused = pytest.raises(InputError, match="^standard output: cannot be written: No space left on device$")
    with refused, work_folder(tmp_path / "out"), open("/dev/full", "wb", buffering=0) as full:
        write_chunks_to(full, [coded(RESULTS["numbers"])], kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_said_when_the_result_is_complete_and_not_in_place(tmp_path: Path, kind: str) -> None:
    out, said = before(tmp_path, kind), []

    def look() -> None:
        files = [out] if out.is_file() else [*out.iterdir()]
        said.append({file.read_bytes() for file in files} == {b"before"})

    write_result_chunks([coded(RESULTS["numbers"])], out, kind, look)
    assert said == [True]
    assert not is_as_before(out)


@pytest.mark.parametrize("kind", KINDS)
def test_an_earlier_result_is_replaced(tmp_path: Path, kind: str) -> None:
    out = before(tmp_path, kind)
    write_result_chunks([coded(RESULTS["numbers"])], out, kind)
    assert os.listdir(tmp_path) == ["out"]
    if kind == "folder":
        assert os.listdir(out) == ["part-00000.parquet"]
        assert out.stat().st_mode & 0o700 == 0o700
    else:
        assert out.read_bytes() != b"before"
        assert out.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_on_the_way_leaves_the_earlier_result(tmp_path: Path, kind: str, error: type[BaseException]) -> None:
    out = before(tmp_path, kind)

    def chunks() -> Iterator[pl.DataFrame]:
        yield coded(RESULTS["numbers"])
        raise error

    with pytest.raises(error):
        write_result_chunks(chunks(), out, kind)
    assert is_as_before(out)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [3, 100, 1000, 4000, 8000])
def test_a_full_disk_leaves_the_earlier_result(tmp_path: Path, kind: str, size: int) -> None:
    out = before(tmp_path, kind)
    many = pl.concat([coded(RESULTS["words"])] * 50)
    expected = rf"^{re.escape(str(tmp_path))}: too little space is left on this disk \(.* are free\); no result was written; free some space, or write the result to another disk, and run the same command again$"
    with pytest.raises(InputError, match=expected), files_of_at_most(size):
        write_result_chunks([many, many], out, kind)
    assert is_as_before(out)


def test_the_disk_that_is_full_is_named_even_if_chunks_are_made_while_others_are_written(tmp_path: Path) -> None:
    temp, out = tmp_path / "temp", tmp_path / "out"
    temp.mkdir()

    def chunks(folder: Path) -> Iterator[pl.DataFrame]:
        yield coded(RESULTS["numbers"])
        with files_of_at_most(100):
            (folder / "rows").write_bytes(bytes(1000))

    expected = (
        rf"^{re.escape(str(temp))}: too little space is left on this disk .* name a folder on another disk with --temp"
    )
    with pytest.raises(InputError, match=expected), work_folder(out, temp) as work:
        write_result_chunks(work.guarded(chunks(work.path)), out, "csv")
    assert os.listdir(tmp_path) == ["temp"]
    assert os.listdir(temp) == []


@pytest.mark.parametrize("stopped", ["result", "out"])
def test_a_folder_that_cannot_be_moved_leaves_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    out = before(tmp_path, "folder")
    real = os.rename

    def rename(source: Path, target: Path) -> None:
        if source.name == "result":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(source, target)
        if source.name == stopped:
            raise KeyboardInterrupt

    monkeypatch.setattr(whole_folder.os, "rename", rename)
    expected = KeyboardInterrupt if stopped == "out" else InputError
    message = "^$" if stopped == "out" else f"^{re.escape(str(out))}: cannot be written: Device or resource busy$"
    with pytest.raises(expected, match=message):
        write_result_chunks([coded(RESULTS["numbers"])], out, "folder")
    assert is_as_before(out)


def test_an_empty_folder_is_filled_and_a_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_result_chunks([coded(RESULTS["numbers"])], tmp_path / "link", "folder")
    assert (tmp_path / "link").is_symlink()
    assert os.listdir(tmp_path / "real") == ["part-00000.parquet"]


@pytest.mark.parametrize("name", ["thesis.tex", "part-1.parquet", "part-00000.parquet.gz"])
def test_a_folder_with_other_content_is_not_touched(tmp_path: Path, name: str) -> None:
    out = before(tmp_path, "folder")
    (out / name).write_bytes(b"mine")
    expected = f"{out}: found {name} in this folder, expected no such folder, or one with parts of an earlier result only; give --output another name"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        write_result_chunks(iter(()), out, "folder")
    assert (out / name).read_bytes() == b"mine"
    assert is_as_before(out)


def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in KINDS:
        out = tmp_path / "no" / "out"
        with pytest.raises(
            InputError,
            match=f"^{re.escape(str(out))}: cannot be written: there is no folder {re.escape(str(out.parent))}$",
        ):
            check_output(out, kind)
    with pytest.raises(InputError, match="found a folder, expected a file to write to"):
        check_output(tmp_path, "csv")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10, 9, 1))
    with pytest.raises(
        InputError,
        match="needs about 5.0 GB here, and 1 bytes are free; free some space, or write the result to another disk$",
    ):
        check_output(tmp_path / "out", "csv", 5_000_000_000)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # as for anyone but the superuser
    with pytest.raises(InputError, match=f"out: cannot be written: no permission in {re.escape(str(tmp_path))}$"):
        check_output(tmp_path / "out", "csv")


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path, kind: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_result_chunks(coded(RESULTS["words"]).iter_slices(7), pipe, kind)
    reader.join()
    assert pipe.is_fifo()
    if kind == "parquet":
        assert_frame_equal(pl.read_parquet(received[0]), RESULTS["words"].table)
    else:
        whole = io.BytesIO()
        WRITERS[kind](RESULTS["words"], whole)
        assert received == [whole.getvalue()]
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_a_device_that_is_full(kind: str) -> None:
    with pytest.raises(InputError, match="^/dev/full: cannot be written: No space left on device$"):
        write_result_chunks([coded(RESULTS["words"])], Path("/dev/full"), kind)
    assert Path("/dev/full").is_char_device()


def test_titles_are_written_in_small_groups_because_others_may_be_longer(tmp_path: Path) -> None:
    """Titles of one letter in the first rows, and of 3,000 in others, took 989 of 455 MB."""
    chunk = pl.concat([coded(RESULTS["words"])] * 1000).drop("title")
    titled = chunk.with_columns(title=pl.lit("t"))
    for table, largest in ((chunk, len(chunk)), (titled, 1 << 12)):
        write_result_chunks([table.head(3000), table.slice(3000)], tmp_path / "out.parquet", "parquet")
        metadata = pq.ParquetFile(tmp_path / "out.parquet").metadata
        groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        assert sum(groups) == len(chunk) > 1 << 12
        assert max(groups) == largest


def test_long_texts_are_written_few_at_a_time(tmp_path: Path) -> None:
    """With titles of 640 letters, 100,000 papers at a time took 421 MB of 384."""
    chunk = pl.concat([coded(RESULTS["words"])] * 50)
    for letters, groups in ((10, 1), (9000, 2), (100_000, 3)):
        titled = chunk.with_columns(title=pl.lit("t" * letters))
        write_result_chunks([titled], tmp_path / "out.parquet", "parquet")
        assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups == groups
        assert pl.read_parquet(tmp_path / "out.parquet")["title"].str.len_bytes().unique().to_list() == [letters]
