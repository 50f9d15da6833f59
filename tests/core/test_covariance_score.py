"""Scores from the covariance of two ratings, against fractions and closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest

from surpeer import core
from surpeer.core.covariance_score import (
    RatingMoments,
    level_weights,
    linear_bayes_score,
    rating_moments,
    reliability,
    reversible_joint,
    surprisal_phi_score,
)
from surpeer.errors import ArrayError

ALL = np.ones(3, dtype=bool)
VALUES = np.array([1.0, 2.0, 4.0])

# Two states of three levels, one as likely as the other, in tenths.
STATES = ((6, 3, 1), (2, 2, 6))


def exact_joint() -> list[list[Fraction]]:
    rows = [[Fraction(part, 10) for part in state] for state in STATES]
    return [[(rows[0][s] * rows[0][t] + rows[1][s] * rows[1][t]) / 2 for t in range(3)] for s in range(3)]


def joint() -> np.ndarray:
    return np.array([[float(entry) for entry in row] for row in exact_joint()])


def test_moments_of_a_joint_distribution_are_exact() -> None:
    """q = (.4, .25, .35); the states' means are 1.6 and 3, so quality has mean 2.3 and variance 0.49."""
    moments = rating_moments(core.predictions_from_joint(joint()), ALL, VALUES)
    assert float(moments.expected) == pytest.approx(2.3, rel=1e-14)
    assert float(moments.covariance) == pytest.approx(0.49, rel=1e-13)
    assert float(moments.variance) == pytest.approx(0.4 + 0.25 * 4 + 0.35 * 16 - 2.3**2, rel=1e-13)


def test_surprisal_phi_is_the_number_of_standard_deviations_of_quality() -> None:
    moments = rating_moments(core.predictions_from_joint(joint()), ALL, VALUES)
    found = surprisal_phi_score(np.array([1.6, 2.3, 3.0]), moments, VALUES)
    np.testing.assert_allclose(found, [-1, 0, 1], atol=1e-12)


def test_two_levels_are_the_papers_score() -> None:
    U = core.joint_from_dirichlet([[1, 2], [3, 1], [0.5, 0.5]])
    P, states = core.predictions_from_joint(U), np.array([[0.2, 0.8], [0.7, 0.3], [1, 0]])
    moments = rating_moments(P, np.ones((3, 2), dtype=bool), [0, 1])
    found = surprisal_phi_score(states[:, 1], moments, [0, 1])
    np.testing.assert_allclose(found, core.surprisal_score(states, U, [0, 1]), rtol=1e-12)


def test_levels_weigh_as_the_predictions_of_those_who_gave_them_imply() -> None:
    """The middle level was given by nobody: the others weigh .4 to .35, and that is all P says about them."""
    P = core.predictions_from_joint(joint())
    P[1] = math.nan
    used = np.array([True, False, True])
    np.testing.assert_allclose(level_weights(P, used), [0.4 / 0.75, 0, 0.35 / 0.75], rtol=1e-13)
    moments = rating_moments(P, used, VALUES)
    rows = exact_joint()
    low, high = (sum(rows[s][t] * v for t, v in enumerate((1, 2, 4))) / sum(rows[s]) for s in (0, 2))
    weight = Fraction(8, 15)
    expected = weight * low + (1 - weight) * high
    own = weight * 1 + (1 - weight) * 4
    covariance = weight * (1 - own) * (low - expected) + (1 - weight) * (4 - own) * (high - expected)
    assert float(moments.expected) == pytest.approx(float(expected), rel=1e-13)
    squares = [sum(rows[s][t] * v**2 for t, v in enumerate((1, 2, 4))) / sum(rows[s]) for s in (0, 2)]
    variance = weight * squares[0] + (1 - weight) * squares[1] - expected**2
    assert float(moments.variance) == pytest.approx(float(variance), rel=1e-12)
    assert float(moments.covariance) == pytest.approx(float(covariance), rel=1e-12)


def test_weights_that_predictions_contradict_are_unknown() -> None:
    """Those who gave the first level expect the second; those who gave the second never expect the first."""
    P = np.array([[0.5, 0.5, 0.0], [0.0, 0.8, 0.2], [0.1, 0.1, 0.8]])
    assert np.isnan(level_weights(P, ALL)).all()
    moments = rating_moments(P, ALL, VALUES)
    assert all(np.isnan(entry) for entry in moments)
    assert np.isnan(surprisal_phi_score(2.0, moments, VALUES))
    assert np.isnan(level_weights(P, np.zeros(3, dtype=bool))).all()


@pytest.mark.parametrize(
    "P",
    [
        np.tile([0.2, 0.3, 0.5], (3, 1)),  # all expect the same
        np.array([[0.2, 0.3, 0.5], [0.3, 0.4, 0.3], [0.5, 0.3, 0.2]]),  # who rates high expects low
    ],
)
def test_no_score_without_a_positive_covariance(P: np.ndarray) -> None:
    moments = rating_moments(P, ALL, VALUES)
    assert moments.covariance < 1e-12
    assert np.isnan(surprisal_phi_score(2.0, moments, VALUES))


def test_values_far_from_zero_lose_nothing_that_matters() -> None:
    P = core.predictions_from_joint(joint())
    near, far = (
        surprisal_phi_score(3.0 + shift, rating_moments(P, ALL, VALUES + shift), VALUES + shift) for shift in (0, 1e6)
    )
    assert float(far) == pytest.approx(float(near), rel=1e-6)


def test_reliability_is_spearman_and_brown() -> None:
    moments = RatingMoments(np.zeros(4), np.array([1.0, 1.0, 1.0, 1.0]), np.array([0.25, 0.0, -0.1, 2.0]))
    assert reliability(moments, 1).tolist() == [0.25, 0, 0, 1]
    assert reliability(moments, 3).tolist() == pytest.approx([0.5, 0, 0, 1])
    assert reliability(moments, [1, 1, 1, 9]).tolist() == [0.25, 0, 0, 1]


def test_linear_bayes_of_two_levels_in_closed_form() -> None:
    U = core.joint_from_dirichlet([1, 2])
    P = core.predictions_from_joint(U)
    r = P[1, 1] - P[0, 1]
    clean = core.surprisal_score([0.3, 0.7], U, [0, 1])
    for n in (1, 2, 5, 40):
        found = linear_bayes_score([0.3, 0.7], U, n, [0, 1])
        assert float(found) == pytest.approx(float(clean) * n * r / (1 + (n - 1) * r), rel=1e-10)


def test_linear_bayes_of_dirichlet_states_is_the_posterior_mean() -> None:
    """Conjugacy: after counts c the mean of phi is (alpha + c) phi / (A + n), which is linear in the frequencies."""
    alpha, n = np.array([1.0, 2.0, 1.5, 0.5]), 6
    phi, counts = np.array([0.0, 1.0, 3.0, 4.0]), np.array([1, 0, 3, 2])
    q, total = alpha / alpha.sum(), alpha.sum()
    deviation = math.sqrt((q @ phi**2 - (q @ phi) ** 2) / (total + 1))
    expected = ((alpha + counts) @ phi / (total + n) - q @ phi) / deviation
    found = linear_bayes_score(counts / n, core.joint_from_dirichlet(alpha), n, phi)
    assert float(found) == pytest.approx(expected, rel=1e-9)


def test_linear_bayes_tends_to_surprisal_phi() -> None:
    U, state = joint(), np.array([0.5, 0.2, 0.3])
    moments = rating_moments(core.predictions_from_joint(U), ALL, VALUES)
    limit = float(surprisal_phi_score(state @ VALUES, moments, VALUES))
    U = 0.999 * U + 0.001 * core.joint_from_dirichlet([1, 1, 1])  # two states alone leave a direction without signal
    gaps = [abs(float(linear_bayes_score(state, U, n, VALUES)) - limit) for n in (10, 1000, 10**7)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.01


def test_linear_bayes_needs_variances_that_can_be() -> None:
    """Two reviewers who agree less often than strangers would need a negative variance of quality."""
    q = np.array([0.5, 0.5])
    U = np.stack([np.outer(q, q) + c * np.array([[1, -1], [-1, 1]]) for c in (0.1, -0.1, 0.0)])
    found = linear_bayes_score(np.array([[0.2, 0.8]] * 3), U, np.array([2, 2, 5]), [0, 1])
    assert np.isfinite(found).tolist() == [True, False, False]


def test_reversible_joint() -> None:
    U = joint()
    np.testing.assert_allclose(reversible_joint(U), U, atol=1e-15)
    found = reversible_joint([[[2, 1], [3, 4]], [[1, 0], [0, 1]]])
    np.testing.assert_allclose(found, [[[0.2, 0.2], [0.2, 0.4]], [[0.5, 0], [0, 0.5]]], atol=1e-15)


def test_shapes_are_checked() -> None:
    with pytest.raises(ArrayError, match="P has shape \\(3,\\), expected \\(..., K, K\\) with at least two signals K"):
        rating_moments([1, 2, 3], ALL, VALUES)
    with pytest.raises(ArrayError, match="U has shape \\(2, 3\\), expected \\(..., K, K\\)"):
        linear_bayes_score([0.5, 0.5], np.zeros((2, 3)), 1, [0, 1])
    with pytest.raises(ArrayError, match="P has an entry -0.5, expected probabilities of at least 0"):
        rating_moments([[1.5, -0.5], [0.5, 0.5]], [True, True], [0, 1])


def test_leading_axes_are_a_loop() -> None:
    rng = np.random.default_rng(1)
    P = rng.dirichlet([1, 1, 1], (2, 4, 3))
    used = rng.random((2, 4, 3)) < 0.8
    used[..., :2] = True
    together = rating_moments(np.where(used[..., None], P, np.nan), used, VALUES)
    for at in np.ndindex(2, 4):
        alone = rating_moments(np.where(used[at][:, None], P[at], np.nan), used[at], VALUES)
        np.testing.assert_allclose([entry[at] for entry in together], alone, rtol=1e-13)
