"""Every sentence on what became of a venue's forecasts, from venues that deserve it and from the numbers behind it."""

from collections.abc import Callable

import numpy as np
import pytest

from surpeer import Reviews, Scale, calibrate, explain
from surpeer.cli.venue_text import venue_words
from surpeer.core.venue import Trust
from surpeer.core.venue.forecast_model import Bias
from surpeer.core.venue.own_rating import Projection
from surpeer.ranking import Ranking
from surpeer.ranking_notes import trust_text

Panel = tuple[int, int, float]
"""Accepts, rejects, and the share of accepts that its reviewers expect before they look at their own rating."""

EVEN: list[Panel] = [(accepts, 4 - accepts, 0.5) for accepts in (1, 2, 3)] * 4
PUSHED: list[Panel] = [(1, 3, 0.3), (2, 2, 0.3), (2, 2, 0.7), (3, 1, 0.7)] * 3
UNDERSTATED: list[Panel] = [(1, 4, 0.4), (0, 5, 0.4), (4, 1, 0.6), (5, 0, 0.6), (1, 4, 0.4), (4, 1, 0.6)] * 3
WRONG_WAY: list[Panel] = [(1, 4, 0.7), (1, 4, 0.75), (4, 1, 0.3), (4, 1, 0.25)] * 4

ALONE = "): papers are ranked by their ratings alone"
TOO_FEW = "not followed (too few papers have two predictions to compare" + ALONE
ALIKE = "not followed (they do not clearly differ more from paper to paper than from reviewer to reviewer" + ALONE
NO_RISE = "not followed (those who rate higher do not clearly predict higher ratings" + ALONE
KNOWING = (
    "not followed (they seem to be about quality itself, hardly any of which would be left in the ratings without them"
    + ALONE
)
OPINION = "not followed (reviewers mostly predict their own opinion, which is about quality too" + ALONE


def ranking_of(panels: list[Panel], forecast: Callable[[float, int], float]) -> Ranking:
    """forecast : of the share of accepts, from what is expected of the paper and the own rating (0 or 1)"""
    rows = [
        (f"P{at:02d}", rating, round(forecast(expected, rating), 3))
        for at, (accepts, rejects, expected) in enumerate(panels)
        for rating in [1] * accepts + [0] * rejects
    ]
    paper, ratings, shares = zip(*rows, strict=True)
    return calibrate(
        Reviews.from_table({"paper": paper, "rating": ratings, "prediction": shares}, Scale(["0", "1"], [0, 1]))
    )


def with_own(share: float) -> Callable[[float, int], float]:
    """Forecasts of which this share is the own rating, and that rise a little with it as they should."""
    return lambda expected, rating: (1 - share) * (expected + 0.1 * (rating - 0.5)) + share * rating


def trust_of(ranking: Ranking) -> Trust:
    (track,) = ranking.scores.outcome.tracks
    return track.fit.trust


@pytest.mark.parametrize(
    ("panels", "forecast", "expected"),
    [
        (PUSHED[:2], with_own(0), TOO_FEW),
        ([(1, 0, 0.2), (0, 1, 0.8)] * 10, with_own(0), TOO_FEW),
        (EVEN, with_own(0), ALIKE),
        (PUSHED, lambda expected, _: expected, NO_RISE),
        (PUSHED, with_own(0.5), OPINION),
        (
            UNDERSTATED,
            with_own(0),
            "followed with weight 2.00 (1 is in full); papers' ratings differ 2.00 times as much as predictions say",
        ),
    ],
)
def test_sentences_of_venues(panels: list[Panel], forecast: Callable[[float, int], float], expected: str) -> None:
    trust = trust_of(ranking_of(panels, forecast))
    assert trust_text(trust) == expected
    assert trust.follows == expected.startswith("followed")


def trust(
    weight: float = 1.0,
    *,
    caution: float = 1.0,
    own: float = 0.0,
    responds: bool = True,
    differ: bool = True,
    leaves: bool = True,
    judged: bool = True,
) -> Trust:
    """A trust in good order, but for what is said. own : share of a forecast that is the own rating"""
    bias, projection = Bias(np.zeros(1), np.ones(1)), Projection(own, own, 0.1, 0.2, responds)
    return Trust(
        weight,
        bias,
        caution,
        knowledge=2 * own,
        projection=projection,
        differ=differ,
        leaves_quality=leaves,
        judged=judged,
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (trust(0.0, judged=False), TOO_FEW),
        (trust(0.0, differ=False), ALIKE),
        (trust(0.0, responds=False), NO_RISE),
        (trust(0.0, own=0.6), OPINION),
        (trust(0.0, leaves=False), KNOWING),
        (trust(), "followed in full"),
        (trust(0.456), "followed with weight 0.46 (1 is in full)"),
        (trust(0.6, caution=0.6), "followed with weight 0.60 (1 is in full); papers' ratings differ 0.60 times as much as predictions say"),
        (trust(0.0, caution=0.0), "not followed (papers that are predicted to be rated higher are not" + ALONE),
        (trust(own=0.126), "followed in full; 13% of a prediction is the reviewer's own rating, which was taken off"),
        (trust(1.5, caution=1.5), "followed with weight 1.50 (1 is in full); papers' ratings differ 1.50 times as much as predictions say"),
        (
            trust(1.25, own=0.1, caution=1.49),
            "followed with weight 1.25 (1 is in full); 10% of a prediction is the reviewer's own rating, which was taken off; papers' ratings differ 1.49 times as much as predictions say",
        ),
    ],
)  # fmt: skip
def test_sentences_of_numbers(found: Trust, expected: str) -> None:
    assert trust_text(found) == expected


def test_forecasts_that_ratings_contradict_are_not_called_opinions() -> None:
    """Ratings are low where high ones are forecast: no part of these forecasts is the own rating."""
    found = trust_of(ranking_of(WRONG_WAY, with_own(0)))
    assert (found.projection.weight, found.knowledge, found.caution, found.weight) == (0, 0, 0, 0)
    assert "own opinion" not in trust_text(found)


def test_scores_in_words() -> None:
    ranking = ranking_of(UNDERSTATED, with_own(0))
    for paper in ranking.scores.papers:
        steps = explain(ranking, paper)
        value, error = steps.score.value, steps.score.standard_error
        assert error is not None
        words = venue_words(steps)
        if abs(value) < 0.05:
            assert words == "About as good as a typical paper."
            continue
        side = "better" if value > 0 else "worse"
        assert words.startswith(f"{abs(value):.2f} standard deviations of quality {side} than a typical paper")
        assert words.endswith(", less than its standard error: the evidence is thin.") == (abs(value) < error)
