"""A rating as people see it: `6: Marginally above ...` is the level 6 and its label."""

import re

from surpeer.io.review_form.form import Option

NUMBER_FIRST = re.compile(
    r"\s*([-+−]?\d{1,6}(?:[.,]\d{1,20})?)(?![.,]?\d)(?:\s*[:.)\-–—=]+\s*|\s+|(?=\()|$)(.*)", re.DOTALL
)


def split_label(cell: str) -> Option:
    """A rating as number and label, or as it is.

    >>> split_label("6: Marginally above"), split_label("3 good"), split_label("2.0"), split_label("Accept")
    (Option(symbol='6', label='Marginally above'), Option(symbol='3', label='good'), Option(symbol='2', label=''), \
Option(symbol='Accept', label=''))
    """
    match = NUMBER_FIRST.fullmatch(cell)
    if match is None:
        return Option(cell.strip())
    label = match[2].strip()
    return Option(plain_text(match[1]), label[1:-1] if label.startswith("(") and label.endswith(")") else label)


def plain_text(number: str) -> str:
    """A number without what does not count: `+3.0` is 3."""
    text = f"{float(number.replace('−', '-').replace(',', '.')):.10g}"
    return "0" if text == "-0" else text
