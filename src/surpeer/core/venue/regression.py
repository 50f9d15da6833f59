"""Sums over papers from which forecasts' regression on own ratings follows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.columnwise import sums_of_products
from surpeer.core.venue.steps import State


class Regression(NamedTuple):
    """Of forecasts F on own ratings Z, weighted by what is believed of the papers' noise levels."""

    normal: FloatArray
    """(J, J) sum of g^2 Z Z', Z less its paper's mean."""
    cross: FloatArray
    """(J, J) sum of g Z F', Z less its paper's mean."""
    said: FloatArray
    """(J,) sum over papers of the squared sum of F, divided by the number of forecasts."""
    freedom: float
    """Of differences between forecasts of one paper."""
    signals: FloatArray
    """Sum of forecasts times g over papers that have more than one."""
    several: float
    """The same without g."""

    @classmethod
    def of(cls, block: Block, view: View, said: FloatArray, state: State) -> "Regression":
        """said : (J, B) mean of F"""
        papers = block.each
        rarity, count, said = state.rarity[:, papers], block.divisor[papers], said[:, papers]
        signal, square = state.averages[0, papers], state.averages[1, papers]
        weights = block.forecasts[:, papers] * rarity
        mean = _mean_own(view, weights, count)
        weights *= rarity
        within = view.basis.T * sums_of_products(weights, square[None])[:, 0]  # (J, K)
        sums = np.einsum("sb,sdb->sd", rarity * signal, block.sums[:, :, papers]) @ view.span  # (K, J)
        return cls(
            normal=within @ view.basis - sums_of_products(mean * (square * count), mean),
            cross=view.basis.T @ sums - sums_of_products(mean * (signal * count), said),
            said=np.einsum("jb,jb,b->j", said, said, count),
            freedom=block.freedom,
            signals=np.einsum("b,b->", block.several, signal),
            several=block.forecasts_of_several,
        )

    @classmethod
    def total(cls, parts: Sequence["Regression"]) -> "Regression":
        return parts[0] if len(parts) == 1 else cls(*(sum(numbers) for numbers in zip(*parts, strict=True)))

    @property
    def signal(self) -> float:
        """Average g, papers with one forecast left out."""
        return float(self.signals / self.several)

    def scatter(self, response: FloatArray, squares: FloatArray, view: View) -> FloatArray:
        """(J,) squared differences between the forecasts of each paper, less the own ratings' part.

        squares : (D, D) sums of products of forecasts
        """
        said = ((squares @ view.span) * view.span).sum(axis=0) - self.said
        return np.asarray(said + (response * (self.normal @ response - 2 * self.cross)).sum(axis=0))


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
    def of(cls, block: Block, view: View, said: FloatArray, state: State) -> "Between":
        """said : (J, B) mean of F"""
        papers = block.each
        count = block.divisor[papers]
        mean = _mean_own(view, block.forecasts[:, papers] * state.rarity[:, papers], count)
        both = np.concatenate([said[:, papers], state.averages[0, papers] * mean])
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


def _mean_own(view: View, weights: FloatArray, count: FloatArray) -> FloatArray:
    """(J, B) of Z. weights : (K, B) forecasts times rarity"""
    return np.asarray(view.basis.T @ weights / count)
