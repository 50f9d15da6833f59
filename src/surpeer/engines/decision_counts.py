"""How many papers have which proposal, counted while chunks of decisions go by."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from surpeer.proposals import Proposal


@dataclass
class DecisionCounts:
    """Of chunks in the order of the ranking."""

    places: int
    certainty: float
    rows: int = 0
    proposals: Counter[Proposal] = field(default_factory=Counter)
    tied_rank: int = 0
    """The rank of the last paper above the cut."""
    _tied: int = 0

    def add(self, chunk: pl.DataFrame) -> None:
        """The next papers."""
        self.proposals.update({Proposal(code): times for code, times in chunk["proposal"].value_counts().iter_rows()})
        rank = chunk["rank"].to_numpy()
        if self.rows < self.places <= self.rows + len(rank):
            self.tied_rank = int(rank[self.places - self.rows - 1])
        self.rows += len(rank)
        last = int(np.searchsorted(rank, self.tied_rank, "right"))  # in this chunk, of those above and at the cut
        if self.tied_rank and last:  # ranks count from 1, so that a rank is also the number of its first paper
            self._tied = self.rows - len(rank) + last

    @property
    def tied(self) -> int:
        """How many papers share the rank that the cut goes through; 0 when it goes between two ranks."""
        return self._tied - self.tied_rank + 1 if self._tied > self.places else 0
