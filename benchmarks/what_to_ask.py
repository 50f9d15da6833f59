"""How much the ranking gains from what reviewers are asked to predict, on scales of two, five and ten levels.

    python benchmarks/what_to_ask.py [--levels 2 5 10] [--papers 200] [--venues 100] [--seed 1]

The venues are the sound ones of `broken_venues.py`: the same merit of papers, cut into so many levels; four reviewers a
paper; predictions that are Bayesian up to noise. Printed: pairs of papers in the right order by the venue score, in per
cent, with the standard error; in the first line by the mean rating.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from broken_venues import Drawn, draw, nobody_predicts, some_predict, sound

from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.judging import choose_pairs, rightness

Question = Callable[[np.random.Generator, Drawn], Drawn]


def expected_rating(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
    """The average rating of the others, to half a level; no shares."""
    expected = np.round(2 * (venue.told @ np.arange(1, venue.levels + 1))) / 2
    return replace(venue, told=np.full_like(venue.told, np.nan), expected=expected)


def highest_level(rng: np.random.Generator, venue: Drawn) -> Drawn:  # noqa: ARG001
    """The share of the highest level only; of two levels that is everything."""
    if venue.levels == 2:
        return venue
    told = np.full_like(venue.told, np.nan)
    told[:, -1] = venue.told[:, -1]
    return replace(venue, told=told)


QUESTIONS: tuple[tuple[str, str, Question], ...] = (
    ("mean rating, no predictions used", "mean", sound),
    ("nobody is asked", "venue", nobody_predicts),
    ("all: a share for every level", "venue", sound),
    ("all: the expected rating", "venue", expected_rating),
    ("all: the share of the highest level", "venue", highest_level),
    ("half of the reviewers: every level", "venue", some_predict(0.5)),
    ("a quarter of the reviewers: every level", "venue", some_predict(0.25)),
)


def accuracy(levels: int, papers: int, venues: int, seed: int, method: str, ask: Question) -> str:
    """Pairs in the right order, over the same venues for every question."""
    right = []
    for at in range(venues):
        rng = generator(seed, f"what to ask K={levels}", at)
        drawn = draw(rng, levels, papers, 4)
        pairs = choose_pairs(rng, papers)
        scores = ask(rng, drawn).scores(method)
        right.append(rightness(pairs, scores.value, scores.defined, scores.mean, drawn.quality).mean())
    return f"{100 * np.mean(right):.1f} ± {100 * np.std(right, ddof=1) / np.sqrt(venues):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--papers", type=int, default=200)
    parser.add_argument("--venues", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"| who is asked, and for what | {' | '.join(f'{levels} levels' for levels in given.levels)} |")
    print("|" + "---|" * (1 + len(given.levels)))
    for words, method, ask in QUESTIONS:
        found = [accuracy(levels, given.papers, given.venues, given.seed, method, ask) for levels in given.levels]
        print(f"| {words} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
