"""Papers that are numbers of kinds on disk are ranked as their whole rows in memory are."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer import Status
from surpeer.core import places
from surpeer.engines import placed_rows, ranking_on_disk
from surpeer.engines.deciding_on_disk import scores_in, scores_of, scores_of_kinds
from surpeer.engines.memory import ITSELF
from surpeer.engines.paper_kinds import PaperKinds
from surpeer.engines.placed_rows import PlacedRows
from surpeer.engines.ranked_table import ranked_table
from surpeer.engines.ranking_on_disk import RankingOnDisk
from surpeer.engines.row_files import RowFiles


def score(sums: pl.DataFrame) -> pl.DataFrame:
    """Some scored table, with papers without a score and with infinite ones; s : which score, n : which mean"""
    value = np.array([np.nan, np.inf, 2.0, 0.1 + 0.2, 0.3, 0.0, -1.0, -np.inf])[sums["s"].to_numpy()]
    status = np.select([np.isnan(value), value == np.inf, value == -np.inf], [Status.INCOHERENT, 1, 2], Status.FINITE)
    return pl.DataFrame(
        {
            "paper": sums["paper"],
            "reviews": sums["n"] + 1,
            "mean": sums["n"] / 3,
            "score": value,
            "standard_error": np.abs(value) / 4,
            "status": status.astype(np.int8),
            "flags": (np.isnan(value) * 2).astype(np.int16),
        }
    )


def parts_of(sums: pl.DataFrame, folder: Path, step: int, few: int) -> tuple[list[Path], PaperKinds]:
    """Part files of so many papers each, which have numbers as long as there are few kinds."""
    kinds, paths = PaperKinds(score, few), []
    for number, part in enumerate(sums.iter_slices(step)):
        paths.append(folder / f"part-{number}.arrow")
        kinds.numbered(kinds.look(part)).write_ipc(paths[-1])
    return paths, kinds


def sums_of(which: list[tuple[int, int]], ids: list[int], text: bool) -> pl.DataFrame:
    s, n = zip(*which, strict=True)
    papers = [f"P{one}" for one in ids] if text else ids
    return pl.DataFrame({"paper": papers, "s": s, "n": n})


def ranked(sums: pl.DataFrame, step: int, free: int, few: int, many: int = 0) -> tuple[RankingOnDisk, pl.DataFrame]:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(places, "MANY", many)
        patch.setattr(ranking_on_disk, "ROWS_OF_RESULT", 17)
        work = Path(folder, "work")
        work.mkdir()
        paths, kinds = parts_of(sums, Path(folder), step, few)
        ranking = RankingOnDisk(paths, work, ITSELF + free, kinds=kinds)
        chunks = list(ranking.chunks())
        found = pl.concat(chunks)
        expected = ranked_table(score(sums))
    assert_frame_equal(found, expected.table, check_exact=True)
    assert (ranking.papers, ranking.undefined, ranking.broken) == (len(sums), expected.undefined, expected.broken)
    assert len(chunks) == 1 or max(map(len, chunks)) <= 17
    return ranking, found


@settings(max_examples=60, deadline=None)
@given(
    which=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=1, max_size=40),
    copies=st.integers(1, 5),
    text=st.booleans(),
    seed=st.integers(0, 99),
    step=st.integers(1, 60),
    free=st.sampled_from([1, 300, 3000, 10**9]),
    few=st.sampled_from([0, 3, 1000]),
    many=st.sampled_from([0, 10**6]),
)
def test_as_in_memory(
    which: list[tuple[int, int]], copies: int, text: bool, seed: int, step: int, free: int, few: int, many: int
) -> None:
    ids = np.random.default_rng(seed).permutation(len(which) * copies) * 7 - 20
    sums = sums_of(which * copies, ids.tolist(), text)
    _, found = ranked(sums, step, free, few, many)
    assert found["paper"].cast(pl.String).sort().to_list() == sums["paper"].cast(pl.String).sort().to_list()


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("shuffled", [True, False])
def test_a_rank_that_many_share(text: bool, shuffled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first papers are like the others nothing is written twice; the result is the same where they are not."""
    split: list[int] = []
    real = ranking_on_disk._by_id

    def by_id(files: RowFiles, rows: PlacedRows, number: int, most: int) -> RowFiles:
        split.append(number)
        return real(files, rows, number, most)

    monkeypatch.setattr(ranking_on_disk, "_by_id", by_id)
    which = [(2, 1)] * 2 + [(4, 2)] * 4000 + [(6, 1)] * 3 + [(0, 1)] * 3000
    ids = np.random.default_rng(3).permutation(len(which)) if shuffled else np.arange(len(which))
    order = np.random.default_rng(4).permutation(len(which)) if shuffled else np.arange(len(which))
    sums = sums_of(which, ids.tolist(), text)[order]
    _, found = ranked(sums, 700, 800_000, 1000)
    assert set(found["rank"].unique()) >= {1, 3}
    assert bool(split) != shuffled


def test_papers_that_share_a_rank_are_spread_over_its_places() -> None:
    ids = pl.Series([30, 10, 20, 5, 99])
    place = np.array([4, 4, 4, 0, 4])
    shared = [placed_rows._Shared(4, 100, pl.Series([10, 20, 30]))]
    assert placed_rows._spread(ids, place, shared).tolist() == [79, 29, 54, 0, 79]
    assert placed_rows._spread(ids, place, []).tolist() == place.tolist()
    assert placed_rows._spread(ids, place, [placed_rows._Shared(4, 100, ids.clear())]).tolist() == place.tolist()


def test_scores_for_decisions_are_those_of_whole_rows(tmp_path: Path) -> None:
    sums = sums_of([(one % 8, one % 3) for one in range(200)], list(range(200)), False)
    paths, kinds = parts_of(sums, tmp_path, 70, 1000)
    assert kinds.few
    finite = score(sums).filter(pl.col("score").is_finite()).sort("score", "standard_error")
    for batches in (scores_in(paths, kinds), scores_of_kinds(kinds), scores_of(score(sums))):
        papers = [batch.one_by_one() for batch in batches()]
        found = pl.DataFrame(
            {name: np.concatenate([getattr(batch, name) for batch in papers]) for name in ("score", "error")}
        )
        assert_frame_equal(
            found.sort("score", "error").rename({"error": "standard_error"}),
            finite.select("score", "standard_error"),
            check_exact=True,
        )
    (batch,) = scores_of_kinds(kinds)()
    assert batch.number == len(finite) > len(batch.score)
