"""What one changed rating would do: the same as judging the changed paper, all else as it was."""

import numpy as np
import polars as pl
import pytest
from conftest import ROOT

import surpeer
from surpeer.decisions import Decisions
from surpeer.proposals import Proposal
from surpeer.what_if import ChangedRating, what_if


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return surpeer.decide(surpeer.calibrate(surpeer.read_reviews(ROOT / "examples" / "workshop.csv")), 0.25)


def five_levels(seed: int) -> surpeer.Reviews:
    rng = np.random.default_rng(seed)
    quality, push = rng.normal(size=40), rng.normal(size=40)
    paper = np.repeat(np.arange(40), 4)
    rating = np.clip(np.rint(2 + 0.8 * quality[paper] + 0.8 * push[paper] + rng.normal(size=160) * 0.7), 0, 4)
    centre = np.clip(2 + 0.8 * push[paper] + 0.3 * (rating - 2), 0.1, 3.9)
    weights = np.exp(-0.5 * (np.arange(5) - centre[:, None]) ** 2)
    shares = weights / weights.sum(axis=1, keepdims=True)
    columns = {f"p_{level}": shares[:, level - 1] for level in range(1, 6)}
    return surpeer.Reviews.from_table(pl.DataFrame({"paper": paper, "rating": rating.astype(int) + 1, **columns}))


def test_two_levels_one_accept_more_or_less(decisions: Decisions) -> None:
    found = what_if(decisions)
    assert found is not None
    accepts = decisions.ranking.scores.matrices.counts[decisions.ranking.order, 1]
    reviews = decisions.ranking.scores.reviews[decisions.ranking.order]
    assert found.higher.possible.tolist() == (accepts < reviews).tolist()
    assert found.lower.possible.tolist() == (accepts > 0).tolist()
    score = decisions.ranking.scores.value[decisions.ranking.order]
    assert (found.higher.score[found.higher.possible] > score[found.higher.possible]).all()
    assert (found.lower.score[found.lower.possible] < score[found.lower.possible]).all()


def test_where_nothing_can_change_nothing_does(decisions: Decisions) -> None:
    found = what_if(decisions)
    assert found is not None
    ranking = decisions.ranking
    for change in (found.higher, found.lower):
        same = ~change.possible
        assert same.any()
        assert change.score[same] == pytest.approx(ranking.scores.value[ranking.order][same], abs=1e-12)
        assert change.rank[same].tolist() == ranking.rank[same].tolist()
        assert change.probability is not None
        assert change.probability[same] == pytest.approx(decisions.probability[same], abs=1e-6)
        assert change.proposal is not None
        assert change.proposal[same].tolist() == decisions.proposal[same].tolist()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_lowest_rating_is_raised_and_the_highest_lowered(seed: int) -> None:
    ranking = surpeer.calibrate(five_levels(seed))
    found = what_if(ranking)
    assert found is not None
    counts = ranking.scores.matrices.counts[ranking.order]
    for row in range(len(ranking)):
        given = np.flatnonzero(counts[row])
        assert found.higher.level[row] == given[0]
        assert found.lower.level[row] == given[-1]
        assert found.higher.changed[row] == min(given[0] + 1, 4)
        assert found.lower.changed[row] == max(given[-1] - 1, 0)
    assert found.higher.probability is None
    assert found.higher.proposal is None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rank_and_proposal_follow_from_the_changed_score(seed: int) -> None:
    decisions = surpeer.decide(surpeer.calibrate(five_levels(seed)), 10, certainty=0.7)
    found = what_if(decisions)
    assert found is not None
    now = decisions.ranking.scores.value[decisions.ranking.order]
    for change in (found.higher, found.lower):
        for row in range(len(now)):
            others = np.delete(now, row)
            assert change.rank[row] == 1 + int((others > change.score[row]).sum())
            assert _proposed(change, decisions, row) == change.proposal[row]  # type: ignore[index]


def _proposed(change: ChangedRating, decisions: Decisions, row: int) -> Proposal:
    assert change.probability is not None
    if decisions.ranking.flags["incoherent_forecasts"][row]:
        return Proposal.DISCUSS
    if change.rank[row] <= 10 and change.probability[row] >= 0.7:
        return Proposal.ACCEPT
    if change.rank[row] > 10 and change.probability[row] <= 0.3:
        return Proposal.REJECT
    return Proposal.DISCUSS


def test_as_high_is_not_higher() -> None:
    """Without predictions papers of the same counts tie, whatever rounding did to their scores."""
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"paper": np.repeat(np.arange(30), 3), "rating": rng.integers(1, 4, 90)})
    ranking = surpeer.calibrate(surpeer.Reviews.from_table(table, surpeer.Scale.parse("1..3")))
    found = what_if(ranking)
    assert found is not None
    counts = ranking.scores.matrices.counts[ranking.order]
    ranks = {tuple(row): int(place) for row, place in zip(counts.tolist(), ranking.rank, strict=True)}
    checked = 0
    for row in np.flatnonzero(found.higher.possible):
        new = counts[row].copy()
        new[found.higher.level[row]] -= 1
        new[found.higher.changed[row]] += 1
        if tuple(new.tolist()) in ranks:
            assert found.higher.rank[row] == ranks[tuple(new.tolist())]
            checked += 1
    assert checked > 5


def test_it_is_near_what_ranking_the_changed_reviews_gives() -> None:
    """Not the same, because the venue is learned anew; but a chair may rely on the direction and about the size."""
    reviews = five_levels(4)
    ranking = surpeer.calibrate(reviews)
    found = what_if(ranking)
    assert found is not None
    row = 20
    paper = int(ranking.order[row])
    mine = np.flatnonzero(reviews.paper == paper)
    changed = reviews.rating.copy()
    changed[mine[reviews.rating[mine].argmin()]] += 1
    again = surpeer.calibrate(
        surpeer.Reviews(reviews.scale, reviews.papers, reviews.paper, changed, reviews.predictions)
    )
    new, old = again.scores.value[paper], ranking.scores.value[paper]
    assert new > old
    assert found.higher.score[row] - old == pytest.approx(new - old, rel=0.5)


def test_methods_that_do_not_learn_from_the_venue_say_nothing() -> None:
    assert what_if(surpeer.calibrate(five_levels(1), "mean")) is None
