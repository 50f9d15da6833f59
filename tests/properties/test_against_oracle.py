"""Whole venues against the exact implementation: every status, every score to 1e-12."""

from fractions import Fraction

import numpy as np
import oracle
import pytest
from at_length import in_both, is_slow_run

from surpeer import Reviews, build_matrices, score


def draw_reviews(rng: np.random.Generator, levels: int, steps: int, n: int) -> list[oracle.Review]:
    base = rng.dirichlet(np.ones(levels))
    reviews: list[oracle.Review] = []
    for _ in range(n):
        rating = int(rng.integers(levels))
        leaning = 0.5 * base + 0.5 * np.eye(levels)[rating] * rng.random() + 0.02
        shares = rng.multinomial(steps, leaning / leaning.sum())
        text = [str(Fraction(int(share), steps).limit_denominator()) for share in shares]
        decimal = [str(float(Fraction(part))) for part in text]
        reviews.append((rating, None if rng.random() < 0.1 else decimal))
    return reviews


@in_both
@pytest.mark.parametrize("method", [name for name in oracle.METHODS if name != "venue"])
@pytest.mark.parametrize(("levels", "steps", "n"), [(2, 20, 4), (2, 100, 7), (3, 10, 8), (5, 100, 25), (10, 100, 60)])
def test_scores_are_the_exact_ones(levels: int, steps: int, n: int, method: str) -> None:
    rng = np.random.default_rng([levels, steps, n])
    how_many = 25 if levels == 10 else 150 if levels < 5 or is_slow_run() else 40
    papers = {f"P{number:03d}": draw_reviews(rng, levels, steps, n) for number in range(how_many)}
    columns: dict[str, list[object]] = {"paper": [], "rating": []} | {
        f"p_{level}": [] for level in range(1, levels + 1)
    }
    for paper, reviews in papers.items():
        for rating, shares in reviews:
            columns["paper"].append(paper)
            columns["rating"].append(str(rating + 1))
            for level in range(levels):
                columns[f"p_{level + 1}"].append(None if shares is None else float(shares[level]))
    scores = score(build_matrices(Reviews.from_table(columns)), method)
    values = [Fraction(rank) for rank in (range(2) if levels == 2 else range(1, levels + 1))]
    statuses = set()
    for paper, reviews in papers.items():
        expected, found = oracle.METHODS[method](reviews, values), scores[paper]
        statuses.add(expected.status)
        assert found.status.label == expected.status, paper
        if expected.score is not None:
            assert found.value == pytest.approx(expected.score, rel=1e-12, abs=1e-12), paper
    assert "finite" in statuses
