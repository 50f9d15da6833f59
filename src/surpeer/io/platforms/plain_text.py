"""Names and numbers without what does not count: markup, needless spaces, zeros at the end."""

import html
import re

from surpeer.scale import plain_number

LONGEST_NUMBER = 24
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def is_number(text: str) -> bool:
    """Whether text is a number in plain digits, and not a very long one."""
    return len(text) <= LONGEST_NUMBER and plain_number(text) is not None


def number_text(text: str) -> str:
    """A decimal number without the zeros at its end; other text as it is.

    >>> number_text("3.00"), number_text("-2.50"), number_text("v1.0")
    ('3', '-2.5', 'v1.0')
    """
    if "." not in text or not is_number(text):
        return text
    number = text.rstrip("0").rstrip(".")
    return number if number.strip("+-0") else "0"


def plain_name(text: str) -> str:
    """A name without markup, entities and needless spaces.

    >>> plain_name("<b>Novelty</b> &amp;  depth")
    'Novelty & depth'
    """
    return " ".join(html.unescape(_TAG.sub("", text)).split())
