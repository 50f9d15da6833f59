"""Rows of a text file that begin with a whole number as one writes it, the id of a paper. Most large files have only
such rows; then ids are read as numbers at once, which is faster than to read text and to make numbers of it. So are
ratings, where all of them are whole numbers as one writes them.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from surpeer.columns import PAPER, RATING
from surpeer.io.delimited import cell_types, has_lone_returns, has_nan

IN_CACHE = 1 << 18  # bytes at a time, so that they stay near the processor

LINE_END, MINUS, ZERO, ONE = b"\n-01"


def rows_with_numbers(data: bytes, names: Sequence[str], separator: str) -> pl.DataFrame | None:
    """The rows of a text without its header, ids as Int64, and ratings, too, where all are whole numbers; None where
    some id may be written in another way (007, +7), or where anything else needs a closer look."""
    may_have_commas = separator != "," and b"," in data
    if names[0] != PAPER or len(set(names)) < len(names) or b'"' in data or may_have_commas:
        return None
    if not _begin_with_numbers(data, separator) or has_lone_returns(data):
        return None
    types = cell_types(names, pl.Float64) | {PAPER: pl.Int64}
    frame = None
    if RATING in names and _may_rate_in_numbers(data, list(names).index(RATING), separator):
        frame = _read(data, types | {RATING: pl.Int64}, separator)
    if frame is None:
        frame = _read(data, types, separator)
    if frame is None or frame[PAPER].null_count() or not _has_every_cell(frame, data, separator):
        return None
    may_have_nan = b"n" in data or b"N" in data
    return None if may_have_nan and has_nan(frame) else frame


def _may_rate_in_numbers(data: bytes, column: int, separator: str) -> bool:
    """Whether the first rating is a whole number, and polars can take none for one that is written in another way, with
    spaces, tabs, signs or zeros before it: what is no rating is told as it is written."""
    cells = data[: data.find(b"\n") + 1].split(separator.encode(), column + 1)
    is_number = len(cells) > column and re.fullmatch(rb"-?[0-9]+\s*", cells[column])
    return bool(is_number) and not any(sign in data for sign in (b" ", b"\t", b"+")) and not _pads(data, separator)


def _pads(data: bytes, separator: str) -> bool:
    """Whether some cell behind the first of its row may begin with -0, or with a zero before another digit."""
    if b"-" in data and b"-0" in data:  # there is hardly ever a minus, which is seen several times as fast
        return True
    cells = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(cells) - 2, IN_CACHE):
        here = cells[start : start + IN_CACHE + 2]
        padded = here[:-2] == ord(separator)
        padded &= here[1:-1] == ZERO
        padded &= here[2:] - ZERO < 10
        if padded.any():
            return True
    return False


def _read(data: bytes, types: Mapping[str, type[pl.DataType]], separator: str) -> pl.DataFrame | None:
    """The rows; None where some cell is not of its type."""
    try:
        return pl.read_csv(data, has_header=False, schema=types, separator=separator, quote_char=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None


def _has_every_cell(frame: pl.DataFrame, data: bytes, separator: str) -> bool:
    """Whether no row is too short: polars fills those up with empty cells."""
    last = frame.to_series(frame.width - 1)
    return not last.null_count() or data.count(separator.encode()) == frame.height * (frame.width - 1)


def _begin_with_numbers(data: bytes, separator: str) -> bool:
    """Whether every row whose first cell polars takes for a whole number has it as one writes it. Polars takes nothing
    behind a number, but spaces, signs and zeros before it, all of which are below the digit 1."""
    if not re.match(rb"(0|-?[1-9][0-9]*)" + re.escape(separator.encode()), data):  # where ids are text, soon seen
        return False
    cells = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(cells) - 2, IN_CACHE):
        here = cells[start : start + IN_CACHE + 2]
        doubtful = here[:-2] == LINE_END
        doubtful &= here[1:-1] < ONE
        if doubtful.any():
            at = np.flatnonzero(doubtful)
            first, second = here[at + 1], here[at + 2]
            is_zero = (first == ZERO) & (second == ord(separator))
            if not (is_zero | ((first == MINUS) & (second >= ONE))).all():
                return False
    return True
