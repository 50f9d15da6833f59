"""Were predictions any good? Compared with the ratings that came in, and with always predicting the average.

The expected rating of each prediction is held against the ratings that the *other* reviewers of the same paper gave; so
is the mean rating of all *other* papers, which is what somebody would say who knows the venue and not the paper. The
measure is the root of the mean squared difference (a miss, in units of the rating), and

    skill = 1 - (mean squared miss of predictions) / (mean squared miss of the average):

1 if they knew every rating, 0 if they are no better than the average, negative if they are worse. A single rating is
noisy, so that even somebody who knew a paper perfectly would stay well below 1. Papers are the unit of evidence: the
standard error is a jackknife over papers.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.evidence import jackknife_error

BINS = 10
"""Steps of predicted shares, for the comparison with what came."""


@dataclass(frozen=True)
class PredictionQuality:
    """How predictions compare with ratings; NaN where nothing can be judged."""

    judged: int
    """Predictions of papers that somebody else rated as well."""
    papers: int
    """Of how many papers."""
    miss: float
    """Root mean squared difference between the expected rating and the ratings of the others."""
    average_miss: float
    """The same of somebody who always predicts the mean rating of the other papers."""
    skill: float
    skill_error: float


@dataclass(frozen=True)
class Calibration:
    """Of all shares that were predicted in one step (such as 20 % to 30 %), what came."""

    said: FloatArray
    """(B,) mean predicted share."""
    came: FloatArray
    """(B,) mean share of the other reviewers who gave that level."""
    error: FloatArray
    """(B,) standard error of `came` less `said`, papers being independent; NaN where they are of one paper only."""
    shares: IntArray
    """(B,) how many predicted shares."""
    papers: IntArray
    """(B,) of how many papers."""


def prediction_quality(paper: IntArray, rating: FloatArray, expected: FloatArray, papers: int) -> PredictionQuality:
    """Judge the expected ratings of R reviews of N papers.

    paper : (R,) position of the paper; rating : (R,) what was given; expected : (R,) what was predicted of another
    reviewer, NaN where nothing was; all in units of the rating
    """
    count = np.bincount(paper, minlength=papers).astype(np.float64)
    total, squares = (np.bincount(paper, weights=rows, minlength=papers) for rows in (rating, rating**2))
    rows = ~np.isnan(expected) & (count[paper] > 1)
    at, said = paper[rows], expected[rows]
    others = count[at] - 1
    mean, square = (total[at] - rating[rows]) / others, (squares[at] - rating[rows] ** 2) / others
    elsewhere = len(paper) - count[at]
    with np.errstate(invalid="ignore", divide="ignore"):
        average = np.where(elsewhere > 0, (rating.sum() - total[at]) / elsewhere, np.nan)
    judged = ~np.isnan(average)
    if not judged.any():
        return PredictionQuality(0, 0, np.nan, np.nan, np.nan, np.nan)
    losses = [square - 2 * guess * mean + guess**2 for guess in (said, average)]
    sums = np.stack(
        [np.bincount(at[judged], weights=loss[judged], minlength=papers) for loss in (*losses, np.ones(len(at)))],
        axis=1,
        dtype=np.float64,
    )
    sums = sums[sums[:, 2] > 0]
    ours, theirs, number = sums.sum(axis=0)
    error = float(jackknife_error(_skill, sums)[0]) if len(sums) > 1 else np.nan
    return PredictionQuality(
        int(judged.sum()),
        len(sums),
        float(np.sqrt(max(ours, 0.0) / number)),
        float(np.sqrt(max(theirs, 0.0) / number)),
        float(_skill(sums.sum(axis=0))[0]),
        error,
    )


def _skill(sums: FloatArray) -> FloatArray:
    ours, theirs = sums[..., 0], sums[..., 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(theirs > 0, 1 - ours / theirs, np.nan))[..., None]


def calibration(paper: IntArray, rating: IntArray, shares: FloatArray, papers: int) -> Calibration:
    """What came of predicted shares, in steps of a tenth; steps that nobody used are left out.

    paper, rating : (R,) of each review; shares : (R, K) predictions, NaN where not given
    """
    signals = shares.shape[1]
    counts = np.zeros((papers, signals))
    np.add.at(counts, (paper, rating), 1.0)
    rows = counts.sum(axis=1)[paper] > 1
    others = counts[paper[rows]]
    others[np.arange(len(others)), rating[rows]] -= 1
    came = others / others.sum(axis=1, keepdims=True)
    said = shares[rows]
    known = ~np.isnan(said)
    step = np.minimum((said[known] * BINS + 1e-9).astype(np.int64), BINS - 1)
    of_paper = np.repeat(paper[rows], signals).reshape(said.shape)[known]
    number = np.bincount(step, minlength=BINS)
    used = number > 0
    sums = [np.bincount(step, weights=part[known], minlength=BINS)[used] for part in (said, came)]
    mean_said, mean_came = (part / number[used] for part in sums)
    gap = np.zeros((BINS, papers))
    np.add.at(gap, (step, of_paper), (came - said)[known])
    size = np.zeros((BINS, papers))
    np.add.at(size, (step, of_paper), 1.0)
    apart = gap[used] - size[used] * (mean_came - mean_said)[:, None]  # of each paper from the whole
    of_papers = (size[used] > 0).sum(axis=1)
    error = np.where(of_papers > 1, np.sqrt((apart**2).sum(axis=1)) / number[used], np.nan)
    return Calibration(mean_said, mean_came, error, number[used], of_papers)
