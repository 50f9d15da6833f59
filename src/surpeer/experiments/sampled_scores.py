"""Papers that were drawn -> what a method makes of them.

With Bayesian forecasts the prediction matrix is known and a score is a function of the vote counts. With any other
forecasts papers are made into reviews and go the way of a real venue's (Reviews -> Matrices -> Scores).
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.frequency import frequencies, mean_rating
from surpeer.core.joint import predictions_from_joint
from surpeer.core.order import TIE_TOLERANCE, prefer
from surpeer.core.popular import sp_inspired_score
from surpeer.core.shapes import BoolArray, FloatArray, IntArray, as_distributions
from surpeer.core.surprisal import surprisal_score
from surpeer.errors import ArrayError
from surpeer.experiments.comparing import ORACLE
from surpeer.experiments.pair_setting import PairSetting, Side
from surpeer.experiments.state_priors import Dirichlet
from surpeer.experiments.votes import clean_chances, seen_given_clean, through_noise
from surpeer.matrices import Matrices, build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import score
from surpeer.scores.sp import BINARY_VALUES


class Scored(NamedTuple):
    """Papers by one method, (papers,) each, as `prefer` takes them."""

    value: FloatArray
    defined: BoolArray
    mean: FloatArray


# The names that the registry has for our methods that need no prior knowledge.
REGISTERED = {"mean": "mean", "surprisal": "surprisal", "sp_infinite": "sp"}


def preference_table(setting: PairSetting, method: str) -> FloatArray:
    """Two levels, Bayesian forecasts: what the method prefers for all numbers of accepts, (n_a + 1, n_b + 1)."""
    if method == ORACLE:
        return oracle_table(setting)
    a, b = (score_by_counts(_all_counts(side.n), side, setting, method) for side in (setting.a, setting.b))
    return prefer(*(array[:, None] for array in a), *(array[None, :] for array in b))


def oracle_table(setting: PairSetting) -> FloatArray:
    """Which paper is more likely to be better, for all pairs of numbers of accepts."""
    if not isinstance(setting.prior, Dirichlet) or setting.signals != 2:
        raise ArrayError("the oracle is known for two levels and a Beta prior only")
    b, a = setting.prior.alpha
    seen = (seen_given_clean(side.n, side.noise) for side in (setting.a, setting.b))
    chances = through_noise(clean_chances((a, b), setting.a.n, setting.b.n), *seen)
    difference, total = chances.a_better - chances.b_better, chances.a_better + chances.b_better
    return np.where(np.abs(difference) <= TIE_TOLERANCE * total, 0.5, (difference > 0).astype(np.float64))


def score_by_counts(counts: IntArray, side: Side, setting: PairSetting, method: str) -> Scored:
    """Scores when every forecast is Bayesian, so that P is known as soon as a level is used. counts : (papers, K)"""
    mean = mean_rating(counts, setting.values)
    everybody = np.ones(len(counts), dtype=np.bool_)
    if method == "mean":
        return Scored(mean, everybody, mean)
    if method == "surprisal":
        value = surprisal_score(frequencies(counts), side.joint, setting.values)
    else:
        value = sp_inspired_score(frequencies(counts), side.q, _popular_values(setting))
    if method == "sp":
        return Scored(value, everybody, mean)
    every_level_used = np.asarray(np.all(counts > 0, axis=1))
    if setting.signals == 2:
        value = np.where(every_level_used, value, np.where(counts[:, 1] > 0, np.inf, -np.inf))
        every_level_used = everybody
    return Scored(value, every_level_used & ~np.isnan(value), mean)  # NaN where the noise leaves no information


def venue_of(rng: np.random.Generator, rating: IntArray, side: Side, setting: PairSetting) -> Matrices:
    """Papers with reviews and forecasts, ready to be scored as a venue's. rating : (papers, n)"""
    papers = len(rating)
    ratings = rating.ravel()
    told = predictions_from_joint(side.joint)[ratings]
    if setting.forecasts is not None:
        told = _checked(setting.forecasts(rng, told.copy(), ratings.copy()), told)
    scale = Scale(range(1, setting.signals + 1), setting.values)
    reviews = Reviews(scale, pl.Series(np.arange(papers)), np.repeat(np.arange(papers), side.n), ratings, told)
    return build_matrices(reviews)


def score_venue(venue: Matrices, side: Side, setting: PairSetting, method: str) -> Scored:
    """Scores from what reviewers said. `sp` takes the true prior where their forecasts give none."""
    if method != "sp":
        scores = score(venue, REGISTERED[method])
        return Scored(scores.value, scores.defined, scores.mean)
    q = np.where(np.all(venue.q > 0, axis=1, keepdims=True), venue.q, side.q)
    value = sp_inspired_score(venue.v, q, _popular_values(setting))
    return Scored(value, np.ones(len(value), dtype=np.bool_), venue.mean)


def _checked(told: FloatArray, bayesian: FloatArray) -> FloatArray:
    """What a forecast rule returned; a row of NaN is a reviewer who made no prediction."""
    found = np.asarray(told, dtype=np.float64)
    if found.shape != bayesian.shape:
        raise ArrayError(f"forecasts have shape {found.shape}, expected {bayesian.shape}: a distribution per reviewer")
    as_distributions(found[~np.isnan(found).all(axis=1)], "forecasts")
    return found


def _popular_values(setting: PairSetting) -> FloatArray:
    return np.asarray(BINARY_VALUES) if setting.signals == 2 else setting.values


def _all_counts(n: int) -> IntArray:
    """(n + 1, 2) rejects and accepts."""
    accepts = np.arange(n + 1)
    return np.stack([n - accepts, accepts], axis=1)
