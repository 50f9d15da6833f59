"""The benchmark's cells as data. What is held out was named before any method was developed on the rest."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import product

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.errors import UnknownName
from surpeer.experiments.forecasts import AgreesWithMe, ForecastRule, LogNoise, SomeMissing, VenueAverage
from surpeer.experiments.state_priors import Dirichlet, OrderedLogit

BiasRule = Callable[[np.random.Generator, FloatArray, int], FloatArray]

LARGEST_LEVEL = 0.8
"""Noise levels of papers are uniform from 0 to this."""


def extreme_bias(rng: np.random.Generator, q: FloatArray, papers: int) -> FloatArray:
    """All of a paper's bias is on the lowest or the highest level, half of the papers each. (papers, K)"""
    return np.eye(len(q))[np.where(rng.random(papers) < 0.5, 0, len(q) - 1)]


def any_bias(rng: np.random.Generator, q: FloatArray, papers: int) -> FloatArray:
    """All of a paper's bias is on one random level. (papers, K)"""
    return np.eye(len(q))[rng.integers(0, len(q), papers)]


def diffuse_bias(rng: np.random.Generator, q: FloatArray, papers: int) -> FloatArray:
    """Random weights. (papers, K)"""
    return rng.dirichlet(np.ones(len(q)), papers)


def no_bias(rng: np.random.Generator, q: FloatArray, papers: int) -> FloatArray:  # noqa: ARG001
    """The bias is the prior itself, so that noise blurs papers but pushes none. (papers, K)"""
    return np.tile(q, (papers, 1))


PRIORS: dict[str, Callable[[int], Dirichlet | OrderedLogit]] = {
    "dirichlet": lambda levels: Dirichlet((1.0,) * levels),
    "ordered": lambda levels: OrderedLogit(levels, 1.5),
}
BIASES: dict[str, BiasRule] = {
    "extreme": extreme_bias,
    "any": any_bias,
    "diffuse": diffuse_bias,
    "none": no_bias,
}
FORECASTS: dict[str, ForecastRule | None] = {
    "truthful": None,
    "noisy": LogNoise(0.5),
    "very noisy": LogNoise(1.0),
    "flat": VenueAverage(),
    "agree": AgreesWithMe(0.9),
    "missing": SomeMissing(0.3),
}
REVIEWERS: dict[str, tuple[int, int]] = {"3": (3, 3), "4": (4, 4), "6": (6, 6), "10": (10, 10), "mixed": (2, 8)}
"""The fewest and the most reviewers of a paper; any number between them is equally likely."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of venue; all but numbers are names in the dictionaries above."""

    levels: int
    reviewers: str
    prior: str
    bias: str
    forecasts: str
    papers: int

    def __post_init__(self) -> None:
        for kind, name, known in (
            ("number of reviewers", self.reviewers, REVIEWERS),
            ("prior", self.prior, PRIORS),
            ("bias", self.bias, BIASES),
            ("kind of forecasts", self.forecasts, FORECASTS),
        ):
            if name not in known:
                raise UnknownName(kind, name, known)

    @property
    def held_out(self) -> bool:
        return self.reviewers == "10" or (self.levels == 5 and self.bias == "any")

    @property
    def words(self) -> str:
        return f"K={self.levels} n={self.reviewers} {self.prior} {self.bias} {self.forecasts} {self.papers} papers"


@dataclass(frozen=True)
class Grid:
    """All combinations, and how many venues of each size are made."""

    name: str
    levels: tuple[int, ...]
    reviewers: tuple[str, ...]
    priors: tuple[str, ...]
    biases: tuple[str, ...]
    forecasts: tuple[str, ...]
    venues: Mapping[int, int]
    """Venues per cell, by number of papers."""
    panels: int
    """Random panels of each size drawn from each real study."""

    def cells(self) -> Iterator[Cell]:
        """Large venues first, so that parallel workers end together."""
        for papers in sorted(self.venues, reverse=True):
            for levels, reviewers, prior in product(self.levels, self.reviewers, self.priors):
                for bias, forecasts in product(self.biases, self.forecasts):
                    yield Cell(levels, reviewers, prior, bias, forecasts, papers)


FULL = Grid(
    name="full",
    levels=(2, 5, 10),
    reviewers=tuple(REVIEWERS),
    priors=tuple(PRIORS),
    biases=tuple(BIASES),
    forecasts=tuple(FORECASTS),
    venues={50: 64, 500: 8, 5000: 2},
    panels=200,
)
QUICK = Grid(
    name="quick",
    levels=(2, 5, 10),
    reviewers=("4", "mixed"),
    priors=tuple(PRIORS),
    biases=tuple(BIASES),
    forecasts=tuple(FORECASTS),
    venues={50: 4, 500: 1},
    panels=20,
)


def generator(seed: int, name: str, at: int) -> np.random.Generator:
    """Random numbers of the at-th venue of this name: the same whatever else is run, in any order, on any machine."""
    key = int.from_bytes(sha256(name.encode()).digest()[:16], "big")
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key, at)))
