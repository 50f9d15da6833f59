"""Pairwise accuracy, its standard error and the top quarter, by hand and by simulation."""

import numpy as np
import polars as pl
import pytest

from surpeer import Reviews, Scale, build_matrices
from surpeer.core.status import Status
from surpeer.experiments.bench import judging
from surpeer.experiments.bench.judging import (
    PARTNERS,
    Pairs,
    VenueMean,
    choose_pairs,
    mean_over_pairs,
    over_venues,
    rightness,
    top_quarter_precision,
)
from surpeer.experiments.bench.reliability import EDGES, bin_of, reliability_sums, reliability_table
from surpeer.ranking import rank
from surpeer.scores import Outcome, Scores

FINITE, MISSING = int(Status.FINITE), int(Status.MISSING_SIGNAL)


def scores_of(
    value: list[float], mean: list[int], status: list[int] | None = None, error: list[float] | None = None
) -> Scores:
    """Papers with one review each, whose ratings are their means."""
    papers = len(value)
    predictions = np.full((papers, 11), np.nan)
    reviews = Reviews(Scale(range(11)), pl.Series(range(papers)), np.arange(papers), np.array(mean), predictions)
    codes = np.array([FINITE] * papers if status is None else status)
    outcome = Outcome(np.array(value, dtype=float), codes, None if error is None else np.array(error))
    return Scores("made", build_matrices(reviews), outcome)


def test_rightness_by_hand() -> None:
    quality = np.array([0.1, 0.5, 0.9, 0.2])
    value = np.array([1.0, 3.0, 3.0, np.nan])
    defined, mean = np.array([True, True, True, False]), np.array([5.0, 2.0, 3.0, 3.0])
    pairs = choose_pairs(np.random.default_rng(0), 4)
    found = dict(
        zip(
            zip(pairs.a.tolist(), pairs.b.tolist(), strict=True),
            rightness(pairs, value, defined, mean, quality),
            strict=True,
        )
    )
    assert found == {
        (0, 1): 1.0,  # by score
        (0, 2): 1.0,
        (0, 3): 0.0,  # the mean decides, and is wrong
        (1, 2): 0.5,  # a tie
        (1, 3): 0.0,
        (2, 3): 0.5,  # equal means
    }


def test_equal_qualities_cannot_be_told_apart() -> None:
    everything = np.ones(2, dtype=bool)
    two = Pairs(2, np.array([0]), np.array([1]))
    assert rightness(two, np.array([1.0, 2.0]), everything, np.zeros(2), np.array([0.3, 0.3])).tolist() == [0.5]


@pytest.mark.parametrize("papers", [2, 5, 50, 1000])
def test_all_pairs_of_a_small_venue(papers: int) -> None:
    pairs = choose_pairs(np.random.default_rng(0), papers)
    assert len(set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))) == papers * (papers - 1) // 2
    assert pairs.each == papers - 1


@pytest.mark.parametrize("papers", [1001, 5000])
def test_partners_in_a_large_venue(papers: int) -> None:
    pairs = choose_pairs(np.random.default_rng(0), papers)
    unordered = {frozenset(pair) for pair in zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)}
    assert len(unordered) == len(pairs.a) == papers * PARTNERS
    assert all(len(pair) == 2 for pair in unordered)
    np.testing.assert_array_equal(np.bincount(np.concatenate([pairs.a, pairs.b])), pairs.each)
    other = choose_pairs(np.random.default_rng(1), papers)
    assert not np.array_equal(pairs.b, other.b)


def test_means_by_paper_by_hand() -> None:
    pairs = choose_pairs(np.random.default_rng(0), 3)  # (0, 1), (0, 2), (1, 2)
    np.testing.assert_allclose(pairs.mean_by_paper(np.array([1.0, 0.0, 0.5])), [0.5, 0.75, 0.25])


@pytest.mark.parametrize(("papers", "limit"), [(12, 1000), (40, 1000), (150, 10)])
def test_the_variance_of_a_venues_mean_is_that_over_venues(
    papers: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all pairs, and with a few partners each."""
    monkeypatch.setattr(judging, "ALL_PAIRS_UP_TO", limit)
    monkeypatch.setattr(judging, "PARTNERS", 6)
    rng = np.random.default_rng(11)
    found = []
    for _ in range(3000):
        quality = rng.normal(size=papers)
        value = quality + rng.normal(size=papers)
        pairs = choose_pairs(rng, papers)
        right = rightness(pairs, value, np.ones(papers, dtype=bool), value, quality)
        found.append(mean_over_pairs(right, pairs))
    means, variances = (np.array(column) for column in zip(*found, strict=True))
    assert variances.mean() == pytest.approx(means.var(), rel=0.1)
    assert means.mean() == pytest.approx(0.75, abs=0.01)  # 1/2 + arcsin(1 / sqrt 2) / pi


def test_no_difference_has_no_variance() -> None:
    pairs = choose_pairs(np.random.default_rng(0), 20)
    assert mean_over_pairs(np.zeros(190), pairs) == VenueMean(0.0, 0.0)
    one = np.zeros(190)
    one[7] = 1.0
    assert mean_over_pairs(one, pairs).variance >= one.var() / 190 > 0


def test_over_venues() -> None:
    few = [VenueMean(0.6, 0.0004), VenueMean(0.8, 0.0012)]
    assert over_venues(few) == pytest.approx((0.7, np.sqrt(0.0008 / 2)))
    many = [VenueMean(0.5 + 0.01 * (at % 2), 1.0) for at in range(20)]
    assert over_venues(many) == pytest.approx((0.505, 0.005 * np.sqrt(20 / 19) / np.sqrt(20)))


def test_the_top_quarter_by_hand() -> None:
    quality = np.array([8, 7, 6, 5, 4, 3, 2, 1.0])  # truly best: papers 0 and 1
    assert top_quarter_precision(rank(scores_of([8, 7, 6, 5, 4, 3, 2, 1], [1] * 8)), quality) == 1.0
    assert top_quarter_precision(rank(scores_of([1, 7, 6, 5, 4, 3, 2, 8], [1] * 8)), quality) == 0.5
    # 2 is first; 0, 1, 3 and 4 tie for one place
    assert top_quarter_precision(rank(scores_of([5, 5, 6, 5, 5, 3, 2, 1], [1] * 8)), quality) == pytest.approx(0.25)
    assert top_quarter_precision(rank(scores_of([1] * 8, [1] * 8)), quality) == pytest.approx(0.25)


def test_the_top_quarter_follows_the_ranking_when_scores_are_undefined() -> None:
    quality = np.arange(8.0)
    scores = scores_of([np.nan] * 8, [1, 1, 1, 1, 1, 1, 9, 5], [MISSING] * 8)
    assert top_quarter_precision(rank(scores), quality) == 1.0


def test_bins_of_probabilities() -> None:
    stated = np.array([0.5, 0.5499, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0])
    assert bin_of(stated).tolist() == [0, 0, 1, 2, 3, 4, 5, 5]
    assert len(EDGES) == 7


def test_reliability_by_hand() -> None:
    pairs = choose_pairs(np.random.default_rng(0), 3)
    right = np.array([1.0, 0.0, 0.5])
    assert reliability_sums(scores_of([0, 1, 1], [1, 1, 1]), pairs, right) is None
    sums = reliability_sums(scores_of([0, 1, 1], [1, 1, 1], error=[0.6, 0.8, 0.8]), pairs, right)
    assert sums is not None
    sure = 0.8413447460685429  # Phi(1 / 1)
    np.testing.assert_allclose(sums[3], [2, 2 * sure, 1.0])
    np.testing.assert_allclose(sums[0], [1, 0.5, 0.5])
    assert sums.sum() == pytest.approx(2 + 2 * sure + 1 + 1 + 0.5 + 0.5)
    table = reliability_table([(2, "flat", "made", sums), (2, "flat", "made", sums), (5, "flat", "made", sums)])
    assert table.rows() == [
        (2, "flat", "made", 0.5, 0.55, 2, 0.5, 0.5),
        (2, "flat", "made", 0.75, 0.85, 4, pytest.approx(sure), 0.5),
        (5, "flat", "made", 0.5, 0.55, 1, 0.5, 0.5),
        (5, "flat", "made", 0.75, 0.85, 2, pytest.approx(sure), 0.5),
    ]


def test_reliability_leaves_out_what_has_no_error() -> None:
    pairs = choose_pairs(np.random.default_rng(0), 4)
    scores = scores_of([0, np.inf, 1, 2], [1] * 4, [FINITE, int(Status.PLUS_INFINITY), FINITE, MISSING], [1.0, 1, 0, 1])
    sums = reliability_sums(scores, pairs, np.ones(6))
    assert sums is not None
    assert sums.sum() == 0
    assert reliability_table([(2, "flat", "made", sums)]).is_empty()
