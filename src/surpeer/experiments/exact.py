"""Accuracy and error probability without sampling: two levels, Bayesian reviewers, qualities drawn from a Beta.

The sum runs over all pairs of vote counts (surpeer.experiments.votes); which paper a pair of counts puts first is
decided exactly (surpeer.experiments.comparing).
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from surpeer.core.noise import noisy_state
from surpeer.core.shapes import FloatArray, as_distributions
from surpeer.errors import ArrayError
from surpeer.experiments.comparing import METHODS, Noise, find_vote_method
from surpeer.experiments.grid import Grid, noise_matrices
from surpeer.experiments.rational import Number, Numbers, as_floats, as_fractions
from surpeer.experiments.votes import Chances


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
    if not np.all(clean[0][..., 1] <= clean[1][..., 1]):
        raise ArrayError("paper B must not be worse than paper A")
    shape = np.broadcast(*(states[..., 1] for states in clean)).shape
    grid = Grid.of(n_a, n_b, prior, level_a, level_b, bias_a, bias_b, shape)
    states_a, states_b = (np.broadcast_to(states, (*grid.shape, 2)).reshape(-1, 2) for states in clean)
    found = np.empty(len(states_a))
    for part in grid.parts():
        votes_a = _vote_distribution(grid.n_a, states_a[part], [grid.noises_a[at] for at in grid.index_a[part]])
        votes_b = _vote_distribution(grid.n_b, states_b[part], [grid.noises_b[at] for at in grid.index_b[part]])
        prefer = grid.preferences(method, part)
        assert prefer is not None  # noqa: S101 (only the oracle has none)
        found[part] = np.einsum("ia,iab,ib->i", votes_a, prefer, votes_b)
    return found.reshape(grid.shape)[()]


def _vote_distribution(n: int, clean: FloatArray, noises: list[Noise]) -> FloatArray:
    """The distribution of the accepts that are seen: (points, n + 1). clean : (points, 2), and a noise for each."""
    seen = np.clip(noisy_state(clean, noise_matrices(noises))[:, 1:], 0.0, 1.0)
    k = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, seen) + xlog1py(n - k, -seen)))
