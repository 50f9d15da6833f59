"""The accuracy table in few numbers: how far methods are from the oracle and from the mean, in points."""

import polars as pl

POINTS = 100
"""Of pairwise accuracy."""


def gap_table(accuracy: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Average and worst over cells, by these columns, for the gap to the oracle and the gain over the mean."""
    return accuracy.group_by(*by, maintain_order=True).agg(
        below_oracle=POINTS * pl.col("below_oracle").mean(),
        worst_below_oracle=POINTS * pl.col("below_oracle").max(),
        above_mean=POINTS * pl.col("above_mean").mean(),
        worst_above_mean=POINTS * pl.col("above_mean").min(),
    )


def names(accuracy: pl.DataFrame, column: str) -> list[str]:
    """What a column has, in the order of the table."""
    return [str(name) for name in accuracy[column].unique(maintain_order=True)]
