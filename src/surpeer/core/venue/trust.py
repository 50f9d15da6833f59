"""How far forecasts are followed: as far as this venue's forecasts have shown themselves to be about bias.

Four things can make a forecast say something else. It may be noise: then papers' forecasts differ no more than
reviewers' do, and the variance between papers is taken only as far as it is evident. It may be the reviewer's own
opinion, which also knows about quality: then following it would take quality away with the bias. It may be cautious:
then ratings move more between papers than forecasts said. And it may be knowledge of what the others will say, which
the own rating adds nothing to: then it does not rise with the own rating, and is not followed at all.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.core.venue.by_paper import Forecasts
from surpeer.core.venue.evidence import EVIDENT, LEAST_VARIANCE, as_far_as_evident, jackknife_error
from surpeer.core.venue.forecast_model import Bias, ForecastModel
from surpeer.core.venue.own_rating import Projection

# Forecasts are never counted more than twice, however cautious they look.
MOST_CORRECTION = 2.0

FREEDOM, RATED_WITHIN = 2, 6  # columns of _Relation.rows


@dataclass(frozen=True)
class Trust:
    """What becomes of the forecasts."""

    weight: float
    """By what the bias that forecasts show is multiplied before it is taken from the ratings; 0 to 2."""
    bias: Bias
    """As of the model, with the variance reduced to what is evident."""
    caution: float
    """By how much more ratings differ between papers than forecasts say: 1 if forecasts are what they should be."""
    knowledge: float
    """How much of a paper's quality is in its forecasts, per unit of quality."""
    projection: Projection
    differ: bool
    """Whether forecasts evidently differ between papers in the expected rating."""
    leaves_quality: bool
    """False where taking forecasts off would leave far less quality in the ratings than forecasts themselves imply."""
    judged: bool = True
    """False where there were too few forecasts to judge them by."""

    @property
    def follows(self) -> bool:
        """Whether forecasts have any influence."""
        return self.weight > 0


def no_trust(size: int) -> Trust:
    """Where there is nothing to judge forecasts by. size : J"""
    nothing = np.zeros(size)
    return Trust(
        0.0,
        Bias(nothing, nothing),
        1.0,
        0.0,
        Projection(0.0, 0.0, 0.0, 0.0, responds=False),
        differ=False,
        leaves_quality=True,
        judged=False,
    )


def judge_forecasts(forecasts: Forecasts, model: ForecastModel, projection: Projection) -> Trust:
    """The trust that a venue's forecasts deserve."""
    own = model.basis[forecasts.rating, 0]
    relation = _Relation.of(forecasts, model.residual, own)
    bias = Bias(model.bias.mean, model.bias.variance * _evident_share(forecasts, model))
    signals = len(model.q)
    caution = relation.caution() if signals == 2 else 1.0  # on finer scales correcting it did not help: see the docs
    knowledge = 2 * projection.weight / (signals - 1) ** 2 / (1 - projection.slope)
    weight = 0.0
    differ = bool(bias.variance[0] > 0 and relation.said > LEAST_VARIANCE)
    if differ and projection.responds and knowledge < 1 and knowledge * caution < 1:
        weight = (caution - knowledge * relation.rated / relation.said) / (1 - knowledge * caution)
        weight = min(max(weight, 0.0), caution)  # knowledge can only take away
    leaves = weight == 0 or relation.leaves_quality(weight, projection)
    weight = weight if leaves else 0.0
    return Trust(weight, bias, caution, knowledge, projection, differ, leaves)


def _evident_share(forecasts: Forecasts, model: ForecastModel) -> FloatArray:
    """(J,) what part of the variance between papers' forecasts is beyond doubt."""
    present = forecasts.present
    implied = (model.level_chances.T[:, :, None] * model.sums.mean).sum(axis=0)[present]
    total = implied.var(axis=0, ddof=1)
    noise = model.error * (1 / forecasts.count[present]).mean()
    doubt = np.sqrt(2 * total**2 / (len(implied) - 1) + 2 * noise**2 / forecasts.degrees_of_freedom)
    between = np.maximum(total - noise, 0.0)
    return np.asarray(as_far_as_evident(between, 0.0, doubt) / np.where(between > 0, between, 1.0))


@dataclass(frozen=True)
class _Relation:
    """How forecasts (less the own rating's part) and ratings vary together between papers, sampling noise taken off."""

    rows: FloatArray
    """(N, C) what each paper adds to the sums."""
    said: float
    """Variance of forecasts."""
    rated: float
    """Variance of ratings."""
    both: float
    """Their covariance."""

    @classmethod
    def of(cls, forecasts: Forecasts, said: FloatArray, rated: FloatArray) -> "_Relation":
        present = forecasts.present
        count = forecasts.count[present].astype(np.float64)
        means = [forecasts.sum(rows)[present] / count for rows in (said, rated)]
        apart = [forecasts.centred(rows[:, None])[:, 0] for rows in (said, rated)]
        pairs = ((0, 0), (1, 1), (0, 1))
        within = [forecasts.sum(apart[one] * apart[two])[present] for one, two in pairs]
        products = [means[one] * means[two] for one, two in pairs]
        rows = np.stack([np.ones_like(count), 1 / count, count - 1, *means, *within, *products], axis=1)
        return cls(rows, *_covariances(rows.sum(axis=0)).tolist())

    def leaves_quality(self, weight: float, projection: Projection) -> bool:
        """Whether the variance of ratings that is left when forecasts are taken off agrees with the own ratings' slope.

        Forecasts that follow own ratings with a slope of b say that b / (1 - b) times the variance within papers is
        quality. If evidently less than half of that is left, they took quality off, not bias.
        """
        slope = max(projection.slope - projection.weight, 0.0) / (1 - projection.weight)
        totals = self.rows.sum(axis=0)
        implied = slope / (1 - slope) * totals[RATED_WITHIN] / totals[FREEDOM]

        def left(sums: FloatArray) -> FloatArray:
            said, rated, both = np.moveaxis(_covariances(sums), -1, 0)
            return np.asarray(rated - 2 * weight * both + weight**2 * said)[..., None]

        return bool(left(totals)[0] + EVIDENT * jackknife_error(left, self.rows)[0] >= implied / 2)

    def caution(self) -> float:
        """Regression of ratings on forecasts: 1 unless the venue shows otherwise."""
        if self.said <= LEAST_VARIANCE:
            return 1.0
        error = jackknife_error(lambda sums: _slope(_covariances(sums)), self.rows)
        return float(np.clip(as_far_as_evident(self.both / self.said, 1.0, error[0]), 0.0, MOST_CORRECTION))


def _slope(covariances: FloatArray) -> FloatArray:
    said, _, both = np.moveaxis(covariances, -1, 0)
    return np.asarray(both / np.maximum(said, LEAST_VARIANCE))[..., None]


def _covariances(sums: FloatArray) -> FloatArray:
    """(..., 3) variance of forecasts, variance of ratings, covariance, between papers."""
    papers, inverse, freedom = np.moveaxis(sums[..., :3], -1, 0)
    mean_said, mean_rated = sums[..., 3], sums[..., 4]
    within, products = sums[..., 5:8], sums[..., 8:]
    crossed = np.stack([mean_said**2, mean_rated**2, mean_said * mean_rated], axis=-1)
    total = (products - crossed / papers[..., None]) / (papers - 1)[..., None]
    return np.asarray(total - within * (inverse / papers / freedom)[..., None])
