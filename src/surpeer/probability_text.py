"""A probability as people read it, in tables and in sentences."""


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
