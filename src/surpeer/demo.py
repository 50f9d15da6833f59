"""A made-up venue with cheap signals, for a first look: ratings and predictions, and the truth behind them.

The model is the paper's. Every paper has a true quality, the share of careful reviewers who would accept it, drawn
from Beta(2, 2). Some papers carry a cheap signal: with probability `level` a reviewer follows it instead of reading.
Reviewers know that their colleagues do so too, and predict accordingly, though not perfectly: their predictions are
Bayesian up to some noise on the logit scale, and rounded to five per cent.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import expit, logit

from surpeer.core.joint import joint_from_dirichlet, predictions_from_joint
from surpeer.core.noise import noise_matrix, noisy_joint, noisy_state
from surpeer.core.shapes import IntArray
from surpeer.ranking import Ranking

# name, share of papers, noise level, bias towards (reject, accept)
CHEAP_SIGNALS = (
    ("none", 0.4, 0.1, (0.5, 0.5)),
    ("famous group", 0.3, 0.5, (0.0, 1.0)),
    ("unfashionable topic", 0.3, 0.5, (1.0, 0.0)),
)
BETA = (2.0, 2.0)
REVIEWERS_PER_PAPER = (4, 5, 6)
FORECAST_NOISE = 0.2
FORECAST_STEP = 0.05


@dataclass(frozen=True)
class Venue:
    """What reviewers reported, and what nobody at a real venue knows."""

    reviews: pl.DataFrame
    truth: pl.DataFrame


def make_venue(rng: np.random.Generator, papers: int) -> Venue:
    """A venue of so many papers with two rating levels, reject and accept."""
    names = [f"Paper {number:0{len(str(papers))}d}" for number in range(1, papers + 1)]
    signal = rng.choice(len(CHEAP_SIGNALS), size=papers, p=[share for _, share, _, _ in CHEAP_SIGNALS])
    noise = np.stack([noise_matrix(level, bias) for _, _, level, bias in CHEAP_SIGNALS])[signal]  # (N, 2, 2)
    quality = rng.beta(*BETA, size=papers)
    seen = noisy_state(np.stack([1 - quality, quality], axis=1), noise)  # (N, 2)
    P = predictions_from_joint(noisy_joint(joint_from_dirichlet(BETA[::-1]), noise))  # (N, 2, 2)
    size = rng.choice(REVIEWERS_PER_PAPER, size=papers)
    paper = np.repeat(np.arange(papers), size)
    accepts = (rng.random(len(paper)) < seen[paper, 1]).astype(np.int64)
    forecast = expit(logit(P[paper, accepts, 1]) + rng.normal(0, FORECAST_NOISE, len(paper)))
    steps = np.clip(np.rint(forecast / FORECAST_STEP), 1, round(1 / FORECAST_STEP) - 1).astype(np.int64)
    per_step = round(1 / FORECAST_STEP)
    reviews = pl.DataFrame(
        {
            "paper": [names[at] for at in paper],
            "reviewer": [f"Reviewer {number}" for number in np.concatenate([_panel(rng, papers, n) for n in size])],
            "rating": pl.Series(["reject", "accept"]).gather(accepts),
            "p_reject": (per_step - steps) / per_step,
            "p_accept": steps / per_step,
        }
    )
    truth = pl.DataFrame(
        {
            "paper": names,
            "cheap_signal": [CHEAP_SIGNALS[at][0] for at in signal],
            "true_quality": quality.round(4),
        }
    )
    return Venue(reviews, truth)


def _panel(rng: np.random.Generator, papers: int, size: int) -> IntArray:
    """Different reviewers for one paper, from a committee as large as the venue."""
    return np.asarray(1 + rng.choice(max(papers, 10), size=size, replace=False))


def pairwise_accuracy(ranking: Ranking, truth: pl.DataFrame) -> float:
    """Share of the pairs of papers that a ranking puts in the order of their true quality; ties count one half."""
    joined = ranking.table.join(truth, on="paper")
    rank, quality = joined["rank"].to_numpy(), joined["true_quality"].to_numpy()
    first, second = np.triu_indices(len(rank), k=1)
    order = np.sign(rank[second] - rank[first]) * np.sign(quality[first] - quality[second])
    return float(np.mean((1 + order) / 2))


def mean_rank_by_signal(ranking: Ranking, truth: pl.DataFrame) -> pl.DataFrame:
    """Columns cheap_signal and rank: the mean rank of the papers that carry it; papers that tie share their places."""
    shared = ranking.table.select("paper", pl.col("rank").rank("average")).join(truth, on="paper")
    return shared.group_by("cheap_signal", maintain_order=True).agg(pl.col("rank").mean())
