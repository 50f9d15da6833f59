"""The whole ranking in few numbers: for pictures of thousands of papers, and for those who may not see single ones."""

from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.proposals import Proposal
from surpeer.report.columns import PaperColumns


class CurveStep(NamedTuple):
    """Papers next to each other in the ranking."""

    first: int
    """Row of the first, from 1."""
    last: int
    score: float
    low: float
    high: float
    accept: int
    discuss: int
    reject: int


class SpreadCell(NamedTuple):
    """Papers of about the same mean rating and score."""

    mean: float
    score: float
    papers: int


def ranking_curve(papers: PaperColumns, steps: int, least: int = 1) -> list[CurveStep]:
    """At most so many steps of at least so many papers with a score, each the average of its papers."""
    scored = np.flatnonzero(np.isfinite(papers.score))
    count = min(steps, len(scored) // least)
    if not count:
        return []
    return [_step(papers, rows) for rows in np.array_split(scored, count)]


def _step(papers: PaperColumns, rows: np.ndarray) -> CurveStep:
    kinds = [0, 0, 0]
    if papers.proposal is not None:
        kinds = np.bincount(papers.proposal[rows], minlength=len(Proposal)).tolist()
    return CurveStep(
        int(rows[0]) + 1,
        int(rows[-1]) + 1,
        float(papers.score[rows].mean()),
        _mean(papers.low, rows),
        _mean(papers.high, rows),
        *kinds,
    )


def _mean(column: FloatArray | None, rows: np.ndarray) -> float:
    return float("nan") if column is None else float(column[rows].mean())


def spread_cells(papers: PaperColumns, steps: int, least: int) -> tuple[list[SpreadCell], int]:
    """Mean against score in cells of round width, so that their borders tell nothing of single papers; cells of fewer
    than `least` papers are left out, and the papers in them counted."""
    scored = np.flatnonzero(np.isfinite(papers.score))
    if not len(scored):
        return [], 0
    columns = papers.mean[scored], papers.score[scored]
    middle = [np.quantile(column, [0.02, 0.98]) for column in columns]  # a few far out must not make cells wide
    widths = [round_width(float(np.ptp(ends)) / steps) for ends in middle]
    cells = np.stack([np.floor(column / width) for column, width in zip(columns, widths, strict=True)], axis=1)
    found, number = np.unique(cells, axis=0, return_counts=True)
    shown = number >= least
    centres = (found[shown] + 0.5) * widths
    return [
        SpreadCell(mean, score, count)
        for (mean, score), count in zip(centres.tolist(), number[shown].tolist(), strict=True)
    ], int(number[~shown].sum())


def round_width(width: float) -> float:
    """The next of 1, 2, 5, 10, ... times a power of ten.

    >>> round_width(0.13), round_width(0.5), round_width(7), round_width(0)
    (0.2, 0.5, 10.0, 0.1)
    """
    if width <= 0:
        return 0.1
    power = 10.0 ** np.floor(np.log10(width))
    return float(power * next(step for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))
