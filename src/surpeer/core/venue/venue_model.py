"""What was learned about a venue: enough to judge any paper of it, and small."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray, IntArray
from surpeer.core.venue.blocks import Block, block_size, for_each, in_order_of_size
from surpeer.core.venue.forecast_model import Readings
from surpeer.core.venue.moments import Moments
from surpeer.core.venue.quality import Quality, QualityModel
from surpeer.core.venue.spread import Spread
from surpeer.core.venue.steps import Step, replay
from surpeer.core.venue.trust import Trust


@dataclass(frozen=True)
class VenueModel:
    """Judges papers, each by itself: the result does not depend on which others are judged with it."""

    judging: QualityModel
    steps: tuple[Step, ...]
    """How a paper's forecasts are read; empty where forecasts are not followed."""
    coordinates: FloatArray
    """(K, D) in what forecasts are added up."""

    @property
    def q(self) -> FloatArray:
        """(K,) prior of a typical paper."""
        return self.judging.q

    @property
    def basis(self) -> FloatArray:
        """(K, J)"""
        return self.judging.basis

    @property
    def states(self) -> FloatArray:
        """(J,) variances of clean states."""
        return self.judging.states

    @property
    def spread(self) -> Spread:
        """Of ratings about the papers' priors."""
        return self.judging.spread

    @property
    def trust(self) -> Trust:
        """How far forecasts are followed."""
        return self.judging.trust

    def judge(self, moments: Moments, readings: Readings | None = None, threads: int | None = None) -> Quality:
        """The quality of any papers.

        readings : what their forecasts say, where that is known; threads : as many as there are processors if None
        """
        result = Quality(*(np.empty(len(moments)) for _ in range(3)))

        def judge(papers: IntArray, read: Readings) -> None:
            found = self.judging.judge(moments.counts[_twice(papers)], read)
            result.mean[papers], result.deviation[papers], result.own_share[papers] = (
                numbers[: len(papers)] for numbers in (found.mean, found.deviation, found.own_share)
            )

        self._for_blocks(moments, judge, readings, threads)
        return result

    def expected_shares(self, moments: Moments, readings: Readings | None = None) -> FloatArray:
        """(N, K) the share of each rating that papers would get whatever their quality, as far as forecasts are
        followed."""
        result = np.empty(moments.counts.shape)

        def expect(papers: IntArray, read: Readings) -> None:
            setting = self.judging.setting(moments.counts[_twice(papers)], read)
            result[papers] = (setting.chances * setting.expected).sum(axis=1).T[: len(papers)]

        self._for_blocks(moments, expect, readings)
        return result

    def _read(self, moments: Moments, papers: IntArray) -> Readings:
        if not self.steps:
            return Readings.nothing(len(_twice(papers)), len(self.states))
        return replay(self.steps, Block.of(moments, papers, self.trust.projection.weight, self.coordinates))

    def _for_blocks(
        self,
        moments: Moments,
        function: Callable[[IntArray, Readings], None],
        readings: Readings | None,
        threads: int | None = None,
    ) -> None:
        """Read the papers' forecasts block by block, those of a single paper twice, and hand them on."""
        most = block_size(len(self.q), len(self.states), self.coordinates.shape[1])
        everyone = np.arange(len(moments))
        blocks = in_order_of_size(moments.size if self.steps else np.zeros_like(everyone), everyone, most)

        def handle(at: int) -> None:
            papers = blocks[at]
            function(papers, self._read(moments, papers) if readings is None else readings.take(_twice(papers)))

        for_each(handle, len(blocks), threads)


def _twice(papers: IntArray) -> IntArray:
    """A single paper twice, so that nothing is added up in another order than beside other papers."""
    return np.repeat(papers, 2) if len(papers) == 1 else papers
