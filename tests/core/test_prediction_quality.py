"""Were predictions any good: exact values by hand, and what must hold for any venue."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.core.prediction_quality import calibration, prediction_quality


def by_hand(paper: list[int], rating: list[float], expected: list[float | None]) -> tuple[Fraction, Fraction, int]:
    """Mean squared misses of predictions and of the average of the other papers, in fractions."""
    ours, theirs, judged = Fraction(0), Fraction(0), 0
    for me, said in enumerate(expected):
        others = [Fraction(rating[at]) for at in range(len(paper)) if paper[at] == paper[me] and at != me]
        elsewhere = [Fraction(rating[at]) for at in range(len(paper)) if paper[at] != paper[me]]
        if said is None or not others or not elsewhere:
            continue
        average = sum(elsewhere) / len(elsewhere)
        ours += sum((Fraction(said) - one) ** 2 for one in others) / len(others)
        theirs += sum((average - one) ** 2 for one in others) / len(others)
        judged += 1
    return ours / judged, theirs / judged, judged


def test_worked_example() -> None:
    paper, rating, expected = [0, 0, 0, 1, 1, 2], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.75, 0.5, None, 0.25, 0.0, 0.5]
    ours, theirs, judged = by_hand(paper, rating, expected)
    found = prediction_quality(
        np.array(paper), np.array(rating), np.array([np.nan if one is None else one for one in expected]), 3
    )
    assert (found.judged, judged) == (4, 4)  # nobody else rated the last paper, and one predicted nothing
    assert found.miss**2 == pytest.approx(float(ours), abs=1e-15)
    assert found.average_miss**2 == pytest.approx(float(theirs), abs=1e-15)
    assert found.skill == pytest.approx(float(1 - ours / theirs), abs=1e-14)


@given(st.data())
def test_any_venue_agrees_with_fractions(data: st.DataObject) -> None:
    papers = data.draw(st.integers(2, 5))
    paper = data.draw(st.lists(st.integers(0, papers - 1), min_size=2, max_size=14))
    rating = [float(data.draw(st.integers(1, 5))) for _ in paper]
    expected = [data.draw(st.none() | st.integers(0, 20).map(lambda n: 1 + n / 5)) for _ in paper]
    numbers = np.array([np.nan if one is None else one for one in expected])
    found = prediction_quality(np.array(paper), np.array(rating), numbers, papers)
    try:
        ours, theirs, judged = by_hand(paper, rating, list(expected))
    except ZeroDivisionError:
        assert found.judged == 0
        assert np.isnan(found.skill)
        return
    assert found.judged == judged
    assert found.miss**2 == pytest.approx(float(ours), abs=1e-9)
    assert found.average_miss**2 == pytest.approx(float(theirs), abs=1e-9)


def test_predicting_the_average_has_no_skill_and_knowing_the_paper_has() -> None:
    rng = np.random.default_rng(3)
    quality = rng.uniform(size=400)
    paper = np.repeat(np.arange(400), 4)
    rating = (rng.uniform(size=1600) < quality[paper]).astype(float)
    total, count = np.bincount(paper, rating), 4
    average = (rating.sum() - total[paper]) / (len(rating) - count)
    dull = prediction_quality(paper, rating, average, 400)
    assert dull.skill == pytest.approx(0, abs=1e-12)
    knowing = prediction_quality(paper, rating, quality[paper], 400)
    # The variance of a rating is 1/4, of which 1/12 is quality: nobody can do better than a third.
    assert knowing.skill == pytest.approx(1 / 3, abs=3 * knowing.skill_error)
    assert 0.01 < knowing.skill_error < 0.03


def test_calibration_by_hand() -> None:
    paper, rating = np.array([0, 0, 0, 1]), np.array([1, 0, 1, 0])
    shares = np.array([[0.35, 0.65], [0.31, 0.69], [np.nan, np.nan], [0.5, 0.5]])
    found = calibration(paper, rating, shares, 2)
    assert found.said == pytest.approx([0.33, 0.67])
    # The others of the first reviewer gave 0 and 1, those of the second 1 and 1.
    assert found.came == pytest.approx([0.25, 0.75])
    assert found.shares.tolist() == [2, 2]


def test_shares_on_a_step_belong_to_the_step_above_and_one_to_the_last() -> None:
    shares = np.array([[0.3, 0.7], [0.0, 1.0]])
    found = calibration(np.array([0, 0]), np.array([0, 1]), shares, 1)
    assert found.said == pytest.approx([0.0, 0.3, 0.7, 1.0])


def test_calibrated_predictions_are_within_their_errors() -> None:
    rng = np.random.default_rng(5)
    quality = rng.uniform(size=3000)
    paper = np.repeat(np.arange(3000), 4)
    rating = (rng.uniform(size=12000) < quality[paper]).astype(np.int64)
    found = calibration(paper, rating, np.stack([1 - quality[paper], quality[paper]], axis=1), 3000)
    assert len(found.said) == 10
    assert (np.abs(found.came - found.said) < 4 * found.error).all()
    assert (found.error < 0.02).all()
