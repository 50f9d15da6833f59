"""What the pages say of single papers: a row each, as Parquet, of which a page reads the columns that it needs."""

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from surpeer.decisions import Decisions, ranking_of
from surpeer.ranking import Ranking
from surpeer.web.venues.models import Venue

LISTED = ("rank", "paper", "title", "track", "reviews", "mean", "score", "p_accept", "proposal", "reason", "flags")
"""Columns of the library's table that lists of papers show; those that the results do not have are null."""
TEXTS = ("title", "track", "proposal", "reason")
CARD = (
    "mean_rank",
    "mean_rank_last",
    "moved",
    "low",
    "high",
    "expected",
    "clearly_better_than",
    "clearly_worse_than",
    "why",
    "story",
    "counts",
    "prior",
    "predictions",
    "if_higher",
    "if_lower",
)
"""Columns of the report's document that the page of one paper shows."""


def paper_table(venue: Venue, results: Ranking | Decisions, document: Mapping[str, Any]) -> bytes:
    """The rows in the order of the ranking: what lists show, the paper's `pk`, and its `card` as JSON."""
    keys = dict(venue.papers.values_list("key", "pk"))
    table = results.table
    ids = table["paper"].cast(pl.String)
    columns = [table[name] if name in table.columns else _nothing(name, len(table)) for name in LISTED]
    encode = json.JSONEncoder(ensure_ascii=False).encode  # made once, not for every paper
    cards = pl.Series("card", [encode(card) for card in _cards(results, document)])
    pks = pl.Series("pk", [keys[key] for key in ids], dtype=pl.Int64)
    stream = io.BytesIO()
    pl.DataFrame([*columns, pks, cards]).with_columns(paper=ids).write_parquet(stream)
    return stream.getvalue()


def read_list(table: bytes) -> pl.DataFrame:
    """Everything but the cards."""
    return pl.read_parquet(io.BytesIO(table), columns=["pk", *LISTED])


def read_row(table: bytes, pk: int) -> dict[str, Any] | None:
    """All that there is on one paper, its card unpacked; None if it has no place in the ranking."""
    found = pl.scan_parquet(io.BytesIO(table)).filter(pl.col("pk") == pk).collect().to_dicts()
    return {**found[0], "card": json.loads(found[0]["card"])} if found else None


def _nothing(name: str, rows: int) -> pl.Series:
    return pl.Series(name, [None] * rows, dtype=pl.String if name in TEXTS else pl.Float64)


def _cards(results: Ranking | Decisions, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    papers = document["papers"]
    columns = {name: papers[name] for name in CARD if papers[name] is not None}
    parts = _score_parts(ranking_of(results))
    names = (*columns, "parts")
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns.values(), parts, strict=True)]


def _score_parts(ranking: Ranking) -> list[list[float] | None]:
    """Own ratings, what the venue makes of them, own predictions: three numbers that add up to the score."""
    parts: list[list[float] | None] = [None] * len(ranking)
    row = np.argsort(ranking.order)
    for _, papers, fit in ranking.scores.outcome.tracks:
        of_track = fit.parts_of_scores(np.arange(len(papers))).tolist()
        for at, found in zip(row[papers].tolist(), of_track, strict=True):
            parts[at] = found
    return parts
