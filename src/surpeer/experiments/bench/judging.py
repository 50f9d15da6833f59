"""Scores and true qualities -> how often pairs are put in the right order, and how good the top quarter is."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from surpeer.core.order import prefer
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.ranking import Ranking

ALL_PAIRS_UP_TO = 1000
"""Papers of a venue of which all pairs are compared."""
PARTNERS = 64
"""In a larger venue every paper is compared with twice as many random others."""
ENOUGH_VENUES = 20
"""With so many venues their scatter tells the standard error; with fewer it would be too rough."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of papers; every paper is in equally many."""

    papers: int
    a: IntArray
    b: IntArray

    @property
    def each(self) -> int:
        """In how many pairs each paper is."""
        return 2 * len(self.a) // self.papers

    def mean_by_paper(self, number: FloatArray) -> FloatArray:
        """Of a number for each pair, the mean over the pairs of each paper. (papers,)"""
        total = np.bincount(self.a, number, self.papers) + np.bincount(self.b, number, self.papers)
        return np.asarray(total / self.each)


def choose_pairs(rng: np.random.Generator, papers: int) -> Pairs:
    """All pairs of a small venue; in a large one each paper and those at PARTNERS random distances after it."""
    if papers <= ALL_PAIRS_UP_TO:
        return Pairs(papers, *np.triu_indices(papers, 1))
    distance = rng.choice((papers - 1) // 2, PARTNERS, replace=False) + 1
    a = np.tile(np.arange(papers), PARTNERS)
    return Pairs(papers, a, (a + np.repeat(distance, papers)) % papers)


def rightness(pairs: Pairs, value: FloatArray, defined: BoolArray, mean: FloatArray, quality: FloatArray) -> FloatArray:
    """For each pair the probability that it is put in the right order: 1, 0, or 1/2 for a tie."""
    a, b = pairs.a, pairs.b
    prefers_a = prefer(value[a], defined[a], mean[a], value[b], defined[b], mean[b])
    return np.where(quality[a] == quality[b], 0.5, np.where(quality[a] > quality[b], prefers_a, 1 - prefers_a))


class VenueMean(NamedTuple):
    """The mean of something over the pairs of one venue, and the variance of that mean."""

    mean: float
    variance: float


def mean_over_pairs(number: FloatArray, pairs: Pairs) -> VenueMean:
    """Mean over pairs and its variance over venues of independent papers.

    Pairs that share a paper are not independent, so that the number of pairs says little; the mean is a U-statistic.
    Let r be the mean over the d pairs of one paper, T its variance and v the variance over pairs. Counting the pairs of
    pairs that share a paper gives  Var(mean) = 4/N (T - v / 2d),  and for the empirical variance of r, whose entries
    share pairs too,  E = T (N - 4)/(N - 1) + 2v / (d (N - 1)).  Scores that borrow from the whole venue make papers
    slightly dependent, which this leaves out; with many venues their scatter is used instead (`over_venues`). The
    variance is at least what it would be if no two pairs were dependent.
    """
    n, d = pairs.papers, pairs.each
    mean, spread = float(number.mean()), float(number.var())
    by_paper = float(pairs.mean_by_paper(number).var(ddof=1))
    T = (by_paper * (n - 1) - 2 * spread / d) / max(n - 4, 1)
    return VenueMean(mean, max(spread / len(number), 4 / n * (T - spread / (2 * d))))


class MeanAndError(NamedTuple):
    """A mean over venues with its standard error."""

    mean: float
    standard_error: float


def over_venues(found: list[VenueMean]) -> MeanAndError:
    """Mean over venues.

    The standard error is from their scatter when they are many, which has everything in it, also what a method
    estimates once for the whole venue; and from the variance within each venue when they are few.
    """
    means = np.array([venue.mean for venue in found])
    if len(found) >= ENOUGH_VENUES:
        variance = float(means.var(ddof=1))
    else:
        variance = float(np.mean([venue.variance for venue in found]))
    return MeanAndError(float(means.mean()), float(np.sqrt(variance / len(found))))


def top_quarter_precision(ranking: Ranking, quality: FloatArray) -> float:
    """Of the papers in the top quarter of the ranking, the share in the true top quarter.

    Papers that tie across the cut are in with equal chances. quality : (N,) in the order of the scores
    """
    papers = len(quality)
    wanted = papers // 4
    truly_top = np.zeros(papers, dtype=np.bool_)
    truly_top[np.argsort(-quality, kind="stable")[:wanted]] = True
    in_order = truly_top[ranking.order]
    start = ranking.rank - 1  # (N,) how many papers are ranked above each row
    size = np.bincount(start, minlength=papers)[start]
    chance = np.clip((wanted - start) / size, 0.0, 1.0)
    return float(chance @ in_order / wanted)
