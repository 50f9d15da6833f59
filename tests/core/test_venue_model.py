"""The whole venue method: against a plain implementation, and on venues whose truth is known."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from simulated_venue import Floats, Venue, mixed, pairwise_accuracy, simulate
from venue_reference import Review, reference


def truthful(levels: int, papers: int, seed: int) -> Venue:
    rng = np.random.default_rng(seed)
    return simulate(rng, [1.5] * levels, mixed(rng, papers))


def noisy(levels: int, papers: int, seed: int, *, spread: float = 0.5) -> Venue:
    venue, rng = truthful(levels, papers, seed), np.random.default_rng(seed + 1)
    logs = np.log(venue.shares + 1e-6) + spread * rng.normal(size=venue.shares.shape)
    return venue.saying(np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True))


def random_forecasts(levels: int, papers: int, seed: int) -> Venue:
    venue = truthful(levels, papers, seed)
    return venue.saying(np.random.default_rng(seed).dirichlet(np.ones(levels), len(venue.rating)))


def flat(levels: int, papers: int, seed: int) -> Venue:
    return truthful(levels, papers, seed).saying(np.full(levels, 1 / levels))


def silent(levels: int, papers: int, seed: int) -> Venue:
    return truthful(levels, papers, seed).saying(np.full(levels, np.nan))


def projecting(levels: int, papers: int, seed: int) -> Venue:
    return noisy(levels, papers, seed, spread=0.2).projecting(0.3)


def only_own_rating(levels: int, papers: int, seed: int) -> Venue:
    return truthful(levels, papers, seed).projecting(1.0)


def cautious(levels: int, papers: int, seed: int) -> Venue:
    venue = noisy(levels, papers, seed, spread=0.2)
    return venue.saying((venue.shares + venue.shares.mean(axis=0)) / 2)


def with_gaps(levels: int, papers: int, seed: int) -> Venue:
    """Whole, partial, expected, partial and expected, and missing forecasts in turn; uneven values."""
    venue, rng = noisy(levels, papers, seed), np.random.default_rng(seed + 2)
    values = np.cumsum(rng.uniform(0.3, 2, levels))
    shares, expected = venue.shares.copy(), venue.expected.copy()
    for row in range(len(shares)):
        kind = row % 7
        if kind in (2, 4) and levels > 2:  # with two levels an expected rating is turned into shares beforehand
            expected[row] = shares[row] @ values
        if kind in (2, 5):
            shares[row] = np.nan
        if kind in (3, 4):
            shares[row, 1:] = np.nan
    return replace(venue, shares=shares, expected=expected, values=values)


MAKERS: list[Callable[[int, int, int], Venue]] = [
    truthful,
    noisy,
    random_forecasts,
    flat,
    silent,
    projecting,
    only_own_rating,
    cautious,
    with_gaps,
]
CASES = [(maker, levels, 12, seed) for maker in MAKERS for levels in (2, 3, 5) for seed in (1, 2)]
CASES += [(truthful, 12, 25, 3), (with_gaps, 12, 20, 4), (noisy, 3, 3, 5), (noisy, 3, 2, 6), (truthful, 4, 1, 7)]


def as_reviews(venue: Venue) -> list[Review]:
    def number(cell: float) -> float | None:
        return None if math.isnan(cell) else float(cell)

    columns = zip(venue.paper, venue.rating, venue.shares, venue.expected, strict=True)
    return [(int(p), int(x), [number(share) for share in row], number(m)) for p, x, row, m in columns]


def expected_of(venue: Venue) -> Floats:
    """(3, N)"""
    return np.array(reference(as_reviews(venue), venue.papers, [float(value) for value in venue.values])).T


@pytest.mark.parametrize(("maker", "levels", "papers", "seed"), CASES)
def test_whole_method_equals_the_plain_implementation(
    maker: Callable[[int, int, int], Venue], levels: int, papers: int, seed: int
) -> None:
    venue = maker(levels, papers, seed)
    quality = venue.fit().quality
    for found, expected in zip((quality.mean, quality.deviation, quality.own_share), expected_of(venue), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


def test_cases_follow_forecasts_and_ignore_them() -> None:
    """The comparison above would be worth little if forecasts never counted, or always."""
    weights = np.array([maker(levels, papers, seed).fit().trust.weight for maker, levels, papers, seed in CASES])
    assert (weights == 0).sum() >= 15
    assert (weights > 0.5).sum() >= 15


def test_papers_without_forecasts_among_papers_with() -> None:
    venue = truthful(3, 14, 2)
    shares = venue.shares.copy()
    shares[venue.paper < 4] = np.nan
    venue = venue.saying(shares)
    quality = venue.fit().quality
    assert (quality.own_share[:4] == 0).all()
    assert (quality.own_share[4:] > 0).all()
    np.testing.assert_allclose((quality.mean, quality.deviation, quality.own_share), expected_of(venue), atol=1e-8)


# At the edges; warnings are errors


def said_at_random(levels: int, reviews: list[int], seed: int = 0) -> Venue:
    rng = np.random.default_rng(seed)
    venue = simulate(rng, [1.0] * levels, reviews)
    return venue.saying(rng.dirichlet(np.full(levels, 0.3), len(venue.rating)))


EDGES = {
    "one paper": truthful(3, 1, 1),
    "one review": said_at_random(2, [1]),
    "one review each": said_at_random(5, [1] * 6),
    "2,000 papers with one forecast": said_at_random(5, [1] * 2000),
    "three papers with two forecasts": said_at_random(4, [2] * 3),
    "200 reviews of one paper": said_at_random(4, [200] + [2] * 8),
    "101 levels": said_at_random(101, [4] * 20),
    "tiny shares": truthful(3, 9, 4).saying(np.array([1e-300, 0.5, 0.5])),
    "all sure of one level": truthful(3, 20, 5).saying(np.array([0.0, 0.0, 1.0])),
    "sure of each paper": (lambda v: v.saying(np.eye(4)[v.paper % 4]))(truthful(4, 20, 6)),
    "contrary": (lambda v: v.saying(np.eye(4)[3 - v.rating]))(truthful(4, 20, 7)),
    "all rated lowest": replace(truthful(3, 9, 8), rating=np.zeros_like(truthful(3, 9, 8).rating)),
    "values a billion apart": replace(truthful(3, 9, 9), values=np.array([-1e12, 0.0, 1e12])),
    "values near each other": replace(truthful(3, 9, 9), values=np.array([0.0, 1e-12, 2e-12])),
    "values near each other, far from zero": replace(truthful(3, 9, 9), values=1e12 + np.arange(3.0)),
    "values of all sizes": replace(truthful(3, 9, 9), values=np.array([0.0, 1e-12, 1e12])),
    "three papers": replace(
        truthful(2, 3, 1),
        paper=np.repeat(np.arange(3), 3),
        rating=np.array([1, 1, 0, 1, 0, 0, 1, 0, 1]),
        shares=np.array([[1 - top, top] for top in (0.4, 0.4, 0.2, 0.7, 0.5, 0.5, 1.0, 0.9, 1.0)]),
        expected=np.full(9, np.nan),
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_edges_have_ordinary_scores(name: str) -> None:
    venue = EDGES[name]
    fit = venue.fit()
    assert np.isfinite(fit.quality.mean).all()
    assert (abs(fit.quality.mean) < 6).all()
    assert ((fit.quality.deviation > 0.05) & (fit.quality.deviation < 2)).all()
    assert ((fit.quality.own_share >= 0) & (fit.quality.own_share <= 1)).all()
    assert fit.parts(0).score == pytest.approx(fit.quality.mean[0], abs=1e-9)
    assert np.isfinite(fit.expected_mean(np.arange(venue.papers), venue.values)).all()


def test_values_far_from_each_other_or_from_zero_do_not_matter() -> None:
    """The same steps in another unit."""
    expected = truthful(3, 9, 9).fit().quality.mean
    for name in ("values a billion apart", "values near each other", "values near each other, far from zero"):
        np.testing.assert_allclose(EDGES[name].fit().quality.mean, expected, atol=1e-6)


# Truth is known


@pytest.mark.parametrize("levels", [2, 5])
def test_truthful_forecasts_order_papers_better_than_the_mean(levels: int) -> None:
    """By more than chance: half of the papers at a time, twenty times."""
    gains = []
    for seed in range(20):
        venue = simulate(np.random.default_rng(seed), [2.0] * levels, [4] * 100)
        score = venue.fit().quality.mean
        gains.append(pairwise_accuracy(score, venue.quality) - pairwise_accuracy(venue.mean, venue.quality))
    standard_error = np.std(gains, ddof=1) / math.sqrt(len(gains))
    assert np.mean(gains) > 0.02
    assert np.mean(gains) > 5 * standard_error


@pytest.mark.parametrize("levels", [2, 5])
def test_truth_is_within_the_standard_error_as_often_as_promised(levels: int) -> None:
    """In one large venue: the errors, in their own unit, have about the square 1."""
    venue = simulate(np.random.default_rng(levels), [2.0] * levels, [4] * 1500)
    quality = venue.fit().quality
    truth = (venue.quality - venue.quality.mean()) / venue.quality.std()
    square = float((((truth - quality.mean) / quality.deviation) ** 2).mean())
    assert 0.8 < square < 1.25


def test_false_consensus_is_found_and_taken_off() -> None:
    """30 % of every forecast is the own rating; with more levels the weight of the rest suffers little."""
    venue = simulate(np.random.default_rng(1), [2.0] * 5, [4] * 600)
    plain, projected = venue.fit(), venue.projecting(0.3).fit()
    found = projected.trust.projection
    assert found.found == pytest.approx(0.3, abs=3 * found.standard_error)
    assert plain.trust.projection.weight < 0.05
    assert np.corrcoef(plain.quality.mean, projected.quality.mean)[0, 1] > 0.98


def test_a_bias_that_all_papers_share_does_not_move_the_order() -> None:
    """What everybody knows about everything is no news: all forecasts alike, the order of the mean."""
    venue = simulate(np.random.default_rng(3), [2.0] * 4, [4] * 60)
    for shares in ([0.1, 0.2, 0.3, 0.4], [0.97, 0.01, 0.01, 0.01]):
        fit = venue.saying(np.array(shares)).fit()
        assert fit.trust.weight == 0
        np.testing.assert_array_equal(
            np.argsort(fit.quality.mean.round(10), kind="stable"), np.argsort(venue.mean.round(10), kind="stable")
        )
