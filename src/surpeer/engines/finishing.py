"""Sums by paper -> scores, a batch at a time: the same call whoever added the sums up, and wherever it runs.

A scored table has a row for each paper: paper, track and title where there are any, reviews, mean, score (NaN where it
is undefined), standard_error and own_share where the method has them, status and flags as numbers. Ranks and the flags
that depend on other papers come later, when all scores are known.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from surpeer.columns import PAPER, TITLE, TRACK
from surpeer.engines.kinds import kinds_of
from surpeer.engines.rows import Form
from surpeer.engines.sums import statistics_of, without_products
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
        sums = without_products(sums, self.form)
        return self._block(sums) if len(sums) <= BLOCK else self._by_kind(sums)

    def _by_kind(self, sums: pl.DataFrame) -> pl.DataFrame:
        """The same; papers with the same sums are scored once."""
        kinds = None
        if self.form.only_sums:
            kinds = kinds_of([sums[name].to_numpy() for name in sums.columns if name != PAPER])
        if kinds is None:
            # Papers of a track are judged together, so that those of each should be in as few blocks as possible.
            by_track = sums.sort(TRACK) if TRACK in sums.columns and self.learned is not None else sums
            return pl.concat(map(self._block, by_track.iter_slices(BLOCK)))
        scored = pl.concat(map(self._block, sums[kinds.examples].iter_slices(BLOCK)))
        columns = {name: scored[name].to_numpy()[kinds.kind] for name in scored.columns if name != PAPER}
        return pl.DataFrame({PAPER: sums[PAPER], **columns})

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
