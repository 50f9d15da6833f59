"""Which papers are learned from does not depend on how a file has their ids."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer import id_hash as module
from surpeer.id_hash import id_hash

numbers = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.one_of(numbers, st.text(min_size=1, max_size=8)), max_size=30), st.sampled_from([1, 20, 1 << 18]))
def test_numbers_have_the_same_hash_as_text_among_any_others(ids: list[int | str], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BYTES_AT_ONCE", at_once)
        found = id_hash(pl.Series([str(one) for one in ids], dtype=pl.String)).tolist()
    alone = [id_hash(pl.Series([one])).item() for one in ids]
    assert found == alone


@pytest.mark.parametrize("text", ["007", "+7", " 7", "7.0", "-0", "9223372036854775808", "1e3", "٧"])
def test_other_spellings_are_other_ids(text: str) -> None:
    others = id_hash(pl.Series([7, 0, -(2**63), 1000])).tolist()
    assert id_hash(pl.Series([text])).item() not in others
