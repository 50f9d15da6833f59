"""The paper's own numbers, to the last printed digit, and exactly where the print was rounded."""

from fractions import Fraction

import numpy as np
import pytest

from surpeer import core

U_CLEAN = [[0.31, 0.19], [0.19, 0.31]]
P_CLEAN = [[0.62, 0.38], [0.38, 0.62]]
STATES = np.array([[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]])  # types alpha, beta, gamma
NEGATIVE = [[1, 0], [0.5, 0.5]]


def test_clean_joint_is_the_mean_of_the_states_products() -> None:
    U = (STATES[:, :, None] * STATES[:, None, :]).mean(axis=0)
    np.testing.assert_allclose(U, U_CLEAN, atol=1e-15)
    np.testing.assert_allclose(U.sum(axis=1), [0.5, 0.5])


def test_clean_predictions() -> None:
    np.testing.assert_allclose(core.predictions_from_joint(U_CLEAN), P_CLEAN, rtol=1e-15)
    np.testing.assert_allclose(core.joint_from_predictions(P_CLEAN), U_CLEAN, rtol=1e-15)
    np.testing.assert_allclose(core.prior_from_predictions(P_CLEAN), [0.5, 0.5], rtol=1e-15)


def test_noise_of_the_example_and_of_both_figures() -> None:
    np.testing.assert_array_equal(core.noise_matrix(0.5, [1, 0]), NEGATIVE)
    np.testing.assert_allclose(core.noisy_state([0.2, 0.8], NEGATIVE), [0.6, 0.4])  # negative bias: accept 0.4
    np.testing.assert_allclose(core.noisy_state([0.8, 0.2], core.noise_matrix(0.5, [0, 1])), [0.4, 0.6])


def test_noisy_joint_as_printed_and_exactly() -> None:
    U = core.noisy_joint(U_CLEAN, NEGATIVE)
    assert U.round(2).tolist() == [[0.58, 0.17], [0.17, 0.08]]
    exact = _times(_times(_transpose(NEGATIVE_EXACT), U_CLEAN_EXACT), NEGATIVE_EXACT)
    assert [[float(cell) for cell in row] for row in exact] == [[0.5775, 0.1725], [0.1725, 0.0775]]
    np.testing.assert_allclose(U, [[float(cell) for cell in row] for row in exact], rtol=1e-15)


def test_noisy_predictions_first_row_as_printed_second_row_exactly() -> None:
    P = core.predictions_from_joint(core.noisy_joint(U_CLEAN, NEGATIVE))
    assert P[0].round(2).tolist() == [0.77, 0.23]
    assert P[1].round(2).tolist() == [0.69, 0.31]  # printed 0.68, 0.32: see DEVIATIONS D2
    np.testing.assert_allclose(P, [[0.77, 0.23], [0.69, 0.31]], rtol=1e-14)


def test_hot_and_cold_topic_mean_misleads_and_score_does_not() -> None:
    """Example 2: quality 0.8 seen as it is, 0.9 seen as 0.6 through noise that pulls towards an even prior."""
    U = np.array(U_CLEAN)
    cold = core.noise_matrix(0.75, [0.5, 0.5])
    seen = core.noisy_state([0.1, 0.9], cold)
    np.testing.assert_allclose(seen, [0.4, 0.6])
    hot_score = core.surprisal_score([0.2, 0.8], U, [0, 1])
    cold_score = core.surprisal_score(seen, core.noisy_joint(U, cold), [0, 1])
    assert seen[1] < 0.8
    assert cold_score > hot_score


def test_three_reviewers_example_is_the_general_formula() -> None:
    """(2/3 - q1) / sqrt(q1 q0 (P11 - P01)) with the prior of Claim 1."""
    P01, P11 = Fraction(2, 5), Fraction(13, 20)
    q1 = P01 / (P01 + 1 - P11)
    expected = float(Fraction(2, 3) - q1) / float(q1 * (1 - q1) * (P11 - P01)) ** 0.5
    U = core.joint_from_predictions([[0.6, 0.4], [0.35, 0.65]])
    assert core.surprisal_score([1 / 3, 2 / 3], U, [0, 1]) == pytest.approx(expected, rel=1e-14)


def test_surprisingly_popular_footnote() -> None:
    """With a prior of 10 % and 90 %, 15 % and 85 % make reject surprisingly popular."""
    assert core.surprisingly_popular([0.15, 0.85], [0.1, 0.9]) == 0


def test_degenerate_covariance_footnote() -> None:
    """States (1,0) and (0,1), equally likely: the covariance is singular, U is not."""
    U = np.diag([0.5, 0.5])
    q = U.sum(axis=1)
    np.testing.assert_allclose(U - np.outer(q, q), [[0.25, -0.25], [-0.25, 0.25]])
    assert core.invariant_surprisal([1, 0], U) == pytest.approx(1.0)


U_CLEAN_EXACT = [[Fraction(31, 100), Fraction(19, 100)], [Fraction(19, 100), Fraction(31, 100)]]
NEGATIVE_EXACT = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]


def _times(a: list[list[Fraction]], b: list[list[Fraction]]) -> list[list[Fraction]]:
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in _transpose(b)] for row in a
    ]


def _transpose(a: list[list[Fraction]]) -> list[list[Fraction]]:
    return [list(column) for column in zip(*a, strict=True)]
