"""What a scoring method is, and what it returns."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.core.order import prefer
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.status import Status
from surpeer.core.venue import Trust, VenueFit, VenueModel
from surpeer.errors import UnknownName, counted, nearest_name, quoted
from surpeer.matrices import Matrices
from surpeer.showing import Shown


class TrackFit(NamedTuple):
    """What the venue method learned about one track."""

    track: str | None
    """None where the reviews have no tracks."""
    papers: IntArray
    """Positions among all papers, in the order of the fit's."""
    fit: VenueFit

    @property
    def size(self) -> int:
        return len(self.papers)

    @property
    def trust(self) -> Trust:
        return self.fit.trust


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method finds for N papers."""

    value: FloatArray
    """(N,) NaN where undefined and infinite where the status says so."""
    status: IntArray
    """(N,) codes of Status."""
    standard_error: FloatArray | None = None
    """(N,) of the value, for methods that know it."""
    own_share: FloatArray | None = None
    """(N,) how much of what is known about each paper's expected rating comes from its own forecasts: 0 to 1."""
    tracks: tuple[TrackFit, ...] = ()
    """What the venue method learned, for each track; empty for other methods."""
    uses_partial: bool = False
    """Whether predictions that leave levels empty were used, too."""


ScoreFunction = Callable[[Matrices], Outcome]

Learned = Mapping[str | None, VenueModel]
"""What a method learned from the papers of each track, by which others can be judged; None is a venue without tracks.
Small: it is sent to every machine of a cluster."""


class LearnedTrack(NamedTuple):
    """What is told about a track that was learned from."""

    track: str | None
    """None where there are no tracks."""
    size: int
    """Its papers."""
    trust: Trust


@dataclass(frozen=True, slots=True)
class Learning:
    """For methods that learn from the venue: the two halves of their function."""

    learn: Callable[[Matrices], Learned]
    """From these papers."""
    judge: Callable[[Matrices, Learned], Outcome]
    """Any papers."""
    most_papers: int
    """Of a track, that are learned from; those whose ids have the smallest hashes."""


@dataclass(frozen=True, slots=True)
class Method:
    """A registered way to score papers."""

    name: str
    title: str
    citation: str
    function: ScoreFunction
    gives_errors: bool = False
    """Whether its scores have standard errors."""
    uses_predictions: bool = True
    learning: Learning | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One paper's score: a value and why it is what it is."""

    paper: object
    value: float
    status: Status
    mean: float
    reviews: int
    standard_error: float | None = None
    own_share: float | None = None

    @property
    def is_defined(self) -> bool:
        return self.status.is_defined


@dataclass(frozen=True, repr=False)
class Scores(Shown):
    """The scores of all papers by one method; arrays of shape (N,) in the order of `papers`."""

    method: str
    matrices: Matrices
    outcome: Outcome

    def __repr__(self) -> str:
        return f"<Scores of {counted(len(self), 'paper')} by {self.method}, {int(self.defined.sum()):,} defined>"

    @property
    def value(self) -> FloatArray:
        return self.outcome.value

    @property
    def status(self) -> IntArray:
        return self.outcome.status

    @property
    def standard_error(self) -> FloatArray | None:
        return self.outcome.standard_error

    @property
    def own_share(self) -> FloatArray | None:
        return self.outcome.own_share

    @property
    def papers(self) -> pl.Series:
        return self.matrices.papers

    @property
    def mean(self) -> FloatArray:
        return self.matrices.mean

    @property
    def reviews(self) -> IntArray:
        return self.matrices.reviews

    @cached_property
    def defined(self) -> BoolArray:
        return self.status <= Status.MINUS_INFINITY

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Score]:
        return (self._at(row) for row in range(len(self)))

    def __getitem__(self, paper: object) -> Score:
        """The score of the paper with this id."""
        rows = np.flatnonzero(find_paper(self.papers, paper))
        return self._at(int(rows[0]))

    def _at(self, row: int) -> Score:
        return Score(
            self.papers[row],
            float(self.value[row]),
            Status(int(self.status[row])),
            float(self.mean[row]),
            int(self.reviews[row]),
            _entry(self.standard_error, row),
            _entry(self.own_share, row),
        )


def _entry(column: FloatArray | None, row: int) -> float | None:
    return None if column is None else float(column[row])


def compare(a: Score, b: Score) -> float:
    """The paper's pairwise rule: 1 when `a` is ranked above `b`, 0 when below, 1/2 for a tie.

    The score decides when both are defined, infinities included; otherwise the mean rating does.
    """
    return float(prefer(a.value, a.is_defined, a.mean, b.value, b.is_defined, b.mean))


def find_paper(papers: pl.Series, paper: object) -> BoolArray:
    """Which row of `papers` is this paper, as a mask; the id may be given as text."""
    found = (papers.cast(pl.String) == str(paper)).to_numpy()
    if not found.any():
        raise UnknownName("paper", str(paper), [], _advice(papers, str(paper)))
    return np.asarray(found)


def _advice(papers: pl.Series, paper: str) -> str:
    names = papers.cast(pl.String).to_list()
    nearest = nearest_name(paper, names) if len(names) <= 20_000 else None
    if nearest is not None:
        return f"did you mean {quoted(nearest)}?"
    shown = ", ".join(names[:5])
    return f"the {len(names):,} papers begin with {shown}"
