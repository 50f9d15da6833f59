"""Weighted medians and the typical prior: shortcuts find what the long way finds."""

from collections.abc import Sequence

import numpy as np
import pytest

from surpeer.core.venue import typical_prior as module
from surpeer.core.venue.typical_prior import LEAST_SHARE, typical_prior
from surpeer.core.venue.weighted_median import decisive_level, median_over_levels, medians_over_papers


def plain_median(numbers: Sequence[float], weights: Sequence[float]) -> float:
    """From its definition: the middle of the numbers that have at most half of the weight below and above them."""
    half, pairs = sum(weights) / 2 * (1 + 1e-9), list(zip(numbers, weights, strict=True))
    middle = [
        one
        for one in numbers
        if sum(w for x, w in pairs if x < one) <= half and sum(w for x, w in pairs if x > one) <= half
    ]
    return (min(middle) + max(middle)) / 2


@pytest.mark.parametrize(
    ("weights", "level"),
    [([0.6, 0.4], 0), ([0.2, 0.1, 0.7], 2), ([0.5, 0.5], None), ([0.5 + 1e-12, 0.5 - 1e-12], None), ([1, 1, 1], None)],
)
def test_a_level_is_decisive_with_more_than_half_of_the_weight(weights: list[float], level: int | None) -> None:
    assert decisive_level(np.array(weights)) == level


@pytest.mark.parametrize("levels", [2, 3, 5, 14])
def test_median_over_levels_is_the_plain_one(levels: int) -> None:
    """Also of a few numbers that come several times, and with a decisive level."""
    rng = np.random.default_rng(levels)
    numbers = rng.integers(0, 4, (levels, 40)).astype(float)
    for weights in (np.ones(levels), rng.uniform(0.1, 1, levels), np.append(np.ones(levels - 1), levels + 0.5)):
        expected = [plain_median(column.tolist(), weights.tolist()) for column in numbers.T]
        np.testing.assert_allclose(median_over_levels(numbers, weights), expected, rtol=1e-15)


@pytest.mark.parametrize("papers", [1, 2, 7, 40])
def test_medians_over_papers_are_the_plain_ones_whatever_is_guessed(papers: int) -> None:
    rng = np.random.default_rng(papers)
    numbers, weights = rng.integers(1, 5, (3, papers)).astype(float), rng.integers(1, 4, papers).astype(float)
    expected = [plain_median(row.tolist(), weights.tolist()) for row in numbers]
    for guesses in (np.array(expected), np.array([2.0, 0.0, 9.0])):
        np.testing.assert_allclose(medians_over_papers(numbers, weights, guesses), expected, rtol=1e-15)


def priors_of(levels: int, papers: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pushed up and down by different amounts, some as far as priors can be."""
    rng = np.random.default_rng([levels, papers, seed])
    q, share = rng.dirichlet(np.full(levels, 1.0)), rng.uniform(0, 0.999, (papers, 1))
    priors = (1 - share) * q + share * np.eye(levels)[rng.integers(0, levels, papers)]
    return priors, np.maximum(priors.mean(axis=0), LEAST_SHARE)


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_typical_prior_without_rounds_that_change_nothing_is_the_same(
    levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against all rounds, each start by itself."""
    cases = [priors_of(levels, papers, seed) for papers in (1, 2, 9, 60) for seed in range(25)]
    short = [typical_prior(*case) for case in cases]
    plain = module._fit
    monkeypatch.setattr(module, "_fit", lambda priors, start, known=None: plain(priors, start))
    monkeypatch.setattr(module, "_settled", lambda *_: False)
    monkeypatch.setattr(module, "_ways_meet", lambda *_: False)
    for case, found in zip(cases, short, strict=True):
        np.testing.assert_allclose(found, typical_prior(*case), rtol=1e-12, atol=1e-13)


def test_ways_meet_where_one_level_decides_from_both_starts_and_nothing_is_held() -> None:
    priors, one, other = np.array([[0.7, 0.6], [0.3, 0.4]]), np.array([0.8, 0.2]), np.array([0.6, 0.4])
    assert module._ways_meet(priors, one, other)
    assert not module._ways_meet(priors, one, other[::-1])  # another level decides
    assert not module._ways_meet(priors, np.array([0.5, 0.5]), other)  # none does
    assert not module._ways_meet(np.append(priors, [[1.0], [LEAST_SHARE]], axis=1), one, other)


def test_a_level_that_is_held_at_its_least_is_not_settled() -> None:
    q, new, scale = np.array([0.7, 0.3]), np.array([0.6, 0.4]), np.ones(4)
    assert module._settled(q, scale, new)
    assert not module._settled(q, np.append(scale, LEAST_SHARE), new)
    assert not module._settled(q, scale, np.array([0.6, LEAST_SHARE]))
    assert not module._settled(q, scale, np.array([0.4, 0.6]))  # another level decides
    assert not module._settled(np.array([0.5, 0.5]), scale, new)
