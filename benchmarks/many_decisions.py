"""How far the probabilities for very many papers (surpeer.core.cut) are from the exact ones, and how long both take.

    python benchmarks/many_decisions.py [PAPERS ...]

Made-up scores with standard errors of several kinds; the largest difference over all papers when 1 %, 10 %, 25 % and
50 % are accepted. Papers near the cut are computed exactly while they are few, which is mostly switched off here.
"""

import sys
import time
from collections.abc import Iterator

import numpy as np

from surpeer.core import cut
from surpeer.core.probability import probability_among_best
from surpeer.core.shapes import FloatArray

SHARES = (0.01, 0.1, 0.25, 0.5)


def venues(rng: np.random.Generator, papers: int) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Names, scores and standard errors."""
    score = rng.normal(size=papers)
    for error in (0.02, 0.1, 0.5, 2.0):
        yield f"errors {error}", score, np.full(papers, error)
    yield "errors from 0.03 to 3", score, 0.3 * np.exp(rng.normal(size=papers))
    yield "errors 0.01 or 1", score, np.where(rng.random(papers) < 0.5, 0.01, 1.0)
    yield "ties", np.round(2 * score) / 2, np.full(papers, 0.3)
    yield "ties, errors 0.01", np.round(4 * score) / 4, np.full(papers, 0.01)
    yield "heavy tails", rng.standard_t(2, size=papers), np.full(papers, 0.3)


def compare(score: FloatArray, error: FloatArray, places: int) -> tuple[str, float, float]:
    """The largest difference and the variance, as text, and the seconds that both took."""
    begin = time.perf_counter()
    found = cut.find_cut(lambda: [cut.Batch(score, error)], places)
    chance = found.probability(score, error)
    between = time.perf_counter()
    exact = probability_among_best(score, error, places)
    difference = np.abs(chance - exact).max()
    how = "exact" if found.near is not None else f"{difference:.0e}"
    return f"{how} ({found.sums.variance:,.0f})", between - begin, time.perf_counter() - between


def main() -> None:
    used_from = cut.ENOUGH
    cut.EXACT_PAPERS, cut.ENOUGH = 0, 100.0
    print(f"largest difference (variance of the number above the cut); below {used_from:,.0f} surpeer does not use it")
    for papers in map(int, sys.argv[1:] or ["5000", "20000"]):
        print(f"\n{papers:,} papers{'':14}" + "".join(f"{share:>18.0%}" for share in SHARES) + "   seconds   exact")
        for name, score, error in venues(np.random.default_rng(0), papers):
            cells, fast, slow = zip(*(compare(score, error, int(papers * share)) for share in SHARES), strict=True)
            row = "".join(f"{cell:>18}" for cell in cells)
            print(f"{name:<26}{row}{sum(fast):>10.2f}{sum(slow):>8.1f}", flush=True)


if __name__ == "__main__":
    main()
