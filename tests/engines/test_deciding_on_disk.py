"""Decisions on chunks are the decisions of `decide`, whatever the chunks."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from surpeer import METHODS, Reviews, calibrate, decide
from surpeer.core import cut
from surpeer.deciding import has_probability
from surpeer.decisions import standard_errors
from surpeer.demo import make_venue
from surpeer.engines.deciding_on_disk import decided_chunks, scores_in
from surpeer.ranking import Ranking


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    """Eighty papers by the venue score: one has no score, one no error, and some share a score."""
    made = calibrate(Reviews.from_table(make_venue(np.random.default_rng(4), 80).reviews), "venue")
    value, error = made.scores.value, made.scores.standard_error
    assert error is not None
    value[made.order[30:34]] = value[made.order[30]]
    error[made.order[11]] = np.nan
    value[made.order[0]] = np.inf
    rank = made.rank.copy()
    rank[30:34] = 31
    return Ranking(made.scores, made.order, rank, made.flags, made.broken)


def table_of(ranking: Ranking) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "rank": ranking.rank,
            "paper": ranking.scores.papers.gather(ranking.order),
            "score": ranking.scores.value[ranking.order],
            "standard_error": standard_errors(ranking.scores)[ranking.order],
            "flags": ranking.flag_code.astype(np.int16),
        }
    )


@pytest.mark.parametrize("exact", [10**6, 0])
@pytest.mark.parametrize("places", [1, 12, 32, 79])
@pytest.mark.parametrize("step", [1, 7, 80])
def test_the_same_as_decide(
    ranking: Ranking, places: int, step: int, exact: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cut, "EXACT_PAPERS", exact)
    monkeypatch.setattr(cut, "ENOUGH", 3.0)
    expected = decide(ranking, places)
    table = table_of(ranking)
    parts = []
    for number, part in enumerate(table.sample(fraction=1.0, shuffle=True, seed=1).iter_slices(33)):
        parts.append(tmp_path / f"{number}.parquet")
        part.write_parquet(parts[-1])
    work = tmp_path / "work"
    work.mkdir()
    chunks = list(decided_chunks(table.iter_slices(step), scores_in(parts), places, 0.8, work))
    found = pl.concat(chunks)
    assert [len(chunk) for chunk in chunks] == [len(chunk) for chunk in table.iter_slices(step)]
    assert found.drop("p_accept", "p_better_than_cut", "proposal", "reason").equals(table, null_equal=True)
    assert found["proposal"].to_list() == expected.proposal.tolist()
    assert found["reason"].to_list() == expected.reason.tolist()
    np.testing.assert_allclose(found["p_accept"].to_numpy(), expected.probability, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found["p_better_than_cut"].to_numpy(), expected.better_than_cut)
    assert list(work.iterdir()) == []


def test_nobody_below_the_cut_has_a_score(tmp_path: Path) -> None:
    """Then every chunk is looked at before the first is decided."""
    columns = {"rank": [1, 2, 3], "score": [1.0, np.nan, np.nan], "standard_error": [0.1, np.nan, np.nan]}
    table = pl.DataFrame(columns).with_columns(pl.Series("flags", [0, 0, 0], dtype=pl.Int16))

    def scores() -> Iterator[cut.Batch]:
        yield cut.Batch(np.array([1.0]), np.array([0.1]))

    found = pl.concat(decided_chunks(table.iter_slices(1), scores, 1, 0.8, tmp_path))
    assert found["p_accept"].to_list()[0] == 1.0
    assert found["p_better_than_cut"].is_nan().all()
    assert found["proposal"].to_list() == [0, 1, 1]
    assert found["reason"].to_list() == [0, 3, 3]


def test_only_finite_scores_with_finite_errors_count() -> None:
    value, error = np.array([1.0, np.inf, np.nan, 2.0]), np.array([1.0, 1.0, 1.0, np.nan])
    assert has_probability(value, error).tolist() == [True, False, False, False]
    assert METHODS["venue"].gives_errors
