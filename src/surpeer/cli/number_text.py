"""Numbers as people type them on a command line: 0.3, 30%, 3/10."""

import re
from fractions import Fraction

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?(\s*/\s*\d+)?")


def read_number(text: str) -> Fraction | None:
    """The number, None where the text is none.

    >>> read_number("0.3") == read_number("30%") == read_number(" 3/10 "), read_number("0,3")
    (True, None)
    """
    plain = text.strip()
    percent = plain.endswith("%")
    plain = plain.removesuffix("%").strip()
    if not NUMBER.fullmatch(plain):
        return None
    top, _, bottom = plain.partition("/")
    if bottom and int(bottom) == 0:
        return None
    number = Fraction(top.strip()) / (int(bottom) if bottom else 1)
    return number / 100 if percent else number


def percent_text(number: float | Fraction) -> str:
    """As a percentage with as many digits as it needs, up to six: 80%, 33.3%.

    >>> percent_text(0.8), percent_text(1 / 3), percent_text(0.99999)
    ('80%', '33.3333%', '99.999%')
    """
    return f"{100 * float(number):.6g}%"
