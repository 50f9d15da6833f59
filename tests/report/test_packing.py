"""Sentences written as patterns and numbers come back as they were."""

import json

from hypothesis import given
from hypothesis import strategies as st

from surpeer.report.packing import GAP, pack, unpack


@given(st.lists(st.none() | st.text() | st.from_regex(r"[a-z ]*\d+[.,]\d+[a-z.]*", fullmatch=True)))
def test_nothing_is_lost(texts: list[str | None]) -> None:
    packed = pack(texts)
    assert unpack(packed) == texts
    assert unpack(json.loads(json.dumps(packed))) == texts


def test_a_pattern_is_written_once() -> None:
    texts = [f"Mean rating {at / 8:.2f} from {at} reviews (rank {at:,} of 20,000)." for at in range(2000)]
    packed = pack(texts)
    assert isinstance(packed, dict)
    assert packed["patterns"] == [f"Mean rating {GAP} from {GAP} reviews (rank {GAP} of {GAP})."]
    assert packed["rows"][1234] == "0|154.25|1234|1,234|20,000"
    assert len(json.dumps(packed)) < len(json.dumps(texts)) / 2


def test_texts_with_the_character_of_gaps_stay_as_they_are() -> None:
    texts = ["A 1", f"odd {GAP} text 2"]
    assert pack(texts) == texts
    assert unpack(pack(texts)) == texts
