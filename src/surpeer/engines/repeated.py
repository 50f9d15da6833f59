"""The same review given twice: found by a number for each paper and reviewer among reviews that are added up together.

Which reviews these are is found when the files are read again (surpeer.engines.odd_reviews).
"""

from dataclasses import dataclass, field

import polars as pl

from surpeer.checked_rows import CheckedRows

PAIR = "pair"
"""The column with the number."""

MOST = 1000
"""Pairs whose reviews are named: those with the smallest numbers, the same ones however reviews are added up."""


def pair_column(checked: CheckedRows) -> pl.Series | None:
    """A number for the paper and the reviewer of each review, null where no reviewer is given."""
    reviewer = given_reviewers(checked)
    if reviewer is None:
        return None
    pairs = checked.paper.hash(1) ^ reviewer.hash(2)
    return pl.select(pl.when(reviewer.is_not_null()).then(pairs).alias(PAIR)).to_series()


def given_reviewers(checked: CheckedRows) -> pl.Series | None:
    """Who gave each review, null where nobody is named; None where there is no such column."""
    reviewer = checked.reviewer
    if reviewer is None:
        return None
    return reviewer.replace("", None) if reviewer.dtype == pl.String else reviewer


@dataclass
class Repeated:
    """Numbers that came more than once."""

    pairs: set[int] = field(default_factory=set)
    """The smallest of them."""
    _later: dict[int, int] = field(default_factory=dict)
    """Of each part of the reviews: how many are not the first of their pair."""

    @property
    def reviews(self) -> int:
        """How many are there again."""
        return sum(self._later.values())

    def look_in(self, rows: pl.DataFrame, part: int = 0) -> None:
        """Look in all reviews of some papers. A part that is looked at once more counts once."""
        if PAIR not in rows.columns:
            return
        pairs = rows[PAIR].drop_nulls()
        later = len(pairs) - pairs.n_unique()
        if later:
            twice = pairs.filter(pairs.is_duplicated()).unique().sort()
            self.add(twice.head(MOST).to_list(), later, part)

    def add(self, pairs: list[int], reviews: int, part: int = 0) -> None:
        """Take in pairs that came more than once, of which so many reviews are not the first."""
        self.pairs = set(sorted(self.pairs.union(pairs))[:MOST])
        self._later[part] = reviews

    def forget(self) -> None:
        """Begin anew."""
        self.pairs.clear()
        self._later.clear()
