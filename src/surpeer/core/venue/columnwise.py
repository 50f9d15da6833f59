"""Products of small matrices with the columns of many papers.

The libraries that multiply matrices are several times as fast as anything else. But they add up in another order at
the edges of a product, so that papers with the same reviews would differ in the last digit; and they start threads for
products that are too small for it.
"""

from functools import cache

import numpy as np

from surpeer.core.shapes import FloatArray

TILE = 64
"""Columns at a time: as many as the widest processors take at once, several times over."""

FEW = 8
"""Entries of a matrix up to which no library is worth the call."""

ALONE, ALONE_WITH_A_ROW = 200_000, 8_000
"""Multiplications that no library takes several threads for, of two matrices and of one with a row."""


def times_columns(matrix: FloatArray, columns: FloatArray) -> FloatArray:
    """(R, F) times (F, N), each column to the last bit the same whatever columns are beside it.

    Products of one and the same shape have the same edges, so columns are taken a tile at a time; where there are too
    few for a tile, some are taken again. That all columns of a tile are treated alike is what libraries do, not what
    they promise; so it is tried out once for each shape, and where it is not so there is a slower way.
    """
    if matrix.shape[1] == 1:  # nothing is added up
        return matrix * columns
    return _in_tiles(matrix, columns) if matrix.size > FEW and _alike(*matrix.shape) else _slowly(matrix, columns)


def _in_tiles(matrix: FloatArray, columns: FloatArray) -> FloatArray:
    count = columns.shape[1]
    if count < TILE:
        filled = np.zeros((len(columns), TILE))
        filled[:, :count] = columns
        return np.asarray((matrix @ filled)[:, :count])
    product, whole = np.empty((len(matrix), count)), count - count % TILE
    np.matmul(matrix, _tiles(columns[:, :whole]), out=_tiles(product[:, :whole]))
    if whole < count:
        product[:, whole:] = (matrix @ columns[:, -TILE:])[:, whole - count :]
    return product


def _tiles(columns: FloatArray) -> FloatArray:
    """(F, T TILE) -> (T, F, TILE), the same memory."""
    return columns.reshape(len(columns), -1, TILE).transpose(1, 0, 2)


def _slowly(matrix: FloatArray, columns: FloatArray) -> FloatArray:
    """A single column would be added up in another order than beside others."""
    if columns.shape[1] == 1:
        return np.asarray(np.einsum("rf,fn->rn", matrix, np.repeat(columns, 2, axis=1))[:, :1])
    return np.asarray(np.einsum("rf,fn->rn", matrix, columns))


@cache
def _alike(rows: int, size: int) -> bool:
    """Whether equal columns have equal products, wherever they are, with matrices of this shape."""
    if rows == 1:  # multiplied in another way
        return False
    matrix, column = np.cos(np.arange(rows * size)).reshape(rows, size), np.sin(np.arange(1.0, size + 1))[:, None]
    several, few = (_in_tiles(matrix, np.repeat(column, count, axis=1)) for count in (4 * TILE + 23, 3))
    return bool((several == several[:, :1]).all() and (few == several[:, :3]).all())


def sums_of_products(one: FloatArray, two: FloatArray) -> FloatArray:
    """(R, N), (F, N) -> (R, F), added up over the N columns."""
    at_once = ALONE if min(len(one), len(two)) > 1 else ALONE_WITH_A_ROW
    most = max(at_once // (len(one) * len(two)), 1)
    if one.shape[1] <= most:
        return np.asarray(one @ two.T)
    pieces = range(0, one.shape[1], most)
    return np.asarray(np.sum([one[:, at : at + most] @ two[:, at : at + most].T for at in pieces], axis=0))
