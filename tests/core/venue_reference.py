"""The venue method once more, slow and plain: loops over papers, reviewers, noise levels and coordinates.

Written from docs/explanation/venue-score.md, section "Step by step", in its order; no code of surpeer. numpy is used for
tiny linear algebra alone. Where the page leaves a number open, it stands here. Step 3 has a file of its own.
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance

import numpy as np
from venue_reference_model import LAM, Fit, G, Said, Vector, basis, dot, evident, expectation_maximisation, posterior

Review = tuple[int, int, Sequence[float | None] | None, float | None]
"""Paper, level of the rating, shares (None where not given; None for no shares at all), expected rating (or None)."""


def reference(reviews: Sequence[Review], papers: int, values: Sequence[float]) -> list[tuple[float, float, float]]:
    """Score, standard error and own share of every paper."""
    K = len(values)
    counts = [[sum(r[0] == p and r[1] == s for r in reviews) for s in range(K)] for p in range(papers)]
    start = [(sum(row[s] for row in counts) + 0.5) / (len(reviews) + 0.5 * K) for s in range(K)]
    said = completed(reviews, start, values)
    forecasts = [sum(f.paper == p for f in said) for p in range(papers)]
    if sum(n > 1 for n in forecasts) < 3:
        return ratings_alone(counts, start, values)
    h_1 = basis(start, values)[0]
    e, slope, responds = projection(said, papers, h_1)
    K_range = range(K)
    said = [Said(f.paper, f.rating, [(f.shares[s] - e * (s == f.rating)) / (1 - e) for s in K_range]) for f in said]
    fit = expectation_maximisation(said, papers, start, values)
    k, T = trust(said, papers, fit, e, slope, responds=responds)
    return judged(counts, forecasts, fit, k, T) if k > 0 else ratings_alone(counts, start, values)


def ratings_alone(counts: list[list[int]], q: Vector, values: Sequence[float]) -> list[tuple[float, float, float]]:
    """The rating is the only coordinate, and papers have no forecasts."""
    papers = len(counts)
    even, nothing = [[0.1] * 10 for _ in range(papers)], [[[0.0] for _ in LAM] for _ in range(papers)]
    fit = Fit(q, basis(q, values)[:1], [[0.0]], [0.0], [0.0], [1.0], even, nothing, [])
    return judged(counts, [0] * papers, fit, 0.0, [0.0])


# 1. Partial forecasts


def completed(reviews: Sequence[Review], q: Vector, values: Sequence[float]) -> list[Said]:
    typical = [typical_forecast(reviews, rating, q) for rating in range(len(q))]
    result = []
    for paper, rating, given, expected in reviews:
        shares = list(given) if given is not None else [None] * len(q)
        if any(share is not None for share in shares) or expected is not None:
            result.append(Said(paper, rating, whole(shares, expected, typical[rating], values)))
    return result


def typical_forecast(reviews: Sequence[Review], rating: int, q: Vector) -> Vector:
    """Average of the complete forecasts of those who gave this rating; q counts as one more of them."""
    rows = [row for _, given, row, _ in reviews if given == rating and row is not None and None not in row]
    return [(q[s] + math.fsum(row[s] or 0.0 for row in rows)) / (1 + len(rows)) for s in range(len(q))]


def whole(shares: Sequence[float | None], expected: float | None, typical: Vector, values: Sequence[float]) -> Vector:
    if None not in shares:
        return [share or 0.0 for share in shares]
    is_open = [share is None for share in shares]
    left = max(0.0, 1 - math.fsum(share or 0.0 for share in shares))
    mass = math.fsum(t for t, o in zip(typical, is_open, strict=True) if o)
    base = [t / mass if o else 0.0 for t, o in zip(typical, is_open, strict=True)]
    middle = dot(base, values)
    spread = math.fsum(b * (value - middle) ** 2 for b, value in zip(base, values, strict=True))
    slope = 0.0
    if expected is not None and spread > 0:
        slope = (expected - dot([share or 0.0 for share in shares], values) - left * middle) / spread
    return [
        b * (left + slope * (value - middle)) if share is None else share
        for share, b, value in zip(shares, base, values, strict=True)
    ]


# Variances and covariances within and between papers, as of one-way analysis of variance


def components(groups: list[list[tuple[float, float]]]) -> tuple[float, float]:
    """Covariance within and between groups of pairs; the between one less what the within one adds to means."""
    groups = [group for group in groups if group]
    means = [(fmean(x for x, _ in group), fmean(y for _, y in group)) for group in groups]
    freedom = sum(len(group) - 1 for group in groups)
    pairs = zip(groups, means, strict=True)
    within = math.fsum((x - a) * (y - b) for group, (a, b) in pairs for x, y in group) / freedom if freedom else 0.0
    a, b = fmean(x for x, _ in means), fmean(y for _, y in means)
    total = math.fsum((x - a) * (y - b) for x, y in means) / (len(means) - 1)
    return within, total - within * fmean(1 / len(group) for group in groups)


def jackknife(estimates: list[float]) -> float:
    N, middle = len(estimates), fmean(estimates)
    return math.sqrt((N - 1) / N * math.fsum((x - middle) ** 2 for x in estimates))


def by_paper(said: list[Said], papers: int, x: Vector, y: Vector) -> list[list[tuple[float, float]]]:
    triples = list(zip(said, x, y, strict=True))
    return [group for p in range(papers) if (group := [(a, b) for f, a, b in triples if f.paper == p])]


# 2. Own ratings projected on everybody


def projection(said: list[Said], papers: int, h_1: Vector) -> tuple[float, float, bool]:
    """e, the slope of forecasts on own ratings, and whether they evidently rise with them."""
    groups = by_paper(said, papers, [h_1[f.rating] for f in said], [dot(f.shares, h_1) for f in said])
    found, slope = excess(groups)
    left_out = [excess(groups[:p] + groups[p + 1 :]) for p in range(len(groups))]
    error, slope_error = jackknife([x for x, _ in left_out]), jackknife([y for _, y in left_out])
    e = min(evident(found, 0.0, error), 0.99) if found > 0 else 0.0
    return e, min(max(slope, 0.0), 0.95), slope > max(2 * slope_error, 1e-6)


def excess(groups: list[list[tuple[float, float]]]) -> tuple[float, float]:
    own_own = components([[(x, x) for x, _ in group] for group in groups])
    own_said = components(groups)
    if own_own[0] <= 1e-9:  # rounding
        return 0.0, 0.0
    return (own_said[0] + own_said[1] - own_own[1]) / own_own[0], own_said[0] / own_own[0]


# 4. Trust


def trust(said: list[Said], papers: int, fit: Fit, e: float, slope: float, *, responds: bool) -> tuple[float, Vector]:
    """k, and T as far as it is evident."""
    counts = [sum(f.paper == p for f in said) for p in range(papers)]
    T = [t * evident_share(k, counts, len(said), fit) for k, t in enumerate(fit.T)]
    groups = by_paper(said, papers, fit.residual, [fit.h[0][f.rating] for f in said])
    V_f, V_y, c = relation(groups)
    K = len(fit.q)
    c = caution(groups, V_f, c) if K == 2 else 1.0
    t = 2 * e / ((K - 1) ** 2 * (1 - slope))
    if T[0] <= 0 or V_f <= 1e-9 or not responds or t >= 1 or t * c >= 1:
        return 0.0, T
    k = min(max(0.0, (c - t * V_y / V_f) / (1 - t * c)), c)
    return (k if leaves_quality(groups, k, e, slope) else 0.0), T


def leaves_quality(groups: list[list[tuple[float, float]]], k: float, e: float, slope: float) -> bool:
    """Whether ratings less k times forecasts vary between papers at least half as much as the slope implies."""

    def left(part: list[list[tuple[float, float]]]) -> float:
        rest = [[(y - k * f, y - k * f) for f, y in group] for group in part]
        return components(rest)[1]

    error = jackknife([left(groups[:p] + groups[p + 1 :]) for p in range(len(groups))])
    b = max(slope - e, 0.0) / (1 - e)
    within = components([[(y, y) for _, y in group] for group in groups])[0]
    return left(groups) + 2 * error >= b / (1 - b) * within / 2


def evident_share(k: int, counts: list[int], forecasts: int, fit: Fit) -> float:
    there = [p for p, n in enumerate(counts) if n]
    total = variance([dot(fit.chance[p], [at[k] for at in fit.implied[p]]) for p in there])
    noise = fit.error[k] * fmean(1 / counts[p] for p in there)
    doubt = math.sqrt(2 * total**2 / (len(there) - 1) + 2 * noise**2 / (forecasts - len(there)))
    between = max(total - noise, 0.0)
    return evident(between, 0.0, doubt) / between if between > 0 else 0.0


def relation(groups: list[list[tuple[float, float]]]) -> tuple[float, float, float]:
    """Variances of forecasts and of ratings between papers, and their covariance."""
    both = components(groups)[1]
    return (
        components([[(x, x) for x, _ in g] for g in groups])[1],
        components([[(y, y) for _, y in g] for g in groups])[1],
        both,
    )


def caution(groups: list[list[tuple[float, float]]], V_f: float, both: float) -> float:
    if V_f <= 1e-9:
        return 1.0
    left_out = [relation(groups[:p] + groups[p + 1 :]) for p in range(len(groups))]
    error = jackknife([covariance / max(said, 1e-9) for said, _, covariance in left_out])
    return min(max(evident(both / V_f, 1.0, error), 0.0), 2.0)


# 5. Quality


def judged(
    counts: list[list[int]], forecasts: list[int], fit: Fit, k: float, T: Vector
) -> list[tuple[float, float, float]]:
    chance = [tempered(row, min(k, 1.0)) for row in fit.chance]
    J = range(len(T))
    prior = [
        [[posterior(n, implied[at][j], LAM[at], fit.m[j], T[j], fit.error[j]) for j in J] for at in range(10)]
        for n, implied in zip(forecasts, fit.implied, strict=True)
    ]
    surplus, together = spread(counts, fit, chance, prior, k)
    rho = state_variances(counts, fit, chance, prior, k, surplus[0])
    return [judged_paper(counts[p], fit, chance[p], prior[p], k, rho, surplus, together) for p in range(len(counts))]


def tempered(chance: Vector, power: float) -> Vector:
    raised = [x**power for x in chance]
    return [x / math.fsum(raised) for x in raised]


def seen(row: list[int], fit: Fit, mu: list[tuple[float, float, float]], k: float) -> tuple[Vector, list[Vector]]:
    """V - k mu, and Sigma: the covariance of one rating under the paper's prior."""
    levels, J = range(len(row)), range(len(mu))
    V = [math.fsum(count * h[s] for s, count in enumerate(row)) / sum(row) for h in fit.h]
    ratio = [1 + min(k, 1.0) * math.fsum(mu[j][0] * fit.h[j][s] for j in J) for s in levels]
    q_p = [share * max(x, 1e-3) for share, x in zip(fit.q, ratio, strict=True)]
    q_p = [share / math.fsum(q_p) for share in q_p]
    mean = [dot(q_p, h) for h in fit.h]
    sigma = [
        [math.fsum(q_p[s] * (fit.h[i][s] - mean[i]) * (fit.h[j][s] - mean[j]) for s in levels) for j in J] for i in J
    ]
    return [V[j] - k * mu[j][0] for j in J], sigma


def spread(
    counts: list[list[int]],
    fit: Fit,
    chance: list[Vector],
    prior: list[list[list[tuple[float, float, float]]]],
    k: float,
) -> tuple[Vector, float]:
    """What one rating varies beyond its paper's prior in each coordinate, and what is left of covariances."""
    J = len(fit.h)
    if J == 1:
        return [0.0], 1.0
    beyond, surplus = [], []
    for j, h in enumerate(fit.h):
        found, foreseen = [], []
        for p, row in enumerate(counts):
            varies, was_said = 0.0, 0.0
            for at in range(10):
                mu = prior[p][at]
                _, sigma = seen(row, fit, mu, k)
                squares = math.fsum(count * (h[s] - k * mu[j][0]) ** 2 for s, count in enumerate(row))
                varies += chance[p][at] * squares
                was_said += chance[p][at] * sum(row) * (sigma[j][j] + k**2 * mu[j][1])
            found.append(varies)
            foreseen.append(was_said)
        total = math.fsum(foreseen)
        ratio = math.fsum(found) / total
        error = math.sqrt(math.fsum((x - ratio * y) ** 2 for x, y in zip(found, foreseen, strict=True))) / total
        beyond.append(max(evident(ratio, 1.0, error) - 1, 0.0))
        surplus.append(beyond[-1] * total / sum(map(sum, counts)))
    return surplus, max(0.0, 1 - max(beyond))


def state_variances(
    counts: list[list[int]],
    fit: Fit,
    chance: list[Vector],
    prior: list[list[list[tuple[float, float, float]]]],
    k: float,
    surplus: float,
) -> Vector:
    excess_of, signal_of = [], []
    for p, row in enumerate(counts):
        n, left = sum(row), 0.0
        for at in range(10):
            surprise, sigma = seen(row, fit, prior[p][at], k)
            left += chance[p][at] * (surprise[0] ** 2 - (sigma[0][0] + surplus) / n - k**2 * prior[p][at][0][1])
        excess_of.append(left)
        signal_of.append(dot(chance[p], G) * (1 - 1 / n))
    found, doubt = 0.0, math.inf
    total = math.fsum(signal_of)
    if total > 0:
        found = math.fsum(excess_of) / total
        doubt = math.sqrt(math.fsum((x - found * s) ** 2 for x, s in zip(excess_of, signal_of, strict=True))) / total
    first = fit.R[0][0]
    size = min(max(evident(found, first, doubt), 0.0), 1.0 + surplus)
    size = max(size, min(doubt, 0.5), 1e-3)
    shape = [min(fit.R[j][j] / first, 1.0) if first > 1e-6 else 0.0 for j in range(len(fit.h))]
    return [size, *(size * x for x in shape[1:])]


def judged_paper(
    row: list[int],
    fit: Fit,
    chance: Vector,
    prior: list[list[tuple[float, float, float]]],
    k: float,
    rho: Vector,
    surplus: Vector,
    together: float,
) -> tuple[float, float, float]:
    n, J = sum(row), len(rho)
    lowest, highest = (fit.h[0][s] / math.sqrt(rho[0]) for s in (0, -1))  # a state is a mixture of levels
    means, variances = [], []
    for at, g in enumerate(G):
        surprise, sigma = seen(row, fit, prior[at], k)
        total = together * np.array(sigma) / n
        for j in range(J):  # no more than 95 % of a rating's variance is quality
            total[j, j] = max(sigma[j][j] + surplus[j], g * rho[j] / 0.95) / n
            total[j, j] += (1 - 1 / n) * g * rho[j] + k**2 * prior[at][j][1] + 1e-9
        inverse = np.linalg.inv(total)
        estimate = math.sqrt(g * rho[0]) * float(inverse[0] @ surprise)
        means.append(min(max(estimate, lowest), highest))
        least = 1 - n / (n + 1 / 0.95 - 1)  # what n ratings of which 95 % is quality leave open
        variances.append(max(1 - g * rho[0] * float(inverse[0, 0]), least))
    score = dot(chance, means)
    spread = math.fsum(c * (v + (x - score) ** 2) for c, v, x in zip(chance, variances, means, strict=True))
    own = min(k, 1.0) * math.fsum(c * prior[at][0][2] for at, c in enumerate(chance))
    return score, math.sqrt(max(spread, 0.0)), own
