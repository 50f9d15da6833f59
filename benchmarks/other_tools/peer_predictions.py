"""Other uses of what reviewers predict of each other: weighted averages of one panel's estimates, paper by paper."""

import numpy as np

from other_tools.averages import mean_rating, ratings
from surpeer.core.shapes import FloatArray
from surpeer.reviews import Reviews

FEWEST = 5
"""With fewer predictions of one paper metaggR refuses to work."""


def minimal_pivoting(reviews: Reviews) -> FloatArray:
    """The mean rating, moved away from the mean prediction by their difference (Palley and Soll, 2019)."""
    made = reviews.has_prediction
    papers = len(reviews.papers)
    expected = reviews.predictions[made] @ np.asarray(reviews.scale.values)
    predictions = np.bincount(reviews.paper[made], minlength=papers)
    mean = mean_rating(reviews)
    total = np.bincount(reviews.paper[made], expected, papers)
    predicted = np.divide(total, predictions, out=mean.copy(), where=predictions > 0)
    return np.asarray(2 * mean - predicted)


def knowledge_weighted(reviews: Reviews) -> FloatArray | None:
    """What metaggR computes; None where some paper has too few reviews with a prediction."""
    made = reviews.has_prediction
    estimate = ratings(reviews)[made]
    expected = reviews.predictions[made] @ np.asarray(reviews.scale.values)
    rows = [np.flatnonzero(reviews.paper[made] == at) for at in range(len(reviews.papers))]
    if min(map(len, rows)) < FEWEST:
        return None
    return np.array([knowledge_weighted_estimate(estimate[mine], expected[mine]) for mine in rows])


def knowledge_weighted_estimate(estimate: FloatArray, expected: FloatArray) -> float:
    """The weighted average of estimates with the least knowledge gap (Palley and Satopää, 2021), in closed form.

    Weights matter by the average e that they give only. With J judges and s = (J - 1) / J the gap is

        (e / J + s (line at e) - mean)^2 + s^2 (J - 2) / (J (J - 4)) error (1 + (e - mean)^2 / variance)

    where the line is the regression of predictions on estimates and `error` its residual variance: quadratic in e.
    estimate, expected : (J,) of one panel; expected is what each judge predicts of the others.
    """
    judges, mean, variance = len(estimate), float(estimate.mean()), float(estimate.var())
    if variance == 0:
        return mean
    others = (judges - 1) / judges
    slope = float(np.mean((estimate - mean) * expected)) / variance
    error = float(((expected - expected.mean() - slope * (estimate - mean)) ** 2).sum()) / (judges - 2)
    gain = 1 / judges + others * slope
    doubt = others**2 * (judges - 2) / (judges * (judges - 4)) * error / variance
    return mean + gain * others * (mean - float(expected.mean())) / (gain**2 + doubt)
