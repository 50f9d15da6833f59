"""The cut among very many papers, against exact probabilities and whatever the batches are."""

import numpy as np
import pytest
from scipy.special import ndtr

from surpeer.core import cut as cut_module
from surpeer.core.cut import Batch, Cut, find_cut
from surpeer.core.probability import probability_among_best
from surpeer.core.shapes import FloatArray
from surpeer.errors import ArrayError


@pytest.fixture
def approximate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_module, "EXACT_PAPERS", 0)
    monkeypatch.setattr(cut_module, "ENOUGH", 100.0)


def cut_of(score: FloatArray, error: FloatArray, places: int, batch: int | None = None) -> Cut:
    size = batch or max(1, len(score))
    return find_cut(
        lambda: [Batch(score[at : at + size], error[at : at + size]) for at in range(0, len(score), size)], places
    )


@pytest.mark.usefixtures("approximate")
@pytest.mark.parametrize(
    ("error", "most"),
    [(np.full(4000, 0.5), 2e-7), (0.3 * np.exp(0.5 * np.random.default_rng(2).normal(size=4000)), 1e-3)],
)
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_near_the_exact_probabilities(error: FloatArray, most: float, share: float) -> None:
    score = np.random.default_rng(1).normal(size=4000)
    places = int(4000 * share)
    found = cut_of(score, error, places)
    assert found.near is None
    chance = found.probability(score, error)
    np.testing.assert_allclose(chance, probability_among_best(score, error, places), rtol=0, atol=most)
    assert chance.sum() == pytest.approx(places, abs=0.05)


@pytest.mark.usefixtures("approximate")
def test_few_papers_near_the_cut_are_exact() -> None:
    """A wide gap on both sides of a few papers that cannot be told apart."""
    score = np.concatenate([np.linspace(10, 20, 1000), [0.1, 0.0, -0.1], np.linspace(-20, -10, 1000)])
    error = np.full(len(score), 0.3)
    found = cut_of(score, error, 1001, batch=77)
    assert found.near is not None
    assert len(found.near) == 3
    expected = probability_among_best(score[1000:1003], error[:3], 1)
    np.testing.assert_allclose(found.probability(score, error), [1] * 1000 + expected.tolist() + [0] * 1000, atol=1e-12)


@pytest.mark.parametrize("batch", [1, 3, 50])
@pytest.mark.parametrize("exact", [0, 10**6])
def test_batches_change_nothing(batch: int, exact: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_module, "EXACT_PAPERS", exact)
    monkeypatch.setattr(cut_module, "ENOUGH", 4.0)
    rng = np.random.default_rng(5)
    score, error = rng.normal(size=50), rng.uniform(0.3, 0.9, 50)
    whole, parts = cut_of(score, error, 20), cut_of(score, error, 20, batch)
    assert (whole.near is None) == (exact == 0)
    np.testing.assert_allclose(parts.probability(score, error), whole.probability(score, error), rtol=0, atol=1e-12)


def test_up_to_a_number_of_papers_all_are_exact() -> None:
    rng = np.random.default_rng(6)
    score, error = rng.normal(size=200).round(1), rng.uniform(0, 0.5, 200).round(1)
    np.testing.assert_array_equal(
        cut_of(score, error, 50).probability(score, error), probability_among_best(score, error, 50)
    )


@pytest.mark.parametrize(("places", "chance"), [(0, 0.0), (3, 1.0)])
def test_no_places_or_places_for_all(places: int, chance: float) -> None:
    score, error = np.array([3.0, 2.0, 1.0]), np.full(3, 0.5)
    assert cut_of(score, error, places).probability(score, error).tolist() == [chance] * 3


def test_no_papers() -> None:
    assert cut_of(np.empty(0), np.empty(0), 0).probability(np.empty(0), np.empty(0)).tolist() == []


@pytest.mark.parametrize("exact", [0, 100, 10**6])
@pytest.mark.parametrize("places", [0, 1, 900, 2999, 3000])
def test_kinds_of_papers_are_as_good_as_papers(exact: int, places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some papers have the same score and error, or none has."""
    monkeypatch.setattr(cut_module, "EXACT_PAPERS", exact)
    monkeypatch.setattr(cut_module, "ENOUGH", 20.0)
    rng = np.random.default_rng(5)
    score, error = rng.normal(size=60), rng.uniform(0.05, 0.3, 60)
    papers = rng.multinomial(3000, np.full(60, 1 / 60))
    papers[7], papers[8] = 0, papers[7] + papers[8]
    kinds = find_cut(
        lambda: [Batch(score[:25], error[:25], papers[:25]), Batch(score[25:], error[25:], papers[25:])], places
    )
    single = cut_of(np.repeat(score, papers), np.repeat(error, papers), places)
    assert kinds.at == pytest.approx(single.at, abs=1e-12)
    assert (kinds.near is None) == (single.near is None)
    there = papers > 0
    chance = kinds.probability(score[there], error[there])
    np.testing.assert_allclose(chance, single.probability(score[there], error[there]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("places", [-1, 4])
def test_more_places_than_papers_is_an_error(places: int) -> None:
    with pytest.raises(ArrayError, match=rf"^found {places} places for 3 papers, expected from 0 to 3$"):
        cut_of(np.array([3.0, 2.0, 1.0]), np.full(3, 0.5), places)


@pytest.mark.usefixtures("approximate")
@pytest.mark.parametrize("start", [None, 0.3, -7.0, 99.0])
def test_where_it_starts_does_not_matter(start: float | None) -> None:
    rng = np.random.default_rng(9)
    score, error = rng.normal(size=3000), rng.uniform(0.2, 0.4, 3000)
    found = find_cut(lambda: [Batch(score, error)], 900, start)
    assert ndtr((score - found.at) / error).sum() == pytest.approx(900, abs=1e-9)
    assert found.at == pytest.approx(cut_of(score, error, 900).at, abs=1e-12)


@pytest.mark.usefixtures("approximate")
def test_a_cut_through_scores_that_are_known_exactly() -> None:
    score = np.repeat([2.0, 1.0, 0.0], 500)
    found = cut_of(score, np.zeros(1500), 750)
    np.testing.assert_allclose(found.probability(score, np.zeros(1500)), np.repeat([1, 0.5, 0], 500), atol=1e-6)
    between = cut_of(score, np.zeros(1500), 1000)
    np.testing.assert_array_equal(between.probability(score, np.zeros(1500)), np.repeat([1.0, 1.0, 0.0], 500))
