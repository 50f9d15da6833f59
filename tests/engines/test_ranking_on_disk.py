"""Ranking on disk, with a few rows at a time, is the ranking in memory, and that is the ranking of the reviews."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer import METHODS, Reviews, Status, calibrate
from surpeer.core import insertions, places
from surpeer.demo import make_venue
from surpeer.engines import places_on_disk
from surpeer.engines.memory import ITSELF
from surpeer.engines.ranked_table import ranked_table
from surpeer.engines.ranking_on_disk import RankingOnDisk, ranked_chunks
from surpeer.paper_flags import FLAGS

SCORES = [np.inf, 2.0, 1.0, 0.1 + 0.2, 0.3, 0.0, -0.0, -1.5, -np.inf, np.nan, np.nan, np.nan]

rows = st.lists(st.tuples(st.sampled_from(SCORES) | st.floats(-3, 3), st.integers(0, 4)), min_size=1, max_size=25)


def scored_table(drawn: list[tuple[float, int]], text: bool, seed: int) -> pl.DataFrame:
    score, mean = (np.array(column, dtype=float) for column in zip(*drawn, strict=True))
    ids = np.random.default_rng(seed).permutation(len(drawn)) * 7 - 20
    defined = ~np.isnan(score)
    status = np.select([~defined, score == np.inf, score == -np.inf], [Status.INCOHERENT, 1, 2], Status.FINITE)
    assert (Status(1), Status(2)) == (Status.PLUS_INFINITY, Status.MINUS_INFINITY)
    return pl.DataFrame(
        {
            "paper": [f"P{one}" for one in ids] if text else ids,
            "reviews": mean.astype(np.int64) + 1,
            "mean": mean / 3,
            "score": score,
            "status": status.astype(np.int8),
            "flags": (~defined * 2).astype(np.int16),
        }
    )


def parts_of(table: pl.DataFrame, folder: Path, step: int, ending: str) -> list[Path]:
    paths = []
    for number, part in enumerate(table.iter_slices(step)):
        paths.append(folder / f"part-{number}.{ending}")
        part.write_parquet(paths[-1]) if ending == "parquet" else part.write_ipc(paths[-1])
    return paths


@examples(120)
@given(
    drawn=rows,
    text=st.booleans(),
    seed=st.integers(0, 99),
    step=st.integers(1, 30),
    free=st.sampled_from([1, 1, 300, 2000, 5000, 10**9]),
    many=st.sampled_from([0, 0, 10**6]),
    ending=st.sampled_from(["arrow", "parquet"]),
)
def test_on_disk_as_in_memory(
    drawn: list[tuple[float, int]], text: bool, seed: int, step: int, free: int, many: int, ending: str
) -> None:
    table = scored_table(drawn, text, seed)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(places, "MANY", many)
        patch.setattr(insertions, "BLOCK", 3)
        patch.setattr(places_on_disk, "HEAVY", 2)
        expected = ranked_table(table)
        work = Path(folder, "work")
        work.mkdir()
        ranking = RankingOnDisk(parts_of(table, Path(folder), step, ending), work, ITSELF + free)
        chunks = list(ranking.chunks())
    assert_frame_equal(pl.concat(chunks), expected.table, check_exact=True)
    assert (ranking.papers, ranking.undefined, ranking.broken) == (len(table), expected.undefined, expected.broken)
    if free == 10**9:
        assert len(chunks) == 1


@pytest.mark.parametrize("text", [False, True])
def test_a_rank_that_nearly_all_share_is_split_by_id(text: bool, tmp_path: Path) -> None:
    table = scored_table([(1.0, 2)] * 2 + [(0.5, 1)] * 3000 + [(0.1, 0)] * 2, text, 5)
    work = tmp_path / "work"
    work.mkdir()
    chunks = list(ranked_chunks(parts_of(table, tmp_path, 400, "arrow"), work, ITSELF + 100_000))
    assert max(map(len, chunks)) < 1500
    assert_frame_equal(pl.concat(chunks), ranked_table(table).table, check_exact=True)
    assert pl.concat(chunks)["rank"].unique().to_list() == [1, 3, 3003]


@pytest.mark.parametrize("method", METHODS)
def test_in_memory_as_calibrate(method: str) -> None:
    ranking = calibrate(Reviews.from_table(make_venue(np.random.default_rng(4), 80).reviews), method)
    scores = ranking.scores
    tie_or_cycle = sum(1 << list(FLAGS).index(name) for name in ("tie", "cycle"))
    flags = np.empty(len(scores), dtype=np.int16)
    flags[ranking.order] = ranking.flag_code & ~tie_or_cycle
    columns = {"paper": scores.papers, "reviews": scores.reviews, "mean": scores.mean, "score": scores.value}
    scored = pl.DataFrame({**columns, "status": scores.status.astype(np.int8), "flags": flags})
    found = ranked_table(scored.sample(fraction=1.0, shuffle=True, seed=3))
    assert found.table["paper"].to_list() == ranking.table["paper"].to_list()
    assert found.table["rank"].to_list() == ranking.rank.tolist()
    assert found.table["flags"].to_list() == ranking.flag_code.tolist()
    assert (found.broken, found.undefined) == (ranking.broken, int((~scores.defined).sum()))


def test_progress_reaches_its_total(tmp_path: Path) -> None:
    class Counting:
        total = done = 0

        def begin(self, phase: str, total_rows: int | None) -> None:
            assert phase == "ranking"
            self.total = total_rows or 0

        def advance(self, rows: int) -> None:
            self.done += rows

    table = scored_table([(number / 7, number % 3) for number in range(50)], False, 1)
    for free in (1, 10**9):
        counting, work = Counting(), tmp_path / str(free)
        work.mkdir()
        list(ranked_chunks(parts_of(table, tmp_path, 9, "parquet"), work, ITSELF + free, counting))
        assert counting.done == counting.total > 0
