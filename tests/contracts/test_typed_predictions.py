"""Distributions in one cell, as people type them."""

import re
from math import isnan, nan

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale
from surpeer.distribution_cells import LONGEST, count_numbers, parse_distribution
from surpeer.reviews import Reviews

FOUR = ("1", "2", "3", "4")
TWO = ("reject", "accept")
TEN = [10.0, 20.0, 50.0, 20.0]
TENTHS = [0.1, 0.2, 0.5, 0.2]

EXPECTED = "expected 4 numbers, one for each level, such as 25 25 25 25; correct it, or leave the cell empty"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("10 20 50 20", TEN),
        ("  10  20 50 20 ", TEN),
        ("10/20/50/20", TEN),
        ("10 / 20 / 50 / 20", TEN),
        ("10; 20; 50; 20", TEN),
        ("10;20;50;20;", TEN),
        ("10,20,50,20", TEN),
        ("10, 20, 50, 20.", TEN),
        ("10|20|50|20", TEN),
        ("10-20-50-20", TEN),
        ("10 - 20 - 50 - 20", TEN),
        ("10–20–50–20", TEN),
        ("10—20—50—20", TEN),
        ("10% - 20% - 50% - 20%", TEN),
        ("10:20:50:20", TEN),
        ("10%, 20%, 50%, 20%", TEN),
        ("10 % 20 % 50 % 20 %", TEN),
        ("10% 20% 50% 20 %.", TEN),
        ("(10, 20, 50, 20)", TEN),
        ("[10,20,50,20]", TEN),
        ("{10 20 50 20}", TEN),
        ("10\n20\n50\n20", TEN),
        ("10\t20\u00a050\u300020", TEN),
        ("١٠ ٢٠ ٥٠ ٢٠", TEN),
        ("0.1 0.2 0.5 0.2", TENTHS),
        (".1 .2 .5 .2", TENTHS),
        ("0.1, 0.2, 0.5, 0.2", TENTHS),
        ("0,1 0,2 0,5 0,2", TENTHS),
        ("0,1; 0,2; 0,5; 0,2", TENTHS),
        ("0,1, 0,2, 0,5, 0,2", TENTHS),
        ("0,1/0,2/0,5/0,2", TENTHS),
        ("0,1 - 0,2 - 0,5 - 0,2", TENTHS),
        ("10,5 20,5 50 19", [10.5, 20.5, 50.0, 19.0]),
        ("10 20, 50, 20", TEN),
        ("0 0 0 100", [0.0, 0.0, 0.0, 100.0]),
        ("1: 10, 2: 20, 3: 50, 4: 20", TEN),
        ("1:10 2:20 3:50 4:20", TEN),
        ("4=20; 3=50; 2=20; 1=10", TEN),
        ("1: 10%\n2: 20%\n3: 50%\n4: 20%", TEN),
        ("1: 0,1, 2: 0,2, 3: 0,5, 4: 0,2", TENTHS),
        ("1:10,2:20,3:50,4:20", TEN),
        ("3: 100", [nan, nan, 100.0, nan]),
        ("2: 30 / 3: 60", [nan, 30.0, 60.0, nan]),
    ],
)
def test_spellings(text: str, numbers: list[float]) -> None:
    assert parse_distribution(text, FOUR) == pytest.approx(numbers, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("30,70", [30.0, 70.0]),
        ("30/70", [30.0, 70.0]),
        ("30:70", [30.0, 70.0]),
        ("30-70", [30.0, 70.0]),
        ("0,3 0,7", [0.3, 0.7]),
        ("0.3,0.7", [0.3, 0.7]),
        ("0,3;0,7", [0.3, 0.7]),
        ("0,1", [0.0, 1.0]),
        ("100,0", [100.0, 0.0]),
        ("reject: 30, accept: 70", [30.0, 70.0]),
        ("Accept: 70%; REJECT: 30%", [30.0, 70.0]),
        ("accept 70 reject 30", [30.0, 70.0]),
        ("accept - 70, reject - 30", [30.0, 70.0]),
        ("70% accept, 30% reject", [30.0, 70.0]),
        ("70 accept / 30 reject", [30.0, 70.0]),
        ("accept: 0,7, reject: 0,3", [0.3, 0.7]),
        ("accept: 70", [nan, 70.0]),
    ],
)
def test_spellings_of_two(text: str, numbers: list[float]) -> None:
    assert parse_distribution(text, TWO) == pytest.approx(numbers, abs=0, nan_ok=True)


def test_levels_by_symbol_by_label_or_by_both() -> None:
    levels, labels = ("1", "2", "3"), ("Reject", "Weak  accept", "Accept")
    for text in (
        "Accept: 60; weak accept: 30, reject: 10",
        "3: 60, 2: 30, 1: 10",
        "1 Reject: 10, 2 weak accept: 30, 3 accept: 60",
    ):
        assert parse_distribution(text, levels, labels) == [10.0, 30.0, 60.0]
    assert parse_distribution("-1: 10, 0: 30, 1: 60", ("-1", "0", "1")) == [10.0, 30.0, 60.0]
    swapped = parse_distribution("1: 10, 2: 90", ("1", "2"), ("2", "1"))  # a symbol counts more than a label
    assert swapped == [10.0, 90.0]
    assert parse_distribution("2: 100", ("1", "2")) == pytest.approx([nan, 100.0], nan_ok=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10 20 50", "3 numbers"),
        ("10 20 50 10 10", "5 numbers"),
        ("30%", "1 number"),
        ("0.1 0.2 0,5 0.2", "5 numbers"),
        ("0,10,0,20,0,50,0,20", "8 numbers"),
        ("-10 20 50 40", ""),
        ("-10-20-50-40", ""),
        ("10 -20 50 20", ""),
        ("10--20-50-20", ""),
        ("1 - 10, 2 - 20, 3 - 50, 4 - 20", ""),
        ("1 (10%), 2 (20%), 3 (50%), 4 (20%)", ""),
        ("<10 20 50 20", ""),
        ("1e1 20 50 20", ""),
        ("NaN 1 2 3", ""),
        ("inf 1 2 3", ""),
        ("10 20 50 20 = 100", ""),
        ("10 20 50 20 (sum 100)", ""),
        ("%10 %20 %50 %20", ""),
        ("ten twenty fifty twenty", ""),
        ("5: 10", "2 numbers"),
        ("1: 10, 1: 20", ""),
        ("1: ten", ""),
        (":", ""),
        ("%", ""),
        ("-", ""),
        ("()", ""),
        ("n/a", ""),
        ("x" * (LONGEST + 1), "a text of 2,001 characters"),
    ],
)
def test_what_is_no_distribution(text: str, found: str) -> None:
    assert parse_distribution(text, FOUR) == found


@given(st.text(max_size=60))
@example("\u00b2 \u00b2 \u00b2 \u00b2")
@example("1\u0660 20 50 20")
@example("9" * 400 + " 1 1 1")
def test_any_text_is_read_or_refused(text: str) -> None:
    numbers = parse_distribution(text, FOUR)
    assert isinstance(numbers, str) or (len(numbers) == 4 and not all(map(isnan, numbers)))
    assert count_numbers(text) >= 0


NUMBERS = st.lists(st.integers(0, 1000).map(lambda tenth: tenth / 10), min_size=2, max_size=11)


@given(NUMBERS, st.sampled_from([" ", "/", "; ", "-", " - ", "|", "\n", "% ", ":", ", ", ","]))
def test_what_is_written_is_read(numbers: list[float], between: str) -> None:
    levels = [f"level {chr(97 + at)}" for at in range(len(numbers))]
    text = between.join(f"{number:g}" for number in numbers)
    assert parse_distribution(text, levels) == numbers
    labelled = ", ".join(f"{level}: {number:g}" for level, number in zip(levels, numbers, strict=True))
    assert parse_distribution(labelled, levels) == numbers
    assert count_numbers(labelled) == len(numbers)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.sampled_from([" ", "/", "; ", " - ", ", "]))
def test_decimal_commas(tenths: list[int], between: str) -> None:
    text = between.join(f"0,{tenth}" for tenth in tenths)
    levels = [str(at) for at in range(len(tenths))]
    assert parse_distribution(text, levels) == [tenth / 10 for tenth in tenths]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("10 20 50 20", 4),
        ("0,1 0,2 0,5 0,2", 4),
        ("0,1 0 0,5 0,4", 4),
        ("10,20,50,20", 4),
        ("30,70", 2),
        ("1: 10, 2: 90", 2),
        ("reject 30 accept 70", 2),
        ("10:20:70", 3),
        ("30:70", 2),
        ("accept: 70", 1),
        ("7", 1),
        ("In 2019 and in 2020 we saw this", 0),
        ("", 0),
        ("x" * 3000, 0),
    ],
)
def test_for_how_many_levels_there_are_numbers(text: str, count: int) -> None:
    assert count_numbers(text) == count


def table(cells: object, levels: tuple[str, ...] = FOUR, **how: object) -> Reviews:
    column = cells if isinstance(cells, pl.Series) else pl.Series(cells)
    rows = {"paper": list(range(len(column))), "rating": [levels[0]] * len(column), "distribution": column}
    return Reviews.from_table(rows, Scale(levels), **how)  # type: ignore[arg-type]


def problems(*arguments: object, **how: object) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        table(*arguments, **how)  # type: ignore[arg-type]
    return [str(problem) for problem in caught.value.problems]


def test_every_message() -> None:
    texts = ["10 20 50", "about even", "x" * 3000, "10 20 50 " + "9" * 400, "-10 20 50 40", "p=(1,2,3,4)"]
    assert problems(texts, unit="auto") == [
        f'row 0, column distribution: found 3 numbers ("10 20 50"), {EXPECTED}',
        f'row 1, column distribution: found "about even", {EXPECTED}',
        f'row 2, column distribution: found a text of 3,000 characters ("{"x" * 60}..."), {EXPECTED}',
        "row 3, column distribution: found inf, expected a share or a number of imagined reviewers; correct it",
        f'row 4, column distribution: found "-10 20 50 40", {EXPECTED}',
        f'row 5, column distribution: found "p=(1,2,3,4)", {EXPECTED}',
    ]
    many = tuple(str(level) for level in range(11))
    assert problems(["x"], many, unit="auto") == [
        (
            'row 0, column distribution: found "x", expected 11 numbers, one for each level, such as 10 20 ...; '
            "correct it, or leave the cell empty"
        )
    ]


def test_a_count_that_is_left_out() -> None:
    assert problems(["accept: 7", "3 4"], TWO, unit="count") == [
        (
            "row 0, column distribution: found an empty cell beside counts for other levels, expected a count for every "
            "level or for none; write 0 where no reviewer is imagined, or use another unit"
        )
    ]


def test_empty_cells_are_no_predictions() -> None:
    reviews = table([None, "", "  ", "10 20 50 20"], unit="auto")
    assert np.isnan(reviews.predictions[:3]).all()
    assert reviews.has_prediction.tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    "column", [pl.Series([[0.1, 0.2, 0.5, 0.2]]), pl.Series([["10", "20", "50", "20"]]).list.join(" ")]
)
def test_lists_of_a_table_in_memory(column: pl.Series) -> None:
    assert table(column, unit="auto").predictions.tolist() == [TENTHS]


def test_other_types_are_refused() -> None:
    assert problems(pl.Series([3.5]), unit="auto") == [
        f'row 0, column distribution: found 1 number ("3.5"), {EXPECTED}'
    ]
    assert len(problems(pl.Series([b"10 20"]), unit="auto")) == 1
    assert len(problems(pl.Series([{"a": 1}]), unit="auto")) == 1


@given(st.data())
def test_a_distribution_gives_the_same_as_a_column_for_each_level(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 5))
    levels = tuple(str(level) for level in range(1, size + 1))
    parts = st.lists(st.integers(0, 10), min_size=size, max_size=size).filter(lambda cells: sum(cells) > 0)
    rows = data.draw(st.lists(parts, min_size=1, max_size=5))
    shares = [[round(100 * part / sum(row), 2) for part in row] for row in rows]
    unit = data.draw(st.sampled_from(["auto", "percent", "count"]))
    between = data.draw(st.sampled_from([" ", "/", "% ", "; "]))
    base = {"paper": list(range(len(rows))), "rating": ["1"] * len(rows)}
    texts = [between.join(f"{share:g}" for share in row) for row in shares]
    apart = {f"p_{level}": [row[at] for row in shares] for at, level in enumerate(levels)}
    one, several = (_outcome(base | columns, levels, unit) for columns in ({"distribution": texts}, apart))
    assert one == several


def _outcome(columns: dict[str, list[object]], levels: tuple[str, ...], unit: str) -> object:
    try:
        reviews = Reviews.from_table(columns, Scale(levels), unit=unit)
        return reviews.predictions.tolist()
    except ReviewProblems as found:
        return [(problem.row, problem.found, re.sub("because.*", "", problem.expected)) for problem in found.problems]
