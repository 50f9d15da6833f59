"""Numbers that only options of the command line take: a certainty, and sizes such as 512MB."""

import re
from fractions import Fraction

from surpeer.errors import InputError
from surpeer.typed_numbers import read_number

SIZE = re.compile(r"(\d+(?:\.\d*)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


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
