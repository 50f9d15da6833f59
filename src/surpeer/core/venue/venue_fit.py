"""All reports of a venue -> the quality of its papers."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import BoolArray, FloatArray, IntArray, level_sums, rows_at
from surpeer.core.venue.basis import View, coordinates_of
from surpeer.core.venue.blocks import Block, block_size, for_each, in_order_of_size
from surpeer.core.venue.fit_forecasts import fit_forecasts
from surpeer.core.venue.forecast_model import SIGNAL, Bias, Readings
from surpeer.core.venue.moments import Moments, start_of
from surpeer.core.venue.own_rating import find_projection, squares_without_own
from surpeer.core.venue.quality import Quality, QualityModel, Seen, find_spread, state_variances
from surpeer.core.venue.setting import Setting
from surpeer.core.venue.trust import Trust, judge_forecasts, no_trust
from surpeer.core.venue.venue_model import VenueModel
from surpeer.errors import ArrayError

FIT_PAPERS = 1 << 16
"""Parameters are learned from at most about so many papers: more would hardly change them."""

# Differences between the forecasts of one paper and between papers are both needed to judge forecasts by.
LEAST_PAPERS = 3


@dataclass(frozen=True)
class Parts:
    """How one paper's score comes about: three numbers whose sum is the score."""

    ratings: float
    """What its ratings say at face value: their distance from the typical mean, in standard deviations of quality."""
    venue: float
    """What the venue makes of that: few ratings count for less, and a bias common to all papers is taken off."""
    forecasts: float
    """What the paper's own forecasts change."""

    @property
    def score(self) -> float:
        return self.ratings + self.venue + self.forecasts


class SeenAtOnce(NamedTuple):
    """A venue that is small enough for one block."""

    papers: IntArray
    """In the order of the block."""
    setting: Setting


@dataclass(frozen=True)
class VenueFit:
    """What was learned about the venue, and the papers' quality."""

    model: VenueModel
    moments: Moments
    readings: Readings | None = None
    """What the papers' forecasts say, where all papers were learned from; otherwise it is found when it is needed."""
    seen: SeenAtOnce | None = None
    """All papers as the model sees them, where learning has left that behind, so that judging need not look again."""

    @property
    def trust(self) -> Trust:
        return self.model.trust

    @property
    def counts(self) -> IntArray:
        return self.moments.counts

    @cached_property
    def quality(self) -> Quality:
        if self.seen is None:
            return self.model.judge(self.moments, self.readings)
        return self.model.judging.judge_in(self.seen.setting).put_at(self.seen.papers)

    def parts(self, paper: int) -> Parts:
        """paper : position among the N papers of the fit"""
        return Parts(*self.parts_of_scores(np.array([paper]))[0].tolist())

    def parts_of_scores(self, papers: IntArray) -> FloatArray:
        """(n, 3) the same for any papers at once, a row each: the columns are those of `Parts`."""
        moments, judging = self.moments.take(papers), self.model.judging
        alone = self.model.judge(moments, Readings.nothing(len(moments), len(judging.states))).mean
        rated = (moments.counts * judging.basis[:, 0]).sum(axis=1) / moments.counts.sum(axis=1)
        face_value = rated / np.sqrt(SIGNAL.mean() * judging.states[0])
        return np.stack([face_value, alone - face_value, self.quality.mean[papers] - alone], axis=1)

    def expected_shares(self, papers: IntArray) -> FloatArray:
        """(N, K) the share of each rating that these papers would get whatever their quality, as far as forecasts are
        followed."""
        readings = None if self.readings is None else self.readings.take(papers)
        return self.model.expected_shares(self.moments.take(papers), readings)

    def expected_mean(self, papers: IntArray, values: FloatArray) -> FloatArray:
        """The mean rating that these papers would get whatever their quality, as far as forecasts are followed."""
        return np.asarray(self.expected_shares(papers) @ values)

    def judge_with(self, counts: IntArray) -> Quality:
        """The papers' quality had their ratings been these, (N, K), and had everything else stayed as it is: their
        forecasts, and what was learned about the venue."""
        return self.model.judge(replace(self.moments, counts=counts), self.readings)


def fit_venue(moments: Moments, values: FloatArray, learn_from: BoolArray | None = None) -> VenueFit:
    """Fit a venue of N papers on K levels.

    values : (K,) increasing; learn_from : (N,) the papers to learn from, if there are more than FIT_PAPERS
    """
    if learn_from is not None and len(moments) > FIT_PAPERS:
        return VenueFit(learn_venue(moments.take(learn_from), values), moments)
    return _learn(moments, values)


def learn_venue(moments: Moments, values: FloatArray) -> VenueModel:
    """What these papers teach about their venue. values : (K,) increasing"""
    return _learn(moments, values).model


def _learn(moments: Moments, values: FloatArray) -> VenueFit:
    _check(moments, values)
    view = View.of(start_of(moments.counts), values)
    if int((moments.size > 1).sum()) < LEAST_PAPERS:
        return _ratings_alone(moments, view, no_trust(1))
    coordinates = coordinates_of(values)
    projection = find_projection(moments, view)
    most = block_size(len(values), view.basis.shape[1], coordinates.shape[1])
    papers = in_order_of_size(moments.size, np.flatnonzero(moments.present), most)
    blocks = for_each(lambda at: Block.of(moments, papers[at], projection.weight, coordinates), len(papers))
    squares = squares_without_own(moments, projection.weight, coordinates)
    fitted = fit_forecasts(blocks, squares, view, values)
    trust = judge_forecasts(moments, blocks, fitted, projection)
    if not trust.follows:
        return _ratings_alone(moments, view, trust)
    heard = Readings.nothing(len(moments), len(trust.bias.mean))
    for block, read in zip(blocks, fitted.read, strict=True):
        heard.fill(block.papers, read)
    last = fitted.last
    judging, seen = _find_quality(last.view.q, last.view.basis, last.error, last.response, trust, moments, heard)
    return VenueFit(VenueModel(judging, fitted.steps, coordinates), moments, heard, seen)


def _check(moments: Moments, values: FloatArray) -> None:
    counts = moments.counts
    if len(values) < 2 or not (values[1:] > values[:-1]).all():
        raise ArrayError(f"values are {values}, expected two or more increasing numbers")
    if not len(counts) or counts.min() < 0 or not level_sums(counts).all():
        raise ArrayError("counts must have a row for at least one paper, and at least one rating in every row")


def _find_quality(
    q: FloatArray,
    basis: FloatArray,
    error: FloatArray,
    response: FloatArray,
    trust: Trust,
    moments: Moments,
    readings: Readings,
) -> tuple[QualityModel, SeenAtOnce | None]:
    most = block_size(len(q), len(error), 1)
    blocks = in_order_of_size(readings.size, np.arange(len(moments)), most)

    def see(at: int) -> Setting:
        papers = blocks[at]
        return Setting.of(q, basis, error, trust, moments.counts[rows_at(papers)], readings.take(papers))

    # A single paper is judged beside a copy of itself, and not as it is here.
    at_once = SeenAtOnce(blocks[0], see(0)) if len(blocks) == 1 < len(moments) else None
    seen = Seen.of(at_once.setting) if at_once else Seen.joined(for_each(lambda at: Seen.of(see(at)), len(blocks)))
    spread = find_spread(seen)
    states = state_variances(seen, response, float(spread.surplus[0]))
    return QualityModel(q, basis, error, trust, states, spread), at_once


def _ratings_alone(moments: Moments, view: View, trust: Trust) -> VenueFit:
    """The mean, shrunk towards the venue's. A model of one coordinate in which nobody said anything."""
    nothing = np.zeros(1)
    readings = Readings.nothing(len(moments), 1)
    alone = replace(trust, bias=Bias(nothing, nothing))
    judging, seen = _find_quality(view.q, view.basis[:, :1], np.ones(1), np.zeros((1, 1)), alone, moments, readings)
    return VenueFit(VenueModel(judging, (), np.zeros((len(view.q), 1))), moments, readings, seen)
