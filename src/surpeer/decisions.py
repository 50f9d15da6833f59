"""Ranking -> Decisions: how likely each paper is to belong among the accepted, and which are worth a discussion."""

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import polars as pl

from surpeer.core import probability
from surpeer.core.cut import Batch, find_cut
from surpeer.core.shapes import FloatArray, IntArray
from surpeer.deciding import AtTheCut, decided, has_probability, propose
from surpeer.errors import InputError, UnknownName, counted, quoted
from surpeer.proposals import Proposal, Reason
from surpeer.ranking import Ranking
from surpeer.scores import METHODS
from surpeer.scores.method import Score, Scores
from surpeer.showing import DrawnVenue

__all__ = [
    "CERTAINTY",
    "Decisions",
    "Proposal",
    "Reason",
    "check_certainty",
    "decide",
    "methods_with_errors",
    "places_of",
    "probability_better",
    "propose",
    "ranking_of",
    "standard_errors",
]

CERTAINTY = 0.8


@dataclass(frozen=True, repr=False)
class Decisions(DrawnVenue):
    """A proposal for every paper of a ranking: arrays of shape (N,) in the order of its rows."""

    ranking: Ranking
    places: int
    """How many papers are accepted."""
    certainty: float
    probability: FloatArray
    """(N,) that the paper is one of the best `places`; NaN where it has no score."""
    better_than_cut: FloatArray
    """(N,) probability that the paper is better than the first one on the other side of the cut."""
    proposal: IntArray
    """(N,) codes of Proposal."""
    reason: IntArray
    """(N,) codes of Reason."""

    def __len__(self) -> int:
        return len(self.ranking)

    def __repr__(self) -> str:
        return f"<Decisions: {self.places:,} of {len(self):,} accepted, by {self.ranking.scores.method}>\n{self.table}"

    def count(self, proposal: Proposal | str) -> int:
        """How many papers have this proposal: `accept`, `discuss` or `reject`, as a word or a `Proposal`."""
        known = {kind.label: kind for kind in Proposal}
        word = proposal.label if isinstance(proposal, Proposal) else str(proposal)
        if word not in known:
            raise UnknownName("proposal", word, known)
        return int((self.proposal == known[word]).sum())

    @property
    def tied_at_cut(self) -> int:
        """How many papers share the rank that the cut goes through; 0 when it goes between two ranks."""
        rank = self.ranking.rank
        return int((rank == rank[self.places]).sum()) if rank[self.places - 1] == rank[self.places] else 0

    @cached_property
    def table(self) -> pl.DataFrame:
        """Columns rank, paper, reviews, mean, score, standard_error, p_accept, p_better_than_cut, proposal, reason,
        flags; also title and track where reviews have them. Null where something is not known."""
        return self._table_with(self.ranking.table["flags"])

    def table_with_joined_flags(self, separator: str) -> pl.DataFrame:
        """The same table with the flags of a paper as one text, for formats that have no lists."""
        return self._table_with(self.ranking.table_with_joined_flags(separator)["flags"])

    def _table_with(self, flags: pl.Series) -> pl.DataFrame:
        ranking, order = self.ranking, self.ranking.order
        return pl.DataFrame(
            {
                "rank": ranking.rank,
                "paper": ranking.scores.papers.gather(order),
                **ranking.title_column,
                **ranking.track_column,
                "reviews": ranking.scores.reviews[order],
                "mean": ranking.scores.mean[order],
                "score": pl.Series(ranking.scores.value[order]).fill_nan(None),
                "standard_error": pl.Series(standard_errors(ranking.scores)[order]).fill_nan(None),
                "p_accept": pl.Series(self.probability).fill_nan(None),
                "p_better_than_cut": pl.Series(self.better_than_cut).fill_nan(None),
                "proposal": pl.Series([kind.label for kind in Proposal]).gather(self.proposal),
                "reason": pl.Series([kind.label for kind in Reason]).gather(self.reason),
                "flags": flags,
            }
        )

    def __iter__(self) -> Iterator[dict[str, object]]:
        return self.table.iter_rows(named=True)


def ranking_of(results: Ranking | Decisions) -> Ranking:
    """The ranking itself, or that of decisions."""
    return results if isinstance(results, Ranking) else results.ranking


def decide(ranking: Ranking, accept: int | float | Fraction, *, certainty: float = CERTAINTY) -> Decisions:
    """Propose what to accept, to discuss and to reject.

    accept : how many papers are accepted (a whole number), or which share of them (between 0 and 1; the number is
        rounded to the nearest, a half upwards)
    certainty : of the papers ranked above the cut accept those that belong there with at least this probability; of
        those below it reject those that belong there with at least this probability

    A paper belongs among the accepted when its true quality is among the best; surpeer.core.probability has the model,
    and surpeer.core.cut what is done for very many papers.
    Papers whose forecasts are incoherent, or that have no score, are to be discussed in any case. A place that the
    ranking gives to a paper without a score is not given to another. The method must give standard errors.
    """
    places = places_of(accept, len(ranking))
    check_certainty(certainty)
    value, error = ranking.scores.value[ranking.order], standard_errors(ranking.scores)[ranking.order]
    around = AtTheCut(places)
    around.look(ranking.rank, value, error)
    scored = has_probability(value, error)
    cut = find_cut(lambda: [Batch(value[scored], error[scored])], around.free, around.start)
    rows = (ranking.rank, value, error, ranking.flags["incoherent_forecasts"])
    return Decisions(ranking, places, float(certainty), *decided(rows, 0, around, cut, certainty))


def check_certainty(certainty: float) -> None:
    """An error unless this can be asked for."""
    if not 0.5 <= certainty < 1:
        raise InputError(f"certainty {certainty:g}: expected a probability from 0.5 to below 1, such as {CERTAINTY}")


def probability_better(a: Score, b: Score) -> float:
    """Probability that paper `a` is truly better than paper `b`: 1/2 says that they cannot be told apart."""
    for score in (a, b):
        if score.standard_error is None:
            raise InputError(
                f"the score of paper {quoted(score.paper)} has no standard error, so no probability is known"
            )
        if not (np.isfinite(score.value) and np.isfinite(score.standard_error)):
            raise InputError(f"paper {quoted(score.paper)} has no finite score ({score.status.label})")
    return float(probability.probability_better(a.value, a.standard_error or 0.0, b.value, b.standard_error or 0.0))


def standard_errors(scores: Scores) -> FloatArray:
    """The standard errors, or an error that says which methods give some."""
    if scores.standard_error is None:
        raise _no_errors(scores.method)
    return scores.standard_error


def check_errors(method: str) -> None:
    """Say at once, not after a long computation, that a method gives no standard errors."""
    if method not in methods_with_errors():
        raise _no_errors(method)


def _no_errors(method: str) -> InputError:
    known = ", ".join(methods_with_errors()) or "none"
    return InputError(
        f"the method {method} gives no standard errors, so no probability is known; methods that do: {known}"
    )


def methods_with_errors() -> list[str]:
    """The registered methods that give standard errors."""
    return [name for name, method in METHODS.items() if method.gives_errors]


def places_of(accept: int | float | Fraction, papers: int) -> int:
    """How many of the papers are accepted."""
    if papers < 2:
        raise InputError(f"found {counted(papers, 'paper')}, expected at least two to choose from")
    if isinstance(accept, float | np.floating | Fraction):
        if not 0 < accept < 1:
            raise InputError(f"accept {float(accept)}: expected a share between 0 and 1, or a whole number of papers")
        places = int(_exactly(accept) * papers + Fraction(1, 2))
        asked = f"accept {float(accept)} of {papers:,} papers, which is {places:,}"
    else:
        places = _whole(accept)
        asked = f"accept {places:,} of {papers:,} papers"
    if not 0 < places < papers:
        meant = f"; did you mean {places}%?" if isinstance(accept, int) and papers <= places < 100 else ""
        expected = f"expected from 1 to {papers - 1:,}, so that some are accepted and some are not"
        raise InputError(f"{asked}: {expected}{meant}")
    return places


def _whole(accept: object) -> int:
    try:
        if isinstance(accept, bool | np.bool_):
            raise TypeError
        return operator.index(accept)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(
            f"found {accept!r} for accept, expected a whole number of papers or a share between 0 and 1"
        ) from None


def _exactly(share: float | Fraction) -> Fraction:
    """The share as it was written: 0.15 is three twentieths."""
    return share if isinstance(share, Fraction) else Fraction(repr(float(share)))
