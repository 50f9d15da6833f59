"""How long `surpeer score` takes, as a multiple of reading the same file with polars and grouping it by paper.

    python benchmarks/score_cli.py [--method surprisal] [--reviews 200000] [--levels 2] [--repeats 15]

Two measurements of each, in turns so that noise of the machine meets both alike:
  in process    the command's own function, and the bare polars calls, both warm
  from outside  the whole command, less the same command on a file of one paper; likewise for the bare calls
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.cli.commands import app
from surpeer.core.joint import predictions_from_joint
from surpeer.core.noise import noise_matrix, noisy_joint, noisy_state

BARE = """
import sys, polars as pl
pl.read_csv(sys.argv[1]).group_by("paper").agg(pl.len(), pl.col("^p_.*$").mean())
"""


def write_venue(path: Path, reviews: int, levels: int, per_paper: int = 4) -> None:
    """Bayesian reviewers of papers with different noise; forecasts in per cents of five; rows shuffled."""
    rng = np.random.default_rng(5)
    papers = max(1, reviews // per_paper)
    clean = rng.dirichlet(np.full(levels, 1.0), papers)
    noise = noise_matrix(rng.uniform(0, 0.8, papers), rng.dirichlet(np.full(levels, 0.3), papers))
    seen = noisy_state(clean, noise)
    joint = (np.ones((levels, levels)) + np.eye(levels)) / (levels * (levels + 1))  # of the uniform Dirichlet
    P = predictions_from_joint(noisy_joint(joint, noise))
    paper = rng.permutation(np.repeat(np.arange(papers), per_paper))
    rating = (rng.random(len(paper))[:, None] > seen[paper].cumsum(axis=1)).sum(axis=1).clip(max=levels - 1)
    shares = rng.multinomial(20, P[paper, rating] / P[paper, rating].sum(axis=1, keepdims=True)) / 20
    columns = {f"p_{level + 1}": shares[:, level] for level in range(levels)}
    pl.DataFrame(
        {
            "paper": [f"P{number:06d}" for number in paper],
            "reviewer": [f"R{number}" for number in range(len(paper))],
            "rating": rating + 1,
            **columns,
        }
    ).write_csv(path)


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def in_turns(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each call, one after the other, the first round thrown away."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats + 1):
        for name, call in calls.items():
            taken[name].append(seconds(call))
    return {name: statistics.median(times[1:]) for name, times in taken.items()}


def run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", default="surprisal")
    parser.add_argument("--reviews", type=int, default=200_000)
    parser.add_argument("--levels", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parser.parse_args()
    score = ["score", "--method", arguments.method]
    command = [sys.executable, "-m", "surpeer", *score]
    with tempfile.TemporaryDirectory() as folder:
        large, small, out = Path(folder, "large.csv"), Path(folder, "small.csv"), Path(folder, "out.csv")
        write_venue(large, arguments.reviews, arguments.levels)
        write_venue(small, 4, arguments.levels)
        inside = in_turns(
            {
                "bare polars": lambda: pl.read_csv(large).group_by("paper").agg(pl.len(), pl.col("^p_.*$").mean()),
                "surpeer score": lambda: app([*score, str(large), "-o", str(out)], standalone_mode=False),
            },
            arguments.repeats,
        )
        outside = in_turns(
            {
                "bare polars": lambda: run(sys.executable, "-c", BARE, large),
                "bare polars, start": lambda: run(sys.executable, "-c", BARE, small),
                "surpeer score": lambda: run(*command, large, "-o", out),
                "surpeer score, start": lambda: run(*command, small, "-o", out),
            },
            arguments.repeats,
        )
    size = f"{arguments.reviews:,} reviews on {arguments.levels} levels"
    print(f"{arguments.method}: {size}, median of {arguments.repeats}")
    print(f"{'':16}{'bare polars':>14}{'surpeer score':>16}{'ratio':>8}")
    bare, full = inside["bare polars"], inside["surpeer score"]
    print(f"{'in process':16}{1e3 * bare:>11.1f} ms{1e3 * full:>13.1f} ms{full / bare:>8.2f}")
    bare = outside["bare polars"] - outside["bare polars, start"]
    full = outside["surpeer score"] - outside["surpeer score, start"]
    print(f"{'from outside':16}{1e3 * bare:>11.1f} ms{1e3 * full:>13.1f} ms{full / bare:>8.2f}")
    print(
        f"start-up: bare polars {outside['bare polars, start']:.2f} s, surpeer {outside['surpeer score, start']:.2f} s"
    )


if __name__ == "__main__":
    main()
