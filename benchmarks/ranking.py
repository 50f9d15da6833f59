"""How many comparisons a ranking breaks when scores and means contradict each other, and how long it takes.

    python benchmarks/ranking.py

Random contests: mean normal, score = mean + normal, a share of the papers without a score.
"""

import time

import numpy as np

from surpeer.core import total_order
from surpeer.core.order import Contest
from surpeer.core.shapes import IntArray


def contest(rng: np.random.Generator, papers: int, defined: float) -> Contest:
    mean = rng.normal(size=papers)
    return Contest.of(mean + rng.normal(size=papers), rng.random(papers) < defined, mean)


def broken(papers: Contest, order: IntArray) -> int:
    weight = np.ones(len(papers), dtype=np.int64)
    return int(total_order.broken_comparisons(papers.take(order), weight).sum()) // 2


def main() -> None:
    rng = np.random.default_rng(8)
    total_order.IMPROVED_SIZE = 1000
    print("broken comparisons, 1,000 papers")
    print(f"{'with a score':>14}{'by mean':>10}{'by score':>10}{'moved':>10}{'mended':>9}")
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        papers = contest(rng, 1000, share)
        weight = np.ones(len(papers), dtype=np.int64)
        by_mean = total_order.by_mean(papers)
        by_score = total_order.by_score_with_insertions(papers, weight)
        start = min((by_mean, by_score), key=lambda order: broken(papers, order))
        moved, _broken = total_order.fewest_broken(papers, weight)
        mended = 1 - broken(papers, moved) / broken(papers, start)
        costs = "".join(f"{broken(papers, order):>10,}" for order in (by_mean, by_score, moved))
        print(f"{share:>14.0%}{costs}{mended:>9.1%}")
    total_order.IMPROVED_SIZE = 500
    print("\nseconds to rank, all means and scores different")
    for size in (1_000, 10_000, 100_000):
        papers = contest(rng, size, 0.5)
        begin = time.perf_counter()
        total_order.total_order(papers)
        print(f"{size:>10,} papers {time.perf_counter() - begin:>8.2f} s")


if __name__ == "__main__":
    main()
