"""Proposals from a ranking: the cut, the probabilities, the reasons, and what cannot be decided."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr

from surpeer.core.status import Status
from surpeer.decisions import (
    Decisions,
    Proposal,
    Reason,
    decide,
    methods_with_errors,
    places_of,
    probability_better,
)
from surpeer.errors import InputError, UnknownName
from surpeer.matrices import build_matrices
from surpeer.ranking import Ranking, rank
from surpeer.reviews import Reviews
from surpeer.scores import METHODS, Outcome, Scores, score
from surpeer.scores.method import Score

ACCEPT, DISCUSS, REJECT = Proposal
CERTAIN, UNDECIDED, INCOHERENT, NO_SCORE = Reason

FINE = [("accept", 0.3, 0.7), ("reject", 0.6, 0.4)]
INCOHERENT_PAPER = [("accept", 0.6, 0.4), ("reject", 0.3, 0.7)]


def ranking_of(
    value: list[float], error: list[float] | None, status: list[Status] | None = None, incoherent: tuple[int, ...] = ()
) -> Ranking:
    """Papers A, B, C, ... with these scores, all with the same two ratings."""
    rows = [
        (chr(65 + at), *review)
        for at in range(len(value))
        for review in (INCOHERENT_PAPER if at in incoherent else FINE)
    ]
    columns = zip(*rows, strict=True)
    table = dict(zip(("paper", "rating", "p_reject", "p_accept"), map(list, columns), strict=True))
    codes = np.array(status or [Status.FINITE] * len(value), dtype=np.int64)
    outcome = Outcome(np.array(value, dtype=float), codes, None if error is None else np.array(error, dtype=float))
    return rank(Scores("made_up", build_matrices(Reviews.from_table(table)), outcome))


@pytest.fixture
def decisions() -> Decisions:
    """A clearly best, B and C near the cut, D clearly worst, E in between with incoherent forecasts."""
    return decide(ranking_of([9, 1.1, 1, -9, -5], [0.5] * 5, incoherent=(4,)), 2)


def test_proposals_and_reasons(decisions: Decisions) -> None:
    assert decisions.table["paper"].to_list() == ["A", "B", "C", "E", "D"]
    assert decisions.proposal.tolist() == [ACCEPT, DISCUSS, DISCUSS, DISCUSS, REJECT]
    assert decisions.reason.tolist() == [CERTAIN, UNDECIDED, UNDECIDED, INCOHERENT, CERTAIN]
    assert [decisions.count(kind) for kind in Proposal] == [1, 3, 1]
    between = ndtr(0.1 / np.hypot(0.5, 0.5))
    assert decisions.probability == pytest.approx([1, between, 1 - between, 0, 0], abs=1e-6)


def test_proposals_are_counted_by_their_words_too(decisions: Decisions) -> None:
    assert [decisions.count(word) for word in ("accept", "discuss", "reject")] == [1, 3, 1]
    assert sum(decisions.count(kind.label) for kind in Proposal) == len(decisions)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("rejected", 'unknown proposal "rejected"; did you mean "reject"?; known: accept, discuss, reject'),
        ("Accept", 'unknown proposal "Accept"; did you mean "accept"?; known: accept, discuss, reject'),
        ("", 'unknown proposal ""; known: accept, discuss, reject'),
    ],
)
def test_no_papers_are_counted_for_a_word_that_is_no_proposal(decisions: Decisions, word: str, message: str) -> None:
    with pytest.raises(UnknownName, match=f"^{re.escape(message)}$"):
        decisions.count(word)


def test_the_other_side_of_the_cut(decisions: Decisions) -> None:
    """A and B against C, the first below the cut; the others against B, the last above it."""
    spread = np.hypot(0.5, 0.5)
    expected = [ndtr(8 / spread), ndtr(0.1 / spread), ndtr(-0.1 / spread), ndtr(-6.1 / spread), ndtr(-10.1 / spread)]
    assert decisions.better_than_cut == pytest.approx(expected, abs=1e-15)


def test_table(decisions: Decisions) -> None:
    columns = ["rank", "paper", "reviews", "mean", "score", "standard_error", "p_accept", "p_better_than_cut", "proposal", "reason", "flags"]  # fmt: skip
    assert decisions.table.columns == columns
    row = decisions.table.row(3, named=True)
    assert (row["rank"], row["paper"], row["reviews"], row["mean"]) == (4, "E", 2, 0.5)
    assert (row["score"], row["standard_error"]) == (-5, 0.5)
    assert (row["proposal"], row["reason"], row["flags"]) == (
        "discuss",
        "incoherent_forecasts",
        ["incoherent_forecasts"],
    )
    assert decisions.table_with_joined_flags(";")["flags"].to_list() == [None, None, None, "incoherent_forecasts", None]
    assert [row["paper"] for row in decisions] == ["A", "B", "C", "E", "D"]
    assert len(decisions) == 5
    assert repr(decisions).startswith("<Decisions: 2 of 5 accepted, by made_up>\nshape: (5, 11)")


def test_certainty_is_where_the_discussion_begins() -> None:
    ranking = ranking_of([1, 0], [0.6, 0.8])  # 84.1 %
    assert decide(ranking, 1, certainty=0.84).proposal.tolist() == [ACCEPT, REJECT]
    assert decide(ranking, 1, certainty=0.85).proposal.tolist() == [DISCUSS, DISCUSS]
    assert decide(ranking, 1).certainty == 0.8


def test_a_paper_without_a_score_is_discussed_and_keeps_its_place() -> None:
    """B is second by the mean rating of all, so one of the two places is free for the three with a score."""
    nan = float("nan")
    ranking = ranking_of([2, nan, 0, -2], [0.1, nan, 0.1, 0.1], [Status.FINITE, Status.MISSING_SIGNAL, Status.FINITE, Status.FINITE])  # fmt: skip
    place = ranking.table["paper"].to_list().index("B")
    made = decide(ranking, 2)
    by_paper = {row["paper"]: row for row in made}
    assert by_paper["B"]["p_accept"] is None
    assert by_paper["B"]["p_better_than_cut"] is None
    assert by_paper["B"]["standard_error"] is None
    assert (by_paper["B"]["proposal"], by_paper["B"]["reason"]) == ("discuss", "no_score")
    assert np.nansum(made.probability) == pytest.approx(2 - (place < 2), abs=1e-6)
    assert by_paper["A"]["proposal"] == "accept"
    assert by_paper["D"]["proposal"] == "reject"


def test_infinite_scores_have_no_probability() -> None:
    inf = float("inf")
    status = [Status.PLUS_INFINITY, Status.FINITE, Status.FINITE]
    made = decide(ranking_of([inf, 1, 0], [0.1, 0.1, 0.1], status), 1)
    assert made.reason.tolist() == [NO_SCORE, CERTAIN, CERTAIN]
    assert made.proposal.tolist() == [DISCUSS, REJECT, REJECT]
    assert np.isnan(made.better_than_cut).all()  # nobody with a score is above the cut


def test_ties_at_the_cut_are_even_and_said() -> None:
    made = decide(ranking_of([3, 1, 1, 1, -3], [0.2] * 5), 2)
    assert made.tied_at_cut == 3
    assert made.probability == pytest.approx([1, 1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    assert made.proposal.tolist() == [ACCEPT, DISCUSS, DISCUSS, DISCUSS, REJECT]
    assert made.better_than_cut[1:4].tolist() == [0.5] * 3
    assert decide(ranking_of([3, 1, 1, 0], [0.2] * 4), 3).tied_at_cut == 0
    assert decide(ranking_of([3, 1, 1, 0], [0.2] * 4), 1).tied_at_cut == 0


def test_probabilities_do_not_depend_on_the_names() -> None:
    value, error = [0.3, 1.2, -0.4, 0.9], [0.4, 0.5, 0.6, 0.7]
    forwards = {row["score"]: row["p_accept"] for row in decide(ranking_of(value, error), 2)}
    backwards = {row["score"]: row["p_accept"] for row in decide(ranking_of(value[::-1], error[::-1]), 2)}
    assert forwards == backwards


@pytest.mark.parametrize(
    ("accept", "papers", "places"),
    [
        (3, 10, 3), (np.int64(3), 10, 3), (1, 2, 1), (9, 10, 9),
        (0.25, 48, 12), (0.25, 50, 13), (0.25, 49, 12), (0.15, 10, 2), (0.35, 10, 4), (np.float64(0.5), 4, 2),
        (np.float32(0.5), 4, 2), (Fraction(1, 3), 10, 3), (Fraction(1, 8), 4, 1), (0.001, 1000, 1),
    ],
)  # fmt: skip
def test_number_or_share(accept: float, papers: int, places: int) -> None:
    assert places_of(accept, papers) == places


@pytest.mark.parametrize(
    ("accept", "papers", "message"),
    [
        (0, 10, "accept 0 of 10 papers: expected from 1 to 9, so that some are accepted and some are not"),
        (10, 10, "accept 10 of 10 papers: expected from 1 to 9"),
        (2000, 1500, "accept 2,000 of 1,500 papers: expected from 1 to 1,499"),
        (-3, 10, "accept -3 of 10 papers: expected from 1 to 9"),
        (0.04, 10, "accept 0.04 of 10 papers, which is 0: expected from 1 to 9"),
        (0.99, 10, "accept 0.99 of 10 papers, which is 10: expected from 1 to 9"),
        (1.0, 10, "accept 1.0: expected a share between 0 and 1, or a whole number of papers"),
        (12.0, 48, "accept 12.0: expected a share between 0 and 1, or a whole number of papers"),
        (0.0, 10, "accept 0.0: expected a share between 0 and 1"),
        (-0.5, 10, "accept -0.5: expected a share between 0 and 1"),
        (float("nan"), 10, "accept nan: expected a share between 0 and 1"),
        ("25%", 10, "found '25%' for accept, expected a whole number of papers or a share between 0 and 1"),
        (None, 10, "found None for accept, expected a whole number"),
        (True, 10, "found True for accept, expected a whole number"),
        (1, 1, "found 1 paper, expected at least two to choose from"),
    ],
)
def test_what_cannot_be_accepted(accept: object, papers: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        places_of(accept, papers)  # type: ignore[arg-type]


@pytest.mark.parametrize("certainty", [0.49, 1.0, 80, -1, float("nan")])
def test_what_is_no_certainty(certainty: float) -> None:
    with pytest.raises(
        InputError, match=f"certainty {certainty:g}: expected a probability from 0.5 to below 1, such as 0.8"
    ):
        decide(ranking_of([1, 0], [1, 1]), 1, certainty=certainty)


def test_methods_without_standard_errors_name_those_with() -> None:
    ranking = rank(score(ranking_of([1, 0], None).scores.matrices, "mean"))
    assert methods_with_errors() == ["venue"]
    message = "the method mean gives no standard errors, so no probability is known; methods that do: venue$"
    with pytest.raises(InputError, match=message):
        decide(ranking, 1)


def test_when_no_method_has_standard_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {name: method for name, method in METHODS.items() if name != "venue"}
    monkeypatch.setattr("surpeer.decisions.METHODS", others)
    with pytest.raises(InputError, match="the method made_up gives no standard errors, .*; methods that do: none$"):
        decide(ranking_of([1, 0], None), 1)


def score_of(paper: str, value: float, error: float | None, status: Status = Status.FINITE) -> Score:
    return Score(paper, value, status, 0.5, 3, error)


def test_probability_better() -> None:
    a, b = score_of("A", 1, 0.6), score_of("B", 0, 0.8)
    assert probability_better(a, b) == pytest.approx(ndtr(1))
    assert probability_better(b, a) == pytest.approx(ndtr(-1))
    assert probability_better(a, a) == 0.5
    with pytest.raises(InputError, match='the score of paper "C" has no standard error, so no probability is known'):
        probability_better(a, score_of("C", 1, None))
    with pytest.raises(InputError, match=r'paper "D" has no finite score \(missing_signal\)'):
        probability_better(score_of("D", float("nan"), float("nan"), Status.MISSING_SIGNAL), a)


def test_stated_probabilities_come_true() -> None:
    """Calibrated: where the model holds, of what is said with 80 % about 80 % is so."""
    rng = np.random.default_rng(5)
    stated, true = [], []
    for _ in range(40):
        quality, error = rng.normal(size=20), rng.uniform(0.3, 1.5, size=20)
        seen = quality + error * rng.normal(size=20)
        value, deviation = seen / (1 + error**2), error / np.sqrt(1 + error**2)
        made = decide(ranking_of(value.tolist(), deviation.tolist()), 5)
        best = np.argsort(-quality)[:5]
        stated.append(made.probability)
        true.append(np.isin(made.ranking.order, best))
    said, so = np.concatenate(stated), np.concatenate(true)
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1)):
        these = (said >= low) & (said < high)
        error_of_share = np.sqrt((said[these] * (1 - said[these])).sum()) / these.sum()
        assert abs(so[these].mean() - said[these].mean()) < 3.5 * error_of_share
