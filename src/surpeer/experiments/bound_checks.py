"""Theorems 2 and 3 as experiments: is the error probability of a pair of papers below the bound?"""

from itertools import product

import numpy as np
import polars as pl

from surpeer.core.bounds import error_bound_binary, error_bound_general
from surpeer.core.noise import noise_matrix
from surpeer.core.shapes import FloatArray
from surpeer.experiments.exact import error_probability
from surpeer.experiments.monte_carlo import sample_accuracy
from surpeer.experiments.settings import Effort
from surpeer.experiments.state_priors import Dirichlet

BINARY_SIZES = ((3, 3), (5, 5), (5, 10), (10, 10), (20, 20), (50, 50))
BINARY_PAIRS = ((0.1, 0.3), (0.2, 0.8), (0.4, 0.6), (0.3, 0.9), (0.05, 0.95), (0.45, 0.5))
BINARY_LEVELS = (0.0, 0.3, 0.6, 0.9)
BINARY_BIASES = (((0.0, 1.0), (1.0, 0.0)), ((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (0.0, 1.0)), ((0.5, 0.5), (0.5, 0.5)))

GENERAL_PAIRS = {
    3: (((0.6, 0.2, 0.2), (0.2, 0.2, 0.6)), ((0.4, 0.3, 0.3), (0.2, 0.3, 0.5))),
    4: (((0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4)), ((0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3))),
}
GENERAL_LEVELS = (0.0, 0.3, 0.6)

# A sampled error this many standard errors above the bound would contradict it.
ERRORS_ALLOWED = 4


def bounds_table(effort: Effort, rng: np.random.Generator) -> pl.DataFrame:
    """`bounds.csv`: error probability of the surprisal score, exact or sampled, beside the bound of the theorem."""
    return pl.concat([_binary_table(), _general_table(effort, rng)])


def _binary_table() -> pl.DataFrame:
    grid = list(product(BINARY_PAIRS, BINARY_LEVELS, BINARY_LEVELS, BINARY_BIASES))
    (low, high), level_a, level_b = (np.array(column, dtype=float).T for column in list(zip(*grid, strict=True))[:3])
    bias_a, bias_b = (np.array([row[3][side] for row in grid]) for side in (0, 1))
    w_a, w_b = (np.stack([1 - share, share], axis=1).round(12) for share in (low, high))
    parts = []
    for n_a, n_b in BINARY_SIZES:
        setting = (w_a, w_b, n_a, n_b, level_a, level_b, bias_a, bias_b)
        error, bound = error_probability(*setting), error_bound_binary(*setting)
        parts.append(_rows("binary", n_a, n_b, w_a, w_b, level_a, level_b, bias_a, bias_b, error, 0 * error, bound))
    return pl.concat(parts)


def _general_table(effort: Effort, rng: np.random.Generator) -> pl.DataFrame:
    parts = []
    for signals, pairs in GENERAL_PAIRS.items():
        values, one = np.arange(1, signals + 1), np.eye(signals)
        biases = ((one[-1], one[0]), (np.full(signals, 1 / signals),) * 2)
        for (w_a, w_b), n, level, (bias_a, bias_b) in product(pairs, effort.general_reviewers, GENERAL_LEVELS, biases):
            noises = noise_matrix(level, bias_a), noise_matrix(level, bias_b)
            prior = Dirichlet((1.0,) * signals)
            found = sample_accuracy(rng, effort.pairs_general, n, n, prior, *noises, values=values, states=(w_a, w_b))
            bound = error_bound_general(w_a, w_b, values, n, n, level, level, bias_a, bias_b)
            row = [np.array([number]) for number in (w_a, w_b, level, level, bias_a, bias_b)]
            numbers = [np.array([number]) for number in (1 - found.mean, found.standard_error, float(bound))]
            parts.append(_rows("general", n, n, *row, *numbers))
    return pl.concat(parts)


def _rows(
    theorem: str,
    n_a: int,
    n_b: int,
    w_a: FloatArray,
    w_b: FloatArray,
    level_a: FloatArray,
    level_b: FloatArray,
    bias_a: FloatArray,
    bias_b: FloatArray,
    error: FloatArray,
    standard_error: FloatArray,
    bound: FloatArray,
) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "theorem": theorem,
            "levels": w_a.shape[1],
            "n_a": n_a,
            "n_b": n_b,
            "w_a": _texts(w_a),
            "w_b": _texts(w_b),
            "lambda_a": level_a,
            "lambda_b": level_b,
            "bias_a": _texts(bias_a),
            "bias_b": _texts(bias_b),
            "error": error,
            "standard_error": standard_error,
            "bound": bound,
            "holds": error <= bound + ERRORS_ALLOWED * standard_error,
        }
    )


def _texts(vectors: FloatArray) -> list[str]:
    return [",".join(np.format_float_positional(number, trim="-") for number in vector) for vector in vectors]
