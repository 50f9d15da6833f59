"""The comparison with other tools: each does what its source says, and is measured as we measure ourselves."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import ROOT
from scipy.optimize import LinearConstraint, minimize

sys.path.insert(0, str(ROOT / "benchmarks"))

import tools_today
from other_tools import averages, crowd_kit, peer_predictions, reviewer_effects
from other_tools.picture import write_picture
from other_tools.registry import BASELINE, Scored, tools
from other_tools.studies import real_venues
from other_tools.worlds import SIZES, WORLDS, Size, Venue, World, assign, draw_venue, joint_of_two

from surpeer import Reviews, Scale, build_matrices, score
from surpeer.core.shapes import FloatArray
from surpeer.errors import InputError
from surpeer.experiments.bench.judging import choose_pairs, rightness
from surpeer.experiments.state_priors import OrderedLogit

TINY = Size(12, 3, 6)
CALIBRATIONS = [
    reviewer_effects.z_scores,
    reviewer_effects.additive_effects,
    reviewer_effects.shrunken_effects,
    reviewer_effects.linear_calibration,
    reviewer_effects.monotone_calibration,
]


def make_reviews(paper: list[int], reviewer: list[int], rating: list[int], levels: int = 10) -> Reviews:
    predictions = np.full((len(paper), levels), np.nan)
    papers = pl.Series(range(max(paper) + 1))
    scale = Scale(range(1, levels + 1))
    return Reviews(scale, papers, np.array(paper), np.array(rating), predictions, pl.Series(reviewer))


def complete(quality: list[int], harshness: list[int]) -> Reviews:
    """Everybody reviews everything, without any noise."""
    cells = [(p, r, q - h) for p, q in enumerate(quality) for r, h in enumerate(harshness)]
    return make_reviews(*(list(column) for column in zip(*cells, strict=True)))


def gapped(quality: list[int], harshness: list[int]) -> Reviews:
    """As `complete`, but reviewer r does not review papers r and r + 1: papers' means are off by who is missing."""
    whole = complete(quality, harshness)
    assert whole.reviewer is not None
    reviewer = whole.reviewer.to_numpy()
    kept = (whole.paper != reviewer) & (whole.paper != reviewer + 1)
    return make_reviews(whole.paper[kept].tolist(), reviewer[kept].tolist(), whole.rating[kept].tolist())


def correlation(a: FloatArray, b: object) -> float:
    return float(np.corrcoef(a, np.asarray(b))[0, 1])


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_pure_harshness_is_removed_exactly_where_everybody_reviews_everything(
    method: Callable[[Reviews], FloatArray],
) -> None:
    quality = [3, 9, 6, 7, 4]
    fair, biased = (method(complete(quality, harshness)) for harshness in ([0, 0, 0], [3, 0, 1]))
    assert correlation(fair, quality) == pytest.approx(1)
    assert correlation(biased, quality) == pytest.approx(1)


@pytest.mark.parametrize("method", [reviewer_effects.additive_effects, reviewer_effects.linear_calibration])
def test_least_squares_remove_pure_harshness_where_reviewers_share_some_papers_only(
    method: Callable[[Reviews], FloatArray],
) -> None:
    quality = [6, 6, 9, 7, 8]
    reviews = gapped(quality, [5, 0, 2])
    assert correlation(method(reviews), quality) == pytest.approx(1)
    assert correlation(averages.mean_rating(reviews), quality) < 0.9


def test_additive_effects_solve_the_whole_least_squares_problem() -> None:
    rng = np.random.default_rng(3)
    venue = draw_venue(World("harsh", harsh=True), TINY, 5, rng)
    paper, (reviewer, reviewers) = venue.reviews.paper, reviewer_effects.who(venue.reviews)
    design = np.hstack([np.eye(TINY.papers)[paper], np.eye(reviewers)[reviewer]])
    expected = np.linalg.lstsq(design, averages.ratings(venue.reviews), rcond=None)[0][: TINY.papers]
    found = reviewer_effects.additive_effects(venue.reviews)
    np.testing.assert_allclose(found - found.mean(), expected - expected.mean(), atol=1e-9)


def test_variances_are_found_again() -> None:
    rng = np.random.default_rng(4)
    paper, reviewer = assign(rng, Size(2000, 6, 30))
    merit, harshness = rng.normal(0, 2, 2000), rng.normal(0, 1.5, 400)
    value = merit[paper] + harshness[reviewer] + rng.normal(0, 1, len(paper))
    incidence = reviewer_effects.Incidence(
        reviewer_effects.indicators(paper, 2000), reviewer_effects.indicators(reviewer, 400)
    )
    error, of_reviewers = reviewer_effects.variances(incidence, value)
    assert (error, of_reviewers) == pytest.approx((1, np.var(harshness, ddof=1)), rel=0.05)


def least_squares(reviews: Reviews, is_linear: bool, quality: FloatArray | None = None) -> float:
    """LSC as a quadratic program over qualities and what was seen, by a general solver; qualities may be given."""
    value, (reviewer, reviewers) = averages.ratings(reviews), reviewer_effects.who(reviews)
    papers, n = len(reviews.papers), len(value)
    if is_linear:  # unknowns: qualities, slopes, intercepts
        seen = np.hstack([np.eye(reviewers)[reviewer] * value[:, None], np.eye(reviewers)[reviewer]])
        start = np.r_[averages.mean_rating(reviews), np.ones(reviewers), np.zeros(reviewers)]
        rows, apart = np.eye(len(start))[papers : papers + reviewers], np.ones(reviewers)
    else:  # unknowns: qualities, what was seen
        seen, start = np.eye(n), np.r_[averages.mean_rating(reviews), value]
        i, j = np.nonzero((reviewer[:, None] == reviewer) & (value[:, None] < value))
        rows, apart = np.eye(papers + n)[papers + j] - np.eye(papers + n)[papers + i], value[j] - value[i]
    residual = np.hstack([-np.eye(papers)[reviews.paper], seen])
    normal = residual.T @ residual
    constraints = [LinearConstraint(rows, apart, np.inf)]
    if quality is not None:
        start[:papers] = quality
        constraints.append(LinearConstraint(np.eye(len(start))[:papers], quality, quality))
    options = {"maxiter": 2000, "ftol": 1e-10}
    solved = minimize(
        lambda x: x @ normal @ x, start, jac=lambda x: 2 * normal @ x, constraints=constraints, options=options
    )
    assert solved.success
    return float(solved.fun)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_linear", [True, False])
def test_calibration_is_an_optimum_of_the_published_program(seed: int, is_linear: bool) -> None:
    method = reviewer_effects.linear_calibration if is_linear else reviewer_effects.monotone_calibration
    reviews = draw_venue(World("harsh", harsh=True), TINY, 5, np.random.default_rng(seed)).reviews
    best, at_the_mean = (
        least_squares(reviews, is_linear),
        least_squares(reviews, is_linear, averages.mean_rating(reviews)),
    )
    assert best < 0.99 * at_the_mean  # so that the next line can tell the two apart
    assert least_squares(reviews, is_linear, method(reviews)) == pytest.approx(best, rel=1e-4, abs=1e-4)


def test_calibration_gives_a_narrow_reviewer_a_steeper_slope() -> None:
    wide, narrow = [1, 3, 5, 7, 9], [3, 4, 5, 6, 7]
    reviews = make_reviews([0, 1, 2, 3, 4] * 2, [0] * 5 + [1] * 5, [*wide, *narrow])
    found = reviewer_effects.linear_calibration(reviews)
    np.testing.assert_allclose(np.diff(found), 2, atol=1e-6)  # slopes 1 and 2 fit without any error


def test_constant_reviewers_change_nothing() -> None:
    reviews = make_reviews([0, 1, 2, 0, 1, 2], [0, 0, 0, 1, 1, 1], [2, 4, 6, 5, 5, 5])
    for method in (reviewer_effects.z_scores, reviewer_effects.linear_calibration):
        assert np.argsort(method(reviews)).tolist() == [0, 1, 2]
        assert np.isfinite(method(reviews)).all()


def test_reviewers_must_be_known() -> None:
    reviews = make_reviews([0, 1], [0, 0], [1, 2])
    nobody = Reviews(reviews.scale, reviews.papers, reviews.paper, reviews.rating, reviews.predictions)
    with pytest.raises(InputError, match="^the reviews do not say who wrote them, expected a column with reviewers$"):
        reviewer_effects.z_scores(nobody)


def test_counts_compare_the_best_scores_first() -> None:
    reviews = make_reviews([0, 0, 1, 1, 1, 2, 2, 3, 3], [0, 1] * 4 + [0], [8, 2, 8, 2, 1, 7, 7, 8, 2])
    assert averages.hotcrp_counts(reviews).tolist() == [1, 1, 0, 1]  # 8,2 = 8,2,(1) = 8,2,1; 7,7 is behind


def test_knowledge_weighted_estimate_is_that_of_the_package() -> None:
    estimate, expected = np.array([50, 134, 206, 290, 326, 374.0]), np.array([26, 92, 116, 218, 218, 206.0])
    assert peer_predictions.knowledge_weighted_estimate(estimate, expected) == pytest.approx(329.305, abs=5e-4)
    more = np.append(estimate, 1000), np.append(expected, 400)
    assert peer_predictions.knowledge_weighted_estimate(*more) == pytest.approx(630.0491, abs=5e-5)
    assert peer_predictions.knowledge_weighted_estimate(np.full(5, 7.0), expected[:5]) == 7


def test_knowledge_weights_need_five_predictions_for_each_paper() -> None:
    rng = np.random.default_rng(1)
    few, enough = (draw_venue(WORLDS[0], Size(6, n, 6), 5, rng).reviews for n in (4, 5))
    assert peer_predictions.knowledge_weighted(few) is None
    value = averages.ratings(enough).reshape(6, 5)
    told = (enough.predictions @ np.arange(1, 6)).reshape(6, 5)
    expected = [peer_predictions.knowledge_weighted_estimate(*pair) for pair in zip(value, told, strict=True)]
    np.testing.assert_allclose(peer_predictions.knowledge_weighted(enough), expected)


def test_pivoting_moves_away_from_predictions() -> None:
    predictions = np.array([[0.0, 1.0], [0.5, 0.5], [np.nan, np.nan]])
    reviews = Reviews(Scale((0, 1)), pl.Series([0, 1]), np.array([0, 0, 1]), np.array([1, 0, 1]), predictions)
    assert peer_predictions.minimal_pivoting(reviews).tolist() == [2 * 0.5 - 0.75, 1.0]


def test_everybody_has_the_same_load_and_no_paper_twice() -> None:
    for size in SIZES.values():
        paper, reviewer = assign(np.random.default_rng(2), size)
        assert set(np.bincount(reviewer, minlength=size.reviewers)) == {size.load}
        assert set(np.bincount(paper)) == {size.reviews}
        assert len(set(zip(paper.tolist(), reviewer.tolist(), strict=True))) == len(paper)


def test_two_reviewers_who_see_alike_agree_as_the_prior_says() -> None:
    prior = OrderedLogit(5, 1.5)
    np.testing.assert_allclose(joint_of_two(prior, 0.0, 0.0), prior.joint, atol=1e-12)
    harsh = joint_of_two(prior, 0.0, 1.0)
    assert np.trace(harsh) < np.trace(prior.joint)
    assert joint_of_two(prior, 1.0, 0.0).sum(axis=1) @ np.arange(5) > prior.joint.sum(axis=1) @ np.arange(5) + 0.5


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_every_tool_ranks_a_tiny_venue_of_every_world(world: World) -> None:
    venue = draw_venue(world, Size(20, 5, 10), 5, np.random.default_rng(6))
    again = draw_venue(world, Size(20, 5, 10), 5, np.random.default_rng(6))
    np.testing.assert_array_equal(venue.reviews.predictions, again.reviews.predictions)
    np.testing.assert_allclose(venue.reviews.predictions.sum(axis=1), 1)
    for tool in tools():
        scored = tool.function(venue.reviews)
        assert scored is not None, tool.name
        assert np.isfinite(scored.value[scored.defined]).all(), tool.name


def test_the_mean_is_as_accurate_as_we_say_it_is() -> None:
    venue = draw_venue(WORLDS[0], TINY, 5, np.random.default_rng(7))
    ours = score(build_matrices(venue.reviews), "mean")
    pairs = choose_pairs(np.random.default_rng(0), TINY.papers)
    expected = rightness(pairs, ours.value, ours.defined, ours.mean, venue.quality).mean()
    found = tools_today.judge([venue], tools(), 1, 1)
    assert found[BASELINE].tolist() == [pytest.approx(float(expected))]


def test_accuracy_is_counted_by_pairs_of_different_quality() -> None:
    reviews = make_reviews([0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 2, 3])
    venue = Venue(reviews, np.array([0.0, 1.0, 1.0, 0.0]))
    scored = Scored(np.array([1.0, 2.0, 2.0, 2.0]), np.ones(4, dtype=np.bool_))
    right = (1 + 1 + 0.5 + 0.5) / 4  # papers 1 and 2 each against 0 (right) and 3 (tied); 0-3 and 1-2 do not count
    assert tools_today.accuracy(venue, scored, np.random.default_rng(0)) == right


def test_differences_are_over_the_same_venues() -> None:
    rows = tools_today.summary({BASELINE: np.array([0.6, 0.7, 0.2]), "other": np.array([0.7, 0.9])})
    assert rows[1] == ("other", 2, pytest.approx(80), pytest.approx(10), pytest.approx(15), pytest.approx(5))
    assert tools_today.cell_text((*"abc", *rows[1])) == "+15.0 ± 5.0"
    assert tools_today.cell_text((*"abc", *rows[0])) == "50.0 ± 15.3"
    assert tools_today.cell_text(None) == "-"


def test_the_script_prints_its_tables(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd_kit, "is_installed", lambda: False)
    monkeypatch.setitem(tools_today.SIZES, "conference", TINY)
    monkeypatch.setattr(tools_today, "TIMED", TINY)
    arguments = ["--venues", "conference=2", "--levels", "5", "--slow-venues", "1", "--output"]
    tools_today.main([*arguments, str(tmp_path)])
    printed = capsys.readouterr().out
    assert printed.startswith("crowd-kit is not installed and left out")
    assert "conference, 5 levels (12 papers, 3 reviews each, 6 reviewers with 6 papers; 2 venues)" in printed
    assert printed.count("\n| surpeer venue | ") == 2  # accuracy and time
    table = pl.read_csv(tmp_path / "tools-today.csv")
    assert table["world"].unique(maintain_order=True).to_list() == [world.name for world in WORLDS]
    write_picture(table, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "tools-today.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--venues", "forum=3"], "--venues: found forum=3, expected NAME=NUMBER with workshop, panel, conference"),
        (["--venues", "panel=few"], "--venues: found panel=few, expected NAME=NUMBER with workshop, panel, conference"),
        (["--levels", "1"], "--levels: found [1], expected numbers from 2 to 20"),
    ],
)
def test_wrong_options_are_said(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        tools_today.main(arguments)
    assert message in capsys.readouterr().err


@pytest.mark.shared_data
def test_real_votes_are_read_with_their_people(shared_data: Path) -> None:
    for name, venues in real_venues(shared_data / "prelec2017", 8, 1, 1):
        venue = next(venues)
        reviewer, people = reviewer_effects.who(venue.reviews)
        assert people == {"study1a": 51, "study2": 39, "study4b": 20}[name]
        assert np.bincount(venue.reviews.paper).tolist() == [8] * len(venue.quality)
        assert len(set(zip(venue.reviews.paper.tolist(), reviewer.tolist(), strict=True))) == len(reviewer)


@pytest.mark.skipif(not crowd_kit.is_installed(), reason="crowd-kit is not installed")
def test_majority_vote_of_crowd_kit_is_the_mean() -> None:
    reviews = draw_venue(WORLDS[0], TINY, 5, np.random.default_rng(8)).reviews
    np.testing.assert_allclose(crowd_kit.expected_label("MajorityVote", reviews), averages.mean_rating(reviews))
