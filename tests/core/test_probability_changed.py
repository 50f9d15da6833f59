"""If one paper's score were another one; and which papers are clearly apart."""

import numpy as np
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer.core.probability import (
    clearly_apart,
    probability_among_best,
    probability_among_best_if,
    probability_better,
)
from surpeer.errors import ArrayError

papers = st.lists(st.tuples(*[st.floats(-3, 3), st.floats(0.3, 1.2)] * 2), min_size=2, max_size=7)
"""Score and standard error, and those it is changed to; errors of a like size, as scores of one venue have."""


@examples(15)
@given(papers, st.data())
def test_it_is_the_probability_among_the_changed_papers(found: list[tuple[float, ...]], data: st.DataObject) -> None:
    mean, error, changed, reach = np.array(found).T
    places = data.draw(st.integers(1, len(found) - 1))
    result = probability_among_best_if(mean, error, changed, reach, places)
    for at in range(len(found)):
        value, spread = mean.copy(), error.copy()
        value[at], spread[at] = changed[at], reach[at]
        assert result[at] == pytest.approx(probability_among_best(value, spread, places)[at], abs=1e-5)


def test_far_beyond_all_others() -> None:
    mean, error = np.array([0.0, 1.0, 2.0]), np.ones(3)
    assert probability_among_best_if(mean, error, mean + 100, error, 1).tolist() == pytest.approx([1, 1, 1])
    assert probability_among_best_if(mean, error, mean - 100, error, 2).tolist() == pytest.approx([0, 0, 0])


@pytest.mark.parametrize("places", [0, 1, 3, 5])
def test_several_changes_at_once_are_each_as_if_alone(places: int) -> None:
    rng = np.random.default_rng(5)
    mean, error = rng.normal(size=5), rng.uniform(0.3, 0.9, size=5)
    changed, reach = rng.normal(size=(2, 3, 5)), rng.uniform(0.3, 0.9, size=(2, 3, 5))
    together = probability_among_best_if(mean, error, changed, reach, places)
    assert together.shape == (2, 3, 5)
    for at in np.ndindex(2, 3):
        alone = probability_among_best_if(mean, error, changed[at], reach[at], places)
        assert together[at].tolist() == alone.tolist()


@examples(50)
@given(papers, st.sampled_from([0.6, 0.8, 0.95]))
def test_clearly_apart_counts_pairs(found: list[tuple[float, ...]], certainty: float) -> None:
    mean, error, _, _ = np.array(found).T
    pairs = probability_better(mean[:, None], error[:, None], mean, error)
    sure, unsure = (pairs > certainty + 1e-9).sum(axis=1), (pairs > certainty - 1e-9).sum(axis=1)
    better, worse = clearly_apart(mean, error, certainty)
    assert (sure <= better).all()
    assert (better <= unsure).all()
    assert better.sum() == worse.sum()
    assert ((pairs < 1 - certainty - 1e-9).sum(axis=1) <= worse).all()


@pytest.mark.parametrize(
    ("errors", "places"), [((0.2, 0.9), 15), ((0.5, 0.51), 15), ((0.01, 3.0), 15), ((0.2, 0.9), 1), ((1e-9, 1e-9), 1)]
)
def test_blocks_agree_with_pairs(errors: tuple[float, float], places: int) -> None:
    """Rounded to one place many scores tie."""
    rng = np.random.default_rng(2)
    mean, error = rng.normal(size=1000).round(places), rng.uniform(*errors, size=1000)
    better, worse = clearly_apart(mean, error, 0.8)
    pairs = probability_better(mean[:, None], error[:, None], mean, error)
    assert (better == (pairs >= 0.8).sum(axis=1)).all()
    assert (worse == (pairs <= 0.2).sum(axis=1)).all()


def test_nobody_is_apart_from_nobody() -> None:
    assert [counts.tolist() for counts in clearly_apart([], [], 0.8)] == [[], []]
    assert [counts.tolist() for counts in clearly_apart([1.0], [0.5], 0.8)] == [[0], [0]]


def test_what_cannot_be_used() -> None:
    with pytest.raises(ArrayError, match="certainty is 0.5, expected a probability between 0.5 and 1"):
        clearly_apart([1.0], [1.0], 0.5)
    message = r"value has shape \(1,\) and standard_error \(2,\), expected \(N,\) for both"
    with pytest.raises(ArrayError, match=message):
        probability_among_best_if([1.0], [1.0, 1.0], [1.0, 2.0], [1.0, 1.0], 1)
    message = r"changed_value has shape \(1,\) and changed_error \(1,\), expected \(\.\.\., 2\) for both"
    with pytest.raises(ArrayError, match=message):
        probability_among_best_if([1.0, 2.0], [1.0, 1.0], [1.0], [1.0], 1)
    with pytest.raises(ArrayError, match="found 3 places for 2 papers, expected from 0 to 2"):
        probability_among_best_if([1.0, 2.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], 3)
