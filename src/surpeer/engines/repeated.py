"""The same review given twice: found by a number for each paper and reviewer, named when the files are read again."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows
from surpeer.columns import REVIEWER
from surpeer.errors import Problem, quoted

PAIR = "pair"
"""The column with the number."""

MOST = 1000
"""Reviews that are named."""


def pair_column(checked: CheckedRows) -> pl.Series | None:
    """A number for the paper and the reviewer of each review, null where no reviewer is given."""
    reviewer = _given(checked)
    if reviewer is None:
        return None
    pairs = checked.paper.hash(1) ^ reviewer.hash(2)
    return pl.select(pl.when(reviewer.is_not_null()).then(pairs).alias(PAIR)).to_series()


def _given(checked: CheckedRows) -> pl.Series | None:
    reviewer = checked.reviewer
    if reviewer is None:
        return None
    return reviewer.replace("", None) if reviewer.dtype == pl.String else reviewer


@dataclass
class Repeated:
    """Numbers that came more than once, among reviews that were looked at together."""

    pairs: set[int] = field(default_factory=set)

    def look_in(self, rows: pl.DataFrame) -> None:
        """Look in all reviews of some papers."""
        if PAIR not in rows.columns or len(self.pairs) >= MOST:
            return
        pairs = rows[PAIR].drop_nulls()
        if pairs.n_unique() < len(pairs):
            twice = pairs.filter(pairs.is_duplicated()).unique().sort()
            self.pairs.update(twice.head(MOST).to_list())


@dataclass
class RepeatedReviews:
    """The reviews behind the numbers, in the order in which they are read."""

    repeated: Repeated
    first: dict[tuple[object, object], str] = field(default_factory=dict)
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    def add(self, checked: CheckedRows, file: str) -> None:
        """Look at a batch of a file."""
        pairs, reviewer = pair_column(checked), _given(checked)
        if pairs is None or reviewer is None:
            return
        for at in np.flatnonzero(pairs.is_in(list(self.repeated.pairs)).fill_null(value=False).to_numpy()).tolist():
            paper, who, row = checked.paper[at], reviewer[at], int(checked.rows[at])
            here = f"row {row} of {file}" if file else f"row {row}"
            known = self.first.setdefault((paper, who), here)
            if known != here:
                found = f"a second review of paper {quoted(paper)} by {quoted(who)} (the first is in {known})"
                problem = Problem(row, REVIEWER, found, "one review by each reviewer", "keep one of the two")
                self.problems.append((file, problem))
