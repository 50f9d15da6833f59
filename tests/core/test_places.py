"""Places of many papers: the passes over blocks against the same rule written plainly, and lookups against both."""

import pickle

import numpy as np
import pytest
from at_length import examples
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from surpeer.core import insertions, many_places, places
from surpeer.core.order import Contest, different_values
from surpeer.core.places import PaperPlaces, Places, paper_places
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.total_order import by_mean, by_score_with_insertions, run_starts

SCORES = [np.inf, 2.0, 1.0, 0.1 + 0.2, 0.3, 0.0, -0.0, -np.inf]

papers = st.lists(st.tuples(st.sampled_from(SCORES), st.integers(0, 4), st.booleans()), min_size=1, max_size=12)


@pytest.fixture(autouse=True)
def _tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insertions, "BLOCK", 2)


def columns(drawn: list[tuple[float, int, bool]]) -> tuple[FloatArray, BoolArray, FloatArray]:
    score, mean, defined = (np.array(column) for column in zip(*drawn, strict=True))
    return np.where(defined, score, np.nan), defined, mean / 3


def plainly(score: FloatArray, defined: BoolArray, mean: FloatArray) -> PaperPlaces:
    """The rule of many_places with every pair of papers looked at."""
    contest = Contest.of(score, defined, mean)
    kinds = {
        (int(s) if d else -1, int(m)): 0 for s, m, d in zip(contest.score, contest.mean, contest.defined, strict=True)
    }
    kind_of = [
        list(kinds).index((int(s) if d else -1, int(m)))
        for s, m, d in zip(contest.score, contest.mean, defined, strict=True)
    ]
    keys = np.array(list(kinds))
    weight = np.bincount(kind_of)
    of_kinds = Contest(np.maximum(keys[:, 0], 0), keys[:, 1], keys[:, 0] >= 0)
    results = []
    for order, shared in ((by_score_with_insertions(of_kinds, weight), True), (by_mean(of_kinds), False)):
        ordered = of_kinds.take(order)
        starts = run_starts(ordered.score, ordered.mean, ordered.defined) if shared else np.ones(len(order), dtype=bool)
        above = np.cumsum(weight[order]) - weight[order]
        place_of_kind, position = np.empty((2, len(order)), dtype=np.int64)
        place_of_kind[order] = above[starts][np.cumsum(starts) - 1]
        position[order] = np.arange(len(order))
        place, at = place_of_kind[kind_of], position[kind_of]
        wrong = contest.beats() & (at[:, None] > at)
        tie = np.bincount(place)[place] > 1
        results.append(PaperPlaces(place, tie, np.asarray((wrong | wrong.T).any(axis=1)), int(wrong.sum())))
    return min(results, key=lambda result: result.broken)


@examples(400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(papers)
def test_many_papers_stand_where_the_plain_rule_puts_them(drawn: list[tuple[float, int, bool]]) -> None:
    score, defined, mean = columns(drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        found = paper_places(score, defined, mean)
        patch.setattr(many_places, "FEW", 0)
        patch.setattr(places, "FEW_SCORES", 0)
        again = paper_places(score, defined, mean)
    for result in (found, again):
        for name, array, expected in zip(PaperPlaces._fields, result, plainly(score, defined, mean), strict=True):
            np.testing.assert_array_equal(array, expected, err_msg=name)


@pytest.mark.parametrize("many", [0, 10**9])
@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=papers, data=st.data())
def test_looked_up_from_weighted_kinds_or_papers_it_is_the_same(
    many: int, drawn: list[tuple[float, int, bool]], data: st.DataObject
) -> None:
    score, defined, mean = columns(drawn)
    copies = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(drawn), max_size=len(drawn))))
    every = np.repeat(np.arange(len(drawn)), copies)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", many)
        expected = paper_places(score[every], defined[every], mean[every])
        from_papers = Places.of(score[every], defined[every], mean[every])
        from_kinds = pickle.loads(pickle.dumps(Places.of(score, defined, mean, copies)))
    for found in (from_papers, from_kinds):
        assert found.broken == expected.broken
        for array, right in zip(found.lookup(score[every], defined[every], mean[every]), expected[:3], strict=True):
            np.testing.assert_array_equal(array, right)


@given(st.lists(st.sampled_from([0.25, 0.5, 1.0, -3.0]), max_size=60), st.lists(st.floats(-5, 5), max_size=5))
def test_different_values_are_those_of_numpy(often: list[float], seldom: list[float]) -> None:
    numbers = np.array(often * 4 + seldom)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("surpeer.core.order.SAMPLE", 8)
        np.testing.assert_array_equal(different_values(numbers), np.unique(numbers))


def test_no_strict_cycle_nothing_broken() -> None:
    """Most papers have no score, and those that have one contradict their means, but nobody stands between them."""
    score = np.array([2.0, 1.0] + [np.nan] * 6)
    mean = np.array([0.5, 0.6] + [0.1] * 3 + [0.9] * 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        found = paper_places(score, np.isfinite(score), mean)
    assert found.place.tolist() == [3, 4, 5, 5, 5, 0, 0, 0]
    assert found.broken == 0
    assert not found.cycle.any()


def test_by_mean_where_that_breaks_less() -> None:
    """One comparison by score against a hundred by mean on both sides."""
    score = np.array([2.0, 1.0] + [np.nan] * 100)
    mean = np.array([0.0, 2.0] + [1.0] * 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        found = paper_places(score, np.isfinite(score), mean)
    assert found.place.tolist() == [101, 0] + [1] * 100
    assert found.cycle.tolist() == [True, True] + [False] * 100
    assert found.tie.tolist() == [False, False] + [True] * 100
    assert found.broken == 1


def weighted(rng: np.random.Generator, size: int) -> tuple[IntArray, IntArray]:
    return rng.integers(0, 9, size), rng.integers(1, 4, size)


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_broken_by_mean_counts_pairs(size: int) -> None:
    means, weight = weighted(np.random.default_rng(size), size)
    pairs = sum(int(weight[a] * weight[b]) for a in range(size) for b in range(a + 1, size) if means[a] > means[b])
    assert insertions.broken_by_mean(means, weight, 9, 10**9) == pairs
    if pairs:
        assert 0 < insertions.broken_by_mean(means, weight, 9, 0) <= pairs
