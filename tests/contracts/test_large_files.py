"""Files of any size are read in batches, and give what the same table gives when it is read at once."""

import gzip
import json
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from at_length import examples
from hypothesis import example, given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale, read_reviews
from surpeer.errors import InputError, SurpeerError
from surpeer.findings import Findings
from surpeer.io.first_look import ReadingOptions, all_notes, look_first
from surpeer.io.review_files import find_review_files

Write = Callable[[str, str | bytes], Path]

TABLE = pl.DataFrame(
    {
        "paper": [7, 7, 8, 9, 8, 7],
        "rating": ["reject", "accept", "accept", "reject", "accept", "reject"],
        "p_reject": [0.3, 0.25, 0.5, 1.0, 0.0, None],
        "p_accept": [0.7, 0.75, 0.5, 0.0, 1.0, None],
        "comment": ["a", "b", "c", None, "e", "f"],
    }
)
TEXT_TABLE = TABLE.with_columns(pl.col("paper").cast(pl.String))


def read_all(what: str | Path, block_bytes: int = 64, rows: int = 4, **how: Any) -> tuple[Any, ...]:
    """The rows of some files, in small batches, and all notes; problems are raised."""
    files = find_review_files(what)
    checker, _ = look_first(files, ReadingOptions(**how))
    findings, parts, commas = Findings(checker, files.source), [], 0
    for batch in files.batches(rows_per_batch=rows, block_bytes=block_bytes):
        checked = checker.check(batch.frame, batch.rows)
        findings.add(checked, batch.file, batch.problems)
        parts += [checked] if len(checked) else []
        commas += batch.commas
    findings.raise_if_any()
    return (
        pl.concat([part.paper for part in parts]).to_list(),
        np.concatenate([part.rating for part in parts]).tolist(),
        np.concatenate([part.shares for part in parts]).tolist(),
        all_notes(files, findings, commas),
    )


def read_at_once(path: Path, **how: Any) -> tuple[Any, ...]:
    reviews = read_reviews(path, platform="surpeer", **how)
    ids = reviews.papers.gather(reviews.paper).to_list()
    return ids, reviews.rating.tolist(), reviews.predictions.tolist(), reviews.notes


def outcome(read: Callable[..., Any], *arguments: Any, **how: Any) -> str:
    """What comes of it, NaN being NaN."""
    try:
        return repr(read(*arguments, **how))
    except ReviewProblems as found:
        return f"{found} {found.notes}"


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


PACKED: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstd}


def content(frame: pl.DataFrame, kind: str) -> bytes:
    stream = BytesIO()
    if kind == "parquet":
        frame.write_parquet(stream, row_group_size=2)
    elif kind == "jsonl":
        frame.write_ndjson(stream)
    else:
        frame.write_csv(stream, separator="\t" if kind == "tsv" else ",")
    return bytes(stream.getvalue())


@pytest.mark.parametrize(
    "ending", [".csv", ".tsv", ".jsonl", ".csv.gz", ".jsonl.gz", ".csv.zst", ".jsonl.zst", ".parquet"]
)
@pytest.mark.parametrize("block_bytes", [40, 64, 2**20])
def test_every_format_gives_what_reading_at_once_gives(write: Write, ending: str, block_bytes: int) -> None:
    _, kind, *packed = ending.split(".")
    pack = PACKED["".join(f".{name}" for name in packed)]
    whole = read_at_once(write(f"whole.{kind}", content(TABLE, kind)))
    path = write(f"reviews{ending}", pack(content(TABLE, kind)))
    assert repr(read_all(path, block_bytes)) == repr(whole)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_folder_and_a_pattern_are_one_table(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "votes"
    (folder / "day=2").mkdir(parents=True)
    (folder / "_temporary").mkdir()
    (folder / f"part-0.{kind}").write_bytes(content(TABLE[:2], kind))
    (folder / f"part-1.{kind}").write_bytes(content(TABLE[2:3].select(reversed(TABLE.columns)), kind))
    (folder / "day=2" / f"part-0.{kind}").write_bytes(content(TABLE[3:], kind))
    for name in ("_SUCCESS", f".part-0.{kind}.crc", "_temporary/half.csv"):
        (folder / name).write_bytes(b"x")
    (folder / "README.txt").write_text("about")
    (tmp_path / f"whole.{kind}").write_bytes(content(TABLE, kind))
    ids, ratings, shares, notes = read_at_once(tmp_path / f"whole.{kind}")
    in_parts = read_all(folder)
    assert repr(in_parts[:3]) == repr((ids, ratings, shares))
    assert in_parts[3] == ("3 files read as one table", "1 file not read: README.txt", *notes)
    assert read_all(folder / f"*.{kind}")[0] == ids[:3]
    assert repr(read_all(f"{folder}/**/*.{kind}")[:3]) == repr((*(x[3:] + x[:3] for x in (ids, ratings, shares)),))


def test_what_is_known_of_files(tmp_path: Path) -> None:
    for at in range(3):
        TABLE[at * 2 : at * 2 + 2].write_parquet(tmp_path / f"{at}.parquet")
    files = find_review_files(tmp_path)
    assert (files.kind, files.rows, files.names) == ("Parquet", 6, tuple(TABLE.columns))
    assert files.bytes == sum(path.stat().st_size for path in tmp_path.iterdir())
    batches = list(files.batches())
    assert [(batch.file, batch.first_row, len(batch.frame)) for batch in batches] == [
        ("0.parquet", 1, 2),
        ("1.parquet", 1, 2),
        ("2.parquet", 1, 2),
    ]
    assert batches[-1].fraction == 1.0
    assert batches[0].frame.columns == ["paper", "rating", "p_reject", "p_accept"]
    assert [batch.frame.columns for batch in files.batches(["rating"])] == [["rating"]] * 3


def test_a_reader_that_stops_early_leaves_nothing_behind(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet", row_group_size=1)
    batches = find_review_files(tmp_path / "a.parquet").batches(rows_per_batch=1)
    assert next(batches).first_row == 1
    batches.close()  # type: ignore[attr-defined]
    assert list(batches) == []


CELLS = st.sampled_from(
    ["a", "", '"q"', '"x,y"', '"line\nbreak"', '"say ""no"""', 'in"ch', '"', "é", "\r", '"a"b', " "]
)
ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", "", '"3"', "x y"]), st.sampled_from(["0", "1", "", "2"]), CELLS), max_size=8
)


@examples(150)
@given(ROWS, st.integers(20, 120), st.sampled_from(["\n", "\r\n"]), st.sampled_from([0, 0, 0, 1, 2]), st.data())
@example([("1", "0", '"line\nbreak"'), ("2", "1", '"'), ("2", "1", "a")], 30, "\n", 0, None)
def test_csv_in_blocks_is_what_it_is_in_one_piece(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], size: int, end: str, trouble: int, data: Any
) -> None:
    lines = [",".join(["paper", "rating", "note", "p_0", "p_1"])]
    lines += [",".join([*row, "0.5", "0.5"]) for row in rows]
    if trouble and len(lines) > 1:
        at = data.draw(st.integers(1, len(lines) - 1))
        lines[at] = data.draw(
            st.sampled_from(["", "1,0", "1,0,a,0.5,0.5,9", '1,0,a,"0.5",0.5', "1,0,a,NaN,0.5", "1,0,a,50%,0.5"])
        )
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_bytes(end.join(lines).encode() + (b"" if trouble == 2 else end.encode()))
    assert outcome(read_all, path, size) == outcome(read_at_once, path)


VALUES = st.sampled_from(
    ["1", '"1"', "2", "null", "0.5", '"x"', "true", "[1]", "NaN", "1e400", '"\\ud800"', '"paper"', "{}"]
)


@examples(150)
@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=6), st.integers(0, 40), st.integers(0, 6))
def test_json_lines_in_blocks_are_what_they_are_in_one_piece(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], size: int, trouble: int
) -> None:
    lines = [f'{{"paper": {paper}, "rating": {rating}, "prediction": {share}}}' for paper, rating, share in rows]
    extra = [
        "",
        "{",
        '{"paper": 1, "paper": 2}',
        '{"paper": 1, "x": 1, "x": 2}',
        "[1]",
        " ",
        '{"rating": 1, "paper": "paper"}',
    ]
    lines.insert(len(lines) // 2, extra[trouble])
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    scale = Scale(["1", "2"])
    in_blocks, at_once = outcome(read_all, path, 2**20, scale=scale), outcome(read_at_once, path, scale=scale)
    assert in_blocks == at_once
    in_small_ones = outcome(read_all, path, 60 + size, scale=scale)
    if in_small_ones != at_once:  # columns that are text in one block and numbers in another
        assert "found" in in_small_ones
        assert "found" in at_once or "expected the same everywhere" in in_small_ones or "a key " in in_small_ones


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_lists_of_shares(write: Write, kind: str) -> None:
    rows = [[0.25, 0.75], [1e-05, 0.99999], None, [0.5, 0.5], [0.0, 1.0], [0.3, None]]
    frame = TABLE.select("paper", "rating", distribution=pl.Series(rows))
    path = write(f"a.{kind}", content(frame, kind))
    scale = Scale(["reject", "accept"])
    whole = read_at_once(path, scale=scale)
    assert repr(read_all(path, 150, 2, scale=scale)) == repr(whole)
    assert whole[2][1] == [1e-05, 0.99999]
    assert whole[2][5] == [0.3, 0.7]
    assert "predictions are read as fractions" in whole[3]
    wrong = frame.with_columns(distribution=pl.Series([[0.5, 0.5]] * 5 + [[0.5, 0.4, 0.1]]))
    with pytest.raises(
        ReviewProblems, match=r"row 6, column distribution: found 3 numbers \(\"\[0\.5, 0\.4, 0\.1\]\"\)"
    ):
        read_all(write(f"b.{kind}", content(wrong, kind)), scale=scale)


def test_decimal_commas_and_other_separators(write: Write) -> None:
    text = "paper;rating;p_reject;p_accept\n" + "".join(f"{at};accept;0,{at};0,{10 - at}\n" for at in range(1, 10))
    path = write("a.csv", text)
    assert repr(read_all(path, 60)) == repr(read_at_once(path))
    assert "18 numbers with a decimal comma read: 0,3 is 0.3" in read_all(path, 60)[3]


def test_problems_name_file_row_and_column(tmp_path: Path) -> None:
    for name, rating in (("a", "accept"), ("b", "Accept")):
        lines = ["paper,rating,p_reject,p_accept", *["1,accept,0.5,0.5"] * 5, f"1,{rating},0.5,0.5", "1,accept"]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines[: 7 if name == "a" else 8]))
    with pytest.raises(ReviewProblems) as caught:
        read_all(tmp_path)
    assert [str(problem).split(", expected")[0] for problem in caught.value.problems] == [
        'b.csv, row 7, column rating: found "Accept"',
        'b.csv, row 8: found 2 cells (it begins "1,accept")',
    ]
    assert caught.value.head == f"{tmp_path}: 2 problems"


def test_an_empty_row_is_one_in_which_no_column_at_all_is_filled(write: Write) -> None:
    rows = {"paper": [1, None, None], "rating": [0, None, None], "p_0": [0.5, None, None], "p_1": [0.5, None, None]}
    frame = pl.DataFrame({**rows, "comment": ["x", None, "forgot the paper"]})
    path = write("a.parquet", content(frame, "parquet"))
    with pytest.raises(ReviewProblems) as caught:
        read_all(path)
    assert [problem.row for problem in caught.value.problems] == [3, 3]
    assert outcome(read_all, path) == outcome(read_at_once, path)


def test_levels_are_told_by_all_ratings(write: Write) -> None:
    lines = ["paper,rating,prediction", *["1,accept,0.5"] * 20, "1,reject,0.5"]
    path = write("a.csv", "\n".join(lines))
    assert repr(read_all(path)) == repr(read_at_once(path))
    with pytest.raises(ReviewProblems, match="expected two known levels"):
        read_all(write("b.csv", "\n".join([*lines, "1,fine,0.5"])))
    assert outcome(read_all, write("b.csv", "\n".join(lines)), unit="percent").count("percent") == 1


def test_whole_numbers_of_several_widths_are_fine(tmp_path: Path) -> None:
    for at, kind in enumerate((pl.Int8, pl.Int64, pl.UInt16)):
        TABLE.with_columns(pl.col("paper").cast(kind)).write_parquet(tmp_path / f"{at}.parquet")
    assert read_all(tmp_path)[0] == TABLE["paper"].to_list() * 3


def test_ids_that_are_numbers_in_one_file_and_text_in_another(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet")
    TEXT_TABLE.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(ReviewProblems, match=r"whole numbers in a\.parquet and text in b\.parquet, expected the same"):
        read_all(tmp_path)


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet")
    TABLE.rename({"p_accept": "accept"}).write_parquet(tmp_path / "b.parquet")
    TABLE.drop("comment").write_parquet(tmp_path / "c.parquet")
    with pytest.raises(ReviewProblems) as caught:
        find_review_files(tmp_path)
    assert [str(problem).replace(f"{tmp_path}/", "").split("; ")[0] for problem in caught.value.problems] == [
        "b.parquet: found columns that differ: no p_accept and accept besides, expected those of a.parquet",
        "c.parquet: found columns that differ: no comment, expected those of a.parquet",
    ]
    TABLE.write_csv(tmp_path / "d.csv")
    with pytest.raises(
        InputError, match=r"several kinds: 3 of Parquet \(a.parquet, b.parquet, c.parquet\) and 1 of CSV"
    ):
        find_review_files(tmp_path)


def test_damaged_files_are_named_all_at_once(tmp_path: Path) -> None:
    data = content(TABLE, "parquet")
    (tmp_path / "a.parquet").write_bytes(data)
    (tmp_path / "b.parquet").write_bytes(data[: len(data) // 2])
    (tmp_path / "c.parquet").write_bytes(b"")
    with pytest.raises(ReviewProblems) as caught:
        find_review_files(tmp_path)
    assert [Path(problem.file).name for problem in caught.value.problems] == ["b.parquet", "c.parquet"]
    assert all("a damaged Parquet file" in problem.found for problem in caught.value.problems)


@pytest.mark.parametrize("size", range(4, 400, 13))
def test_damaged_pages_are_no_traceback(tmp_path: Path, size: int) -> None:
    data = bytearray(content(TABLE, "parquet"))
    data[size % len(data)] ^= 0xFF
    (tmp_path / "a.parquet").write_bytes(bytes(data))
    assert "\n" not in outcome_of_any(tmp_path / "a.parquet").split(":")[0]


def outcome_of_any(path: Path) -> str:
    try:
        return repr(read_all(path))
    except SurpeerError as found:
        return f"{type(found).__name__}: {found}"


def test_packed_files_that_are_cut_short_or_damaged(write: Write) -> None:
    data = gzip.compress(content(pl.concat([TABLE] * 5000), "csv"))
    with pytest.raises(ReviewProblems, match="found a gzip file that is cut short, expected a whole one"):
        read_all(write("a.csv.gz", data[:-100]), 2**20, 500_000)
    with pytest.raises(ReviewProblems, match=r"found a damaged gzip file \(CRC check failed"):
        read_all(write("a.csv.gz", data[:-8] + bytes(8)), 2**20, 500_000)
    data = zstd(content(pl.concat([TABLE] * 5000), "csv"))
    with pytest.raises(ReviewProblems, match="found a zstd file that is cut short, expected a whole one"):
        read_all(write("a.csv.zst", data[:-4]))
    with pytest.raises(
        ReviewProblems, match=r"found a damaged zstd file \(.*\), expected a sound one; write or download"
    ):
        read_all(write("a.csv.zst", data[:20] + b"damaged" + data[27:]))


def test_several_packed_parts_in_one_file_are_one_text(write: Write) -> None:
    """As programs write them that pack with several processors."""
    text = content(pl.concat([TABLE] * 50), "csv")
    for name, pack in (("a.csv.gz", gzip.compress), ("a.csv.zst", zstd)):
        several = write(name, pack(text[:777]) + pack(text[777:]))
        assert repr(read_all(several)) == repr(read_all(write("a.csv", text)))


def test_bytes_that_are_no_text_are_found_in_their_line(write: Write) -> None:
    lines = [b"paper,rating,p_0,p_1", *[b"1,0,0.5,0.5"] * 40, b"1,\xff,0.5,0.5", b"1,0,0.5,0.5"]
    with pytest.raises(ReviewProblems, match="found byte 0xff in line 42, expected UTF-8 text"):
        read_all(write("a.csv", b"\n".join(lines)))
    with pytest.raises(ReviewProblems, match=r"found no text \(a NUL byte in line 42\)"):
        read_all(write("a.csv", b"\n".join(lines).replace(b"\xff", b"\0")))
    records = [b'{"paper": 1, "rating": 0, "prediction": 0.5}'] * 40
    with pytest.raises(ReviewProblems, match="found byte 0xff in line 41, expected UTF-8 text"):
        read_all(write("a.jsonl", b"\n".join([*records, b'{"paper": "\xff"}'])), 100, scale=Scale(["0", "1"]))


@pytest.mark.parametrize("rows", [0, 5, 5000])
def test_bytes_that_are_no_text_beside_quotes_that_are_not_sound(write: Write, rows: int) -> None:
    """Where rows are looked for one by one; the first of these were a traceback."""
    lines = [b"paper,rating,p_0,p_1,note", *[b'1,0,0.5,0.5,"on\nit"'] * rows, b"1,0,0.5,0.5,\xff", b'1,0,0.5,0.5,"a"b"']
    with pytest.raises(ReviewProblems, match=f"found byte 0xff near line {2 * rows + 2}, expected UTF-8 text; save"):
        read_all(write("a.csv", b"\n".join(lines)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "part-0.parquet")
    for what in (tmp_path, tmp_path / "*.parquet"):
        with pytest.raises(
            InputError, match=r"found part-0.parquet \(a pipe, a socket or a device\), expected files; "
        ):
            find_review_files(what)


def test_nothing_to_read(tmp_path: Path, write: Write) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        find_review_files(tmp_path / "none.csv")
    with pytest.raises(InputError, match="no file fits the pattern"):
        find_review_files(tmp_path / "*.csv")
    with pytest.raises(InputError, match="found 0 files and no table among them"):
        find_review_files(tmp_path)
    with pytest.raises(ReviewProblems, match="found an empty file"):
        find_review_files(write("a.csv", ""))
    with pytest.raises(ReviewProblems, match="found no reviews"):
        read_all(write("a.csv", "paper,rating,p_0,p_1\n"))
    with pytest.raises(ReviewProblems, match=r"b\.csv: found an empty file"):
        write("b.csv", "")
        find_review_files(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(ReviewProblems, match="closed, which cannot be read: Permission denied"):
        find_review_files(tmp_path)


def test_folders_and_files_that_may_not_be_read_are_all_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files were named once folders could be read."""
    (tmp_path / "closed").mkdir()
    for name in ("a", "b"):
        TABLE.write_csv(tmp_path / f"{name}.csv")
    scandir, access = os.scandir, os.access

    def scanned(folder: Any) -> Any:
        if os.fspath(folder).endswith("closed"):
            raise PermissionError(13, "Permission denied", os.fspath(folder))
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", scanned)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "b.csv" and access(path, mode))
    with pytest.raises(ReviewProblems) as caught:
        find_review_files(tmp_path)
    assert [str(problem).replace(str(tmp_path), "votes") for problem in caught.value.problems] == [
        "found the folder votes/closed, which cannot be read: Permission denied, expected a folder that may be read; change its permissions",
        "found the file votes/b.csv, which cannot be read, expected a file that may be read; change its permissions",
    ]


def test_a_file_of_several_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        TABLE.write_csv(tmp_path / f"{name}.csv")
    real = Path.open

    def opened(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == "b.csv":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *how, **more)

    monkeypatch.setattr(Path, "open", opened)
    said = r"b\.csv: found no part of a table: cannot be read: Permission denied, expected a file that can be read"
    with pytest.raises(ReviewProblems, match=said):
        find_review_files(tmp_path)


def test_a_quote_that_is_never_closed_takes_no_more_memory_than_a_row_may_have(write: Write) -> None:
    text = 'paper,rating,p_0,p_1\n1,0,0.5,0.5\n1,"0,0.5,0.5\n' + "1,0,0.5,0.5\n" * 2000
    path = write("a.csv", text)
    assert outcome(read_all, path, 1000) == outcome(read_at_once, path)


def test_keys_that_turn_up_late(write: Write) -> None:
    record = json.dumps({"paper": 1, "rating": "accept", "p_reject": 0.5, "p_accept": 0.5})
    late = json.dumps({"paper": 1, "rating": "accept", "p_reject": 0.5, "p_accept": 0.5, "track": "A"})
    path = write("a.jsonl", "\n".join([record] * 40_000 + [late]))
    with pytest.raises(ReviewProblems, match="a key track that is not in the first records of the files"):
        read_all(path, 2**20, 500_000)
