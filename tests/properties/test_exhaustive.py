"""All small contests, and a large venue against the exact implementation. Run by `make test-slow`."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import oracle
import pytest

from surpeer import Reviews, build_matrices, score
from surpeer.core.order import Contest
from surpeer.core.total_order import total_order

pytestmark = pytest.mark.slow

KINDS = [(score, mean, True) for score, mean in product(range(3), repeat=2)] + [(0, mean, False) for mean in range(3)]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_no_contest_of_few_papers_has_a_better_order(size: int) -> None:
    orders = np.array(list(permutations(range(size))))  # place of each paper, all orders
    for drawn in combinations_with_replacement(KINDS, size):
        score_of, mean_of, defined = (np.array(column) for column in zip(*drawn, strict=True))
        contest = Contest.of(score_of.astype(float), defined, mean_of.astype(float))
        beats, place = contest.beats(), total_order(contest).place
        fewest = (beats & (orders[:, :, None] > orders[:, None, :])).sum(axis=(1, 2)).min()
        assert (beats & (place[:, None] > place)).sum() == fewest, drawn
        assert not (beats & (place[:, None] == place)).any(), drawn


def test_twenty_thousand_papers_are_scored_as_by_the_oracle() -> None:
    rng = np.random.default_rng(20)
    papers = np.repeat(np.arange(20_000), rng.integers(3, 8, 20_000))
    accepts, percent = rng.integers(0, 2, len(papers)), rng.integers(0, 101, len(papers))
    table = {"paper": papers, "rating": accepts, "prediction": percent}
    scores = score(build_matrices(Reviews.from_table(table, unit="percent")), "surprisal")
    by_paper: dict[int, list[oracle.Review]] = {}
    for paper, accept, share in zip(papers.tolist(), accepts.tolist(), percent.tolist(), strict=True):
        shares = [str(Fraction(100 - share, 100)), str(Fraction(share, 100))]
        by_paper.setdefault(paper, []).append((accept, shares))
    for found in scores:
        expected = oracle.surprisal(by_paper[int(str(found.paper))], [Fraction(0), Fraction(1)])
        assert found.status.label == expected.status
        if expected.score is not None:
            assert found.value == pytest.approx(expected.score, rel=1e-12, abs=1e-12)
