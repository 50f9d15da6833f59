"""Where curves jump, and what they are there."""

from fractions import Fraction as Frac
from itertools import product

import pytest

from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments import accuracy, ties_on_curve
from surpeer.experiments.settings import BIASES, LEVELS_A, PRIORS
from surpeer.experiments.ties import JUMPING

UP, DOWN = (0, 1), (1, 0)
HALF = (Frac(1, 2), Frac(1, 2))


def test_the_papers_simplest_curve_has_one_jump() -> None:
    """n = 3, no noise on A: one accept of B has the score of two accepts of A when (1/3) / (1 - level) = 2/3."""
    (tie,) = ties_on_curve(3, 3, (Frac(1), Frac(1)), Frac(0), UP, DOWN, "surprisal")
    assert (tie.level_b, tie.votes) == (Frac(1, 2), ((2, 1),))
    assert tie.at == pytest.approx((tie.before + tie.after) / 2, abs=1e-15)


@pytest.mark.parametrize(("method", "bias", "n"), list(product(JUMPING, BIASES, (3, 5))))
def test_limits_and_isolated_values_are_the_curves(method: str, bias: str, n: int) -> None:
    bias_a, bias_b = BIASES[bias]
    step = Frac(1, 10**10)
    for prior, level_a in product(PRIORS, LEVELS_A):
        for tie in ties_on_curve(n, n, prior, level_a, bias_a, bias_b, method):
            near = Frac(tie.level_b)
            before, after = (accuracy(n, n, prior, level_a, near + by, bias_a, bias_b, method) for by in (-step, step))
            assert tie.before == pytest.approx(before, abs=1e-9)
            assert tie.after == pytest.approx(after, abs=1e-9)
            if isinstance(tie.level_b, Frac):
                assert tie.at == pytest.approx(
                    accuracy(n, n, prior, level_a, tie.level_b, bias_a, bias_b, method), abs=1e-14
                )
            assert min(tie.before, tie.after) - 1e-14 <= tie.at <= max(tie.before, tie.after) + 1e-14


@pytest.mark.parametrize("method", JUMPING)
def test_no_jump_is_missed(method: str) -> None:
    """Between two neighbouring ties the curve is continuous: no step on a fine grid is large."""
    prior, level_a, bias_b = (Frac(3), Frac(3)), Frac(3, 10), (Frac(1, 5), Frac(4, 5))
    ties = [float(tie.level_b) for tie in ties_on_curve(4, 5, prior, level_a, UP, bias_b, method)]
    levels = [Frac(step, 2000) + Frac(1, 7919) for step in range(1990)]
    curve = [accuracy(4, 5, prior, level_a, level, UP, bias_b, method) for level in levels]
    for left, right, one, other in zip(levels, levels[1:], curve, curve[1:], strict=False):
        if not any(left <= tie <= right for tie in ties):
            assert abs(one - other) < 1e-3, left
    assert ties


def test_irrational_ties_are_solutions() -> None:
    """SP ties are roots of quadratics; the two scores are equal there."""
    found = ties_on_curve(3, 3, HALF, Frac(0), UP, DOWN, "sp")
    irrational = [tie for tie in found if not isinstance(tie.level_b, Frac)]
    assert irrational
    for tie in irrational:
        q = 0.5 * (1 - tie.level_b)
        for a, b in tie.votes:
            assert (a / 3 - 0.5) / 0.25 == pytest.approx((b / 3 - q) / (q * (1 - q)), abs=1e-12)


def test_numbers_are_taken_as_meant() -> None:
    exact = ties_on_curve(3, 3, HALF, Frac(3, 10), UP, DOWN, "sp")
    assert ties_on_curve(3, 3, (0.5, 0.5), 0.3, (0.0, 1.0), [1, 0], "sp") == exact
    with pytest.raises(ArrayError, match=r"several settings, of shape \(2,\); expected one curve"):
        ties_on_curve(3, 3, HALF, [0, 0.3], UP, DOWN)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match='unknown method "x"'):
        ties_on_curve(3, 3, HALF, 0, UP, DOWN, "x")


def test_the_mean_never_jumps() -> None:
    with pytest.raises(
        ArrayError, match="the curve of 'mean' has no jumps; expected one of surprisal, sp, sp_infinite"
    ):
        ties_on_curve(3, 3, HALF, Frac(0), UP, DOWN, "mean")
