"""What the columns, statuses and flags of a table mean, below the table: only of those that are in it."""

from collections.abc import Iterable, Mapping

import polars as pl

from surpeer.core.status import Status
from surpeer.ranking import FLAGS, Ranking

VENUE_WORDS = {
    "score": "what papers are ranked by, in standard deviations of quality; a typical paper has 0",
    "error": "standard error of the score: how far the truth may well be from it",
    "own": "how much of what was expected of a paper comes from its own reviewers' predictions, not other papers",
}
"""Of the columns that only the method venue has."""


def ranking_legend(ranking: Ranking) -> str:
    """Below a ranking."""
    scores = ranking.scores
    words = dict(VENUE_WORDS) if scores.own_share is not None else {}
    words |= {status.label: status.meaning for status in Status if status != Status.FINITE and status in scores.status}
    return legend(words | flag_words(flags_in(ranking)))


def table_legend(table: pl.DataFrame) -> str:
    """Below a table of results, flags in lists."""
    words = dict(VENUE_WORDS) if "own_share" in table.columns else {}
    present = set(table["status"].unique()) if "status" in table.columns else set()
    words |= {status.label: status.meaning for status in Status if status != Status.FINITE and status.label in present}
    return legend(words | flag_words(table["flags"].explode().drop_nulls().unique()))


def flags_in(ranking: Ranking) -> list[str]:
    """The flags that some paper has."""
    return [flag for flag, mask in ranking.flags.items() if mask.any()]


def flag_words(flags: Iterable[str]) -> dict[str, str]:
    """The meanings of these flags, in their usual order."""
    present = set(flags)
    return {flag: meaning for flag, meaning in FLAGS.items() if flag in present}


def legend(words: Mapping[str, str]) -> str:
    """An empty line, then a line for each word; nothing without any."""
    if not words:
        return ""
    width = max(map(len, words))
    return "\n" + "".join(f"{word:<{width}}  {meaning}\n" for word, meaning in words.items())
