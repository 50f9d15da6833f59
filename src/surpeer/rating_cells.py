"""The rating column: cells -> indices into the scale's levels."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.columns import RATING
from surpeer.core.shapes import IntArray
from surpeer.errors import Problem, nearest_name, quoted
from surpeer.scale import Scale, plain_number
from surpeer.slips import Slips

Codes = NDArray[np.int8]
"""(n,) index of each rating's level, -1 where it is none; a scale has at most 101 levels."""

FEW_LEVELS = 10  # that every text is compared with

FAR_APART = 1000  # of the lowest and highest of whole numbers that may be ratings


def rating_texts(frame: pl.DataFrame) -> pl.Series:
    """The ratings as text, as the scale's levels are; a whole number stored as a float loses its `.0`."""
    if RATING not in frame.columns:
        return pl.Series(RATING, [], dtype=pl.String)
    ratings = frame[RATING]
    if ratings.dtype.is_nested() or ratings.dtype in (pl.Binary, pl.Object):
        return pl.Series(RATING, [None if cell is None else str(cell) for cell in ratings.to_list()], dtype=pl.String)
    if ratings.dtype.is_float():
        ratings = ratings.fill_nan(None)
        whole = ratings.cast(pl.Int64, strict=False)
        texts = pl.select(pl.when(whole == ratings).then(whole.cast(pl.String)).otherwise(ratings.cast(pl.String)))
        return texts.to_series().rename(RATING)
    return ratings.cast(pl.String)


def different_ratings(frame: pl.DataFrame) -> list[str]:
    """The ratings that are in a table, as text, each once."""
    return rating_texts(frame).unique().drop_nulls().sort().to_list()


def read_ratings(frame: pl.DataFrame, scale: Scale, rows: IntArray) -> tuple[Codes, list[Slips]]:
    """(n,) index of each rating's level, and a problem for every cell that is none."""
    plain = _codes_of_plain_cells(frame[RATING], scale)
    if plain is not None:
        return plain, []
    texts = rating_texts(frame)
    found = texts.cast(pl.Enum(scale.levels), strict=False).to_physical().cast(pl.Int8)
    if not found.null_count():
        return found.to_numpy(), []
    codes = found.fill_null(-1).to_numpy().copy()
    doubtful = np.flatnonzero(codes < 0)
    codes[doubtful] = _codes_of_other_spellings(texts.gather(doubtful), scale)
    wrong = doubtful[codes[doubtful] < 0]
    if not len(wrong):
        return codes, []
    return codes, [Slips(wrong, lambda at: _problem(int(rows[wrong[at]]), texts[int(wrong[at])], scale))]


def _codes_of_plain_cells(column: pl.Series, scale: Scale) -> Codes | None:
    """The codes of a column in which every cell is a level as it is written; None where that is not easily seen."""
    if column.null_count() or not len(column):
        return None
    if column.dtype == pl.String:
        return _codes_of_texts(column, scale) if len(scale) <= FEW_LEVELS else None
    if column.dtype in (pl.Categorical, pl.Enum):
        return _codes_of_categories(column, scale)
    return _codes_of_numbers(column, scale)


def _codes_of_texts(column: pl.Series, scale: Scale) -> Codes | None:
    codes, found = np.zeros(len(column), dtype=np.int8), 0
    for code, level in enumerate(scale.levels):
        is_level = column == level
        found += int(is_level.sum())
        if code:
            codes += is_level.to_numpy().view(np.int8) * np.int8(code)
    return codes if found == len(column) else None


def _codes_of_categories(column: pl.Series, scale: Scale) -> Codes | None:
    different = column.unique()
    code_of_text = {level: code for code, level in enumerate(scale.levels)}
    codes = [code_of_text.get(text, -1) for text in different.cast(pl.String)] if len(different) <= len(scale) else [-1]
    numbers = different.to_physical().to_numpy()
    if -1 in codes or numbers.max() > FAR_APART:
        return None
    code_of = np.zeros(int(numbers.max()) + 1, dtype=np.int8)
    code_of[numbers] = codes
    codes_of_cells: Codes = code_of[column.to_physical().to_numpy()]
    return codes_of_cells


def _codes_of_numbers(column: pl.Series, scale: Scale) -> Codes | None:
    numbers = [number for level in scale.levels if (number := plain_number(level)) is not None]
    is_number = column.dtype.is_integer() or column.dtype.is_float()
    if not is_number or len(numbers) < len(scale):
        return None
    if column.dtype.is_float() and column.is_nan().any():
        return None
    cells = column.to_numpy()
    low, high, lowest, highest = cells.min(), cells.max(), min(numbers), max(numbers)
    if highest - lowest > FAR_APART or low < lowest or high > highest:
        return None
    if column.dtype.is_integer() and numbers == list(range(len(numbers))):
        return cells.astype(np.int8, copy=False)
    places = cells.astype(np.int64) - int(lowest)
    if column.dtype.is_float() and not np.array_equal(places + int(lowest), cells):
        return None
    code_of = np.full(int(highest) - int(lowest) + 1, -1, dtype=np.int8)
    for code, number in enumerate(numbers):
        if number == int(number):
            code_of[int(number) - int(lowest)] = code
    codes = code_of[places]
    return None if codes.min() < 0 else codes


def _codes_of_other_spellings(texts: pl.Series, scale: Scale) -> pl.Series:
    """The codes of texts that are none of the levels as they are written: "3.0" is level 3."""
    numbers = {number: at for at, level in enumerate(scale.levels) if (number := plain_number(level)) is not None}
    different = texts.unique().drop_nulls()
    as_number = different.cast(pl.Float64, strict=False)  # nearly all are none of the levels, which this sees at once
    perhaps = different.filter(as_number.is_in(list(numbers)) | as_number.is_null())
    codes = {text: numbers.get(number, -1) for text in perhaps if (number := plain_number(text)) is not None}
    return texts.replace_strict(codes, default=-1, return_dtype=pl.Int8)


def _problem(row: int, text: str | None, scale: Scale) -> Problem:
    expected = f"one of {', '.join(scale.levels)}"
    if not text or not text.strip():
        return Problem(row, RATING, "an empty cell", expected, "fill it in or delete the row")
    nearest = nearest_name(text, scale.levels)
    if nearest is None:
        remedy = "correct it, or name all levels with --levels"
    else:
        remedy = _difference(text, nearest) or f"did you mean {quoted(nearest)}?"
    return Problem(row, RATING, quoted(text), expected, remedy)


def _difference(text: str, level: str) -> str:
    """What to do where only capitals or spaces differ, which are hard to see; nothing where more does."""
    found, meant = " ".join(text.split()), " ".join(level.split())
    if found.casefold() != meant.casefold():
        return ""
    capitals, spaces = found != meant, len(text) != len(level) or found == meant
    what = " and ".join(name for name, differs in (("capitals", capitals), ("spaces", spaces)) if differs)
    return f"it differs from {quoted(level)} in {what} only: write it so, or rename the level"
