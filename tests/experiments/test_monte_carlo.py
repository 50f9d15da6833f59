"""The sampler: against the exact value on every curve, against enumeration where there is no closed form."""

import os
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from surpeer import core
from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments import (
    METHODS,
    Conservative,
    Dirichlet,
    FalseConsensus,
    FiniteStates,
    LogNoise,
    accuracies,
    accuracy,
    sample_accuracies,
    sample_accuracy,
)
from surpeer.experiments.settings import BIASES, LEVELS_A, PRIORS
from surpeer.matrices import build_matrices
from surpeer.reviews import Reviews
from surpeer.scores import score

UP, DOWN = core.noise_matrix(0.3, [0, 1]), core.noise_matrix(0.5, [1, 0])
# The larger of so many independent standard normal numbers is above this once in ten thousand runs.
FIVE = 5.0


@pytest.mark.parametrize(("bias", "n"), list(product(BIASES, (3, 5))))
def test_agrees_with_the_exact_value_on_every_curve(bias: str, n: int) -> None:
    rng = np.random.default_rng([3, n, len(bias)])
    bias_a, bias_b = BIASES[bias]
    for prior, level_a, level_b in product(PRIORS, LEVELS_A, (0.0, 0.35, 0.8)):
        noises = core.noise_matrix(float(level_a), bias_a), core.noise_matrix(level_b, bias_b)
        beta = (float(prior[0]), float(prior[1]))
        sampled = sample_accuracies(rng, 40_000, n, n, beta, *noises, METHODS)
        expected = accuracies(n, n, prior, level_a, level_b, bias_a, bias_b)
        for method, found in sampled.items():
            assert abs(found.mean - expected[method]) < FIVE * found.standard_error, (method, prior, level_a, level_b)


def test_ties_are_ties_for_the_sampler_too() -> None:
    """At 1/2 the isolated value differs from the limits by more than the sampling error."""
    noises = core.noise_matrix(0.0, [0, 1]), core.noise_matrix(0.5, [1, 0])
    found = sample_accuracy(np.random.default_rng(1), 2_000_000, 3, 3, (3, 3), *noises)
    assert abs(found.mean - accuracy(3, 3, (3, 3), 0, 0.5, (0, 1), (1, 0))) < FIVE * found.standard_error
    assert abs(found.mean - accuracy(3, 3, (3, 3), 0, 0.5001, (0, 1), (1, 0))) > 2 * FIVE * found.standard_error


def test_unequal_panels_and_any_binary_noise() -> None:
    """Also M11 < M01, which no level and bias gives: there rejects speak for a paper."""
    rng = np.random.default_rng(5)
    found = sample_accuracies(rng, 200_000, 3, 40, (0.5, 2), UP, DOWN, METHODS)
    expected = accuracies(3, 40, (0.5, 2), 0.3, 0.5, (0, 1), (1, 0))
    for method in METHODS:
        assert abs(found[method].mean - expected[method]) < FIVE * found[method].standard_error
    turned = [[0.2, 0.8], [0.9, 0.1]]
    wrong_way = sample_accuracies(rng, 50_000, 5, 5, (1, 1), turned, turned, METHODS)
    assert wrong_way["mean"].mean < 0.35
    assert wrong_way["oracle"].mean > 0.65


STATES = FiniteStates(((0.6, 0.3, 0.1), (0.2, 0.5, 0.3), (0.1, 0.2, 0.7)), (0.5, 0.25, 0.25))
OUTSIDE = np.array([[0.8, 0.2, 0.0], [0.1, 0.7, 0.2], [0.3, 0.0, 0.7]])  # not (1 - level) I + level 1'b


def enumerated(n: int, noise_a: Any, noise_b: Any, values: Any, method: str) -> float:
    """The accuracy of three levels by summing over all counts and states, with the library's score of one venue."""
    tables = []
    counts = [c for c in product(range(n + 1), repeat=3) if sum(c) == n]
    for noise in (noise_a, noise_b):
        P = core.predictions_from_joint(core.noisy_joint(STATES.joint, noise))
        rows = [(paper, s) for paper, c in enumerate(counts) for s in range(3) for _ in range(c[s])]
        table = {"paper": [p for p, _ in rows], "rating": [str(s + 1) for _, s in rows]}
        table |= {f"p_{t + 1}": [P[s, t] for _, s in rows] for t in range(3)}
        scores = score(build_matrices(Reviews.from_table(table, values=tuple(values))), method)
        by_state = np.array(
            [
                [factorial(n) / prod(map(factorial, c)) * prod((w @ noise) ** np.array(c)) for c in counts]
                for w in np.asarray(STATES.states)
            ]
        )  # (states, counts)
        order = [int(name) for name in scores.papers]
        tables.append((scores, by_state[:, order]))
    (a, chances_a), (b, chances_b) = tables
    prefer = core.prefer(
        a.value[:, None], a.defined[:, None], a.mean[:, None], b.value[None], b.defined[None], b.mean[None]
    )
    quality = np.asarray(STATES.states) @ values
    total = 0.0
    for i, j in product(range(3), repeat=2):
        better = (np.sign(quality[i] - quality[j]) + 1) / 2
        right = chances_a[i] @ (prefer * better + (1 - prefer) * (1 - better)) @ chances_b[j]
        total += STATES.weights[i] * STATES.weights[j] * right
    return float(total)


@pytest.mark.parametrize("method", ["mean", "surprisal", "sp_infinite"])
@pytest.mark.parametrize("noise_b", [OUTSIDE, core.noise_matrix(0.4, [0, 0, 1])], ids=["outside", "family"])
def test_three_levels_against_enumeration(method: str, noise_b: Any) -> None:
    noise_a, values = core.noise_matrix(0.2, [0.5, 0.5, 0]), np.array([-1.0, 0.5, 3.0])
    expected = enumerated(5, noise_a, noise_b, values, {"sp_infinite": "sp"}.get(method, method))
    rng = np.random.default_rng(11)
    found = sample_accuracy(rng, 200_000, 5, 5, STATES, noise_a, noise_b, method, values=values)
    assert abs(found.mean - expected) < FIVE * found.standard_error
    through_reviews = sample_accuracy(
        rng, 60_000, 5, 5, STATES, noise_a, noise_b, method, values=values, forecasts=Conservative(0.0)
    )
    assert abs(through_reviews.mean - expected) < FIVE * through_reviews.standard_error


def test_known_prior_reading_of_sp_for_three_levels() -> None:
    """With q known every paper has a score: sum of phi v / q."""
    noise, values, n = core.noise_matrix(0.2, [0.5, 0.5, 0]), np.array([1.0, 2.0, 3.0]), 2
    q = core.noisy_joint(STATES.joint, noise).sum(axis=1)
    total = 0.0
    quality = np.asarray(STATES.states) @ values
    for i, j in product(range(3), repeat=2):
        seen = [np.asarray(STATES.states)[at] @ noise for at in (i, j)]
        better = (np.sign(quality[i] - quality[j]) + 1) / 2
        for ratings in product(range(3), repeat=2 * n):
            chance = prod(seen[at >= n][s] for at, s in enumerate(ratings))
            scores = [sum(values[s] / n / q[s] for s in ratings[part]) for part in (slice(n), slice(n, None))]
            prefer = float(core.prefer(scores[0], True, 0, scores[1], True, 0))
            total += STATES.weights[i] * STATES.weights[j] * chance * (prefer * better + (1 - prefer) * (1 - better))
    found = sample_accuracy(np.random.default_rng(2), 200_000, n, n, STATES, noise, noise, "sp", values=values)
    assert abs(found.mean - total) < FIVE * found.standard_error


def test_bayesian_rules_change_nothing() -> None:
    expected = accuracies(5, 4, (1, 1), 0.3, 0.5, (0, 1), (1, 0))
    for rule in (LogNoise(0.0), Conservative(0.0), FalseConsensus(0.0)):
        found = sample_accuracies(np.random.default_rng(7), 60_000, 5, 4, (1, 1), UP, DOWN, METHODS, forecasts=rule)
        for method in METHODS:
            assert abs(found[method].mean - expected[method]) < FIVE * found[method].standard_error


def test_bad_forecasts_hurt_the_scores_that_use_them_only() -> None:
    exact = accuracies(5, 5, (1, 1), 0.3, 0.5, (0, 1), (1, 0))
    rng = np.random.default_rng(8)
    found = sample_accuracies(rng, 100_000, 5, 5, (1, 1), UP, DOWN, METHODS, forecasts=LogNoise(1.0))
    assert found["surprisal"].mean < exact["surprisal"] - 0.05
    for method in ("mean", "oracle"):
        assert abs(found[method].mean - exact[method]) < FIVE * found[method].standard_error


def test_sp_uses_what_is_forecast() -> None:
    """Forecasts of the other paper's noise turn the correction round."""

    def wrong_way(rng: np.random.Generator, bayesian: Any, rating: Any) -> Any:
        return bayesian[:, ::-1]

    found = sample_accuracies(np.random.default_rng(1), 20_000, 5, 5, (1, 1), UP, DOWN, forecasts=wrong_way)
    assert found["sp"].mean < accuracy(5, 5, (1, 1), 0.3, 0.5, (0, 1), (1, 0), "sp") - 0.05


def test_a_rule_cannot_change_the_votes() -> None:
    def vandal(rng: np.random.Generator, bayesian: Any, rating: Any) -> Any:
        told = bayesian.copy()
        rating[:] = 0
        bayesian[:] = 0
        return told

    arguments = (20_000, 5, 5, (1, 1), UP, DOWN)
    spoilt = sample_accuracies(np.random.default_rng(1), *arguments, forecasts=vandal)
    assert spoilt == sample_accuracies(np.random.default_rng(1), *arguments, forecasts=Conservative(0.0))


def test_forecast_rules_by_hand() -> None:
    rng, bayesian, rating = np.random.default_rng(0), np.array([[0.2, 0.3, 0.5]]), np.array([1])
    np.testing.assert_allclose(
        Conservative(0.4)(rng, bayesian, rating), [[0.12 + 0.4 / 3, 0.18 + 0.4 / 3, 0.3 + 0.4 / 3]]
    )
    np.testing.assert_allclose(FalseConsensus(0.4)(rng, bayesian, rating), [[0.12, 0.18 + 0.4, 0.3]])
    told = LogNoise(0.5)(rng, np.tile(bayesian, (20_000, 1)), np.ones(20_000, dtype=np.int64))
    log_ratio = np.log(told[:, 0] / told[:, 2])
    assert log_ratio.mean() == pytest.approx(np.log(0.2 / 0.5), abs=0.02)
    assert log_ratio.std() == pytest.approx(0.5 * np.sqrt(2), rel=0.02)


def test_forecast_rules_give_distributions() -> None:
    rng = np.random.default_rng(0)
    bayesian, rating = rng.dirichlet([1, 1, 1], 50), rng.integers(0, 3, 50)
    for rule in (LogNoise(0.7), Conservative(0.4), FalseConsensus(0.3)):
        told = rule(rng, bayesian, rating)
        np.testing.assert_allclose(told.sum(axis=1), 1)
        assert (told >= 0).all()
    certain = LogNoise(0.5)(rng, np.array([[0.0, 1.0]]), np.array([1]))
    np.testing.assert_array_equal(certain, [[0.0, 1.0]])


def test_values_of_two_levels_do_not_matter() -> None:
    """Nor for the oracle, which counts accepts and not values."""
    for forecasts in (None, LogNoise(0.5)):
        plain, valued = (
            sample_accuracies(
                np.random.default_rng(7), 20_000, 4, 5, (1, 1), UP, DOWN, METHODS, values=values, forecasts=forecasts
            )
            for values in (None, [-3, 9])
        )
        assert plain == valued


def test_some_reviewers_make_no_prediction() -> None:
    def silent(rng: np.random.Generator, bayesian: Any, rating: Any) -> Any:
        return np.where(rng.random(len(rating))[:, None] < 0.3, np.nan, bayesian)

    found = sample_accuracies(np.random.default_rng(1), 40_000, 5, 5, (1, 1), UP, DOWN, forecasts=silent)
    exact = accuracies(5, 5, (1, 1), 0.3, 0.5, (0, 1), (1, 0))
    assert exact["mean"] + 0.02 < found["surprisal"].mean < exact["surprisal"] - 0.005


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda rng, bayesian, rating: bayesian[:, :1], r"forecasts have shape \(50, 1\), expected \(50, 2\)"),
        (lambda rng, bayesian, rating: bayesian * 2, "forecasts has a row that sums to 2"),
        (lambda rng, bayesian, rating: bayesian - 1, "forecasts has an entry -"),
        (lambda rng, bayesian, rating: bayesian * [1, np.nan], "forecasts has an entry nan"),
    ],
)
def test_wrong_forecasts_are_named(rule: Any, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        sample_accuracy(np.random.default_rng(0), 10, 5, 5, (1, 1), UP, DOWN, forecasts=rule)


def test_a_pair_of_known_papers() -> None:
    from surpeer.experiments import error_probability

    states = ([0.7, 0.3], [0.4, 0.6])
    found = sample_accuracy(np.random.default_rng(3), 200_000, 4, 6, (1, 1), UP, DOWN, states=states)
    expected = error_probability(*states, 4, 6, 0.3, 0.5, (0, 1), (1, 0))
    assert abs(1 - found.mean - expected) < FIVE * found.standard_error
    alike = sample_accuracy(np.random.default_rng(3), 1000, 4, 6, (1, 1), UP, DOWN, states=([0.5, 0.5], [0.5, 0.5]))
    assert (alike.mean, alike.standard_error) == (0.5, 0.0)


def test_equal_qualities_are_equal_however_they_are_rounded() -> None:
    """Both states are worth 2.1; the floats differ in the last bit."""
    states = ((0.1, 0.7, 0.2), (0.3, 0.3, 0.4))
    found = sample_accuracy(
        np.random.default_rng(1), 1000, 5, 5, FiniteStates(states, (0.5, 0.5)), np.eye(3), np.eye(3), "sp"
    )
    assert (found.mean, found.standard_error) == (0.5, 0.0)


def test_noise_that_leaves_nothing_is_compared_by_the_mean() -> None:
    nothing = np.full((2, 2), 0.5)
    found = sample_accuracies(np.random.default_rng(5), 20_000, 3, 4, (1, 1), nothing, np.eye(2), METHODS)
    split = (found["surprisal"].mean, found["mean"].mean)
    unanimous_or_mean = sample_accuracies(
        np.random.default_rng(5),
        20_000,
        3,
        4,
        (1, 1),
        nothing,
        np.eye(2),
        ("mean", "surprisal"),
        forecasts=Conservative(0),
    )
    assert split[0] == pytest.approx(unanimous_or_mean["surprisal"].mean, abs=0.02)
    assert abs(split[0] - split[1]) < 0.05


def test_the_generator_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for processors in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        rng = np.random.default_rng(9)
        runs.append([sample_accuracy(rng, 50_000, 3, 3, (1, 1), UP, DOWN) for _ in range(2)])
    assert runs[0] == runs[1]
    assert runs[0][0] != runs[0][1]  # the generator moves on


def test_the_state_of_the_generator_is_what_counts() -> None:
    rng = np.random.default_rng(1)
    state = rng.bit_generator.state
    first = sample_accuracy(rng, 1000, 3, 3, (1, 1), UP, DOWN)
    rng.bit_generator.state = state
    assert sample_accuracy(rng, 1000, 3, 3, (1, 1), UP, DOWN) == first
    moved_on = np.random.default_rng(1)
    moved_on.random()
    assert sample_accuracy(moved_on, 1000, 3, 3, (1, 1), UP, DOWN) != first
    legacy = np.random.Generator(np.random.RandomState(1)._bit_generator)  # which cannot spawn
    assert 0 < sample_accuracy(legacy, 1000, 3, 3, (1, 1), UP, DOWN).mean < 1


def test_oracle_tosses_for_what_it_cannot_tell() -> None:
    """Equal votes on equal terms: neither paper is more likely to be better, whatever the last bit says."""
    for states in (([0.6, 0.4], [0.4, 0.6]), ([0.4, 0.6], [0.6, 0.4])):
        found = sample_accuracies(
            np.random.default_rng(2), 100_000, 5, 5, (1, 1), np.eye(2), np.eye(2), METHODS, states=states
        )
        assert found["oracle"] == found["mean"]
    nothing = np.full((2, 2), 0.5)
    found = sample_accuracies(np.random.default_rng(2), 1000, 5, 5, (1, 1), nothing, nothing, ("oracle",))
    assert (found["oracle"].mean, found["oracle"].standard_error) == (0.5, 0.0)


def test_the_standard_error_is_that_of_repeated_runs() -> None:
    rng = np.random.default_rng(4)
    runs = [sample_accuracy(rng, 2000, 3, 3, (1, 1), UP, DOWN) for _ in range(400)]
    spread = np.std([run.mean for run in runs])
    assert spread == pytest.approx(np.mean([run.standard_error for run in runs]), rel=0.15)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pairs": 1}, "pairs is 1, expected a whole number, at least 2"),
        ({"pairs": 1e6}, "pairs is 1000000.0, expected a whole number, at least 2"),
        ({"n_a": 0}, "n_a is 0, expected a whole number of reviewers from 1 to 5,000"),
        ({"n_b": 2.5}, "n_b is 2.5, expected a whole number of reviewers"),
        ({"values": [2, 1]}, r"values are \[2.0, 1.0\], expected finite numbers that increase"),
        ({"values": [1, float("inf")]}, "expected finite numbers that increase"),
        ({"noise_b": np.eye(3)}, r"noise_b has shape \(3, 3\), expected 2 levels as the prior has"),
        ({"noise_a": [[0.5, 0.6], [0, 1]]}, "noise_a has a row that sums to 1.1"),
        ({"values": [1, 2, 3]}, r"values has shape \(3,\), expected 2 levels as the prior has"),
        ({"states": ([0.2, 0.3, 0.5], [0.2, 0.8])}, r"w_a has shape \(3,\), expected 2 levels as the prior has"),
        ({"prior": (1, 2, 3)}, r"prior is \(1, 2, 3\), expected \(a, b\) of a Beta"),
        ({"prior": (1, -2)}, r"alpha is \(-2.0, 1.0\), expected numbers from 1e-09 to 1e\+09"),
        ({"prior": ("a", "b")}, "prior has an entry 'a', expected a finite number"),
        ({"states": ([0.5, 0.5],)}, "states has 1 entries, expected those of paper A and paper B"),
        ({"prior": STATES, "method": "oracle", "noise_a": np.eye(3), "noise_b": np.eye(3)}, "the oracle is known for"),
    ],
)
def test_wrong_arguments_are_named(changed: dict[str, Any], message: str) -> None:
    good = {"pairs": 10, "n_a": 3, "n_b": 3, "prior": (1, 1), "noise_a": UP, "noise_b": DOWN}
    with pytest.raises(ArrayError, match=message):
        sample_accuracy(np.random.default_rng(0), **{**good, **changed})


def test_unknown_method() -> None:
    with pytest.raises(UnknownName, match='unknown method "men"; did you mean "mean"?'):
        sample_accuracy(np.random.default_rng(0), 10, 3, 3, (1, 1), UP, DOWN, "men")


def test_pairs_may_be_a_numpy_number_and_methods_must_be_some() -> None:
    assert sample_accuracy(np.random.default_rng(0), np.int64(100), 3, 3, ("1/2", "1/2"), UP, DOWN).pairs == 100
    with pytest.raises(ArrayError, match="methods is empty, expected some of mean"):
        sample_accuracies(np.random.default_rng(0), 10, 3, 3, (1, 1), UP, DOWN, ())


def test_a_seed_is_no_generator() -> None:
    with pytest.raises(ArrayError, match="rng is 1, expected a numpy.random.Generator"):
        sample_accuracy(1, 10, 3, 3, (1, 1), UP, DOWN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LogNoise(-0.5), "size is -0.5, expected a standard deviation of at least 0"),
        (lambda: LogNoise(float("nan")), "size is nan, expected"),
        (lambda: Conservative(-1), "weight is -1, expected a share from 0 to 1"),
        (lambda: FalseConsensus(2), "weight is 2, expected a share from 0 to 1"),
        (lambda: FiniteStates(((0.5, 0.6),), (1.0,)), "states has a row that sums to 1.1"),
        (lambda: FiniteStates(((0.5, 0.5), (0.1, 0.9)), (0.5, 0.6)), "expected a positive share of one for each state"),
        (lambda: Dirichlet((1.0, 0.0)), r"alpha is \(1.0, 0.0\), expected numbers from 1e-09 to 1e\+09"),
        (lambda: FiniteStates((0.5, 0.5), (0.5, 0.5)), "expected a distribution over the same levels for each kind"),  # type: ignore[arg-type]
        (lambda: FiniteStates(((0.5, 0.5), (1.0,)), (0.5, 0.5)), "expected a distribution over the same levels"),
        (lambda: Dirichlet(((1.0, 2.0), (1.0, 2.0))), "alpha has several rows"),  # type: ignore[arg-type]
    ],
)
def test_wrong_priors_and_rules_are_named(make: Any, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        make()


def test_joint_of_priors_is_that_of_their_samples() -> None:
    rng = np.random.default_rng(6)
    for prior in (STATES, Dirichlet((0.5, 2.0, 1.0))):
        states = prior.sample(rng, 200_000)
        np.testing.assert_allclose(states.T @ states / len(states), prior.joint, atol=0.003)
