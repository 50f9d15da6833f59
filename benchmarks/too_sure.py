"""What happens when reviewers' predictions are too sure of themselves: narrower than ratings really spread.

    python benchmarks/too_sure.py [--papers 1000] [--venues 5] [--seed 1]

Papers of four reviews. The rating is quality plus what pushes the paper plus the reviewer's own error, rounded to the
scale: not the model that the venue score was made for, in which bias replaces ratings instead of shifting them.
Predictions know the push, lean a little towards the own rating, and have a given width; "true width" is that of the
ratings that one paper gets. Printed: share of pairs of papers in the order of their quality, with its standard error
over venues.
"""

import argparse

import numpy as np

import surpeer
from surpeer.core.shapes import FloatArray

REVIEWERS = 4
QUALITY, NOISE = 0.15, 0.15  # standard deviations, in units of the whole scale
PUSHES, WIDTHS = (0.05, 0.12), (1.2, 1.0, 0.75, 0.5)
"""What pushes papers, in the same units; and how wide predictions are, as parts of the true width."""
TRUE_WIDTH = float(np.hypot(QUALITY, NOISE))
OWN, ERROR = 0.25, 0.04  # how far predictions lean to the own rating, and what reviewers add to them


def drawn(
    rng: np.random.Generator, papers: int, levels: int, push: float, width: float
) -> tuple[FloatArray, surpeer.Reviews]:
    """True quality, (papers,), and the reviews of a venue."""
    quality, pushed = rng.normal(size=papers) * QUALITY, rng.normal(size=papers) * push
    paper = np.repeat(np.arange(papers), REVIEWERS)
    middle, size = (levels - 1) / 2, levels
    felt = quality[paper] + pushed[paper] + rng.normal(size=len(paper)) * NOISE
    rating = np.clip(np.rint(middle + size * felt), 0, levels - 1).astype(np.int64)
    centre = middle + size * (pushed[paper] + rng.normal(size=len(paper)) * ERROR) + OWN * (rating - middle)
    centre = np.clip(centre, 0.1, levels - 1.1)
    weights = np.exp(-0.5 * ((np.arange(levels) - centre[:, None]) / (size * width)) ** 2)
    shares = weights / weights.sum(axis=1, keepdims=True)
    columns = {f"p_{level + 1}": shares[:, level] for level in range(levels)}
    return quality, surpeer.Reviews.from_table({"paper": paper, "rating": rating + 1, **columns})


def right_order(score: FloatArray, quality: FloatArray) -> float:
    """Share of all pairs; ties count half."""
    one, other = np.triu_indices(len(quality), 1)
    agree = np.sign(score[one] - score[other]) * np.sign(quality[one] - quality[other])
    return float(((agree > 0) + 0.5 * (agree == 0)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=1000)
    parser.add_argument("--venues", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{arguments.venues} venues of {arguments.papers:,} papers x {REVIEWERS} reviews, seed {arguments.seed}")
    print(f"{'levels':>6} {'push':>6} {'width':>12}  {'mean':>7} {'venue':>7} {'difference':>16}")
    for levels in (2, 5, 10):
        for push in PUSHES:
            for share in WIDTHS:
                rng = np.random.default_rng(arguments.seed)
                found = []
                for one in rng.spawn(arguments.venues):
                    quality, reviews = drawn(one, arguments.papers, levels, push, share * TRUE_WIDTH)
                    scores = surpeer.calibrate(reviews).scores
                    found.append([right_order(score, quality) for score in (scores.mean, scores.value)])
                mean, ours = np.mean(found, axis=0)
                gain = np.diff(found, axis=1)[:, 0]
                error = gain.std(ddof=1) / np.sqrt(len(gain))
                row = f"{levels:6d} {push:6.2f} {share:7.2f} true  {mean:7.1%} {ours:7.1%}"
                print(f"{row} {100 * gain.mean():+8.2f} ± {100 * error:.2f}")


if __name__ == "__main__":
    main()
