"""Ranked papers with codes -> the columns that people get: those of Ranking.table and Decisions.table."""

from functools import cache

import polars as pl

from surpeer.core.status import Status
from surpeer.paper_flags import FLAGS
from surpeer.proposals import Proposal, Reason

ALWAYS = ("rank", "paper", "title", "track", "reviews", "mean", "score")
RANKED = ("standard_error", "own_share", "status", "flags")
DECIDED = ("standard_error", "p_accept", "p_better_than_cut", "proposal", "reason", "flags")
NULL_FOR_NAN = {"ranked": ("score",), "decided": ("score", "standard_error", "p_accept", "p_better_than_cut")}


def public_chunk(ranked: pl.DataFrame, flag_separator: str | None = None) -> pl.DataFrame:
    """The table with words for codes and null for what is not known. Flags are lists of names, or one text, null where
    there are none, if there is something to join them by. A table that has words already keeps them.

    ranked : columns rank, paper, [title], [track], reviews, mean, score, [standard_error, own_share], status (code),
        flags (bits in the order of FLAGS); with decisions also p_accept, p_better_than_cut, proposal and reason (codes)
    """
    if ranked.schema["flags"] == pl.List:
        return ranked if flag_separator is None else _joined(ranked, flag_separator)
    decided = "proposal" in ranked.columns
    names = [name for name in ALWAYS + (DECIDED if decided else RANKED) if name in ranked.columns]
    words = {
        "status": _labels(Status),
        "proposal": _labels(Proposal),
        "reason": _labels(Reason),
        "flags": _flag_sets(flag_separator),
    }
    unknown = NULL_FOR_NAN["decided" if decided else "ranked"]
    columns = []
    for name in names:
        column = ranked[name]
        if name in words:
            column = words[name].gather(column).alias(name)
        elif name in unknown:
            column = column.fill_nan(None)
        columns.append(column)
    return pl.DataFrame(columns)


def _joined(public: pl.DataFrame, separator: str) -> pl.DataFrame:
    flags = pl.col("flags")
    return public.with_columns(pl.when(flags.list.len() > 0).then(flags.list.join(separator)).alias("flags"))


def _labels(kind: type[Status] | type[Proposal] | type[Reason]) -> pl.Series:
    return pl.Series([member.label for member in kind], dtype=pl.String)


@cache
def _flag_sets(separator: str | None) -> pl.Series:
    """The names behind each number that a paper's flags can have."""
    names = list(FLAGS)
    sets = [[name for bit, name in enumerate(names) if code >> bit & 1] for code in range(1 << len(names))]
    if separator is None:
        return pl.Series(sets, dtype=pl.List(pl.String))
    return pl.Series([separator.join(found) or None for found in sets], dtype=pl.String)
