"""The column `expected`: the rating that a reviewer expects of another, as a number between the values of the scale.

Predicted shares say more, so they win: beside complete ones the expected rating is not used, and beside some only where
both can be true. With two levels it says the same as shares, and becomes shares.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from surpeer.columns import EXPECTED
from surpeer.core.fixed_point import decimal_complement
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import Problem, counted, quoted
from surpeer.prediction_cells import ROUNDING, read_numbers, shown_cell
from surpeer.scale import Scale, plain_number
from surpeer.slips import Slips

DISAGREEMENT = 0.02  # of the range of values: further from the shares of its row than this, a rating contradicts them

_DECIMALS = 1e12  # of a share that a rating typed by hand stands for; floats near one are good for four digits more


@dataclass(frozen=True, slots=True)
class ExpectedCounts:
    """How many expected ratings of some rows came to what."""

    idle: int = 0
    """Beside predictions for all levels, which they agree with."""
    contradicted: int = 0
    as_shares: int = 0
    used: int = 0

    def __add__(self, other: "ExpectedCounts") -> "ExpectedCounts":
        return ExpectedCounts(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def notes(self, scale: Scale) -> list[str]:
        """How the column is read, and what became of it."""
        notes = [f"{EXPECTED} is read as a rating between {_end(scale, 0)} and {_end(scale, -1)}"]
        notes += _unused_notes(self.idle, self.contradicted)
        if self.as_shares:
            notes.append(f"{counted(self.as_shares, 'expected rating')} turned into shares of the two levels")
        if self.used:
            rating = counted(self.used, "expected rating")
            notes.append(f"{rating} for the method venue only: other methods need predictions for all levels")
        return notes


def expected_problems(scale: Scale) -> list[Problem]:
    """What keeps expected ratings on this scale from having one meaning."""
    return [_two_meanings(scale)] if stand_for_others(scale) and _is_increasing(scale) else []


def read_expected(column: pl.Series, scale: Scale, rows: IntArray) -> tuple[FloatArray, list[Slips]]:
    """(n,) expected ratings, NaN for an empty cell; a problem for every cell that is none."""
    cells, unreadable = read_numbers(column)
    low, high = scale.values[0], scale.values[-1]
    slack = ROUNDING * (high - low)
    with np.errstate(invalid="ignore"):
        outside = np.flatnonzero((cells < low - slack) | (cells > high + slack))
    unread = np.flatnonzero(unreadable)
    slips = [
        Slips(unread, lambda at: _problem(int(rows[unread[at]]), quoted(shown_cell(column, int(unread[at]))), scale)),
        Slips(outside, lambda at: _problem(int(rows[outside[at]]), f"{cells[outside[at]]:g}", scale)),
    ]
    return np.clip(cells, low, high), [some for some in slips if len(some)]


def combine(
    expected: FloatArray, predictions: FloatArray, scale: Scale
) -> tuple[FloatArray, FloatArray, ExpectedCounts]:
    """Expected ratings without those that are not used, predictions with those they determine, and what became of
    how many."""
    low, high = scale.values[0], scale.values[-1]
    place = (expected - low) / (high - low)  # 0 at the lowest value, 1 at the highest
    given = ~np.isnan(predictions)
    with_shares = ~np.isnan(expected) & given.any(axis=1)
    complete = with_shares & given.all(axis=1)
    contradicted = _contradicted(place, predictions, with_shares, scale)
    unused = complete | contradicted
    alone = ~np.isnan(expected) & ~with_shares
    as_shares = int(alone.sum()) if scale.is_binary else 0
    if as_shares:
        top = _as_typed(place[alone])
        predictions = predictions.copy()
        predictions[alone] = np.stack([decimal_complement(top), top], axis=1)
        unused |= alone
    used = np.where(unused, np.nan, expected)
    idle, contradicting = int((complete & ~contradicted).sum()), int(contradicted.sum())
    return used, predictions, ExpectedCounts(idle, contradicting, as_shares, int((~np.isnan(used)).sum()))


def stand_for_others(scale: Scale) -> bool:
    """Whether the levels are numbers that by default stand for other numbers: 0 to 10 for 1 to 11."""
    try:
        as_written = tuple(float(level) for level in scale.levels)
    except ValueError:
        return False
    return as_written != scale.values == Scale(scale.levels).values


def _is_increasing(scale: Scale) -> bool:
    return all(float(low) < float(high) for low, high in pairwise(scale.levels))


def _contradicted(place: FloatArray, predictions: FloatArray, candidates: BoolArray, scale: Scale) -> BoolArray:
    """(n,) whether no completion of the row's shares has this mean, both measured from 0 to 1."""
    result = np.zeros(len(place), dtype=np.bool_)
    chosen = np.flatnonzero(candidates)
    shares = predictions[chosen]
    heights = (np.asarray(scale.values) - scale.values[0]) / (scale.values[-1] - scale.values[0])
    empty = np.isnan(shares)
    known = np.where(empty, 0.0, shares) @ heights
    rest = np.where(empty.any(axis=1), np.maximum(1 - np.nansum(shares, axis=1), 0.0), 0.0)
    lowest = known + rest * np.where(empty, heights, 1.0).min(axis=1)
    highest = known + rest * np.where(empty, heights, 0.0).max(axis=1)
    limit = DISAGREEMENT + ROUNDING
    result[chosen] = (place[chosen] < lowest - limit) | (place[chosen] > highest + limit)
    return result


def _as_typed(shares: FloatArray) -> FloatArray:
    """Shares without the error of the floats they were computed in: 0.3 for 1.3 - 1."""
    typed = np.rint(shares * _DECIMALS) / _DECIMALS
    return np.where(np.abs(typed - shares) < 1e-14, typed, shares)


def _unused_notes(agreeing: int, contradicted: int) -> list[str]:
    notes = []
    if agreeing:
        notes.append(
            f"{counted(agreeing, 'expected rating')} beside predictions for all levels, which say more, unused"
        )
    if contradicted:
        notes.append(
            f"{counted(contradicted, 'expected rating')} at odds with the shares of the same row "
            f"(by more than {DISAGREEMENT:.0%} of the scale), unused: the shares count"
        )
    return notes


def _problem(row: int, found: str, scale: Scale) -> Problem:
    if re.fullmatch(r'"\s*\d+,\d+\s*"', found):
        remedy = "write a point instead of the comma"
    else:
        remedy = "correct it, leave the cell empty, or rename the column if it is something else"
    return Problem(row, EXPECTED, found, f"a rating between {_end(scale, 0)} and {_end(scale, -1)}", remedy)


def _two_meanings(scale: Scale) -> Problem:
    values = f"{scale.values[0]:g} ... {scale.values[-1]:g}"
    found = f"expected ratings on the levels {scale.levels[0]} ... {scale.levels[-1]}, which stand for {values}"
    remedy = f"add --values={','.join(scale.levels)}, or give other values and use their numbers"
    return Problem(None, EXPECTED, found, "numbers with one meaning", remedy)


def _end(scale: Scale, at: int) -> str:
    """The value of the lowest or highest level, with its name where that is not the same."""
    level, value = scale.levels[at], scale.values[at]
    return f"{value:g}" if plain_number(level) == value else f"{value:g} ({level})"
