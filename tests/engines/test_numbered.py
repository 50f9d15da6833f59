"""Sums where ids are whole numbers: whatever the ids, their order and the batches, those of a group-by."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines import numbered
from surpeer.engines.numbered import MIXING, numbered_sums
from surpeer.engines.rows import HAS, INEXACT, Form
from surpeer.engines.sums import sums_by_paper

FORMS = {
    "packed": Form(2, predictions=True),
    "with products": Form(2, predictions=True, moments=True),
    "four levels": Form(4, predictions=True),
    "no predictions": Form(3),
    "some predictions": Form(3, predictions=True, complete=False, closed=False),
    "three parts": Form(2, predictions=True, decimal=False, closed=False),
}

IDS = {
    "without gaps": lambda number: number,
    "with gaps": lambda number: number * 3 - 50,
    "far apart": lambda number: (number + 1) * 2**40,
    "at the lower end": lambda number: number + -(2**63),
    "at the upper end": lambda number: 2**63 - 1 - number,
    "without any order": lambda number: (number.view(np.uint64) * np.uint64(MIXING)).view(np.int64),
}


def rows_of(ids: IntArray, form: Form) -> pl.DataFrame:
    rng = np.random.default_rng(len(ids))

    def numbers(most: int, dtype: type) -> IntArray:
        return rng.integers(0, most, len(ids), endpoint=True).astype(dtype)

    columns = {PAPER: ids.astype(np.int64), RATING: numbers(form.levels - 1, np.int8)}
    if form.predictions and not form.complete:
        columns[HAS] = numbers(1, np.int8)
    columns |= {f"{part}{level}": numbers(10**6, np.int32) for part in form.parts for level in form.shares}
    if form.predictions and not form.decimal:
        columns[INEXACT] = numbers(1, np.int8)
    return pl.DataFrame(columns)


def check(rows: pl.DataFrame, form: Form, batch: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbered, "REVIEWS_OF_BATCH", batch)
        found = numbered_sums(rows, form)
    assert found is not None
    expected: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect()
    assert_frame_equal(found.sort(PAPER), expected.sort(PAPER), check_exact=True)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many parts, slices and papers without a place as millions of reviews have."""
    monkeypatch.setattr(numbered, "REVIEWS_OF_PART", 16)
    monkeypatch.setattr(numbered, "REVIEWS_ASIDE", 2)


@pytest.mark.parametrize("order", ["shuffled", "sorted", "together", "sorted in batches"])
@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("form", FORMS)
def test_any_ids_in_any_order(form: str, ids: str, order: str) -> None:
    rng = np.random.default_rng(1)
    number = rng.integers(0, 150, 800)
    paper = IDS[ids](number)
    if order == "sorted":
        paper = np.sort(paper)
    elif order == "together":
        paper = IDS[ids](np.repeat(rng.permutation(160), 5))
    elif order == "sorted in batches":  # so that papers of one batch come again in the next
        paper = np.concatenate([np.sort(paper[:300]), np.sort(paper[300:600]), np.sort(paper[600:])])
    rows = rows_of(paper, FORMS[form])
    for batch in (800, 300, 41):
        check(rows, FORMS[form], batch)


@given(
    st.lists(st.sampled_from([-(2**63), -7, 0, 1, 2, 2**40, 2**63 - 1]), min_size=1, max_size=80),
    st.integers(1, 90),
    st.booleans(),
)
def test_any_few_ids(ids: list[int], batch: int, is_sorted: bool) -> None:
    paper = np.array(sorted(ids) if is_sorted else ids, dtype=np.int64)
    check(rows_of(paper, FORMS["packed"]), FORMS["packed"], batch)


def test_a_paper_that_fills_several_batches() -> None:
    """Reviews next to each other, of one paper in many slices, with others before and after it."""
    paper = np.repeat([3, 2**50, 2**50 + 1, 9], [5, 400, 40, 3])
    for batch in (1, 16, 17, 1000):
        check(rows_of(paper, FORMS["packed"]), FORMS["packed"], batch)


def test_all_ids_with_the_same_hash_bits() -> None:
    """Ids made so that all are in one part: it takes longer, no more."""
    inverse = pow(MIXING, -1, 2**64)
    paper = np.array([(number * inverse) % 2**64 for number in range(1000)], dtype=np.uint64).view(np.int64)
    check(rows_of(np.tile(paper, 4), FORMS["packed"]), FORMS["packed"], 500)


def test_ids_that_are_text_are_left_to_others() -> None:
    rows = rows_of(np.arange(10), FORMS["packed"])
    assert numbered_sums(rows.with_columns(pl.col(PAPER).cast(pl.String)), FORMS["packed"]) is None
    assert numbered_sums(rows.head(0), FORMS["packed"]) is None
