"""Sums where ids are whole numbers: whatever the ids, their order and the batches, those of a group-by.

All of it is tested with numpy alone, and with compiled loops.
"""

from collections.abc import Iterator
from importlib import import_module

import numpy as np
import polars as pl
import pytest
from at_length import every_pair
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.columns import PAPER, RATING
from surpeer.core.shapes import IntArray
from surpeer.engines import divided, numbered
from surpeer.engines.compiled import Compiled
from surpeer.engines.equal_numbers import MIXING, equal_numbers
from surpeer.engines.numbered import numbered_sums
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
        patch.setattr(numbered, "REVIEWS_OF_LOOP", batch)
        found = numbered_sums(rows, form)
    assert found is not None
    expected: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect()
    assert_frame_equal(found.sort(PAPER), expected.sort(PAPER), check_exact=True)


@pytest.fixture(autouse=True, scope="module", params=["numpy", "compiled"])
def _loops(request: pytest.FixtureRequest) -> Iterator[None]:
    compiled = import_module("surpeer.engines.compiled_loops") if request.param == "compiled" else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compiled, "loops", compiled)
        yield


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many parts and slices as millions of reviews have."""
    monkeypatch.setattr(divided, "REVIEWS_OF_PART", 16)
    monkeypatch.setattr(numbered, "REVIEWS_AT_ONCE", 16)


@every_pair("form, ids, order", FORMS, IDS, ["shuffled", "sorted", "together", "sorted in batches"])
def test_any_ids_in_any_order(form: str, ids: str, order: str) -> None:
    rng = np.random.default_rng(1)
    number = rng.integers(0, 75, 400)
    paper = IDS[ids](number)
    if order == "sorted":
        paper = np.sort(paper)
    elif order == "together":
        paper = IDS[ids](np.repeat(rng.permutation(80), 5))
    elif order == "sorted in batches":  # so that papers of one batch come again in the next
        paper = np.concatenate([np.sort(paper[:150]), np.sort(paper[150:300]), np.sort(paper[300:])])
    rows = rows_of(paper, FORMS[form])
    for batch in (400, 150, 41):
        check(rows, FORMS[form], batch)


@pytest.mark.parametrize("form", ["packed", "four levels"])
def test_papers_together_but_one_that_comes_again(form: str) -> None:
    """Whether papers are in one run each is seen by their ids, in whatever order: one that is in two has all reviews."""
    together = np.repeat(np.random.default_rng(2).permutation(60) * 2**40, 5)
    rows = rows_of(together, FORMS[form])
    check(rows, FORMS[form], 100)
    again = np.concatenate([together, together[:3]])
    check(rows_of(again, FORMS[form]), FORMS[form], 100)


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


@pytest.mark.parametrize("small", [1, 50, 10_000])
def test_reviews_in_several_pieces_of_memory(monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    """As they were read: batches of any length, an empty one among them, and ids in other pieces than the rest."""
    monkeypatch.setattr(numbered, "SMALL_BATCH", small)
    rows = rows_of(np.random.default_rng(3).integers(0, 90, 500), FORMS["packed"])
    pieces = [rows[:7], rows[7:7], rows[7:300], rows[300:]]
    ids = pl.concat([rows[PAPER][:150], rows[PAPER][150:]], rechunk=False)
    check(pl.concat(pieces, rechunk=False).with_columns(ids), FORMS["packed"], 100)


@pytest.mark.parametrize("lowest", [-(2**63), -(2**40)])
def test_all_ids_in_one_part(lowest: int) -> None:
    """Ids made so that all are in one part, too large to be packed and not: it takes longer, no more."""
    many = np.random.default_rng(4).integers(lowest, -lowest - 1, 100_000)
    division = divided.Division.of(4 * 200)
    assert division.parts == 64
    first = division.divided({PAPER: many}, short=False).rows(0)
    paper = division.ids(0, first[divided.BLOCK])[:200]
    assert len(paper) == 200
    assert np.isin(paper, many).all()
    assert division.divided({PAPER: paper}, short=False).ends == [200] * 64
    check(rows_of(np.tile(paper, 4), FORMS["packed"]), FORMS["packed"], 500)


@given(st.lists(st.sampled_from([-(2**63), -1, 0, 1, 5, 2**32, 2**62, 2**63 - 1])), st.integers(1, 70))
def test_equal_numbers_are_found(few: list[int], times: int) -> None:
    numbers = np.array(few * times, dtype=np.int64)
    found = equal_numbers(numbers)
    assert numbers[found.examples][found.which].tolist() == numbers.tolist()
    assert sorted(numbers[found.examples].tolist()) == sorted(set(few))


def test_ids_that_are_text_are_left_to_others() -> None:
    rows = rows_of(np.arange(10), FORMS["packed"])
    assert numbered_sums(rows.with_columns(pl.col(PAPER).cast(pl.String)), FORMS["packed"]) is None
    assert numbered_sums(rows.head(0), FORMS["packed"]) is None
