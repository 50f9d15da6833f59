"""Ranking against brute force: every order of a few papers, and the promises for many."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surpeer.core.order import Contest, nearly_equal, prefer, tie_classes
from surpeer.core.total_order import EXACT_SIZE, TotalOrder, fewest_broken, run_starts, total_order

papers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=1, max_size=6)


def contest_of(drawn: list[tuple[int, int, bool]]) -> Contest:
    score, mean, defined = (np.array(column) for column in zip(*drawn, strict=True))
    return Contest.of(np.where(defined, score, np.nan).astype(float), defined, mean.astype(float))


def strictly_broken(beats: np.ndarray, place: np.ndarray) -> int:
    return int(sum(beats[a, b] and place[a] > place[b] for a in range(len(place)) for b in range(len(place))))


@given(papers)
def test_breaks_as_few_comparisons_as_any_order(drawn: list[tuple[int, int, bool]]) -> None:
    contest = contest_of(drawn)
    beats, result = contest.beats(), total_order(contest)
    fewest = min(strictly_broken(beats, np.array(order)) for order in permutations(range(len(drawn))))
    assert strictly_broken(beats, result.place) == fewest
    assert result.broken.sum() == 2 * fewest


@given(papers)
def test_shared_places_are_ties_of_the_rule(drawn: list[tuple[int, int, bool]]) -> None:
    contest = contest_of(drawn)
    beats, place = contest.beats(), total_order(contest).place
    same = place[:, None] == place
    assert not (beats & same).any()
    assert sorted(place) == sorted(int((place < here).sum()) for here in place)


@given(papers)
def test_equals_the_rule_when_it_is_transitive(drawn: list[tuple[int, int, bool]]) -> None:
    contest = contest_of(drawn)
    beats = contest.beats()
    at_least = ~beats.T
    transitive = not ((at_least.astype(int) @ at_least.astype(int) > 0) & ~at_least).any()
    if transitive:
        place = total_order(contest).place
        np.testing.assert_array_equal(place[:, None] < place, beats)


@given(papers, st.randoms())
def test_does_not_depend_on_the_order_of_papers(drawn: list[tuple[int, int, bool]], random: object) -> None:
    order = list(range(len(drawn)))
    random.shuffle(order)  # type: ignore[attr-defined]
    straight, shuffled = total_order(contest_of(drawn)), total_order(contest_of([drawn[at] for at in order]))
    np.testing.assert_array_equal(straight.place[order], shuffled.place)
    np.testing.assert_array_equal(straight.broken[order], shuffled.broken)


def test_cycle_of_three_breaks_one() -> None:
    """A over B by score; B over C and C over A by mean."""
    result = total_order(contest_of([(2, 0, True), (1, 2, True), (0, 1, False)]))
    assert sorted(result.place.tolist()) == [0, 1, 2]
    assert result.broken.sum() == 2


def test_many_undefined_papers_can_outvote_a_score() -> None:
    """One comparison by score against a hundred by mean on both sides: the one is broken."""
    result = total_order(contest_of([(2, 0, True), (1, 2, True)] + [(0, 1, False)] * 100))
    assert result.place[1] == 0
    assert result.place[0] == 101
    assert (result.place[2:] == 1).all()
    assert result.broken.tolist() == [1, 1] + [0] * 100


def test_an_undefined_paper_that_ties_with_all_stands_in_the_middle() -> None:
    """A, B, D by score; C ties with each of them by mean."""
    result = total_order(contest_of([(3, 1, True), (2, 1, True), (0, 1, False), (1, 1, True)]))
    assert result.place.tolist() == [0, 1, 1, 3]
    assert result.broken.sum() == 0


def random_contest(rng: np.random.Generator, size: int, share_defined: float) -> Contest:
    mean = rng.normal(size=size)
    return Contest.of(mean + rng.normal(size=size), rng.random(size) < share_defined, mean)


def broken_pairs(contest: Contest, result: TotalOrder) -> int:
    return int((contest.beats() & (result.place[:, None] > result.place)).sum())


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_large_components_count_what_they_break_and_beat_the_simple_orders(share: float) -> None:
    rng = np.random.default_rng(7)
    contest = random_contest(rng, 300, share)
    result = total_order(contest)
    assert result.broken.sum() == 2 * broken_pairs(contest, result)
    by_mean = TotalOrder(np.argsort(np.argsort(contest.mean)), result.broken)
    assert broken_pairs(contest, result) < broken_pairs(contest, by_mean)


def test_approximation_is_close_to_the_best_where_both_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders of ten kinds by moves alone, as large components are ordered, against the exact ones."""
    rng = np.random.default_rng(11)
    exact_total = approximate_total = 0
    for _ in range(40):
        contest, weight = random_contest(rng, EXACT_SIZE, 0.5), np.ones(EXACT_SIZE, dtype=np.int64)
        exact, _broken = fewest_broken(contest, weight)
        with monkeypatch.context() as patch:
            patch.setattr("surpeer.core.total_order.EXACT_SIZE", 0)
            near, _broken = fewest_broken(contest, weight)
        costs = [strictly_broken(contest.beats(), np.argsort(order)) for order in (exact, near)]
        assert costs[0] <= costs[1]
        exact_total, approximate_total = exact_total + costs[0], approximate_total + costs[1]
    assert exact_total > 0
    assert approximate_total <= 1.05 * exact_total


@pytest.mark.parametrize(("means", "share"), [(4, 0.5), (4, 0.9), (60, 0.3), (60, 0.7)])
def test_no_move_of_a_single_kind_with_a_score_mends_anything(means: int, share: float) -> None:
    rng = np.random.default_rng(means)
    mean = rng.integers(0, means, 60) / means
    contest = Contest.of(mean + rng.normal(size=60), rng.random(60) < share, mean)
    papers = rng.integers(1, 4, 60)
    entry = np.unique(np.where(contest.defined, contest.score, -1) * 100 + contest.mean, return_index=True)[1]
    kinds, weight = contest.take(entry), papers[entry]
    order, broken = fewest_broken(kinds, weight)
    lost = np.where(kinds.beats().T, np.outer(weight, weight), 0)  # when the row stands above the column

    def cost(sequence: np.ndarray) -> int:
        return int(np.triu(lost[np.ix_(sequence, sequence)], 1).sum())

    assert broken @ weight == 2 * cost(order)
    for here in np.flatnonzero(kinds.defined[order]):
        others = np.delete(order, here)
        assert min(cost(np.insert(others, at, order[here])) for at in range(len(order))) == cost(order)


def test_papers_can_be_given_as_kinds_with_numbers() -> None:
    rng = np.random.default_rng(12)
    contest = random_contest(rng, 30, 0.6)
    papers = rng.integers(1, 5, 30)
    every = np.repeat(np.arange(30), papers)
    together, single = total_order(contest, papers), total_order(contest.take(every))
    np.testing.assert_array_equal(together.place[every], single.place)
    np.testing.assert_array_equal(together.broken[every], single.broken)


@pytest.mark.parametrize(
    ("kinds", "starts"),
    [
        ("u2 1m2 1m3", [1, 1, 0]),  # equal scores stay together: u ties with one of them only
        ("u2 1m2 2m3", [1, 0, 1]),
        ("1m2 u2 2m2", [1, 0, 1]),  # rather with the one before it
        ("1m1 1m2 u2 2m2", [1, 0, 1, 0]),  # which is in a run already
        ("1m1 u2 2m2 2m3", [1, 1, 1, 0]),
        ("1m1 1m2 2m1", [1, 0, 1]),
        ("u1 u2", [1, 1]),
        ("u1 1m1 u2 2m2 u3", [1, 0, 1, 0, 1]),
    ],
)
def test_runs_of_kinds_that_all_tie_with_each_other(kinds: str, starts: list[int]) -> None:
    """1m2 has score class 1 and mean class 2; u2 has no score, and mean class 2."""
    parts = [kind.replace("u", "0m").split("m") for kind in kinds.split()]
    score, mean = (np.array(column, dtype=np.int64) for column in zip(*parts, strict=True))
    assert run_starts(score, mean, score > 0).tolist() == [bool(start) for start in starts]


def test_without_a_strict_cycle_nothing_is_broken_at_any_size() -> None:
    """Scores tied, means not: a > c > b and a ~ b. No strict cycle, whatever the size."""
    rng = np.random.default_rng(3)
    size = 3000
    mean = rng.permutation(size).astype(float)
    defined = rng.random(size) < 0.5
    contest = Contest.of(np.where(defined, np.floor(mean / 50), np.nan), defined, mean)
    result = total_order(contest)
    assert result.broken.sum() == 0
    assert broken_pairs(contest, result) == 0


def test_near_equal_scores_are_equal() -> None:
    assert 0.1 + 0.2 != 0.3
    assert prefer(0.1 + 0.2, True, 0.0, 0.3, True, 1.0) == 0.5
    assert prefer(1.0, True, 0.0, 1.0 + 1e-9, True, 1.0) == 0.0
    assert not nearly_equal(np.array(np.inf), np.array(-np.inf))
    assert tie_classes(np.array([])).tolist() == []


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(0, 10**6))
def test_infinities_and_ties_in_any_size(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    score = rng.choice([-np.inf, -1.0, 0.0, 1.0, np.inf], size)
    place = total_order(Contest.of(score, np.ones(size, dtype=bool), rng.random(size))).place
    np.testing.assert_array_equal(place, [(score > here).sum() for here in score])
