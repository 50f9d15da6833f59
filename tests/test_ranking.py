"""Scores and rankings of whole venues."""

from functools import cache

import numpy as np
import pytest

from surpeer import METHODS, Reviews, Scale, Status, build_matrices, calibrate, compare, explain, rank, score
from surpeer.core import places
from surpeer.demo import make_venue, pairwise_accuracy
from surpeer.errors import UnknownName
from surpeer.ranking import FLAGS
from surpeer.scores import DEFAULT_METHOD, Outcome, Scores


@pytest.fixture(scope="module")
def reviews() -> Reviews:
    return Reviews.from_table(make_venue(np.random.default_rng(4), 80).reviews)


@pytest.mark.parametrize("many", [0, 200_000])
@pytest.mark.parametrize("method", METHODS)
def test_ranking_agrees_with_compare_where_nothing_is_broken(
    reviews: Reviews, method: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the rule for any number of papers, and by that for very many."""
    monkeypatch.setattr(places, "MANY", many)
    ranking = calibrate(reviews, method)
    scored = [ranking.scores[paper] for paper in ranking.table["paper"]]
    ranks = ranking.rank.tolist()
    broken = 0
    for i, a in enumerate(scored):
        for j in range(i + 1, len(scored)):
            verdict = compare(a, scored[j])
            assert verdict + compare(scored[j], a) == 1
            broken += verdict == 0
            if ranks[i] == ranks[j]:
                assert verdict == 0.5
    assert broken == ranking.broken
    assert ranking.flags["cycle"].any() == (broken > 0)
    if method == "mean":
        assert broken == 0


def test_venue_is_the_default_and_knows_every_paper(reviews: Reviews) -> None:
    ranking = calibrate(reviews)
    assert ranking.scores.method == DEFAULT_METHOD == "venue"
    assert ranking.table.columns[4:7] == ["score", "standard_error", "own_share"]
    assert ranking.table.equals(calibrate(reviews, "venue").table)
    scores = score(build_matrices(reviews))
    assert scores.method == "venue"
    assert scores.standard_error is not None
    assert scores.own_share is not None
    assert np.isfinite(scores.value).all()
    assert ((scores.standard_error > 0) & (scores.standard_error < 1)).all()
    assert ((scores.own_share > 0) & (scores.own_share <= 1)).all()
    assert not ranking.flags["ranked_by_mean"].any()
    assert ranking.broken == 0
    assert [scores["Paper 07"].standard_error, scores["Paper 07"].own_share] == [
        scores.standard_error[6],
        scores.own_share[6],
    ]
    by_mean = score(build_matrices(reviews), "mean")["Paper 07"]
    assert (by_mean.standard_error, by_mean.own_share) == (None, None)


def test_ties_are_shown_and_listed_by_id(reviews: Reviews) -> None:
    table = calibrate(reviews, "mean").table
    for _rank, group in table.group_by("rank"):
        assert group["paper"].is_sorted()
        assert all(("tie" in flags) == (len(group) > 1) for flags in group["flags"])
    assert table["rank"][0] == 1


def test_flags_are_a_fixed_list_and_mean_what_they_say(reviews: Reviews) -> None:
    ranking = calibrate(reviews, "surprisal")
    assert list(ranking.flags) == list(FLAGS)
    for row in ranking:
        assert ("ranked_by_mean" in row["flags"]) == (
            row["status"] in ("missing_signal", "incoherent", "no_predictions")
        )
        assert ("incoherent_forecasts" in row["flags"]) == (row["status"] == "incoherent")
    incoherent = {row["paper"] for row in ranking if row["status"] == "incoherent"}
    assert incoherent
    for method in METHODS:  # whatever the method
        rows = list(calibrate(reviews, method))
        assert {row["paper"] for row in rows if "incoherent_forecasts" in row["flags"]} == incoherent


@pytest.mark.parametrize(("method", "columns"), [("surprisal", 7), ("venue", 9)])
def test_objects_show_what_they_are(reviews: Reviews, method: str, columns: int) -> None:
    ranking = calibrate(reviews, method)
    assert repr(reviews) == f"<Reviews: {len(reviews)} of 80 papers on reject, accept>"
    assert repr(ranking.scores.matrices) == "<Matrices of 80 papers on reject, accept>"
    assert repr(ranking.scores).startswith(f"<Scores of 80 papers by {method}, ")
    assert repr(ranking).startswith(f"<Ranking by {method}>\nshape: (80, {columns})")


@pytest.mark.parametrize("method", METHODS)
def test_methods_say_whether_they_give_standard_errors(reviews: Reviews, method: str) -> None:
    assert METHODS[method].gives_errors == (score(build_matrices(reviews), method).standard_error is not None)


@pytest.mark.parametrize("method", METHODS)
def test_scores_can_be_looked_up_and_looped_over(reviews: Reviews, method: str) -> None:
    scores = score(build_matrices(reviews), method)
    assert len(list(scores)) == len(scores) == 80
    assert repr(scores["Paper 07"]) in map(repr, scores)
    with pytest.raises(UnknownName, match=r'unknown paper "Paper 7"; did you mean "Paper \d\d"\?'):
        _ = scores["Paper 7"]
    with pytest.raises(UnknownName, match="known: venue, mean, surprisal, sp, surprisal_phi, linear_bayes$"):
        score(build_matrices(reviews), "best")


@pytest.mark.parametrize("method", METHODS)
def test_only_the_venue_method_explains_a_venue(reviews: Reviews, method: str) -> None:
    ranking = calibrate(reviews, method)
    for row in ranking:
        steps = explain(ranking, row["paper"])
        assert (steps.method, steps.rank) == (method, row["rank"])
        assert (steps.venue is not None) == (method == "venue")
        if steps.venue is not None:
            assert steps.venue.parts.score == pytest.approx(row["score"], abs=1e-9)
            assert 0 < steps.venue.expected_mean < 1
            assert steps.venue.track is None


def test_explanation_is_the_formula(reviews: Reviews) -> None:
    ranking = calibrate(reviews, "surprisal")
    finite = next(row["paper"] for row in ranking if row["status"] == "finite")
    steps = explain(ranking, finite)
    assert steps.score.value == pytest.approx((steps.mean - steps.prior_mean) / steps.noise_scale, rel=1e-12)
    assert steps.determinant == pytest.approx(np.linalg.det(steps.U), rel=1e-9)
    assert steps.mean == pytest.approx(steps.v @ np.array(steps.scale.values))
    np.testing.assert_allclose(steps.U.sum(), 1)
    assert steps.papers == 80


@cache
def accuracies(method: str) -> np.ndarray:
    """In fifty made-up venues of the demo."""
    found = []
    for rng in np.random.default_rng(0).spawn(50):
        venue = make_venue(rng, 60)
        found.append(pairwise_accuracy(calibrate(Reviews.from_table(venue.reviews), method), venue.truth))
    return np.array(found)


@pytest.mark.parametrize(("better", "worse"), [("surprisal", "mean"), ("venue", "mean"), ("venue", "surprisal")])
def test_calibration_helps_on_average_where_reviewers_are_swayed(better: str, worse: str) -> None:
    """One score is better than the other by more than the error."""
    gains = accuracies(better) - accuracies(worse)
    assert np.mean(gains) > 3 * np.std(gains) / np.sqrt(len(gains))


def test_many_papers_with_contradictions_are_ranked() -> None:
    """A hundred thousand papers, half of them without a score, all means different."""
    rng = np.random.default_rng(8)
    papers = 100_000
    matrices = build_matrices(
        Reviews.from_table({"paper": np.arange(papers), "rating": ["a"] * papers}, Scale(["a", "b"]))
    )
    matrices.__dict__["mean"] = rng.normal(size=papers)
    status = np.where(rng.random(papers) < 0.5, Status.FINITE, Status.INCOHERENT).astype(np.int64)
    value = np.where(status == Status.FINITE, matrices.mean + rng.normal(size=papers), np.nan)
    scores = Scores("surprisal", matrices, Outcome(value, status))
    ranking = rank(scores)
    assert sorted(ranking.rank.tolist()) == list(range(1, papers + 1))
    defined = scores.defined[ranking.order]
    by_mean_alone = np.argsort(-matrices.mean)
    assert 0 < ranking.broken <= _broken_by_mean(value, status, by_mean_alone)
    assert defined.any()


def _broken_by_mean(value: np.ndarray, status: np.ndarray, order: np.ndarray) -> int:
    """Comparisons by score that a ranking by mean goes against, counted by merging."""
    sequence = value[order][status[order] == Status.FINITE].tolist()

    def count(part: list[float]) -> tuple[int, list[float]]:
        if len(part) < 2:
            return 0, part
        middle = len(part) // 2
        (left_count, left), (right_count, right) = count(part[:middle]), count(part[middle:])
        total, merged, at = left_count + right_count, [], 0
        for number in left:
            while at < len(right) and right[at] > number:
                merged.append(right[at])
                at += 1
            total += at
            merged.append(number)
        return total, merged + right[at:]

    return count(sequence)[0]
