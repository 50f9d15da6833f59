"""Numbers as people type them, on a command line or in a form: 0.3, 30%, 3/10."""

import re
from fractions import Fraction

from surpeer.errors import InputError

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


def read_accept(text: str, asked: str = "--accept") -> int | Fraction:
    """A number of papers (digits alone) or a share of them (a percentage, a decimal fraction, a quotient).

    asked : what errors call the place where it was typed

    >>> read_accept("25"), read_accept("25%"), read_accept("0.25"), read_accept("1/4")
    (25, Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    plain = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", plain):
        if int(plain) == 0:
            raise InputError(f"{asked} {text}: expected at least one paper")
        return int(plain)
    number = read_number(plain)
    if number is None:
        raise InputError(f"{asked} {text}: expected a number of papers such as 12, or a share such as 25% or 0.25")
    if not 0 < number < 1:
        raise InputError(
            f"{asked} {text}: expected a share of more than 0% and less than 100%, or a number of papers such as 12"
        )
    return number
