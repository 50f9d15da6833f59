"""What the mathematics promises, on generated inputs."""

from typing import Any

import numpy as np
import pytest
from at_length import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from surpeer import METHODS, Reviews, Scale, build_matrices, calibrate, core, score

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 6)


def model(seed: int, signals: int) -> tuple[np.ndarray, np.ndarray]:
    """States and their joint: more states than signals, so that U is invertible."""
    rng = np.random.default_rng(seed)
    states = rng.dirichlet(np.full(signals, 0.7), size=4 * signals)
    weights = rng.dirichlet(np.ones(len(states)))
    U = np.einsum("n,ns,nt->st", weights, states, states)
    assume(np.linalg.cond(U) < 1e5)
    return states, U


def family_noise(seed: int, signals: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return core.noise_matrix(rng.uniform(0, 0.9), rng.dirichlet(np.ones(signals)))


@examples(100)
@given(seeds, sizes)
def test_prior_and_joint_come_back_from_predictions(seed: int, signals: int) -> None:
    """Claim 1."""
    U = model(seed, signals)[1]
    P = core.predictions_from_joint(U)
    np.testing.assert_allclose(core.prior_from_predictions(P), U.sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(core.joint_from_predictions(P), U, rtol=1e-9)


@examples(100)
@given(seeds, seeds, sizes)
def test_score_and_vector_are_invariant_in_the_family(seed: int, noise_seed: int, signals: int) -> None:
    """Theorem 1 and Corollary 1."""
    states, U = model(seed, signals)
    M = family_noise(noise_seed, signals)
    values = np.arange(signals) ** 2.0
    seen, U_seen = core.noisy_state(states, M), core.noisy_joint(U, M)
    np.testing.assert_allclose(
        core.surprisal_vector(seen, U_seen), core.surprisal_vector(states, U), rtol=1e-6, atol=1e-8
    )
    noisy, clean = core.surprisal_score(seen, U_seen, values), core.surprisal_score(states, U, values)
    np.testing.assert_allclose(noisy, clean, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(np.argsort(clean), np.argsort(states @ values))  # ranks by true quality


@examples(100)
@given(seeds, seeds, sizes)
def test_noise_acts_linearly_and_its_determinant_is_a_power(seed: int, noise_seed: int, signals: int) -> None:
    """Claims 2, 5 and 6; and C_noisy = (1 - level)^2 C, what METHODS builds on."""
    states, U = model(seed, signals)
    rng = np.random.default_rng(noise_seed)
    level, bias = rng.uniform(0, 0.9), rng.dirichlet(np.ones(signals))
    M = core.noise_matrix(level, bias)
    np.testing.assert_allclose(core.noisy_state(states, M), (1 - level) * states + level * bias)
    assert np.linalg.det(M) == pytest.approx((1 - level) ** (signals - 1))
    q, seen = U.sum(axis=1), core.noisy_joint(U, M)
    q_seen = seen.sum(axis=1)
    np.testing.assert_allclose(q_seen, q @ M)
    np.testing.assert_allclose(seen - np.outer(q_seen, q_seen), (1 - level) ** 2 * (U - np.outer(q, q)), atol=1e-15)


@examples(100)
@given(seeds, seeds, sizes)
def test_invariant_surprisal_survives_any_invertible_noise(seed: int, noise_seed: int, signals: int) -> None:
    """Theorem 4: non-negative, zero at the prior, invariant."""
    states, U = model(seed, signals)
    M = np.random.default_rng(noise_seed).dirichlet(np.ones(signals), size=signals)
    assume(np.linalg.cond(M) < 50)
    clean = core.invariant_surprisal(states, U)
    np.testing.assert_allclose(
        core.invariant_surprisal(states @ M, core.noisy_joint(U, M)), clean, rtol=1e-5, atol=1e-7
    )
    assert (clean > -1e-9).all()
    assert core.invariant_surprisal(U.sum(axis=1), U) == pytest.approx(0, abs=1e-20)


@examples(100)
@given(seeds)
def test_binary_forms_equal_the_general_ones(seed: int) -> None:
    """Claim 3 and Theorem 4's binary form."""
    states, U = model(seed, 2)
    q, P = U.sum(axis=1), core.predictions_from_joint(U)
    scale = q[0] * q[1] * (P[1, 1] - P[0, 1])
    np.testing.assert_allclose(core.surprisal_vector(states, U), (states - q) / np.sqrt(scale), rtol=1e-9)
    np.testing.assert_allclose(
        core.invariant_surprisal(states, U), (states[:, 1] - q[1]) ** 2 / scale, rtol=1e-6, atol=1e-9
    )
    general = 1 / (P / P.T).sum(axis=1)
    np.testing.assert_allclose(core.prior_from_predictions(P), general, rtol=1e-12)


@examples(100)
@given(seeds, sizes)
def test_consensus_states_are_identified_through_noise(seed: int, signals: int) -> None:
    """The consensus example, Corollary 2, and the identification of the clean state."""
    rng = np.random.default_rng(seed)
    q = rng.dirichlet(np.ones(signals))
    gaps = np.diff(np.sort(q))
    assume(q.min() > 0.01 and gaps.min() > 0.01)
    M = rng.dirichlet(np.ones(signals), size=signals)
    assume(np.linalg.cond(M) < 50)
    surprisal = core.invariant_surprisal(M, core.noisy_joint(np.diag(q), M))  # row k of M is the k-th state, seen
    np.testing.assert_allclose(surprisal, core.consensus_surprisal(q), rtol=1e-6)
    np.testing.assert_array_equal(core.identify_consensus_state(surprisal, q), np.arange(signals))


def test_binary_identification_is_the_papers_rule() -> None:
    q = [0.7, 0.3]
    assert core.identify_consensus_state([0.0, 0.99, 1.0, 1.01, 50.0], q).tolist() == [0, 0, 0, 1, 1]
    rarer = np.array([0.01 * k for k in range(1, 50)])
    assert core.identify_consensus_state(1.0, np.stack([1 - rarer, rarer], axis=1)).tolist() == [0] * 49
    assert core.identify_consensus_state(1.0, np.stack([rarer, 1 - rarer], axis=1)).tolist() == [1] * 49


def test_singular_joints_have_no_score_and_no_surprisal() -> None:
    a = np.array([0.03, 1 - 0.03])
    U = np.stack([np.outer(a, a), np.diag(a)])
    assert np.isnan(core.surprisal_score([0.5, 0.5], U, [0, 1])).tolist() == [True, False]
    assert np.isnan(core.invariant_surprisal([0.5, 0.5], U)).tolist() == [True, False]


@examples(100)
@given(seeds, st.integers(0, 3))
def test_leading_axes_are_a_loop(seed: int, depth: int) -> None:
    shape = (2, 1, 3)[:depth]
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(3), size=(*shape, 3))
    w = rng.dirichlet(np.ones(3), size=shape or None)
    U = core.joint_from_predictions(P)
    together = core.surprisal_score(w, U, [1, 2, 3])
    assert together.shape == shape
    for at in np.ndindex(*shape):
        alone = core.surprisal_score(w[at], core.joint_from_predictions(P[at]), [1, 2, 3])
        np.testing.assert_allclose(together[at], alone, rtol=1e-12)


def venue(seed: int, levels: int, papers: int = 8) -> dict[str, list[Any]]:
    """Reviews in percent steps of five, with gaps in the predictions."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {"paper": [], "reviewer": [], "rating": []}
    columns |= {f"p_{level}": [] for level in range(1, levels + 1)}
    for paper in range(papers):
        for reviewer in range(int(rng.integers(1, 3 * levels + 1))):
            columns["paper"].append(f"P{paper}")
            columns["reviewer"].append(f"R{reviewer}")
            columns["rating"].append(str(rng.integers(1, levels + 1)))
            shares = rng.multinomial(20, rng.dirichlet(np.ones(levels))) / 20
            missing = rng.random() < 0.1
            for level in range(1, levels + 1):
                columns[f"p_{level}"].append(None if missing else float(shares[level - 1]))
    return columns


@examples(100)
@given(seeds, sizes, st.sampled_from(sorted(METHODS)))
def test_row_order_and_names_of_reviewers_change_nothing(seed: int, levels: int, method: str) -> None:
    columns = venue(seed, levels)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(columns["paper"]))
    shuffled = {name: [cells[at] for at in order] for name, cells in columns.items()}
    shuffled["reviewer"] = [f"someone else {at}" for at in range(len(order))]
    one, other = (calibrate(Reviews.from_table(table), method).table for table in (columns, shuffled))
    assert one.equals(other)  # to the last bit


@examples(100)
@given(seeds, sizes, st.sampled_from(["venue", "mean", "surprisal"]))
def test_other_units_give_the_same_scores(seed: int, levels: int, method: str) -> None:
    columns = venue(seed, levels)
    percent = {
        name: [None if cell is None else cell * 100 for cell in cells] if name.startswith("p_") else cells
        for name, cells in columns.items()
    }
    counts = {
        name: [None if cell is None else round(cell * 20) for cell in cells] if name.startswith("p_") else cells
        for name, cells in columns.items()
    }
    one = calibrate(Reviews.from_table(columns), method).table
    assert one.equals(calibrate(Reviews.from_table(percent, unit="percent"), method).table)
    assert one.equals(calibrate(Reviews.from_table(counts, unit="count"), method).table)


@examples(100)
@given(seeds, st.floats(0.1, 10), st.floats(-5, 5))
def test_affine_change_of_the_values_scales_the_binary_score(seed: int, slope: float, shift: float) -> None:
    columns = venue(seed, 2)
    reviews = Reviews.from_table(columns)
    moved = Reviews.from_table(columns, values=(shift, shift + slope))
    one, other = (score(build_matrices(table), "surprisal") for table in (reviews, moved))
    np.testing.assert_array_equal(one.status, other.status)
    finite = one.status == core.Status.FINITE
    np.testing.assert_allclose(
        other.value[finite], slope * one.value[finite], rtol=1e-9, atol=1e-9 * (abs(shift) + slope)
    )


@examples(100)
@given(seeds, sizes, st.floats(0.1, 10), st.floats(-5, 5))
def test_affine_change_of_the_values_scales_the_score_of_consistent_forecasts(
    seed: int, signals: int, slope: float, shift: float
) -> None:
    states, U = model(seed, signals)
    values = np.arange(signals, dtype=float)
    one = core.surprisal_score(states, U, values)
    np.testing.assert_allclose(
        core.surprisal_score(states, U, slope * values + shift), slope * one, rtol=1e-6, atol=1e-6
    )


@examples(100)
@given(arrays(np.int64, (5, 2), elements=st.integers(0, 6)))
def test_mean_is_exact(counts: np.ndarray) -> None:
    counts = counts[counts.sum(axis=1) > 0]
    assume(len(counts))
    expected = [float(accept / (reject + accept)) for reject, accept in counts.tolist()]
    assert core.mean_rating(counts, [0, 1]).tolist() == expected


def test_mean_of_values_that_are_no_decimals() -> None:
    assert core.mean_rating([1, 2], [1 / 3, 2 / 3]) == pytest.approx(5 / 9)


@examples(100)
@given(seeds, st.sampled_from(["surprisal", "surprisal_phi"]))
def test_mirrored_levels_negate_the_binary_score(seed: int, method: str) -> None:
    columns = venue(seed, 2)
    mirrored = {**columns, "rating": [{"1": "2", "2": "1"}[rating] for rating in columns["rating"]]}
    mirrored["p_1"], mirrored["p_2"] = columns["p_2"], columns["p_1"]
    one, other = (
        score(build_matrices(Reviews.from_table(table, Scale(["1", "2"]))), method) for table in (columns, mirrored)
    )
    finite = one.status == core.Status.FINITE
    np.testing.assert_array_equal(finite, other.status == core.Status.FINITE)
    np.testing.assert_allclose(one.value[finite], -other.value[finite], atol=1e-12)
