"""The paper's experiments as data: what its figures and tables are made of."""

from dataclasses import dataclass
from fractions import Fraction

# (weight of reject, weight of accept) of paper A and of paper B
BIASES = {
    "opposite": ((0, 1), (1, 0)),
    "same": ((0, 1), (0, 1)),
}
REVIEWERS = (3, 5)
PRIORS = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1)), (Fraction(3), Fraction(3)))
LEVELS_A = (Fraction(0), Fraction(3, 10), Fraction(6, 10))


@dataclass(frozen=True, slots=True)
class Effort:
    """How fine the grids are and how much is sampled."""

    levels_b: tuple[Fraction, ...]
    """Noise levels of paper B on every curve."""
    prediction_steps: int
    """Steps of each prediction in the contours."""
    checked_levels_b: tuple[Fraction, ...]
    """Where the sampler is compared with the exact value, on every curve."""
    pairs: int
    """Paper pairs sampled at each of those points."""
    pairs_general: int
    """Paper pairs sampled for each row of the general bound."""
    general_reviewers: tuple[int, ...]
    panel_sizes: tuple[int, ...]
    """Reviewers in the table of large panels."""


FULL = Effort(
    levels_b=tuple(Fraction(step, 100) for step in range(100)),
    prediction_steps=100,
    checked_levels_b=(Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)),
    pairs=200_000,
    pairs_general=50_000,
    general_reviewers=(5, 10, 20, 40, 80, 160),
    panel_sizes=(3, 5, 10, 30, 100, 300),
)
QUICK = Effort(
    levels_b=tuple(Fraction(step, 10) for step in range(10)),
    prediction_steps=20,
    checked_levels_b=(Fraction(1, 2),),
    pairs=20_000,
    pairs_general=5_000,
    general_reviewers=(5, 20, 80),
    panel_sizes=(3, 30),
)


def beta_text(prior: tuple[Fraction, Fraction]) -> str:
    """A prior as it stands in the tables: `0.5,0.5`."""
    return ",".join(f"{float(number):g}" for number in prior)
