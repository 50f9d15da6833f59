"""How many reviewers a venue needs: accuracy on a random pair of its papers, by number of reviewers and method.

A venue is a prior over qualities and some kinds of papers, each with a share, a noise level and a bias. A random pair
has two random kinds. Two levels are computed exactly, more are sampled.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
import polars as pl

from surpeer.core.noise import noise_matrix
from surpeer.experiments.exact import METHODS, accuracies
from surpeer.experiments.monte_carlo import SAMPLED_METHODS, sample_accuracies
from surpeer.experiments.rational import Number
from surpeer.experiments.state_priors import Dirichlet


@dataclass(frozen=True, slots=True)
class PaperKind:
    """Some of a venue's papers."""

    share: float
    level: Number
    bias: tuple[Number, ...]
    """Weight of each level, lowest first."""


@dataclass(frozen=True)
class Plan:
    """Accuracy by number of reviewers."""

    curve: pl.DataFrame
    """n, method, accuracy, standard_error (zero where it is exact)."""
    wanted: float

    def needed(self, method: str) -> int | None:
        """The fewest reviewers that reach the wanted accuracy, None when none of those tried does."""
        reached = self.curve.filter((pl.col("method") == method) & (pl.col("accuracy") >= self.wanted))
        return None if reached.is_empty() else int(reached["n"].to_numpy().min())

    def falls_back(self, method: str) -> list[int]:
        """Larger numbers of reviewers with which it is missed again."""
        first = self.needed(method)
        if first is None:
            return []
        later = self.curve.filter((pl.col("method") == method) & (pl.col("n") > first))
        return later.filter(pl.col("accuracy") < self.wanted)["n"].to_list()

    @property
    def methods(self) -> list[str]:
        """In the order of the curve."""
        return [str(name) for name in self.curve["method"].unique(maintain_order=True)]


def plan_exactly(
    prior: tuple[Number, Number],
    kinds: Sequence[PaperKind],
    wanted: float,
    sizes: Sequence[int],
    step: Callable[[], None] = lambda: None,
) -> Plan:
    """Two levels; prior (a, b) of the Beta distribution of the share of accepts. `step` is called after each size."""
    pairs = list(product(kinds, kinds))
    weights = np.array([a.share * b.share for a, b in pairs])
    level_a, level_b = (np.array([pair[side].level for pair in pairs], dtype=object) for side in (0, 1))
    bias_a, bias_b = (np.array([pair[side].bias for pair in pairs], dtype=object) for side in (0, 1))
    rows = []
    for n in sizes:
        found = accuracies(n, n, prior, level_a, level_b, bias_a, bias_b)
        rows += [(n, method, float(weights @ found[method]), 0.0) for method in METHODS]
        step()
    return Plan(_curve(rows), wanted)


def plan_by_sampling(
    rng: np.random.Generator,
    pairs: int,
    prior: Dirichlet,
    kinds: Sequence[PaperKind],
    wanted: float,
    sizes: Sequence[int],
    values: Sequence[float] | None = None,
    step: Callable[[], None] = lambda: None,
) -> Plan:
    """Any number of levels; so many paper pairs are sampled for each number of reviewers."""
    noises = [noise_matrix(float(kind.level), np.array(kind.bias, dtype=np.float64)) for kind in kinds]
    rows = []
    for n in sizes:
        total, variance = dict.fromkeys(SAMPLED_METHODS, 0.0), dict.fromkeys(SAMPLED_METHODS, 0.0)
        for a, b in product(range(len(kinds)), repeat=2):
            weight = kinds[a].share * kinds[b].share
            drawn = max(2, round(pairs * weight))
            found = sample_accuracies(rng, drawn, n, n, prior, noises[a], noises[b], values=values)
            for method, estimate in found.items():
                total[method] += weight * estimate.mean
                variance[method] += (weight * estimate.standard_error) ** 2
        rows += [(n, method, total[method], sqrt(variance[method])) for method in SAMPLED_METHODS]
        step()
    return Plan(_curve(rows), wanted)


def _curve(rows: list[tuple[int, str, float, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["n", "method", "accuracy", "standard_error"], orient="row")
