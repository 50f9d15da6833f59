"""Accuracy against two independent computations, at its ties, and by what the mathematics promises."""

from fractions import Fraction
from itertools import product
from typing import Any

import accuracy_oracle
import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surpeer.core import error_bound_binary
from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments import METHODS, accuracies, accuracy, error_probability, exact, grid
from surpeer.experiments.comparing import VOTE_METHODS, Noise, preferences
from surpeer.experiments.rational import as_fraction
from surpeer.experiments.votes import _a_is_better, clean_chances, clean_votes, seen_given_clean

F = Fraction
UP, DOWN = (0, 1), (1, 0)

FRACTION_CASES = [
    (3, 3, (1, 1), F(0), F(1, 2), UP, DOWN),  # one accept of B ties with two of A
    (3, 3, (3, 3), F(3, 10), F(66, 100), UP, UP),  # the worst point of the paper's grid
    (3, 3, (1, 1), F(3, 10), F(3, 10), UP, UP),
    (5, 5, (3, 3), F(6, 10), F(3, 5), UP, DOWN),
    (5, 5, (1, 1), F(0), F(1, 4), UP, DOWN),
    (1, 1, (1, 1), F(1, 3), F(1, 7), (F(1, 4), F(3, 4)), (F(1, 2), F(1, 2))),
    (1, 6, (2, 1), F(9, 10), F(0), DOWN, UP),
    (7, 4, (2, 5), F(7, 20), F(61, 100), (F(1, 5), F(4, 5)), (F(1, 2), F(1, 2))),
    (12, 9, (4, 2), F(99, 100), F(1, 2), UP, (F(9, 10), F(1, 10))),
]


@pytest.mark.parametrize("case", FRACTION_CASES, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_exact_in_fractions(case: Any, method: str) -> None:
    n_a, n_b, prior, level_a, level_b, bias_a, bias_b = case
    expected = accuracy_oracle.exact_accuracy(n_a, n_b, prior, level_a, level_b, F(bias_a[1]), F(bias_b[1]), method)
    found = accuracy(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, method)
    assert isinstance(found, float)
    assert abs(found - expected) < 1e-14
    in_floats = accuracy(
        n_a, n_b, prior, float(level_a), float(level_b), [float(w) for w in bias_a], [float(w) for w in bias_b], method
    )
    assert in_floats == found


NUMERIC_CASES = [
    (3, 3, (F(1, 2), F(1, 2)), F(0), F(1, 2), UP, DOWN),
    (5, 5, (F(1, 2), F(1, 2)), F(6, 10), F(6, 10), UP, DOWN),
    (4, 7, (F(23, 10), F(7, 10)), F(35, 100), F(61, 100), (F(1, 5), F(4, 5)), (F(1, 2), F(1, 2))),
    (50, 50, (F(1, 2), F(3, 2)), F(3, 10), F(1, 2), UP, DOWN),
    (50, 17, (F(7, 3), F(1, 2)), F(95, 100), F(0), UP, (F(2, 3), F(1, 3))),
    (60, 40, (F(1), F(1)), F(3, 10), F(3, 10), UP, UP),
]


@pytest.mark.parametrize("case", NUMERIC_CASES, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_any_beta_prior_by_quadrature(case: Any, method: str) -> None:
    n_a, n_b, prior, level_a, level_b, bias_a, bias_b = case
    expected = accuracy_oracle.numeric_accuracy(n_a, n_b, prior, level_a, level_b, F(bias_a[1]), F(bias_b[1]), method)
    assert abs(accuracy(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, method) - expected) < 2e-13


EXTREME_CASES = [
    (3, 2, (F(1, 20), F(37, 3)), F(1, 3), F(1, 8), DOWN, UP),
    (2, 3, (F(1, 50), F(1, 50)), F(0), F(1, 8), UP, UP),
    (4, 4, (F(400), F(123, 2)), F(1, 2), F(1, 8), UP, DOWN),
    (3, 3, (F(10**6), F(2 * 10**6)), F(1, 2), F(1, 8), UP, DOWN),
]


@pytest.mark.parametrize("case", EXTREME_CASES, ids=str)
def test_extreme_priors_in_fifty_digits(case: Any) -> None:
    n_a, n_b, prior, level_a, level_b, bias_a, bias_b = case
    for method in ("surprisal", "sp"):
        expected = accuracy_oracle.fifty_digit_accuracy(
            n_a, n_b, prior, level_a, level_b, F(bias_a[1]), F(bias_b[1]), method
        )
        assert abs(accuracy(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, method) - expected) < 1e-12


def test_vanishing_priors_have_a_limit() -> None:
    """All papers are accepted by everybody or by nobody; nothing underflows on the way."""
    assert accuracy(2, 2, (1e-9, 1e-9), 0.5, 0.125, UP, DOWN) == pytest.approx(0.708984375, abs=2e-9)


@pytest.mark.parametrize("prior", [(1e-6, 1e-6), (1e-3, 20.0), (0.5, 0.5), (3.0, 3.0), (80.0, 1.0), (1e6, 2e6)])
def test_one_beta_above_another(prior: tuple[float, float]) -> None:
    n_a, n_b = 4, 6
    found = _a_is_better(prior, n_a, n_b)
    with mp.workdps(50):
        for c, d in product(range(n_a + 1), range(n_b + 1)):
            expected = accuracy_oracle.beta_above_beta(*prior, c, n_a - c, d, n_b - d)
            assert abs(found[c, d] - expected) < 1e-12


def test_votes_are_distributions() -> None:
    for prior, n in (((0.5, 0.5), 3), ((2.0, 7.0), 50), ((1e-9, 1e-9), 5), ((1e9, 1e9), 20)):
        assert clean_votes(prior, n).sum() == pytest.approx(1, abs=1e-12)
        chances = clean_chances(prior, n, n)
        assert chances.a_better.sum() == pytest.approx(0.5, abs=1e-12)  # two random papers
    seen = seen_given_clean(7, np.array([[[0.9, 0.1], [0.3, 0.7]], [[1.0, 0.0], [0.0, 1.0]]]))
    np.testing.assert_allclose(seen.sum(axis=-1), 1, atol=1e-14)
    np.testing.assert_array_equal(seen[1], np.eye(8))


def test_isolated_value_at_a_tie() -> None:
    """At 1/2 one accept of B equals two of A; the value there is half way between the limits."""
    at = [
        accuracy(3, 3, (1, 1), 0, level, UP, DOWN) for level in (F(1, 2) - F(1, 10**9), F(1, 2), F(1, 2) + F(1, 10**9))
    ]
    assert at[0] - at[1] == pytest.approx(at[1] - at[2], abs=1e-8)
    assert abs(at[0] - at[1]) > 1e-3


@pytest.mark.parametrize(
    ("level", "bias"),
    [
        (0.5, (1, 0)),
        ("1/2", ("1", "0")),
        (F(1, 2), (F(1), F(0))),
        (np.float64(0.5), np.array([1.0, 0.0])),
        (0.1 + 0.4, (0.7 + 0.2 + 0.1, 0)),
        (np.float32(0.5), [1, 0]),
        (0.5, (1 + 1e-9, 0)),
    ],
)
def test_numbers_are_taken_as_meant(level: Any, bias: Any) -> None:
    assert accuracy(3, 3, (1, 1), 0, level, UP, bias) == accuracy(3, 3, (1, 1), 0, F(1, 2), UP, DOWN)


def test_thirds_and_sums_of_tenths_tie() -> None:
    """(2/3 - 1/3 b) / (2/3): floats that miss a third or three tenths by a bit."""
    exactly = accuracy(3, 3, (1, 1), F(1, 3), F(1, 3), UP, UP)
    assert accuracy(3, 3, (1, 1), 1 / 3, 1 - 2 / 3, UP, UP) == exactly
    tenths = accuracy(3, 3, (1, 1), F(3, 10), F(65, 100), UP, UP)
    assert accuracy(3, 3, (1, 1), 0.1 + 0.2, np.linspace(0, 0.99, 100)[65], UP, UP) == tenths
    assert accuracy(3, 3, (1, 1), 0.3, 0.65 + 1e-9, UP, UP) != pytest.approx(tenths, abs=1e-3)
    assert accuracy(3, 3, (1, 1), [np.float32(0.3)], [np.longdouble("0.65")], UP, UP)[0] == tenths
    assert as_fraction(1.0000000000001e-05) == F("1.0000000000001e-05")
    for level in (np.float32(0.65), np.array([0.65], dtype=np.float32)[0], "13/20", 1 - 0.35):
        assert accuracy(3, 3, (1, 1), np.float32(0.3), level, UP, UP) == tenths
    assert accuracy(3, 3, (1, 1), 0.3, np.array([0.65], dtype=np.float32), UP, UP)[0] == tenths
    small = accuracy(3, 3, (0.5, 0.5), F(1, 7), F(1, 25), (0.5, 0.5), UP)
    assert accuracy(3, 3, (0.5, 0.5), 1 / 7, 1 - 0.96, (0.5, 0.5), UP) == small
    assert as_fraction(1e-17) == F(1, 10**17)


def test_a_grid_is_its_points() -> None:
    levels_a, levels_b = np.array([0, 0.3]), np.array([0.0, 0.25, 0.65])
    biases = np.array([[0, 1], [1, 0], [0.5, 0.5]])
    whole = accuracies(4, 3, (0.5, 2), levels_a[:, None], levels_b, (0.3, 0.7), biases)
    for method in METHODS:
        assert whole[method].shape == (2, 3)
        for i, j in product(range(2), range(3)):
            point = accuracy(4, 3, (0.5, 2), levels_a[i], levels_b[j], (0.3, 0.7), biases[j], method)
            assert whole[method][i, j] == pytest.approx(point, abs=1e-15)


def test_large_grids_are_done_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = np.arange(50) / 50
    whole = accuracies(5, 5, (1, 1), 0.3, levels, UP, DOWN)
    monkeypatch.setattr(grid, "NUMBERS_AT_ONCE", 100)
    parts = accuracies(5, 5, (1, 1), 0.3, levels, UP, DOWN)
    for method in METHODS:
        np.testing.assert_array_equal(whole[method], parts[method])


def test_tables_are_never_large(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    plain = exact.expected_accuracy
    monkeypatch.setattr(grid, "NUMBERS_AT_ONCE", 1000)
    monkeypatch.setattr(
        exact,
        "expected_accuracy",
        lambda chances, prefer: sizes.append(chances.a_better.size) or plain(chances, prefer),
    )
    accuracy(9, 9, (1, 1), 0.3, np.arange(200) / 200, UP, DOWN)
    assert len(sizes) == 20
    assert max(sizes) == 1000


@st.composite
def a_setting(draw: st.DrawFn) -> tuple[Any, ...]:
    def level() -> F:
        return F(draw(st.integers(0, 19)), 20)

    def bias() -> tuple[F, F]:
        accept = F(draw(st.integers(0, 4)), 4)
        return (1 - accept, accept)

    prior = tuple(F(draw(st.integers(1, 12)), 4) for _ in range(2))
    return draw(st.integers(1, 6)), draw(st.integers(1, 6)), prior, level(), level(), bias(), bias()


@given(a_setting())
@settings(max_examples=60, deadline=None)
def test_symmetries_and_the_ceiling(setting: tuple[Any, ...]) -> None:
    n_a, n_b, prior, level_a, level_b, bias_a, bias_b = setting
    plain = accuracies(*setting)
    swapped = accuracies(n_b, n_a, prior, level_b, level_a, bias_b, bias_a)
    mirrored = accuracies(n_a, n_b, prior[::-1], level_a, level_b, bias_a[::-1], bias_b[::-1])
    for method, value in plain.items():
        assert swapped[method] == pytest.approx(value, abs=1e-13)
        assert mirrored[method] == pytest.approx(value, abs=1e-13)
        assert 0 <= value <= plain["oracle"] + 1e-13


@given(a_setting(), st.sampled_from(["mean", "surprisal", "sp", "sp_infinite", "oracle"]))
@settings(max_examples=25, deadline=None)
def test_against_fractions_anywhere(setting: tuple[Any, ...], method: str) -> None:
    n_a, n_b, prior, level_a, level_b, bias_a, bias_b = setting
    whole = tuple(int(4 * number) for number in prior)
    expected = accuracy_oracle.exact_accuracy(n_a, n_b, whole, level_a, level_b, bias_a[1], bias_b[1], method)
    assert abs(accuracy(n_a, n_b, whole, level_a, level_b, bias_a, bias_b, method) - expected) < 1e-13


def test_without_noise_and_equal_panels_all_methods_agree() -> None:
    found = accuracies(5, 5, (0.5, 0.5), 0, 0, UP, DOWN)
    assert len({round(float(value), 13) for value in found.values()}) == 1


def test_error_probability_by_enumeration() -> None:
    w_a, w_b, n_a, n_b = F(3, 10), F(7, 10), 4, 6
    level_a, level_b, accept_a, accept_b = F(1, 2), F(1, 5), F(1), F(1, 4)
    for method in ("mean", "surprisal", "sp", "sp_infinite"):
        prefer = accuracy_oracle.preference(method, n_a, n_b, (F(2), F(3)), level_a, level_b, accept_a, accept_b)
        votes_a = accuracy_oracle.vote_polynomials(n_a, level_a, accept_a)
        votes_b = accuracy_oracle.vote_polynomials(n_b, level_b, accept_b)
        expected = sum(
            sum(c * w_a**i for i, c in enumerate(p)) * sum(c * w_b**i for i, c in enumerate(q)) * prefer[k, m]
            for (k, p), (m, q) in product(enumerate(votes_a), enumerate(votes_b))
        )
        found = error_probability(
            [0.7, 0.3], [0.3, 0.7], n_a, n_b, level_a, level_b, (0, 1), (F(3, 4), F(1, 4)), method, (2, 3)
        )
        assert abs(found - expected) < 1e-14


@given(
    st.tuples(
        st.integers(1, 30), st.integers(1, 30), st.integers(0, 9), st.integers(0, 9), st.integers(0, 4),
        st.integers(0, 4), st.integers(0, 20), st.integers(0, 20),
    )
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_error_probability_is_below_the_bound(drawn: tuple[int, ...]) -> None:
    n_a, n_b, level_a, level_b, accept_a, accept_b, low, high = drawn
    low, high = sorted((low, high))
    setting = (
        [1 - low / 20, low / 20], [1 - high / 20, high / 20], n_a, n_b, level_a / 10, level_b / 10,
        [1 - accept_a / 4, accept_a / 4], [1 - accept_b / 4, accept_b / 4],
    )  # fmt: skip
    assert error_probability(*setting) <= error_bound_binary(*setting) + 1e-15


def test_error_probability_broadcasts() -> None:
    w_a = np.array([[0.9, 0.1], [0.6, 0.4]])
    found = error_probability(w_a, [0.2, 0.8], 5, 5, np.array([0, 0.3, 0.6])[:, None], 0.5, UP, DOWN)
    assert found.shape == (3, 2)
    assert found[1, 0] == error_probability([0.9, 0.1], [0.2, 0.8], 5, 5, 0.3, 0.5, UP, DOWN)


GOOD: dict[str, Any] = {
    "n_a": 3, "n_b": 3, "prior": (1, 1), "level_a": 0.3, "level_b": 0.3, "bias_a": UP, "bias_b": UP,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_a": 0}, "n_a is 0, expected a whole number of reviewers from 1 to 5,000"),
        ({"n_a": 10**30}, "expected a whole number of reviewers from 1 to 5,000"),
        ({"n_b": 2.5}, "n_b is 2.5, expected a whole number"),
        ({"n_b": True}, "n_b is True, expected a whole number"),
        ({"prior": (1, 0)}, r"prior is \(1, 0\), expected numbers from 1e-09 to 1e\+09"),
        ({"prior": (1, -2)}, r"prior is \(1, -2\), expected numbers from"),
        ({"prior": ("1e400", 1)}, r"prior is \('1e400', 1\), expected numbers from"),
        ({"prior": (1, 1e-300)}, r"prior is \(1, 1e-300\), expected numbers from"),
        ({"prior": (1, 1, 1)}, r"prior is \(1, 1, 1\), expected the two parameters"),
        ({"prior": (1, float("inf"))}, "prior has an entry inf, expected a finite number"),
        ({"prior": (1, "x")}, "prior has an entry 'x', expected a finite number"),
        ({"level_a": 1.0}, r"level_a has an entry outside \[0, 1\)"),
        ({"level_b": -0.1}, r"level_b has an entry outside \[0, 1\)"),
        ({"level_b": float("nan")}, "level_b has an entry nan, expected a finite number"),
        ({"bias_a": (0.5, 0.6)}, "bias_a has a row that sums to 1.1, expected 1"),
        ({"bias_b": (-1, 2)}, "bias_b has an entry -1.0, expected probabilities"),
        ({"bias_b": (0.2, 0.3, 0.5)}, r"bias_b has shape \(3,\), expected \(..., 2\)"),
        ({"level_a": [0.1, 0.2], "level_b": [0.1, 0.2, 0.3]}, r"cannot be brought to one shape: found \(2,\), \(\), "),
        ({"bias_b": 1}, r"bias_b has shape \(\), expected \(..., 2\)"),
    ],
)
def test_wrong_arguments_are_named(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        accuracy(**{**GOOD, **changed})


def test_three_hundred_reviewers() -> None:
    """The truth from sixty digits; cumulated logarithms of size 1400 must not show."""
    assert accuracy(300, 300, (1, 1), 0, 0, UP, DOWN) == pytest.approx(0.97444875583893, abs=2e-14)
    for n in (100, 300):
        assert sum(table.sum() for table in clean_chances((0.5, 3.0), n, n)) == pytest.approx(1, abs=1e-13)


def test_what_came_before_does_not_matter() -> None:
    """A Fraction of the binary float is equal to the float, and means something else."""
    as_fraction.cache_clear()
    exactly = accuracy(3, 3, (1, 1), F(0.3), F(0.65), UP, UP)
    meant = accuracy(3, 3, (1, 1), 0.3, 0.65, UP, UP)
    as_fraction.cache_clear()
    assert accuracy(3, 3, (1, 1), 0.3, 0.65, UP, UP) == meant
    assert accuracy(3, 3, (1, 1), F(0.3), F(0.65), UP, UP) == exactly != meant


def test_ties_through_very_strong_noise() -> None:
    """Keys are large there, and floats differ by more than they do elsewhere."""
    level = 1 - F(1, 99_991)
    found = accuracy(7, 7, (1, 1), level, level, (F(1, 3), F(2, 3)), (F(1, 3), F(2, 3)))
    assert found == pytest.approx(
        accuracy(7, 7, (1, 1), level, level, (F(2, 3), F(1, 3)), (F(2, 3), F(1, 3))), abs=1e-13
    )
    ruler = VOTE_METHODS["surprisal"].ruler(F(1, 3), Noise(level, F(2, 3)))
    (table,) = preferences(VOTE_METHODS["surprisal"], 7, 21, [ruler], [ruler])
    for k in range(1, 7):
        assert table[k, 3 * k] == 0.5
        assert table[k, 3 * k - 1] == 1
        assert table[k, 3 * k + 1] == 0


def test_unknown_method() -> None:
    with pytest.raises(UnknownName, match='unknown method "suprisal"; did you mean "surprisal"?'):
        accuracy(**GOOD, method="suprisal")
    with pytest.raises(UnknownName, match='unknown method "None"'):
        accuracy(**GOOD, method=None)


def test_wrong_error_probabilities_are_named() -> None:
    with pytest.raises(ArrayError, match="paper B must not be worse than paper A"):
        error_probability([0.2, 0.8], [0.8, 0.2], 3, 3, 0, 0, UP, UP)
    with pytest.raises(ArrayError, match="found states with 3 levels, expected 2"):
        error_probability([0.8, 0.1, 0.1], [0.1, 0.1, 0.8], 3, 3, 0, 0, UP, UP)
    with pytest.raises(ArrayError, match="the oracle has no error probability"):
        error_probability([0.8, 0.2], [0.2, 0.8], 3, 3, 0, 0, UP, UP, "oracle")
