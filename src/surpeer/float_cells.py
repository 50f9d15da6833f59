"""Columns of numbers -> floats of 64 bits, each the decimal number that its cell prints as.

A float of 32 bits that was 0.1 is 0.10000000149011612 when it is taken for one of 64: then hundredths are no longer
hundredths, and what is exactly zero with the one is nearly zero with the other.
"""

import numpy as np
import polars as pl

PARTS = 1e4
"""Of one: predictions are mostly whole numbers of them, and no two of these up to 100 are the same in 32 bits."""


def as_floats(column: pl.Series) -> pl.Series:
    """The numbers of a numeric column.

    >>> as_floats(pl.Series([0.1, 33.3, None], dtype=pl.Float32)).to_list()
    [0.1, 33.3, None]
    """
    if column.dtype != pl.Float32:
        return column.cast(pl.Float64)
    if not column.null_count():
        given = column.to_numpy()
        nearest = np.rint(given.astype(np.float64) * PARTS) / PARTS
        if np.array_equal(nearest.astype(np.float32), given):
            return pl.Series(column.name, nearest)
    return column.cast(pl.String).cast(pl.Float64)
