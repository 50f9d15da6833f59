"""Ids of text files that are whole numbers are read as such, which nobody may notice; and blocks are read side by side."""

import csv
from pathlib import Path
from threading import Event, Thread, active_count
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale
from surpeer.engines.score_files import score_files
from surpeer.io.delimited import read_delimited
from surpeer.io.delimited_parts import delimited_parts
from surpeer.io.delimited_sheet import LONGEST_CELL, long_cells
from surpeer.io.in_threads import in_threads
from surpeer.io.plain_rows import IN_CACHE, rows_with_numbers
from surpeer.io.review_files import find_review_files
from surpeer.rating_cells import read_ratings
from surpeer.slips import first_problems

NAMES = ["paper", "rating", "note", "p_0", "p_1"]
HEADER = ",".join(NAMES)

AS_ONE_WRITES_THEM = ["7", "0", "-12", "10", "9223372036854775807", "-9223372036854775808"]
OTHERWISE = ["007", "+7", " 7", "7 ", "-0", "-07", "00", "", "x7", "7x", "7.0", "1e3", "9223372036854775808", '"7"']
OTHERWISE += ["\t7", "7\r", "-", "٣", "é"]

IDS = st.sampled_from(AS_ONE_WRITES_THEM * 3 + OTHERWISE)
NOTES = st.sampled_from(["a", "", "é", "0", "-", "+1", " ", "\r", "1,2"])
SHARES = st.sampled_from(["0.5", "1", "", " 0.5", "50%", "NaN", "0.5,"])


def rows_of(ids: list[str]) -> bytes:
    return "".join(f"{paper},0,a,0.5,1\n" for paper in ids).encode()


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("paper", "rating").cast(pl.String))


@given(
    st.lists(st.tuples(IDS, st.sampled_from(["0", "1", ""]), NOTES, st.just("0.5"), SHARES), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
@example([("7", "0", "a", "0.5", "0.5"), ("", "", "", "", "")], "\n", False)
def test_ids_read_as_numbers_are_the_same_ids(rows: list[tuple[str, ...]], end: str, is_open: bool) -> None:
    text = end.join([",".join(row) for row in rows]) + ("" if is_open else end)
    frame = rows_with_numbers(text.encode(), NAMES, ",")
    if frame is not None:
        whole = read_delimited(Path("a.csv"), f"{HEADER}{end}{text}".encode(), ",", sound_quotes=True)
        assert whole.problems == ()
        assert as_text(frame).equals(whole.frame)
        assert frame["paper"].dtype == pl.Int64


RATINGS = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "-1",
        "01",
        "+1",
        "-0",
        "-07",
        "+7",
        "007",
        "1.0",
        "3",
        "",
        " ",
        " 1",
        "1 ",
        "\t1",
        "x",
        "1e0",
        "9" * 19,
    ]
)


@given(st.lists(RATINGS, min_size=1, max_size=6), st.sampled_from([["0", "1"], ["-1", "01", "2"], ["0", "x"]]))
@example(["1", "01", "+1"], ["0", "1"])
@example(["1", " 1"], ["0", "1"])
@example(["1", "007"], ["0", "1"])
@example(["1", "-0", "-07"], ["-1", "01", "2"])
def test_ratings_read_as_numbers_are_the_same_ratings(ratings: list[str], levels: list[str]) -> None:
    text = "".join(f"1,{rating},a,0.5,0.5\n" for rating in ratings)
    frame = rows_with_numbers(text.encode(), NAMES, ",")
    assert frame is not None
    whole = read_delimited(Path("a.csv"), f"{HEADER}\n{text}".encode(), ",", sound_quotes=True).frame
    (codes, slips), (other_codes, other_slips) = (
        read_ratings(some, Scale(levels), np.arange(len(ratings))) for some in (frame, whole)
    )
    assert codes.tolist() == other_codes.tolist()
    assert first_problems(slips, len(ratings)) == first_problems(other_slips, len(ratings))


@pytest.mark.parametrize(
    ("ratings", "read"),
    [
        (["0", "1"], [0, 1]),
        (["0", "-1", "10"], [0, -1, 10]),
        (["01"], ["01"]),
        (["0", "00"], ["0", "00"]),
        (["0", "+1"], ["0", "+1"]),
        (["1", "-0"], ["1", "-0"]),
        (["0", "x"], ["0", "x"]),
        (["x", "0"], ["x", "0"]),
        (["0", " 1"], ["0", " 1"]),
    ],
)
def test_ratings_are_numbers_where_all_are(ratings: list[str], read: list[object]) -> None:
    frame = rows_with_numbers("".join(f"1,{rating},a,0.5,0.5\n" for rating in ratings).encode(), NAMES, ",")
    assert frame is not None
    assert frame["rating"].to_list() == read


@pytest.mark.parametrize("cell", AS_ONE_WRITES_THEM)
@pytest.mark.parametrize("before", [0, IN_CACHE // 12 - 1, IN_CACHE // 12, IN_CACHE // 12 + 1])
def test_whole_numbers_as_one_writes_them_become_numbers(cell: str, before: int) -> None:
    frame = rows_with_numbers(rows_of(["1"] * before + [cell]), NAMES, ",")
    assert frame is not None
    assert frame["paper"].to_list() == [1] * before + [int(cell)]


@pytest.mark.parametrize("cell", OTHERWISE)
@pytest.mark.parametrize("before", [0, 1, IN_CACHE // 12 - 1, IN_CACHE // 12, IN_CACHE // 12 + 1])
def test_whatever_else_there_is_stays_text(cell: str, before: int) -> None:
    assert rows_with_numbers(rows_of(["1"] * before + [cell]), NAMES, ",") is None


def test_columns_in_another_order_and_commas_in_numbers_stay_text() -> None:
    assert rows_with_numbers(b"0,1\n", ["rating", "paper"], ",") is None
    assert rows_with_numbers(b"1,0,0\n", ["paper", "rating", "rating"], ",") is None
    assert rows_with_numbers(b"1;0;0,5\n", ["paper", "rating", "p_0"], ";") is None
    semicolons = rows_with_numbers(b"1;0;0.5\n2;0;0.5\n", ["paper", "rating", "p_0"], ";")
    assert semicolons is not None
    assert semicolons.rows() == [(1, 0, 0.5), (2, 0, 0.5)]
    assert rows_with_numbers(b"1;0;0.5\n;0;0.5\n", ["paper", "rating", "p_0"], ";") is None


def lines_with(ids: list[str]) -> str:
    every = [f"{paper},{at % 2},note {at},0.{at % 9 + 1},0.{9 - at % 9}" for at, paper in enumerate(ids)]
    return "\n".join([HEADER, *every]) + "\n"


@pytest.mark.parametrize("late", ["007", "x", "+3", ""])
def test_a_block_whose_ids_suddenly_are_text(tmp_path: Path, late: str) -> None:
    path = tmp_path / "a.csv"
    ids = [str(at % 50) for at in range(200)] + [late] + [str(at % 50) for at in range(200)]
    path.write_text(lines_with(ids))
    short = list(delimited_parts(path, 500, shorten_ids=True))
    plain = list(delimited_parts(path, 500))
    assert [part.first_row for part in short] == [part.first_row for part in plain]
    assert {part.short_ids for part in short} == {True, False}
    assert not any(part.short_ids for part in plain)
    assert [part.frame["paper"].dtype == pl.Int64 for part in short] == [part.short_ids for part in short]
    assert pl.concat([as_text(part.frame) for part in short]).equals(pl.concat([part.frame for part in plain]))
    assert pl.concat([part.frame["paper"] for part in plain]).to_list() == [paper or None for paper in ids]
    batches = list(find_review_files(path).batches(rows_per_batch=7, block_bytes=500, shorten_ids=True))
    assert [batch.short_ids for batch in batches][:3] == [True] * 3
    assert not batches[-1].short_ids
    assert [batch.first_row for batch in batches][-1] + len(batches[-1].frame) == 2 + len(ids)


@pytest.mark.parametrize("late", ["007", "x", "5"])
def test_scores_do_not_tell_how_ids_were_read(tmp_path: Path, late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [str(at % 50) for at in range(200)] + [late] * 4
    (tmp_path / "a.csv").write_text(lines_with(ids))
    pl.read_csv(tmp_path / "a.csv", schema_overrides={"paper": pl.String}).write_parquet(tmp_path / "a.parquet")
    monkeypatch.setattr("surpeer.io.review_files.BYTES_AT_ONCE", 500)
    from_text, from_table = (score_files(tmp_path / f"a.{kind}").table for kind in ("csv", "parquet"))
    assert from_text is not None
    assert from_table is not None
    assert from_text["paper"].dtype == pl.String
    assert sorted(from_text["paper"]) == sorted(set(ids))
    assert from_text.equals(from_table)


def test_empty_ids_late_in_a_file_are_named_by_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text(lines_with(["1"] * 300 + [""] + ["1"] * 300 + [" "]))
    monkeypatch.setattr("surpeer.io.review_files.BYTES_AT_ONCE", 500)
    with pytest.raises(ReviewProblems) as caught:
        score_files(tmp_path / "a.csv")
    assert [(problem.row, problem.column, problem.found) for problem in caught.value.problems] == [
        (302, "paper", "an empty cell"),
        (603, "paper", "an empty cell"),
    ]


def test_rows_that_are_too_short_are_named_by_their_rows(tmp_path: Path) -> None:
    lines = lines_with([str(at) for at in range(400)]).splitlines()
    lines[150], lines[390] = "1,0", "1,0,x,0.5,0.5,0.5"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    parts = list(delimited_parts(tmp_path / "a.csv", 500, shorten_ids=True))
    problems = [problem for part in parts for problem in part.problems]
    assert [(problem.row, problem.found) for problem in problems] == [
        (151, '2 cells (it begins "1,0")'),
        (391, '6 cells (it begins "1,0")'),
    ]


def test_results_come_in_order_and_few_are_waiting() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        return item * item

    results = in_threads(work, range(20), 3, first_alone=True)
    assert next(results) == 0
    assert begun == [0]  # nobody who wants to see the beginning waits for more
    for at in range(1, 10):
        assert next(results) == at * at
        assert max(begun) <= at + 3
    assert list(results) == [at * at for at in range(10, 20)]
    assert list(in_threads(work, [], 3)) == []


def test_an_error_comes_in_its_place() -> None:
    def work(item: int) -> int:
        if item == 4:
            raise ValueError("four")
        return item

    results, found = in_threads(work, range(20), 4), []
    with pytest.raises(ValueError, match="four"):
        for result in results:
            found.append(result)
    assert found == [0, 1, 2, 3]


def test_who_stops_early_leaves_no_thread_behind() -> None:
    before = active_count()
    results = in_threads(lambda item: item, range(20), 3)
    assert [next(results), next(results)] == [0, 1]
    results.close()  # type: ignore[attr-defined]
    assert active_count() == before


def test_long_cells_may_be_read_by_several_threads() -> None:
    before = csv.field_size_limit()
    inside, leave = Event(), Event()
    seen: list[Any] = []

    def other() -> None:
        with long_cells():
            inside.set()
            leave.wait(10)
            seen.append(csv.field_size_limit())

    thread = Thread(target=other)
    with long_cells():
        thread.start()
        assert inside.wait(10)
    assert csv.field_size_limit() == LONGEST_CELL  # the other one still reads
    leave.set()
    thread.join()
    assert seen == [LONGEST_CELL]
    assert csv.field_size_limit() == before
