"""What the paper says of its experiment, held against the exact curves."""

from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.shapes import FloatArray
from surpeer.experiments.curves import CURVE, curve_table
from surpeer.experiments.settings import LEVELS_A, REVIEWERS, Effort

# Differences of accuracies below this are rounding.
ROUNDING = 1e-12


class Finding(NamedTuple):
    """A statement on one part of the grid."""

    statement: str
    part: str
    points: int
    """Settings that were compared."""
    against: int
    """How many of them contradict the statement."""
    equal: int
    """How many show no difference."""
    average: float
    """Of the difference that the statement says is positive (or small)."""
    worst: float
    """The difference at the worst point."""
    worst_at: str
    """Empty where nothing contradicts the statement."""


BEATS_MEAN = "surprisal outperforms or equals the baseline in all cases"
BEATS_MEAN_EVERYWHERE = "the same, with lambda_a taking all the levels of lambda_b"
MORE_IF_OPPOSITE = "the advantage is larger under opposite bias"
MORE_IF_MANY = "the advantage is larger with more reviewers"
LIKE_SP = "within one percentage point of SP (prior known)"
LIKE_SP_INFINITE = "within one percentage point of SP (unanimous at infinity)"
MIRRORED = "both papers biased towards reject: the same as both towards accept"
BELOW_ORACLE = "no method is above the oracle"

# How far apart two curves may be and still be called roughly the same: one percentage point.
ROUGHLY = 0.01


def statement_table(accuracy: pl.DataFrame, effort: Effort) -> pl.DataFrame:
    """`statements.csv`: for each statement and part of the grid how often it fails, by how much, and where.

    accuracy : the table of all curves
    """
    wide = _wide(accuracy)
    findings = [
        *_by_part(BEATS_MEAN, wide),
        *_by_part(BEATS_MEAN_EVERYWHERE, _wide(curve_table(effort.levels_b, effort.levels_b, ("mean", "surprisal")))),
        _opposite(wide),
        *_more_reviewers(wide),
        *_near(LIKE_SP, wide, "sp"),
        *_near(LIKE_SP_INFINITE, wide, "sp_infinite"),
        _mirrored(accuracy, curve_table(LEVELS_A, effort.levels_b, mirrored=True)),
        *_below_oracle(wide),
    ]
    return pl.DataFrame([finding._asdict() for finding in findings])


def _wide(accuracy: pl.DataFrame) -> pl.DataFrame:
    """A row for each point, a column for each method, and the advantage of surprisal over the mean."""
    wide = accuracy.pivot(on="method", index=[*CURVE, "lambda_b"], values="accuracy")
    return wide.with_columns(advantage=pl.col("surprisal") - pl.col("mean"))


def _by_part(statement: str, wide: pl.DataFrame) -> list[Finding]:
    return [
        _finding(statement, f"{bias} bias, n = {n}", part.with_columns(difference="advantage"))
        for (bias, n), part in wide.group_by("bias", "n", maintain_order=True)
    ]


def _finding(statement: str, part: str, table: pl.DataFrame) -> Finding:
    """From a table with a column `difference` that the statement says is not negative."""
    difference = table["difference"]
    worst = table.row(_worst(-difference.to_numpy()), named=True)
    against, equal = int((difference < -ROUNDING).sum()), int((difference.abs() <= ROUNDING).sum())
    place = _place(worst) if against else ""
    least = 0.0 if abs(worst["difference"]) <= ROUNDING else float(worst["difference"])
    return Finding(statement, part, len(table), against, equal, _mean(difference), least, place)


def _worst(badness: FloatArray) -> int:
    """The first of the rows that are worst up to rounding, so that the last bit does not choose."""
    return int(np.flatnonzero(badness >= badness.max() - ROUNDING)[0])


def _mean(series: pl.Series) -> float:
    return float(series.to_numpy().mean())


def _place(row: dict[str, object]) -> str:
    names = {"bias": "{}", "n": "n={}", "prior": "Beta({})", "lambda_a": "lambda_a={}", "lambda_b": "lambda_b={}"}
    return ", ".join(text.format(row[name]) for name, text in names.items() if name in row)


def _opposite(wide: pl.DataFrame) -> Finding:
    where = ["n", "prior", "lambda_a", "lambda_b"]
    opposite, same = (wide.filter(pl.col("bias") == bias) for bias in ("opposite", "same"))
    joined = opposite.join(same, on=where, suffix="_same", maintain_order="left")
    joined = joined.select(*where, difference=pl.col("advantage") - pl.col("advantage_same"))
    return _finding(MORE_IF_OPPOSITE, "all", joined)


def _more_reviewers(wide: pl.DataFrame) -> list[Finding]:
    where = ["bias", "prior", "lambda_a", "lambda_b"]
    few, many = (wide.filter(pl.col("n") == n) for n in REVIEWERS)
    joined = many.join(few, on=where, suffix="_few", maintain_order="left")
    joined = joined.select(*where, difference=pl.col("advantage") - pl.col("advantage_few"))
    return [
        _finding(MORE_IF_MANY, f"{bias} bias", part) for (bias,), part in joined.group_by("bias", maintain_order=True)
    ]


def _near(statement: str, wide: pl.DataFrame, other: str) -> list[Finding]:
    """The difference is signed, surprisal less SP; a point is against when it is beyond ROUGHLY either way."""
    findings = []
    for (bias, n), part in wide.group_by("bias", "n", maintain_order=True):
        difference = part["surprisal"] - part[other]
        worst = _worst(np.abs(difference.to_numpy()))
        findings.append(
            Finding(
                statement,
                f"{bias} bias, n = {n}",
                len(part),
                int((difference.abs() > ROUGHLY).sum()),
                int((difference.abs() <= ROUNDING).sum()),
                _mean(difference),
                float(difference[worst]),
                _place(part.row(worst, named=True)),
            )
        )
    return findings


def _mirrored(accuracy: pl.DataFrame, mirrored: pl.DataFrame) -> Finding:
    """Accept and reject turned round on both papers, which the priors' symmetry should undo."""
    point = [*CURVE, "lambda_b", "method"]
    joined = accuracy.join(mirrored, on=point, suffix="_mirrored", maintain_order="left")
    joined = joined.filter(pl.col("bias") == "same").select(
        *point, difference=-(pl.col("accuracy") - pl.col("accuracy_mirrored")).abs()
    )
    return _finding(MIRRORED, "all methods", joined)


def _below_oracle(wide: pl.DataFrame) -> list[Finding]:
    return [
        _finding(BELOW_ORACLE, method, wide.with_columns(difference=pl.col("oracle") - pl.col(method)))
        for method in ("mean", "surprisal", "sp", "sp_infinite")
    ]
