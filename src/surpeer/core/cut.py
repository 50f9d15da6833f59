"""How likely each of very many papers is to be among the best: from where the cut is, and how sure that is.

surpeer.core.probability compares every paper with all others, which takes too long for hundreds of thousands. Then the
quality C of the last paper above the cut is nearly normal, and nearly the same for everybody:

    c          where as many papers are expected to be better as there are places: sum of Phi((s_j - c) / e_j) = m
    sigma      sqrt(v) / d,  v = sum of p_j (1 - p_j),  d = sum of phi((s_j - c) / e_j) / e_j,
               p_j = Phi((s_j - c) / e_j)
    P_i        Phi((s_i - c_i) / sqrt(e_i^2 + sigma_i^2))

where a paper is not compared with itself: it must beat the m-th best of the others, so c_i = c - (p_i - 1/2) / d, and
v_i = v - p_i (1 - p_i).

The number of papers above the cut is a little skewed, and its variance and density change with the cut: the
distribution of C is corrected for that to the first order (Edgeworth's and Cornish's and Fisher's terms).

That needs sums over all papers only, in a few passes over batches. Up to EXACT_PAPERS papers nothing of it is used, and
above that only if more than EXACT_PAPERS papers may be on either side of the cut (within FARTHEST standard errors), and
v is at least ENOUGH. Otherwise these papers have their exact probabilities, as all others are surely above or below.
`python benchmarks/many_decisions.py 20000` compares with the exact ones: where v is above 1,000, the largest difference
is 1e-8 if all papers have the same standard error, 6e-5 if errors spread from 0.03 to 3, and 0.0015 in a venue where
half of the papers have a hundredth of the error of the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from surpeer.core.probability import FARTHEST, known_scores, probability_among_best
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.errors import ArrayError

ENOUGH = 1000.0

# So many papers are compared each with all others.
EXACT_PAPERS = 20_000

# How near to the places the expected number of better papers must be, and how often the cut is moved at most.
TOLERANCE, PASSES = 1e-6, 200


class Batch(NamedTuple):
    """Some papers, or some kinds of them."""

    score: FloatArray
    error: FloatArray
    papers: IntArray | None = None
    """(n,) how many papers have each score and error; one, if None."""

    @property
    def number(self) -> int:
        """Of papers."""
        return len(self.score) if self.papers is None else int(self.papers.sum())

    def take(self, chosen: BoolArray) -> "Batch":
        papers = None if self.papers is None else self.papers[chosen]
        return Batch(self.score[chosen], self.error[chosen], papers)

    def times_papers(self, numbers: FloatArray) -> FloatArray:
        """Numbers that each paper has -> those of all papers of a kind together."""
        return numbers if self.papers is None else numbers * self.papers

    def one_by_one(self) -> "Batch":
        """Every paper by itself."""
        if self.papers is None:
            return self
        return Batch(np.repeat(self.score, self.papers), np.repeat(self.error, self.papers))


Batches = Callable[[], Iterable[Batch]]


class Sums(NamedTuple):
    """Over all papers, at one point: of the number of papers above it."""

    above: float
    """Its expectation."""
    variance: float
    third: float
    """Its third central moment."""
    density: float
    """How fast the expectation falls."""
    density_slope: float
    variance_slope: float


NOTHING = Sums(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Cut:
    """Where the cut is, and what is needed to say how likely any paper is above it."""

    at: float
    sums: Sums
    near: NDArray[np.complex128] | None = None
    """Score and error, as one number, of the papers whose exact probabilities are known, sorted; None where the others'
    are computed."""
    near_chance: FloatArray = field(default_factory=lambda: np.empty(0))
    """Their exact probabilities."""
    everyone: bool = False
    """Whether all papers count as near the cut."""

    def probability(self, score: FloatArray, error: FloatArray) -> FloatArray:
        """(n,) that each of these papers is among the best."""
        mean, spread = known_scores(score, error)
        if self.near is not None:
            return self._exactly(mean, spread, self.near)
        variance, density = self.sums.variance, self.sums.density
        above = ndtr((mean - self.at) / spread)
        others = np.sqrt(variance - above * (1 - above)) / density  # the spread of the cut among the others
        skewness, bend = self._shape()
        ahead = mean - self.at + (above - 0.5) / density + bend * others
        spread = np.hypot(spread, others)
        t = ahead / spread
        bump = (skewness / 6 - bend) * (others / spread) ** 3 * (t**2 - 1) * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
        return np.asarray(np.clip(ndtr(t) - bump, 0.0, 1.0))

    def _shape(self) -> tuple[float, float]:
        """Skewness of the number of papers above the cut, and how it bends as the cut moves by its spread."""
        _, variance, third, density, density_slope, variance_slope = self.sums
        deviation = np.sqrt(variance)
        bend = (density_slope * deviation / density**2 - variance_slope / (density * deviation)) / 2
        return float(third / deviation**3), float(bend)

    def _exactly(self, mean: FloatArray, spread: FloatArray, known: NDArray[np.complex128]) -> FloatArray:
        chance = np.where(mean > self.at, 1.0, 0.0)
        near = self.is_near(mean, spread)
        chance[near] = self.near_chance[np.searchsorted(known, mean[near] + 1j * spread[near])]
        return chance

    def is_near(self, mean: FloatArray, spread: FloatArray) -> BoolArray:
        """Which papers may be on either side of the cut."""
        if self.everyone:
            return np.ones(len(mean), dtype=np.bool_)
        sigma = np.sqrt(self.sums.variance) / self.sums.density if self.sums.density > 0 else 0.0
        return np.asarray(np.abs(mean - self.at) < FARTHEST * (spread + sigma))


def find_cut(batches: Batches, places: int, start: float | None = None) -> Cut:
    """The cut that leaves `places` papers above it.

    batches : gives, each time that it is called, all papers
    places : from 0 to the number of papers
    start : a score near the cut, if one is known; saves a few passes over the batches
    """
    first, last, papers = _ends(batches)
    if not 0 <= places <= papers:
        raise ArrayError(f"found {places} places for {papers} papers, expected from 0 to {papers}")
    if places in (0, papers):
        return Cut(-np.inf if places else np.inf, NOTHING, np.empty(0, dtype=np.complex128))
    if papers <= EXACT_PAPERS:
        return _with_near(Cut(0.0, NOTHING, everyone=True), batches, places, papers)
    at, sums = _where_expected(batches, places, (first, last), start)
    cut = Cut(at, sums)
    return _with_near(cut, batches, places, EXACT_PAPERS if sums.variance >= ENOUGH else papers)


def _ends(batches: Batches) -> tuple[float, float, int]:
    """Between which numbers the cut is, and how many papers there are."""
    first, last, papers = np.inf, -np.inf, 0
    for batch in batches():
        mean, spread = known_scores(batch.score, batch.error)
        first = min(first, np.min(mean - FARTHEST * spread, initial=np.inf))
        last = max(last, np.max(mean + FARTHEST * spread, initial=-np.inf))
        papers += batch.number
    return float(first), float(last), papers


def _where_expected(
    batches: Batches, places: int, ends: tuple[float, float], start: float | None
) -> tuple[float, Sums]:
    """Where `places` papers are expected to be better: Newton's steps, halves where these lead astray."""
    low, high = ends
    at = start if start is not None and low < start < high else (low + high) / 2
    sums = _sums(batches, at)
    for _ in range(PASSES):
        excess = sums.above - places
        low, high = (at, high) if excess > 0 else (low, at)
        step = at + excess / sums.density if sums.density > 0 else low
        near, inside = abs(excess) <= TOLERANCE, low < step < high
        following = step if inside else (low + high) / 2
        if (near and not inside) or following in (low, high):
            break
        at = following
        sums = _sums(batches, at)
        if near:  # one step more than needed, so that it ends at the same number whatever the batches are
            break
    return at, sums


def _sums(batches: Batches, at: float) -> Sums:
    totals = np.zeros(6)
    for batch in batches():
        mean, spread = known_scores(batch.score, batch.error)
        distance = (mean - at) / spread
        above = ndtr(distance)
        lean, both = 1 - 2 * above, batch.times_papers(above * (1 - above))
        density = batch.times_papers(np.exp(-(distance**2) / 2) / (np.sqrt(2 * np.pi) * spread))
        totals += [
            batch.times_papers(above).sum(),
            both.sum(),
            both @ lean,
            density.sum(),
            (density / spread) @ distance,
            -(density @ lean),
        ]
    return Sums(*totals.tolist())


def _with_near(cut: Cut, batches: Batches, places: int, most: int) -> Cut:
    """With the exact probabilities of papers near the cut, unless there are more than `most`."""
    surely, found, means, spreads = 0, 0, [np.empty(0)], [np.empty(0)]
    for batch in batches():
        known = Batch(*known_scores(batch.score, batch.error), batch.papers)
        near = cut.is_near(known.score, known.error)
        found += known.take(near).number
        if found > most:
            return cut
        surely += known.take(~near & (known.score > cut.at)).number
        papers = known.take(near).one_by_one()
        means.append(papers.score)
        spreads.append(papers.error)
    mean, spread = np.concatenate(means), np.concatenate(spreads)
    chance = probability_among_best(mean, spread, min(max(places - surely, 0), len(mean)))
    key, rows = np.unique(mean + 1j * spread, return_index=True)
    return replace(cut, near=key, near_chance=chance[rows])
