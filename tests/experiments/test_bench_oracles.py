"""The benchmark's priors, forecasts and oracles against brute force."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from surpeer.core.joint import predictions_from_joint
from surpeer.core.noise import noise_matrix, noisy_joint
from surpeer.errors import ArrayError
from surpeer.experiments.bench import oracles
from surpeer.experiments.bench.grid import BIASES, FORECASTS, PRIORS, Cell, generator
from surpeer.experiments.bench.oracles import dirichlet_mean, ordered_mean, posterior_mean
from surpeer.experiments.bench.venues import bayesian_forecasts, draw_venue
from surpeer.experiments.forecasts import AgreesWithMe, SomeMissing, VenueAverage
from surpeer.experiments.state_priors import Dirichlet, OrderedLogit, StatePrior


def rising(start: Fraction, steps: int) -> Fraction:
    return prod((start + step for step in range(steps)), start=Fraction(1))


def by_enumeration(
    alpha: list[Fraction], ratings: list[int], level: Fraction, bias: list[Fraction], values: list[Fraction]
) -> Fraction:
    """Posterior mean of quality by a sum over which reviews are clean, in fractions."""
    total = weighted = Fraction(0)
    for clean in product((False, True), repeat=len(ratings)):
        counts = [sum(c and x == s for c, x in zip(clean, ratings, strict=True)) for s in range(len(alpha))]
        chance = prod((1 - level) if c else level * bias[x] for c, x in zip(clean, ratings, strict=True))
        chance *= prod(rising(a, j) for a, j in zip(alpha, counts, strict=True)) / rising(sum(alpha), sum(counts))
        mean = sum(v * (a + j) for v, a, j in zip(values, alpha, counts, strict=True)) / (sum(alpha) + sum(counts))
        total += chance
        weighted += chance * mean
    return weighted / total


@st.composite
def reviewed_papers(draw: st.DrawFn) -> tuple[list[Fraction], list[int], Fraction, list[Fraction], list[Fraction]]:
    levels = draw(st.integers(2, 4))
    alpha = [Fraction(draw(st.integers(1, 6)), 2) for _ in range(levels)]
    ratings = draw(st.lists(st.integers(0, levels - 1), min_size=1, max_size=6))
    weights = [draw(st.integers(0, 3)) for _ in range(levels - 1)] + [1]
    bias = [Fraction(weight, sum(weights)) for weight in weights]
    values = [Fraction(draw(st.integers(-3, 3))) for _ in range(levels)]
    return alpha, ratings, Fraction(draw(st.integers(0, 8)), 10), bias, values


@given(reviewed_papers())
@settings(max_examples=80, deadline=None)
def test_the_dirichlet_oracle_is_the_sum_over_clean_reviews(
    paper: tuple[list[Fraction], list[int], Fraction, list[Fraction], list[Fraction]],
) -> None:
    alpha, ratings, level, bias, values = paper
    counts = np.bincount(ratings, minlength=len(alpha))[None, :]
    floats = [np.array([float(number) for number in numbers]) for numbers in (alpha, bias, values)]
    found = dirichlet_mean(floats[0], counts, np.array([float(level)]), floats[1][None, :], floats[2])
    assert found[0] == pytest.approx(float(by_enumeration(alpha, ratings, level, bias, values)), abs=1e-12)


def test_papers_with_different_numbers_of_reviews_do_not_mix() -> None:
    alpha, values = np.array([1.0, 2.0, 0.5]), np.array([1.0, 2.0, 3.0])
    counts = np.array([[0, 1, 0], [3, 2, 5], [0, 0, 2]])
    level, bias = np.array([0.3, 0.0, 0.8]), np.array([[1, 0, 0], [0, 1, 0], [0.2, 0.3, 0.5]])
    together = dirichlet_mean(alpha, counts, level, bias, values)
    for at in range(3):
        alone = dirichlet_mean(alpha, counts[[at]], level[[at]], bias[[at]], values)
        assert together[at] == pytest.approx(alone[0], abs=1e-14)
    assert together[1] == pytest.approx((alpha + counts[1]) @ values / 13.5)  # no noise: the conjugate mean


@pytest.mark.parametrize(("level", "counts"), [(0.0, [0, 3, 1]), (0.5, [2, 0, 2]), (0.8, [0, 0, 10]), (0.3, [1, 0, 0])])
def test_the_ordered_oracle_is_the_integral_over_merits(level: float, counts: list[int]) -> None:
    prior, values, bias = OrderedLogit(3, 1.5), np.array([1.0, 2.0, 3.0]), np.array([0.7, 0.0, 0.3])

    def likelihood(theta: float) -> float:
        state = prior.states_at(np.array(theta))
        return float(norm.pdf(theta) * np.prod(((1 - level) * state + level * bias) ** counts))

    def quality(theta: float) -> float:
        return float(prior.states_at(np.array(theta)) @ values)

    options = {"epsabs": 0, "epsrel": 1e-12, "limit": 200}
    expected = quad(lambda t: likelihood(t) * quality(t), -9, 9, **options)[0] / quad(likelihood, -9, 9, **options)[0]
    found = ordered_mean(prior, np.array([counts]), np.array([level]), bias[None, :], values)
    assert found[0] == pytest.approx(expected, abs=1e-10)


def test_the_ordered_oracle_goes_through_many_papers_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    prior, rng = OrderedLogit(4, 1.5), np.random.default_rng(1)
    counts, level, bias = rng.integers(0, 3, (50, 4)), rng.random(50) * 0.8, rng.dirichlet(np.ones(4), 50)
    counts[:, 0] += 1
    whole = posterior_mean(prior, counts, level, bias, np.arange(4.0))
    monkeypatch.setattr(oracles, "PAPERS_AT_ONCE", 7)
    np.testing.assert_allclose(posterior_mean(prior, counts, level, bias, np.arange(4.0)), whole, rtol=1e-13)


@pytest.mark.parametrize("prior", ["dirichlet", "ordered"])
def test_the_oracle_is_calibrated(prior: str) -> None:
    """E[quality | data] is what its name says: the error does not depend on the estimate, and beats the mean's."""
    venue = draw_venue(Cell(5, "mixed", prior, "extreme", "truthful", 20_000), generator(3, "calibrated", 0))
    error = venue.quality - venue.oracle
    assert abs(error.mean()) < 4 * error.std() / np.sqrt(len(error))
    centred = venue.oracle - venue.oracle.mean()
    slope = error @ centred / (centred @ centred)
    assert abs(slope) < 4 * error.std() / np.sqrt(centred @ centred)
    assert error.std() < (venue.quality - venue.matrices.mean).std()


@pytest.mark.parametrize(("levels", "strength"), [(2, 1.5), (5, 1.5), (10, 1.5), (10, 5.0), (3, 0.1)])
def test_levels_of_an_ordered_logit_are_equally_frequent(levels: int, strength: float) -> None:
    prior = OrderedLogit(levels, strength)
    assert isinstance(prior, StatePrior)
    np.testing.assert_allclose(prior.joint.sum(axis=1), 1 / levels, atol=1e-13)
    np.testing.assert_allclose(prior.cuts, -prior.cuts[::-1], atol=1e-10)
    for at, cut in enumerate(prior.cuts, 1):  # by another integration
        share = quad(lambda t, c=cut: norm.pdf(t) * expit(c - strength * t), -9, 9, epsabs=1e-13)[0]
        assert share == pytest.approx(at / levels, abs=1e-10)


def test_an_ordered_logit_is_sampled_from_its_moments() -> None:
    prior = OrderedLogit(4, 1.5)
    states = prior.sample(np.random.default_rng(5), 200_000)
    np.testing.assert_allclose(states.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(states.T @ states / len(states), prior.joint, atol=0.002)


def test_an_ordered_logit_that_cannot_be() -> None:
    with pytest.raises(ArrayError, match="signals is 1, expected at least two levels"):
        OrderedLogit(1, 1.0)
    for strength in (0.0, -1.0, 5.1, float("nan")):
        with pytest.raises(ArrayError, match=f"strength is {strength}, expected a number above 0, at most 5"):
            OrderedLogit(3, strength)


def test_forecasts_that_carry_nothing() -> None:
    rng, rating = np.random.default_rng(1), np.array([0, 2, 2, 2])
    bayesian = np.full((4, 3), 1 / 3)
    np.testing.assert_array_equal(VenueAverage()(rng, bayesian, rating), [[0.25, 0, 0.75]] * 4)
    agreeing = AgreesWithMe(0.9)(rng, bayesian, rating)
    np.testing.assert_allclose(agreeing[0], [0.9 + 0.1 / 3, 0.1 / 3, 0.1 / 3])
    np.testing.assert_allclose(agreeing.sum(axis=1), 1)
    many = np.tile([0.2, 0.3, 0.5], (10_000, 1))
    told = SomeMissing(0.3)(rng, many, np.zeros(10_000, dtype=np.int64))
    missing = np.isnan(told)
    np.testing.assert_array_equal(missing.all(axis=1), missing.any(axis=1))
    np.testing.assert_array_equal(told[~missing[:, 0]], many[~missing[:, 0]])
    assert missing[:, 0].mean() == pytest.approx(0.3, abs=0.02)
    assert not np.isnan(many).any()


def test_forecast_rules_that_cannot_be() -> None:
    with pytest.raises(ArrayError, match="weight is 1.5, expected a share from 0 to 1"):
        AgreesWithMe(1.5)
    with pytest.raises(ArrayError, match="share is -0.1, expected a probability from 0 to 1"):
        SomeMissing(-0.1)


@pytest.mark.parametrize("prior", [Dirichlet((1.0, 2.0, 1.5)), OrderedLogit(3, 1.5)])
def test_bayesian_forecasts_are_rows_of_the_noisy_prediction_matrix(prior: Dirichlet | OrderedLogit) -> None:
    rating, level = np.array([0, 1, 2, 1]), np.array([0.0, 0.3, 0.8, 0.5])
    bias = np.array([[1, 0, 0], [0, 1, 0], [0.2, 0.3, 0.5], [0, 0, 1]])
    seen = (1 - level[:, None]) * prior.joint.sum(axis=1) + level[:, None] * bias
    found = bayesian_forecasts(prior.joint, level, seen, rating)
    for at in range(4):
        expected = predictions_from_joint(noisy_joint(prior.joint, noise_matrix(level[at], bias[at])))[rating[at]]
        np.testing.assert_allclose(found[at], expected, atol=1e-14)


@pytest.mark.parametrize("bias", list(BIASES))
def test_biases(bias: str) -> None:
    q = np.array([0.1, 0.2, 0.3, 0.4])
    drawn = BIASES[bias](np.random.default_rng(1), q, 20_000)
    assert drawn.shape == (20_000, 4)
    expected = {"extreme": [0.5, 0, 0, 0.5], "any": [0.25] * 4, "diffuse": [0.25] * 4, "none": q}[bias]
    np.testing.assert_allclose(drawn.mean(axis=0), expected, atol=0.015)
    assert (np.sort(drawn, axis=1)[:, -1] == 1).all() == (bias in ("extreme", "any"))


@pytest.mark.parametrize("forecasts", list(FORECASTS))
@pytest.mark.parametrize("prior", list(PRIORS))
def test_a_venue_is_what_its_cell_says(prior: str, forecasts: str) -> None:
    venue = draw_venue(Cell(5, "mixed", prior, "any", forecasts, 400), generator(1, "venue", 0))
    reviews = venue.matrices.reviews
    assert (reviews.min(), reviews.max()) == (2, 8)
    told = venue.matrices.source.predictions
    given = ~np.isnan(told).any(axis=1)
    np.testing.assert_allclose(told[given].sum(axis=1), 1, atol=1e-12)
    assert (told[given] >= 0).all()
    assert given.mean() == 1 if forecasts != "missing" else 0.6 < given.mean() < 0.8
    assert np.corrcoef(venue.quality, venue.oracle)[0, 1] > np.corrcoef(venue.quality, venue.matrices.mean)[0, 1] > 0.1
