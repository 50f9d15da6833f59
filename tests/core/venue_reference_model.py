"""Step 3 of the plain venue method, the forecast model, and what all of its steps share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from statistics import fmean

import numpy as np

Vector = list[float]

LAM = [0.95 * (step + 0.5) / 10 for step in range(10)]
G = [(1 - lam) ** 2 for lam in LAM]
ROUNDS, RENEWALS = 5, (2,)
ROUNDING_VARIANCE = 0.05**2 / 12


@dataclass
class Said:
    """One whole forecast."""

    paper: int
    rating: int
    shares: Vector


@dataclass
class Fit:
    """What expectation and maximisation hands on to trust and quality."""

    q: Vector
    h: list[Vector]  # h[k][s]: coordinate k of level s
    R: list[Vector]
    m: Vector
    T: Vector
    error: Vector
    chance: list[Vector]  # chance[p][at]
    implied: list[list[Vector]]  # implied[p][at][k]: mean of F - g R Z
    residual: Vector  # of each forecast
    before: tuple[Vector, Vector] | None = None  # m and T at the beginning of the round


def evident(estimate: float, default: float, error: float) -> float:
    distance = estimate - default
    return default if abs(distance) <= error else default + distance * (1 - (error / distance) ** 2)


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


# Coordinates


def legendre(degree: int, x: Fraction) -> Fraction:
    low, high = Fraction(1), x
    for n in range(1, degree):
        low, high = high, ((2 * n + 1) * x * high - n * low) / (n + 1)
    return high


def basis(q: Vector, values: Sequence[float]) -> list[Vector]:
    """Gram and Schmidt, exactly: 1, the values, then Legendre polynomials of degree 2 and more in the rank."""
    K = len(q)
    weights = [Fraction(share) for share in q]
    ranks = [Fraction(2 * s, K - 1) - 1 for s in range(K)]
    columns = [[Fraction(1)] * K, [Fraction(value) for value in values]]
    columns += [[legendre(degree, rank) for rank in ranks] for degree in range(2, min(K - 1, 9) + 1)]
    squares: list[Fraction] = []
    for at, column in enumerate(columns):
        for before, square in zip(columns[:at], squares, strict=True):
            along = sum((w * a * b for w, a, b in zip(weights, column, before, strict=True)), Fraction(0)) / square
            column = [Fraction(a - along * b).limit_denominator(10**60) for a, b in zip(column, before, strict=True)]
        columns[at] = column
        squares.append(sum((w * a * a for w, a in zip(weights, column, strict=True)), Fraction(0)))
    pairs = zip(columns[1:], squares[1:], strict=True)
    return [[float(a) / math.sqrt(square) for a in column] for column, square in pairs]


# 3. The forecast model


def expectation_maximisation(said: list[Said], papers: int, start: Vector, values: Sequence[float]) -> Fit:
    present = [any(f.paper == p for f in said) for p in range(papers)]
    q, h = start, basis(start, values)
    chance = [[0.1] * 10 for _ in range(papers)]
    ratio = [[1.0] * len(q) for _ in range(papers)]
    error = [1.0] * len(h)
    m, T = None, None
    for step in range(ROUNDS):
        if step in RENEWALS:
            priors = [[share * x for share, x in zip(q, row, strict=True)] for row in ratio]
            q = typical_prior([row for row, there in zip(priors, present, strict=True) if there], start)
            h = basis(q, values)
            ratio = [[x / share for x, share in zip(row, q, strict=True)] for row in priors]
            m, T = None, None
        F = [[dot(f.shares, h_k) for h_k in h] for f in said]
        Z = [own_coordinates(f, h, chance, ratio) for f in said]
        R = response(said, F, Z, chance, error, diagonal=step < RENEWALS[0])
        RZ = [[dot(z, [row[k] for row in R]) for k in range(len(h))] for z in Z]
        fit = one_round(said, F, RZ, chance, m, T, q, h, R)
        m, T, error, chance, ratio = fit.m, fit.T, fit.error, fit.chance, papers_ratio(fit, said, papers)
    return fit


def own_coordinates(f: Said, h: list[Vector], chance: list[Vector], ratio: list[Vector]) -> Vector:
    """Z = h(x) q[x] / q_p[x]; a paper's prior is nowhere below (1 - lam) q."""
    least = 1 - dot(chance[f.paper], LAM)
    return [h_k[f.rating] / max(ratio[f.paper][f.rating], least) for h_k in h]


def response(
    said: list[Said], F: list[Vector], Z: list[Vector], chance: list[Vector], error: Vector, *, diagonal: bool
) -> list[Vector]:
    J = range(len(error))
    apart = [
        [z[k] - fmean(y[k] for g, y in zip(said, Z, strict=True) if g.paper == f.paper) for k in J]
        for f, z in zip(said, Z, strict=True)
    ]
    g = [dot(chance[f.paper], G) for f in said]
    g_square = [dot(chance[f.paper], [x * x for x in G]) for f in said]
    normal = np.array(
        [[math.fsum(w * a[j] * a[k] for w, a in zip(g_square, apart, strict=True)) for k in J] for j in J]
    )
    normal += np.eye(len(J)) * (1e-9 * np.trace(normal) / len(J) + 1e-12)
    right = np.array([[math.fsum(w * a[j] * f[k] for w, a, f in zip(g, apart, F, strict=True)) for k in J] for j in J])
    inverse = np.linalg.inv(normal)
    slopes = inverse @ right
    R = [[0.0 for _ in J] for _ in J]
    for j in J:
        R[j][j] = max(float(slopes[j, j]), 0.0)
        for k in J:
            if j != k and not diagonal:
                doubt = math.sqrt(inverse[j, j] * error[k] + inverse[k, k] * error[j]) / 2
                R[j][k] = evident(float(slopes[j, k] + slopes[k, j]) / 2, 0.0, doubt)
    scale = anchor(said, chance, max(R[k][k] for k in J))
    return [[entry * scale for entry in row] for row in R]


def anchor(said: list[Said], chance: list[Vector], largest: float) -> float:
    """The average of g (over forecasts that are not alone) is to stay what it was; no state varies more than 0.95."""
    papers = [f.paper for f in said]
    average = fmean(dot(chance[p], G) for p in papers if papers.count(p) > 1)
    return min(average / fmean(G), 0.95 / max(largest, 1e-9))


def one_round(
    said: list[Said],
    F: list[Vector],
    RZ: list[Vector],
    chance: list[Vector],
    m: Vector | None,
    T: Vector | None,
    q: Vector,
    h: list[Vector],
    R: list[Vector],
) -> Fit:
    J, papers = range(len(h)), len(chance)
    rows = [[i for i, f in enumerate(said) if f.paper == p] for p in range(papers)]
    there = [p for p in range(papers) if rows[p]]
    implied, scatter = zip(*(taken_off(rows[p], F, RZ, len(h)) for p in range(papers)), strict=True)
    freedom = len(said) - len(there)
    floor = [ROUNDING_VARIANCE * dot(h_k, h_k) for h_k in h]
    error = [
        max(math.fsum(chance[p][at] * scatter[p][at][k] for p in there for at in range(10)) / freedom, floor[k])
        for k in J
    ]
    if m is None or T is None:
        m, T = [0.0] * len(h), first_variance(there, rows, implied, chance, error)
    new = [level_chances(len(rows[p]), implied[p], scatter[p], m, T, error) for p in range(papers)]
    m_new, T_new = biases(there, rows, new, implied, m, T, error)
    residual = [F[i][0] - dot(new[f.paper], G) * RZ[i][0] for i, f in enumerate(said)]
    return Fit(q, h, R, m_new, T_new, error, new, list(implied), residual, (m, T))


def taken_off(rows: list[int], F: list[Vector], RZ: list[Vector], size: int) -> tuple[list[Vector], list[Vector]]:
    """For every noise level: the mean of F - g R Z over a paper's forecasts, and its squares about the mean."""
    means, squares = [], []
    for g in G:
        rest = [[F[i][k] - g * RZ[i][k] for k in range(size)] for i in rows]
        middle = [fmean(r[k] for r in rest) if rest else 0.0 for k in range(size)]
        means.append(middle)
        squares.append([math.fsum((r[k] - middle[k]) ** 2 for r in rest) for k in range(size)])
    return means, squares


def first_variance(
    there: list[int], rows: list[list[int]], implied: Sequence[list[Vector]], chance: list[Vector], error: Vector
) -> Vector:
    result = []
    for k in range(len(error)):
        means = [dot(chance[p], [at[k] for at in implied[p]]) for p in there]
        between = fmean((x - fmean(means)) ** 2 for x in means) - error[k] * fmean(1 / len(rows[p]) for p in there)
        result.append(max(between, 1e-8) / fmean(lam**2 for lam in LAM))
    return result


def level_chances(n: int, implied: list[Vector], scatter: list[Vector], m: Vector, T: Vector, error: Vector) -> Vector:
    if n == 0:
        return [0.1] * 10
    logs = []
    for lam, mean, square in zip(LAM, implied, scatter, strict=True):
        log = 0.0
        for k in range(len(m)):
            spread = lam**2 * T[k] + error[k] / n
            log -= ((mean[k] - lam * m[k]) ** 2 / spread + math.log(spread) + square[k] / error[k]) / 2
        logs.append(log)
    weights = [math.exp(log - max(logs)) for log in logs]
    return [weight / math.fsum(weights) for weight in weights]


def posterior(n: int, mean: float, lam: float, m: float, T: float, error: float) -> tuple[float, float, float]:
    """Mean and variance of one coordinate of a paper's prior, and the weight of its own forecasts."""
    weight = lam**2 * T / (lam**2 * T + error / n) if n else 0.0
    return lam * m + weight * (mean - lam * m), lam**2 * T * (1 - weight), weight


def biases(
    there: list[int],
    rows: list[list[int]],
    chance: list[Vector],
    implied: Sequence[list[Vector]],
    m: Vector,
    T: Vector,
    error: Vector,
) -> tuple[Vector, Vector]:
    m_new, T_new = [], []
    cells = [(p, at) for p in there for at in range(10)]
    for k in range(len(m)):
        mu = {(p, at): posterior(len(rows[p]), implied[p][at][k], LAM[at], m[k], T[k], error[k]) for p, at in cells}
        up = math.fsum(chance[p][at] * LAM[at] * mu[p, at][0] for p, at in cells)
        mean = up / math.fsum(chance[p][at] * LAM[at] ** 2 for p, at in cells)
        squares = math.fsum(
            chance[p][at] * ((mu[p, at][0] - LAM[at] * mean) ** 2 + mu[p, at][1]) / LAM[at] ** 2 for p, at in cells
        )
        m_new.append(mean)
        T_new.append(max(squares / len(there), 1e-9))
    return m_new, T_new


def papers_ratio(fit: Fit, said: list[Said], papers: int) -> list[Vector]:
    """q_p / q of every paper, with the means and variances of biases from before this round."""
    assert fit.before is not None
    m, T = fit.before
    result = []
    for p in range(papers):
        n = sum(f.paper == p for f in said)
        mu = [
            math.fsum(
                fit.chance[p][at] * posterior(n, fit.implied[p][at][k], LAM[at], m[k], T[k], fit.error[k])[0]
                for at in range(10)
            )
            for k in range(len(m))
        ]
        result.append([max(1 + dot(mu, [h_k[s] for h_k in fit.h]), 1e-3) for s in range(len(fit.q))])
    return result


def typical_prior(priors: list[Vector], start: Vector) -> Vector:
    """q of the best fit prior_p = s_p q in absolute differences; the start counts as one paper for each level.

    Two places to begin at, the start and what nearly every paper has; the nearer fit counts.
    """
    papers, K = len(priors), len(start)
    least = [max(float(np.quantile([row[s] for row in priors], 0.1)), 1e-4) for s in range(K)]
    fits = [best_fit(priors, first) for first in (start, [share / math.fsum(least) for share in least])]
    best = min(fits, key=lambda q: distance(priors, q))
    return [(papers * a + K * b) / (papers + K) for a, b in zip(best, start, strict=True)]


def distance(priors: list[Vector], q: Vector) -> float:
    scales = [median([x / s for x, s in zip(row, q, strict=True)], q) for row in priors]
    return math.fsum(
        abs(x - scale * s) for row, scale in zip(priors, scales, strict=True) for x, s in zip(row, q, strict=True)
    )


def best_fit(priors: list[Vector], start: Vector) -> Vector:
    """By turns: each step is a weighted median."""
    q = start
    for _ in range(30):
        scale = [max(median([x / s for x, s in zip(row, q, strict=True)], q), 1e-4) for row in priors]
        columns = [[row[s] / a for row, a in zip(priors, scale, strict=True)] for s in range(len(q))]
        new = [max(median(column, scale), 1e-4) for column in columns]
        new = [share / math.fsum(new) for share in new]
        moved = max(abs(a - b) for a, b in zip(new, q, strict=True))
        q = new
        if moved < 1e-5:
            break
    return q


def median(numbers: Vector, weights: Vector) -> float:
    """The number with half of the weight on either side; where the weight is split evenly, half-way between two."""
    ordered = sorted(zip(numbers, weights, strict=True))
    heights = list(accumulate(weight for _, weight in ordered))
    ends = []
    for half in (heights[-1] / 2 * (1 - 1e-9), heights[-1] / 2 * (1 + 1e-9)):
        ends.append(next(number for (number, _), height in zip(ordered, heights, strict=True) if height >= half))
    return fmean(ends)
