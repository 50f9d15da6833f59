"""Checked reviews -> whole numbers, so that no engine's rounding and no order of summation can matter.

A review becomes a row: its paper, the number of its level, and its prediction in whole numbers. People predict in per
cents; then a row is

    paper   rating   m1 ... m(K-1)         in millionths; m0 is what they leave

Other data need more: m0 where predictions do not sum to exactly one; `has` where some reviews have no complete
prediction; three parts of every share (surpeer.core.fixed_point) where some are no decimals of six places; the
products t of shares, and the completed predictions v of those who left levels empty, for the venue method. A Form says
which. It can be found from a few rows and proves too small later: then the reading starts again with the larger one,
and gives the same sums.
"""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
from numpy.typing import NDArray

from surpeer.checked_rows import CheckedRows
from surpeer.columns import PAPER, RATING, TITLE, TRACK
from surpeer.core.fixed_point import COARSE, to_parts
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.venue.completion import complete_forecasts
from surpeer.core.venue.moments import PRODUCT_UNIT
from surpeer.errors import InputError
from surpeer.scale import Scale

MILLION = 1_000_000
COARSE_PER_MILLIONTH = COARSE // MILLION

IN_CACHE = 1 << 14  # reviews at a time, so that numbers stay near the processor

HAS, ANY, INEXACT = "has", "any", "inexact"


MOST_LEVELS = 20
"""Of scales of large reviews: sums grow with the square of their number."""


def check_levels(scale: Scale) -> None:
    """Raise for a scale that is too fine to be added up paper by paper."""
    if len(scale) > MOST_LEVELS:
        raise InputError(
            f"found {len(scale)} levels, expected at most {MOST_LEVELS} for reviews that are several files, packed or "
            "large; a single file that is not packed can have more, and is read into memory"
        )


@dataclass(frozen=True)
class Form:
    """Which whole numbers stand for a review."""

    levels: int
    """K"""
    predictions: bool = False
    """Whether any review has a complete prediction."""
    complete: bool = True
    """Whether every review has one."""
    closed: bool = True
    """Whether the shares of every complete prediction sum to exactly one."""
    decimal: bool = True
    """Whether all shares are decimals of at most six places."""
    partial: bool = False
    """Whether some predictions leave levels empty, or are only an expected rating."""
    moments: bool = False
    """Whether products are needed, for the venue method."""
    track: bool = False
    title: bool = False
    numbers: bool = False
    """Whether ids are text, and all of them whole numbers as one writes them: they are numbers until that is done."""
    counted: bool = False
    """Whether papers are only counted, and nothing of them is scored: ratings are all 0, and titles are numbers."""

    def merged(self, other: "Form") -> "Form":
        """The smallest form that has room for both."""
        return replace(
            self,
            predictions=self.predictions or other.predictions,
            complete=self.complete and other.complete,
            closed=self.closed and other.closed,
            decimal=self.decimal and other.decimal,
            partial=self.partial or other.partial,
            numbers=self.numbers and other.numbers,
        )

    @property
    def shares(self) -> range:
        """The levels whose shares are written down."""
        if not self.predictions:
            return range(0)
        return range(int(self.closed and self.decimal), self.levels)

    @property
    def parts(self) -> tuple[str, ...]:
        """Prefixes of the columns with the parts of a share."""
        return ("m",) if self.decimal else ("m", "f", "x")

    @property
    def only_sums(self) -> bool:
        """Whether all there is to a paper are sums, none of them below 0."""
        return self.decimal and not (self.track or self.title)

    @property
    def completes(self) -> bool:
        """Whether completed predictions are written down."""
        return self.partial and self.moments

    @property
    def products_written(self) -> bool:
        """Whether products are columns; otherwise they are products of columns."""
        return self.moments and (self.completes or (self.predictions and not self.decimal))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Levels whose products are added up."""
        if not self.moments or not (self.predictions or self.completes):
            return []
        levels = range(self.levels) if self.products_written else self.shares
        return list(combinations_with_replacement(levels, 2))


@dataclass(frozen=True)
class Typical:
    """What a prediction is completed from, for every track."""

    names: pl.Series | None
    """The tracks, sorted; None where there are none."""
    forecasts: FloatArray
    """(tracks, K, K) mean complete prediction of those who gave each level."""

    @property
    def table(self) -> FloatArray:
        """(tracks * K, K), a row for each track and rating."""
        return self.forecasts.reshape(-1, self.forecasts.shape[-1])

    def row_of(self, track: pl.Series | None, rating: IntArray) -> IntArray:
        """(n,) the row of the table for reviews of these tracks with these ratings."""
        if self.names is None or track is None:
            return rating
        at = self.names.search_sorted(track).to_numpy().astype(np.int64)
        return np.asarray(at * self.forecasts.shape[-1] + rating)


@dataclass(frozen=True)
class _Whole:
    """The complete predictions of some reviews in millionths."""

    has: BoolArray | None
    """(n,) which reviews have one; None if all have."""
    shares: FloatArray
    """(n, K) zeros where there is none."""
    millionths: list[NDArray[np.int32]]
    """(n,) for each level; they mean nothing where shares are no such decimals."""
    decimal: bool
    closed: bool
    """Whether they sum to exactly one, as decimals."""

    @classmethod
    def of(cls, checked: CheckedRows) -> "_Whole":
        shares, has = checked.shares, None
        if np.isnan([column.min(initial=0.0) for column in shares.T]).any():
            has = ~np.isnan(sum(shares.T[1:], start=shares[:, 0]))
            shares = np.where(has[:, None], shares, 0.0)
        millionths = [np.empty(len(shares), dtype=np.int32) for _ in shares.T]
        decimal = closed = True
        for start in range(0, len(shares), IN_CACHE):
            here = slice(start, start + IN_CACHE)
            total = np.zeros(len(shares[here]))
            for whole, column in zip(millionths, shares[here].T, strict=True):
                decimal &= _add_millionths(column, total, whole[here])
            closed &= bool((total == (MILLION if has is None else has[here] * MILLION)).all())
        return cls(has, shares, millionths, decimal, decimal and closed)

    def form(self, checked: CheckedRows, moments: bool, numbers: bool) -> Form:
        """The smallest form for these reviews; numbers : whether their ids can be numbers."""
        return Form(
            levels=len(self.millionths),
            predictions=self.has is None or bool(self.has.any()),
            complete=self.has is None,
            closed=self.closed,
            decimal=self.decimal,
            partial=self.has is not None and bool((_any_forecast(checked) & ~self.has).any()),
            moments=moments,
            track=checked.track is not None,
            title=checked.title is not None,
            numbers=numbers,
        )


def _add_millionths(shares: FloatArray, total: FloatArray, into: NDArray[np.int32]) -> bool:
    """Write shares in millionths, add them to `total`, and tell whether they are decimals of six places."""
    whole = shares * MILLION
    np.rint(whole, out=whole)
    total += whole
    into[:] = whole
    whole /= MILLION
    return bool((whole == shares).all())


def _any_forecast(checked: CheckedRows) -> BoolArray:
    """(n,) whether the review says anything of the others."""
    some = np.asarray(~np.isnan(checked.shares).all(axis=1))
    return some if checked.expected is None else some | ~np.isnan(checked.expected)


def form_of(checked: CheckedRows, *, moments: bool, shorten_ids: bool = False) -> Form:
    """The smallest form for these reviews. shorten_ids : whether ids that are text may become numbers for a while"""
    return _Whole.of(checked).form(checked, moments, shorten_ids and _short_ids(checked) is not None)


def ids_as_numbers(ids: pl.Series) -> pl.Series | None:
    """Ids that are text as numbers, if each is a whole number as one writes it; 007 and +7 are not.

    >>> ids_as_numbers(pl.Series(["7", "-12"])).to_list(), ids_as_numbers(pl.Series(["007"]))
    ([7, -12], None)
    """
    if ids.dtype != pl.String:
        return None
    numbers = ids.cast(pl.Int64, strict=False)
    if numbers.null_count():
        return None
    # Nothing is shorter than the way one writes a number.
    shortest = numbers.cast(pl.String).str.len_bytes().sum()
    return numbers if shortest == ids.str.len_bytes().sum() else None


def _short_ids(checked: CheckedRows) -> pl.Series | None:
    """Ids that are text as numbers, unless some cannot be."""
    return checked.paper if checked.short_ids else ids_as_numbers(checked.paper)


def whole_rows(
    checked: CheckedRows, form: Form, values: FloatArray, typical: Typical | None = None
) -> tuple[pl.DataFrame, Form]:
    """The rows of these reviews, and the form that they need; if that is not the one given, there are no rows."""
    whole = _Whole.of(checked)
    numbers = _short_ids(checked) if form.numbers else None
    needed = form.merged(whole.form(checked, form.moments, numbers is not None))
    if needed != form:
        return pl.DataFrame(), needed
    ids = checked.paper if numbers is None else numbers
    columns: dict[str, object] = {PAPER: ids, RATING: checked.rating.astype(np.int8, copy=False)}
    if checked.track is not None:
        columns[TRACK] = checked.track
    if checked.title is not None:
        columns[TITLE] = checked.title
    if form.predictions and not form.complete:
        columns[HAS] = np.ones(len(checked), np.int8) if whole.has is None else whole.has.astype(np.int8)
    columns |= _share_columns(whole, form)
    if form.completes:
        columns |= _completed_columns(checked, whole, values, typical)
    elif form.products_written:
        columns |= _product_columns(whole.shares)
    return pl.DataFrame(columns), form


def _share_columns(whole: _Whole, form: Form) -> dict[str, object]:
    if form.decimal:
        return {f"m{level}": whole.millionths[level] for level in form.shares}
    parts, inexact = to_parts(whole.shares)
    nothing = np.zeros(whole.shares.shape, dtype=np.int64)
    coarse, fine, tail = (parts[at] if at < len(parts) else nothing for at in range(3))
    columns: dict[str, object] = {f"m{level}": coarse[:, level].astype(np.int32) for level in form.shares}
    columns |= {f"f{level}": fine[:, level].astype(np.int32) for level in form.shares}
    columns |= {f"x{level}": tail[:, level] for level in form.shares}
    columns[INEXACT] = np.zeros(len(coarse), np.int8) if inexact is None else inexact.any(axis=1).astype(np.int8)
    return columns


def _product_columns(shares: FloatArray) -> dict[str, object]:
    pairs = combinations_with_replacement(range(shares.shape[1]), 2)
    return {
        f"t{one}_{two}": np.floor(shares[:, one] * shares[:, two] * PRODUCT_UNIT + 0.5).astype(np.int64)
        for one, two in pairs
    }


def _completed_columns(
    checked: CheckedRows, whole: _Whole, values: FloatArray, typical: Typical | None
) -> dict[str, object]:
    """Completed predictions of those who left something open, and products of all."""
    if typical is None:
        raise ValueError("partial predictions cannot be completed before the typical ones are known")
    expected = np.full(len(checked), np.nan) if checked.expected is None else checked.expected
    row = typical.row_of(checked.track, checked.rating.astype(np.int64))
    shares, usable = complete_forecasts(checked.shares, expected, row, typical.table, values)
    completes = np.zeros_like(usable) if whole.has is None else usable & ~whole.has
    completed = np.where(completes[:, None], shares, 0.0)
    units = np.floor(completed * PRODUCT_UNIT + 0.5).astype(np.int64)
    columns: dict[str, object] = {ANY: completes.astype(np.int8)}
    columns |= {f"v{level}": units[:, level] for level in range(units.shape[1])}
    return columns | _product_columns(whole.shares + completed)
