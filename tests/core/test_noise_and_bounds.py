from fractions import Fraction
from math import exp

import numpy as np
import pytest

from surpeer import core
from surpeer.errors import ArrayError


def test_noise_matrix_broadcasts_levels_over_biases() -> None:
    M = core.noise_matrix(np.array([0.0, 0.3, 0.9])[:, None], [[1, 0, 0], [0.2, 0.3, 0.5]])
    assert M.shape == (3, 2, 3, 3)
    np.testing.assert_allclose(M.sum(axis=-1), 1)
    np.testing.assert_allclose(np.linalg.det(M), np.broadcast_to((1 - np.array([0, 0.3, 0.9])[:, None]) ** 2, (3, 2)))


def test_level_and_bias_come_back() -> None:
    rng = np.random.default_rng(1)
    level, bias = rng.uniform(0.01, 0.99, 50), rng.dirichlet([1, 1], 50)
    found_level, found_bias = core.noise_level_and_bias(core.noise_matrix(level, bias))
    np.testing.assert_allclose(found_level, level, rtol=1e-12)
    np.testing.assert_allclose(found_bias, bias, atol=1e-12)


def test_no_noise_has_level_zero_and_no_bias() -> None:
    level, bias = core.noise_level_and_bias(np.eye(2))
    assert level == 0
    assert np.isnan(bias).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: core.noise_matrix(1.0, [0.5, 0.5]), r"level has an entry outside \[0, 1\): found 1.0 to 1.0"),
        (lambda: core.noise_matrix(0.1, [0.5, 0.6]), "bias has a row that sums to 1.1, expected 1"),
        (lambda: core.noise_matrix(0.1, [-0.5, 1.5]), "bias has an entry -0.5, expected probabilities of at least 0"),
        (lambda: core.noise_matrix(0.1, [1.0]), r"bias has shape \(1,\), expected \(..., K\) with at least two"),
        (
            lambda: core.noise_level_and_bias(np.eye(3)),
            "noise has 3 signals; only for two is every noise in the family",
        ),
        (lambda: core.noise_level_and_bias([[0.2, 0.8], [0.8, 0.2]]), "outside the family: it needs M11 > M01"),
        (lambda: core.noisy_state([0.5, 0.5], np.eye(3)), "differ in their number of signals: w 2, noise 3"),
        (lambda: core.noisy_joint(np.eye(2), [0.5, 0.5]), r"noise has shape \(2,\), expected \(..., K, K\)"),
        (lambda: core.prior_from_predictions([[0.5, 0.5]]), r"P has shape \(1, 2\), expected \(..., K, K\)"),
        (lambda: core.prior_from_predictions([[1.5, -0.5], [0.5, 0.5]]), "P has an entry -0.5"),
        (lambda: core.surprisal_vector([0.5, 0.3, 0.2], np.eye(2)), "differ in their number of signals: w 3, U 2"),
        (lambda: core.surprisal_score([0.5, 0.5], np.eye(2) / 2, [1, 2, 3]), "w 2, values 3"),
        (lambda: core.sp_inspired_score([0.5, 0.5], [0.2, 0.3, 0.5], [0, 1]), "v 2, q 3"),
        (lambda: core.joint_from_dirichlet([1.0, 0.0]), "alpha goes from 0.0 to 1.0, expected positive numbers"),
        (lambda: core.consensus_surprisal([0.0, 1.0]), r"q has an entry outside \(0, 1\)"),
        (lambda: core.identify_consensus_state(1.0, [0.5, 0.5]), "q has equal entries"),
        (lambda: core.identify_consensus_state(-1.0, [0.4, 0.6]), "surprisal has a negative or missing entry"),
        (
            lambda: core.error_bound_binary([0.2, 0.8], [0.8, 0.2], 3, 3, 0, 0, [0, 1], [0, 1]),
            "paper B must not be worse than paper A",
        ),
        (
            lambda: core.error_bound_binary([0.8, 0.2], [0.2, 0.8], 0, 3, 0, 0, [0, 1], [0, 1]),
            "n_a has an entry 0.0, expected at least one reviewer",
        ),
        (
            lambda: core.error_bound_binary(*[[0.2, 0.3, 0.5]] * 2, 3, 3, 0, 0, [0, 0, 1], [0, 0, 1]),
            "w_a has 3 signals, expected 2: use error_bound_general",
        ),
    ],
)
def test_wrong_arrays_are_named(call: object, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        call()  # type: ignore[operator]


def test_binary_bound_is_the_printed_formula() -> None:
    w_a, w_b, n_a, n_b, level_a, level_b = Fraction(1, 5), Fraction(4, 5), 20, 15, Fraction(3, 10), Fraction(1, 2)
    seen_a = (1 - level_a) * w_a + level_a * 1  # bias (0, 1)
    seen_b = (1 - level_b) * w_b  # bias (1, 0)
    unanimous = seen_a**n_a + (1 - seen_b) ** n_b
    unanimous -= (seen_a**n_a * seen_b**n_b + (1 - seen_a) ** n_a * (1 - seen_b) ** n_b) / 2
    exponent = -2 * (w_b - w_a) ** 2 / (1 / (n_a * (1 - level_a) ** 2) + 1 / (n_b * (1 - level_b) ** 2))
    bound = core.error_bound_binary([0.8, 0.2], [0.2, 0.8], n_a, n_b, 0.3, 0.5, [0, 1], [1, 0])
    assert bound == pytest.approx(float(unanimous) + exp(exponent), rel=1e-13)


def test_general_bound_is_the_printed_formula() -> None:
    w_a, w_b, values = [0.6, 0.2, 0.2], [0.2, 0.2, 0.6], [-2, 1, 2]
    level, bias, n = 0.25, [0.0, 0.5, 0.5], 12
    total = 0.0
    for w in (w_a, w_b):
        total += sum((1 - ((1 - level) * s + level * b)) ** n for s, b in zip(w, bias, strict=True))
    gap = sum((b - a) * x for a, b, x in zip(w_a, w_b, values, strict=True))
    total += exp(-2 * gap**2 / (4**2 * (2 / (n * (1 - level) ** 2))))
    bound = core.error_bound_general(w_a, w_b, values, n, n, level, level, bias, bias)
    assert bound == pytest.approx(total, rel=1e-13)


def test_bounds_vanish_with_many_reviewers_and_broadcast() -> None:
    n = np.array([5, 50, 5000])
    bounds = core.error_bound_binary([0.6, 0.4], [0.4, 0.6], n, n, 0.5, 0.2, [0, 1], [1, 0])
    assert bounds.shape == (3,)
    assert bounds[0] > bounds[1] > bounds[2]
    assert bounds[2] < 1e-12
