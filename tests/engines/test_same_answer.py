"""Reviews in files are scored in many ways, and all of them give what `calibrate` gives for the same rows in memory."""

from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import every_pair, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from invented_venues import CASES, FORMS_OF_SUMS, HOW, simulated
from large_ways import ON_DISK, WAYS, assert_same, in_memory, scored, without_files, write_files
from polars.testing import assert_frame_equal

from surpeer.engines.score_files import score_files


def check(tmp_path: Path, frame: pl.DataFrame, way: str, method: str = "venue", **how: Any) -> None:
    """A folder of three files gives the same as one file, whatever the format."""
    kind = how.pop("kind", "parquet")
    accept = how.pop("accept", None)
    whole = next(iter(write_files(frame, tmp_path / "whole", 1, kind).iterdir()))
    expected, notes = in_memory(whole, method, accept, **how)
    parts = write_files(frame, tmp_path / "parts", 3, kind)
    found = scored(way, parts, method=method, accept=accept, **how)
    assert found.table is not None
    assert_same(found.table, expected)
    assert without_files(found.notes) == list(notes)
    assert found.papers == len(expected)


DUCKDB = "duckdb"
SLOW = pytest.mark.slow


def in_every_way(cases: Iterable[Any], new_to_duckdb: Container[Any]) -> list[Any]:
    """All cases in all ways. The suite has all on disk, and those by DuckDB that are new to it; the others are slow."""
    return [
        pytest.param(case, way, marks=[] if way == ON_DISK or (way == DUCKDB and case in new_to_duckdb) else SLOW)
        for case in cases
        for way in WAYS
    ]


@pytest.mark.parametrize(("case", "way"), in_every_way(CASES, FORMS_OF_SUMS))
def test_every_case_in_every_way(tmp_path: Path, case: str, way: str) -> None:
    check(tmp_path, CASES[case], way, **HOW.get(case, {}))


READ_AS_TEXT = (*FORMS_OF_SUMS, "0.1 + 0.2", "percent", "labels", "negative ids", "empty rows")
"""One of every form, and what text says in another way than numbers do."""


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        pytest.param(case, kind, marks=[] if kind == "csv" and case in READ_AS_TEXT else SLOW)
        for case in CASES
        for kind in ("csv", "jsonl")
    ],
)
def test_every_case_as_text(tmp_path: Path, case: str, kind: str) -> None:
    if "distribution" in CASES[case].columns and kind == "csv":
        pytest.skip("a CSV file has no lists")
    check(tmp_path, CASES[case], "small batches", kind=kind, **HOW.get(case, {}))


@every_pair(
    "case, method, way",
    ["two levels", "labels", "missing"],
    ["mean", "surprisal", "sp", "surprisal_phi", "linear_bayes"],
    ["at once", "compiled", ON_DISK],
)
def test_other_methods(tmp_path: Path, case: str, method: str, way: str) -> None:
    check(tmp_path, CASES[case], way, method)


@pytest.mark.parametrize(("levels", "way"), in_every_way([2, 3, 4, 5, 10], [2, 5]))
def test_predictions_that_are_followed(tmp_path: Path, way: str, levels: int) -> None:
    frame = simulated(levels, seed=levels)
    check(tmp_path, frame, way)
    found = scored("at once", tmp_path / "parts")
    assert any("predictions are followed in full" in note for note in found.notes)


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=[] if way in (ON_DISK, DUCKDB, "compiled") else SLOW) for way in WAYS]
)
def test_followed_predictions_with_gaps_and_tracks(tmp_path: Path, way: str) -> None:
    frame = simulated(4, seed=7).with_columns(
        *(pl.when(pl.int_range(pl.len()) % 7 != 0).then(name) for name in ("p_2", "p_3")),
        track=(pl.col("paper") % 2).replace_strict({0: "A", 1: None}),
    )
    check(tmp_path, frame, way)


@pytest.mark.parametrize("seed", [pytest.param(0, marks=SLOW), 1, pytest.param(2, marks=SLOW)])
def test_the_order_of_rows_the_number_of_files_and_the_size_of_batches(tmp_path: Path, seed: int) -> None:
    """Not a digit depends on them."""
    frame = simulated(4, seed=11)
    first = scored("at once", write_files(frame.sort("paper"), tmp_path / "sorted", 1)).table
    assert first is not None
    shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
    folder = write_files(shuffled, tmp_path / "parts", 2 + 5 * seed)
    for way in WAYS:
        found = scored(way, folder).table
        assert found is not None
        assert found.equals(first, null_equal=True), way


def test_more_papers_than_are_learned_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample is the same in memory and in every way; so is the simpler rule for very many papers."""
    from surpeer.scores import METHODS

    learning = METHODS["venue"].learning
    assert learning is not None
    assert learning.most_papers == 65_536
    monkeypatch.setattr("surpeer.core.places.MANY", 50_000)
    frame = simulated(2, papers=70_000, each=3, seed=3)
    whole = tmp_path / "whole.parquet"
    frame.write_parquet(whole)
    expected, notes = in_memory(whole, "venue")
    found = score_files(write_files(frame, tmp_path / "parts", 4))
    assert found.table is not None
    assert_same(found.table, expected)
    assert without_files(found.notes) == list(notes)
    buckets = WAYS[ON_DISK] | {
        "surpeer.engines.reading.ROWS_AT_ONCE": 30_000,
        "surpeer.engines.bucket_sizes.ROWS_AT_ONCE": 20_000,
        "surpeer.engines.ranking_on_disk.ITSELF": 255_000_000,
        "surpeer.engines.finishing.BLOCK": 10_000,
    }
    monkeypatch.setitem(WAYS, "buckets", buckets)
    on_disk = scored("buckets", tmp_path / "parts").table
    assert on_disk is not None
    assert on_disk.equals(found.table, null_equal=True)


def learn_from_forty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers, where `venue` learns from many."""
    from dataclasses import replace

    from surpeer.scores import METHODS

    learning = METHODS["venue"].learning
    assert learning is not None
    fewer = replace(METHODS["venue"], learning=replace(learning, most_papers=40))
    monkeypatch.setitem(METHODS, "venue", fewer)
    for module in ("scores.venue", "core.venue.venue_fit"):
        monkeypatch.setattr(f"surpeer.{module}.FIT_PAPERS", 40)


@pytest.mark.parametrize("way", ["buckets", "duckdb"])
@pytest.mark.parametrize("tracks", [False, True])
def test_the_sample_is_that_of_the_smallest_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, tracks: bool
) -> None:
    """With a sample that is smaller than a bucket, and than a track."""
    learn_from_forty(monkeypatch)
    frame = simulated(3, seed=5)
    if tracks:
        frame = frame.with_columns(track=(pl.col("paper") % 5 > 0).cast(pl.String))
    check(tmp_path, frame, way)


@pytest.mark.parametrize("way", ["at once", "buckets", "duckdb"])
def test_whole_numbers_that_are_text_are_learned_from_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    learn_from_forty(monkeypatch)
    frame = simulated(3, seed=5)
    as_text = frame.with_columns(pl.col("paper").cast(pl.String))
    found, expected = (
        scored(way, write_files(one, tmp_path / name, 2)).table for name, one in (("text", as_text), ("numbers", frame))
    )
    assert found is not None
    assert expected is not None
    assert found.schema["paper"] == pl.String()
    by_text = expected.with_columns(pl.col("paper").cast(pl.String)).sort("paper")
    # Papers are learned from in the order of their ids, of which text has another: last digits may differ.
    assert_frame_equal(found.sort("paper"), by_text, rel_tol=1e-12, abs_tol=1e-12)


shares_of_three = st.one_of(
    st.sampled_from([(0.5, 0.25, 0.25), (0.1, 0.2, 0.7), (0.3, 0.3, 0.4), (0.0, 0.0, 1.0), (1 / 3, 1 / 3, 1 / 3)]),
    st.sampled_from([(None, None, None), (0.2, None, None), (None, 0.5, 0.5), (0.3, None, 0.7)]),
    st.tuples(st.integers(0, 100), st.integers(0, 100)).map(
        lambda pair: (min(pair) / 100, (max(pair) - min(pair)) / 100, (100 - max(pair)) / 100)
    ),
)


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Few papers with many kinds of predictions."""
    count = draw(st.integers(2, 25))
    ids = draw(st.sampled_from([st.integers(-3, 3), st.integers(-(2**63), 2**63 - 1), st.sampled_from("abcé")]))
    rows = [(draw(ids), draw(st.sampled_from("123")), *draw(shares_of_three)) for _ in range(count)]
    kinds = [pl.Int64 if isinstance(rows[0][0], int) else pl.String, pl.String, pl.Float64, pl.Float64, pl.Float64]
    names = ["paper", "rating", "p_1", "p_2", "p_3"]
    return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


@examples(25)
@given(tables(), st.integers(1, 4), st.sampled_from(["small batches", "buckets", ON_DISK]))
def test_any_small_table(tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, files: int, way: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    frame.write_parquet(folder / "whole.parquet")
    expected, notes = in_memory(folder / "whole.parquet", "venue")
    found = scored(way, write_files(frame, folder / "parts", files))
    assert found.table is not None
    assert_same(found.table, expected)
    assert without_files(found.notes) == list(notes)


@SLOW
@settings(max_examples=300)
@given(tables(), st.integers(1, 4), st.sampled_from(list(WAYS)), st.sampled_from(["venue", "surprisal", "mean"]))
def test_any_small_table_at_length(
    tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, files: int, way: str, method: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    frame.write_parquet(folder / "whole.parquet")
    expected, _ = in_memory(folder / "whole.parquet", method)
    found = scored(way, write_files(frame, folder / "parts", files), method=method)
    assert found.table is not None
    assert_same(found.table, expected)


def test_ids_are_ordered_as_numbers_and_as_text(tmp_path: Path) -> None:
    """Papers that tie are listed by their ids."""
    numbers = np.array([10, 9, -1, 2])
    for ids, expected in ((numbers.tolist(), [-1, 2, 9, 10]), (list(map(str, numbers)), ["-1", "10", "2", "9"])):
        frame = pl.DataFrame({"paper": ids, "rating": ["1"] * 4, "p_1": [0.5] * 4, "p_2": [0.5] * 4})
        folder = write_files(frame, tmp_path / str(type(ids[0])), 2)
        for way in WAYS:
            table = scored(way, folder).table
            assert table is not None
            assert table["paper"].to_list() == expected, way
