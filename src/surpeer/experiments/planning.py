"""How many reviewers a venue needs: accuracy on a random pair of its papers, by number of reviewers and method.

A venue is a prior over qualities and some kinds of papers, each with a share, a noise level and a bias. A random pair
has two random kinds. Two levels are computed exactly, more are sampled.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import sqrt

import numpy as np
import polars as pl

from surpeer.core.noise import noise_matrix
from surpeer.core.shapes import FloatArray
from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments.comparing import ORACLE
from surpeer.experiments.exact import accuracies
from surpeer.experiments.monte_carlo import draw_seed, sample_accuracies
from surpeer.experiments.rational import Number, as_fraction
from surpeer.experiments.state_priors import Dirichlet

# What `surpeer score` can do, and the ceiling: our name of each method, by its name in the registry. The SP-inspired
# score of a venue has its prior from the predictions, so that unanimous papers are at infinity.
PLANNED = {"mean": "mean", "surprisal": "surprisal", "sp": "sp_infinite", ORACLE: ORACLE}

# An accuracy that is exactly the wanted one may come out so much below it.
ROUNDING = 1e-12

# Standard errors within which a sampled accuracy may be on the other side.
DOUBT = 2


@dataclass(frozen=True, slots=True)
class PaperKind:
    """Some of a venue's papers."""

    share: float
    level: Number
    bias: tuple[Number, ...]
    """Weight of each level, lowest first."""


@dataclass(frozen=True)
class Plan:
    """Accuracy by number of reviewers. Methods are named as in the registry, and `oracle`."""

    curve: pl.DataFrame
    """n, method, accuracy, standard_error (zero where it is exact)."""
    wanted: float

    def needed(self, method: str) -> int | None:
        """The fewest reviewers that reach the wanted accuracy, None when none of those tried does."""
        return self._fewest(method, 0)

    def needed_between(self, method: str) -> tuple[int | None, int | None]:
        """The same at the upper and at the lower end of what sampling leaves open."""
        return self._fewest(method, DOUBT), self._fewest(method, -DOUBT)

    def falls_back(self, method: str) -> list[int]:
        """Larger numbers of reviewers with which it is missed again, beyond doubt."""
        first = self.needed(method)
        if first is None:
            return []
        later = self.curve.filter((pl.col("method") == method) & (pl.col("n") > first))
        at_best = pl.col("accuracy") + 2 * DOUBT * pl.col("standard_error")
        return later.filter(at_best < self.wanted - ROUNDING)["n"].to_list()

    @property
    def methods(self) -> list[str]:
        """In the order of the curve."""
        return [str(name) for name in self.curve["method"].unique(maintain_order=True)]

    def _fewest(self, method: str, errors: float) -> int | None:
        if method not in self.methods:
            raise UnknownName("method", method, self.methods)
        optimistic = pl.col("accuracy") + errors * pl.col("standard_error")
        reached = self.curve.filter((pl.col("method") == method) & (optimistic >= self.wanted - ROUNDING))
        return None if reached.is_empty() else int(reached["n"].to_numpy().min())


def plan_exactly(
    prior: tuple[Number, Number],
    kinds: Sequence[PaperKind],
    wanted: float,
    sizes: Sequence[int],
    step: Callable[[], None] = lambda: None,
) -> Plan:
    """Two levels; prior (a, b) of the Beta distribution of the share of accepts. `step` is called before each size."""
    pairs, weights = _pairs(kinds, wanted)
    level_a, level_b = (np.array([pair[side].level for pair in pairs], dtype=object) for side in (0, 1))
    bias_a, bias_b = (np.array([pair[side].bias for pair in pairs], dtype=object) for side in (0, 1))
    rows = []
    for n in sizes:
        step()
        found = accuracies(n, n, prior, level_a, level_b, bias_a, bias_b, tuple(PLANNED.values()))
        rows += [(n, name, float(weights @ found[method]), 0.0) for name, method in PLANNED.items()]
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
    """Any number of levels; so many paper pairs are sampled for each number of reviewers. Without the oracle."""
    kind_pairs, weights = _pairs(kinds, wanted)
    methods = {name: method for name, method in PLANNED.items() if method != ORACLE}
    seed = draw_seed(rng)
    rows = []
    for n in sizes:
        step()
        same = np.random.default_rng(seed)  # the same papers and first reviewers for every size: a smoother curve
        total, variance = dict.fromkeys(methods, 0.0), dict.fromkeys(methods, 0.0)
        for (a, b), weight in zip(kind_pairs, weights.tolist(), strict=True):
            drawn = max(2, round(pairs * weight))
            found = sample_accuracies(
                same, drawn, n, n, prior, _noise(a), _noise(b), tuple(methods.values()), values=values
            )
            for name, method in methods.items():
                total[name] += weight * found[method].mean
                variance[name] += (weight * found[method].standard_error) ** 2
        rows += [(n, name, total[name], sqrt(variance[name])) for name in methods]
    return Plan(_curve(rows), wanted)


def _pairs(kinds: Sequence[PaperKind], wanted: float) -> tuple[list[tuple[PaperKind, PaperKind]], FloatArray]:
    """Unordered pairs of kinds, and how frequent each is among pairs of papers: the order does not matter."""
    shares = [float(kind.share) for kind in kinds]
    if not kinds or not all(share > 0 for share in shares) or abs(sum(shares) - 1) > 1e-9:
        raise ArrayError(f"the kinds of papers have the shares {shares}, expected positive ones with a sum of 1")
    if not 0.5 <= wanted < 1:
        raise ArrayError(f"the wanted accuracy is {wanted}, expected a probability from 0.5 to below 1")
    pairs = list(combinations_with_replacement(range(len(kinds)), 2))
    weights = np.array([shares[a] * shares[b] * (1 if a == b else 2) for a, b in pairs])
    return [(kinds[a], kinds[b]) for a, b in pairs], weights


def _noise(kind: PaperKind) -> FloatArray:
    return noise_matrix(float(as_fraction(kind.level)), [float(as_fraction(weight)) for weight in kind.bias])


def _curve(rows: list[tuple[int, str, float, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["n", "method", "accuracy", "standard_error"], orient="row")
