"""An independent, slow and exact implementation of the scores: fractions, no numpy, no code of surpeer.

Predictions come as text and are taken as the decimals they are. Scores are computed to fifty digits.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations

Review = tuple[int, list[str] | None]
"""The index of the rating, and the predicted shares as text (or none)."""


@dataclass(frozen=True)
class Expected:
    status: str
    score: float | None


def frequencies(reviews: list[Review], levels: int) -> list[Fraction]:
    return [Fraction(sum(rating == s for rating, _ in reviews), len(reviews)) for s in range(levels)]


def prediction_matrix(reviews: list[Review], levels: int) -> list[list[Fraction]] | None:
    matrix = []
    for s in range(levels):
        rows = [[Fraction(cell) for cell in shares] for rating, shares in reviews if rating == s and shares is not None]
        if not rows:
            return None
        matrix.append([sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)])
    return matrix


def prior(P: list[list[Fraction]]) -> list[Fraction]:
    if len(P) == 2:
        total = P[0][1] + P[1][0]
        return [P[1][0] / total, P[0][1] / total] if total else [Fraction(0), Fraction(0)]
    q = []
    for s in range(len(P)):
        pairs = [(P[s][t], P[t][s]) for t in range(len(P))]
        if any(up and not down for up, down in pairs):
            q.append(Fraction(0))  # a term is infinite
        else:
            q.append(1 / sum((up / down for up, down in pairs if down), Fraction(0)))
    return q


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    """By its definition for small matrices, by elimination for larger ones."""
    size = len(matrix)
    if size <= 5:
        total = Fraction(0)
        for order in permutations(range(size)):
            inversions = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
            product = Fraction((-1) ** inversions)
            for row, column in enumerate(order):
                product *= matrix[row][column]
            total += product
        return total
    rows, result = [row[:] for row in matrix], Fraction(1)
    for k in range(size):
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result *= rows[k][k]
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return result


def root(number: Fraction, degree: int) -> Decimal:
    with localcontext() as context:
        context.prec = 50
        value = Decimal(number.numerator) / Decimal(number.denominator)
        return value ** (Decimal(1) / Decimal(degree))


def _without_formula(reviews: list[Review], levels: int) -> Expected | None:
    ratings = {rating for rating, _ in reviews}
    if levels == 2 and len(ratings) == 1:
        return Expected("plus_infinity" if ratings == {1} else "minus_infinity", None)
    if len(ratings) > 1 and all(shares is None for _, shares in reviews):
        return Expected("no_predictions", None)
    if prediction_matrix(reviews, levels) is None:
        return Expected("missing_signal", None)
    return None


def mean(reviews: list[Review], values: list[Fraction]) -> Expected:
    return Expected("finite", float(sum(values[rating] for rating, _ in reviews) / len(reviews)))


def _v_P_q(reviews: list[Review], levels: int) -> tuple[list[Fraction], list[list[Fraction]], list[Fraction]]:
    P = prediction_matrix(reviews, levels)
    assert P is not None
    return frequencies(reviews, levels), P, prior(P)


def surprisal(reviews: list[Review], values: list[Fraction]) -> Expected:
    levels = len(values)
    early = _without_formula(reviews, levels)
    if early is not None:
        return early
    v, P, q = _v_P_q(reviews, levels)
    det = determinant([[q[s] * P[s][t] for t in range(levels)] for s in range(levels)])
    if det <= 0:
        return Expected("incoherent", None)
    surprise = sum((v[s] - q[s]) * values[s] for s in range(levels))
    with localcontext() as context:
        context.prec = 50
        numerator = Decimal(surprise.numerator) / Decimal(surprise.denominator)
        return Expected("finite", float(numerator / root(det, 2 * (levels - 1))))


def sp(reviews: list[Review], values: list[Fraction]) -> Expected:
    levels = len(values)
    early = _without_formula(reviews, levels)
    if early is not None:
        return early
    v, _, q = _v_P_q(reviews, levels)
    if not all(q):
        return Expected("incoherent", None)
    phi = [Fraction(-1), Fraction(1)] if levels == 2 else values
    return Expected("finite", float(sum((phi[s] * v[s] / q[s] for s in range(levels)), Fraction(0))))


METHODS = {"mean": mean, "surprisal": surprisal, "sp": sp}
