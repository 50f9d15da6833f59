"""Accuracy and error probability without sampling: two levels, Bayesian reviewers, qualities drawn from a Beta.

The sum runs over all pairs of vote counts (surpeer.experiments.votes); which paper a pair of counts puts first is
decided exactly (surpeer.experiments.comparing).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from surpeer.core.noise import noise_matrix
from surpeer.core.shapes import FloatArray, IntArray, as_distributions, as_levels
from surpeer.errors import ArrayError, UnknownName
from surpeer.experiments.comparing import VOTE_METHODS, Noise, Ruler, VoteMethod, preferences
from surpeer.experiments.rational import Number, Numbers, as_floats, as_fractions
from surpeer.experiments.state_priors import check_weights
from surpeer.experiments.votes import Chances, as_reviewers, clean_chances, seen_given_clean

Fractions = NDArray[np.object_]

ORACLE = "oracle"
METHODS = (*VOTE_METHODS, ORACLE)

# Numbers in one table of chances for some points of a grid: bounds the memory, and fits the processor's cache.
NUMBERS_AT_ONCE = 250_000


def accuracy(
    n_a: int,
    n_b: int,
    prior: tuple[Number, Number],
    level_a: Numbers,
    level_b: Numbers,
    bias_a: Numbers,
    bias_b: Numbers,
    method: str = "surprisal",
) -> FloatArray:
    """The probability that a method puts two random papers in the order of their true quality; a tie counts one half.

    n_a, n_b : reviewers of each paper
    prior : (a, b), the share of clean accepts of a random paper is Beta(a, b)
    level_a, level_b : (...) noise levels, in [0, 1)
    bias_a, bias_b : (..., 2) weights of reject and accept in each paper's bias
    method : mean, surprisal, sp (prior known), sp_infinite (unanimous papers at infinity), or oracle: the best that
        any method can do which knows prior, level and bias
    returns (...), a float when every argument is a single setting

    Numbers are taken as they were meant: the float 0.3 is 3/10 and 1/3 a third, as long as the fraction's denominator
    is at most 100,000 (`surpeer.experiments.rational`). Fractions and texts such as "1/3" are exact.

    >>> float(accuracy(3, 3, (1, 1), 0, 0.5, (0, 1), (1, 0)).round(12))  # one accept of B ties with two of A
    0.718080357143
    """
    return accuracies(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, (method,))[method]


def accuracies(
    n_a: int,
    n_b: int,
    prior: tuple[Number, Number],
    level_a: Numbers,
    level_b: Numbers,
    bias_a: Numbers,
    bias_b: Numbers,
    methods: Sequence[str] = METHODS,
) -> dict[str, FloatArray]:
    """`accuracy` by several methods, for little more than the cost of one."""
    for method in methods:
        find_vote_method(method)
    grid = Grid.of(n_a, n_b, prior, level_a, level_b, bias_a, bias_b)
    found = {method: np.empty(len(grid.index_a)) for method in methods}
    for part in grid.parts():
        chances = grid.chances(part)
        for method, values in found.items():
            values[part] = expected_accuracy(chances, grid.preferences(method, part))
    return {method: values.reshape(grid.shape)[()] for method, values in found.items()}


def expected_accuracy(chances: Chances, prefer: FloatArray | None) -> FloatArray:
    """How often the truly better paper is put first; `prefer` as `preferences` returns it, None for the oracle."""
    if prefer is None:
        right = np.maximum(chances.a_better, chances.b_better)
    else:
        right = prefer * chances.a_better + (1 - prefer) * chances.b_better
    return np.asarray(right.sum(axis=(-1, -2)))


def error_probability(
    w_a: Numbers,
    w_b: Numbers,
    n_a: int,
    n_b: int,
    level_a: Numbers,
    level_b: Numbers,
    bias_a: Numbers,
    bias_b: Numbers,
    method: str = "surprisal",
    prior: tuple[Number, Number] = (1, 1),
) -> FloatArray:
    """Pr[S(A) > S(B)] + Pr[S(A) = S(B)] / 2 for two papers of known quality, B the better: what Theorem 2 bounds.

    w_a, w_b : (..., 2) clean states; the other arguments as for `accuracy`, any method but the oracle. Mean and
    surprisal do not need `prior`.

    >>> float(error_probability([0.8, 0.2], [0.2, 0.8], 20, 20, 0, 0.5, [0, 1], [1, 0]).round(9))
    0.004543616
    """
    chosen = find_vote_method(method)
    if chosen is None:
        raise ArrayError("the oracle has no error probability for papers of known quality: it would know them")
    clean = [as_distributions(as_floats(as_fractions(w, name)), name) for w, name in ((w_a, "w_a"), (w_b, "w_b"))]
    if any(states.shape[-1] != 2 for states in clean):
        raise ArrayError(f"found states with {max(states.shape[-1] for states in clean)} levels, expected 2")
    states_a, states_b = (states[..., 1] for states in clean)
    if not np.all(states_a <= states_b):
        raise ArrayError("paper B must not be worse than paper A")
    states = np.broadcast(states_a, states_b).shape
    grid = Grid.of(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, states)
    states_a, states_b = (np.broadcast_to(states, grid.shape).ravel() for states in (states_a, states_b))
    found = np.empty(len(states_a))
    for part in grid.parts():
        votes_a = _vote_distribution(grid.n_a, states_a[part], grid.noises_a, grid.index_a[part])
        votes_b = _vote_distribution(grid.n_b, states_b[part], grid.noises_b, grid.index_b[part])
        prefer = grid.preferences(method, part)
        assert prefer is not None  # noqa: S101 (only the oracle has none)
        found[part] = np.einsum("ia,iab,ib->i", votes_a, prefer, votes_b)
    return found.reshape(grid.shape)[()]


def _vote_distribution(n: int, clean: FloatArray, noises: list[Noise], index: IntArray) -> FloatArray:
    """(points, n + 1): the distribution of the accepts that are seen."""
    level = np.array([float(noise.level) for noise in noises])[index]
    accept = np.array([float(noise.accept) for noise in noises])[index]
    seen = np.clip((1 - level) * clean + level * accept, 0.0, 1.0)
    k, p = np.arange(n + 1), seen[:, None]
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, p) + xlog1py(n - k, -p)))


def find_vote_method(name: str) -> VoteMethod | None:
    """The method of this name; None for the oracle."""
    if name not in METHODS:
        raise UnknownName("method", str(name), METHODS)
    return VOTE_METHODS.get(name)


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
    return seen_given_clean(n, _matrices([noises[at] for at in used])), where


def _to_one_shape(*arrays: Fractions | FloatArray) -> tuple[Fractions, ...]:
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ArrayError(f"levels and biases cannot be brought to one shape: found {shapes}") from None


def _matrices(noises: list[Noise]) -> FloatArray:
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
    check_weights([float(min(max(number, 0), 10**300)) for number in numbers], "prior")
    return numbers[0], numbers[1]
