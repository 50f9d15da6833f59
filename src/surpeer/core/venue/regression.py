"""Sums over papers from which forecasts' regression on own ratings follows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.columnwise import sums_of_products
from surpeer.core.venue.steps import Own, State


class Regression(NamedTuple):
    """Of forecasts F on own ratings Z, weighted by what is believed of the papers' noise levels."""

    normal: FloatArray
    """(J, J) sum of g^2 Z Z', Z less its paper's mean."""
    cross: FloatArray
    """(J, J) sum of g Z F', Z less its paper's mean."""
    freedom: float
    """Of differences between forecasts of one paper."""
    signals: float
    """Sum of forecasts times g over papers that have more than one."""
    several: float
    """The same without g."""

    @classmethod
    def of(cls, block: Block, view: View, said: FloatArray, state: State, own: Own) -> "Regression":
        """said : (J, B) mean of F"""
        papers = block.each
        (signal, square), mean = state.averages[:2, papers], own.mean[:, papers]
        counted = mean * block.divisor[papers]
        within = view.basis.T * sums_of_products(own.squares[:, papers], square[None])[:, 0]  # (J, K)
        sums = np.einsum("sb,sdb->sd", own.rarity[:, papers] * signal, block.sums[:, :, papers]) @ view.span  # (K, J)
        return cls(
            normal=within @ view.basis - sums_of_products(counted * square, mean),
            cross=view.basis.T @ sums - sums_of_products(counted * signal, said[:, papers]),
            freedom=block.freedom,
            signals=float(np.einsum("b,b->", block.several, signal)),
            several=block.forecasts_of_several,
        )

    @classmethod
    def total(cls, parts: Sequence["Regression"]) -> "Regression":
        return parts[0] if len(parts) == 1 else cls(*(sum(numbers) for numbers in zip(*parts, strict=True)))

    @property
    def signal(self) -> float:
        """Average g, papers with one forecast left out."""
        return self.signals / self.several

    def explained(self, response: FloatArray) -> FloatArray:
        """(J,) by how much less forecasts of one paper differ when the own ratings' part is taken off."""
        return np.asarray((response * (2 * self.cross - self.normal @ response)).sum(axis=0))


def scatter(blocks: Sequence[Block], said: Sequence[FloatArray], squares: FloatArray, view: View) -> FloatArray:
    """(J,) squared differences between the forecasts of each paper.

    said : (J, B) mean of F, of each block; squares : (D, D) sums of products of forecasts
    """
    means = [
        np.einsum("jb,jb,b->j", mean[:, block.each], mean[:, block.each], block.divisor[block.each])
        for block, mean in zip(blocks, said, strict=True)
    ]
    return np.asarray(((squares @ view.span) * view.span).sum(axis=0) - sum(means))


class Between(NamedTuple):
    """How papers differ."""

    papers: float
    inverses: float
    """Sum of one over the number of forecasts."""
    means: FloatArray
    """(2 J,) sum over papers of the mean of F, and of g times the mean of Z."""
    products: FloatArray
    """(2 J, 2 J) sum of products of these."""

    @classmethod
    def of(cls, block: Block, said: FloatArray, state: State, own: Own) -> "Between":
        """said : (J, B) mean of F"""
        papers = block.each
        count = block.divisor[papers]
        both = np.concatenate([said[:, papers], state.averages[0, papers] * own.mean[:, papers]])
        products = sums_of_products(both, both.copy())  # of one array with itself there would be threads
        return cls(float(len(count)), float((1 / count).sum()), both.sum(axis=1), products)

    @classmethod
    def total(cls, parts: Sequence["Between"]) -> "Between":
        return parts[0] if len(parts) == 1 else cls(*(sum(numbers) for numbers in zip(*parts, strict=True)))

    @property
    def inverse(self) -> float:
        """Average over papers of one over the number of forecasts."""
        return self.inverses / self.papers

    def variance(self, response: FloatArray) -> FloatArray:
        """(J,) between papers, of the priors that forecasts imply: mean F less g R times mean Z."""
        implied = np.concatenate([np.eye(len(response)), -response])  # (2 J, J)
        centred = self.products - np.outer(self.means, self.means) / self.papers
        return np.asarray((implied * (centred @ implied)).sum(axis=0) / self.papers)
