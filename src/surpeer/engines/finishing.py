"""Sums by paper -> scores, a batch at a time: the same call whoever added the sums up, and wherever it runs.

A scored table has a row for each paper: paper, track and title where there are any, reviews, mean, score (NaN where it
is undefined), standard_error and own_share where the method has them, status and flags as numbers. Ranks and the flags
that depend on other papers come later, when all scores are known.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import polars as pl

from surpeer.columns import PAPER, TITLE, TRACK
from surpeer.engines.rows import Form
from surpeer.engines.sums import statistics_of
from surpeer.matrices import Matrices
from surpeer.paper_flags import flag_bits, flags_of_papers
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Learned, Scores

# Papers at a time: few enough that what is computed on the way stays near the processor.
BLOCK = 1 << 16


@dataclass(frozen=True)
class Finishing:
    """All that is needed to score any batch of papers; small, so that it can be sent to every machine."""

    form: Form
    scale: Scale
    method: str
    learned: Learned | None = None
    """What the method learned from the venue, for methods that learn."""

    def __call__(self, sums: pl.DataFrame) -> pl.DataFrame:
        """The scored table of these papers."""
        blocks = list(sums.iter_slices(BLOCK))
        if len(blocks) == 1:
            return self._block(blocks[0])
        with ThreadPoolExecutor(os.cpu_count() or 1) as workers:
            return pl.concat(workers.map(self._block, blocks))

    def batches(self, sums: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        return map(self, sums)

    def _block(self, sums: pl.DataFrame) -> pl.DataFrame:
        method = find_method(self.method)
        matrices = Matrices(statistics_of(sums, self.form, self.scale))
        if method.learning is None:
            outcome = method.function(matrices)
        elif self.learned is not None:
            outcome = method.learning.judge(matrices, self.learned)
        else:
            raise ValueError(f"the method {method.name} has not learned anything yet")
        scores = Scores(method.name, matrices, outcome)
        extra = {"standard_error": outcome.standard_error, "own_share": outcome.own_share}
        return pl.DataFrame(
            {
                PAPER: matrices.papers,
                **{name: sums[name] for name in (TITLE, TRACK) if name in sums.columns},
                "reviews": scores.reviews,
                "mean": scores.mean,
                "score": scores.value,
                **{name: column for name, column in extra.items() if column is not None},
                "status": scores.status.astype(np.int8),
                "flags": flag_bits(flags_of_papers(scores), len(scores)).astype(np.int16),
            }
        )
