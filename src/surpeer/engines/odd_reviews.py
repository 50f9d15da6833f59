"""What only all reviews of a paper show, named by file and row: a review that is there twice, and a second track.

That there are such is found while reviews are added up. Which they are is found when the files are read again.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows
from surpeer.columns import PAPER, REVIEWER, TRACK
from surpeer.engines.repeated import Repeated, given_reviewers, pair_column
from surpeer.engines.sums import LAST_TRACK
from surpeer.errors import Problem, quoted
from surpeer.paper_cells import NO_TRACK, other_track

MOST = 1000
"""Papers of several tracks whose reviews are named, those with the smallest ids; and reviews that are named."""


class Place(NamedTuple):
    """Of a review, in the order of files and rows."""

    batch: int
    row: int
    file: str

    def __str__(self) -> str:
        return f"row {self.row} of {self.file}" if self.file else f"row {self.row}"


class Odd(NamedTuple):
    """A review that is a problem."""

    place: Place
    problem: Problem


@dataclass
class _Tracks:
    """Of one paper that has several."""

    first: tuple[str, Place] | None = None
    """That of the first review that has one."""
    others: list[tuple[str | None, Place]] = field(default_factory=list)
    """Reviews of another track, or without one; the first thousand."""
    reviews: int = 0
    """How many these are in all."""

    def add(self, track: str | None, place: Place) -> None:
        if self.first is None and track is not None:
            self.first = (track, place)
        elif self.first is None or track != self.first[0]:
            self.reviews += 1
            if len(self.others) < MOST:
                self.others.append((track, place))


@dataclass
class OddReviews:
    """Reviews that do not go with others of their papers."""

    repeated: Repeated = field(default_factory=Repeated)
    _mixed: dict[object, _Tracks] = field(default_factory=dict)
    """Papers of several tracks."""
    _papers: int = 0
    """How many these are in all."""
    _first: dict[tuple[object, object], Place] = field(default_factory=dict)
    """Of each paper and reviewer with several reviews."""
    _again: list[Odd] = field(default_factory=list)
    _batches: int = 0

    def begin(self) -> None:
        """Before all papers are looked at for their tracks."""
        self._mixed, self._papers = {}, 0

    def look_at_tracks(self, sums: pl.DataFrame) -> None:
        """Look at papers that are added up."""
        if TRACK not in sums.columns:
            return
        twice = sums.filter(pl.col(TRACK) != pl.col(LAST_TRACK))[PAPER]
        self._papers += len(twice)
        papers = sorted([*self._mixed, *twice.sort().head(MOST).to_list()])[:MOST]
        self._mixed = {paper: _Tracks() for paper in papers}

    def __bool__(self) -> bool:
        return bool(self.repeated.pairs or self._mixed)

    def name(self, checked: CheckedRows, file: str) -> None:
        """Look at the next batch of the files."""
        self._batches += 1
        self._name_repeated(checked, file)
        if checked.track is None or not self._mixed:
            return
        ids, papers = (
            checked.paper.cast(pl.String) if checked.short_ids else checked.paper,
            pl.Series(list(self._mixed)),
        )
        if ids.dtype != papers.dtype:  # which is a problem of its own
            return
        for at in np.flatnonzero(ids.is_in(papers.implode()).to_numpy()).tolist():
            track = checked.track[at]
            here = Place(self._batches, int(checked.rows[at]), file)
            self._mixed[ids[at]].add(None if track == NO_TRACK else track, here)

    def _name_repeated(self, checked: CheckedRows, file: str) -> None:
        pairs, reviewer = pair_column(checked), given_reviewers(checked)
        if pairs is None or reviewer is None or not self.repeated.pairs:
            return
        for at in np.flatnonzero(pairs.is_in(list(self.repeated.pairs)).fill_null(value=False).to_numpy()).tolist():
            paper, who = checked.paper[at], reviewer[at]
            here = Place(self._batches, int(checked.rows[at]), file)
            first = self._first.setdefault((paper, who), here)
            if first != here and len(self._again) < MOST:
                found = f"a second review of paper {quoted(paper)} by {quoted(who)} (the first is in {first})"
                problem = Problem(here.row, REVIEWER, found, "one review by each reviewer", "keep one of the two")
                self._again.append(Odd(here, problem))

    def found(self) -> tuple[list[Problem], int]:
        """Problems in the order of the reviews, and how many there are in all."""
        odd: list[Odd] = []
        for paper, tracks in self._mixed.items():
            if tracks.first is not None:
                name, first = tracks.first
                odd += [
                    Odd(here, other_track(here.row, track, paper, name, str(first))) for track, here in tracks.others
                ]
        odd += self._again
        reviews = sum(tracks.reviews for tracks in self._mixed.values()) + self._papers - len(self._mixed)
        named = [replace(problem, file=place.file) for place, problem in sorted(odd, key=lambda one: one.place)]
        return named, max(self.repeated.reviews, len(self._again)) + reviews
