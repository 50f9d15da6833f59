"""Papers with the same sums are scored once, and come out as if each had been scored by itself."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from surpeer.engines.paper_kinds import KIND, PaperKinds


def batch(seed: int, papers: int = 300, most: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    sums = {name: rng.integers(0, most, papers) for name in ("n0", "n1", "s0_1")}
    return pl.DataFrame({"paper": [f"P{seed}-{one}" for one in range(papers)], **sums})


def scoring(calls: list[int]) -> Callable[[pl.DataFrame], pl.DataFrame]:
    def score(sums: pl.DataFrame) -> pl.DataFrame:
        calls.append(len(sums))
        # as in a scored table: nothing says any more which sums there were
        mean = pl.col("n1") / (pl.col("n0") + pl.col("n1"))
        return sums.select("paper", (pl.col("n0") + pl.col("n1")).alias("reviews"), mean.alias("mean"))

    return score


def test_whole_tables_are_those_of_papers_one_by_one() -> None:
    calls: list[int] = []
    score = scoring(calls)
    kinds = PaperKinds(score, 100)
    batches = [batch(seed) for seed in range(4)]
    numbered = [kinds.numbered(kinds.look(sums)) for sums in batches]
    assert kinds.few
    assert calls == []  # nobody has asked for a score yet
    assert len(kinds.table) == len(kinds.papers) == 27
    assert calls == [27]  # every kind was scored once, all together
    assert kinds.papers.sum() == 1200
    assert kinds.reviews == sum(int(score(sums)["reviews"].sum()) for sums in batches)
    for sums, rows in zip(batches, numbered, strict=True):
        assert rows.schema == {"paper": pl.String(), KIND: pl.UInt32()}
        assert_frame_equal(kinds.whole(rows), score(sums), check_exact=True)


def test_each_kind_has_its_papers_counted() -> None:
    kinds = PaperKinds(scoring([]), 100)
    batches = [batch(seed) for seed in range(3)]
    numbers = [kinds.numbered(kinds.look(sums))[KIND] for sums in batches]
    assert kinds.papers.tolist() == np.bincount(pl.concat(numbers).to_numpy()).tolist()


def test_tables_that_were_scored_already_stay_as_they_are() -> None:
    kinds = PaperKinds(scoring([]), 0)
    scored = pl.DataFrame({"paper": [1, 2], "score": [0.5, 1.5]})
    assert kinds.whole(scored) is scored


@pytest.mark.parametrize("most", [0, 26])
def test_more_kinds_than_are_few(most: int) -> None:
    score = scoring([])
    kinds = PaperKinds(score, most)
    for seed in range(2):
        assert_frame_equal(kinds.numbered(kinds.look(batch(seed))), score(batch(seed)), check_exact=True)
        assert not kinds.few


def test_kinds_that_become_many_leave_those_before_as_they_are() -> None:
    score = scoring([])
    kinds = PaperKinds(score, 10_000)
    first, waiting = kinds.numbered(kinds.look(batch(1))), kinds.look(batch(3))
    assert KIND in first.columns
    different = batch(2, most=10**5)  # hardly any paper is like another one
    for looked, sums in ((kinds.look(different), different), (waiting, batch(3)), (kinds.look(batch(1)), batch(1))):
        assert_frame_equal(kinds.numbered(looked), score(sums), check_exact=True)
        assert not kinds.few
    assert_frame_equal(kinds.whole(first), score(batch(1)), check_exact=True)


def test_different_kinds_with_the_same_hash_are_not_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    constant = lambda frame: pl.Series(np.zeros(len(frame), dtype=np.uint64))  # noqa: E731
    monkeypatch.setattr(pl.DataFrame, "hash_rows", constant)
    kinds = PaperKinds(scoring([]), 100)
    assert KIND not in kinds.numbered(kinds.look(batch(1))).columns
    assert not kinds.few
