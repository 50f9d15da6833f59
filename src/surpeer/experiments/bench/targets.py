"""What the benchmark asks of a method for venues, and whether the tables show it."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl
from scipy.special import ndtr

from surpeer.experiments.bench.panels import CROWD

DOUBT = 2.0
"""Standard errors beyond which a cell counts as below the mean."""
TRUTHFUL_AVERAGE, TRUTHFUL_WORST, NOISY_AVERAGE, REAL_LOSS = 0.7, 2.0, 1.3, 0.5
"""In points (hundredths of pairwise accuracy or of the area under the curve)."""


class Target(NamedTuple):
    """One demand and what was found."""

    demand: str
    found: str
    reached: bool | None
    """None where there is nothing to judge by."""


def simulated_targets(accuracy: pl.DataFrame, method: str) -> list[Target]:
    """The demands on made-up venues, on these cells."""
    mine = accuracy.filter(pl.col("method") == method)
    return [_never_below(mine), *_near_oracle(mine)]


def real_targets(real: pl.DataFrame | None, method: str) -> list[Target]:
    """The demands on real panels."""
    demands = (
        f"real panels: at least the better of mean and surprisal less {REAL_LOSS} point everywhere",
        "real panels: better than both somewhere",
    )
    if real is None:
        return [Target(demand, "no real data was given", None) for demand in demands]
    mine = real.filter((pl.col("method") == method) & (pl.col("people") != CROWD))
    worst = mine.sort("above_rivals").row(0, named=True)
    loss, error = 100 * worst["above_rivals"], 100 * worst["above_rivals_error"]
    where = f"{worst['study']}, {worst['people']} people"
    somewhere = mine.filter(pl.col("above_rivals") > DOUBT * pl.col("above_rivals_error")).height
    return [
        Target(demands[0], f"worst {loss:+.2f} points (standard error {error:.2f}): {where}", bool(loss >= -REAL_LOSS)),
        Target(demands[1], f"beyond {DOUBT:g} standard errors in {somewhere} of {mine.height}", somewhere > 0),
    ]


def below_mean(accuracy: pl.DataFrame, method: str) -> pl.DataFrame:
    """The cells in which a method is below the mean by more than DOUBT standard errors, the clearest first."""
    mine = accuracy.filter(pl.col("method") == method).with_columns(errors=in_errors())
    return mine.filter(pl.col("errors") < -DOUBT).sort("errors")


def in_errors() -> pl.Expr:
    """A cell's difference to the mean in standard errors; zero where there is neither."""
    return pl.when(pl.col("above_mean") == 0).then(0.0).otherwise(pl.col("above_mean") / pl.col("above_mean_error"))


def by_chance(mine: pl.DataFrame) -> float:
    """How many of these cells chance puts below by more than DOUBT errors if the method is as good as the mean in all.

    Cells in which both decide every pair alike cannot be among them.
    """
    return mine.filter(pl.col("above_mean_error") > 0).height * float(ndtr(-DOUBT))


def _never_below(mine: pl.DataFrame) -> Target:
    demand = f"in no cell below the mean by more than {DOUBT:g} standard errors"
    if mine.is_empty():
        return Target(demand, "no cells", None)
    below = mine.filter(in_errors() < -DOUBT).height
    worst = 100 * float(mine.select(pl.col("above_mean").min()).item())
    found = (
        f"{below} of {mine.height} cells, where chance alone would put {by_chance(mine):.1f} if both were "
        f"equally good; worst {worst:+.2f} points"
    )
    return Target(demand, found, below == 0)


def _near_oracle(mine: pl.DataFrame) -> Iterator[Target]:
    for forecasts, kind, limit in (
        ("truthful", "average", TRUTHFUL_AVERAGE),
        ("truthful", "worst", TRUTHFUL_WORST),
        ("noisy", "average", NOISY_AVERAGE),
    ):
        where = "on average" if kind == "average" else "in the worst cell"
        demand = f"{forecasts} forecasts: within {limit} points of the oracle {where}"
        part = mine.filter(pl.col("forecasts") == forecasts)
        if part.is_empty():
            yield Target(demand, "no cells", None)
            continue
        gaps = part.sort("below_oracle").with_columns(pl.col("below_oracle", "below_oracle_error") * 100)
        if kind == "average":
            gap, found = gaps.select(pl.col("below_oracle").mean()).item(), "{gap:.2f} points"
        else:
            gap, error = gaps.select("below_oracle", "below_oracle_error").row(-1)
            found = "{gap:.2f} points" + f" (standard error {error:.2f})"
        yield Target(demand, found.format(gap=gap), bool(gap <= limit))
