"""How many rounds the venue method needs: accuracy and time by how often its model is improved.

    python benchmarks/rounds.py [--venues 8] [--seed 1]

Every venue (those cells of `surpeer bench accuracy` that are not held out and in which predictions say something, and
the venues of `too_sure.py`, in which bias shifts ratings, which is not the model) is scored with each number of rounds,
and with the typical prior renewed at other times. Printed: how many pairs of papers of a hundred more are in the right
order than with the rounds that surpeer takes, over the same pairs, with the standard error over venues; and the least
time of a venue of a thousand papers with two levels.
"""

import argparse
import timeit
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, product
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from scale_data import Venue, pieces
from too_sure import PUSHES, TRUE_WIDTH, WIDTHS, drawn, right_order

import surpeer
from surpeer.core.shapes import FloatArray
from surpeer.core.venue import fit_forecasts
from surpeer.experiments.bench.grid import FULL, Cell, generator
from surpeer.experiments.bench.judging import choose_pairs, rightness
from surpeer.experiments.bench.venues import draw_venue
from surpeer.matrices import Matrices

PREDICTIONS = ("truthful", "noisy", "very noisy", "missing")


class Rounds(NamedTuple):
    """How often the model is improved, and after how many of these rounds the typical prior is renewed."""

    rounds: int
    renewed_after: tuple[int, ...]


OURS = Rounds(fit_forecasts.ITERATIONS, fit_forecasts.NEW_BASIS_AT)
OTHERS = (
    Rounds(4, (1,)),
    Rounds(4, (2,)),
    Rounds(5, (1, 2)),
    Rounds(6, (2,)),
    Rounds(6, (3,)),
    Rounds(6, (2, 4)),
    Rounds(7, (3,)),
    Rounds(8, (2, 4)),
    Rounds(8, (4,)),
    Rounds(12, (2, 4)),
    Rounds(12, (2, 4, 6)),
    Rounds(24, (2, 4, 6)),
)
EVERY = (OURS, *OTHERS)


def scored(matrices: Matrices, rounds: Rounds) -> surpeer.Scores:
    """By the venue method with so many rounds."""
    with patch.multiple(fit_forecasts, ITERATIONS=rounds.rounds, NEW_BASIS_AT=rounds.renewed_after):
        return surpeer.score(matrices, "venue")


def right_in_cell(cell: Cell, venues: int, seed: int) -> list[list[float]]:
    """Of each venue, the share of pairs in the right order with each number of rounds."""
    found = []
    for at in range(venues):
        rng = generator(seed, cell.words, at)
        venue = draw_venue(cell, rng)
        pairs = choose_pairs(rng, len(venue.quality))
        every = (scored(venue.matrices, rounds) for rounds in EVERY)
        found.append([float(rightness(pairs, s.value, s.defined, s.mean, venue.quality).mean()) for s in every])
    return found


def right_where_shifted(kind: tuple[int, float, float], papers: int, venues: int, seed: int) -> list[list[float]]:
    """The same of venues in which bias shifts ratings. kind : levels, push and width of predictions"""
    found = []
    for rng in np.random.default_rng(seed).spawn(venues):
        quality, reviews = drawn(rng, papers, *kind)
        matrices = surpeer.build_matrices(reviews)
        found.append([right_order(scored(matrices, rounds).value, quality) for rounds in EVERY])
    return found


def cells(papers: int) -> list[Cell]:
    """Kinds of venues that follow the model."""
    kept = (cell for cell in FULL.cells() if not cell.held_out and cell.forecasts in PREDICTIONS)
    return [cell for cell in kept if cell.papers == papers]


def more_points(right: list[list[float]]) -> FloatArray:
    """(venues, len(EVERY)) than with our rounds. right : of each venue, with each number of rounds"""
    points = 100 * np.array(right)
    return np.asarray(points - points[:, :1])


def gains(right: list[list[float]]) -> list[str]:
    """Their means, with standard errors."""
    more = more_points(right)
    errors = more.std(axis=0, ddof=1) / np.sqrt(len(more))
    return [f"{mean:+.3f} ± {error:.3f}" for mean, error in zip(more.mean(axis=0), errors, strict=True)]


def milliseconds(rounds: Rounds) -> str:
    """Of a thousand papers, the least of many."""
    reviews = surpeer.Reviews.from_table(next(pieces(Venue(4000))), surpeer.Scale(["0", "1"]))
    times = timeit.repeat(lambda: scored(surpeer.build_matrices(reviews), rounds), number=1, repeat=200)
    return f"{1e3 * min(times):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venues", type=int, default=8, help="of each kind; of those with 500 papers a quarter")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    few = max(1, given.venues // 4)
    shifted = [(levels, push, width * TRUE_WIDTH) for levels, push, width in product((2, 5, 10), PUSHES, WIDTHS)]
    columns: dict[str, list[str]] = {}
    with ProcessPoolExecutor() as pool:
        for papers, venues in ((50, given.venues), (500, few)):
            right = pool.map(partial(right_in_cell, venues=venues, seed=given.seed), cells(papers), chunksize=4)
            columns[f"{papers} papers"] = gains(list(chain.from_iterable(right)))
        kinds = list(pool.map(partial(right_where_shifted, papers=1000, venues=given.venues, seed=given.seed), shifted))
        columns["bias shifts ratings"] = gains(list(chain.from_iterable(kinds)))
        worst = np.min([more_points(kind).mean(axis=0) for kind in kinds], axis=0)
        columns["worst of these kinds"] = [f"{least:+.2f}" for least in worst]
    columns["ms"] = [milliseconds(rounds) for rounds in EVERY]
    print(f"| rounds | renewed after | {' | '.join(columns)} |")
    print("|" + "---|" * (2 + len(columns)))
    for each, *row in zip(EVERY, *columns.values(), strict=True):
        print(f"| {each.rounds} | {', '.join(map(str, each.renewed_after))} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
