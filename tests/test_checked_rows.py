"""A table checked in parts gives what the same table gives at once: numbers, problems, notes."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import example, given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale
from surpeer.checked_rows import CheckedRows, RowChecker
from surpeer.columns import find_layout
from surpeer.findings import MOST, Findings
from surpeer.plain_predictions import read_plain_predictions
from surpeer.prediction_counts import Settled
from surpeer.prediction_rows import _read as read_with_all_rules
from surpeer.rating_cells import different_ratings
from surpeer.reviews import Reviews

LEVELS = {2: ("0", "1"), 3: ("1", "2", "3")}


def checker_for(frame: pl.DataFrame, scale: Scale | None, **how: Any) -> RowChecker:
    layout, problems = find_layout(frame.columns, scale, lambda: different_ratings(frame))
    assert layout is not None, problems
    return RowChecker(layout, columns=tuple(frame.columns), **how)


def check_in_parts(
    frame: pl.DataFrame, checker: RowChecker, size: int, first: int | None = None
) -> tuple[list[CheckedRows], Findings]:
    """The parts of a table; in which unit predictions are is told by the first rows, by default by all."""
    checker = checker.settle(frame if first is None else frame[:first])
    findings = Findings(checker, "table")
    parts = []
    for start in range(0, max(len(frame), 1), size):
        rows = np.arange(start, min(start + size, len(frame)))
        parts.append(checker.check(frame[start : start + size], rows))
        findings.add(parts[-1])
    return parts, findings


def outcome_of_parts(frame: pl.DataFrame, scale: Scale | None, size: int, **how: Any) -> tuple[Any, ...]:
    parts, findings = check_in_parts(frame, checker_for(frame, scale, **how), size)
    try:
        findings.raise_if_any()
    except ReviewProblems as found:
        return "problems", list(map(str, found.problems)), found.notes, found.total
    expected = [part.expected for part in parts if part.expected is not None]
    return (
        "reviews",
        pl.concat([part.paper for part in parts]).to_list(),
        np.concatenate([part.rating for part in parts]).tolist(),
        np.concatenate([part.shares for part in parts]).tolist(),
        np.concatenate(expected).tolist() if expected else None,
        findings.notes(),
    )


def outcome_at_once(frame: pl.DataFrame, scale: Scale | None, **how: Any) -> tuple[Any, ...]:
    try:
        reviews = Reviews.from_table(frame, scale, **how)
    except ReviewProblems as found:
        return "problems", list(map(str, found.problems)), found.notes, len(found.problems)
    expected = None if reviews.expected is None else reviews.expected.tolist()
    ids = reviews.papers.gather(reviews.paper).to_list()
    return "reviews", ids, reviews.rating.tolist(), reviews.predictions.tolist(), expected, reviews.notes


def assert_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert repr(one) == repr(other)  # so that NaN is NaN


FRACTIONS = st.sampled_from(
    [0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9, 1.0, 1 / 3, 2 / 3, 0.333, 0.334, 0.9999995, 1e-9]
)
ODD = st.sampled_from([-0.1, 1.5, 30.0, float("inf"), float("nan"), None, None])
TEXTS = st.sampled_from(["", " ", "0.5", "0.5 ", "half", "0,5", "1", "0", "NaN", "-1", "50%", "1e400", None])


@st.composite
def share_rows(draw: st.DrawFn, levels: int) -> list[float | None]:
    """Shares of one review: right, nearly right, partly empty, or nothing of the kind."""
    kind = draw(st.sampled_from(["right", "right", "right", "thirds", "partial", "none", "odd"]))
    if kind == "none":
        return [None] * levels
    if kind == "thirds":
        return [0.333] * levels if levels == 3 else [0.3334, 0.6665]
    if kind == "odd":
        return [draw(st.one_of(FRACTIONS, ODD)) for _ in range(levels)]
    parts = [draw(st.integers(0, 10)) for _ in range(levels)]
    parts[0] += not sum(parts)
    shares: list[float | None] = [round(part / sum(parts), draw(st.sampled_from([2, 4, 17]))) for part in parts]
    if kind == "partial":
        shares[draw(st.integers(0, levels - 1))] = None
    return shares


@st.composite
def tables(draw: st.DrawFn) -> tuple[pl.DataFrame, Scale, dict[str, Any]]:
    levels = draw(st.sampled_from([2, 3]))
    size = draw(st.integers(1, 12))
    unit = draw(st.sampled_from(["fraction", "fraction", "percent", "count", "auto"]))
    rows = [draw(share_rows(levels)) for _ in range(size)]
    times = 100 if unit == "percent" or (unit == "auto" and draw(st.booleans())) else 10 if unit == "count" else 1
    rows = [[None if cell is None else round(cell * times, 12) for cell in row] for row in rows]
    columns: dict[str, Any] = {"paper": draw(papers(size)), "rating": draw(ratings(levels, size))}
    columns |= draw(predictions(rows, levels))
    if draw(st.integers(0, 3)) == 0:
        cells = st.sampled_from([None, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 7.0])
        columns["expected"] = draw(st.lists(cells, min_size=size, max_size=size))
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, size - 1))
        columns = {
            name: [None if row == at else cell for row, cell in enumerate(cells)] for name, cells in columns.items()
        }
    how = {"unit": unit, "normalise": draw(st.booleans()), "drop_bad_predictions": draw(st.booleans())}
    frame = pl.DataFrame({name: pl.Series(name, cells, strict=False) for name, cells in columns.items()})
    return frame, Scale(LEVELS[levels], tuple(map(float, LEVELS[levels]))), how


@st.composite
def papers(draw: st.DrawFn, size: int) -> list[Any]:
    ids: Any = st.sampled_from([st.integers(-3, 3), st.sampled_from(["a", "b", "10"])])
    cells = draw(ids)
    if draw(st.integers(0, 4)) == 0:
        cells = st.one_of(cells, st.none())
    return draw(st.lists(cells, min_size=size, max_size=size))


@st.composite
def ratings(draw: st.DrawFn, levels: int, size: int) -> list[Any]:
    numbers = list(map(int, LEVELS[levels]))
    kinds = [
        st.sampled_from(numbers),
        st.sampled_from(list(map(float, numbers))),
        st.sampled_from(LEVELS[levels]),
        st.sampled_from([*LEVELS[levels], f"{numbers[0]}.0"]),
        st.sampled_from([*numbers, 9, None]),
        st.sampled_from([*LEVELS[levels], "", "yes", None]),
        st.sampled_from([*map(float, numbers), 1.5, float("nan")]),
    ]
    return draw(st.lists(draw(st.sampled_from(kinds)), min_size=size, max_size=size))


@st.composite
def predictions(draw: st.DrawFn, rows: list[list[float | None]], levels: int) -> dict[str, list[Any]]:
    kind = draw(st.sampled_from(["shares", "shares", "some", "top", "text", "signs", "list", "cell", "none"]))
    names = [f"p_{level}" for level in LEVELS[levels]]
    columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    if kind == "none":
        return {}
    if kind == "some":
        return dict(list(columns.items())[1:])
    if kind == "top":
        return {"prediction": [row[-1] for row in rows]}
    if kind == "text":
        return {
            name: [draw(st.one_of(st.just(_text(cell)), TEXTS)) for cell in cells] for name, cells in columns.items()
        }
    if kind == "signs":
        return {
            name: [cell if cell is None else f"{cell * 100:g}%" for cell in cells] for name, cells in columns.items()
        }
    if kind == "list":
        return {"distribution": [None if row == [None] * levels else row for row in rows]}
    if kind == "cell":
        return {"distribution": [" ".join(_text(cell) or "x" for cell in row) for row in rows]}
    return columns


def _text(cell: float | None) -> str | None:
    return None if cell is None else f"{cell:g}"


@examples(200)
@given(tables(), st.integers(1, 12))
def test_parts_give_what_the_whole_gives(table: tuple[pl.DataFrame, Scale, dict[str, Any]], size: int) -> None:
    frame, scale, how = table
    at_once = outcome_at_once(frame, scale, **how)
    if at_once[0] == "problems" and any("written in one way" in problem for problem in at_once[1]):
        _, findings = check_in_parts(frame, checker_for(frame, scale, **how), size)
        with pytest.raises(ReviewProblems, match="written in one way"):
            findings.raise_if_any()
    else:
        assert_same(outcome_of_parts(frame, scale, size, **how), at_once)


@examples(150)
@given(tables())
def test_the_fast_way_finds_the_same_as_all_the_rules(table: tuple[pl.DataFrame, Scale, dict[str, Any]]) -> None:
    frame, scale, how = table
    checker = checker_for(frame, scale)
    unit = how["unit"]
    fast = read_plain_predictions(frame, checker.layout, Settled(unit, unit))
    if fast is None:
        return
    rows = np.arange(len(frame))
    with np.errstate(invalid="ignore"):
        slow, slips, counts = read_with_all_rules(frame, checker.layout, Settled(unit, unit), rows, how["normalise"])
    assert slips == []
    np.testing.assert_array_equal(fast[0], slow)
    assert fast[1] == counts


PLAIN = pl.DataFrame({"paper": [1, 1, 2], "rating": [0, 1, 1], "prediction": [0.1, 0.25, 1.0]})


@pytest.mark.parametrize(
    ("columns", "unit"),
    [
        ({"prediction": [0.1, 0.25, 1.0]}, "fraction"),
        ({"prediction": [0.1, None, 1.0]}, "fraction"),
        ({"prediction": [10, 25, 100]}, "percent"),
        ({"p_0": [0.9, 0.75, None], "p_1": [0.1, 0.25, None]}, "fraction"),
        ({"p_0": [33.3, 75.0, 0.0], "p_1": [66.7, 25.0, 100.0]}, "percent"),
        ({"p_0": [33.3, 75.0, 0.0], "p_1": [66.7, 25.0, 100.0]}, "auto"),
        ({"distribution": [[0.9, 0.1], [0.75, 0.25], [0.0, 1.0]]}, "auto"),
    ],
)
def test_tables_of_numbers_take_the_fast_way(columns: dict[str, list[Any]], unit: str) -> None:
    frame = PLAIN.drop("prediction").with_columns(pl.Series(name, cells) for name, cells in columns.items())
    checker = checker_for(frame, Scale(["0", "1"]))
    fast = read_plain_predictions(frame, checker.layout, Settled(unit, unit))
    assert fast is not None
    assert_same(outcome_of_parts(frame, checker.scale, 2, unit=unit), outcome_at_once(frame, checker.scale, unit=unit))


@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt8, pl.Int16, pl.Int32, pl.UInt32, pl.UInt64, pl.Float32, pl.Float64])
@pytest.mark.parametrize(
    "levels", [("0", "1", "2"), ("1", "2", "3"), ("-1", "0", "1"), ("3", "1", "2"), ("1.0", "2", "7")]
)
def test_ratings_of_every_type_of_number(kind: pl.DataType, levels: tuple[str, ...]) -> None:
    numbers = [int(float(level)) for level in levels]
    if min(numbers) < 0 and kind in (pl.UInt8, pl.UInt32, pl.UInt64):
        numbers = [number for number in numbers if number >= 0]
    frame = pl.DataFrame({"paper": range(len(numbers)), "rating": pl.Series(numbers, dtype=kind)})
    checked = checker_for(frame, Scale(levels)).check(frame, np.arange(len(frame)))
    assert not checked.problem_count
    assert [int(float(levels[code])) for code in checked.rating] == numbers


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["c", "b", "a", "level 11", "x"])])
@pytest.mark.parametrize("levels", [("a", "b", "c"), tuple(f"level {at}" for at in range(12))])
@pytest.mark.parametrize("more", [[], ["x"], [None]])
def test_ratings_of_every_type_of_text(kind: pl.DataType, levels: tuple[str, ...], more: list[str | None]) -> None:
    texts = [*(level for level in ("b", "c", "a", "level 11", "b") if level in levels), *more]
    frame = pl.DataFrame({"paper": range(len(texts)), "rating": pl.Series(texts, dtype=kind)})
    checked = checker_for(frame, Scale(levels)).check(frame, np.arange(len(frame)))
    assert checked.rating.tolist() == [levels.index(text) if text in levels else -1 for text in texts]
    assert checked.problem_count == len(more)


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0", "\u3000", None])
def test_ids_that_are_blank(blank: str | None) -> None:
    frame = PLAIN.with_columns(paper=pl.Series(["a", blank, "\u00e9"]))
    checked = checker_for(frame, Scale(["0", "1"])).check(frame, np.arange(3))
    expected = "row 1, column paper: found an empty cell, expected the id of a paper; fill it in or delete the row"
    assert list(map(str, checked.problems)) == [expected]


@given(st.lists(st.one_of(st.none(), st.lists(st.one_of(st.none(), FRACTIONS), max_size=4)), min_size=1, max_size=6))
@example([[0.1, 0.2, 0.7], [1e-05, 0.0, 0.99999]])
@example([[0.5, 0.5], None, []])
def test_lists_of_numbers_are_read_as_columns_are(rows: list[list[float | None] | None]) -> None:
    base = {"paper": list(range(len(rows))), "rating": ["1"] * len(rows)}
    lists = pl.DataFrame({**base, "distribution": pl.Series(rows, dtype=pl.List(pl.Float64))})
    result = outcome_at_once(lists, Scale(LEVELS[3]), unit="fraction")
    wrong = [at for at, row in enumerate(rows) if row is not None and len(row) != 3]
    if wrong:
        assert result[0] == "problems"
        found = [problem for problem in result[1] if "one for each level" in problem]
        assert [problem.split(",")[0] for problem in found] == [f"row {at}" for at in wrong]
        assert f"found {len(rows[wrong[0]] or [])} number" in found[0]
        return
    cells = [row or [None] * 3 for row in rows]
    columns = {f"p_{at + 1}": pl.Series([row[at] for row in cells], dtype=pl.Float64) for at in range(3)}
    apart = outcome_at_once(pl.DataFrame({**base, **columns}), Scale(LEVELS[3]), unit="fraction")
    if result[0] == "reviews":
        assert_same(result, apart)
    else:
        assert [problem.split("found")[1] for problem in result[1]] == [p.split("found")[1] for p in apart[1]]
    array = lists.filter(pl.col("distribution").is_not_null()).with_columns(
        pl.col("distribution").cast(pl.Array(pl.Float64, 3))
    )
    same = lists.filter(pl.col("distribution").is_not_null())
    if len(array):
        how = {"unit": "fraction", "drop_bad_predictions": True}
        assert_same(outcome_at_once(array, Scale(LEVELS[3]), **how), outcome_at_once(same, Scale(LEVELS[3]), **how))


def test_many_problems_are_counted_and_the_first_are_described() -> None:
    size = 3 * MOST
    frame = pl.DataFrame({"paper": range(size), "rating": [1] * size, "prediction": [30.0] * size})
    parts, findings = check_in_parts(frame, checker_for(frame, Scale(["0", "1"])), 2 * MOST)
    assert [len(part.problems) for part in parts] == [MOST, MOST]
    assert [part.problem_count for part in parts] == [2 * MOST, MOST]
    with pytest.raises(ReviewProblems) as caught:
        findings.raise_if_any()
    assert caught.value.head == "table: 3,000 problems"
    assert len(caught.value.problems) == MOST
    assert [problem.row for problem in caught.value.problems] == list(range(MOST))
    assert "... and 2,000 more" in str(caught.value)


def test_very_many_problems_of_a_table_in_memory_are_counted_and_the_first_are_described(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever they are about: ratings, reviews that are there twice, tracks."""
    for module in ("checked_rows", "reviews"):
        monkeypatch.setattr(f"surpeer.{module}.MOST_DESCRIBED", 4)
    columns = {"paper": ["A"] * 6, "reviewer": ["x"] * 6, "track": [*"abcdef"], "rating": [0, 1, 0, 1, 7, 8]}
    for frame, rows in (
        (pl.DataFrame(columns), [1, 1, 2, 2]),
        (pl.DataFrame(columns).drop("track"), [1, 2, 3, 4]),
        (pl.DataFrame(columns).drop("track", "reviewer"), [4, 5]),
    ):
        total = 2 + 5 * (len(frame.columns) - 2)
        with pytest.raises(ReviewProblems) as caught:
            Reviews.from_table(frame, Scale(["0", "1"]))
        assert [problem.row for problem in caught.value.problems] == rows
        assert caught.value.head == f"table: {total} problems"
        assert (f"... and {total - 4} more" in str(caught.value)) == (total > 4)


@pytest.mark.parametrize("column", ["prediction", "p_1"])
@pytest.mark.parametrize("kind", [pl.List(pl.Float64), pl.Array(pl.Float64, 2)])
def test_lists_where_there_should_be_one_share_are_one_problem(column: str, kind: pl.DataType) -> None:
    lists = pl.Series([[0.5, 0.5], [0.1, 0.9], [0.2, 0.8]], dtype=kind)
    frame = PLAIN.select("paper", "rating").with_columns(lists.alias(column))
    _, findings = check_in_parts(frame, checker_for(frame, Scale(["0", "1"])), 2)
    sentence = (
        f"column {column}: found a list in each cell, expected one share; name the column distribution if it has the "
        "shares of all levels, the lowest first"
    )
    for find in (findings.raise_if_any, lambda: Reviews.from_table(frame, Scale(["0", "1"]))):
        with pytest.raises(ReviewProblems) as caught:
            find()
        assert list(map(str, caught.value.problems)) == [sentence]


def test_counts_are_thought_of_only_where_no_prediction_of_the_whole_table_is_right() -> None:
    rows = [[3.0, 7.0], [2.0, 8.0], [20.0, 80.0]]
    frame = pl.DataFrame(
        {"paper": [1, 2, 3], "rating": [0, 1, 1], "p_0": [r[0] for r in rows], "p_1": [r[1] for r in rows]}
    )
    for part in (frame, frame[:2]):
        in_parts = outcome_of_parts(part, Scale(["0", "1"]), 1, unit="percent")
        assert_same(in_parts, outcome_at_once(part, Scale(["0", "1"]), unit="percent"))
    assert "--unit count" in in_parts[1][0]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["30%", "40%", "50%", "0.5"], "found 3 numbers with a % sign and 1 without, expected all predictions written"),
        (["30%", "0.4", "0.5", "0.5"], "found 1 number with a % sign and 3 without, expected all predictions written"),
        (["0.3", "40%", "50%", "60%"], "found 3 numbers with a % sign and 1 without, expected all predictions written"),
        (
            ["0", "40%", "50%", "60%"],
            "found numbers with % signs, but none in the first rows, expected all predictions",
        ),
    ],
)
def test_per_cent_signs_that_the_first_rows_say_nothing_of(cells: list[str], found: str) -> None:
    frame = pl.DataFrame({"paper": [1, 2, 3, 4], "rating": [0, 1, 1, 1], "prediction": cells})
    _, findings = check_in_parts(frame, checker_for(frame, Scale(["0", "1"])), 1, first=1)
    with pytest.raises(ReviewProblems) as caught:
        findings.raise_if_any()
    assert str(caught.value.problems[0]).startswith(f"column prediction: {found}")


def test_the_unit_that_the_first_rows_have_is_not_that_of_all() -> None:
    frame = pl.DataFrame({"paper": [1, 2, 3], "rating": [0, 1, 1], "prediction": [1.0, 40.0, 50.0]})
    _, findings = check_in_parts(frame, checker_for(frame, Scale(["0", "1"]), unit="auto"), 1, first=1)
    with pytest.raises(ReviewProblems) as caught:
        findings.raise_if_any()
    found = "column prediction: found predictions that are fractions by the first rows, and percentages by all"
    assert str(caught.value.problems[0]).startswith(found)
    rows = [[0.5, 0.5], [3.0, 7.0], [4.0, 6.0], [50.0, 50.0]]
    shares = {f"p_{at}": [row[at] for row in rows] for at in (0, 1)}
    frame = pl.DataFrame({"paper": [1, 2, 3, 4], "rating": [0, 1, 1, 1], **shares})
    by_themselves = check_in_parts(frame[[0, 3]], checker_for(frame, None, unit="auto"), 1, first=1)[1]
    by_themselves.raise_if_any()  # rows that say themselves what they are need nobody else
    assert "1 prediction read as percentages and 1 as fractions, by their sums" in by_themselves.notes()


@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt16, pl.Int32, pl.UInt64, pl.Int64])
def test_whole_numbers_are_int64(kind: pl.DataType) -> None:
    frame = PLAIN.with_columns(pl.col("paper").cast(kind))
    checked = checker_for(frame, Scale(["0", "1"])).check(frame, np.arange(3))
    assert checked.paper.dtype == pl.Int64
    assert checked.paper.to_list() == [1, 1, 2]


def test_ids_that_are_too_large() -> None:
    frame = PLAIN.with_columns(paper=pl.Series([1, 2**63, 2**64 - 1], dtype=pl.UInt64))
    checked = checker_for(frame, Scale(["0", "1"])).check(frame, np.arange(3))
    assert checked.problem_count == 2
    assert str(checked.problems[0]) == (
        "row 1, column paper: found 9223372036854775808, expected whole numbers up to 9223372036854775807; "
        "write the ids as text"
    )


def test_ids_of_two_kinds() -> None:
    findings = Findings(checker_for(PLAIN, Scale(["0", "1"])), "votes")
    rows = np.arange(3)
    findings.add(findings.checker.check(PLAIN, rows), "a.parquet")
    findings.add(findings.checker.check(PLAIN.with_columns(pl.col("paper").cast(pl.String)), rows), "b.parquet")
    with pytest.raises(ReviewProblems, match=r"ids that are whole numbers in a\.parquet and text in b\.parquet"):
        findings.raise_if_any()


def test_checkers_and_what_they_find_can_be_sent_to_other_machines() -> None:
    checker = checker_for(PLAIN, Scale(["0", "1"]), unit="auto")
    sent = pickle.loads(pickle.dumps(checker))
    assert sent == checker
    checked = sent.check(PLAIN, np.arange(3))
    assert pickle.loads(pickle.dumps(checked.counts)) == checked.counts
    assert pickle.loads(pickle.dumps(replace(checked, paper=None)))


def test_tracks_and_titles_are_cleaned_and_reviewers_are_as_given() -> None:
    frame = PLAIN.with_columns(
        track=pl.Series([" A ", "", None]), title=pl.Series([" T ", " ", None]), reviewer=pl.Series([1, 2, 3])
    )
    checked = checker_for(frame, Scale(["0", "1"])).check(frame, np.arange(3))
    assert checked.track is not None
    assert checked.track.to_list() == ["A", None, None]
    assert checked.title is not None
    assert checked.title.to_list() == [" T ", None, None]
    assert checked.reviewer is not None
    assert checked.reviewer.to_list() == [1, 2, 3]
    wrong = checker_for(frame, Scale(["0", "1"])).check(
        frame.with_columns(track=pl.Series([1.5, 2.0, 3.0])), np.arange(3)
    )
    assert [str(problem).split(",")[0] for problem in wrong.problems] == ["column track: found tracks of type Float64"]
