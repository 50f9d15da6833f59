"""Ranked chunks -> chunks with decisions, within a limit of memory: the rules of surpeer.deciding.

Chunks are kept on disk until the cut has been passed; from there on they go through as they come.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.core.cut import Batch, Batches, Cut, find_cut
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.deciding import AtTheCut, decided, has_probability
from surpeer.engines.paper_kinds import PaperKinds
from surpeer.engines.progress import SILENT, Progress
from surpeer.engines.scored_parts import ScoredParts, scan_part
from surpeer.paper_flags import FLAGS

INCOHERENT = 1 << list(FLAGS).index("incoherent_forecasts")

NUMBERS = ["score", "standard_error"]

# Scores at a time while the cut is looked for: two numbers each, and what is computed of them.
SCORES_AT_ONCE = 1 << 20
BYTES_PER_ROW = 16


def decided_chunks(
    ranked: Iterable[pl.DataFrame],
    scores: Batches,
    places: int,
    certainty: float,
    work: Path,
    progress: Progress | None = None,
) -> Iterator[pl.DataFrame]:
    """Ranked chunks with p_accept and p_better_than_cut (NaN where unknown), and the codes of proposal and reason.

    ranked : all chunks of a ranking, in order, with standard errors
    scores : gives all papers with a finite score and error, in any batches, each time that it is called
    places : how many papers are accepted, of more than that; certainty : as in surpeer.decisions.decide
    work : an empty folder for files
    """
    (progress or SILENT).begin("deciding", None)
    chunks, around = iter(ranked), AtTheCut(places)
    kept: list[Callable[[], pl.DataFrame]] = []
    for chunk in chunks:
        around.look(chunk["rank"].to_numpy(), *_numbers(chunk))
        kept.append(_kept(chunk, work / f"{len(kept)}.arrow", last=around.complete))
        if around.complete:
            break
    cut = find_cut(scores, around.free, around.start)
    row = 0
    for chunk in _again(kept, chunks):
        yield _with_decisions(chunk, row, around, cut, certainty)
        row += len(chunk)
        (progress or SILENT).advance(len(chunk))


def scores_in(parts: Sequence[Path], kinds: PaperKinds | None = None) -> Batches:
    """The finite scores of part files, in batches, for `decided_chunks`. kinds : those that parts have numbers of"""
    found = ScoredParts(parts, SCORES_AT_ONCE * BYTES_PER_ROW, kinds)

    def batches() -> Iterator[Batch]:
        return (_with_probability(batch.columns(NUMBERS)) for batch in found.batches)

    return batches


def scores_of(scored: pl.DataFrame) -> Batches:
    """The same of a table in memory."""
    numbers = scored.select(NUMBERS)
    return lambda: map(_with_probability, numbers.iter_slices(SCORES_AT_ONCE))


def scores_of_kinds(kinds: PaperKinds) -> Batches:
    """The same where all papers are of few kinds, however many they are: kinds are looked at, not papers."""
    batch = _with_probability(kinds.table.select(NUMBERS), kinds.papers)
    return lambda: [batch]


def _with_probability(scored: pl.DataFrame, papers: IntArray | None = None) -> Batch:
    batch = Batch(*_numbers(scored), papers)
    return batch.take(has_probability(batch.score, batch.error))


def _numbers(table: pl.DataFrame) -> tuple[FloatArray, FloatArray]:
    score, error = (table[name].to_numpy() for name in NUMBERS)
    return score, error


def _kept(chunk: pl.DataFrame, path: Path, *, last: bool) -> Callable[[], pl.DataFrame]:
    """How to have the chunk again: from a file, or from memory if the next thing is to look at all of them again."""
    if last and path.name == "0.arrow":
        return lambda: chunk
    chunk.write_ipc(path)

    def taken() -> pl.DataFrame:
        table = scan_part(path).collect()
        path.unlink()
        return table

    return taken


def _again(kept: Sequence[Callable[[], pl.DataFrame]], rest: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for take in kept:
        yield take()
    yield from rest


def _with_decisions(chunk: pl.DataFrame, row: int, around: AtTheCut, cut: Cut, certainty: float) -> pl.DataFrame:
    incoherent = (chunk["flags"].to_numpy() & INCOHERENT) > 0
    rows = (chunk["rank"].to_numpy(), *_numbers(chunk), incoherent)
    chance, better, proposal, reason = decided(rows, row, around, cut, certainty)
    return chunk.with_columns(
        pl.Series("p_accept", chance),
        pl.Series("p_better_than_cut", better),
        pl.Series("proposal", proposal.astype(np.int8)),
        pl.Series("reason", reason.astype(np.int8)),
    )
