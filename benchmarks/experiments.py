"""How fast accuracy is computed and sampled: the exact grid against sampling, and sampling against bare numpy.

    python benchmarks/experiments.py [--repeats 5] [--pairs 2000000]

Prints the time of the paper's whole set of curves (all methods, ties decided), the pairs per second of the sampler, the
same as a share of what numpy needs for the random numbers alone, and how long sampling would take for the same grid.
"""

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from surpeer.core import noise_matrix
from surpeer.experiments import METHODS, Dirichlet, LogNoise, sample_accuracies
from surpeer.experiments.curves import accuracy_table
from surpeer.experiments.monte_carlo import BLOCK
from surpeer.experiments.settings import FULL

ERRORS = (1e-3, 1e-4, 1e-10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=2_000_000)
    options = parser.parse_args()
    table = accuracy_table(FULL)
    exact = best(options.repeats, lambda: accuracy_table(FULL))
    points = table.height // len(METHODS)
    print(f"exact: {table.height:,} accuracies ({points:,} settings x {len(METHODS)} methods) in {exact:.3f} s")
    print()
    print("sampler, all five methods on the same pairs:")
    rates = [sampler(n, prior, options) for n in (3, 5, 20) for prior in ((0.5, 0.5), (1.0, 1.0), (3.0, 3.0))]
    print()
    rate = float(np.mean(rates[:6]))  # the paper's sizes
    accuracy = table["accuracy"].to_numpy()
    variance = float(np.mean(accuracy * (1 - accuracy)))  # of being right on one pair
    print(f"the same {points:,} settings by sampling, at {rate / 1e6:.1f} million pairs per second:")
    for error in ERRORS:
        seconds = points * variance / error**2 / rate
        print(f"  standard error {error:g}: {seconds:,.3g} s, {seconds / exact:,.3g} times the exact computation")
    print()
    print("sampler without a closed form:")
    general(3, 5, None, options.pairs // 10)
    general(5, 6, None, options.pairs // 10)
    general(2, 5, LogNoise(0.5), options.pairs // 10)
    general(5, 6, LogNoise(0.5), options.pairs // 20)


def sampler(n: int, prior: tuple[float, float], options: argparse.Namespace) -> float:
    noises = noise_matrix(0.3, [0, 1]), noise_matrix(0.5, [1, 0])
    rng = np.random.default_rng(1)
    ours = best(options.repeats, lambda: sample_accuracies(rng, options.pairs, n, n, prior, *noises, METHODS))
    bare = best(options.repeats, lambda: bare_numbers(rng, options.pairs, n, prior))
    rate = float(options.pairs / ours)
    print(
        f"  n = {n:2}, Beta{prior}: {rate / 1e6:5.1f} million pairs per second, "
        f"{ours / bare:.2f} times the drawing of their random numbers"
    )
    return rate


def bare_numbers(rng: np.random.Generator, pairs: int, n: int, prior: tuple[float, float]) -> None:
    """Two qualities and 2 n uniform numbers for each pair, as blocks on all processors; nothing done with them."""

    def block(own: np.random.Generator) -> None:
        for _ in range(2):
            own.dirichlet(prior, BLOCK)
            for _ in range(n):
                own.random(BLOCK)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(block, rng.spawn(pairs // BLOCK)))


def general(signals: int, n: int, forecasts: LogNoise | None, pairs: int) -> None:
    one = np.eye(signals)
    noises = noise_matrix(0.3, one[-1]), noise_matrix(0.5, one[0])
    prior, rng = Dirichlet((1.0,) * signals), np.random.default_rng(1)
    taken = best(2, lambda: sample_accuracies(rng, pairs, n, n, prior, *noises, forecasts=forecasts))
    kind = "noisy forecasts, scored as a venue" if forecasts else "Bayesian forecasts"
    print(f"  {signals} levels, n = {n}, {kind}: {pairs / taken / 1e6:.2f} million pairs per second")


def best(repeats: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
