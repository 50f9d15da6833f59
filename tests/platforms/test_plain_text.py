"""Names without markup and numbers without needless zeros."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.io.platforms.plain_text import number_text, plain_name


@pytest.mark.parametrize(
    ("text", "number"),
    [("3.00", "3"), ("3.50", "3.5"), ("-0.00", "0"), (".0", "0"), ("+.50", "+.5"), ("10", "10"), ("100.0", "100"),
     ("3.", "3"), ("v1.0", "v1.0"), ("1.0.0", "1.0.0"), (".", "."), ("1e3.0", "1e3.0"), ("0." + "1" * 30, "0." + "1" * 30)],
)  # fmt: skip
def test_zeros_at_the_end_of_numbers(text: str, number: str) -> None:
    assert number_text(text) == number


@given(st.integers(-(10**6), 10**6), st.integers(0, 3))
def test_a_number_stays_the_same_number(whole: int, zeros: int) -> None:
    assert number_text(f"{whole}.{'0' * zeros}") == str(whole)
    assert float(number_text(f"{whole}.25{'0' * zeros}")) == float(f"{whole}.25")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("<b class='x'>Overall</b> merit<br/>", "Overall merit"),
        ("Merit &lt;b&gt; &amp; depth", "Merit <b> & depth"),
        ("a < b > c", "a < b > c"),
        ("\n a \t b", "a b"),
        ("<a" * 50_000, "<a" * 50_000),
    ],
)
def test_names_without_markup(name: str, plain: str) -> None:
    assert plain_name(name) == plain
