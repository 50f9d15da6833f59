"""The parts of the venue method that judge forecasts and papers, against exact values or values known from elsewhere."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from simulated_venue import Floats, Venue, mixed, simulate

from surpeer.core.venue import fit_venue, moments_of_reviews
from surpeer.core.venue.basis import View, canonical_basis
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.forecast_model import SIGNAL, Readings
from surpeer.core.venue.own_rating import MOST_PROJECTION, Projection, find_projection, squares_without_own
from surpeer.core.venue.quality import Seen, state_variances
from surpeer.core.venue.setting import Setting
from surpeer.core.venue.trust import Trust, no_trust
from surpeer.errors import ArrayError

NAN = math.nan


def projection_of(venue: Venue) -> Projection:
    totals = venue.counts.sum(axis=0)
    return find_projection(venue.moments, View.of(totals / totals.sum(), venue.values))


# Own ratings projected on everybody


PHI = [Fraction(1), Fraction(2), Fraction(5)]
CLEAN = [[Fraction(part, 10) for part in state] for state in ((6, 3, 1), (1, 4, 5))]
NOISES = [
    (Fraction(1, 3), [Fraction(1), Fraction(0), Fraction(0)]),
    (Fraction(1, 2), [Fraction(0), Fraction(1, 4), Fraction(3, 4)]),
]
"""A tiny model: two clean states that reviewers do not know, two noises that they do, all equally likely."""


def product_sum(*columns: list[Fraction]) -> Fraction:
    return sum((math.prod(row) for row in zip(*columns, strict=True)), Fraction(0))


def best_forecast(seen: list[list[Fraction]], rating: int) -> Fraction:
    """The expected rating of another, by Bayes' rule over the two states that this noise allows."""
    weights = [state[rating] for state in seen]
    return product_sum(weights, [product_sum(state, PHI) for state in seen]) / sum(weights)


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 5), Fraction(1, 2)])
def test_own_ratings_say_as_much_about_forecasts_as_about_other_ratings(share: Fraction) -> None:
    """The identity that finds projection, exactly: the excess is the share times the variance within papers."""
    rows = []
    for lam, b in NOISES:
        seen = [[(1 - lam) * w + lam * c for w, c in zip(state, b, strict=True)] for state in CLEAN]
        for state, own, other in product(seen, range(3), range(3)):
            said = (1 - share) * best_forecast(seen, own) + share * PHI[own]
            rows.append([state[own] * state[other] / 4, PHI[own], PHI[other], said])
    chance, own_rating, other_rating, forecast = (list(column) for column in zip(*rows, strict=True))
    assert sum(chance) == 1
    mean = product_sum(chance, own_rating)
    agreement = product_sum(chance, own_rating, other_rating)
    with_other = agreement - mean * product_sum(chance, other_rating)
    with_forecast = product_sum(chance, own_rating, forecast) - mean * product_sum(chance, forecast)
    within = product_sum(chance, own_rating, own_rating) - agreement
    assert within > 0
    assert with_forecast - with_other == share * within


@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
def test_projection_is_recovered_from_a_large_venue(levels: int, share: float) -> None:
    """Within three of its own standard errors, which are small."""
    rng = np.random.default_rng([levels, int(share * 10)])
    venue = simulate(rng, [2.0] * levels, mixed(rng, 3000)).projecting(share)
    found = projection_of(venue)
    assert found.standard_error < 0.02
    assert found.found == pytest.approx(share, abs=3 * found.standard_error)
    assert found.weight == pytest.approx(share, abs=0.06)
    assert found.responds


def test_projection_of_other_forecasts() -> None:
    rng = np.random.default_rng(5)
    venue = simulate(rng, [2.0] * 3, mixed(rng, 400))
    assert projection_of(venue.projecting(1.0)).weight == MOST_PROJECTION
    flat = projection_of(venue.saying(np.full(3, 1 / 3)))
    assert (flat.weight, flat.responds) == (0, False)
    assert flat.slope == pytest.approx(0, abs=1e-12)
    contrary = projection_of(venue.saying(0.8 / 3 + 0.2 * np.eye(3)[2 - venue.rating]))
    assert (contrary.weight, contrary.slope, contrary.responds) == (0, 0, False)


def test_without_own_ratings_it_is_as_if_nobody_had_projected() -> None:
    venue = simulate(np.random.default_rng(6), [2.0] * 3, [3] * 5)
    plain, projected = venue.moments, venue.projecting(0.4).moments
    levels, papers = np.eye(3), np.arange(5)
    undone = Block.of(projected, papers, 0.4, levels)
    np.testing.assert_allclose(undone.sums, np.moveaxis(plain.sums, 0, -1), atol=1e-14)
    np.testing.assert_allclose(
        squares_without_own(projected, 0.4, levels), squares_without_own(plain, 0.0, levels), atol=1e-10
    )
    np.testing.assert_allclose(squares_without_own(plain, 0.0, levels), venue.shares.T @ venue.shares, atol=1e-10)


def test_unanimous_papers_show_nothing_about_projection() -> None:
    rating = np.repeat([0, 1, 1, 1, 0, 0], 5)
    paper = np.repeat(np.arange(6), 5)
    top = 0.7 * np.random.default_rng(0).dirichlet([1, 1], 6)[paper, 1] + 0.3 * rating
    standardised = np.array([[-0.1], [0.1]]) * 7 / 3
    moments = venue_of_two_levels(rating, top, 5).moments
    found = find_projection(moments, View(np.full(2, 0.5), standardised, standardised))
    assert found == Projection(0.0, 0.0, 0.0, 0.0, responds=False)


# Trust


def test_truthful_forecasts_are_trusted() -> None:
    for levels in (2, 3, 6):
        trust = simulate(np.random.default_rng(levels), [2.0] * levels, [4] * 1000).fit().trust
        assert trust.weight == pytest.approx(1, abs=0.1), levels
        assert trust.follows
        assert trust.differ
        assert trust.knowledge < 0.05


def test_forecasts_that_say_nothing_are_not_followed() -> None:
    rng = np.random.default_rng(9)
    for levels in (2, 3, 6):
        venue = simulate(rng, [2.0] * levels, [4] * 200)
        said = {
            "flat": np.full(levels, 1 / levels),
            "own rating": np.eye(levels)[venue.rating],
            "nearly own rating": 0.1 / levels + 0.9 * np.eye(levels)[venue.rating],
            "random": rng.dirichlet(np.ones(levels), len(venue.rating)),
            "nothing": np.full(levels, NAN),
        }
        for name, shares in said.items():
            fit = venue.saying(shares).fit()
            assert fit.trust.weight == 0, (levels, name)
            assert not fit.trust.follows
            assert (fit.quality.own_share == 0).all()


def test_one_forecast_per_paper_cannot_be_judged() -> None:
    venue = simulate(np.random.default_rng(10), [2.0] * 3, [3] * 50)
    shares = np.where((np.arange(150) % 3 == 0)[:, None], venue.shares, NAN)
    trust = venue.saying(shares).fit().trust
    assert (trust.weight, trust.judged) == (0, False)
    shares[:2] = venue.shares[:2]
    shares[3:5] = venue.shares[3:5]  # two papers with two
    assert not venue.saying(shares).fit().trust.judged
    shares[6:8] = venue.shares[6:8]
    assert venue.saying(shares).fit().trust.judged


def test_cautious_forecasts_count_for_more_with_two_levels_only() -> None:
    """Half of what they mean: ratings move twice as much. Corrected at most to the double."""
    for levels, expected in ((2, 2.0), (3, 1.0)):
        venue = simulate(np.random.default_rng(11), [2.0] * levels, [4] * 1000)
        trust = venue.saying((venue.shares + venue.shares.mean(axis=0)) / 2).fit().trust
        assert trust.caution == pytest.approx(expected, abs=0.15)
        assert trust.caution <= 2


def test_weight_is_at_most_two_and_on_finer_scales_one() -> None:
    for levels in (2, 3):
        for seed in range(60):
            venue = simulate(np.random.default_rng([levels, seed]), [1.0] * levels, [2] * 30).projecting(0.2)
            assert venue.fit().trust.weight <= (2 if levels == 2 else 1), (levels, seed)


# Variances of clean states


def seen(counts: list[list[int]], levels: int = 2) -> Seen:
    """What these ratings show where nobody said anything."""
    table = np.array(counts)
    q = np.full(levels, 1 / levels)
    basis = canonical_basis(q, np.arange(levels, dtype=float))
    size = basis.shape[1]
    readings = Readings.nothing(len(table), size)
    return Seen.of(Setting.of(q, basis, np.ones(size), no_trust(size), table, readings))


def test_state_variance_is_what_sampling_leaves_of_the_variance_between_papers() -> None:
    """Papers of 100 ratings with V = +-0.5: V^2 - 1/n = 0.24, over E g (1 - 1/n)."""
    found = state_variances(seen([[75, 25], [25, 75]] * 3), np.zeros((1, 1)))
    assert found.tolist() == pytest.approx([0.24 / (SIGNAL.mean() * 0.99)], rel=1e-12)


def test_state_variance_stays_between_its_bounds() -> None:
    assert state_variances(seen([[2, 0], [0, 2]] * 5), np.zeros((1, 1))).tolist() == [1.0]  # all agree
    assert state_variances(seen([[1, 1]] * 5), np.zeros((1, 1))).tolist() == [1e-3]  # nobody agrees
    assert state_variances(seen([[1, 0], [0, 1]]), np.zeros((1, 1))).tolist() == [0.5]  # nothing to go by
    assert state_variances(seen([[1, 0], [0, 1]]), np.full((1, 1), 0.7)).tolist() == [0.7]  # but forecasts


def test_state_variances_have_the_shape_of_the_response() -> None:
    shown = seen([[50, 0, 0, 50], [50, 50, 0, 0]] * 4, 4)
    found = state_variances(shown, np.diag([0.2, 0.1, 0.4]))
    np.testing.assert_allclose(found / found[0], [1, 0.5, 1], atol=1e-12)
    assert state_variances(shown, np.zeros((3, 3)))[1:].tolist() == [0, 0]


def test_covariances_under_a_prior_are_those_of_the_basis() -> None:
    """Nobody said anything, so the prior is q, under which coordinates are orthonormal."""
    q = np.array([0.2, 0.5, 0.3])
    basis = canonical_basis(q, np.array([1.0, 2.0, 4.0]))
    setting = Setting.of(q, basis, np.ones(2), no_trust(2), np.array([[1, 2, 3]] * 4), Readings.nothing(4, 2))
    np.testing.assert_allclose(setting.expected[:, 3, 1], q, atol=1e-15)
    np.testing.assert_allclose(setting.variance(), 1, atol=1e-12)
    for found, expected in zip(setting.covariance(), [1, 0, 1], strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(setting.surprise()[:, 0, 0], [1 / 6, 2 / 6, 3 / 6] @ basis, atol=1e-12)


# Quality


def test_no_trust_is_no_trust() -> None:
    trust: Trust = no_trust(3)
    assert (trust.weight, trust.follows, trust.differ, trust.judged) == (0.0, False, False, False)


def test_expected_mean_of_a_venue_without_forecasts_is_the_venues() -> None:
    venue = simulate(np.random.default_rng(12), [2.0] * 3, [3] * 20).saying(np.full(3, NAN))
    fit = venue.fit()
    q = (venue.counts.sum(axis=0) + 0.5) / (60 + 1.5)
    np.testing.assert_allclose(fit.expected_mean(np.arange(20), venue.values), q @ venue.values)


def test_expected_mean_follows_truthful_forecasts() -> None:
    """The prior that reviewers of an even model know, up to what four forecasts leave open."""
    rng = np.random.default_rng(13)
    venue = simulate(rng, [2.0] * 5, [4] * 800)
    expected = venue.fit().expected_mean(np.arange(800), venue.values)
    said = np.bincount(venue.paper, venue.shares @ venue.values) / 4
    assert np.corrcoef(expected, said)[0, 1] > 0.95
    assert expected.std() == pytest.approx(said.std(), rel=0.2)
    assert (expected >= 1).all()
    assert (expected <= 5).all()


def test_a_confident_forecast_leaves_some_doubt() -> None:
    rating = np.array([0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0])
    top = np.array([0.4, 0.4, 0.6, 0.5, 0.3, 0.3, 0.7, 0.7, 0.7, 0.0, 0.2, 0.0])
    quality = venue_of_two_levels(rating, top, 3).fit().quality
    assert (quality.deviation > 0.1).all()


def test_three_papers_have_scores_of_a_size_that_can_be() -> None:
    rating = np.array([1, 1, 0, 1, 0, 0, 1, 0, 1])
    top = np.array([0.4, 0.4, 0.2, 0.7, 0.5, 0.5, 1.0, 0.9, 1.0])
    quality = venue_of_two_levels(rating, top, 3).fit().quality
    assert (abs(quality.mean) < 5).all()
    assert (quality.deviation <= 1.5).all()


def venue_of_two_levels(rating: np.ndarray, top: Floats, reviews: int) -> Venue:
    paper = np.repeat(np.arange(len(rating) // reviews), reviews)
    nothing = np.full(len(rating), NAN)
    return Venue(
        paper, rating, np.stack([1 - top, top], axis=1), nothing, np.array([0.0, 1.0]), np.zeros(paper[-1] + 1)
    )


def informed(rng: np.random.Generator, know: float, own: float) -> Venue:
    """Nobody is pushed; forecasts are part the paper's true state, part the own rating, part nothing."""
    states = rng.beta(1, 1, 600)
    rating = (rng.random((600, 4)) < states[:, None]).astype(np.int64).ravel()
    noise = 0.05 * rng.normal(size=len(rating))
    top = know * np.repeat(states, 4) + own * rating + (1 - know - own) / 2 + noise
    return venue_of_two_levels(rating, top, 4)


@pytest.mark.parametrize("own", [0.0, 0.15, 0.3])
def test_forecasts_that_know_the_outcome_are_not_followed(own: float) -> None:
    """Taking them off would take quality off: they do not follow own ratings, or hardly any quality would be left."""
    trust = informed(np.random.default_rng(11), 0.5, own).fit().trust
    assert not trust.follows
    assert trust.projection.responds == (own > 0)
    assert trust.leaves_quality == (own == 0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rating": np.array([0])}, r"rating has shape \(1,\), expected \(2,\)"),
        ({"shares": np.zeros((2, 3))}, r"shares has shape \(2, 3\), expected \(2, 2\)"),
        ({"expected": np.zeros(3)}, r"expected has shape \(3,\), expected \(2,\)"),
        ({"counts": np.ones((1, 3), dtype=np.int64)}, r"counts has shape \(1, 3\), expected \(1, 2\)"),
        ({"counts": np.zeros((1, 2), dtype=np.int64)}, "counts must have a row for at least one paper"),
        ({"paper": np.array([0, 1])}, "paper goes from 0 to 1, expected 0 to 0"),
        ({"rating": np.array([0, 2])}, "rating goes from 0 to 2, expected 0 to 1"),
        ({"values": np.array([1.0, 1.0])}, "expected two or more increasing numbers"),
    ],
)
def test_arrays_that_do_not_fit_are_errors(changed: dict[str, np.ndarray], message: str) -> None:
    arguments = {
        "counts": np.array([[1, 1]]),
        "paper": np.array([0, 0]),
        "rating": np.array([0, 1]),
        "shares": np.full((2, 2), 0.5),
        "expected": np.full(2, NAN),
        "values": np.array([0.0, 1.0]),
    }

    def fit(counts: np.ndarray, values: np.ndarray, **rows: np.ndarray) -> None:
        fit_venue(moments_of_reviews(counts, values=values, **rows), values)

    fit(**arguments)
    with pytest.raises(ArrayError, match=message):
        fit(**{**arguments, **changed})
