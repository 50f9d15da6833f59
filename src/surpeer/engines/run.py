"""Files of reviews of any size -> scores, ranks and decisions: the way of the data in one screen.

    files -> whole numbers -> sums by paper -> scores -> ranks -> a result

Everything is in memory where it fits. Otherwise reviews are divided into pieces on disk (surpeer.engines.summing_run),
which are scored one after the other, and scores are ranked on disk; the result is the same.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path

import polars as pl

from surpeer.columns import TITLE, TRACK
from surpeer.decisions import CERTAINTY, check_certainty, check_errors, places_of
from surpeer.engines.deciding_on_disk import decided_chunks, scores_in, scores_of, scores_of_kinds
from surpeer.engines.decision_counts import DecisionCounts
from surpeer.engines.finishing import Finishing
from surpeer.engines.learning import Sample, learn, learn_from
from surpeer.engines.memory import give_back, kinds_fit, least_memory, left_of, papers_fit, reviews_of_table
from surpeer.engines.paper_kinds import KIND, Looked, PaperKinds
from surpeer.engines.ranked_kinds import RankedKinds
from surpeer.engines.ranked_table import ROWS_OF_RESULT, ranked_table
from surpeer.engines.ranking_on_disk import RankingOnDisk
from surpeer.engines.rows import Form
from surpeer.engines.summed import SummedInTables
from surpeer.engines.summing_run import SummingRun
from surpeer.engines.sums import more_sums, number_of_sums, without_products
from surpeer.errors import InputError
from surpeer.io.in_threads import in_threads
from surpeer.paper_cells import NO_TRACK, track_size_notes
from surpeer.ranking_notes import order_notes, tie_notes, track_notes
from surpeer.scores import DEFAULT_METHOD, find_method
from surpeer.scores.method import Learned, LearnedTrack

FINISHED_AT_ONCE = 2
"""Batches of sums that are scored while the next one is added up."""
PAPERS_AT_ONCE = 1 << 18
"""Of a batch that are scored by one thread: the more, the more of them are alike, and the fewer have to be scored."""
MOST_KINDS = 1 << 20
"""Of papers: with more of them there is little to gain, however much memory there is."""


@dataclass
class LargeRun(SummingRun):
    """One run that scores."""

    method: str = DEFAULT_METHOD
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

    def check_memory(self, form: Form) -> None:
        """Say at once that more is needed than may be taken, above all by methods that learn from many papers."""
        learning = find_method(self.method).learning
        rows = self.reading.files.most_rows
        papers = 0 if learning is None else min(rows, learning.most_papers)
        least = least_memory(form.levels, papers, more_sums(form), self.reading.database + self._of_query(form))
        if self.memory is not None and self.memory < least:
            odd = " and predictions such as these" if more_sums(form) else ""
            raise InputError(
                f"found {self.memory // 1_000_000:,} MB of memory, expected {-(-least // 1_000_000):,} MB at least for "
                f"the method {self.method} with {form.levels} levels{odd}; allow more, or use another method"
            )

    @cached_property
    def learned(self) -> Learned | None:
        """What the method learned from the venue."""
        learned = learn(self.summed, self.reading.checker.scale, self.method, self.memory)
        if learned is not None and self.memory is not None:
            give_back()
        return learned

    @property
    def has_tracks(self) -> bool:
        """Whether any paper has a track; known when all papers are scored."""
        return bool(set(self.tracks) - {NO_TRACK, None})

    def scored(self) -> Iterator[pl.DataFrame]:
        """Scored tables of all papers; problems that only all reviews of a paper show are raised after the last."""
        return (self.kinds.whole(rows) for rows in self._scored())

    def _scored(self) -> Iterator[pl.DataFrame]:
        """The same, or ids and kinds of papers."""
        self.kinds = PaperKinds(self._finish, self._most_kinds())
        sample = self._begin_sample()
        self.papers, self.titles, self.undefined = 0, 0, 0
        self.tracks.clear()
        self._odd.begin()
        self.reading.progress.begin("scoring", self.reading.files.rows)
        before = 0
        for scored in self._finished(sample):
            self._count(scored)
            self.reading.progress.advance(self.kinds.reviews - before)
            before = self.kinds.reviews
            yield scored
            self._give_back()
        if sample is not None and "learned" not in vars(self):
            sample.complete()
            self.learned = learn_from(sample, self.reading.checker.scale, self.method)
        self.undefined += self.kinds.undefined()
        self.reading.name_odd(self._odd)

    def _finish(self, sums: pl.DataFrame) -> pl.DataFrame:
        """The scored table of these papers."""
        return Finishing(self.summed.form, self.reading.checker.scale, self.method, self.learned)(sums)

    def _begin_sample(self) -> Sample | None:
        """Papers to learn from, if they can be found while all are numbered: then kinds are scored later, and sums on
        disk are read once. Where kinds turn out to be many, what is to be learned is learned at that moment."""
        learning, summed = find_method(self.method).learning, self.summed
        if learning is None or summed.in_hash_order or not self.kinds.few or "learned" in vars(self):
            _ = self.learned  # now, and not by a thread that scores
            return None
        return Sample(summed.form, learning.most_papers)

    def _finished(self, sample: Sample | None) -> Iterator[pl.DataFrame]:
        """The same without counting anything; what is in memory is added up by the thread that scores it."""
        summed = self.summed

        def look(sums: pl.DataFrame) -> Looked | pl.DataFrame:
            return self.kinds.look(without_products(sums, summed.form))

        if isinstance(summed, SummedInTables):
            batches = range(len(summed))
            looked = in_threads(lambda number: look(summed.batch(number)), batches, ahead=FINISHED_AT_ONCE)
        else:
            looked = in_threads(look, self._checked_sums(sample), FINISHED_AT_ONCE)
        return map(self.kinds.numbered, looked)

    def _most_kinds(self) -> int:
        """How many kinds of papers are few; none where there is more to a paper than sums."""
        return min(kinds_fit(self.limit), MOST_KINDS) if self.summed.form.only_sums else 0

    def _checked_sums(self, sample: Sample | None) -> Iterator[pl.DataFrame]:
        most = min(PAPERS_AT_ONCE, reviews_of_table(number_of_sums(self.summed.form), self.limit))
        for sums in self.summed.batches():
            self._odd.look_at_tracks(sums)
            if sample is not None:
                sample.add(sums)
            slices = -(-len(sums) // most)
            yield from sums.iter_slices(-(-len(sums) // slices)) if slices > 1 else [sums]

    def _count(self, scored: pl.DataFrame) -> None:
        self.papers += len(scored)
        self.undefined += int(scored["score"].is_nan().sum()) if KIND not in scored.columns else 0
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
        if self.kinds.few:
            scores = scores_of_kinds(self.kinds)
        else:
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
            if self.memory is not None:
                give_back()
            self.reading.progress.begin("ranking", self.papers)
            yield from self._ranked_in_memory(scored)
            return
        folder, left = self._folder("ranking"), left_of(self.limit or 0)
        ranking = RankingOnDisk(scored, folder, left, self.reading.progress, self.kinds)
        for chunk in ranking.chunks():
            self.broken = ranking.broken
            self._give_back()
            yield chunk

    def _ranked_in_memory(self, scored: pl.DataFrame) -> Iterator[pl.DataFrame]:
        if KIND not in scored.columns:
            found = ranked_table(scored)
            self.broken = found.broken
            yield from found.table.iter_slices(ROWS_OF_RESULT)
            return
        ranked = RankedKinds(self.kinds)
        self.broken = ranked.broken
        yield from map(ranked.whole, ranked.in_order(scored).iter_slices(ROWS_OF_RESULT))

    def _kept(self) -> pl.DataFrame | list[Path]:
        """Scored tables of all papers, or ids and kinds: in memory, or in files where they do not fit."""
        kept: list[pl.DataFrame] = []
        tables, texts = self._scored(), 0
        for scored in tables:
            kept.append(scored)
            texts += int(scored.select(pl.col(pl.String)).estimated_size())
            if not papers_fit(self.papers, self.limit, texts):
                # In a thread of its own, so that others are scored while one is written.
                every = enumerate(chain(_taken_from(kept), tables))
                return list(in_threads(lambda numbered: self._put_aside(*numbered), every, threads=1, ahead=1))
        return pl.concat(kept if self.kinds.few else map(self.kinds.whole, kept))

    def _put_aside(self, number: int, scored: pl.DataFrame) -> Path:
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


def _taken_from(tables: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """One after the other, from the first on; none is kept any longer."""
    while tables:
        yield tables.pop(0)
