"""Probabilities of being better, and of being among the best: exact cases, brute force, sampling, symmetries."""

import numpy as np
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr

from surpeer.core.probability import probability_among_best, probability_better
from surpeer.errors import ArrayError

scores = st.floats(-3, 3).map(lambda number: round(number, 3))
errors = st.floats(0.05, 2).map(lambda number: round(number, 3))
venues = st.lists(st.tuples(scores, errors), min_size=2, max_size=12)


def by_quadrature(mean: list[float], error: list[float], places: int) -> list[float]:
    """The definition: integrate over a paper's own quality, counting the better ones one by one."""

    def chance(i: int, z: float) -> float:
        x = mean[i] + error[i] * z
        number = np.array([1.0])
        for j in range(len(mean)):
            if j != i:
                above = ndtr((mean[j] - x) / error[j])
                number = np.append(number * (1 - above), 0) + np.append(0, number * above)
        return float(number[:places].sum()) * float(np.exp(-z * z / 2) / np.sqrt(2 * np.pi))

    whole = range(len(mean))
    return [quad(lambda z, i=i: chance(i, z), -9, 9, limit=500, epsabs=1e-10)[0] for i in whole]


@pytest.mark.parametrize(
    ("a", "error_a", "b", "error_b"), [(1, 0.6, 0, 0.8), (0, 1, 0, 2), (-2, 0.1, 1, 1.5), (3, 0.001, 3.001, 0.002)]
)
def test_of_two_papers_the_best_is_the_better(a: float, error_a: float, b: float, error_b: float) -> None:
    exact = ndtr((a - b) / np.sqrt(error_a**2 + error_b**2))
    assert probability_better(a, error_a, b, error_b) == pytest.approx(exact, abs=1e-15)
    assert probability_among_best([a, b], [error_a, error_b], 1) == pytest.approx([exact, 1 - exact], abs=1e-6)


@pytest.mark.parametrize("places", [1, 2])
def test_three_papers_by_the_definition(places: int) -> None:
    mean, error = [0.3, -0.2, 0.1], [0.5, 1.0, 0.25]
    expected = by_quadrature(mean, error, places)
    assert probability_among_best(mean, error, places) == pytest.approx(expected, abs=1e-6)


def test_three_alike_have_a_third_each() -> None:
    assert probability_among_best([1.0] * 3, [0.7] * 3, 1) == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert probability_among_best([1.0] * 3, [0.7] * 3, 2) == pytest.approx([2 / 3] * 3, abs=1e-6)


@examples(10)
@given(st.lists(st.tuples(scores, errors), min_size=2, max_size=6), st.data())
def test_any_few_papers_by_the_definition(papers: list[tuple[float, float]], data: st.DataObject) -> None:
    mean, error = [score for score, _ in papers], [error for _, error in papers]
    places = data.draw(st.integers(1, len(papers) - 1))
    expected = by_quadrature(mean, error, places)
    assert probability_among_best(mean, error, places) == pytest.approx(expected, abs=5e-6)


def test_errors_of_very_different_size() -> None:
    """One paper known ten thousand times better than the other: the steps of both have to be seen."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        mean, error = rng.normal(size=2), 10 ** rng.uniform(-4, 0.5, size=2)
        exact = ndtr((mean[0] - mean[1]) / np.hypot(*error))
        assert probability_among_best(mean, error, 1)[0] == pytest.approx(exact, abs=5e-6)


@pytest.mark.parametrize(("papers", "places"), [(40, 10), (300, 1), (300, 75), (300, 299)])
def test_many_papers_by_sampling(papers: int, places: int) -> None:
    rng = np.random.default_rng(papers + places)
    mean, error = rng.normal(size=papers), rng.uniform(0.1, 1.2, size=papers)
    samples = 20_000
    quality = mean + error * rng.normal(size=(samples, papers))
    cut = np.partition(quality, papers - places, axis=1)[:, papers - places]
    sampled = (quality >= cut[:, None]).mean(axis=0)
    chance = probability_among_best(mean, error, places)
    allowed = 4.5 * np.sqrt(chance * (1 - chance) / samples) + 2 / samples
    assert (np.abs(sampled - chance) <= allowed).all()
    assert chance.sum() == pytest.approx(places, abs=1e-5)


@examples(25)
@given(venues, st.data())
def test_what_holds_for_every_venue(papers: list[tuple[float, float]], data: st.DataObject) -> None:
    mean, error = np.array([score for score, _ in papers]), np.array([error for _, error in papers])
    places = data.draw(st.integers(1, len(papers) - 1))
    chance = probability_among_best(mean, error, places)
    assert chance.sum() == pytest.approx(places, abs=1e-5)
    shuffled = np.array(data.draw(st.permutations(range(len(papers)))))
    assert (probability_among_best(mean[shuffled], error[shuffled], places) == chance[shuffled]).all()
    one_more = probability_among_best(mean, error, places + 1)
    assert (one_more >= chance - 1e-5).all()
    upside_down = probability_among_best(-mean, error, len(papers) - places)
    assert upside_down == pytest.approx(1 - chance, abs=1e-5)
    moved = probability_among_best(3 + 2 * mean, 2 * error, places)
    assert moved == pytest.approx(chance, abs=1e-5)


@examples(20)
@given(st.lists(scores, min_size=2, max_size=12), errors, st.data())
def test_with_equal_errors_the_higher_score_is_likelier(mean: list[float], error: float, data: st.DataObject) -> None:
    places = data.draw(st.integers(1, len(mean) - 1))
    chance = probability_among_best(mean, [error] * len(mean), places)
    for i in range(len(mean)):
        for j in range(len(mean)):
            if mean[i] > mean[j]:
                assert chance[i] >= chance[j] - 1e-8
            if mean[i] == mean[j]:
                assert chance[i] == pytest.approx(chance[j], abs=1e-12)


def test_without_any_doubt_the_scores_decide_and_ties_share() -> None:
    assert probability_among_best([3, 1, 2, 0], [0] * 4, 2).round(9).tolist() == [1, 0, 1, 0]
    assert probability_among_best([3, 1, 1, 0], [0] * 4, 2) == pytest.approx([1, 0.5, 0.5, 0], abs=1e-9)
    assert probability_among_best([0.3, 0.1 + 0.2], [0, 0], 1) == pytest.approx([0.5, 0.5], abs=1e-5)
    assert probability_among_best([5.0] * 200, [0] * 200, 50) == pytest.approx([0.25] * 200, abs=1e-9)
    assert float(probability_better(2, 0, 1, 0)) == 1
    assert float(probability_better(1, 0, 1, 0)) == 0.5


def test_all_or_none() -> None:
    assert probability_among_best([1, 2], [1, 1], 0).tolist() == [0, 0]
    assert probability_among_best([1, 2], [1, 1], 2).tolist() == [1, 1]
    assert probability_among_best([], [], 0).tolist() == []


def test_better_takes_arrays() -> None:
    assert probability_better([0, 1, 2], 1, 1, 1).tolist() == ndtr(np.array([-1, 0, 1]) / np.sqrt(2)).tolist()


@pytest.mark.parametrize(
    ("value", "error", "places", "message"),
    [
        ([1, 2], [1, 1], 3, "found 3 places for 2 papers, expected from 0 to 2"),
        ([1, 2], [1, 1], -1, "found -1 places for 2 papers, expected from 0 to 2"),
        ([1, 2], [1], 1, r"value has shape \(2,\) and standard_error \(1,\), expected \(N,\) for both"),
        (1.0, 1.0, 1, r"value has shape \(\) and standard_error \(\), expected \(N,\) for both"),
        ([1, np.nan], [1, 1], 1, "value has an entry that is not a finite number: leave papers without a score out"),
        ([1, np.inf], [1, 1], 1, "value has an entry that is not a finite number"),
        ([1, 2], [1, -1], 1, "standard_error has an entry that is not a finite number of at least 0"),
        ([1, 2], [1, np.nan], 1, "standard_error has an entry that is not a finite number of at least 0"),
    ],
)
def test_what_cannot_be_used(value: object, error: object, places: int, message: str) -> None:
    with pytest.raises(ArrayError, match=message):
        probability_among_best(value, error, places)  # type: ignore[arg-type]
