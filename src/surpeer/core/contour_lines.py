"""Lines of equal score for a paper with two levels: which pairs of predictions lead to the same surprisal score.

With x the share of accepts that those who rejected predict (P01), y what those who accepted predict (P11) and v the
share of accepts that came, the score is

    S = (v - q) / sqrt(q (1 - q) (y - x)),        q = x / (x + 1 - y),

so that for a given prior q the distance d = y - x of a line S = s is (v - q)^2 / (s^2 q (1 - q)), and x = q (1 - d).
Every line is therefore known in closed form, with q running over all priors for which 0 < d <= 1.
"""

import numpy as np

from surpeer.core.shapes import FloatArray
from surpeer.errors import ArrayError

DENSE = 1000
"""Points from which those that are evenly spaced are found; at most so many can be asked for."""


def score_line(v: float, score: float, points: int = 60) -> FloatArray:
    """(points, 2) pairs (x, y) on which a paper with a share v of accepts has this score, evenly along the line.

    >>> line = score_line(0.5, 1.0, 5)
    >>> x, y = line[2]
    >>> q = x / (x + 1 - y)
    >>> float(round((0.5 - q) / np.sqrt(q * (1 - q) * (y - x)), 12))
    1.0
    """
    if not 0 <= v <= 1:
        raise ArrayError(f"v is {v}, expected a share from 0 to 1")
    if not np.isfinite(score):
        raise ArrayError(f"score is {score}, expected a finite number")
    if score == 0:  # all predictions whose prior is what came
        distance = np.linspace(0, 1, points)
        return _pairs(np.full(points, v), distance)
    many = _priors(v, score, DENSE)
    steps = np.hypot(*np.diff(_on_line(v, score, many), axis=0).T)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    q = np.interp(np.linspace(0, way[-1], points), way, many) if way[-1] > 0 else many[:points]
    return _on_line(v, score, q)


def _on_line(v: float, score: float, q: FloatArray) -> FloatArray:
    """(..., 2) the points of a line that belong to these priors."""
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(q * (1 - q) > 0, (v - q) ** 2 / (score**2 * q * (1 - q)), 0.0)
    return _pairs(q, np.clip(distance, 0.0, 1.0))


def _priors(v: float, score: float, points: int) -> FloatArray:
    """Priors from v, where the line leaves the diagonal, to where d = 1: below v for positive scores, above for others.

    d = 1 where (v - q)^2 = s^2 q (1 - q), a quadratic equation in q.
    """
    a, b, c = 1 + score**2, -(2 * v + score**2), v**2
    root = np.sqrt(max(b**2 - 4 * a * c, 0.0))
    end = (-b - root) / (2 * a) if score > 0 else (-b + root) / (2 * a)
    bent = np.linspace(0, 1, points) ** 2  # denser near the diagonal's end, where d grows slowly
    return np.asarray(v + (end - v) * bent[::-1] if abs(end - v) > 0 else np.full(points, v))


def _pairs(q: FloatArray, distance: FloatArray) -> FloatArray:
    x = q * (1 - distance)
    return np.stack([x, x + distance], axis=1)
