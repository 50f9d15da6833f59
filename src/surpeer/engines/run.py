"""Files of reviews of any size -> scores, ranks and decisions: the way of the data in one screen.

    files -> whole numbers -> sums by paper -> scores -> ranks -> a result

Everything is in memory where it fits. Otherwise reviews are hashed into buckets on disk, which are scored one after the
other, and scores are ranked on disk; the result is the same to the last digit.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import polars as pl

from surpeer.columns import PAPER, TITLE, TRACK
from surpeer.decisions import CERTAINTY, check_certainty, check_errors, places_of
from surpeer.engines.deciding_on_disk import decided_chunks, scores_in, scores_of
from surpeer.engines.decision_counts import DecisionCounts
from surpeer.engines.finishing import Finishing
from surpeer.engines.learning import learn
from surpeer.engines.memory import (
    give_back,
    kinds_fit,
    left_of,
    memory_limit,
    own_memory,
    papers_fit,
    reviews_fit,
)
from surpeer.engines.paper_kinds import KIND, PaperKinds
from surpeer.engines.polars_engine import sum_in_memory
from surpeer.engines.ranked_table import ranked_table
from surpeer.engines.ranking_on_disk import RankingOnDisk
from surpeer.engines.reading import LargerForm, Reading
from surpeer.engines.repeated import Repeated
from surpeer.engines.rows import Form, Typical
from surpeer.engines.summed import Summed, SummedInMemory, SummedInTables
from surpeer.engines.summed_in_buckets import sum_in_buckets
from surpeer.engines.sums import LAST_TRACK, number_of_sums
from surpeer.engines.work_folder import WorkFolder
from surpeer.errors import Problem, quoted
from surpeer.io.in_threads import in_threads
from surpeer.paper_cells import NO_TRACK, track_size_notes
from surpeer.ranking_notes import order_notes, tie_notes, track_notes
from surpeer.scores.method import Learned, LearnedTrack

ROWS_OF_RESULT = 250_000
NEARLY = 0.7
"""The part of the memory that was asked for from which on what was freed is given back: taking it again takes time."""
FINISHED_AT_ONCE = 2
"""Batches of sums that are scored while the next one is added up."""


@dataclass
class LargeRun:
    """One run over files on this machine."""

    reading: Reading
    method: str
    work: WorkFolder
    engine: str = "polars"
    memory: int | None = None
    """Bytes that were asked for; None to take what is free."""
    tracks: Counter[str | None] = field(default_factory=Counter)
    """Papers of each track; None is a venue without tracks."""
    papers: int = 0
    titles: int = 0
    """Papers with a title."""
    undefined: int = 0
    """Papers without a score."""
    broken: int = 0
    """Comparisons that the ranking goes against."""
    decisions: DecisionCounts | None = None
    """What was proposed; None as long as nothing was."""
    kinds: PaperKinds = field(init=False)
    """Of papers that are scored, or of some of them."""
    _folders: int = 0
    _repeated: Repeated = field(default_factory=Repeated)

    @cached_property
    def limit(self) -> int | None:
        return memory_limit(self.memory)

    @cached_property
    def summed(self) -> Summed:
        """Sums of all papers."""
        form, typical = self.reading.first_form(), None
        while True:
            if form.completes and typical is None:
                form, typical = self.reading.look()
            try:
                return self._sum(form, typical)
            except LargerForm:
                form, typical = self.reading.look()

    @cached_property
    def learned(self) -> Learned | None:
        """What the method learned from the venue."""
        return learn(self.summed, self.reading.checker.scale, self.method)

    @property
    def has_tracks(self) -> bool:
        """Whether any paper has a track; known when all papers are scored."""
        return bool(set(self.tracks) - {NO_TRACK, None})

    def scored(self) -> Iterator[pl.DataFrame]:
        """Scored tables of all papers; problems that only all reviews of a paper show are raised after the last."""
        return (self.kinds.whole(rows) for rows in self._scored())

    def _scored(self) -> Iterator[pl.DataFrame]:
        """The same, or ids and kinds of papers."""
        finish = Finishing(self.summed.form, self.reading.checker.scale, self.method, self.learned)
        self.kinds = PaperKinds(finish, self._most_kinds())
        self.papers, self.titles, self.undefined = 0, 0, 0
        self.tracks.clear()
        self.reading.progress.begin("scoring", self.reading.files.rows)
        for scored in self._finished(finish):
            self._count(scored)
            self.reading.progress.advance(int(self.kinds.values(scored, "reviews").sum()))
            yield scored
            if self.memory is not None and (own_memory() or self.memory) > NEARLY * self.memory:
                give_back()
        self.reading.name_repeated(self._repeated)
        self.reading.raise_problems()

    def _finished(self, finish: Finishing) -> Iterator[pl.DataFrame]:
        """The same without counting anything; what is in memory is added up by the thread that scores it."""
        summed = self.summed
        if isinstance(summed, SummedInTables):
            return in_threads(lambda number: finish(summed.batch(number)), range(len(summed)), ahead=FINISHED_AT_ONCE)
        return in_threads(_unless_of_kinds(finish), self._kinds_or_sums(), FINISHED_AT_ONCE)

    def _most_kinds(self) -> int:
        """How many kinds of papers are few; none where it does not pay, or where there is more to a paper than sums."""
        pays = self.summed.form.only_sums and not isinstance(self.summed, SummedInMemory | SummedInTables)
        return kinds_fit(self.limit) if pays else 0

    def _kinds_or_sums(self) -> Iterator[pl.DataFrame]:
        """Ids and kinds of papers, or their sums where kinds are many."""
        for sums in self._checked_sums():
            of_kinds = self.kinds.numbered(sums)
            yield sums if of_kinds is None else of_kinds

    def _checked_sums(self) -> Iterator[pl.DataFrame]:
        for sums in self.summed.batches():
            self._check_tracks(sums)
            yield sums

    def _sum(self, form: Form, typical: Typical | None) -> Summed:
        rows = self.reading.rows(form, typical)
        self._repeated.pairs.clear()
        if self.engine == "duckdb":
            from surpeer.engines.duckdb_engine import sum_in_duckdb

            return sum_in_duckdb(rows, form, self._folder(), self.memory, self._repeated)
        first = next(rows, None)
        if first is None:
            raise ValueError("no review was read, and nobody said why")
        expected = self.reading.expected_rows
        width = 1 + int(first.estimated_size()) // max(1, len(first))
        if reviews_fit(expected, width, number_of_sums(form), self.limit) or self.limit is None:
            return sum_in_memory(_chain(first, rows), form, self._repeated, expected)
        folder = self._folder()
        self.work.check_space(expected * width)
        return sum_in_buckets(_chain(first, rows), form, folder, self.limit, expected, self._repeated)

    def _folder(self, name: str = "rows") -> Path:
        """A new one each time."""
        self._folders += 1
        folder = self.work.path / f"{name}-{self._folders}"
        folder.mkdir()
        return folder

    def _check_tracks(self, sums: pl.DataFrame) -> None:
        if TRACK not in sums.columns:
            return
        twice = sums.filter(pl.col(TRACK) != pl.col(LAST_TRACK))
        for paper, one, other in twice.select(PAPER, TRACK, LAST_TRACK).head(1000).iter_rows():
            first, second = ("an empty cell" if name == NO_TRACK else quoted(name) for name in (one, other))
            found = f"both {first} and {second} for paper {quoted(paper)}"
            remedy = "make them the same, or rename the column if it is something else"
            self.reading.add_problem(Problem(None, TRACK, found, "one track for all reviews of a paper", remedy))

    def _count(self, scored: pl.DataFrame) -> None:
        self.papers += len(scored)
        self.undefined += int(self.kinds.values(scored, "score").is_nan().sum())
        self.titles += scored[TITLE].count() if TITLE in scored.columns else 0
        if TRACK in scored.columns:
            self.tracks.update(dict(scored[TRACK].value_counts().iter_rows()))
        else:
            self.tracks[None] += len(scored)

    def ranked(self) -> Iterator[pl.DataFrame]:
        """Ranked tables, one after the other: the papers from the best to the worst."""
        yield from self._in_order(self._kept())

    def decided(self, accept: int | float | Fraction, certainty: float = CERTAINTY) -> Iterator[pl.DataFrame]:
        """The same with probabilities and proposals, as `decide` makes them."""
        check_certainty(certainty)
        check_errors(self.method)
        scored = self._kept()
        places = places_of(accept, self.papers)
        self.decisions = DecisionCounts(places, certainty)
        scores = scores_in(scored, self.kinds) if isinstance(scored, list) else scores_of(scored)
        ranked = self._in_order(scored)
        for chunk in decided_chunks(
            ranked, scores, places, certainty, self._folder("decisions"), self.reading.progress
        ):
            self.decisions.add(chunk)
            yield chunk

    def _in_order(self, scored: pl.DataFrame | list[Path]) -> Iterator[pl.DataFrame]:
        """Ranked tables of all papers."""
        if isinstance(scored, pl.DataFrame):
            self.reading.progress.begin("ranking", self.papers)
            found = ranked_table(scored)
            self.broken = found.broken
            yield from found.table.iter_slices(ROWS_OF_RESULT)
            return
        folder, left = self._folder("ranking"), left_of(self.limit or 0)
        ranking = RankingOnDisk(scored, folder, left, self.reading.progress, self.kinds)
        for chunk in ranking.chunks():
            self.broken = ranking.broken
            yield chunk

    def _kept(self) -> pl.DataFrame | list[Path]:
        """Scored tables of all papers: in memory, or in files where they do not fit."""
        kept: list[pl.DataFrame] = []
        parts: list[Path] = []
        for scored in self._scored():
            kept.append(scored)
            if parts or not papers_fit(self.papers, self.limit):
                parts += [self._put_aside(table, len(parts) + at) for at, table in enumerate(kept)]
                kept = []
        return parts or pl.concat(map(self.kinds.whole, kept))

    def _put_aside(self, scored: pl.DataFrame, number: int) -> Path:
        path = self.work.path / f"scored-{number:05d}.arrow"
        scored.write_ipc(path)
        return path

    def notes(self) -> list[str]:
        """What a user should know about the reviews and the ranking, once all is done."""
        named = self.tracks if self.has_tracks else Counter({None: self.papers})
        notes = [*self.reading.notes]
        if None not in named:
            notes += track_size_notes(named)
        if self.learned is not None and (len(named) > 1 or self.summed.form.predictions or self.summed.form.partial):
            known = self.learned.items()
            notes += track_notes(
                [LearnedTrack(name if name in named else None, self.tracks[name], model.trust) for name, model in known]
            )
        notes += order_notes(self.method, self.papers, self.undefined, self.broken)
        if self.decisions is not None:
            notes += tie_notes(self.decisions.tied, self.decisions.tied_rank)
        return [*self.work.notes, *notes]


def _chain(first: pl.DataFrame, rest: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    yield first
    yield from rest


def _unless_of_kinds(finish: Finishing) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Score papers that do not have the number of a kind, which is scored already."""
    return lambda rows: rows if KIND in rows.columns else finish(rows)
