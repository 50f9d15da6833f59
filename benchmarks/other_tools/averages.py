"""What review platforms show and sort by. Both leave the judgement to the reader."""

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.reviews import Reviews


def ratings(reviews: Reviews) -> FloatArray:
    """(n,) the number that each review's level stands for."""
    return np.asarray(reviews.scale.values)[reviews.rating]


def by_paper(reviews: Reviews, number: FloatArray) -> FloatArray:
    """Of a number for each review, the mean over each paper's. (N,)"""
    papers = len(reviews.papers)
    return np.asarray(np.bincount(reviews.paper, number, papers) / np.bincount(reviews.paper, minlength=papers))


def mean_rating(reviews: Reviews) -> FloatArray:
    """The average: HotCRP's sort "average", OpenReview's "Average Rating"."""
    return by_paper(reviews, ratings(reviews))


def hotcrp_counts(reviews: Reviews) -> FloatArray:
    """HotCRP's sort "counts": the better best score is ahead; if these are equal, the second best decides, and so on.

    Where a paper has no further score, one less than its lowest stands for it.
    """
    value = ratings(reviews)
    order = np.lexsort((-value, reviews.paper))
    paper = reviews.paper[order]
    place = np.arange(len(paper)) - np.searchsorted(paper, paper)
    best_first = np.full((len(reviews.papers), int(place.max()) + 1), -np.inf)
    best_first[paper, place] = value[order]
    lowest = np.min(best_first, axis=1, initial=np.inf, where=np.isfinite(best_first))
    best_first = np.where(np.isfinite(best_first), best_first, lowest[:, None] - 1)
    return np.unique(best_first, axis=0, return_inverse=True)[1].ravel().astype(np.float64)
