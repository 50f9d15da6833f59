"""`score_files`: reviews in files -> a result, in forms that grow while files are read, and its refusals."""

import re
import signal
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from at_length import every_pair, in_both, is_slow_run
from invented_venues import CASES, HOW, NUMBER, THREE, simulated
from large_ways import (
    APART,
    LIMIT,
    ON_DISK,
    WAYS,
    assert_same,
    in_memory,
    made_small,
    scored,
    ways,
    without_files,
    write_files,
)

from surpeer.engines import reading, run, summing_run
from surpeer.engines.duckdb_engine import sum_rows_in_duckdb
from surpeer.engines.rows import Form
from surpeer.engines.score_files import large_run, score_files
from surpeer.errors import InputError, ReviewProblems, UnknownName
from surpeer.io.first_look import ReadingOptions

GROWING = {
    "thirds in the last row": ["decimal"],
    "seven decimals in the last row": ["decimal"],
    "missing in the last row": ["complete"],
    "only in the last row": ["predictions"],
    "partial in the last row": ["complete", "partial"],
}
"""Cases that need a larger form for their last row alone, and what is different in it."""

LARGEST = "partial in the last row"
"""The one of them for which most is different."""


@pytest.mark.parametrize(
    ("case", "way"),
    [
        pytest.param(case, way, marks=[] if way in APART or case == LARGEST else pytest.mark.slow)
        for case in GROWING
        for way in WAYS
    ],
)
def test_reading_starts_again_in_a_larger_form(
    tmp_path: Path, case: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and the result is that of the library."""
    raised, forms = [], []
    larger = reading.LargerForm

    def counted(form: Any) -> Exception:
        raised.append(form)
        return larger(form)

    sums = run.LargeRun._sum
    monkeypatch.setattr(reading, "LargerForm", counted)
    monkeypatch.setattr(
        run.LargeRun, "_sum", lambda self, form, typical: (forms.append(form), sums(self, form, typical))[1]
    )
    frame = CASES[case]
    frame.write_parquet(tmp_path / "whole.parquet")
    expected, _ = in_memory(tmp_path / "whole.parquet", "venue")
    found = scored(way, write_files(frame, tmp_path / "parts", 4))
    assert found.table is not None
    assert_same(found.table, expected)
    assert len(raised) == 1
    assert len(forms) == 2
    for name in GROWING[case]:
        assert getattr(forms[0], name) != getattr(forms[1], name)


@in_both
def test_a_form_that_grows_twice(tmp_path: Path) -> None:
    """Predictions that do not sum to one first, decimals of seven places later, and a gap in the end."""
    parts = [
        THREE[:30],
        THREE[30:60].with_columns((pl.col("p_1") + 0.001).round(6)),
        CASES["seven decimals"][60:80],
        CASES["partial"][80:],
    ]
    frame = pl.concat(parts)
    frame.write_parquet(tmp_path / "whole.parquet")
    expected, _ = in_memory(tmp_path / "whole.parquet", "venue", normalise=True)
    folder = write_files(frame, tmp_path / "parts", 9)
    for way in ways():
        found = scored(way, folder, normalise=True).table
        assert found is not None
        assert_same(found, expected)


@in_both
def test_bad_rows_in_the_file_that_needs_a_larger_form(tmp_path: Path) -> None:
    frame = pl.concat([CASES["thirds in the last row"], THREE[:1].with_columns(rating=pl.lit("9"))])
    folder = write_files(frame, tmp_path / "parts", 3)
    for way in ways():
        with pytest.raises(ReviewProblems, match=r'part-002.parquet, row \d+, column rating: found "9"') as error:
            scored(way, folder)
        assert len(error.value.problems) == 1, way


@in_both
def test_a_repeated_review_and_a_larger_form(tmp_path: Path) -> None:
    """What the first reading found is not forgotten, nor told twice."""
    frame = CASES["thirds in the last row"].with_columns(reviewer=pl.format("R{}", NUMBER))
    folder = write_files(pl.concat([frame[:50], frame[3:4], frame[50:]]), tmp_path / "parts", 3)
    for way in ways():
        with pytest.raises(ReviewProblems, match='a second review of paper "[0-9]+" by "R3"') as error:
            scored(way, folder)
        assert len(error.value.problems) == 1, way


@pytest.mark.parametrize("way", WAYS)
def test_problems_of_papers_come_with_no_result(tmp_path: Path, way: str) -> None:
    frame = THREE.with_columns(track=pl.when(NUMBER == 40).then(pl.lit("B")).otherwise(pl.lit("A")))
    folder, out = write_files(frame, tmp_path / "parts", 3), tmp_path / "out.parquet"
    out.write_bytes(b"before")
    paper = frame["paper"][40]
    with pytest.raises(ReviewProblems, match=f'column track: found "B" for paper "{paper}", which has "A" in row'):
        scored(way, folder, out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet", "parts"]
    assert out.read_bytes() == b"before"


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pl.DataFrame]:
    """Reviews in files, and their result."""
    folder = write_files(simulated(3), tmp_path_factory.mktemp("followed") / "parts", 3)
    table = score_files(folder).table
    assert table is not None
    return folder, table


KINDS_OF_WAYS = {"small batches": "csv", "compiled": "json", "buckets": "parquet", "duckdb": "folder"}
"""Each writes as one of the others does, in memory or from disk: in the suite, one kind of file."""


@in_both
@pytest.mark.parametrize(
    ("way", "kind"),
    [
        pytest.param(way, kind, marks=[] if KINDS_OF_WAYS.get(way, kind) == kind else pytest.mark.slow)
        for way in WAYS
        for kind in ("csv", "json", "parquet", "folder")
    ],
)
def test_files_have_what_the_table_has(
    tmp_path: Path, followed: tuple[Path, pl.DataFrame], way: str, kind: str
) -> None:
    folder, table = followed
    out = tmp_path / ("out" if kind == "folder" else f"out.{kind}")
    for _ in range(2 if way == "at once" or is_slow_run() else 1):  # into nothing, and into what is there
        done = scored(way, folder, out)
        assert (done.table, done.papers) == (None, len(table))
        if kind in ("parquet", "folder"):
            assert pl.read_parquet(out).equals(table, null_equal=True)
        else:
            read = pl.read_csv(out) if kind == "csv" else pl.read_json(out)
            assert read["paper"].to_list() == table["paper"].to_list()
            assert read["score"].to_list() == table["score"].to_list()


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"engine": "spark"}, UnknownName, 'unknown engine "spark"'),
        ({"method": "venues"}, UnknownName, 'unknown method "venues"'),
        ({"unit": "parts"}, UnknownName, 'unknown unit "parts"'),
        ({"memory": 1000}, InputError, "found 1,000 bytes of memory, expected at least 384,000,000"),
        ({"memory": "512MB"}, InputError, "found the memory '512MB', expected a number of bytes, such as 512_000_000"),
        ({"output": "out.xlsx"}, InputError, "out.xlsx: the ending says no format that is known"),
        ({"output": "nowhere/out.csv"}, InputError, "there is no folder|found no such folder"),
        ({"temp": "nowhere"}, InputError, "nowhere: found no such folder, expected one for temporary files"),
    ],
)
def test_what_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any], error: type[Exception], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_files(THREE, tmp_path / "parts", 2)
    with pytest.raises(error, match=message):
        score_files(folder, **how)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


@pytest.mark.parametrize("output", ["parts", "parts/part-000.parquet", "parts/new.parquet"])
def test_reviews_are_not_overwritten(tmp_path: Path, output: str) -> None:
    folder = write_files(THREE, tmp_path / "parts", 2)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InputError, match="this is|would take this"):
        score_files(folder, tmp_path / output)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is gone when all files are gone through once more."""
    folder = write_files(CASES["thirds in the last row"], tmp_path / "parts", 3)
    look = reading.Reading.look

    def gone(self: reading.Reading) -> Any:
        (folder / "part-001.parquet").unlink(missing_ok=True)
        return look(self)

    monkeypatch.setattr(reading.Reading, "look", gone)
    with pytest.raises((InputError, ReviewProblems, OSError), match="part-001.parquet"):
        score_files(folder, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


@pytest.mark.parametrize("method", ["surprisal", "venue"])
def test_what_was_written_in_too_small_a_form_makes_room(tmp_path: Path, method: str) -> None:
    folder = write_files(CASES["thirds in the last row"], tmp_path / "parts", 3)
    with made_small(ON_DISK), large_run(folder, ReadingOptions(), method, memory=LIMIT) as started:
        assert started.summed.form.decimal is False
        assert [path.name for path in started.work.path.glob("rows-*")] == ["rows-2"]


def test_every_case_is_read_in_the_way_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways of these tests are the ways that they seem to be."""
    seen: list[str] = []
    ways = ("sum_in_memory", "sum_in_parts", "sum_in_buckets")
    for name in (*ways, "sum_at_once", "sum_rows_in_duckdb"):
        real = getattr(summing_run, name)
        monkeypatch.setattr(summing_run, name, lambda *a, real=real, name=name: (seen.append(name), real(*a))[1])
    folder = write_files(THREE, tmp_path / "parts", 2)
    for way in WAYS:
        with made_small(way):
            scored(way, folder, **HOW.get("two levels", {}))
    by_duckdb = [name for name in seen if name == "sum_rows_in_duckdb"]
    here = ["sum_in_memory"] * 3 + ["sum_in_buckets"] * 2
    assert seen == [*here, "sum_in_buckets", *by_duckdb[1:], "sum_at_once", "sum_rows_in_duckdb"]
    assert len(by_duckdb) > 2, "several buckets, and all at once"


@pytest.mark.parametrize(
    ("error", "expected", "message"),
    [
        (KeyboardInterrupt("told to"), KeyboardInterrupt, "^told to$"),
        (type("OutOfMemoryException", (Exception,), {})("no block"), InputError, "^DuckDB needs more memory than"),
        (ValueError("Out of Memory Error: of Arrow"), InputError, "^DuckDB needs more memory than there is; say how"),
        (ValueError("anything else"), ValueError, "^anything else$"),
    ],
)
def test_errors_of_duckdb_are_ours(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, expected: type[BaseException], message: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("surpeer.engines.duckdb_engine.sums_by_paper", fails)
    with pytest.raises(expected, match=message):
        sum_rows_in_duckdb(pl.DataFrame({"paper": [1], "rating": [0]}), Form(2))


def test_duckdb_stops_at_once_when_it_is_told_to() -> None:
    """So many sums of so many papers take it seconds. The first signal comes before it has begun."""
    rng = np.random.default_rng(1)
    columns = {"paper": rng.integers(0, 10**9, 400_000), "rating": rng.integers(0, 10, 400_000).astype(np.int8)}
    rows = pl.DataFrame(columns | {f"m{level}": columns["paper"].astype(np.int32) % 1000 for level in range(1, 10)})
    form = Form(10, predictions=True, moments=True)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for seconds in (0.002, 0.5):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            with pytest.raises(KeyboardInterrupt):
                sum_rows_in_duckdb(rows, form)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_who_waits_for_duckdb_notices_to_be_stopped_by_nothing_that_wakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where polars, or another thread, was given the signal; and no more is fetched then."""
    fetched = []

    class Reader:
        schema = pa.schema({"paper": pa.int64(), "n0": pa.int64(), "n1": pa.int64()})

        def __iter__(self) -> Iterator[pa.RecordBatch]:
            for number in range(3000):
                if number == 5:
                    interrupt_main()
                time.sleep(0.01)
                fetched.append(number)
                yield pa.RecordBatch.from_pylist([{"paper": number, "n0": 1, "n1": 0}], schema=self.schema)

    rows, form = pl.DataFrame({"paper": [1], "rating": [0]}), Form(2)
    monkeypatch.setattr("duckdb.DuckDBPyRelation.to_arrow_reader", lambda *_: Reader())
    with pytest.raises(KeyboardInterrupt):
        sum_rows_in_duckdb(rows, form)
    assert 5 < len(fetched) < 1000


@pytest.mark.parametrize("levels", [2, 4, 10])
def test_the_memory_that_duckdb_asks_for_is_enough(tmp_path: Path, levels: int) -> None:
    shares = np.full((12, levels), 100 // levels)  # whole per cents
    columns = {f"p_{level}": column for level, column in enumerate(shares.T)}
    reviews = pl.DataFrame({"paper": np.arange(12) // 4, "rating": np.arange(12) % levels, **columns})
    reviews.write_parquet(tmp_path / "reviews.parquet")
    for method in ("venue", "surprisal"):
        score = partial(score_files, tmp_path / "reviews.parquet", method=method, engine="duckdb", unit="percent")
        try:
            score(memory=384_000_000)
        except InputError as error:
            least = re.search("expected ([0-9]+) MB at least", str(error))
            assert least is not None
            assert score(memory=int(least[1]) * 1_000_000).papers == 3


DECIDED = ("two levels", "four levels", "tracks with gaps", "titles", "partial", "no predictions", "single reviews")


Decided = tuple[Path, pl.DataFrame, tuple[str, ...]]


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Decided]:
    """Reviews in files, and what the library decides for them; asked for again, the same."""

    @cache
    def decided_by_library(case: str | int, accept: float) -> Decided:
        frame, how = (CASES[case], HOW.get(case, {})) if isinstance(case, str) else (simulated(case, seed=case), {})
        folder = tmp_path_factory.mktemp("decided")
        frame.write_parquet(folder / "whole.parquet")
        expected, notes = in_memory(folder / "whole.parquet", "venue", accept, **how)
        return write_files(frame, folder / "parts", 3), expected, notes

    return decided_by_library


@every_pair("case, accept, way", DECIDED, [5, 0.3], ["at once", ON_DISK, "duckdb"])
def test_decisions_are_those_of_the_library(
    decided: Callable[..., Decided], case: str, accept: float, way: str
) -> None:
    folder, expected, notes = decided(case, accept)
    found = scored(way, folder, accept=accept, **HOW.get(case, {}))
    assert found.table is not None
    assert_same(found.table, expected)
    assert without_files(found.notes) == list(notes)


@pytest.mark.parametrize(
    ("levels", "way"),
    [
        pytest.param(levels, way, marks=[] if way == ON_DISK or (way in APART) == (levels == 2) else pytest.mark.slow)
        for levels in (2, 5)
        for way in WAYS
    ],
)
def test_decisions_where_predictions_are_followed(decided: Callable[..., Decided], levels: int, way: str) -> None:
    folder, expected, notes = decided(levels, 0.6)
    found = scored(way, folder, accept=0.6)
    assert found.table is not None
    assert_same(found.table, expected)
    assert without_files(found.notes) == list(notes)
    assert set(expected["proposal"]) == {"accept", "discuss", "reject"}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"accept": 0}, "accept 0 of 2[0-9] papers: expected from 1 to 2[0-9], so that some are accepted"),
        ({"accept": 1.5}, "accept 1.5: expected a share between 0 and 1"),
        ({"accept": 30}, "accept 30 of 2[0-9] papers: .* did you mean 30%"),
        ({"accept": 5, "certainty": 0.3}, "certainty 0.3: expected a probability from 0.5 to below 1"),
        ({"accept": 5, "method": "mean"}, "the method mean gives no standard errors"),
    ],
)
def test_decisions_that_cannot_be_made(tmp_path: Path, how: dict[str, Any], message: str) -> None:
    folder, out = write_files(THREE, tmp_path / "parts", 2), tmp_path / "out.csv"
    for way in ("at once", "buckets"):
        with pytest.raises(InputError, match=message):
            scored(way, folder, out, **how)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


@pytest.mark.parametrize("way", ["at once", "buckets", ON_DISK, "duckdb", "duckdb at once"])
@pytest.mark.parametrize("text_first", [True, False])
@pytest.mark.parametrize("method", ["surprisal", "venue"])
def test_ids_of_two_types_are_told_in_every_way(
    tmp_path: Path, way: str, text_first: bool, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB took numbers for places of texts, and read memory that was not there. Rows that wait to be written to disk
    were put together."""
    monkeypatch.setattr("surpeer.engines.row_files.COPIES", LIMIT // 8 // 20_000)  # those of both files, in part
    numbers = simulated(2)
    texts = numbers.with_columns(paper=pl.format("submission {}", "paper"))
    for name, table in zip("ab", (texts, numbers) if text_first else (numbers, texts), strict=True):
        table.write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(
        ReviewProblems, match="found ids that are whole numbers in .* and text in .*, expected the same"
    ):
        scored(way, tmp_path, method=method)
