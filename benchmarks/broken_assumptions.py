"""What happens when an assumption of the model fails: made-up venues in which one thing at a time is wrong.

    python benchmarks/broken_assumptions.py [--levels 2 5] [--papers 200] [--venues 100] [--seed 1]

Printed for each kind of venue (`broken_venues.py`): how often a pair of papers is put in the right order by the mean
rating and by the venue score, in per cent; the difference with its standard error; in how many venues predictions were
followed; and how sure the venue score said it was of a pair, on average. Then: by how many places in a hundred one
dishonest reviewer of four moves her paper, and how often it is flagged.
"""

import argparse
from typing import NamedTuple

import numpy as np
from broken_venues import (
    Break,
    Drawn,
    copies,
    draw,
    harsh,
    in_turn,
    known_to_be_better,
    knows_others,
    nobody_predicts,
    nobody_pushed,
    one_tries,
    own_rating,
    pushed,
    pushed_alike,
    some_predict,
    sound,
    unaware,
)

from surpeer.core.shapes import FloatArray
from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.judging import choose_pairs, rightness
from surpeer.experiments.bench.reliability import reliability_sums
from surpeer.ranking import rank

ATTACKED = 0.05
"""Share of the papers that a dishonest reviewer has."""


class Case(NamedTuple):
    """A kind of venue."""

    words: str
    change: Break
    papers: int | None = None
    """None for as many as was asked for."""
    reviewers: int = 4


CASES = (
    Case("everything as assumed", sound),
    Case("10 papers", sound, papers=10),
    Case("30 papers", sound, papers=30),
    Case("one review of each paper", sound, reviewers=1),
    Case("two reviews of each paper", sound, reviewers=2),
    Case("nobody predicts", nobody_predicts),
    Case("one reviewer in four predicts", some_predict(0.25)),
    Case("half of the reviewers predict", some_predict(0.5)),
    Case("half do not know of the bias", unaware(0.5)),
    Case("nobody knows of the bias", unaware(1.0)),
    Case("half of the reviewers are pushed", pushed(0.5)),
    Case("all papers are pushed alike", pushed_alike),
    Case("harsh and lenient reviewers", harsh(1)),
    Case("everybody repeats her own rating", own_rating),
    Case("predictions: 10% what others said", knows_others(0.1)),
    Case("predictions: 25% what others said", knows_others(0.25)),
    Case("predictions: 50% what others said", knows_others(0.5)),
    Case("predictions: just what others said", knows_others(1.0)),
    Case("nobody pushed; 10% what others said", in_turn(nobody_pushed, knows_others(0.1))),
    Case("nobody pushed; 25% what others said", in_turn(nobody_pushed, knows_others(0.25))),
    Case("nobody is pushed", nobody_pushed),
    Case("half are known to be better", known_to_be_better),
    Case("nobody pushed; half known to be better", in_turn(nobody_pushed, known_to_be_better)),
    Case("half copy the first reviewer", copies(0.5)),
)

ATTACKS = (
    ("up: highest rating, honest prediction", {"up": True, "lies": False}),
    ("up: highest rating, predicts the lowest", {"up": True, "lies": True}),
    ("down: lowest rating, honest prediction", {"up": False, "lies": False}),
    ("down: lowest rating, predicts the highest", {"up": False, "lies": True}),
)


class Judged(NamedTuple):
    """One venue."""

    mean: float
    venue: float
    followed: float
    stated: float


def judge(rng: np.random.Generator, venue: Drawn) -> Judged:
    """How good the two methods are on one venue."""
    pairs = choose_pairs(rng, len(venue.state))
    by_mean, by_venue = venue.scores("mean"), venue.scores("venue")
    right = [rightness(pairs, one.value, one.defined, one.mean, venue.quality) for one in (by_mean, by_venue)]
    sums = reliability_sums(by_venue, pairs, right[1])
    assert sums is not None  # the venue score has standard errors
    pairs_judged, stated, _ = sums.sum(axis=0)
    followed = by_venue.outcome.tracks[0].fit.trust.follows
    return Judged(float(right[0].mean()), float(right[1].mean()), float(followed), float(stated / pairs_judged))


def print_cases(levels: int, papers: int, venues: int, seed: int) -> None:
    """A table with one line for each kind of venue."""
    print(f"{levels} levels, {papers} papers unless stated, {venues} venues of each kind, seed {seed}\n")
    print("| what is wrong | mean | venue | difference | followed | stated |\n|---|---|---|---|---|---|")
    for case in CASES:
        judged = []
        for at in range(venues):
            rng = generator(seed, f"{case.words} K={levels}", at)
            judged.append(judge(rng, case.change(rng, draw(rng, levels, case.papers or papers, case.reviewers))))
        table = 100 * np.array(judged)
        mean, venue, followed, stated = table.mean(axis=0)
        difference = with_error(table[:, 1] - table[:, 0], 2)
        print(f"| {case.words} | {mean:.1f} | {venue:.1f} | {difference} | {followed:.0f} % | {stated:.1f} |")


def with_error(numbers: FloatArray, digits: int) -> str:
    """The mean over venues and its standard error."""
    error = np.std(numbers, ddof=1) / np.sqrt(len(numbers))
    return f"{np.mean(numbers):+.{digits}f} ± {error:.{digits}f}"


class Place(NamedTuple):
    """Where the papers of dishonest reviewers stand; the mean over them."""

    above: float
    """Of a hundred others, how many are ranked below it (a tie counts one half)."""
    flagged: float
    """Per cent with the flag incoherent_forecasts."""


def place(venue: Drawn, method: str, papers: int) -> Place:
    """Of the first papers of a venue."""
    scores = venue.scores(method)
    value = scores.value
    below = (value[:papers, None] > value).sum(axis=1) + ((value[:papers, None] == value).sum(axis=1) - 1) / 2
    flags = rank(scores).table.sort("paper")["flags"][:papers].list.contains("incoherent_forecasts")
    return Place(float(100 * below.mean() / (len(value) - 1)), 100 * float(flags.to_numpy().mean()))


def print_attacks(levels: int, papers: int, venues: int, seed: int) -> None:
    """A table with one line for each way to cheat."""
    attacked = round(ATTACKED * papers)
    print(f"{levels} levels, {attacked} of {papers} papers with one dishonest reviewer of four, {venues} venues\n")
    print("| one reviewer pushes | places by mean | places by venue | flagged | flagged if honest |")
    print("|---|---|---|---|---|")
    for words, how in ATTACKS:
        moved: dict[str, list[float]] = {"mean": [], "venue": []}
        flagged: list[tuple[float, float]] = []
        for at in range(venues):
            rng = generator(seed, f"attack {words} K={levels}", at)
            honest = draw(rng, levels, papers, 4)
            tried = one_tries(ATTACKED, **how)(rng, honest)
            for method, found in moved.items():
                before, after = place(honest, method, attacked), place(tried, method, attacked)
                found.append(after.above - before.above)
            flagged.append((after.flagged, before.flagged))
        texts = [with_error(np.array(found), 1) for found in moved.values()]
        shares = [f"{share:.0f} %" for share in np.mean(flagged, axis=0)]
        print(f"| {words} | {' | '.join([*texts, *shares])} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 5])
    parser.add_argument("--papers", type=int, default=200)
    parser.add_argument("--venues", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for levels in arguments.levels:
        print_cases(levels, arguments.papers, arguments.venues, arguments.seed)
        print()
        print_attacks(levels, arguments.papers, arguments.venues, arguments.seed)
        print()


if __name__ == "__main__":
    main()
