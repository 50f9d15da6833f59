"""Scores -> what was to be expected of each paper whatever its quality, as far as the method follows predictions."""

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.scores import find_method
from surpeer.scores.method import Scores


def expected_shares(scores: Scores) -> FloatArray:
    """(N, K) the share of each rating that was to be expected; rows of NaN where predictions have no influence."""
    matrices = scores.matrices
    if not scores.outcome.tracks:
        return matrices.q if find_method(scores.method).uses_predictions else np.full(matrices.counts.shape, np.nan)
    shares = np.full(matrices.counts.shape, np.nan)
    for _, papers, fit in scores.outcome.tracks:
        if fit.trust.follows:
            shares[papers] = fit.expected_shares(np.arange(len(papers)))
    return shares


def expected_means(scores: Scores) -> FloatArray:
    """(N,) the mean rating that was to be expected; NaN where predictions have no influence."""
    return np.asarray(expected_shares(scores) @ np.asarray(scores.matrices.scale.values))


def track_means(scores: Scores) -> FloatArray:
    """(N,) the mean rating of a typical paper of the same track, which its ratings are compared with; NaN where there
    are no tracks to tell apart."""
    values, usual = np.asarray(scores.matrices.scale.values), np.full(len(scores), np.nan)
    if len(scores.outcome.tracks) > 1:
        for _, papers, fit in scores.outcome.tracks:
            usual[papers] = fit.model.q @ values
    return usual


def typical_means(scores: Scores) -> FloatArray:
    """(N,) the mean rating of a paper of the same track that nothing pushes; NaN where that is not known."""
    values, typical = np.asarray(scores.matrices.scale.values), np.full(len(scores), np.nan)
    for _, papers, fit in scores.outcome.tracks:
        if fit.trust.follows:
            typical[papers] = fit.model.q @ values
    return typical
