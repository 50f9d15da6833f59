"""Matrices -> Scores. A method is one file in this folder and one line in METHODS."""

from surpeer.errors import UnknownName
from surpeer.matrices import Matrices
from surpeer.scores import mean, sp, surprisal
from surpeer.scores.method import Method, Score, Scores

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        mean.METHOD,
        surprisal.METHOD,
        sp.METHOD,
    )
}

DEFAULT_METHOD = surprisal.METHOD.name


def find_method(name: str) -> Method:
    """The registered method of this name."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]


def score(matrices: Matrices, method: str = DEFAULT_METHOD) -> Scores:
    """Score every paper with one method."""
    chosen = find_method(method)
    value, status = chosen.function(matrices)
    return Scores(chosen.name, matrices, value, status)


__all__ = ["DEFAULT_METHOD", "METHODS", "Method", "Score", "Scores", "find_method", "score"]
