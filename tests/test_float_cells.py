"""A number of a table is the decimal that its cell prints as, whatever float it is kept in."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer import Reviews, Scale, calibrate
from surpeer.float_cells import as_floats

SHARES = ("p_reject", "p_accept")
AS_32_BITS = st.floats(-100, 100, width=32)


@given(st.lists(st.none() | AS_32_BITS | st.integers(0, 100).map(lambda part: float(np.float32(part / 100)))))
def test_floats_of_32_bits_are_what_they_print_as(numbers: list[float | None]) -> None:
    column = pl.Series("p", numbers, dtype=pl.Float32)
    expected = [None if number is None else float(str(np.float32(number))) for number in numbers]
    assert as_floats(column).to_list() == expected
    assert as_floats(column).dtype == pl.Float64


def test_every_ten_thousandth_comes_back() -> None:
    parts = np.arange(100 * 10_000 + 1) / 10_000
    assert np.array_equal(as_floats(pl.Series(parts.astype(np.float32))).to_numpy(), parts)


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Int8, pl.UInt64, pl.Decimal(10, 2)])
def test_other_numbers_stay_what_they_are(dtype: pl.DataType) -> None:
    found = as_floats(pl.Series([0, 1, None, 100], dtype=dtype))
    assert found.to_list() == [0.0, 1.0, None, 100.0]
    assert math.isnan(as_floats(pl.Series([float("nan")], dtype=pl.Float32))[0])


def test_a_determinant_that_is_zero_stays_zero() -> None:
    """Those who reject predict 0.01 and 0.29, on average what the one who accepts predicts: nothing can be learned."""
    table = pl.DataFrame(
        {
            "paper": ["A"] * 3,
            "rating": ["reject", "reject", "accept"],
            "p_reject": [0.99, 0.71, 0.85],
            "p_accept": [0.01, 0.29, 0.15],
        }
    )
    narrow = table.with_columns(pl.col(SHARES).cast(pl.Float32))
    as_they_are = narrow.with_columns(pl.col(SHARES).cast(pl.Float64))
    found = [
        calibrate(Reviews.from_table(frame, Scale(["reject", "accept"])), "surprisal").table["status"].to_list()
        for frame in (table, narrow, as_they_are)
    ]
    assert found[0] == found[1]
    assert found[0] != found[2], "the example is one of those that rounding decides"
