"""Made-up venues with known qualities, in which different things go wrong.

A paper has a merit, normal. A reviewer who is neither harsh nor mild gives a level by an ordered-logit model of it. On
top of that, each as the world says:

- cheap signals of the kind that surpeer models: a share of the ratings of a paper, up to 80 %, is not about the paper
  but falls on its lowest or its highest level;
- cheap signals of another kind: all reviewers see a paper as better or worse than it is by the same shift;
- harshness: a reviewer sees all papers as worse (or better) than they are.

Reviewers know what sways their colleagues, and that some are harsh, but not how harsh they are themselves. A thoughtful
one predicts as a Bayesian would, with noise; of the careless, half say what is usual at this venue and half that
everybody agrees with them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.experiments.bench.grid import LARGEST_LEVEL, extreme_bias
from surpeer.experiments.bench.venues import bayesian_forecasts
from surpeer.experiments.forecasts import AgreesWithMe, LogNoise, VenueAverage
from surpeer.experiments.state_priors import OrderedLogit
from surpeer.reviews import Reviews
from surpeer.scale import Scale

STRENGTH = 1.5
"""How clearly reviewers see merit; a reviewer's own noise is logistic."""
HARSHNESS = 1.0
"""Standard deviation over reviewers; that of merit is 1, too."""
SHIFTS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""By how much a paper may look better or worse than it is to everybody; equally likely."""
NOISE_OF_PREDICTIONS = 0.5


@dataclass(frozen=True)
class World:
    """What goes wrong."""

    name: str
    swayed: bool = False
    shifted: bool = False
    harsh: bool = False
    careless: bool = False


WORLDS = (
    World("cheap signals", swayed=True),
    World("cheap signals, careless", swayed=True, careless=True),
    World("cheap signals, other kind", shifted=True),
    World("harsh reviewers", harsh=True),
    World("both", swayed=True, harsh=True),
    World("nothing wrong"),
)


class Size(NamedTuple):
    """How many papers, reviews of each, and papers for each reviewer."""

    papers: int
    reviews: int
    load: int

    @property
    def reviewers(self) -> int:
        return self.papers * self.reviews // self.load

    @property
    def words(self) -> str:
        return f"{self.papers} papers, {self.reviews} reviews each, {self.reviewers} reviewers with {self.load} papers"


SIZES = {"workshop": Size(50, 3, 10), "panel": Size(60, 8, 20), "conference": Size(500, 4, 5)}


class Venue(NamedTuple):
    """Reviews with their reviewers, and the truth."""

    reviews: Reviews
    quality: FloatArray
    """(N,)"""


def draw_venue(world: World, size: Size, levels: int, rng: np.random.Generator) -> Venue:
    """One random venue."""
    prior, scale = OrderedLogit(levels, STRENGTH), Scale(range(1, levels + 1))
    merit = rng.normal(size=size.papers)
    shift = rng.integers(len(SHIFTS), size=size.papers) if world.shifted else np.full(size.papers, SHIFTS.index(0.0))
    level = rng.uniform(0, LARGEST_LEVEL, size.papers) if world.swayed else np.zeros(size.papers)
    bias = extreme_bias(rng, np.full(levels, 1 / levels), size.papers)
    harshness = rng.normal(0, HARSHNESS, size.reviewers) if world.harsh else np.zeros(size.reviewers)
    paper, reviewer = assign(rng, size)
    seen = prior.states_at((merit + np.array(SHIFTS)[shift])[paper] - harshness[reviewer])
    rating = draw_ratings(rng, through_noise(seen, level[paper], bias[paper]))
    told = np.empty((len(paper), levels))
    for at, by in enumerate(SHIFTS):
        rows = np.flatnonzero(shift[paper] == at)
        joint = joint_of_two(prior, by, HARSHNESS if world.harsh else 0.0)
        expected = through_noise(joint.sum(axis=1), level[paper[rows]], bias[paper[rows]])
        told[rows] = bayesian_forecasts(joint, level[paper[rows]], expected, rating[rows])
    told = careless(rng, told, rating) if world.careless else LogNoise(NOISE_OF_PREDICTIONS)(rng, told, rating)
    papers = pl.Series(np.arange(size.papers))
    return Venue(Reviews(scale, papers, paper, rating, told, pl.Series(reviewer)), merit)


def assign(rng: np.random.Generator, size: Size) -> tuple[IntArray, IntArray]:
    """Random reviewers for every paper, no one twice, all with the same load: paper and reviewer of each review.

    Papers are dealt to those who have most room left, ties at random.
    """
    room = np.full(size.reviewers, float(size.load))
    chosen = np.empty((size.papers, size.reviews), dtype=np.int64)
    for row in chosen:
        row[:] = np.argsort(-(room + 0.5 * rng.random(size.reviewers)))[: size.reviews]
        room[row] -= 1
    return np.repeat(np.arange(size.papers), size.reviews), chosen.ravel()


def joint_of_two(prior: OrderedLogit, shift: float, harshness: float) -> FloatArray:
    """(K, K) joint distribution of two random reviewers' ratings of a random paper that looks better by `shift`."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    seen = np.tensordot(
        weights / weights.sum(), [prior.states_at(prior.merits + shift - harshness * node) for node in nodes], axes=1
    )
    return np.asarray(seen.T @ (prior.weights[:, None] * seen))


def through_noise(state: FloatArray, level: FloatArray, bias: FloatArray) -> FloatArray:
    """A share `level` of the ratings comes from the bias. (n, K)"""
    return np.asarray((1 - level[:, None]) * state + level[:, None] * bias)


def draw_ratings(rng: np.random.Generator, chances: FloatArray) -> IntArray:
    """One rating for each row: (n, K) -> (n,)."""
    steps = np.cumsum(chances, axis=1)[:, :-1]
    return np.asarray((rng.random(len(chances))[:, None] > steps).sum(axis=1), dtype=np.int64)


def careless(rng: np.random.Generator, bayesian: FloatArray, rating: IntArray) -> FloatArray:
    """At random, what is usual at the venue, or nine tenths on the own rating."""
    usual, mine = VenueAverage()(rng, bayesian, rating), AgreesWithMe(0.9)(rng, bayesian, rating)
    return np.where(rng.random(len(rating))[:, None] < 0.5, usual, mine)
