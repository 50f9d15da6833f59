"""Papers with the same sums are scored once: the same table as if each were scored by itself."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.columns import PAPER, TRACK
from surpeer.engines import finishing, kinds
from surpeer.engines.finishing import Finishing
from surpeer.engines.kinds import kinds_of
from surpeer.engines.rows import MILLION, Form
from surpeer.engines.sums import LAST_TRACK, sum_names
from surpeer.scale import Scale

BINARY = Form(2, predictions=True)
SCALE = Scale(["0", "1"])


def sums_of(papers: int, unit: int) -> pl.DataFrame:
    """Sums of papers with up to four reviews, whose shares are multiples of so many millionths."""
    rng = np.random.default_rng(papers)
    counts = rng.integers(0, 3, (2, papers))
    counts[0] += counts.sum(axis=0) == 0
    shares = [rng.integers(0, most * MILLION // unit + 1) * unit for most in counts]
    columns = {"n0": counts[0], "s0_1": shares[0], "n1": counts[1], "s1_1": shares[1]}
    return pl.DataFrame({PAPER: rng.permutation(papers), **columns}).select(PAPER, *sum_names(BINARY))


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finishing, "BLOCK", 50)


@pytest.mark.parametrize("method", ["surprisal", "sp", "mean"])
@pytest.mark.parametrize("unit", [MILLION // 2, 1])
def test_scores_are_those_of_papers_by_themselves(method: str, unit: int) -> None:
    sums, finish = sums_of(1000, unit), Finishing(BINARY, SCALE, method)
    spared = kinds_of([sums[name].to_numpy() for name in sum_names(BINARY)])
    assert (spared is None) == (unit == 1)  # shares of six digits: hardly two papers are alike
    assert_frame_equal(finish(sums), pl.concat(map(finish, sums.iter_slices(1))), check_exact=True)


def test_every_paper_keeps_its_track() -> None:
    """Whatever others have the same sums."""
    tracks = pl.Series(["a", "b", "c", "d"] * 250)
    sums = sums_of(1000, MILLION // 2).with_columns(tracks.alias(TRACK), tracks.alias(LAST_TRACK))
    scored = Finishing(Form(2, predictions=True, track=True), SCALE, "surprisal")(sums)
    assert scored[TRACK].to_list() == tracks.to_list()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**60)), min_size=1), st.integers(1, 9))
def test_a_kind_has_equal_sums(few: list[tuple[int, int]], times: int) -> None:
    rows = few * times
    found = kinds_of([np.array(column) for column in zip(*rows, strict=True)])
    if found is None:
        assert 2 * len(set(rows)) > len(rows)
        return
    assert [rows[found.examples[kind]] for kind in found.kind] == rows
    assert len(found.examples) == len(set(rows))


def test_few_papers_say_whether_others_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "FEW", 100)
    alike = np.zeros(1000, dtype=np.int64)
    different = np.arange(100)
    assert kinds_of([np.concatenate([different, alike])]) is None
    found = kinds_of([np.concatenate([different // 2, alike])])
    assert found is not None
    assert len(found.examples) == 50


def test_sums_that_do_not_fit_into_one_number_are_not_compared() -> None:
    alike = np.full(100, 2**40)
    assert kinds_of([alike]) is not None
    assert kinds_of([alike, alike]) is None
    fits = np.full(100, 2**kinds.MOST_BITS - 1)
    assert kinds_of([fits]) is not None
    assert kinds_of([fits, np.ones(100, dtype=np.int64)]) is None
    assert kinds_of([fits, np.zeros(100, dtype=np.int64)]) is not None
