"""The accuracy curves of the paper's figures, as tables: every point, the points where a curve jumps, and a check by
sampling."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import polars as pl

from surpeer.core.noise import noise_matrix
from surpeer.experiments.comparing import METHODS
from surpeer.experiments.exact import accuracies
from surpeer.experiments.monte_carlo import sample_accuracies
from surpeer.experiments.settings import BIASES, LEVELS_A, PRIORS, REVIEWERS, Effort, beta_text
from surpeer.experiments.ties import JUMPING, ties_on_curve

CURVE = ("bias", "n", "prior", "lambda_a")
"""The columns that say which curve a row belongs to."""

Prior = tuple[Fraction, Fraction]
Bias = tuple[int, int]


def panels() -> Iterator[tuple[str, int, Prior, Bias, Bias]]:
    """Bias, reviewers and prior of every row of panels in the figures."""
    for bias, (bias_a, bias_b) in BIASES.items():
        for n in REVIEWERS:
            for prior in PRIORS:
                yield bias, n, prior, bias_a, bias_b


def accuracy_table(effort: Effort) -> pl.DataFrame:
    """`accuracy.csv`: the exact accuracy of every method at every point of every curve."""
    return curve_table(LEVELS_A, effort.levels_b)


def curve_table(
    levels_a: Sequence[Fraction],
    levels_b: Sequence[Fraction],
    methods: tuple[str, ...] = METHODS,
    mirrored: bool = False,
) -> pl.DataFrame:
    """Accuracy over all pairs of levels, for the biases, sizes and priors of the paper; `mirrored` turns accept and
    reject round in the biases."""
    parts = []
    for bias, n, prior, bias_a, bias_b in panels():
        biases = (bias_a[::-1], bias_b[::-1]) if mirrored else (bias_a, bias_b)
        found = accuracies(n, n, prior, np.array(levels_a)[:, None], np.array(levels_b), *biases, methods)
        values = np.stack([found[method] for method in methods], axis=-1)  # (A, B, methods)
        parts.append(
            pl.DataFrame(
                {
                    "bias": bias,
                    "n": n,
                    "prior": beta_text(prior),
                    "lambda_a": np.repeat(np.array(levels_a, dtype=np.float64), values[0].size),
                    "lambda_b": np.tile(np.repeat(np.array(levels_b, dtype=np.float64), len(methods)), len(levels_a)),
                    "method": list(methods) * (values.size // len(methods)),
                    "accuracy": values.ravel(),
                }
            )
        )
    return pl.concat(parts)


def average_table(accuracy: pl.DataFrame) -> pl.DataFrame:
    """The average of every method over all points of its curves, by bias and number of reviewers: a column each."""
    averages = accuracy.group_by("bias", "n", "method", maintain_order=True).agg(pl.col("accuracy").mean())
    return averages.pivot(on="method", index=["bias", "n"], values="accuracy")


def jump_table() -> pl.DataFrame:
    """`jumps.csv`: where two different vote counts tie, the value of the curve before, at and after that level.

    The value `at` is isolated: the curve has it at this one point.
    """
    rows = []
    for bias, n, prior, bias_a, bias_b in panels():
        for level_a in LEVELS_A:
            for method in JUMPING:
                for tie in ties_on_curve(n, n, prior, level_a, bias_a, bias_b, method):
                    rows.append(
                        {
                            "bias": bias,
                            "n": n,
                            "prior": beta_text(prior),
                            "lambda_a": float(level_a),
                            "method": method,
                            "lambda_b": float(tie.level_b),
                            "lambda_b_exact": str(tie.level_b) if isinstance(tie.level_b, Fraction) else "",
                            "tied_accepts": " ".join(f"{a}:{b}" for a, b in tie.votes),
                            "before": tie.before,
                            "at": tie.at,
                            "after": tie.after,
                        }
                    )
    return pl.DataFrame(rows)


def sampled_table(effort: Effort, rng: np.random.Generator) -> pl.DataFrame:
    """`sampled.csv`: points of every curve by sampling, beside the exact value."""
    rows = []
    for bias, n, prior, bias_a, bias_b in panels():
        for level_a in LEVELS_A:
            for level_b in effort.checked_levels_b:
                exact = accuracies(n, n, prior, level_a, level_b, bias_a, bias_b)
                noises = noise_matrix(float(level_a), bias_a), noise_matrix(float(level_b), bias_b)
                beta = (float(prior[0]), float(prior[1]))
                sampled = sample_accuracies(rng, effort.pairs, n, n, beta, *noises, METHODS)
                for method, estimate in sampled.items():
                    difference = estimate.mean - float(exact[method])
                    rows.append(
                        {
                            "bias": bias,
                            "n": n,
                            "prior": beta_text(prior),
                            "lambda_a": float(level_a),
                            "lambda_b": float(level_b),
                            "method": method,
                            "sampled": estimate.mean,
                            "standard_error": estimate.standard_error,
                            "exact": float(exact[method]),
                            "errors_apart": difference / estimate.standard_error,
                        }
                    )
    return pl.DataFrame(rows)
