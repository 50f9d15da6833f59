"""The column `paper`: ids that are whole numbers or text, never empty."""

import numpy as np
import polars as pl

from surpeer.columns import PAPER
from surpeer.core.shapes import IntArray
from surpeer.errors import Problem
from surpeer.slips import Slips

TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum, pl.Null)

LARGEST_ID = 2**63 - 1


def id_problems(ids: pl.Series) -> list[Problem]:
    """A problem if the column can hold no ids at all."""
    if ids.dtype.is_integer() or ids.dtype in TEXT_TYPES or _are_whole_decimals(ids):
        return []
    found = f"ids of type {ids.dtype}"
    return [Problem(None, PAPER, found, "text or whole numbers", "convert the column to text")]


def plain_ids(ids: pl.Series) -> pl.Series:
    """The ids as whole numbers of the type they have, or as text."""
    if _are_whole_decimals(ids):
        return ids.cast(pl.Int128)
    return ids if ids.dtype.is_integer() else ids.cast(pl.String)


def _are_whole_decimals(ids: pl.Series) -> bool:
    """Whether these are decimals without a point, as Spark has whole numbers of 64 bits that have no sign."""
    return isinstance(ids.dtype, pl.Decimal) and ids.dtype.scale == 0


def blank_ids(ids: pl.Series, rows: IntArray) -> list[Slips]:
    """A problem for every empty cell among whole numbers or texts."""
    if _are_filled(ids):
        return []
    is_blank = ids.is_null() if ids.dtype.is_integer() else ids.str.strip_chars().fill_null("") == ""
    blank = np.flatnonzero(is_blank.to_numpy()) if is_blank.any() else np.array([], dtype=np.int64)

    def describe(index: int) -> Problem:
        row = int(rows[blank[index]])
        return Problem(row, PAPER, "an empty cell", "the id of a paper", "fill it in or delete the row")

    return [Slips(blank, describe)] if len(blank) else []


def _are_filled(ids: pl.Series) -> bool:
    """Whether all cells surely are filled: texts that begin with a plain letter, digit or sign are."""
    if ids.null_count() or not len(ids):
        return False
    if ids.dtype.is_integer():
        return True
    first, last = ids.min(), ids.max()
    return isinstance(first, str) and isinstance(last, str) and first >= "!" and last < "\x7f"


def long_ids(ids: pl.Series, rows: IntArray) -> tuple[pl.Series, list[Slips]]:
    """Whole numbers as Int64, and a problem for every one that is too large for it; text stays as it is."""
    if not ids.dtype.is_integer() or ids.dtype == pl.Int64:
        return ids, []
    numbers = ids.cast(pl.Int64, strict=False)
    if numbers.null_count() == ids.null_count():
        return numbers, []
    large = np.flatnonzero((numbers.is_null() & ids.is_not_null()).to_numpy())

    def describe(index: int) -> Problem:
        at = int(large[index])
        return Problem(int(rows[at]), PAPER, f"{ids[at]}", f"whole numbers up to {LARGEST_ID}", "write the ids as text")

    return numbers, [Slips(large, describe)]


def twin_ids(ids: pl.Series) -> pl.Series:
    """Of different ids, those that differ from another one in surrounding space only."""
    if ids.dtype != pl.String:
        return ids.clear()
    stripped = ids.str.strip_chars()
    return ids.clear() if (stripped == ids).all() else ids.filter(stripped.is_duplicated())
