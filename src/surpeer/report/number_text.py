"""Numbers as people read them, in reports and on pages: a real minus sign, never a minus before zero, and parts of a
sum that still add up after rounding. `dom.js` does the same in the browser."""

from collections.abc import Sequence
from math import floor, isinf, isnan

DASH = "–"
"""Where there is no number."""


def decimal_text(value: float | None, digits: int = 2) -> str:
    """A number with so many digits after the point.

    >>> decimal_text(-0.351), decimal_text(-0.001), decimal_text(2, 0), decimal_text(None)
    ('−0.35', '0.00', '2', '–')
    """
    return _text(value, digits, "")


def signed_text(value: float | None, digits: int = 2) -> str:
    """The same with a plus sign before what is larger than zero.

    >>> signed_text(0.351), signed_text(-0.351), signed_text(0.001)
    ('+0.35', '−0.35', '0.00')
    """
    return _text(value, digits, "+")


def parts_text(parts: Sequence[float], total: float, digits: int = 2) -> list[str]:
    """The parts of a total, signed and rounded so that what is shown adds up to the total as it is shown.

    Each is rounded down, and what is then missing goes to those that lost most (largest remainders): none is further
    off than one unit of its last digit.

    >>> parts_text([2.204, -1.732, 0.274], 0.746)  # each by itself: 2.20 − 1.73 + 0.27 = 0.74
    ['+2.21', '−1.73', '+0.27']
    """
    return [signed_text(part, digits) for part in rounded_parts(parts, total, digits)]


def rounded_parts(parts: Sequence[float], total: float, digits: int = 2) -> list[float]:
    """The same as numbers, for tables that write them in their own way.

    >>> rounded_parts([2.204, -1.732, 0.274], 0.746)
    [2.21, -1.73, 0.27]
    """
    unit = 10.0**digits
    exact = [part * unit for part in parts]
    whole = [floor(part) for part in exact]
    each, few = divmod(round(float(f"{total:.{digits}f}") * unit) - sum(whole), len(whole))
    lost_most = sorted(range(len(whole)), key=lambda at: whole[at] - exact[at])[:few]
    return [(number + each + (at in lost_most)) / unit for at, number in enumerate(whole)]


def _text(value: float | None, digits: int, plus: str) -> str:
    if value is None or isnan(value):
        return DASH
    if isinf(value):
        return "−∞" if value < 0 else f"{plus}∞"
    text = f"{value:z.{digits}f}"
    return f"{plus if float(text) > 0 else ''}{text}".replace("-", "−")
