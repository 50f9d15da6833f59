"""Files of reviews of any size -> every problem that they have, or how many papers, reviews and tracks there are.

    files -> what papers are counted by -> numbers of reviews by paper -> numbers of papers

Reviews go the way of those that are scored (surpeer.engines.summing_run), so that what only all reviews of a paper show
is found in the same manner, and nothing needs a table of all papers.
"""

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from surpeer.checked_rows import ForecastCounts
from surpeer.columns import PAPER, TITLE, TRACK
from surpeer.engines.reading import LargerForm
from surpeer.engines.rows import Form, Typical
from surpeer.engines.summing_run import SummingRun
from surpeer.engines.sums import LAST_TITLE
from surpeer.engines.track_sizes import Tracks, TrackSizes
from surpeer.paper_cells import LISTED, LISTED_TWINS, NO_TRACK, notes_on_tracks, spaces_notes, title_notes
from surpeer.paper_ids import twin_ids

REVIEWS = "n0"
"""The only sum."""


@dataclass
class FirstPapers:
    """Some papers: how many they are, and those that come first."""

    most: int
    number: int = 0
    first: list[Any] = field(default_factory=list)

    def add(self, papers: pl.Series) -> None:
        """Take in some more."""
        self.number += len(papers)
        for paper in papers.sort().head(self.most):
            insort(self.first, paper)
        del self.first[self.most :]


@dataclass
class CountingRun(SummingRun):
    """One run that counts."""

    reviews: int = 0
    papers: int = 0
    several_titles: FirstPapers = field(default_factory=lambda: FirstPapers(LISTED + 1))
    twins: FirstPapers = field(default_factory=lambda: FirstPapers(LISTED_TWINS))
    """Papers whose ids differ in surrounding space only."""

    def count(self) -> None:
        """Count everything, or raise ReviewProblems with every problem there is."""
        self._odd.begin()
        summed = self.summed
        self.reading.progress.begin("counting papers", self.reading.expected_rows)
        for sums in summed.batches():
            self._odd.look_at_tracks(sums)
            self._add(sums)
            self._give_back()
        self.reading.name_odd(self._odd)
        self.reading.raise_problems()
        if self.reviews != self.reading.counts.rows:
            raise ValueError(f"{self.reviews} of {self.reading.counts.rows} reviews were counted, and nobody said why")

    def _add(self, sums: pl.DataFrame) -> None:
        reviews = int(sums[REVIEWS].sum())
        self.reviews += reviews
        self.papers += len(sums)
        if TRACK in sums.columns:
            self._tracks.add(sums[TRACK])
        if TITLE in sums.columns:
            self.several_titles.add(sums.filter(pl.col(TITLE) != pl.col(LAST_TITLE))[PAPER])
        self.twins.add(twin_ids(sums[PAPER]))
        self.reading.progress.advance(reviews)

    @cached_property
    def _tracks(self) -> TrackSizes:
        return TrackSizes(self._folder("tracks"))

    @cached_property
    def tracks(self) -> Tracks | None:
        """Of all papers; None where no paper has one."""
        tracks = self._tracks.all()
        return tracks if set(tracks.largest) - {NO_TRACK} else None

    @property
    def forecasts(self) -> ForecastCounts:
        """Of all reviews."""
        found = self.reading.counts.forecasts
        if found is None:
            raise ValueError("nobody asked for predictions to be counted")
        return found

    def notes(self) -> tuple[str, ...]:
        """What a user should know about the reviews, once they are counted."""
        tracks = self.tracks
        return (
            *self.work.notes,
            *self.reading.notes,
            *([] if tracks is None else notes_on_tracks(tracks.largest, tracks.number, tracks.without)),
            *title_notes(self.several_titles.first, self.several_titles.number, "first in the alphabet"),
            *spaces_notes(self.twins.first),
        )

    def _after(self, larger: LargerForm) -> tuple[Form, Typical | None]:
        """The one that was needed: there is only one that is larger."""
        return larger.form, None

    def _rows(self, form: Form, typical: Typical | None) -> Iterator[pl.DataFrame]:
        """Those that are like the first ones. If others are not, because ids or tracks are of another type, the reading
        says so in the end."""
        schema = None
        for rows in super()._rows(form, typical):
            schema = schema or rows.schema
            if rows.schema == schema:
                yield rows
