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


def _with_two_ratings(reviews: list[Review], levels: int) -> Expected | None:
    """Why there is no score that needs predictions from two different levels."""
    early = _without_formula(reviews, levels)
    if early is not None and early.status != "missing_signal":
        return early
    return Expected("missing_signal", None) if len({r for r, shares in reviews if shares is not None}) < 2 else None


def _rows(reviews: list[Review]) -> dict[int, list[Fraction]]:
    """Mean prediction of those who gave each level, for the levels that have one."""
    rows: dict[int, list[list[Fraction]]] = {}
    for rating, shares in reviews:
        if shares is not None:
            rows.setdefault(rating, []).append([Fraction(cell) for cell in shares])
    return {
        s: [sum(column, Fraction(0)) / len(given) for column in zip(*given, strict=True)] for s, given in rows.items()
    }


def _weights(rows: dict[int, list[Fraction]]) -> dict[int, Fraction] | None:
    """How frequent the levels are beside each other; None where a prediction of 0 forbids an answer."""
    weights = {}
    for s, row in rows.items():
        pairs = [(row[t], other[s]) for t, other in rows.items() if t != s]
        if any(up and not down for up, down in pairs):
            return None
        weights[s] = 1 / (1 + sum((up / down for up, down in pairs if down), Fraction(0)))
    if len(next(iter(rows.values()))) == 2 and any(not row[1 - s] for s, row in rows.items()):
        return None
    total = sum(weights.values())
    return {s: weight / total for s, weight in weights.items()}


def _square_root(number: Fraction) -> Decimal:
    return root(number, 2)


def _quotient(numerator: Fraction, denominator: Decimal) -> float:
    with localcontext() as context:
        context.prec = 50
        return float(Decimal(numerator.numerator) / Decimal(numerator.denominator) / denominator)


def _moments(
    weights: dict[int, Fraction], rows: dict[int, list[Fraction]], values: list[Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """Expected rating, variance of one rating, covariance of two."""
    means = {
        s: sum((share * phi for share, phi in zip(row, values, strict=True)), Fraction(0)) for s, row in rows.items()
    }
    squares = {s: sum((x * phi**2 for x, phi in zip(row, values, strict=True)), Fraction(0)) for s, row in rows.items()}
    expected = sum((weight * means[s] for s, weight in weights.items()), Fraction(0))
    own = sum((weight * values[s] for s, weight in weights.items()), Fraction(0))
    variance = sum((weight * squares[s] for s, weight in weights.items()), Fraction(0)) - expected**2
    covariance = sum((w * (values[s] - own) * (means[s] - expected) for s, w in weights.items()), Fraction(0))
    return expected, variance, covariance


def _mean(reviews: list[Review], values: list[Fraction]) -> Fraction:
    return sum((values[rating] for rating, _ in reviews), Fraction(0)) / len(reviews)


def surprisal_phi(reviews: list[Review], values: list[Fraction]) -> Expected:
    early = _with_two_ratings(reviews, len(values))
    if early is not None:
        return early
    rows = _rows(reviews)
    weights = _weights(rows)
    if weights is None:
        return Expected("incoherent", None)
    expected, _, covariance = _moments(weights, rows, values)
    if covariance <= 0:
        return Expected("incoherent", None)
    return Expected("finite", _quotient(_mean(reviews, values) - expected, _square_root(covariance)))


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """By elimination without exchanges, which a positive definite matrix does not need; None where it is not one."""
    rows = [[*row, entry] for row, entry in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        if rows[k][k] <= 0:
            return None
        for i in range(size):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[k][size] / rows[k][k] for k in range(size)]


def linear_bayes(reviews: list[Review], values: list[Fraction]) -> Expected:
    levels, n = len(values), len(reviews)
    early = _with_two_ratings(reviews, levels)
    if early is not None:
        infinite = early.status in ("plus_infinity", "minus_infinity")
        return Expected("missing_signal", None) if infinite else early
    rows = _rows(reviews)
    weights = _weights(rows)
    if weights is None:
        return Expected("incoherent", None)
    if len(rows) == levels:
        return _linear_bayes_of_all_levels(reviews, values, rows, weights)
    expected, variance, covariance = _moments(weights, rows, values)
    if covariance <= 0:
        return Expected("incoherent", None)
    r = min(covariance / variance, Fraction(1))
    shrunk = (_mean(reviews, values) - expected) * n * r / (1 + (n - 1) * r)
    return Expected("finite", _quotient(shrunk, _square_root(covariance)))


def _linear_bayes_of_all_levels(
    reviews: list[Review], values: list[Fraction], rows: dict[int, list[Fraction]], weights: dict[int, Fraction]
) -> Expected:
    span, n = range(len(values)), len(reviews)
    joint = [[(weights[s] * rows[s][t] + weights[t] * rows[t][s]) / 2 for t in span] for s in span]
    total = sum(map(sum, joint), Fraction(0))
    joint = [[entry / total for entry in row] for row in joint]
    q = [sum(row, Fraction(0)) for row in joint]
    C = [[joint[s][t] - q[s] * q[t] for t in span] for s in span]
    bracket = [[C[s][t] + (q[s] * (s == t) - joint[s][t]) / n + Fraction(1, len(q)) for t in span] for s in span]
    v = frequencies(reviews, len(values))
    solved = _solve(bracket, [v[s] - q[s] for s in span])
    followed = [sum((values[s] * C[s][t] for s in span), Fraction(0)) for t in span]
    variance = sum((followed[t] * values[t] for t in span), Fraction(0))
    if solved is None or variance <= 0:
        return Expected("incoherent", None)
    return Expected(
        "finite", _quotient(sum((followed[t] * solved[t] for t in span), Fraction(0)), _square_root(variance))
    )


def venue(reviews: list[Review], values: list[Fraction]) -> Expected:
    """A venue of one paper: there is nobody to judge its forecasts by, so its ratings alone are shrunk."""
    counts = [sum(rating == s for rating, _ in reviews) for s in range(len(values))]
    return Expected("finite", ratings_only_venue([counts], [float(value) for value in values])[0][0])


def ratings_only_venue(counts: list[list[int]], values: list[float]) -> list[tuple[float, float]]:
    """Score and standard error of every paper of a venue without forecasts, one paper and one level at a time."""
    levels = [(step + 0.5) / 10 * 0.95 for step in range(10)]
    totals = [sum(column) for column in zip(*counts, strict=True)]
    reviews = sum(totals)
    q = [(total + 0.5) / (reviews + 0.5 * len(values)) for total in totals]
    centre = sum(share * value for share, value in zip(q, values, strict=True))
    spread = sum(share * (value - centre) ** 2 for share, value in zip(q, values, strict=True)) ** 0.5
    sizes = [sum(row) for row in counts]
    means = [
        sum(count * (value - centre) / spread for count, value in zip(row, values, strict=True)) / size
        for row, size in zip(counts, sizes, strict=True)
    ]
    excess = [mean**2 - 1 / size for mean, size in zip(means, sizes, strict=True)]
    signal = [sum((1 - level) ** 2 for level in levels) / 10 * (1 - 1 / size) for size in sizes]
    found, doubt = 0.0, float("inf")
    if sum(signal) > 0:
        found = sum(excess) / sum(signal)
        doubt = sum((e - found * s) ** 2 for e, s in zip(excess, signal, strict=True)) ** 0.5 / sum(signal)
    evident = found * max(0.0, 1 - (doubt / found) ** 2) if found else 0.0
    states = max(min(max(evident, 0.0), 1.0), min(doubt, 0.5), 1e-3)
    results = []
    for mean, size in zip(means, sizes, strict=True):
        estimates, variances = [], []
        for level in levels:
            kept = (1 - level) ** 2 * states
            total = 1 / size + (1 - 1 / size) * kept + 1e-9
            estimates.append(kept**0.5 * mean / total)
            variances.append(1 - kept / total)
        average = sum(estimates) / 10
        mixed = sum(v + (e - average) ** 2 for v, e in zip(variances, estimates, strict=True)) / 10
        results.append((average, mixed**0.5))
    return results


METHODS = {
    "mean": mean,
    "surprisal": surprisal,
    "sp": sp,
    "surprisal_phi": surprisal_phi,
    "linear_bayes": linear_bayes,
    "venue": venue,
}
