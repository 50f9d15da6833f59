"""The table of stated and true probabilities, for the page."""

import polars as pl

from surpeer.experiments.bench.gaps import POINTS, names
from surpeer.experiments.bench.markup import Entry, Row, paragraph, section, table

TITLE = "Are stated probabilities right?"
FAR = 0.05
"""A share right that is so far from what was stated is marked."""


def reliability_section(reliability: pl.DataFrame) -> str:
    """For each method that knows a standard error: by kind of forecasts and how sure it was."""
    if reliability.is_empty():
        return section(TITLE, paragraph("No registered method states a standard error."))
    parts = [
        paragraph(
            "Of pairs that a method is so sure of (per cent), how many it has right, over all numbers of levels; "
            f"white on black where that is more than {POINTS * FAR:.0f} points off. By K in reliability.csv."
        )
    ]
    for method in names(reliability, "method"):
        parts.append(paragraph(f"{method}: stated → right"))
        parts.append(_table(pooled(reliability.filter(pl.col("method") == method))))
    return section(TITLE, *parts)


def pooled(reliability: pl.DataFrame) -> pl.DataFrame:
    """Over all numbers of levels."""
    return reliability.group_by("forecasts", "at_least", "below", maintain_order=True).agg(
        pl.col("pairs").sum(),
        *((pl.col(name) * pl.col("pairs")).sum() / pl.col("pairs").sum() for name in ("stated", "right")),
    )


def _table(found: pl.DataFrame) -> str:
    bins = found.select("at_least", "below").unique().sort("at_least").rows()
    rows: list[Row] = []
    for kind in names(found, "forecasts"):
        part = found.filter(pl.col("forecasts") == kind)
        by_bin = {row["at_least"]: row for row in part.iter_rows(named=True)}
        rows.append([kind, *(_entry(by_bin.get(at_least)) for at_least, _ in bins)])
    return table(["forecasts", *(f"{POINTS * low:.0f} to {POINTS * high:.0f} %" for low, high in bins)], rows)


def _entry(row: dict[str, float] | None) -> Entry:
    if row is None:
        return Entry("-")
    off = abs(row["right"] - row["stated"]) > FAR
    text = f"{POINTS * row['stated']:.1f} → {POINTS * row['right']:.1f}"
    return Entry(text, "no" if off else "", f"{int(row['pairs']):,} pairs")
