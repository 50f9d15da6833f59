"""Probabilities and shares as people read them, in tables and in sentences."""

from fractions import Fraction


def probability_text(probability: float | None) -> str:
    """A percentage that is never quite 0 or 100, which nobody can know; `-` where there is none.

    >>> probability_text(0.8341), probability_text(1.0), probability_text(0.0002), probability_text(None)
    ('83.4%', '>99.9%', '<0.1%', '-')
    """
    if probability is None:
        return "-"
    if probability < 0.001:
        return "<0.1%"
    return ">99.9%" if probability > 0.999 else f"{probability:.1%}"


def percent_text(number: float | Fraction) -> str:
    """As a percentage with as many digits as it needs, up to six: 80%, 33.3%.

    >>> percent_text(0.8), percent_text(1 / 3), percent_text(0.99999)
    ('80%', '33.3333%', '99.999%')
    """
    return f"{100 * float(number):.6g}%"
