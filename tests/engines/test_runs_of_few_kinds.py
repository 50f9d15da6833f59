"""Runs over papers of few kinds, and of kinds that turn out to be many, have the result of the library."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from at_length import every_pair
from large_ways import LIMIT, ON_DISK, WAYS, assert_same, in_memory, scored, write_files

from surpeer.engines.divided import Division
from surpeer.engines.paper_kinds import KIND, Looked, PaperKinds
from surpeer.engines.score_files import large_run
from surpeer.io.first_look import ReadingOptions


def reviews(papers: int = 800, text: bool = False) -> pl.DataFrame:
    """Three reviews of each paper, with one of two predictions."""
    rng = np.random.default_rng(11)
    paper = pl.Series("paper", rng.permutation(3 * papers) // 3)
    share = rng.choice([0.2, 0.8], 3 * papers)
    columns = {"rating": rng.integers(0, 2, 3 * papers), "p_0": 1 - share, "p_1": share}
    return pl.DataFrame({"paper": ("P" + paper.cast(pl.String)) if text else paper, **columns}).with_columns(
        pl.col("p_0").round(1)
    )


@pytest.fixture
def numbered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Whether each batch of papers had numbers of kinds."""
    seen: list[bool] = []
    real = PaperKinds.numbered

    def seeing(self: PaperKinds, batch: Looked | pl.DataFrame) -> pl.DataFrame:
        rows = real(self, batch)
        seen.append(KIND in rows.columns)
        return rows

    monkeypatch.setattr(PaperKinds, "numbered", seeing)
    return seen


@every_pair(
    "way, method, text",
    ["at once", "compiled", "buckets", ON_DISK, "duckdb"],
    ["surprisal", "sp", "venue"],
    [False, True],
)
def test_few_kinds(way: str, method: str, text: bool, tmp_path: Path, numbered: list[bool]) -> None:
    accept = 100 if method == "venue" else None
    folder = write_files(reviews(text=text), tmp_path / "parts", 1)
    expected, _ = in_memory(folder / "part-000.parquet", method, accept)
    found = scored(way, folder, method=method, accept=accept).table
    assert found is not None
    assert_same(found, expected)
    in_small_batches = way == "compiled" and not text  # of some eight papers: it does not pay
    assert all(numbered) or (in_small_batches and not any(numbered))


@pytest.mark.parametrize("accept", [None, 100])
def test_kinds_that_become_many(
    accept: int | None, tmp_path: Path, numbered: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some parts on disk have numbers of kinds then, and others whole rows: those of the spoilt papers, in the last."""
    method = "surprisal" if accept is None else "venue"
    frame = reviews()
    paper, share = frame["paper"].to_numpy(), frame["p_1"].to_numpy()
    thousandths = np.where(paper % 4 == 3, paper, np.rint(share * 1000))
    frame = frame.with_columns(p_0=(1000 - thousandths) / 1000, p_1=thousandths / 1000)
    folder = write_files(frame, tmp_path / "parts", 1)
    expected, _ = in_memory(folder / "part-000.parquet", method, accept)
    monkeypatch.setattr(Division, "_turned", lambda _, blocks, last: last & 3)
    for most in (10**6, 60):
        monkeypatch.setattr("surpeer.engines.run.kinds_fit", lambda *_, most=most: most)
        found = scored(ON_DISK, folder, method=method, accept=accept).table
        assert found is not None
        assert_same(found, expected)
    if accept is None:
        assert len(set(numbered)) == 2


def test_scored_tables_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbered: list[bool]) -> None:
    folder = write_files(reviews(), tmp_path / "parts", 1)
    for name, value in WAYS["buckets"].items():
        monkeypatch.setattr(name, value)
    tables = {}
    for most in (0, 1000):
        monkeypatch.setattr("surpeer.engines.run.kinds_fit", lambda *_, most=most: most)
        with large_run(folder, ReadingOptions(), "surprisal", memory=LIMIT) as run:
            tables[most] = pl.concat(run.scored()).sort("paper")
            assert (run.papers, run.undefined) == (800, int(tables[most]["score"].is_nan().sum()))
    assert any(numbered)
    assert tables[0].equals(tables[1000], null_equal=True)
