"""Sums over papers from which forecasts' regression on own ratings follows."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.basis import View
from surpeer.core.venue.blocks import Block
from surpeer.core.venue.steps import State


@dataclass(frozen=True)
class Regression:
    """Of forecasts F on own ratings Z, weighted by what is believed of the papers' noise levels."""

    normal: FloatArray
    """(J, J) sum of g^2 Z Z', Z less its paper's mean."""
    cross: FloatArray
    """(J, J) sum of g Z F', Z less its paper's mean."""
    said: FloatArray
    """(J,) sum over papers of the squared sum of F, divided by the number of forecasts."""
    papers: float
    freedom: float
    """Of differences between forecasts of one paper."""
    inverses: float
    """Sum of one over the number of forecasts."""
    signals: FloatArray
    """(2,) sum of forecasts times g over papers that have more than one; the same without g."""
    means: FloatArray
    """(2 J,) sum over papers of the mean of F, and of g times the mean of Z."""
    products: FloatArray
    """(2 J, 2 J) sum of products of these."""

    @classmethod
    def of(cls, block: Block, view: View, said: FloatArray, state: State) -> "Regression":
        """said : (J, B) mean of F"""
        papers = block.each
        rarity, count, said = state.rarity[:, papers], block.divisor[papers], said[:, papers]
        signal, square = state.averages[0, papers], state.averages[1, papers]
        weights = block.forecasts[:, papers] * rarity
        mean = view.basis.T @ weights / count  # (J, B) of Z
        within = view.basis.T * ((weights * rarity) @ square)  # (J, K)
        sums = np.einsum("sb,sdb->sd", rarity * signal, block.sums[:, :, papers]) @ view.span  # (K, J)
        several = count * (count > 1)
        both = np.concatenate([said, signal * mean])
        return cls(
            normal=within @ view.basis - (mean * (square * count)) @ mean.T,
            cross=view.basis.T @ sums - (mean * (signal * count)) @ said.T,
            said=said**2 @ count,
            papers=float(len(count)),
            freedom=float((count - 1).sum()),
            inverses=float((1 / count).sum()),
            signals=np.array([several @ signal, several.sum()]),
            means=both.sum(axis=1),
            products=both @ both.T,
        )

    @classmethod
    def total(cls, parts: Sequence["Regression"]) -> "Regression":
        return (
            parts[0]
            if len(parts) == 1
            else cls(*(sum(getattr(part, field.name) for part in parts) for field in fields(cls)))
        )

    @property
    def signal(self) -> float:
        """Average g, papers with one forecast left out."""
        return float(self.signals[0] / self.signals[1])

    @property
    def inverse(self) -> float:
        """Average over papers of one over the number of forecasts."""
        return self.inverses / self.papers

    def scatter(self, response: FloatArray, squares: FloatArray, view: View) -> FloatArray:
        """(J,) squared differences between the forecasts of each paper, less the own ratings' part.

        squares : (D, D) sums of products of forecasts
        """
        said = ((squares @ view.span) * view.span).sum(axis=0) - self.said
        both = (response * self.cross).sum(axis=0)
        rated = (response * (self.normal @ response)).sum(axis=0)
        return np.asarray(said - 2 * both + rated)

    def variance(self, response: FloatArray) -> FloatArray:
        """(J,) between papers, of the priors that forecasts imply: mean F less g R times mean Z."""
        size = len(response)
        implied = np.concatenate([np.eye(size), -response])  # (2 J, J)
        centred = self.products - np.outer(self.means, self.means) / self.papers
        return np.asarray((implied * (centred @ implied)).sum(axis=0) / self.papers)
