"""Numbers for people: no minus before zero, anywhere, and parts that add up as they are shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.report.number_text import decimal_text, parts_text, signed_text

NUMBERS = st.floats(-1e4, 1e4)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [
        (0.0, "0.00", "0.00"),
        (-0.0, "0.00", "0.00"),
        (-0.0049, "0.00", "0.00"),
        (0.0049, "0.00", "0.00"),
        (-0.0051, "−0.01", "−0.01"),
        (1.239, "1.24", "+1.24"),
        (12, "12.00", "+12.00"),
        (None, "–", "–"),
        (float("nan"), "–", "–"),
        (float("inf"), "∞", "+∞"),
        (float("-inf"), "−∞", "−∞"),
    ],
)
def test_as_people_read_them(value: float | None, plain: str, signed: str) -> None:
    assert (decimal_text(value), signed_text(value)) == (plain, signed)


@given(NUMBERS, st.integers(0, 4))
def test_never_a_minus_before_zero(value: float, digits: int) -> None:
    for text in (decimal_text(value, digits), signed_text(value, digits)):
        assert number(text) == pytest.approx(value, abs=0.5000001 * 10.0**-digits)
        assert text.startswith("−") == (number(text) < 0)


@given(st.lists(NUMBERS, min_size=1, max_size=6), st.integers(0, 3))
def test_parts_add_up_as_they_are_shown(parts: list[float], digits: int) -> None:
    total = float(np.sum(parts))
    shown = parts_text(parts, total, digits)
    assert sum(map(number, shown)) == pytest.approx(number(decimal_text(total, digits)), abs=1e-9)
    for part, text in zip(parts, shown, strict=True):
        assert number(text) == pytest.approx(part, abs=1.0001 * 10.0**-digits)


def test_parts_that_already_add_up_are_rounded_as_usual() -> None:
    assert parts_text([2.196, -1.734, 0.284], 0.746) == ["+2.20", "−1.73", "+0.28"]
    assert parts_text([0.004, -0.004, 0.0], 0.0) == ["0.00", "0.00", "0.00"]


def test_parts_that_do_not_are_changed_by_one_in_the_last_digit() -> None:
    assert parts_text([0.334, 0.334, 0.334], 1.002) == ["+0.34", "+0.33", "+0.33"]
    assert parts_text([-0.336, -0.336, -0.336], -1.008) == ["−0.33", "−0.34", "−0.34"]
