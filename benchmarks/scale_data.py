"""Files of made-up reviews of any size, in little memory: what `scale.py` measures with.

Bayesian reviewers of papers with different noise, as in `score_cli.py`: each predicts the others in whole percents, a
few percent off what she should say. Papers are of some thousand kinds, so that a review is looked up and not computed.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import polars.selectors as cs
from numpy.typing import NDArray

from surpeer.core.joint import predictions_from_joint
from surpeer.core.noise import noise_matrix, noisy_joint, noisy_state

PIECE = 1 << 21
"""Rows that are made at a time."""
KINDS, VERSIONS = 4096, 16
"""Of papers, and of the prediction that goes with a rating of a paper."""
ROW_GROUP = 1 << 20
BYTES_PER_ROW = 60
"""On disk, with what is there only while the file is made."""

Numbers = NDArray[np.uint64]


@dataclass(frozen=True)
class Venue:
    """What a file of reviews is like. The same venue is always the same file."""

    rows: int
    levels: int = 2
    ids: str = "dense"
    """dense: whole numbers from 1; sparse: whole numbers of 64 bits; text: such as P00000001."""
    order: str = "shuffled"
    """Or sorted by paper."""
    reviewers: bool = False
    per_paper: int = 4
    ending: str = "parquet"
    title: int = 0
    """Letters of the title of each paper; 0 for no titles."""
    group: int = ROW_GROUP
    """Rows of a group of a Parquet file. To read any of them, the dictionary of their titles is needed."""
    categories: bool = False
    """Whether texts are categories in a Parquet file."""

    @property
    def papers(self) -> int:
        return -(-self.rows // self.per_paper)

    @property
    def name(self) -> str:
        more = ("-reviewers" if self.reviewers else "") + (f"-titles{self.title}" if self.title else "")
        more += (f"-groups{self.group}" if self.group != ROW_GROUP else "") + ("-categories" * self.categories)
        return f"{self.rows}by{self.per_paper}-{self.levels}levels-{self.ids}-{self.order}{more}.{self.ending}"

    def file_in(self, folder: Path) -> Path:
        """The file, made unless it is there already."""
        path = folder / self.name
        if not path.exists():
            need, free = self.rows * (BYTES_PER_ROW + 2 * self.title), shutil.disk_usage(folder).free
            if free < need:
                sys.exit(f"{folder}: {path.name} needs about {need / 1e9:.0f} GB, and {free / 1e9:.0f} GB are free")
            print(f"making {path.name}", file=sys.stderr, flush=True)
            made = folder / f"{path.name}.part"
            (_make_csv if self.ending == "csv" else _make_parquet)(self, made)
            made.rename(path)
        return path


def pieces(venue: Venue) -> Iterator[pl.DataFrame]:
    """The reviews, some at a time."""
    rng = np.random.default_rng(7)
    for numbers in _row_numbers(venue):
        paper = numbers // np.uint64(venue.per_paper)
        yield _reviews(venue, paper, numbers, rng)


def _row_numbers(venue: Venue) -> Iterator[Numbers]:
    """0 to rows - 1, or all of them in another order: numbers below a power of two are mixed one to one, and those that
    are too large left out."""
    if venue.order == "sorted":
        for start in range(0, venue.rows, PIECE):
            yield np.arange(start, min(start + PIECE, venue.rows), dtype=np.uint64)
        return
    bits = max(2, (venue.rows - 1).bit_length())
    for start in range(0, 1 << bits, PIECE):
        mixed = _mixed(np.arange(start, min(start + PIECE, 1 << bits), dtype=np.uint64), bits)
        yield mixed[mixed < venue.rows]


def _mixed(numbers: Numbers, bits: int) -> Numbers:
    """One to one among the numbers of so many bits."""
    mask, half = np.uint64((1 << bits) - 1), np.uint64(bits // 2 + 1)
    for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        numbers = (numbers * np.uint64(factor)) & mask
        numbers = numbers ^ (numbers >> half)
    return numbers


def _reviews(venue: Venue, paper: Numbers, numbers: Numbers, rng: np.random.Generator) -> pl.DataFrame:
    kinds = _kinds(venue.levels)
    kind = _mixed(paper + np.uint64(1), 64) >> np.uint64(52)  # 4096 of them
    below = rng.random(len(paper), dtype=np.float32)
    rating = np.zeros(len(paper), dtype=np.int64)
    for column in kinds.below.T[:-1]:
        rating += below > column[kind]
    row = (kind.astype(np.int64) * venue.levels + rating) * VERSIONS + rng.integers(0, VERSIONS, len(paper))
    shares = {f"p_{level}": column[row] / 100 for level, column in enumerate(kinds.percents.T)}
    ids = pl.Series("paper", paper + np.uint64(1)).cast(pl.Int64)
    if venue.ids == "sparse":
        ids = pl.Series("paper", _mixed(paper + np.uint64(1), 64).view(np.int64))
    elif venue.ids == "text":
        ids = "P" + ids.cast(pl.String).str.zfill(8)
    who = {"reviewer": pl.Series(_mixed(numbers, 24)).cast(pl.Int64)} if venue.reviewers else {}
    titles = {"title": _titles(paper, venue.title)} if venue.title else {}
    return pl.DataFrame({"paper": ids, **who, **titles, "rating": rating, **shares})


def _titles(paper: Numbers, letters: int) -> list[str]:
    """The number of each paper, and as much of a long text, from where its number says, as there is room for."""
    text = _text()
    starts = paper * np.uint64(2_654_435_761) % np.uint64(len(text) - letters)
    every = zip(paper.tolist(), starts.tolist(), strict=True)
    return [f"{number} {text[start : start + letters]}"[:letters] for number, start in every]


@cache
def _text() -> str:
    """Letters in no order, which cannot be packed into much less."""
    return "".join(np.random.default_rng(3).choice(list("abcdefghijklmnopqrstuvwxyz      "), 1 << 20))


class Kinds(NamedTuple):
    """Papers of which all others are copies."""

    below: NDArray[np.float32]
    """(KINDS, K) share of reviewers who give this level or a lower one."""
    percents: NDArray[np.uint8]
    """(KINDS * K * VERSIONS, K) predictions of those who gave a level."""


@cache
def _kinds(levels: int) -> Kinds:
    rng = np.random.default_rng(5)
    clean = rng.dirichlet(np.ones(levels), KINDS)
    noise = noise_matrix(rng.uniform(0, 0.8, KINDS), rng.dirichlet(np.full(levels, 0.3), KINDS))
    joint = (np.ones((levels, levels)) + np.eye(levels)) / (levels * (levels + 1))  # of the uniform Dirichlet
    P = predictions_from_joint(noisy_joint(joint, noise))
    P /= P.sum(axis=-1, keepdims=True)
    percents = rng.multinomial(100, P[:, :, None, :].repeat(VERSIONS, axis=2))
    below = noisy_state(clean, noise).cumsum(axis=1).astype(np.float32)
    return Kinds(below, percents.reshape(-1, levels).astype(np.uint8))


def _make_csv(venue: Venue, path: Path) -> None:
    with open(path, "wb") as stream:
        for number, piece in enumerate(pieces(venue)):
            piece.write_csv(stream, include_header=number == 0)


def _make_parquet(venue: Venue, path: Path) -> None:
    """Parts, and one file of them."""
    parts = path.with_suffix(".parts")
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir()
    for number, piece in enumerate(pieces(venue)):
        piece.write_parquet(parts / f"{number:05d}.parquet", compression="uncompressed")
    table = pl.scan_parquet(sorted(parts.iterdir()))
    if venue.categories:
        table = table.with_columns(cs.string().cast(pl.Categorical))
    table.sink_parquet(path, row_group_size=venue.group, maintain_order=True)
    shutil.rmtree(parts)
