"""Numbers as people type them on a command line: 0.3, 30%, 3/10, 512MB."""

import re
from fractions import Fraction

from surpeer.errors import InputError

SIZE = re.compile(r"(\d+(?:\.\d*)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}

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


def read_accept(text: str) -> int | Fraction:
    """A number of papers (digits alone) or a share of them (a percentage, a decimal fraction, a quotient).

    >>> read_accept("25"), read_accept("25%"), read_accept("0.25"), read_accept("1/4")
    (25, Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    plain = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", plain):
        if int(plain) == 0:
            raise InputError(f"--accept {text}: expected at least one paper")
        return int(plain)
    number = read_number(plain)
    if number is None:
        raise InputError(f"--accept {text}: expected a number of papers such as 12, or a share such as 25% or 0.25")
    if not 0 < number < 1:
        raise InputError(
            f"--accept {text}: expected a share of more than 0% and less than 100%, or a number of papers such as 12"
        )
    return number


def read_certainty(text: str) -> float:
    """A probability of at least one half.

    >>> read_certainty("80%")
    0.8
    """
    number = read_number(text)
    if number is None or not Fraction(1, 2) <= number < 1:
        raise InputError(f"--certainty {text}: expected a probability from 0.5 to below 1, such as 0.8 or 80%")
    return float(number)


def read_size(option: str, text: str, least: int) -> int:
    """A number of bytes such as 512MB, 4GB or 2GiB.

    >>> read_size("--memory", "512MB", 0), read_size("--memory", "1.5 GiB", 0)
    (512000000, 1610612736)
    """
    found = SIZE.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{option} {text}: expected a size such as 512MB or 4GB")
    number, unit, binary = found.groups()
    size = int(Fraction(number) * (1024 if binary else 1000) ** POWERS[unit.lower()])
    if size < least:
        raise InputError(f"{option} {text}: expected at least {least // 1_000_000}MB, which surpeer itself needs")
    return size
