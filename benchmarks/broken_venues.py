"""Made-up venues in which one assumption of the model fails; `broken_assumptions.py` runs them.

The sound venue is one of the accuracy benchmark: levels that are steps of one merit, every paper pushed towards the
lowest or the highest level with a strength of its own (uniform from 0 to 0.8), and reviewers who predict as Bayesians
up to noise of 0.5 on the logarithm of shares.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.experiments.bench.grid import BIASES, LARGEST_LEVEL
from surpeer.experiments.bench.venues import bayesian_forecasts
from surpeer.experiments.forecasts import LogNoise
from surpeer.experiments.state_priors import OrderedLogit
from surpeer.matrices import build_matrices
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import Scores, score

NOISE = LogNoise(0.5)
PRIOR_STRENGTH = 1.5


@dataclass(frozen=True)
class Drawn:
    """A venue on its way to the scores: N papers, n reviews, K levels."""

    joint: FloatArray
    """(K, K) of two clean ratings."""
    state: FloatArray
    """(N, K) clean states; quality is their mean rating."""
    level: FloatArray
    """(N,) noise level."""
    bias: FloatArray
    """(N, K)"""
    paper: IntArray
    """(n,)"""
    rating: IntArray
    """(n,)"""
    told: FloatArray
    """(n, K) predictions."""
    expected: FloatArray | None = None
    """(n,) expected ratings, 1 for the lowest level."""

    @property
    def q(self) -> FloatArray:
        return np.asarray(self.joint.sum(axis=1))

    @property
    def levels(self) -> int:
        return len(self.joint)

    @property
    def quality(self) -> FloatArray:
        return np.asarray(self.state @ np.arange(self.levels))

    def scores(self, method: str) -> Scores:
        """The reviews by this method, on levels 1, 2, 3, ..."""
        reviews = Reviews(
            Scale(range(1, self.levels + 1), values=range(1, self.levels + 1)),
            pl.Series(np.arange(len(self.state))),
            self.paper,
            self.rating,
            self.told,
            expected=self.expected,
        )
        return score(build_matrices(reviews), method)


Break = Callable[[np.random.Generator, Drawn], Drawn]


def draw(rng: np.random.Generator, levels: int, papers: int, reviewers: int) -> Drawn:
    """A venue in which everything is as assumed."""
    prior = OrderedLogit(levels, PRIOR_STRENGTH)
    state, level = prior.sample(rng, papers), rng.uniform(0, LARGEST_LEVEL, papers)
    bias = BIASES["extreme"](rng, prior.joint.sum(axis=1), papers)
    paper = np.repeat(np.arange(papers), reviewers)
    nothing = np.zeros(len(paper), dtype=np.int64)
    venue = Drawn(prior.joint, state, level, bias, paper, nothing, np.empty((len(paper), levels)))
    venue = replace(venue, rating=rate(rng, through(state, level, bias)[paper]))
    return replace(venue, told=predict(rng, venue, level, bias))


def predict(rng: np.random.Generator, venue: Drawn, level: FloatArray, bias: FloatArray) -> FloatArray:
    """What reviewers say who take this for the noise of each paper. level : (N,), bias : (N, K)"""
    seen = through(np.tile(venue.q, (len(level), 1)), level, bias)[venue.paper]
    return NOISE(rng, bayesian_forecasts(venue.joint, level[venue.paper], seen, venue.rating), venue.rating)


def through(w: FloatArray, level: FloatArray, bias: FloatArray) -> FloatArray:
    return np.asarray((1 - level[:, None]) * w + level[:, None] * bias)


def rate(rng: np.random.Generator, chances: FloatArray) -> IntArray:
    steps = np.cumsum(chances, axis=1)[:, :-1]
    return np.asarray((rng.random(len(chances))[:, None] > steps).sum(axis=1), dtype=np.int64)


def sound(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
    return venue


def nobody_predicts(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
    return replace(venue, told=np.full_like(venue.told, np.nan))


def some_predict(share: float) -> Break:
    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        silent = rng.random(len(venue.rating)) >= share
        return replace(venue, told=np.where(silent[:, None], np.nan, venue.told))

    return change


def unaware(share: float) -> Break:
    """So many reviewers predict as if no paper were pushed, though they are pushed themselves."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        naive = predict(rng, venue, np.zeros_like(venue.level), venue.bias)
        who = rng.random(len(venue.rating)) < share
        return replace(venue, told=np.where(who[:, None], naive, venue.told))

    return change


def pushed(share: float) -> Break:
    """Only so many reviewers of a paper are swayed, each fully; predictions know how many are."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        who = rng.random(len(venue.rating)) < share
        clean, noisy = venue.state[venue.paper], through(venue.state, venue.level, venue.bias)[venue.paper]
        mixed = replace(venue, rating=rate(rng, np.where(who[:, None], noisy, clean)))
        return replace(mixed, told=predict(rng, mixed, venue.level * share, venue.bias))

    return change


def harsh(steps: int) -> Break:
    """A third of the reviewers rate so many levels lower than they should, a third higher; all predict as usual."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        shift = steps * rng.integers(-1, 2, len(venue.rating))
        moved = replace(venue, rating=np.clip(venue.rating + shift, 0, venue.levels - 1))
        return replace(moved, told=predict(rng, moved, venue.level, venue.bias))

    return change


def knows_others(weight: float) -> Break:
    """So much of each prediction is what the paper's reviewers really said (they have seen the reviews, say)."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
        counts = np.zeros((len(venue.state), venue.levels))
        np.add.at(counts, (venue.paper, venue.rating), 1)
        truth = (counts / counts.sum(axis=1, keepdims=True))[venue.paper]
        return replace(venue, told=(1 - weight) * venue.told + weight * truth)

    return change


def copies(share: float) -> Break:
    """So many reviewers give the rating of the paper's first reviewer."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        first = venue.rating[np.searchsorted(venue.paper, venue.paper)]
        who = rng.random(len(venue.rating)) < share
        copied = replace(venue, rating=np.where(who, first, venue.rating))
        return replace(copied, told=predict(rng, copied, venue.level, venue.bias))

    return change


def own_rating(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
    """Everybody predicts that nine in ten agree with her."""
    return replace(venue, told=0.9 * np.eye(venue.levels)[venue.rating] + 0.1 / venue.levels)


def pushed_alike(rng: np.random.Generator, venue: Drawn) -> Drawn:
    """Every paper is pushed upwards by the same strength."""
    level, bias = np.full_like(venue.level, 0.4), np.tile(np.eye(venue.levels)[-1], (len(venue.state), 1))
    same = replace(venue, level=level, bias=bias, rating=rate(rng, through(venue.state, level, bias)[venue.paper]))
    return replace(same, told=predict(rng, same, level, bias))


def nobody_pushed(rng: np.random.Generator, venue: Drawn) -> Drawn:
    """Noise without a direction: papers are blurred, none is pushed."""
    bias = np.tile(venue.q, (len(venue.state), 1))
    blurred = replace(venue, bias=bias, rating=rate(rng, through(venue.state, venue.level, bias)[venue.paper]))
    return replace(blurred, told=predict(rng, blurred, venue.level, bias))


def in_turn(*changes: Break) -> Break:
    """Several things at once."""

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        for one in changes:
            venue = one(rng, venue)
        return venue

    return change


def known_to_be_better(rng: np.random.Generator, venue: Drawn) -> Drawn:
    """Every second paper comes from a group that is truly better by one standard deviation, and everybody knows it."""
    prior = OrderedLogit(venue.levels, PRIOR_STRENGTH)
    shift = np.arange(len(venue.state)) % 2 - 0.5
    state = prior.states_at(rng.normal(size=len(shift)) + shift)
    told, venue = venue.told, replace(venue, state=state)
    venue = replace(venue, rating=rate(rng, through(state, venue.level, venue.bias)[venue.paper]))
    for group in (-0.5, 0.5):
        states = prior.states_at(prior.merits + group)
        informed = replace(venue, joint=np.asarray(states.T @ (prior.weights[:, None] * states)))
        rows = (shift == group)[venue.paper][:, None]
        told = np.where(rows, predict(rng, informed, venue.level, venue.bias), told)
    return replace(venue, told=told)


def one_tries(share: float, *, up: bool, lies: bool) -> Break:
    """So many papers have one reviewer who wants them up (or down): she gives the highest (lowest) level.

    If she lies, she also predicts that all others will give the opposite; otherwise she predicts as after that rating.
    Papers are the first of the venue, so that those of two venues can be compared.
    """

    def change(rng: np.random.Generator, venue: Drawn) -> Drawn:
        first = np.searchsorted(venue.paper, np.arange(round(share * len(venue.state))))
        rating, told = venue.rating.copy(), venue.told.copy()
        rating[first] = venue.levels - 1 if up else 0
        pushing = replace(venue, rating=rating)
        told[first] = predict(rng, pushing, venue.level, venue.bias)[first]
        if lies:
            told[first] = np.eye(venue.levels)[0 if up else -1]
        return replace(pushing, told=told)

    return change
