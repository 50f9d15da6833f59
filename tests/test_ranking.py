"""Scores and rankings of whole venues."""

import numpy as np
import pytest

from surpeer import METHODS, Reviews, Scale, Status, build_matrices, calibrate, compare, explain, rank, score
from surpeer.demo import make_venue, pairwise_accuracy
from surpeer.errors import UnknownName
from surpeer.ranking import FLAGS


@pytest.fixture(scope="module")
def reviews() -> Reviews:
    return Reviews.from_table(make_venue(np.random.default_rng(4), 80).reviews)


@pytest.mark.parametrize("method", METHODS)
def test_ranking_agrees_with_compare_where_nothing_is_broken(reviews: Reviews, method: str) -> None:
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
    if method == "mean":
        assert broken == 0


def test_ties_are_shown_and_listed_by_id(reviews: Reviews) -> None:
    table = calibrate(reviews, "mean").table
    for _rank, group in table.group_by("rank"):
        assert group["paper"].is_sorted()
        assert all(("tie" in flags) == (len(group) > 1) for flags in group["flags"])
    assert table["rank"][0] == 1


def test_flags_are_a_fixed_list_and_mean_what_they_say(reviews: Reviews) -> None:
    ranking = calibrate(reviews)
    assert list(ranking.flags) == list(FLAGS)
    for row in ranking:
        assert ("ranked_by_mean" in row["flags"]) == (
            row["status"] in ("missing_signal", "incoherent", "no_predictions")
        )
        assert ("incoherent_forecasts" in row["flags"]) == (row["status"] == "incoherent")
    by_mean = calibrate(reviews, "mean")
    alerts = {row["paper"] for row in by_mean if "incoherent_forecasts" in row["flags"]}
    assert alerts == {row["paper"] for row in ranking if row["status"] == "incoherent"}  # whatever the method


def test_objects_show_what_they_are(reviews: Reviews) -> None:
    ranking = calibrate(reviews)
    assert repr(reviews) == f"<Reviews: {len(reviews)} of 80 papers on reject, accept>"
    assert repr(ranking.scores.matrices) == "<Matrices of 80 papers on reject, accept>"
    assert repr(ranking.scores).startswith("<Scores of 80 papers by surprisal, ")
    assert repr(ranking).startswith("<Ranking by surprisal>\nshape: (80, 7)")


def test_scores_can_be_looked_up_and_looped_over(reviews: Reviews) -> None:
    scores = score(build_matrices(reviews))
    assert len(list(scores)) == len(scores) == 80
    assert scores["Paper 07"] in list(scores)
    with pytest.raises(UnknownName, match=r'unknown paper "Paper 7"; did you mean "Paper \d\d"\?'):
        _ = scores["Paper 7"]
    with pytest.raises(UnknownName, match="known: mean, surprisal, sp"):
        score(build_matrices(reviews), "best")


def test_explanation_is_the_formula(reviews: Reviews) -> None:
    ranking = calibrate(reviews)
    finite = next(row["paper"] for row in ranking if row["status"] == "finite")
    steps = explain(ranking, finite)
    assert steps.score.value == pytest.approx((steps.mean - steps.prior_mean) / steps.noise_scale, rel=1e-12)
    assert steps.determinant == pytest.approx(np.linalg.det(steps.U), rel=1e-9)
    assert steps.mean == pytest.approx(steps.v @ np.array(steps.scale.values))
    np.testing.assert_allclose(steps.U.sum(), 1)
    assert steps.papers == 80


def test_calibration_helps_on_average_where_reviewers_are_swayed() -> None:
    """Fifty made-up venues of the demo: the surprisal score is better than the mean by more than its error."""
    gains = []
    for rng in np.random.default_rng(0).spawn(50):
        venue = make_venue(rng, 60)
        made = Reviews.from_table(venue.reviews)
        by_mean, by_surprisal = (
            pairwise_accuracy(calibrate(made, name), venue.truth) for name in ("mean", "surprisal")
        )
        gains.append(by_surprisal - by_mean)
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
    scores = type(score(matrices, "mean"))("surprisal", matrices, value, status)
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
