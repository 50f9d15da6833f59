"""Invented reviews for the tests of Spark, and how its results are compared with those in memory."""

from typing import Any

import numpy as np
import polars as pl
from polars.testing import assert_frame_equal

from surpeer.scale import Scale

TO_1E_12 = ("score", "standard_error", "own_share", "p_accept", "p_better_than_cut")
"""Columns that need not be the same to the last digit."""


def scale_of(levels: int) -> Scale:
    return Scale([f"L{level}" for level in range(levels)])


def shares_in_percent(rng: np.random.Generator, reviews: int, levels: int, step: int = 20) -> np.ndarray:
    """Predictions as people type them: whole steps of per cents, so that determinants are often exactly zero."""
    shares: np.ndarray = rng.multinomial(100 // step, [1 / levels] * levels, size=reviews) * step
    return shares


def invented(
    levels: int, reviews: int = 400, papers: int = 80, seed: int = 0, ids: str = "whole numbers"
) -> pl.DataFrame:
    """Reviews with complete predictions in percent."""
    rng = np.random.default_rng(seed)
    paper = rng.integers(0, papers, reviews)
    shares = shares_in_percent(rng, reviews, levels)
    return pl.DataFrame(
        {
            "paper": paper * 7919 - 40_000 if ids == "whole numbers" else [f"P {number:x}" for number in paper],
            "rating": [f"L{level}" for level in rng.integers(0, levels, reviews)],
            **{f"p_L{level}": shares[:, level] for level in range(levels)},
        }
    )


def on_spark(spark: Any, frame: pl.DataFrame, partitions: int = 3) -> Any:
    """The same rows as a Spark DataFrame in so many partitions."""
    return spark.createDataFrame(frame.to_arrow()).repartition(partitions)


def collected(table: Any) -> pl.DataFrame:
    """The result of Spark in the order of a ranking."""
    frame = pl.from_arrow(table.toArrow())
    assert isinstance(frame, pl.DataFrame)
    return frame.sort(["rank", "paper"] if "rank" in frame.columns else "paper")


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """Ranks, status and flags are the same, and numbers to 1e-12."""
    numbers = [name for name in TO_1E_12 if name in expected.columns]
    assert found.columns == expected.columns
    assert_frame_equal(found.drop(numbers), expected.drop(numbers), check_exact=True)
    assert_frame_equal(found.select(numbers), expected.select(numbers), rel_tol=1e-12, abs_tol=1e-12)
