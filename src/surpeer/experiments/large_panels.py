"""What many reviewers change: invariant scores approach certainty, the others need not."""

from fractions import Fraction

import polars as pl

from surpeer.experiments.comparing import METHODS
from surpeer.experiments.exact import accuracies
from surpeer.experiments.settings import BIASES, Effort

LEVEL_A, LEVEL_B = Fraction(3, 10), Fraction(6, 10)
PRIOR = (Fraction(1), Fraction(1))


def large_panel_table(effort: Effort) -> pl.DataFrame:
    """`large_panels.csv`: accuracy of every method with more and more reviewers, in one setting of strong noise."""
    rows = []
    for bias, (bias_a, bias_b) in BIASES.items():
        for n in effort.panel_sizes:
            found = accuracies(n, n, PRIOR, LEVEL_A, LEVEL_B, bias_a, bias_b)
            rows += [{"bias": bias, "n": n, "method": method, "accuracy": float(found[method])} for method in METHODS]
    return pl.DataFrame(rows)
