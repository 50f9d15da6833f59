"""Venues drawn from the model that the venue method assumes, with forecasts as they should be and as they should not."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from surpeer.core.venue import Moments, VenueFit, fit_venue, moments_of_reviews

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Venue:
    paper: Integers
    rating: Integers
    shares: Floats
    expected: Floats
    values: Floats
    quality: Floats
    """(N,) of the clean states."""

    @property
    def papers(self) -> int:
        return len(self.quality)

    @property
    def counts(self) -> Integers:
        counts = np.zeros((self.papers, len(self.values)), dtype=np.int64)
        np.add.at(counts, (self.paper, self.rating), 1)
        return counts

    @property
    def mean(self) -> Floats:
        return self.counts @ self.values / self.counts.sum(axis=1)

    @property
    def moments(self) -> Moments:
        return moments_of_reviews(self.counts, self.paper, self.rating, self.shares, self.expected, self.values)

    def fit(self) -> VenueFit:
        return fit_venue(self.moments, self.values)

    def in_order(self, rows: Integers) -> "Venue":
        """The same reviews in another order."""
        return replace(
            self,
            paper=self.paper[rows],
            rating=self.rating[rows],
            shares=self.shares[rows],
            expected=self.expected[rows],
        )

    def saying(self, shares: Floats) -> "Venue":
        """The same venue with other forecasts."""
        return replace(self, shares=np.broadcast_to(shares, self.shares.shape).copy())

    def projecting(self, share: float) -> "Venue":
        """Reviewers take their own rating for everybody's, to this extent."""
        return self.saying((1 - share) * self.shares + share * np.eye(len(self.values))[self.rating])


def simulate(
    rng: np.random.Generator, alpha: list[float], reviews: list[int], *, bias: str = "extreme", most: float = 0.8
) -> Venue:
    """States from Dirichlet(alpha), noise levels uniform up to `most`, Bayesian forecasts. reviews : of each paper"""
    papers, levels = len(reviews), len(alpha)
    size = sum(alpha)
    q = np.array(alpha) / size
    covariance = (np.diag(q) - np.outer(q, q)) / (size + 1)
    states = rng.dirichlet(alpha, papers)
    lam = rng.uniform(0, most, papers)[:, None]
    ends = np.eye(levels)[np.where(rng.random(papers) < 0.5, 0, levels - 1)]
    b = ends if bias == "extreme" else rng.dirichlet(np.ones(levels), papers)
    seen, prior = (1 - lam) * states + lam * b, (1 - lam) * q + lam * b
    paper = np.repeat(np.arange(papers), reviews)
    rating = (rng.random((len(paper), 1)) > np.cumsum(seen, axis=1)[paper, :-1]).sum(axis=1)
    shares = prior[paper] + ((1 - lam) ** 2)[paper] * covariance[rating] / prior[paper, rating][:, None]
    values = np.arange(1.0, levels + 1)
    return Venue(paper, rating, shares, np.full(len(paper), np.nan), values, states @ values)


def mixed(rng: np.random.Generator, papers: int, least: int = 2, most: int = 5) -> list[int]:
    """Numbers of reviews."""
    return [int(n) for n in rng.integers(least, most + 1, papers)]


def pairwise_accuracy(score: Floats, quality: Floats) -> float:
    """Share of pairs in the right order; a tie is half right."""
    one, two = np.triu_indices(len(score), 1)
    right = np.sign(score[one] - score[two]) * np.sign(quality[one] - quality[two])
    return float((1 + right).mean() / 2)
