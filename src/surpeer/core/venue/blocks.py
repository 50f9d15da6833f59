"""Papers a few thousand at a time, with the papers last: small enough for the processor's cache."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray, rows_at
from surpeer.core.venue.basis import View
from surpeer.core.venue.forecast_model import LEVELS, Sizes
from surpeer.core.venue.moments import Moments

NUMBERS = 1 << 19  # in the largest array of a block
LEAST_AT_ONCE, MOST_AT_ONCE = 64, 16_384

PROCESSORS = os.cpu_count() or 1

T = TypeVar("T")


def block_size(signals: int, size: int, coordinates: int) -> int:
    """How many papers at a time. size : J; coordinates : D"""
    numbers = max(len(LEVELS) * max(size, signals), signals * coordinates)
    return min(max(NUMBERS // numbers, LEAST_AT_ONCE), MOST_AT_ONCE)


def for_each(function: Callable[[int], T], count: int, threads: int | None = None) -> list[T]:
    """[function(0), ..., function(count - 1)], several at the same time where there are many."""
    workers = min(threads or PROCESSORS, count)
    if workers <= 1:
        return [function(at) for at in range(count)]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, range(count)))


def in_order_of_size(size: IntArray, papers: IntArray, most: int) -> list[IntArray]:
    """The papers in blocks of at most so many, those with equally many forecasts next to each other."""
    sizes = size[papers]
    differ = len(papers) and (sizes != sizes[0]).any()
    ordered = papers[np.argsort(sizes, kind="stable")] if differ else papers
    return [ordered[at : at + most] for at in range(0, len(ordered), most)]


@dataclass(frozen=True)
class Block:
    """B papers. The last axis is the papers'; with a single paper there is a copy of it, so that nothing is added up
    in another order than beside other papers."""

    papers: IntArray
    """Which papers; the copy is left out."""
    size: IntArray
    """(B,) forecasts of each paper."""
    forecasts: FloatArray
    """(K, B) by the level that the reviewer gave."""
    sums: FloatArray
    """(K, D, B) sums of forecasts, less the reviewers' own ratings."""

    @classmethod
    def of(cls, moments: Moments, papers: IntArray, own_weight: float, coordinates: FloatArray) -> "Block":
        """own_weight : share of the own rating in forecasts that is taken off"""
        at = np.repeat(papers, 2) if len(papers) == 1 else rows_at(papers)
        forecasts = moments.forecasts[at].T.astype(np.float64, order="C")
        sums = np.array(moments.sums[at].transpose(1, 2, 0), order="C")
        if own_weight:
            for said, count, own in zip(sums, forecasts, coordinates, strict=True):
                for level in np.flatnonzero(own):
                    said[level] -= own_weight * own[level] * count
            sums /= 1 - own_weight
        return cls(papers, moments.size[at], forecasts, sums)

    @property
    def each(self) -> slice:
        """Every paper once."""
        return slice(len(self.papers))

    @cached_property
    def sizes(self) -> Sizes:
        return Sizes(self.size)

    @cached_property
    def divisor(self) -> FloatArray:
        """(B,) the number of forecasts, 1 where there is none."""
        return np.maximum(self.size, 1).astype(np.float64)

    @cached_property
    def several(self) -> FloatArray:
        """Forecasts of papers that have more than one, 0 of others; the copy is left out."""
        count = self.divisor[self.each]
        return np.asarray(count * (count > 1))

    @cached_property
    def forecasts_of_several(self) -> float:
        return float(self.several.sum())

    @cached_property
    def freedom(self) -> float:
        """Of differences between forecasts of one paper."""
        return float(self.divisor[self.each].sum()) - len(self.papers)

    @cached_property
    def _total(self) -> FloatArray:
        return np.asarray(self.sums.sum(axis=0))

    def said(self, view: View) -> FloatArray:
        """(J, B) mean of F."""
        return np.asarray(np.einsum("dj,db->jb", view.span, self._total) / self.divisor)


def joined(parts: Sequence[FloatArray]) -> FloatArray:
    """Arrays of blocks, next to each other on the papers' axis."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)
