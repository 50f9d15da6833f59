"""Correcting for harsh and mild reviewers: what links papers is who reviewed them both. Predictions are not used.

Least squares are solved with the papers taken out first: what is left is one equation for each reviewer.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import isotonic_regression, nnls

from other_tools.averages import by_paper, ratings
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.errors import InputError
from surpeer.reviews import Reviews

MOST_TURNS, CLOSE_ENOUGH = 300, 1e-4
LEAST_PAPER_VARIANCE = 0.01
"""Of a paper's merit, as a share of the variance of one rating: below it all papers would tie."""


def who(reviews: Reviews) -> tuple[IntArray, int]:
    """(n,) reviewers, numbered from 0, and how many there are."""
    if reviews.reviewer is None:
        raise InputError("the reviews do not say who wrote them, expected a column with reviewers")
    names, reviewer = np.unique(reviews.reviewer.to_numpy(), return_inverse=True)
    return reviewer, len(names)


def z_scores(reviews: Reviews) -> FloatArray:
    """Each reviewer's ratings less their mean, in their standard deviations; then the mean over each paper."""
    value, (reviewer, reviewers) = ratings(reviews), who(reviews)
    written = np.bincount(reviewer, minlength=reviewers)
    off = value - (np.bincount(reviewer, value, reviewers) / written)[reviewer]
    spread = np.sqrt(np.bincount(reviewer, off**2, reviewers) / written)[reviewer]
    return by_paper(reviews, np.divide(off, spread, out=np.zeros_like(off), where=spread > 1e-12))


@dataclass(frozen=True)
class Incidence:
    """Which review is of which of N papers and by which of R reviewers."""

    paper: sparse.csr_array
    """(n, N)"""
    reviewer: sparse.csr_array
    """(n, R)"""

    @classmethod
    def of(cls, reviews: Reviews) -> "Incidence":
        reviewer, reviewers = who(reviews)
        return cls(indicators(reviews.paper, len(reviews.papers)), indicators(reviewer, reviewers))

    def reversed(self) -> "Incidence":
        return Incidence(self.reviewer, self.paper)

    def within_papers(self, numbers: sparse.csr_array) -> FloatArray:
        """Dense, (n, ...): numbers less the mean of their paper."""
        each = np.asarray(self.paper.sum(axis=0)).ravel()
        return np.asarray(numbers.toarray() - (self.paper @ (self.paper.T @ numbers / each[:, None])))


def indicators(index: IntArray, count: int) -> sparse.csr_array:
    """(n, count) with a one in each row."""
    return sparse.csr_array((np.ones(len(index)), (np.arange(len(index)), index)), shape=(len(index), count))


def additive_effects(reviews: Reviews) -> FloatArray:
    """rating = paper + reviewer + error, by least squares; the paper's part."""
    incidence, value = Incidence.of(reviews), ratings(reviews)
    left = incidence.within_papers(incidence.reviewer)  # (n, R)
    effect = np.linalg.lstsq(left.T @ left, left.T @ value, rcond=1e-10)[0]
    return by_paper(reviews, value - incidence.reviewer @ effect)


def shrunken_effects(reviews: Reviews) -> FloatArray:
    """The same with papers and reviewers as random draws: the best linear prediction of the paper's part.

    Variances are Henderson's (method III): what reviewers explain beyond papers, and papers beyond reviewers, is
    compared with what chance alone would explain.
    """
    incidence, value = Incidence.of(reviews), ratings(reviews)
    error, reviewer_variance = variances(incidence, value)
    paper_variance = max(variances(incidence.reversed(), value)[1], LEAST_PAPER_VARIANCE * error)
    everything = np.hstack([np.ones((len(value), 1)), incidence.paper.toarray(), incidence.reviewer.toarray()])
    papers, reviewers = incidence.paper.shape[1], incidence.reviewer.shape[1]
    pull = [0.0, *[error / paper_variance] * papers, *[error / max(reviewer_variance, 1e-9)] * reviewers]
    effects = np.linalg.solve(everything.T @ everything + np.diag(pull), everything.T @ value)
    return np.asarray(effects[1 : papers + 1])


def variances(incidence: Incidence, value: FloatArray) -> tuple[float, float]:
    """Of the error, and of the effects of `incidence.reviewer`."""
    left = incidence.within_papers(incidence.reviewer)
    normal = left.T @ left
    rank = int(np.linalg.matrix_rank(normal, hermitian=True))
    effect = np.linalg.lstsq(normal, left.T @ value, rcond=1e-10)[0]
    within = incidence.within_papers(sparse.csr_array(value[:, None])).ravel()
    free = max(1, len(value) - incidence.paper.shape[1] - rank)
    error = max(float(((within - left @ effect) ** 2).sum()) / free, 1e-9)
    explained = float(within @ left @ effect)
    return error, max(0.0, (explained - rank * error) / float(np.trace(normal)))


def linear_calibration(reviews: Reviews) -> FloatArray:
    """LSC with linear scoring functions: reviewer r's rating y stands for a_r y + b_r, a_r at least 1.

    Slopes, intercepts and qualities are those with the least sum of (a_r y + b_r - quality)^2. For given slopes the
    rest is additive effects, so that a quadratic form in the slopes is left, which non-negative least squares solves.
    """
    incidence, value = Incidence.of(reviews), ratings(reviews)
    own_mean = incidence.reviewer.T @ value / np.asarray(incidence.reviewer.sum(axis=0)).ravel()
    value = value - incidence.reviewer @ own_mean  # intercepts make up for it; slopes of constant ratings drop out
    offsets = incidence.within_papers(incidence.reviewer)  # what intercepts change
    scaled = incidence.within_papers(incidence.reviewer.multiply(value[:, None]).tocsr())  # what slopes change
    intercept_of = -np.linalg.lstsq(offsets.T @ offsets, offsets.T @ scaled, rcond=1e-10)[0]  # (R, R)
    left = scaled + offsets @ intercept_of
    varies = np.abs(left).max(axis=0) > 1e-9  # slopes of the others change nothing
    slope = np.ones(left.shape[1])
    slope[varies] += nnls(left[:, varies], -left[:, varies].sum(axis=1))[0]
    return by_paper(reviews, value * (incidence.reviewer @ slope) + incidence.reviewer @ (intercept_of @ slope))


def monotone_calibration(reviews: Reviews) -> FloatArray:
    """LSC with any increasing scoring functions: of two papers of one reviewer whose ratings differ by d, what she saw
    differs by at least d, in the same direction. Qualities have the least sum of squared differences to what was seen.

    Solved by turns: what each reviewer saw, given qualities (an isotonic regression), and qualities, given what was
    seen (a mean). Equal ratings say nothing about which is better.
    """
    value, (reviewer, reviewers) = ratings(reviews), who(reviews)
    mine = [np.flatnonzero(reviewer == at) for at in range(reviewers)]
    quality = by_paper(reviews, value)
    for _ in range(MOST_TURNS):
        seen = np.empty(len(value))
        for rows in mine:
            off = quality[reviews.paper[rows]] - value[rows]
            order = np.lexsort((off, value[rows]))  # equal ratings in the order that suits best
            seen[rows[order]] = value[rows[order]] + isotonic_regression(off[order]).x
        before, quality = quality, by_paper(reviews, seen)
        if np.abs(quality - before).max() < CLOSE_ENOUGH:
            break
    return quality
