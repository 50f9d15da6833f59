"""The parts of the venue method that read forecasts, against exact values or values known from elsewhere."""

import math

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from simulated_venue import Floats, simulate

from surpeer.core.fixed_point import sum_by_cell
from surpeer.core.venue.basis import MOST_COORDINATES, View, canonical_basis
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.completion import complete_forecasts, typical_forecasts_of_sums
from surpeer.core.venue.evidence import as_far_as_evident, jackknife_error
from surpeer.core.venue.fit_forecasts import fit_forecasts
from surpeer.core.venue.forecast_model import LEVELS, SIGNAL, Bias, Readings, Sizes, bias_posterior
from surpeer.core.venue.own_rating import squares_without_own
from surpeer.core.venue.steps import Own, Step
from surpeer.core.venue.typical_prior import typical_prior

NAN = math.nan


# Coordinates


@pytest.mark.parametrize("levels", [2, 3, 5, 10, 12, 101])
@pytest.mark.parametrize("values", ["even", "uneven", "large"])
def test_basis_is_orthonormal_and_begins_with_the_standardised_value(levels: int, values: str) -> None:
    q = np.random.default_rng(levels).dirichlet(np.full(levels, 0.8)) + 1e-4
    q /= q.sum()
    phi = {
        "even": np.arange(levels, dtype=float),
        "uneven": np.append(np.arange(1.0, levels), 1000.0),
        "large": 1e9 + np.arange(levels) ** 2.0,
    }[values]
    basis = canonical_basis(q, phi)
    assert basis.shape == (levels, min(levels - 1, MOST_COORDINATES))
    np.testing.assert_allclose(basis.T @ (q[:, None] * basis), np.eye(basis.shape[1]), atol=1e-9)
    np.testing.assert_allclose(q @ basis, 0, atol=1e-9)
    centred = phi - phi[0] - q @ (phi - phi[0])
    np.testing.assert_allclose(basis[:, 0], centred / math.sqrt(q @ centred**2), rtol=1e-7, atol=1e-9)
    assert (basis[-1] > 0).all()


def test_basis_of_three_levels_by_hand() -> None:
    """Uniform q: the value and the second difference."""
    basis = canonical_basis(np.full(3, 1 / 3), np.array([1.0, 2.0, 3.0]))
    by_hand = np.array([[-math.sqrt(3), 1], [0, -2], [math.sqrt(3), 1]]) / math.sqrt(2)
    np.testing.assert_allclose(basis, by_hand, atol=1e-15)


def test_basis_is_whole_where_a_function_ends_at_nothing() -> None:
    """The lowest two values are one number up to rounding; the function that tells these two levels apart is 0 at the
    highest one, up to rounding, and on some processors exactly."""
    values, rng = np.array([0.0, 1e-12, 1e12]), np.random.default_rng(1)
    for q in rng.dirichlet(np.ones(3), 300):
        basis = canonical_basis(q, values)
        np.testing.assert_allclose(basis.T @ (q[:, None] * basis), np.eye(2), atol=1e-9)


@pytest.mark.parametrize("levels", range(3, 11))
def test_basis_is_complete_and_stable_for_values_with_one_large_step(levels: int) -> None:
    """Wherever the step is: every function of the level is a constant and a sum of coordinates."""
    q = np.full(levels, 1 / levels)
    for step in range(1, levels):
        values = np.arange(levels) + 1e6 * (np.arange(levels) >= step)
        whole = np.column_stack([np.ones(levels), canonical_basis(q, values)])
        np.testing.assert_allclose(whole @ whole.T, np.diag(1 / q), atol=1e-7)


# Evidence


def test_as_far_as_evident() -> None:
    assert as_far_as_evident([3, 1.9, 1, 1], [1, 1, 1, 1], [1, 1, 1, 0]).tolist() == [2.5, 1, 1, 1]
    assert float(as_far_as_evident(-4, 0, 2)) == -3  # both directions
    assert float(as_far_as_evident(0.3, 0.7, 0)) == pytest.approx(0.3)  # no doubt: the estimate
    assert float(as_far_as_evident(5, 1, math.inf)) == 1  # all doubt: the default
    assert float(as_far_as_evident(NAN, 1, 1)) == 1


def test_jackknife_of_a_mean_is_the_textbook_standard_error() -> None:
    numbers = np.array([1.0, 4.0, 9.0, 16.0, 30.0])
    rows = np.stack([numbers, np.ones(5)], axis=1)
    found = jackknife_error(lambda sums: sums[..., :1] / sums[..., 1:], rows)
    assert found.tolist() == pytest.approx([numbers.std(ddof=1) / math.sqrt(5)], rel=1e-12)


def test_jackknife_of_a_ratio_by_pseudovalues() -> None:
    """Tukey's form: the standard error of the mean of n r - (n - 1) r_i."""
    rows = np.random.default_rng(1).uniform(1, 3, (7, 2))
    ratio = rows[:, 0].sum() / rows[:, 1].sum()
    pseudo = [7 * ratio - 6 * np.delete(rows[:, 0], at).sum() / np.delete(rows[:, 1], at).sum() for at in range(7)]
    found = jackknife_error(lambda sums: sums[..., :1] / sums[..., 1:], rows)
    assert found.tolist() == pytest.approx([np.std(pseudo, ddof=1) / math.sqrt(7)], rel=1e-10)


# The typical prior


def pushed(q: Floats, levels: list[int], lam: list[float]) -> Floats:
    share = np.array(lam)[:, None]
    return (1 - share) * q + share * np.eye(len(q))[levels]


def assert_typical(priors: Floats, start: Floats, q: Floats) -> None:
    """The start counts as one paper for each level; the rest is the best fit, which is exact here."""
    papers, levels = priors.shape
    np.testing.assert_allclose(
        typical_prior(priors, start), (papers * q + levels * start) / (papers + levels), atol=1e-12
    )


def test_typical_prior_is_found_between_papers_pushed_up_and_down() -> None:
    q = np.array([0.15, 0.2, 0.3, 0.25, 0.1])
    priors = pushed(q, [0, 4] * 20 + [2], [0.3] * 40 + [0.0])
    mean = priors.mean(axis=0)
    assert abs(mean - q).max() > 0.1
    assert_typical(priors, mean, q)


def test_typical_prior_is_found_when_each_level_is_pushed_in_some_papers() -> None:
    q = np.array([0.1, 0.2, 0.3, 0.4])
    lam = np.random.default_rng(2).uniform(0, 0.7, 80)
    priors = pushed(q, [0, 1, 2, 3] * 20, lam.tolist())
    assert_typical(priors, priors.mean(axis=0), q)


def test_typical_prior_of_papers_that_agree_is_theirs() -> None:
    q = np.array([0.5, 0.3, 0.2])
    for papers in (1, 4):
        assert_typical(np.tile(q, (papers, 1)), np.full(3, 1 / 3), q)


def test_a_tie_between_two_middle_papers_is_half_way() -> None:
    """Whatever rounding does to sums of weights."""
    middle = np.array([0.3, 0.3, 0.4])
    push = np.array([0.1, 0.0, -0.1])
    np.testing.assert_allclose(typical_prior(np.stack([middle - push, middle + push]), middle), middle, atol=1e-12)


@pytest.mark.parametrize("levels", [5, 10])
def test_typical_prior_is_found_where_the_ends_have_most_of_the_mass(levels: int) -> None:
    q, rng = np.full(levels, 1 / levels), np.random.default_rng(8)
    priors = pushed(q, [0, levels - 1] * 500, rng.uniform(0, 0.8, 1000).tolist())
    np.testing.assert_allclose(typical_prior(priors, priors.mean(axis=0)), q, atol=0.01)


def test_typical_prior_has_no_empty_level() -> None:
    found = typical_prior(np.tile([1.0, 0.0, 0.0], (5, 1)), np.full(3, 1 / 3))
    assert (found > 0).all()
    assert found.sum() == pytest.approx(1)


# Partial forecasts

TYPICAL = np.array([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]])
VALUES = np.array([1.0, 2.0, 4.0])


def complete(shares: list[float], expected: float = NAN, rating: int = 0) -> Floats:
    whole, usable = complete_forecasts(np.array([shares]), np.array([expected]), np.array([rating]), TYPICAL, VALUES)
    assert usable.tolist() == [True]
    return whole[0]


def test_what_was_given_is_kept_and_the_rest_divided_in_the_typical_proportions() -> None:
    assert complete([0.2, 0.3, 0.5]).tolist() == [0.2, 0.3, 0.5]
    np.testing.assert_allclose(complete([0.5, NAN, NAN], rating=1), [0.5, 0.375, 0.125], atol=1e-15)
    np.testing.assert_allclose(complete([NAN, 0.1, NAN], rating=2), [0.9 / 7, 0.1, 5.4 / 7], atol=1e-15)
    np.testing.assert_allclose(complete([1.0, NAN, NAN]), [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(complete([0.7, 0.1, NAN]), [0.7, 0.1, 0.2], atol=1e-15)


@pytest.mark.parametrize("expected", [1.3, 2.0, 3.5])
def test_an_expected_rating_is_met_and_moves_the_first_coordinate_alone(expected: float) -> None:
    for rating in range(3):
        whole = complete([NAN] * 3, expected, rating)
        assert whole.sum() == pytest.approx(1, abs=1e-14)
        assert whole @ VALUES == pytest.approx(expected, abs=1e-14)
        others = canonical_basis(TYPICAL[rating], VALUES)[:, 1:]  # of those who gave the same rating
        np.testing.assert_allclose(whole @ others, 0, atol=1e-12)


def test_an_expected_rating_beside_some_shares() -> None:
    whole = complete([0.4, NAN, NAN], 2.0)
    np.testing.assert_allclose(whole, [0.4, 0.4, 0.2], atol=1e-15)  # the one solution
    np.testing.assert_allclose(complete([0.7, 0.1, NAN], 1.9), [0.7, 0.1, 0.2], atol=1e-15)  # nothing left to move


def test_no_forecast_is_not_usable() -> None:
    shares = np.array([[NAN] * 3, [0.1, NAN, NAN], [NAN] * 3])
    _, usable = complete_forecasts(shares, np.array([NAN, NAN, 2.0]), np.array([0, 1, 2]), TYPICAL, VALUES)
    assert usable.tolist() == [False, True, True]


def test_typical_forecasts_count_the_venue_as_one_more() -> None:
    sums = sum_by_cell(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([0, 0]), (2,))
    found = typical_forecasts_of_sums(sums, np.array([0.4, 0.6]))
    np.testing.assert_allclose(found, [[1.9 / 3, 1.1 / 3], [0.4, 0.6]], atol=1e-15)


# The forecast model


def readings(implies: float, size: list[int]) -> Readings:
    """Papers whose forecasts imply this, whatever the level."""
    said = np.full((1, len(size)), implies)
    return Readings(np.array(size), said, np.zeros_like(said), np.full((len(LEVELS), len(size)), 0.1))


def posterior(implies: float, size: list[int], bias: Bias, error: float) -> tuple[Floats, Floats, Floats]:
    read = readings(implies, size)
    middle, variance, weight = bias_posterior(read, bias, np.array([error]))
    return middle, np.broadcast_to(variance, middle.shape), np.broadcast_to(weight, middle.shape)


def test_bias_posterior_is_that_of_normal_means() -> None:
    middle, variance, weight = posterior(1.5, [0, 1, 8], Bias(np.array([0.5]), np.array([4.0])), 2.0)
    prior, start = LEVELS**2 * 4, LEVELS * 0.5
    np.testing.assert_allclose(middle[0, :, 0], start)
    np.testing.assert_allclose(variance[0, :, 0], prior)
    assert (weight[:, :, 0] == 0).all()
    for paper, n in ((1, 1), (2, 8)):
        precision = 1 / prior + n / 2.0
        np.testing.assert_allclose(variance[0, :, paper], 1 / precision)
        np.testing.assert_allclose(middle[0, :, paper], (start / prior + n * 1.5 / 2.0) / precision)


def test_bias_posterior_at_its_limits() -> None:
    nothing, sure = Bias(np.array([0.1]), np.array([0.0])), Bias(np.array([0.1]), np.array([1.0]))
    middle, variance, weight = posterior(0.8, [3, 3], nothing, 1.0)  # papers do not differ
    np.testing.assert_allclose(middle[0, :, 0], LEVELS * 0.1)
    assert (variance == 0).all()
    assert (weight == 0).all()
    middle, variance, weight = posterior(0.8, [3, 3], sure, 1e-14)  # forecasts are exact
    np.testing.assert_allclose(middle, 0.8, rtol=1e-10)
    np.testing.assert_allclose(weight, 1, rtol=1e-10)
    np.testing.assert_allclose(variance, 0, atol=1e-10)
    assert np.isfinite(posterior(0.8, [3, 3], nothing, 0.0)[0]).all()


def test_what_depends_on_the_number_of_forecasts_is_applied_to_each_paper() -> None:
    """Whether papers with equally many are alone, two or more."""
    size = np.array([1, 3, 3, 2, 2, 2, 1])
    columns = np.random.default_rng(1).normal(size=(2, 7))
    found = Sizes(size).apply(lambda count: np.array([[1.0, count], [0.0, 1.0], [count, 0.0]]), columns)
    np.testing.assert_allclose(found, [columns[0] + size * columns[1], columns[1], size * columns[0]], rtol=1e-15)
    assert Sizes(size).spread_out(np.array([10.0, 20.0, 30.0, 40.0])).tolist() == [10, 20, 20, 30, 30, 30, 40]


def test_a_step_weighs_noise_levels_by_the_likelihood_of_the_forecasts() -> None:
    """Row by row from the model: F_i = mu + g R Z_i + error, mu ~ N(lam m, lam^2 T); uneven numbers of forecasts."""
    venue = simulate(np.random.default_rng(3), [2.0] * 3, [2, 4, 4, 1])
    view = View.of(np.array([0.3, 0.3, 0.4]), venue.values)
    response, error = np.array([[0.3, 0.05], [0.05, 0.2]]), np.array([0.02, 0.04])
    bias = Bias(np.array([0.1, -0.2]), np.array([0.3, 0.1]))
    step, block = Step(view, response, error, bias), Block.of(venue.moments, np.arange(4), 0.0, np.eye(3))
    rarity = np.random.default_rng(4).uniform(0.5, 2, (3, 4))
    read = step.read(block, block.said(view), Own.of(block, view, rarity)).readings(block.size)
    for paper in range(4):
        rows = np.flatnonzero(venue.paper == paper)
        F = venue.shares[rows] @ view.basis
        RZ = view.basis[venue.rating[rows]] * rarity[venue.rating[rows], paper][:, None] @ response
        log = np.zeros(len(LEVELS))
        for at, (lam, g) in enumerate(zip(LEVELS, SIGNAL, strict=True)):
            for j in range(2):
                covariance = lam**2 * bias.variance[j] + error[j] * np.eye(len(rows))
                log[at] += multivariate_normal.logpdf(
                    (F - g * RZ)[:, j], np.full(len(rows), lam * bias.mean[j]), covariance
                )
        chances = np.exp(log - log.max())
        np.testing.assert_allclose(read.chances[:, paper], chances / chances.sum(), rtol=1e-8)
        np.testing.assert_allclose(read.said[:, paper], F.mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(read.own[:, paper], RZ.mean(axis=0), atol=1e-12)


def test_after_a_step_priors_are_those_of_the_posterior_bias() -> None:
    venue = simulate(np.random.default_rng(5), [2.0] * 3, [2, 4, 4])
    view = View.of(np.array([0.3, 0.3, 0.4]), venue.values)
    bias, error = Bias(np.array([0.1, -0.2]), np.array([0.3, 0.1])), np.array([0.02, 0.04])
    step, block = Step(view, np.diag([0.3, 0.2]), error, bias), Block.of(venue.moments, np.arange(3), 0.0, np.eye(3))
    spoken = step.read(block, block.said(view), Own.of(block, view, np.ones((3, 3))))
    read, state = spoken.readings(block.size), step.next(spoken)
    middle = (bias_posterior(read, bias, error)[0] * read.chances).sum(axis=1)
    np.testing.assert_allclose(state.ratio, np.maximum(1 + view.basis @ middle, 1e-3), rtol=1e-10)
    np.testing.assert_allclose(state.averages, [SIGNAL @ read.chances, SIGNAL**2 @ read.chances, LEVELS @ read.chances])


def test_forecast_model_finds_the_covariance_and_the_typical_prior() -> None:
    """1,500 papers, exact forecasts, a prior with most of its mass in the middle: q to 0.05.

    R is known up to the anchor. Of Dirichlet states it is the same number for all coordinates.
    """
    alpha = [1.0, 2.0, 3.0, 2.0, 1.0]
    venue = simulate(np.random.default_rng(8), alpha, [4] * 1500)
    start = venue.counts.sum(axis=0) / venue.counts.sum()
    moments, levels = venue.moments, np.eye(5)
    blocks = [Block.of(moments, papers, 0.0, levels) for papers in np.split(np.arange(1500), [1, 700])]
    fitted = fit_forecasts(
        blocks, squares_without_own(moments, 0.0, levels), View.of(start, venue.values), venue.values
    )
    model = fitted.last
    assert abs(start - np.array(alpha) / 9).max() > 0.13
    np.testing.assert_allclose(model.view.q, np.array(alpha) / 9, atol=0.05)
    diagonal = np.diag(model.response)
    np.testing.assert_allclose(diagonal / diagonal[0], 1, atol=0.15)
    assert abs(model.response - np.diag(diagonal)).max() < 0.15 * diagonal[0]
    for read in fitted.read:
        np.testing.assert_allclose(read.chances.sum(axis=0), 1)
