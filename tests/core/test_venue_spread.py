"""Predictions that are too sure of themselves: ratings spread more widely about a paper's prior than the prior says."""

import numpy as np
import pytest

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue import VenueFit, fit_venue, moments_of_reviews

PAPERS, REVIEWERS = 400, 4


def fitted(levels: int, width: float, seed: int = 1) -> tuple[VenueFit, IntArray, FloatArray]:
    """A venue whose ratings are quality plus push plus noise, and whose predictions have this width (true: 0.21)."""
    rng = np.random.default_rng(seed)
    quality, push = rng.normal(size=(2, PAPERS)) * np.array([[0.15], [0.05]])
    paper = np.repeat(np.arange(PAPERS), REVIEWERS)
    middle = (levels - 1) / 2
    felt = (quality + push)[paper] + rng.normal(size=len(paper)) * 0.15
    rating = np.clip(np.rint(middle + levels * felt), 0, levels - 1).astype(np.int64)
    centre = np.clip(middle + levels * push[paper] + 0.25 * (rating - middle), 0.1, levels - 1.1)
    weights = np.exp(-0.5 * ((np.arange(levels) - centre[:, None]) / (levels * width)) ** 2)
    counts = np.zeros((PAPERS, levels), dtype=np.int64)
    np.add.at(counts, (paper, rating), 1)
    shares = weights / weights.sum(axis=1, keepdims=True)
    nothing = np.full(len(paper), np.nan)
    values = np.arange(levels, dtype=float)
    return fit_venue(moments_of_reviews(counts, paper, rating, shares, nothing, values), values), counts, quality


def right_order(score: FloatArray, quality: FloatArray) -> float:
    one, other = np.triu_indices(len(quality), 1)
    agree = np.sign(score[one] - score[other]) * np.sign(quality[one] - quality[other])
    return float(((agree > 0) + 0.5 * (agree == 0)).mean())


@pytest.mark.parametrize("levels", [5, 10])
def test_too_sure_predictions_do_no_harm(levels: int) -> None:
    """Half as wide as ratings spread: without the check this lost 4 (five levels) and 8 points (ten) to the mean."""
    fit, counts, quality = fitted(levels, width=0.1)
    mean = counts @ np.arange(levels) / REVIEWERS
    assert fit.trust.follows
    assert fit.model.spread.surplus[0] > 0.5
    assert fit.model.spread.together == 0
    assert right_order(fit.quality.mean, quality) > right_order(mean, quality) - 0.005


def test_ratings_far_below_what_was_expected_are_never_good_news() -> None:
    fit, counts, _ = fitted(10, width=0.1)
    low = counts[:, :2].sum(axis=1) >= 3  # three or four of the lowest ratings
    assert low.sum() > 5
    assert (fit.quality.mean[low] < 0).all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_predictions_as_wide_as_ratings_leave_things_nearly_as_they_are(seed: int) -> None:
    fit, _, _ = fitted(5, width=0.25, seed=seed)
    assert fit.model.spread.together > 0.7
    assert (fit.model.spread.surplus < 0.3).all()


@pytest.mark.parametrize("width", [0.1, 0.2])
def test_on_two_levels_there_is_nothing_to_find(width: float) -> None:
    fit, _, _ = fitted(2, width)
    assert fit.model.spread.together == 1
    assert fit.model.spread.surplus.tolist() == [0.0]
