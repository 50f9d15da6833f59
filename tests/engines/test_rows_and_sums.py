"""Sums by paper: the two ways of adding up give what plain Python gives, in any parts, and where numbers are large."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented_venues import CASES, FORMS_OF_SUMS, HOW, NUMBER, THREE, venue
from polars.testing import assert_frame_equal

from surpeer.checked_rows import CheckedRows, RowChecker
from surpeer.columns import PAPER, RATING, find_layout
from surpeer.engines.adding import MOST_PACKED
from surpeer.engines.learning import MORE, Sample, TrackSizes, learn, papers_of_tracks
from surpeer.engines.memory import BATCHES, ITSELF
from surpeer.engines.numbered import numbered_sums
from surpeer.engines.reading import Totals, with_named_tracks
from surpeer.engines.rows import Form, form_of, whole_rows
from surpeer.engines.summed import SummedInMemory
from surpeer.engines.sums import merged_sums, statistics_of, sums_by_paper
from surpeer.errors import InputError
from surpeer.id_hash import id_hash
from surpeer.scale import Scale

NARROW = ("two levels", "four levels", "ten levels", "thirds in the last row", "seven decimals", "missing")
"""Cases with every form of whole numbers."""


def checked_rows(frame: pl.DataFrame, **how: Any) -> CheckedRows:
    layout, problems = find_layout(frame.columns, how.get("scale"), list)
    assert layout is not None, problems
    checker = RowChecker(layout, how.get("unit", "fraction"), how.get("normalise", False), columns=tuple(frame.columns))
    checked = checker.check(frame, np.arange(len(frame)))
    assert not checked.problems
    return with_named_tracks(checked)


def rows_of(checked: CheckedRows, form: Form | None = None, moments: bool = True) -> tuple[pl.DataFrame, Form]:
    """Whole numbers, in the smallest form or in the given one."""
    levels = checked.shares.shape[1]
    totals = Totals(levels)
    totals.add(checked)
    form = form or form_of(checked, moments=moments)
    rows, needed = whole_rows(checked, form, np.arange(1.0, levels + 1), totals.typical())
    assert needed == form
    return rows, form


def looked_up(rows: pl.DataFrame, form: Form) -> pl.DataFrame:
    found: pl.DataFrame = sums_by_paper(rows.lazy(), form).collect()
    return found.sort(PAPER)


def same(one: pl.DataFrame | None, other: pl.DataFrame) -> None:
    assert one is not None
    assert_frame_equal(one.sort(PAPER), other.sort(PAPER), check_exact=True)


@pytest.mark.parametrize("moments", [False, True])
@pytest.mark.parametrize("case", [name for name in CASES if "track" not in name and "title" not in name])
def test_both_ways_of_adding_up_give_the_same_table(case: str, moments: bool) -> None:
    rows, form = rows_of(checked_rows(CASES[case], **HOW.get(case, {})), moments=moments)
    numbered = numbered_sums(rows, form)
    if case == "text ids":
        assert numbered is None
    else:
        same(numbered, looked_up(rows, form))


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[] if case in FORMS_OF_SUMS else pytest.mark.slow) for case in CASES]
)
def test_sums_of_parts_are_added_up(case: str) -> None:
    rows, form = rows_of(checked_rows(CASES[case], **HOW.get(case, {})))
    whole = looked_up(rows, form)
    for parts in (2, 7):
        tables = [looked_up(rows[at::parts], form) for at in range(parts)]
        same(merged_sums(tables), whole)


def test_parts_added_up_in_different_ways_fit_together() -> None:
    """Ids of some parts of a bucket are dense, those of others are not, and some are looked up."""
    frame = pl.concat([THREE, THREE.with_columns(paper=pl.col("paper") * 10**9), THREE])
    rows, form = rows_of(checked_rows(frame))
    first, second, third = (rows[at * len(THREE) : (at + 1) * len(THREE)] for at in range(3))
    tables = [numbered_sums(first, form), numbered_sums(second, form), looked_up(third, form)]
    same(merged_sums([table for table in tables if table is not None]), looked_up(rows, form))


@pytest.mark.parametrize("case", NARROW)
def test_sums_are_those_of_plain_fractions(case: str) -> None:
    frame = CASES[case]
    names = [name for name in frame.columns if name.startswith("p_")]
    rows, form = rows_of(checked_rows(frame))
    table = looked_up(rows, form)
    statistics = statistics_of(table, form, Scale([name[2:] for name in names]))
    everyone = np.ones(len(table), dtype=np.bool_)
    sums = statistics.prediction_sums(everyone)
    found = sums.to_integers()
    for at, paper in enumerate(table[PAPER]):
        for own, level in enumerate(name[2:] for name in names):
            here = frame.filter((pl.col("paper") == paper) & (pl.col("rating") == level)).select(names)
            complete = here.drop_nulls()
            assert statistics.counts[at, own] == len(here)
            assert statistics.predicted[at, own] == len(complete)
            for k, column in enumerate(complete.iter_columns()):
                exact = sum((Fraction(repr(share)) for share in column), Fraction(0))
                error = abs(Fraction(int(found[at, own, k]), sums.denominator) - exact)
                assert error <= (0 if sums.exact[at] else Fraction(len(column), 10**16)), (paper, own, k)
    assert sums.exact.all() == (case != "thirds in the last row")


@pytest.mark.parametrize("case", NARROW)
def test_products_are_those_of_plain_fractions(case: str) -> None:
    frame = CASES[case]
    names = [name for name in frame.columns if name.startswith("p_")]
    rows, form = rows_of(checked_rows(frame))
    table = looked_up(rows, form)
    statistics = statistics_of(table, form, Scale([name[2:] for name in names]))
    found = statistics._products
    pairs = [(one, two) for one in range(len(names)) for two in range(one, len(names))]
    for at, paper in enumerate(table[PAPER]):
        shares = frame.filter(pl.col("paper") == paper).select(names).drop_nulls().rows()
        for column, (one, two) in enumerate(pairs):
            exact = sum((Fraction(repr(row[one])) * Fraction(repr(row[two])) for row in shares), Fraction(0))
            error = abs(Fraction(int(found[at, column]), 10**12) - exact)
            assert error <= (0 if form.decimal else Fraction(len(shares), 10**12)), (paper, one, two)


@pytest.mark.parametrize("case", ["two levels", "missing", "tracks", "titles"])
def test_a_larger_form_gives_the_same_statistics(case: str) -> None:
    checked = checked_rows(CASES[case])
    rows, small = rows_of(checked)
    larger = small.merged(Form(small.levels, predictions=True, complete=False, closed=False, decimal=False))
    assert larger != small
    more, _ = rows_of(checked, larger)
    scale = Scale([str(level) for level in range(small.levels)])
    one = statistics_of(looked_up(rows, small), small, scale)
    two = statistics_of(looked_up(more, larger), larger, scale)
    everyone = np.ones(len(one.papers), dtype=np.bool_)
    sums, more_sums = one.prediction_sums(everyone), two.prediction_sums(everyone)
    ratio = more_sums.denominator // sums.denominator
    assert (sums.to_integers() * ratio == more_sums.to_integers()).all()
    assert one.counts.tolist() == two.counts.tolist()
    assert one.predicted.tolist() == two.predicted.tolist()
    assert one._products.tolist() == two._products.tolist()


def many_of_one_paper(reviews: int, levels: int, share: float) -> pl.DataFrame:
    """So many reviews of paper 7, and two of others; who rates lowest predicts `share` of the highest level."""
    shares = [round(1 - share, 6), *[0.0] * (levels - 2), share]
    frame = pl.DataFrame({"paper": [7] * reviews + [6, 9], "rating": ["1"] * reviews + ["2", "1"]})
    return frame.with_columns(pl.lit(value).alias(f"p_{level + 1}") for level, value in enumerate(shares))


@pytest.mark.parametrize("moments", [False, True])
@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("reviews", [MOST_PACKED, MOST_PACKED + 1, MOST_PACKED + 2, 9007, 9008, 20_001])
def test_very_many_reviews_of_one_paper(reviews: int, levels: int, moments: bool) -> None:
    """On both sides of every limit: of packed numbers, and of whole numbers in floats (9007 products of 1e12)."""
    rows, form = rows_of(checked_rows(many_of_one_paper(reviews, levels, 1.0)), moments=moments)
    found = numbered_sums(rows, form)
    assert found is not None
    assert sorted(found[PAPER].to_list()) == [6, 7, 9]
    same(found, looked_up(rows, form))
    paper = found.filter(pl.col(PAPER) == 7)
    assert paper["n0"].item() == reviews
    assert paper[f"s0_{levels - 1}"].item() == reviews * 10**6
    if moments:
        assert paper[f"t{levels - 1}_{levels - 1}"].item() == reviews * 10**12


@pytest.mark.parametrize("share", [1.0, 0.999999, 0.123457, 1e-6, 0.0])
def test_packed_sums_carry_nothing_over(share: float) -> None:
    frame = many_of_one_paper(4000, 2, share)
    rows, form = rows_of(checked_rows(frame), moments=False)
    same(numbered_sums(rows, form), looked_up(rows, form))
    assert int(rows["m1"][0]) == round(share * 10**6)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 1), st.integers(0, 10**6)), min_size=1, max_size=60))
def test_packed_sums_of_any_rows(drawn: list[tuple[int, int, int]]) -> None:
    paper, rating, share = zip(*drawn, strict=True)
    rows = pl.DataFrame(
        {PAPER: paper, RATING: pl.Series(rating, dtype=pl.Int8), "m1": pl.Series(share, dtype=pl.Int32)}
    )
    found = numbered_sums(rows, Form(2, predictions=True))
    assert found is not None
    expected = {
        one: [sum(p == one and r == own for p, r, _ in drawn) for own in (0, 1)]
        + [sum(s for p, r, s in drawn if p == one and r == own) for own in (0, 1)]
        for one in sorted(set(paper))
    }
    assert {row[0]: list(row[1:]) for row in found.select(PAPER, "n0", "n1", "s0_1", "s1_1").iter_rows()} == expected


@pytest.mark.parametrize("ids", [[2**63 - 1, -(2**63)], [-(2**63), -(2**63) + 1], [2**63 - 2, 2**63 - 1]])
def test_ids_at_the_ends_of_64_bits(ids: list[int]) -> None:
    rows, form = rows_of(checked_rows(venue(2, papers=2, reviews=20).with_columns(paper=pl.Series(ids * 10))))
    found = numbered_sums(rows, form)
    expected = looked_up(rows, form)
    assert expected[PAPER].to_list() == sorted(ids)
    same(found, expected)


@dataclass(frozen=True)
class InParts:
    """Sums in small batches, in any order."""

    form: Form
    table: pl.DataFrame
    in_hash_order: bool = False

    def batches(self) -> Iterator[pl.DataFrame]:
        return self.table.sample(fraction=1, shuffle=True, seed=1).iter_slices(17)


def test_the_sample_is_the_same_from_any_batches() -> None:
    frame = venue(2, papers=300, reviews=900).with_columns(track=(pl.col("paper") % 4).cast(pl.String))
    for columns in (["paper", "rating", "p_1", "p_2"], frame.columns):
        rows, form = rows_of(checked_rows(frame.select(columns)))
        sums = looked_up(rows, form)
        hashes = pl.Series("hash", id_hash(sums[PAPER]))
        ranked = sums.with_columns(hashes)
        groups = ranked.partition_by("track") if form.track else [ranked]
        groups = sorted(groups, key=lambda group: group["track"][0]) if form.track else groups
        expected = [group.sort("hash").head(20).drop("hash").sort(PAPER) for group in groups]
        for summed in (SummedInMemory(form, sums), InParts(form, sums)):
            found = list(Sample.of(summed, 20).taken_out())
            assert len(found) == len(expected)
            for one, other in zip(found, expected, strict=True):
                assert_frame_equal(one, other)


def test_papers_that_are_not_learned_from_are_not_kept_and_nothing_is_learned_from_titles() -> None:
    """As soon as there are enough papers, only those come in that have a smaller hash than the largest of them."""
    rng, most = np.random.default_rng(4), 50
    table = pl.DataFrame({PAPER: rng.permutation(20_000), "n0": 1, "title": "t" * 90})
    sample, kept = Sample(Form(2), most), []
    for batch in table.iter_slices(500):
        sample.add(batch)
        kept.append(sample.papers)
    sample.complete()
    (found,) = sample.taken_out()
    assert found.columns == [PAPER, "n0"]
    hashes = id_hash(table[PAPER])
    expected = np.sort(table[PAPER].to_numpy()[np.argsort(hashes)[:most]])
    assert found[PAPER].to_list() == expected.tolist()
    assert max(kept[1:]) <= MORE * most + 60, "of 500 hardly any has a smaller hash"


def test_tracks_that_take_more_memory_to_learn_from_than_there_is() -> None:
    frame = venue(2, papers=300, reviews=900).with_columns(track=(pl.col("paper") % 4).cast(pl.String))
    rows, form = rows_of(checked_rows(frame))
    summed, scale = SummedInMemory(form, looked_up(rows, form)), Scale(["1", "2"])
    assert set(learn(summed, scale, "venue", 400_000_000) or ()) == {"0", "1", "2", "3"}
    said = (
        r"found 287 papers to learn from, up to 65,536 of each track, expected no more than fit into 200 MB of memory; "
        r"allow 321 MB, or give each track a file of its own"
    )
    with pytest.raises(InputError, match=said):
        learn(summed, scale, "venue", 200_000_000)


@pytest.mark.parametrize("most", [20, 60, 1000])
def test_papers_that_cannot_be_kept_are_counted(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """As many as would have been kept, so that the error says how much memory all of them take."""
    monkeypatch.setattr("surpeer.engines.memory.LEARNING", 0)
    monkeypatch.setattr("surpeer.engines.memory.TO_LEARN_LEVEL", 0)
    monkeypatch.setattr("surpeer.engines.memory.TO_LEARN_PAIR", 0)
    frame = venue(2, papers=300, reviews=900).with_columns(track=(pl.col("paper") % 7).cast(pl.String))
    rows, form = rows_of(checked_rows(frame))
    summed = InParts(form, looked_up(rows, form))
    whole = Sample.of(summed, most, 10**12)
    assert whole.counted is None
    tracks = list(Sample.of(summed, most).taken_out())
    assert [len(track) for track in tracks] == [min(most, len(group)) for group in _by_track(summed.table)]
    for allowed in (ITSELF + BATCHES + 3000, whole.need - 2000):
        found = Sample.of(summed, most, allowed)
        assert found.counted is not None
        assert (found.papers, found.parts) == (whole.papers, [])
        assert found.need == pytest.approx(whole.need, rel=1e-5)
        with pytest.raises(InputError, match=f"found {whole.papers} papers to learn from, up to {most:,} of each"):
            found.check_memory()
    fitting = Sample.of(summed, most, whole.need + 10_000)
    fitting.check_memory()
    for one, other in zip(fitting.taken_out(), tracks, strict=True):
        assert_frame_equal(one, other)


def _by_track(sums: pl.DataFrame) -> list[pl.DataFrame]:
    return sums.sort("track").partition_by("track", maintain_order=True)


def test_more_tracks_than_can_be_told_apart_are_counted_as_if_each_paper_were_kept() -> None:
    names = pl.DataFrame({"track": [f"a track with a long name {number}" for number in range(100)]})
    counted = TrackSizes(10, 50.0, room=1000, sizes=papers_of_tracks(names))
    counted.add(names)
    assert (counted.papers, counted.largest) == (200, 10)
    fewer = TrackSizes(3, 50.0, room=10**6, sizes=papers_of_tracks(names))
    fewer.add(names)
    fewer.add(names[:5])
    assert (fewer.papers, fewer.largest, fewer.others) == (205, 3, 0)


def test_rows_are_counted_where_nobody_predicts() -> None:
    frame = THREE.select("paper", "rating").with_columns(paper=NUMBER % 3)
    rows, form = rows_of(checked_rows(frame, scale=Scale(["1", "2", "3"])))
    assert not form.predictions
    found = numbered_sums(rows, form)
    assert found is not None
    assert found.columns == [PAPER, "n0", "n1", "n2"]
    assert found.select("n0", "n1", "n2").sum().row(0) == tuple(
        frame["rating"].value_counts().sort("rating")["count"].to_list()
    )
