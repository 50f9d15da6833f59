"""Learning and judging apart: what was learned judges any paper, alone or among others, as if it had been learned from."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr
from simulated_venue import Venue, mixed, simulate
from test_venue_model import noisy, with_gaps

from surpeer.core.venue import Quality, VenueModel, fit_venue, learn_venue, venue_fit
from surpeer.core.venue.forecast_model import SIGNAL, Readings
from surpeer.core.venue.typical_prior import typical_prior


def three(quality: Quality) -> np.ndarray:
    return np.stack([quality.mean, quality.deviation, quality.own_share])


def gaps(levels: int, papers: int = 60) -> Venue:
    """Partial and missing forecasts, numbers of reviews that differ, one paper without any forecast."""
    venue = with_gaps(levels, papers, 5)
    return replace(
        venue,
        shares=np.where((venue.paper == 7)[:, None], np.nan, venue.shares),
        expected=np.where(venue.paper == 7, np.nan, venue.expected),
    )


VENUES = {
    "two levels": noisy(2, 60, 1),
    "four levels": noisy(4, 60, 2, spread=0.2),
    "projecting": noisy(5, 80, 3, spread=0.2).projecting(0.2),
    "gaps": gaps(4),
    "fine scale": noisy(30, 50, 5, spread=0.1),
    "not followed": noisy(3, 40, 6).saying(np.full(3, 1 / 3)),
}


@pytest.mark.parametrize("name", VENUES)
def test_a_paper_that_was_learned_from_is_judged_as_in_the_fit(name: str) -> None:
    venue = VENUES[name]
    fit = fit_venue(venue.moments, venue.values)
    again = pickle.loads(pickle.dumps(fit.model))
    np.testing.assert_array_equal(three(again.judge(venue.moments)), three(fit.quality))
    every = np.arange(venue.papers)
    np.testing.assert_array_equal(again.expected_shares(venue.moments), fit.expected_shares(every))
    without = replace(venue.moments, products=None)  # only learning needs them
    np.testing.assert_array_equal(three(again.judge(without)), three(fit.quality))


def test_venues_of_these_tests_follow_forecasts_or_not() -> None:
    follows = {name: venue.fit().trust.follows for name, venue in VENUES.items()}
    assert follows == {name: name != "not followed" for name in VENUES}
    assert VENUES["projecting"].fit().trust.projection.weight > 0.1


@pytest.mark.parametrize("name", VENUES)
def test_who_else_is_judged_changes_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    venue = VENUES[name]
    moments, model = venue.moments, learn_venue(venue.moments, venue.values)
    whole = three(model.judge(moments))
    rng = np.random.default_rng(1)
    for papers in ([5], [7], [5, 6], [9, 3, 20], rng.permutation(venue.papers), np.repeat(np.arange(venue.papers), 50)):
        np.testing.assert_array_equal(three(model.judge(moments.take(np.array(papers)))), whole[:, papers])
    for most in (1, 2, 7):
        monkeypatch.setattr("surpeer.core.venue.venue_model.block_size", lambda *_, most=most: most)
        for threads in (1, 3):
            np.testing.assert_array_equal(three(model.judge(moments, threads=threads)), whole)


def test_learning_hardly_depends_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    venue = VENUES["four levels"]
    whole = three(venue.fit().quality)
    for most in (1, 7, 20):
        monkeypatch.setattr("surpeer.core.venue.venue_fit.block_size", lambda *_, most=most: most)
        np.testing.assert_allclose(three(venue.fit().quality), whole, atol=1e-10)


def test_the_model_is_small() -> None:
    """It is sent to every machine: no bigger for more papers, and the papers are not in it."""
    sizes = [len(pickle.dumps(learn_venue(noisy(4, papers, 2).moments, np.arange(4.0)))) for papers in (50, 2000)]
    assert max(sizes) < 30_000
    assert sizes[1] < sizes[0] + 1000


def test_other_ratings_are_judged_with_the_forecasts_as_they_are() -> None:
    venue = VENUES["gaps"]
    fit, counts = venue.fit(), np.roll(venue.counts, 1, axis=1)
    moved = fit.judge_with(counts)
    again = fit.model.judge(replace(venue.moments, counts=counts))
    np.testing.assert_array_equal(three(moved), three(again))
    np.testing.assert_array_equal(moved.own_share, fit.quality.own_share)
    assert abs(moved.mean - fit.quality.mean).max() > 0.1


# Parts of scores


@pytest.mark.parametrize("name", VENUES)
def test_parts_of_scores_are_what_single_papers_show(name: str) -> None:
    """By the definition: quality with and without forecasts, and the mean rating in the unit of quality."""
    venue = VENUES[name]
    fit = fit_venue(venue.moments, venue.values)
    papers = np.arange(venue.papers)[::-1]
    found = fit.parts_of_scores(papers)
    judging = fit.model.judging
    unit = np.sqrt(SIGNAL.mean() * judging.states[0])
    for row, paper in zip(found, papers.tolist(), strict=True):
        counts = venue.counts[[paper, paper]]
        alone = judging.judge(counts, Readings.nothing(2, len(judging.states))).mean[0]
        rated = (
            sum(count * place for count, place in zip(counts[0], judging.basis[:, 0], strict=True)) / counts[0].sum()
        )
        expected = [rated / unit, alone - rated / unit, fit.quality.mean[paper] - alone]
        assert row == pytest.approx(expected, abs=1e-12)
        parts = fit.parts(paper)
        assert [parts.ratings, parts.venue, parts.forecasts] == row.tolist()


def test_parts_of_no_paper() -> None:
    assert VENUES["gaps"].fit().parts_of_scores(np.zeros(0, dtype=np.int64)).shape == (0, 3)


# Learning from some of many papers


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(venue_fit, "FIT_PAPERS", 400)
    return 400


def test_small_venues_are_learned_from_as_a_whole(few: int) -> None:
    venue = noisy(3, few, 1)
    some = np.arange(few) < 10
    np.testing.assert_array_equal(
        three(fit_venue(venue.moments, venue.values, some).quality), three(venue.fit().quality)
    )


def test_of_large_venues_only_the_chosen_papers_are_learned_from(few: int) -> None:
    venue = noisy(3, 1000, 1)
    some = np.arange(1000) % 3 == 0
    fit = fit_venue(venue.moments, venue.values, some)
    model: VenueModel = learn_venue(venue.moments.take(some), venue.values)
    np.testing.assert_array_equal(three(fit.quality), three(model.judge(venue.moments)))
    np.testing.assert_array_equal(fit.expected_shares(np.array([4, 2])), model.expected_shares(venue.moments)[[4, 2]])
    assert fit.parts(5).score == pytest.approx(fit.quality.mean[5], abs=1e-12)
    np.testing.assert_array_equal(three(fit.judge_with(venue.counts)), three(fit.quality))


def test_a_sample_teaches_nearly_what_all_papers_do() -> None:
    """A tenth of 12,000 papers: nearly the same order, and as near to the truth."""
    rng = np.random.default_rng(4)
    venue = simulate(rng, [1.5] * 4, mixed(rng, 12_000))
    moments = venue.moments
    by_all = learn_venue(moments, venue.values).judge(moments)
    by_some = learn_venue(moments.take(rng.random(12_000) < 0.1), venue.values).judge(moments)
    assert spearmanr(by_all.mean, by_some.mean).statistic > 0.995
    truth = [abs(np.corrcoef(found.mean, venue.quality)[0, 1]) for found in (by_all, by_some)]
    assert truth[0] == pytest.approx(truth[1], abs=0.002)


# Medians of many papers


@pytest.mark.parametrize("levels", [2, 4, 13])
def test_typical_prior_of_many_papers_is_that_of_the_same_papers_many_times(levels: int) -> None:
    """Long columns are not sorted as a whole; the start counts as one paper for each level either way."""
    rng = np.random.default_rng(levels)
    priors, start = rng.dirichlet(np.full(levels, 3.0), 900), np.full(levels, 1 / levels)

    def fitted(times: int) -> np.ndarray:
        papers = 900 * times
        found = typical_prior(np.repeat(priors, times, axis=0), start)
        return (found * (papers + levels) - levels * start) / papers

    np.testing.assert_allclose(fitted(30), fitted(1), atol=1e-4)
