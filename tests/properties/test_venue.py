"""What the venue method and the covariance scores promise, on generated reviews."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import oracle
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer import Reviews, Scale, build_matrices, core, score
from surpeer.core.covariance_score import linear_bayes_score, rating_moments, surprisal_phi_score
from surpeer.scores.method import Scores

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 6)
often = examples(60, derandomize=True)
seldom = examples(20, derandomize=True)

KINDS = ("whole", "sure", "own", "partial", "expected", "both", "missing")


@st.composite
def tables(draw: st.DrawFn, most: int = 6, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Any valid reviews: a scale of 2 to 6 levels, up to 8 papers with up to 5 reviews, every kind of forecast."""
    levels = draw(st.integers(2, most))
    columns: dict[str, list[Any]] = {"paper": [], "rating": [], "expected": []}
    columns |= {f"p_{level}": [] for level in range(1, levels + 1)}
    for paper in range(draw(st.integers(1, 8))):
        for _ in range(draw(st.integers(1, 5))):
            rating = draw(st.integers(1, levels))
            shares, expected = draw(forecasts(levels, rating, kinds))
            columns["paper"].append(f"P{paper}")
            columns["rating"].append(str(rating))
            columns["expected"].append(expected)
            for level in range(levels):
                columns[f"p_{level + 1}"].append(shares[level])
    return columns


@st.composite
def forecasts(
    draw: st.DrawFn, levels: int, rating: int, kinds: tuple[str, ...]
) -> tuple[list[float | None], float | None]:
    kind = draw(st.sampled_from(kinds))
    if kind in ("missing", "expected"):
        return [None] * levels, None if kind == "missing" else draw(st.floats(1, levels))
    if kind in ("sure", "own"):
        surely = rating if kind == "own" else draw(st.integers(1, levels))
        return [float(level == surely) for level in range(1, levels + 1)], None
    parts = draw(st.lists(st.integers(0, 20), min_size=levels, max_size=levels).filter(any))
    shares: list[float | None] = [part / sum(parts) for part in parts]
    if kind == "whole":
        return shares, None
    for level in draw(st.sets(st.integers(0, levels - 1), max_size=levels - 1)):
        shares[level] = None
    return shares, draw(st.floats(1, levels)) if kind == "both" else None


def read(table: dict[str, Any], **options: Any) -> Reviews:
    levels = sum(name.startswith("p_") for name in table)
    ranks = range(1, levels + 1)
    return Reviews.from_table(table, Scale([str(rank) for rank in ranks], [float(rank) for rank in ranks]), **options)


def venue_scores(reviews: Reviews) -> Scores:
    return score(build_matrices(reviews), "venue")


def three(scores: Scores) -> np.ndarray:
    assert scores.standard_error is not None
    assert scores.own_share is not None
    return np.stack([scores.value, scores.standard_error, scores.own_share])


def assert_possible(scores: Scores) -> None:
    """Scores are those of states, which are mixtures of levels; so they, and their errors, have bounds."""
    value, error, own_share = three(scores)
    (track,) = scores.outcome.tracks
    low, high = track.fit.model.basis[[0, -1], 0] / math.sqrt(track.fit.model.states[0])
    assert ((value >= low) & (value <= high)).all()
    assert (error > 0.05).all()
    assert (error**2 <= 1 + (high - low) ** 2 / 4).all()
    assert ((own_share >= 0) & (own_share <= 1)).all()
    assert (scores.status == core.Status.FINITE).all()


@often
@given(tables())
def test_every_paper_has_a_possible_score(table: dict[str, Any]) -> None:
    assert_possible(venue_scores(read(table)))


def telling_venue(seed: int, levels: int, papers: int = 12) -> dict[str, Any]:
    """Reviews whose forecasts are mostly followed: papers are pushed, reviewers know by how much."""
    rng = np.random.default_rng(seed)
    q, size = rng.dirichlet(np.full(levels, 5.0)), 3.0
    columns: dict[str, list[Any]] = {"paper": [], "rating": []} | {f"p_{level}": [] for level in range(1, levels + 1)}
    for paper in range(papers):
        lam, state = rng.uniform(0, 0.8), rng.dirichlet(size * q)
        push = np.eye(levels)[rng.choice([0, levels - 1])]
        seen, prior = (1 - lam) * state + lam * push, (1 - lam) * q + lam * push
        for _ in range(int(rng.integers(2, 6))):
            rating = int(rng.choice(levels, p=seen))
            shares = prior + (1 - lam) ** 2 * q * (np.eye(levels)[rating] - q[rating]) / prior[rating] / (size + 1)
            columns["paper"].append(f"P{paper:02d}")
            columns["rating"].append(str(rating + 1))
            for level in range(levels):
                columns[f"p_{level + 1}"].append(float(shares[level]))
    return columns


@seldom
@given(seeds, sizes)
def test_scores_are_possible_where_forecasts_are_followed(seed: int, levels: int) -> None:
    scores = venue_scores(read(telling_venue(seed, levels)))
    assert_possible(scores)
    assert scores.standard_error is not None
    assert (scores.standard_error < 1.5).all()
    assert (abs(scores.value) < 5).all()


# Nothing depends on what does not matter


@often
@given(tables(), seeds)
def test_order_of_rows_changes_nothing_at_all(table: dict[str, Any], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(table["paper"]))
    shuffled = {name: [cells[at] for at in order] for name, cells in table.items()}
    np.testing.assert_array_equal(three(venue_scores(read(table))), three(venue_scores(read(shuffled))))


def assert_close(one: np.ndarray, other: np.ndarray) -> None:
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


@seldom
@given(seeds, sizes)
def test_names_of_papers_change_nothing(seed: int, levels: int) -> None:
    table = telling_venue(seed, levels)
    names = sorted(set(table["paper"]))
    other = dict(zip(names, np.random.default_rng(seed).permutation(names).tolist(), strict=True))
    one = venue_scores(read(table))
    renamed = venue_scores(read(table | {"paper": [other[name] for name in table["paper"]]}))
    place = [names.index(other[name]) for name in names]
    assert_close(three(one), three(renamed)[:, place])


@seldom
@given(seeds, sizes, st.floats(0.01, 100), st.floats(-100, 100))
def test_affine_change_of_the_values_changes_nothing(seed: int, levels: int, slope: float, shift: float) -> None:
    table = telling_venue(seed, levels)
    values = np.cumsum(np.random.default_rng(seed).uniform(0.2, 3, levels))
    one = venue_scores(read(table, values=tuple(values)))
    moved = venue_scores(read(table, values=tuple(slope * values + shift)))
    assert_close(three(one), three(moved))


@seldom
@given(seeds, sizes)
def test_reversed_scale_negates_the_scores(seed: int, levels: int) -> None:
    table = telling_venue(seed, levels)
    values = np.cumsum(np.random.default_rng(seed).uniform(0.2, 3, levels))
    reversed_table = table | {"rating": [str(levels + 1 - int(rating)) for rating in table["rating"]]}
    reversed_table |= {f"p_{level}": table[f"p_{levels + 1 - level}"] for level in range(1, levels + 1)}
    one = venue_scores(read(table, values=tuple(values)))
    other = venue_scores(read(reversed_table, values=tuple(-values[::-1])))
    assert_close(three(one), three(other) * [[-1], [1], [1]])


@seldom
@given(seeds, sizes)
def test_tracks_are_scored_alone(seed: int, levels: int) -> None:
    one, two = telling_venue(seed, levels, 9), telling_venue(seed + 1, levels, 5)
    two = two | {"paper": [f"Q{name}" for name in two["paper"]]}
    both = {name: one[name] + two[name] for name in one}
    both |= {"track": ["first"] * len(one["paper"]) + ["second"] * len(two["paper"])}
    together = venue_scores(read(both))
    alone = [three(venue_scores(read(table))) for table in (one, two)]
    np.testing.assert_array_equal(three(together), np.concatenate(alone, axis=1))


# Ratings alone


@often
@given(tables(kinds=("missing",)))
def test_without_forecasts_it_is_the_shrunken_mean(table: dict[str, Any]) -> None:
    """To 1e-10 what an independent implementation has; with equal panels the order and the ties of the mean."""
    matrices = build_matrices(read(table))
    scores = score(matrices, "venue")
    expected = oracle.ratings_only_venue(matrices.counts.tolist(), list(matrices.scale.values))
    np.testing.assert_allclose(three(scores)[:2].T, expected, rtol=1e-10, atol=1e-10)
    if len(set(matrices.reviews.tolist())) == 1:
        assert_order_of_the_mean(scores)


def assert_order_of_the_mean(scores: Scores) -> None:
    value, mean = scores.value, scores.mean
    gaps = np.subtract.outer(mean, mean)
    higher = np.subtract.outer(value, value)
    assert (higher[gaps > 1e-9] > 0).all()
    np.testing.assert_allclose(higher[np.abs(gaps) < 1e-12], 0, atol=1e-10)


@seldom
@given(seeds, sizes, st.integers(1, 5))
def test_identical_forecasts_leave_the_order_of_the_mean(seed: int, levels: int, reviews: int) -> None:
    rng = np.random.default_rng(seed)
    size = 8 * reviews
    table: dict[str, Any] = {"paper": [f"P{row // reviews}" for row in range(size)]}
    table["rating"] = [str(rating) for rating in rng.integers(1, levels + 1, size)]
    shares = rng.dirichlet(np.full(levels, 0.5))
    table |= {f"p_{level + 1}": [float(shares[level])] * size for level in range(levels)}
    scores = venue_scores(read(table))
    assert scores.own_share is not None
    assert (scores.own_share == 0).all()
    assert_order_of_the_mean(scores)


# Explanations


@often
@given(tables())
def test_parts_add_up_to_the_score(table: dict[str, Any]) -> None:
    (track,) = venue_scores(read(table)).outcome.tracks
    for paper, value in enumerate(track.fit.quality.mean):
        parts = track.fit.parts(paper)
        assert parts.ratings + parts.venue + parts.forecasts == pytest.approx(value, abs=1e-9)
        assert parts.score == pytest.approx(value, abs=1e-9)


@seldom
@given(tables(kinds=("missing",)))
def test_forecasts_are_no_part_where_there_are_none(table: dict[str, Any]) -> None:
    (track,) = venue_scores(read(table)).outcome.tracks
    assert all(abs(track.fit.parts(paper).forecasts) < 1e-12 for paper in range(len(track.papers)))


@often
@given(tables())
def test_expected_mean_is_on_the_scale(table: dict[str, Any]) -> None:
    reviews = read(table)
    (track,) = venue_scores(reviews).outcome.tracks
    values = np.array(reviews.scale.values)
    expected = track.fit.expected_mean(np.arange(len(track.papers)), values)
    assert (expected >= values[0] - 1e-9).all()
    assert (expected <= values[-1] + 1e-9).all()


# Scores from the covariance


def model(seed: int, levels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A state, the joint of two reviewers, values."""
    rng = np.random.default_rng(seed)
    alpha = rng.uniform(0.5, 3, levels)
    return rng.dirichlet(alpha), core.joint_from_dirichlet(alpha), np.cumsum(rng.uniform(0.2, 3, levels))


def noise(seed: int, levels: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return core.noise_matrix(rng.uniform(0, 0.9), rng.dirichlet(np.ones(levels)))


def phi_score(state: np.ndarray, U: np.ndarray, values: np.ndarray) -> float:
    moments = rating_moments(core.predictions_from_joint(U), np.ones(len(values), dtype=bool), values)
    return float(surprisal_phi_score(state @ values, moments, values))


@often
@given(seeds, seeds, sizes)
def test_noise_does_not_move_the_covariance_scores(seed: int, noise_seed: int, levels: int) -> None:
    """Of the expected state. The linear estimate tends to it as ratings become many."""
    state, U, values = model(seed, levels)
    M = noise(noise_seed, levels)
    seen, U_seen = core.noisy_state(state, M), core.noisy_joint(U, M)
    clean = phi_score(state, U, values)
    prior = U.sum(axis=0)
    by_hand = (state - prior) @ values / math.sqrt(values @ (U - np.outer(prior, prior)) @ values)
    assert clean == pytest.approx(by_hand, rel=1e-9, abs=1e-9)
    assert phi_score(seen, U_seen, values) == pytest.approx(clean, rel=1e-7, abs=1e-7)
    many = linear_bayes_score(seen, U_seen, 1e9, values)
    assert many == pytest.approx(clean, rel=1e-4, abs=1e-4)


@often
@given(seeds, sizes, st.integers(1, 50))
def test_linear_bayes_is_the_regression_on_frequencies(seed: int, levels: int, n: int) -> None:
    """Its variance over papers is the share of quality's variance that it explains, between 0 and 1, growing with n."""
    _, U, values = model(seed, levels)
    q = U.sum(axis=0)
    C = U - np.outer(q, q)
    explained = []
    for count in (n, n + 1):
        total = C + (np.diag(q) - U) / count
        slope = np.linalg.pinv(total, rcond=1e-10) @ C @ values / math.sqrt(values @ C @ values)
        units = np.eye(levels)
        scores = linear_bayes_score(units, np.broadcast_to(U, (levels, levels, levels)), np.full(levels, count), values)
        np.testing.assert_allclose(scores, (units - q) @ slope, rtol=1e-8, atol=1e-8)
        explained.append(float(slope @ total @ slope))
    assert 0 < explained[0] <= explained[1] <= 1 + 1e-12


@often
@given(tables(most=2, kinds=("whole", "sure", "own", "missing")))
def test_with_two_levels_the_covariance_form_is_the_papers_score(table: dict[str, Any]) -> None:
    matrices = build_matrices(read(table))
    one, other = score(matrices, "surprisal"), score(matrices, "surprisal_phi")
    scale = np.exp(matrices.log_determinant)
    clear = ~(scale < 1e-9)  # nearer to zero than that, floats and exact arithmetic may differ in the status
    np.testing.assert_array_equal(one.status[clear], other.status[clear])
    np.testing.assert_allclose(other.value[clear], one.value[clear], rtol=1e-6, atol=1e-12)


@often
@given(seeds, st.integers(1, 30))
def test_with_two_levels_linear_bayes_is_spearman_and_brown(seed: int, n: int) -> None:
    state, U, values = model(seed, 2)
    P = core.predictions_from_joint(U)
    r = P[1, 1] - P[0, 1]
    expected = phi_score(state, U, values) * n * r / (1 + (n - 1) * r)
    assert linear_bayes_score(state, U, n, values) == pytest.approx(expected, rel=1e-8, abs=1e-10)


def test_telling_venues_are_followed() -> None:
    """Else the properties above would say little."""
    weights = [
        venue_scores(read(telling_venue(seed, levels))).outcome.tracks[0].fit.trust.weight
        for seed in range(10)
        for levels in (2, 3, 5)
    ]
    assert np.mean(np.array(weights) > 0.5) > 0.6


def test_a_copy_of_a_paper_has_the_same_score() -> None:
    """To the last bit, so that ties stay ties."""
    reviews = read(telling_venue(3, 4))
    first = reviews.paper == 0
    twice = replace(
        reviews,
        papers=pl.concat([reviews.papers, pl.Series(["copy"])]),
        paper=np.concatenate([reviews.paper, np.full(int(first.sum()), len(reviews.papers))]),
        rating=np.concatenate([reviews.rating, reviews.rating[first]]),
        predictions=np.concatenate([reviews.predictions, reviews.predictions[first]]),
    )
    found = three(venue_scores(twice))
    np.testing.assert_array_equal(found[:, 0], found[:, -1])
