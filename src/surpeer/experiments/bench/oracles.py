"""The best that can be known of a paper: the posterior mean of its quality, given prior, noise level and bias.

A rating is clean with probability 1 - level and drawn from the bias otherwise, so that the likelihood of a state w is
prod_s ((1 - level) w_s + level b_s)^c_s, c the counts of the ratings. No method that sees the ratings alone, and
no forecast of a Bayesian, can rank papers better on average than this mean.
"""

import numpy as np
from scipy.special import comb, poch

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.experiments.state_priors import Dirichlet, OrderedLogit

PAPERS_AT_ONCE = 1000
"""Bounds the memory of the sums over merits."""


def posterior_mean(
    prior: Dirichlet | OrderedLogit, counts: IntArray, level: FloatArray, bias: FloatArray, values: FloatArray
) -> FloatArray:
    """Posterior mean of E_w phi. counts, bias : (N, K), level : (N,), values : (K,); returns (N,)."""
    if isinstance(prior, Dirichlet):
        return dirichlet_mean(np.asarray(prior.alpha), counts, level, bias, values)
    parts = np.array_split(np.arange(len(counts)), max(1, len(counts) // PAPERS_AT_ONCE))
    return np.concatenate([ordered_mean(prior, counts[rows], level[rows], bias[rows], values) for rows in parts])


def dirichlet_mean(
    alpha: FloatArray, counts: IntArray, level: FloatArray, bias: FloatArray, values: FloatArray
) -> FloatArray:
    """Exactly, by a sum over how many of the ratings of each level are clean.

    Given j_s clean ratings of level s, m in all, the likelihood is prod_s (alpha_s)_j_s / (A)_m (rising factorials, A
    the sum of alpha) and the mean of w_s is (alpha_s + j_s) / (A + m). Both need j only by level and in sum, so
    that all j are summed at once as a product of one polynomial per level whose power counts clean ratings; beside
    it goes its derivative-like twin in which one level is weighted by its value times alpha_s + j_s.
    """
    most = int(counts.sum(axis=1).max())
    chance = np.zeros((len(counts), most + 1))  # coefficient m: m ratings are clean
    chance[:, 0] = 1
    weighted = np.zeros_like(chance)
    for s, value in enumerate(values):
        factor = _clean_polynomial(alpha[s], counts[:, s], level, bias[:, s])
        twin = value * (alpha[s] + np.arange(factor.shape[1])) * factor
        weighted = _product(weighted, factor) + _product(chance, twin)
        chance = _product(chance, factor)
    clean, total = np.arange(most + 1), float(alpha.sum())
    likelihood = chance / poch(total, clean)
    return np.asarray((weighted / poch(total, clean) / (total + clean)).sum(axis=1) / likelihood.sum(axis=1))


def _clean_polynomial(weight: float, count: IntArray, level: FloatArray, bias: FloatArray) -> FloatArray:
    """Coefficient j: chance that j of the ratings of a level are clean, times the rising factorial. (N, most + 1)"""
    j = np.arange(int(count.max()) + 1)
    others = np.maximum(count[:, None] - j, 0)
    ways = comb(count[:, None], j)  # zero where there are not so many
    return np.asarray(ways * (level * bias)[:, None] ** others * (1 - level)[:, None] ** j * poch(weight, j))


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Row by row the product of two polynomials, cut off at the degree of the first."""
    result = np.zeros_like(a)
    for power in range(b.shape[1]):
        result[:, power:] += b[:, power, None] * a[:, : a.shape[1] - power]
    return result


def ordered_mean(
    prior: OrderedLogit, counts: IntArray, level: FloatArray, bias: FloatArray, values: FloatArray
) -> FloatArray:
    """By the sum over merits, which is exact to rounding (OrderedLogit)."""
    states = prior.states_at(prior.merits)  # (merits, K)
    likelihood = np.tile(prior.weights, (len(counts), 1))
    for s in range(prior.signals):
        rows = np.flatnonzero(counts[:, s])
        chance = (1 - level[rows, None]) * states[:, s] + (level * bias[:, s])[rows, None]
        likelihood[rows] *= chance ** counts[rows, s, None]
    return np.asarray(likelihood @ (states @ values) / likelihood.sum(axis=1))
