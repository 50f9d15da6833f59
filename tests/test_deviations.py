"""One test for each entry of paper/DEVIATIONS.md."""

import re

import numpy as np
import pytest
from conftest import ROOT

from surpeer import Reviews, Scale, Status, build_matrices, calibrate, compare, core, score
from surpeer.experiments import accuracy


def test_every_entry_has_a_test() -> None:
    entries = set(re.findall(r"^\| D(\d+) \|", (ROOT / "paper" / "DEVIATIONS.md").read_text(), re.MULTILINE))
    tested = {name.split("_")[1][1:] for name in globals() if re.match(r"test_d\d+_", name)}
    assert entries == tested


def paper(
    *reviews: tuple[str, list[float]], levels: tuple[str, ...] = ("0", "1"), name: str = "A"
) -> dict[str, list[object]]:
    table: dict[str, list[object]] = {"paper": [name] * len(reviews), "rating": [rating for rating, _ in reviews]}
    for at, level in enumerate(levels):
        table[f"p_{level}"] = [shares[at] for _, shares in reviews]
    return table


def status_and_value(table: dict[str, list[object]], method: str = "surprisal") -> tuple[Status, float]:
    result = score(build_matrices(Reviews.from_table(table)), method)["A"]
    return result.status, result.value


def test_d1_binary_prior_has_p01_in_its_numerator() -> None:
    """The true prior of Beta(2, 1) is (1/3, 2/3); the printed formula gives 0.75 / 0.75 = 1 for q1."""
    U = np.array([[1 / 6, 1 / 6], [1 / 6, 1 / 2]])
    P = core.predictions_from_joint(U)
    np.testing.assert_allclose(core.prior_from_predictions(P), [1 / 3, 2 / 3])
    printed = P[1, 1] / (P[0, 1] + P[1, 0])
    assert printed + P[1, 0] / (P[0, 1] + P[1, 0]) != pytest.approx(1)


def test_d2_noisy_example_second_row() -> None:
    P = core.predictions_from_joint(core.noisy_joint([[0.31, 0.19], [0.19, 0.31]], [[1, 0], [0.5, 0.5]]))
    np.testing.assert_allclose(P[1], [0.69, 0.31])
    rounded = core.predictions_from_joint([[0.58, 0.17], [0.17, 0.08]])
    assert rounded[1].round(2).tolist() == [0.68, 0.32]  # where the print comes from


def test_d3_bound_does_not_depend_on_the_joint() -> None:
    """The lemma's printed factor would make the bound smaller than the true probability for small det(U)."""
    bound = core.error_bound_general([0.6, 0.4], [0.4, 0.6], [0, 1], 4000, 4000, 0, 0, [0.5, 0.5], [0.5, 0.5])
    assert bound == pytest.approx(np.exp(-2 * 0.2**2 / (2 / 4000)), rel=1e-9)


def test_d4_a_cycle_of_three_is_ranked() -> None:
    """A over B by score, B over C and C over A by mean, where C is incoherent."""
    tables = [
        paper(("1", [0.9, 0.1]), ("0", [0.95, 0.05]), ("0", [0.95, 0.05]), name="A"),
        paper(("1", [0.1, 0.9]), ("1", [0.1, 0.9]), ("1", [0.1, 0.9]), ("0", [0.2, 0.8]), name="B"),
        paper(("1", [0.5, 0.5]), ("0", [0.5, 0.5]), name="C"),
    ]
    merged = {name: [cell for table in tables for cell in table[name]] for name in tables[0]}
    ranking = calibrate(Reviews.from_table(merged), "surprisal")
    a, b, c = (ranking.scores[name] for name in "ABC")
    assert (compare(a, b), compare(b, c), compare(c, a)) == (1.0, 1.0, 1.0)
    assert sorted(ranking.rank.tolist()) == [1, 2, 3]
    assert ranking.broken == 1


INCONSISTENT = paper(("1", [0.6, 0.1, 0.3]), ("2", [0.3, 0.5, 0.2]), ("3", [0.1, 0.3, 0.6]), levels=("1", "2", "3"))


def test_d5_inconsistent_forecasts_use_the_formula_as_printed() -> None:
    matrices = build_matrices(Reviews.from_table(INCONSISTENT))
    q, P = matrices.q[0], matrices.P[0]
    np.testing.assert_allclose(q, [1 / sum(P[s, t] / P[t, s] for t in range(3)) for s in range(3)])
    assert abs(q.sum() - 1) > 0.01
    U = q[:, None] * P
    assert not np.allclose(U, U.T)
    expected = ((matrices.v[0] - q) @ [1, 2, 3]) * np.linalg.det(U) ** (-1 / 4)
    found = score(matrices, "surprisal").value[0]
    assert found == pytest.approx(expected, rel=1e-12)
    shifted = Reviews.from_table(INCONSISTENT, values=(11, 12, 13))
    assert score(build_matrices(shifted), "surprisal").value[0] != pytest.approx(found)
    assert "prior_sum" in calibrate(Reviews.from_table(INCONSISTENT), "surprisal").flags_of(0)


def test_d6_equal_scores_reached_differently_are_equal() -> None:
    """Both papers have v1 = q1, so the score is zero, by different routes."""
    one = paper(("1", [0.4, 0.6]), ("0", [0.6, 0.4]), name="A")
    other = paper(("1", [0.3, 0.7]), ("0", [0.85, 0.15]), ("0", [0.85, 0.15]), name="B")
    merged = {name: [*one[name], *other[name]] for name in one}
    ranking = calibrate(Reviews.from_table(merged), "surprisal")
    scores = ranking.scores
    assert scores["A"].value != scores["B"].value  # in the last bits
    assert compare(scores["A"], scores["B"]) == 0.5
    assert ranking.rank.tolist() == [1, 1]


def test_d7_the_mean_can_be_better() -> None:
    """The worst point of the paper's grid, and a pair that misleading predictions turn round."""
    setting = (3, 3, (3, 3), 0.3, 0.66, (0, 1), (0, 1))
    assert accuracy(*setting, "surprisal") - accuracy(*setting, "mean") == pytest.approx(-0.0019514, abs=1e-7)
    better = paper(("1", [0.1, 0.9]), ("1", [0.1, 0.9]), ("1", [0.1, 0.9]), ("0", [0.15, 0.85]), name="A")
    worse = paper(("1", [0.8, 0.2]), ("0", [0.9, 0.1]), ("0", [0.9, 0.1]), ("0", [0.9, 0.1]), name="B")
    merged = {name: [*better[name], *worse[name]] for name in better}
    scores = calibrate(Reviews.from_table(merged), "surprisal").scores
    assert scores["A"].mean > scores["B"].mean
    assert compare(scores["A"], scores["B"]) == 0.0


def test_d8_unanimous_sp_score() -> None:
    assert status_and_value(paper(("1", [0.2, 0.8]), ("1", [0.3, 0.7])), "sp") == (Status.PLUS_INFINITY, np.inf)
    assert status_and_value(paper(("0", [0.2, 0.8])), "sp") == (Status.MINUS_INFINITY, -np.inf)
    three = paper(("3", [0.2, 0.3, 0.5]), levels=("1", "2", "3"))
    assert status_and_value(three, "sp")[0] == Status.MISSING_SIGNAL
    assert core.sp_inspired_score([0, 1], [0.25, 0.75], [-1, 1]) == pytest.approx(4 / 3)  # q known
    setting = (3, 3, (1, 1), 0.3, 0.5, (0, 1), (1, 0))
    readings = {name: accuracy(*setting, name) for name in ("surprisal", "sp_infinite", "sp")}
    assert readings["sp_infinite"] == pytest.approx(readings["surprisal"], abs=0.001)
    assert readings["sp"] > readings["surprisal"] + 0.01


def test_d9_certain_predictions() -> None:
    np.testing.assert_array_equal(core.prior_from_predictions(np.eye(3)), [1, 1, 1])
    np.testing.assert_array_equal(core.prior_from_predictions(np.eye(2)), [0, 0])
    assert status_and_value(paper(("1", [0, 1]), ("0", [1, 0])))[0] == Status.INCOHERENT


def test_d10_zero_determinant_is_incoherent() -> None:
    assert status_and_value(paper(("1", [0.3, 0.7]), ("0", [0.3, 0.7])))[0] == Status.INCOHERENT


def test_d11_sp_values() -> None:
    table = paper(("1", [0.3, 0.7]), ("0", [0.6, 0.4]))
    plain, valued = (score(build_matrices(Reviews.from_table(table, values=values)), "sp") for values in (None, (3, 9)))
    assert plain.value[0] == valued.value[0]
    q = build_matrices(Reviews.from_table(table)).q[0]
    assert plain.value[0] == pytest.approx(0.5 / q[1] - 0.5 / q[0])
    three = Reviews.from_table(INCONSISTENT, Scale(["1", "2", "3"], [0, 0.5, 2]))
    matrices = build_matrices(three)
    expected = float(np.sum([0, 0.5, 2] * matrices.v[0] / matrices.q[0]))
    assert score(matrices, "sp").value[0] == pytest.approx(expected)


def test_d12_no_noise_has_no_bias() -> None:
    level, bias = core.noise_level_and_bias(np.eye(2))
    assert level == 0
    assert np.isnan(bias).all()


def test_d13_surprisal_vector_sums_to_zero() -> None:
    vector = core.surprisal_vector([0.2, 0.8], [[0.31, 0.19], [0.19, 0.31]])
    assert vector.sum() == pytest.approx(0)
    assert vector.min() < 0


def test_d14_the_binary_bound_depends_on_the_biases() -> None:
    pair = ([0.8, 0.2], [0.2, 0.8], 5, 5, 0.5, 0.5)
    towards, away = (core.error_bound_binary(*pair, bias, bias) for bias in ([0, 1], [0.5, 0.5]))
    assert abs(towards - away) > 0.01
    many = ([0.8, 0.2], [0.2, 0.8], 400, 400, 0.5, 0.5)  # where only the exponential term is left
    towards, away = (core.error_bound_binary(*many, bias, bias) for bias in ([0, 1], [0.5, 0.5]))
    assert towards == pytest.approx(away, rel=1e-9)
