"""Matrices -> Scores. A method is one file in this folder and one line in METHODS."""

from surpeer.errors import UnknownName
from surpeer.matrices import Matrices
from surpeer.scores import linear_bayes, mean, sp, surprisal, surprisal_phi, venue
from surpeer.scores.method import Method, Outcome, Score, Scores

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        venue.METHOD,
        mean.METHOD,
        surprisal.METHOD,
        sp.METHOD,
        surprisal_phi.METHOD,
        linear_bayes.METHOD,
    )
}

DEFAULT_METHOD = venue.METHOD.name


def find_method(name: str) -> Method:
    """The registered method of this name."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]


def score(matrices: Matrices, method: str = DEFAULT_METHOD) -> Scores:
    """Score every paper with one method."""
    chosen = find_method(method)
    return Scores(chosen.name, matrices, chosen.function(matrices))


__all__ = ["DEFAULT_METHOD", "METHODS", "Method", "Outcome", "Score", "Scores", "find_method", "score"]
