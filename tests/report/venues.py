"""Made-up venues for the tests of reports: two tracks, titles, reviewers with names that can be searched for."""

import numpy as np
import polars as pl

import surpeer
from surpeer.decisions import Decisions

TRACKS = ("Theory", "Systems", "Tiny")


def venue_table(papers: int = 60, levels: int = 5, seed: int = 1, tiny: int = 3) -> pl.DataFrame:
    """One row per review; the last `tiny` papers are a track of their own."""
    rng = np.random.default_rng(seed)
    quality, push = rng.normal(size=papers), rng.normal(size=papers)
    paper = np.repeat(np.arange(papers), 4)
    middle = (levels - 1) / 2
    drawn = middle + quality[paper] + push[paper] + rng.normal(size=len(paper)) * 0.7
    rating = np.clip(np.rint(drawn), 0, levels - 1).astype(int)
    centre = np.clip(middle + push[paper] + 0.3 * (rating - middle), 0.2, levels - 1.2)
    weights = np.exp(-0.5 * (np.arange(levels) - centre[:, None]) ** 2)
    shares = np.round(weights / weights.sum(axis=1, keepdims=True), 3)
    shares[np.arange(len(paper)), shares.argmax(axis=1)] += 1 - shares.sum(axis=1)
    track = np.where(np.arange(papers) >= papers - tiny, 2, np.arange(papers) % 2)
    return pl.DataFrame(
        {
            "paper": [f"sub-{one:03d}-q" for one in paper],
            "title": [f"Secret title number {one}" for one in paper],
            "track": [TRACKS[track[one]] for one in paper],
            "reviewer": [f"person{one % 37}.{one % 4}@example.org" for one in range(len(paper))],
            "rating": rating + 1,
            **{f"p_{level + 1}": np.round(shares[:, level], 3) for level in range(levels)},
        }
    )


def venue_decisions(**options: int) -> Decisions:
    """A third of the papers can be accepted."""
    return surpeer.decide(surpeer.calibrate(surpeer.Reviews.from_table(venue_table(**options))), 1 / 3)
