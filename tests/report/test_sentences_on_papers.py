"""The sentences that the page of a paper makes of its numbers: every way in which they can be put together."""

from itertools import product

import numpy as np
import pytest
from conftest import ROOT
from venues import venue_decisions

import surpeer
from surpeer.decisions import Decisions
from surpeer.proposals import Proposal, Reason
from surpeer.report.change_sentences import change_sentences, changed_proposal
from surpeer.report.columns import paper_columns
from surpeer.report.movement_sentences import movement_sentences
from surpeer.what_if import what_if

NAN = float("nan")
HIGH = "Reviewers expected this paper to be rated high whatever its quality (0.75 on average, a paper that nothing pushes 0.30), so its mean rating of 0.50 counts for less"  # fmt: skip
LITTLE = "Reviewers expected this paper to be rated a little low whatever its quality (0.20 on average, a paper that nothing pushes 0.25), so its mean rating of 0.50 counts for more"  # fmt: skip
LIKE_ANY = "Reviewers expected this paper to be rated like one that nothing pushes (0.31), so its mean rating of 0.50 counts in full"  # fmt: skip
ALONE = "Its ratings alone decide (mean 0.50)"
MORE = "Its mean rating is 0.50, more than the 0.40 that predictions led one to expect"
LESS = "Its mean rating is 0.50, less than the 0.60 that predictions led one to expect"
SAME = "It got the mean rating that predictions led one to expect (0.50)"
STAYS, NOT_ENOUGH = ": it stays where its mean puts it.", ", but not enough to change its place."
HIGHER, LOWER = ": 3 places higher than by the mean.", ": 1 place lower than by the mean."
PAST, BEHIND = "; others near it moved past it", "; others near it fell behind it"


def why(expected: float, push: float, up: int, mean: float = 0.5) -> str:
    rows = [np.array([value], dtype=float) for value in (mean, expected, push)]
    return movement_sentences(rows[0], rows[1], rows[2], np.array([up]), 1.0)[0]


@pytest.mark.parametrize(
    ("expected", "push", "says", "up", "stays", "down"),
    [
        (0.75, 0.45, HIGH, f"{BEHIND}{HIGHER}", NOT_ENOUGH, LOWER),
        (0.2, -0.05, LITTLE, HIGHER, NOT_ENOUGH, f"{PAST}{LOWER}"),
        (0.31, 0.01, LIKE_ANY, f"{BEHIND}{HIGHER}", STAYS, f"{PAST}{LOWER}"),
        (NAN, NAN, ALONE, f"{BEHIND}{HIGHER}", STAYS, f"{PAST}{LOWER}"),
        (0.4, NAN, MORE, HIGHER, NOT_ENOUGH, f"{PAST}{LOWER}"),
        (0.6, NAN, LESS, f"{BEHIND}{HIGHER}", NOT_ENOUGH, LOWER),
        (0.501, NAN, SAME, f"{BEHIND}{HIGHER}", STAYS, f"{PAST}{LOWER}"),
    ],
    ids=["pushed up", "pushed down a little", "not pushed", "no predictions", "more", "less", "as expected"],
)
def test_why_a_paper_stands_where_it_stands(
    expected: float, push: float, says: str, up: str, stays: str, down: str
) -> None:
    assert [why(expected, push, moved) for moved in (3, 0, -1)] == [f"{says}{end}" for end in (up, stays, down)]


@pytest.mark.parametrize(
    ("usual", "up", "ending"),
    [
        ([0.75, 0.25], -1, LOWER),
        ([0.75, 0.25], 0, NOT_ENOUGH),
        ([0.75, 0.25], 3, f"{BEHIND}{HIGHER}"),
        ([0.25, 0.75], 3, HIGHER),
        ([0.25, 0.25], -1, f"{PAST}{LOWER}"),
    ],
)
def test_a_track_is_named_where_its_usual_ratings_move_a_paper(usual: list[float], up: int, ending: str) -> None:
    unknown, both = np.full(2, NAN), np.array([0.5, 0.5])
    found = movement_sentences(both, unknown, unknown, np.array([up, 0]), 1.0, np.array(usual))[0]
    compared = f"a typical paper of its track, which it is compared with, has {usual[0]:.2f}"
    assert found == f"Its ratings alone decide: its mean is 0.50, {compared}{ending}"


def test_a_reason_never_leads_one_way_while_the_place_goes_the_other() -> None:
    for push, up in product((-0.4, -0.05, 0.0, 0.05, 0.4), (-2, -1, 0, 1, 2)):
        text = why(0.5 + push, push, up)
        against = ("counts for less" in text and "higher than by" in text) or (
            "counts for more" in text and "lower than by" in text
        )
        assert ("others near it" in text) == (against or ("counts in full" in text and up != 0)), text
        assert ("stays where" in text) == ("counts in full" in text and up == 0), text


def test_numbers_below_zero_have_a_minus_sign_and_zero_has_none() -> None:
    assert why(-1.5, 0.0, 0, mean=-0.004) == (
        "Reviewers expected this paper to be rated like one that nothing pushes (−1.50), so its mean rating of 0.00 "
        "counts in full: it stays where its mean puts it."
    )


@pytest.fixture(scope="module")
def workshop() -> Decisions:
    return surpeer.decide(surpeer.calibrate(surpeer.read_reviews(ROOT / "examples" / "workshop.csv")), 0.25)


def test_what_one_changed_rating_would_do_in_words(workshop: Decisions) -> None:
    found = what_if(workshop)
    assert found is not None
    higher, lower = change_sentences(found.higher, workshop), change_sentences(found.lower, workshop)
    ids = paper_columns(workshop).id
    assert higher[ids.index("W02")] is None  # everybody accepted it
    assert higher[ids.index("W03")] == (
        "With one accept more it would stay at rank 1: still discuss, with a chance of 70.2%."
    )
    assert lower[ids.index("W02")] is not None
    assert str(lower[ids.index("W02")]).startswith("With one accept less it would be at rank ")
    assert change_sentences(found.higher, workshop.ranking)[0] == "With one accept more it would stay at rank 1."


def test_what_one_changed_rating_would_do_on_five_levels() -> None:
    decisions = venue_decisions()
    found = what_if(decisions)
    assert found is not None
    higher = change_sentences(found.higher, decisions)
    row = int(np.flatnonzero(found.higher.possible)[0])
    level, to = found.higher.level[row] + 1, found.higher.changed[row] + 1
    assert str(higher[row]).startswith(f"If the lowest rating were {to} instead of {level} it would ")


@pytest.mark.parametrize(
    ("new", "old", "reason", "says"),
    [
        (Proposal.ACCEPT, Proposal.ACCEPT, Reason.LIKELY, "still accept, with a chance of 81.2%"),
        (Proposal.REJECT, Proposal.DISCUSS, Reason.UNDECIDED, "reject instead of discuss, with a chance of 81.2%"),
        (
            Proposal.DISCUSS,
            Proposal.DISCUSS,
            Reason.INCOHERENT_FORECASTS,
            "still discuss, because its reviewers' predictions contradict each other; with a chance of 81.2%",
        ),
        (
            Proposal.ACCEPT,
            Proposal.DISCUSS,
            Reason.INCOHERENT_FORECASTS,
            "accept instead of discuss, with a chance of 81.2%",
        ),
    ],
)
def test_what_would_be_proposed(new: Proposal, old: Proposal, reason: Reason, says: str) -> None:
    assert changed_proposal(new, old, reason, 0.812) == says
