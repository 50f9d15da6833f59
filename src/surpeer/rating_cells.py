"""The rating column: cells -> indices into the scale's levels."""

import numpy as np
import polars as pl

from surpeer.columns import RATING
from surpeer.core.shapes import IntArray
from surpeer.errors import Problem, nearest_name, quoted
from surpeer.scale import Scale, plain_number


def rating_texts(frame: pl.DataFrame) -> pl.Series:
    """The ratings as text, as the scale's levels are; a whole number stored as a float loses its `.0`."""
    if RATING not in frame.columns:
        return pl.Series(RATING, [], dtype=pl.String)
    ratings = frame[RATING]
    if ratings.dtype.is_float():
        ratings = ratings.fill_nan(None)
        whole = ratings.cast(pl.Int64, strict=False)
        texts = pl.select(pl.when(whole == ratings).then(whole.cast(pl.String)).otherwise(ratings.cast(pl.String)))
        return texts.to_series().rename(RATING)
    return ratings.cast(pl.String)


def read_ratings(texts: pl.Series, scale: Scale, rows: IntArray) -> tuple[IntArray, list[Problem]]:
    """(n,) index of each rating's level, and a problem for every cell that is none."""
    codes = texts.cast(pl.Enum(scale.levels), strict=False).to_physical().cast(pl.Int64)
    if not codes.null_count():
        return codes.to_numpy(), []
    indices = codes.fill_null(-1).to_numpy().copy()
    problems = []
    numbers = {number: at for at, level in enumerate(scale.levels) if (number := plain_number(level)) is not None}
    for at in np.flatnonzero(indices < 0):
        text = texts[int(at)]
        number = plain_number(text or "")
        indices[at] = -1 if number is None else numbers.get(number, -1)  # "3.0" is level 3
        if indices[at] < 0:
            problems.append(_problem(int(rows[at]), text, scale))
    return indices, problems


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
