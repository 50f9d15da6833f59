"""Values of JSON documents as cells."""

import math
from typing import Any

import pytest

from surpeer.io.platforms.json_cells import cell, found_value, in_one_language, moment, place_in_order


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("", None),
        (" \n", None),
        ("No entry", None),
        ("  A ", "A"),
        (3, "3"),
        (-2, "-2"),
        (3.0, "3"),
        (-0.0, "0"),
        (3.5, "3.5"),
        (1e300, "1e+300"),
        (math.inf, "inf"),
        (math.nan, "nan"),
        (True, "yes"),
        (False, "no"),
        ([], None),
        ([None, ""], None),
        (["A", 2.0, False], "A, 2, no"),
        ([["A"], {"a": 1}, []], "[...], {...}, []"),
        ({}, "{}"),
        ({"a": 1}, "{...}"),
    ],
)
def test_cells(value: Any, text: str | None) -> None:
    assert cell(value) == text


def test_values_in_messages() -> None:
    assert (found_value(None), found_value("a\x1bb"), found_value(2)) == ("nothing", '"a\\x1bb"', '"2"')


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Merit", "Merit"),
        ({"de": "Güte", "en": "Merit"}, "Merit"),
        ({"de": "Güte", "en": " "}, "Güte"),
        ({"de": None}, None),
        ({}, None),
        (None, None),
        (7, "7"),
    ],
)
def test_text_in_several_languages(value: Any, text: str | None) -> None:
    assert in_one_language(value) == text


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1970-01-02", 86400.0),
        ("1970-01-01T00:00:01Z", 1.0),
        (" 1970-01-01 01:00:00.5+01:00 ", 0.5),
        ("1970-01-01T00:00:01", 1.0),
        (12, 12.0),
        (1.5, 1.5),
        (True, None),
        (math.nan, None),
        (10**400, None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+23:59", -62135683140.0),
        (None, None),
        ([], None),
    ],
)
def test_moments(value: Any, seconds: float | None) -> None:
    assert moment(value) == seconds


@pytest.mark.parametrize(
    ("value", "place"),
    [(3, 3.0), (-1.5, -1.5), (None, 7.0), ("3", 7.0), (10**400, 7.0), (math.nan, 7.0), (math.inf, 7.0)],
)
def test_places_in_an_order(value: Any, place: float) -> None:
    assert place_in_order(value, 7.0) == place
