"""Many settings of one size and prior at once: their arguments checked and brought to one shape, the chances of their
vote counts, and what a method makes of them, some points at a time."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surpeer.core.noise import noise_matrix
from surpeer.core.shapes import FloatArray, IntArray, as_distributions, as_levels
from surpeer.errors import ArrayError
from surpeer.experiments.comparing import Noise, Ruler, find_vote_method, preferences
from surpeer.experiments.rational import Number, Numbers, as_floats, as_fractions
from surpeer.experiments.state_priors import check_weights
from surpeer.experiments.votes import Chances, as_reviewers, clean_chances, seen_given_clean

Fractions = NDArray[np.object_]

# Numbers in one table of chances for some points of a grid: bounds the memory, and fits the processor's cache.
NUMBERS_AT_ONCE = 250_000


class Grid(NamedTuple):
    """Settings of one size and prior: the different noises of each paper, and which of them each point has."""

    n_a: int
    n_b: int
    prior: tuple[float, float]
    share: Fraction
    """The clean prior of an accept."""
    shape: tuple[int, ...]
    noises_a: list[Noise]
    noises_b: list[Noise]
    index_a: IntArray
    """(points,)"""
    index_b: IntArray

    @classmethod
    def of(
        cls,
        n_a: int,
        n_b: int,
        prior: tuple[Number, Number],
        level_a: Numbers,
        level_b: Numbers,
        bias_a: Numbers,
        bias_b: Numbers,
        shape: tuple[int, ...] = (),
    ) -> "Grid":
        """Check the arguments and bring them to one shape, `shape` or one that it can be spread over."""
        a, b = _beta(prior)
        noise = *_noises(level_a, bias_a, "a"), *_noises(level_b, bias_b, "b")
        *noise_ab, _ = _to_one_shape(*noise, np.empty(shape))
        noises_a, index_a = _distinct(noise_ab[0], noise_ab[1])
        noises_b, index_b = _distinct(noise_ab[2], noise_ab[3])
        return cls(
            as_reviewers(n_a, "n_a"),
            as_reviewers(n_b, "n_b"),
            (float(a), float(b)),
            a / (a + b),
            noise_ab[0].shape,
            noises_a,
            noises_b,
            index_a,
            index_b,
        )

    def parts(self) -> Iterator[slice]:
        """So many points at a time that their tables are small."""
        at_once = max(1, NUMBERS_AT_ONCE // ((self.n_a + 1) * (self.n_b + 1)))
        return (slice(start, start + at_once) for start in range(0, len(self.index_a), at_once))

    def chances(self, part: slice) -> Chances:
        """Chances of all pairs of vote counts at these points."""
        seen_a, index_a = _seen(self.n_a, self.noises_a, self.index_a[part])
        seen_b, index_b = _seen(self.n_b, self.noises_b, self.index_b[part])
        turned = np.swapaxes(seen_a, -1, -2)
        clean = clean_chances(self.prior, self.n_a, self.n_b)
        return Chances(*((turned @ chances)[index_a] @ seen_b[index_b] for chances in clean))

    def preferences(self, method: str, part: slice) -> FloatArray | None:
        """What the method makes of every pair of vote counts at these points; None for the oracle."""
        chosen = find_vote_method(method)
        if chosen is None:
            return None
        index_a, index_b = self.index_a[part].tolist(), self.index_b[part].tolist()
        rulers_a = {a: chosen.ruler(self.share, self.noises_a[a]) for a in set(index_a)}
        rulers_b = {b: chosen.ruler(self.share, self.noises_b[b]) for b in set(index_b)}
        pairs: dict[tuple[Ruler, Ruler], int] = {}
        which = [
            pairs.setdefault((rulers_a[a], rulers_b[b]), len(pairs)) for a, b in zip(index_a, index_b, strict=True)
        ]
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        return preferences(chosen, self.n_a, self.n_b, first, second)[which]


def _seen(n: int, noises: list[Noise], index: IntArray) -> tuple[FloatArray, IntArray]:
    """What becomes of clean votes under the different noises of some points, and which of them each point has."""
    used, where = np.unique(index, return_inverse=True)
    return seen_given_clean(n, noise_matrices([noises[at] for at in used])), where


def _to_one_shape(*arrays: Fractions | FloatArray) -> tuple[Fractions, ...]:
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ArrayError(f"levels and biases cannot be brought to one shape: found {shapes}") from None


def noise_matrices(noises: list[Noise]) -> FloatArray:
    """(noises, 2, 2), in floats."""
    accept = np.array([float(noise.accept) for noise in noises])
    return noise_matrix([float(noise.level) for noise in noises], np.stack([1 - accept, accept], axis=-1))


def _noises(level: Numbers, bias: Numbers, side: str) -> tuple[Fractions, Fractions]:
    """Level and accept weight of one paper, as arrays of fractions of one shape."""
    levels = as_fractions(level, f"level_{side}")
    as_levels(as_floats(levels), f"level_{side}")
    weights = as_fractions(bias, f"bias_{side}")
    if weights.ndim < 1 or weights.shape[-1] != 2:
        raise ArrayError(f"bias_{side} has shape {weights.shape}, expected (..., 2): the weights of reject and accept")
    as_distributions(as_floats(weights), f"bias_{side}")
    accept = weights[..., 1] / weights.sum(axis=-1)  # exactly a share, however the weights were rounded
    return levels, np.asarray(accept, dtype=object)


def _distinct(levels: Fractions, accepts: Fractions) -> tuple[list[Noise], IntArray]:
    found: dict[Noise, int] = {}
    index = [
        found.setdefault(Noise(level, accept), len(found))
        for level, accept in zip(levels.ravel(), accepts.ravel(), strict=True)
    ]
    return list(found), np.array(index, dtype=np.int64)


def _beta(prior: Numbers) -> tuple[Fraction, Fraction]:
    numbers = as_fractions(prior, "prior")
    if numbers.shape != (2,):
        raise ArrayError(f"prior is {prior!r}, expected the two parameters (a, b) of a Beta distribution")
    check_weights(numbers, "prior", prior)
    return numbers[0], numbers[1]
