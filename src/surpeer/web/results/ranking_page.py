"""The list of papers that a page shows: found, filtered, ordered, and one page of it as rows for a template."""

from typing import Any

import polars as pl
from django.core.paginator import Page, Paginator

from surpeer.paper_flags import FLAGS
from surpeer.probability_text import probability_text
from surpeer.proposals import Proposal, Reason
from surpeer.report.number_text import DASH, decimal_text
from surpeer.web.results.forms import RankingForm

PAGE = 100
DECIDED = {Proposal.ACCEPT.label, Proposal.REJECT.label}
SINGLE = "the proposal rests on a single review"
MEANINGS = {reason.label: reason.meaning for reason in Reason}
ORDERS: dict[str, tuple[pl.Expr, bool]] = {
    "mean": (pl.col("mean"), True),
    "uncertain": ((pl.col("p_accept") - 0.5).abs(), False),
    "reviews": (pl.col("reviews"), False),
    "paper": (pl.col("paper"), False),
}
"""What to order by, and whether the largest comes first; any other order is that of the ranking."""


class Rows:
    """A table that turns those of its rows into dictionaries which a page shows."""

    def __init__(self, table: pl.DataFrame) -> None:
        self.table = table

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice) -> list[dict[str, Any]]:
        return [shown(row) for row in self.table[rows].iter_rows(named=True)]


def page_of(table: pl.DataFrame, number: str | None) -> Page[dict[str, Any]]:
    """One page of a list; the nearest one where there is no page of this number."""
    return Paginator(Rows(table), PAGE).get_page(number)  # type: ignore[arg-type]


def listed(table: pl.DataFrame, form: RankingForm) -> pl.DataFrame:
    """The papers that were asked for, in the order that was asked for."""
    find = form.chosen("find").strip()
    if find:
        wanted = find.lower()
        inside = [pl.col(name).str.to_lowercase().str.contains(wanted, literal=True) for name in ("paper", "title")]
        table = table.filter(pl.any_horizontal(inside))
    for name in ("track", "proposal"):
        if form.chosen(name):
            table = table.filter(pl.col(name) == form.chosen(name))
    return _sorted(table, form.chosen("sort"))


def to_discuss(table: pl.DataFrame) -> pl.DataFrame:
    """The papers on whose place a discussion can change something, the least certain first; what has no probability
    comes at the end."""
    found = table.filter(pl.col("proposal") == Proposal.DISCUSS.label)
    return _sorted(found, "uncertain")


def neighbours(table: pl.DataFrame, pk: int) -> dict[str, dict[str, Any] | None]:
    """The papers before and after this one in the ranking."""
    at = table["pk"].index_of(pk)
    if at is None:
        return {"before": None, "after": None}
    rows = table[max(at - 1, 0) : at + 2].select("pk", "paper", "rank").to_dicts()
    return {"before": rows[0] if at else None, "after": rows[-1] if at + 1 < len(table) else None}


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a template shows it."""
    chance = row["p_accept"]
    flags = [FLAGS[name] for name in row["flags"] or ()]
    if row["reviews"] == 1 and row["proposal"] in DECIDED:
        flags.append(SINGLE)
    return {
        **row,
        "mean": decimal_text(row["mean"]),
        "score": decimal_text(row["score"]),
        "chance": DASH if chance is None else probability_text(chance),
        "flags": flags,
        "because": MEANINGS.get(row["reason"] or "", ""),
    }


def _sorted(table: pl.DataFrame, order: str) -> pl.DataFrame:
    if order not in ORDERS:
        return table
    by, descending = ORDERS[order]
    return table.sort(by, descending=descending, nulls_last=True, maintain_order=True)
