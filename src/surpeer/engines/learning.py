"""What a method learns from the venue before it scores any paper: from a sample of each track, the same everywhere.

The papers that are learned from are those whose ids have the smallest hashes (surpeer.id_hash). They are found in one
pass over the sums, of which no more than the sample is kept.
"""

from collections.abc import Iterator

import polars as pl

from surpeer.columns import PAPER, TRACK
from surpeer.engines.rows import Form
from surpeer.engines.summed import Summed
from surpeer.engines.sums import statistics_of
from surpeer.id_hash import id_hash, smallest
from surpeer.matrices import Matrices
from surpeer.scale import Scale
from surpeer.scores import find_method
from surpeer.scores.method import Learned

HASH = "hash"


def learn(summed: Summed, scale: Scale, method: str) -> Learned | None:
    """What the method learned; None for methods that need not learn."""
    learning = find_method(method).learning
    if learning is None:
        return None
    sample = learning_sample(summed, learning.most_papers)
    return learning.learn(Matrices(statistics_of(sample, summed.form, scale)))


def learning_sample(summed: Summed, most: int) -> pl.DataFrame:
    """Sums of the papers to learn from, at most so many of each track, in the order of their ids."""
    kept: pl.DataFrame | None = None
    for batch in _hashed(summed):
        kept = _smallest(batch if kept is None else pl.concat([kept, batch]), summed.form, most)
        if summed.in_hash_order and not summed.form.track and len(kept) >= most:
            break
    if kept is None:
        raise ValueError("there is no paper to learn from")
    return kept.drop(HASH).sort(PAPER)


def _hashed(summed: Summed) -> Iterator[pl.DataFrame]:
    for batch in summed.batches():
        if len(batch):
            yield batch.with_columns(pl.Series(HASH, id_hash(batch[PAPER])))


def _smallest(sums: pl.DataFrame, form: Form, most: int) -> pl.DataFrame:
    if not form.track:
        return sums.filter(smallest(sums[HASH].to_numpy(), most))
    return sums.filter(pl.col(HASH).rank("min").over(TRACK) <= most)
