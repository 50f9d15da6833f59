"""Tables in our own columns as other programs and other countries write them."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer import ReviewProblems, Scale, SurpeerError, read_reviews
from surpeer.io.content import Content, Sheet
from surpeer.io.delimited_sheet import read_sheet, separator_of
from surpeer.io.export_file import has_our_columns, our_table
from surpeer.io.json_document import read_json
from surpeer.reviews import Reviews

Write = Callable[[str, str | bytes], Path]

HEADER = ["paper", "reviewer", "rating", "p_reject", "p_accept"]
ROWS = [["A", "r1", "accept", "0.3", "0.7"], ["A", "r2", "reject", "0.6", "0.4"], ["B", "r1", "accept", "0.2", "0.8"]]
SHARES = [[0.3, 0.7], [0.6, 0.4], [0.2, 0.8]]
COMMAS = "6 numbers with a decimal comma read: 0,3 is 0.3"


def text(separator: str, end: str = "\n", decimal: str = ".", rows: list[list[str]] = ROWS) -> str:
    return "".join(separator.join(row).replace(".", decimal) + end for row in [HEADER, *rows])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_and_line_ends(separator: str, end: str, mark: str, write: Write) -> None:
    reviews = read_reviews(write("reviews.csv", mark + text(separator, end)))
    assert reviews.predictions.tolist() == SHARES
    assert not any("comma" in note for note in reviews.notes)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas(separator: str, write: Write) -> None:
    reviews = read_reviews(write("reviews.csv", text(separator, decimal=",")))
    assert reviews.predictions.tolist() == SHARES
    assert reviews.scale.levels == ("reject", "accept")
    assert COMMAS in reviews.notes


def test_decimal_commas_and_points_percentages_and_expected_ratings(write: Write) -> None:
    content = "paper;rating;expected;p_1;p_2\nA;1;1,25;30,5 %;69,5 %\nA;2;1.5;;\nB;1;;12.5;87,5\n"
    reviews = read_reviews(write("reviews.csv", content), Scale(["1", "2"], [1, 2]), unit="percent")
    assert reviews.predictions[[0, 2]].tolist() == [[0.305, 0.695], [0.125, 0.875]]
    assert "4 numbers with a decimal comma read: 0,3 is 0.3" in reviews.notes
    top = read_reviews(write("top.csv", "paper;rating;prediction\nA;reject;0,3\nA;accept;,7\n"))
    assert top.predictions.tolist() == [[0.7, 0.3], [0.3, 0.7]]


def test_what_is_no_decimal_comma_is_reported(write: Write) -> None:
    content = text(";", decimal=",").replace("0,6", "0,6,1").replace("0,2", "x,2")
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("reviews.csv", content))
    assert [(problem.row, problem.column, problem.found) for problem in caught.value.problems] == [
        (3, "p_reject", '"0,6,1"'),
        (4, "p_reject", '"x,2"'),
    ]


def test_a_comma_between_quotes_in_a_comma_separated_table_is_asked_about(write: Write) -> None:
    content = 'paper,rating,p_a,p_b\nA,a,"0,3","0,7"\n'
    with pytest.raises(ReviewProblems, match='column p_a: found "0,3", .*; write a point instead of the comma'):
        read_reviews(write("reviews.csv", content))


@examples(100)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8), st.sampled_from([";", "\t"]))
def test_decimal_commas_are_what_points_are(tmp_path_factory: Any, parts: list[int], separator: str) -> None:
    rows = [[f"P{at}", "r", "reject", f"{part / 1000:g}", f"{1 - part / 1000:.3f}"] for at, part in enumerate(parts)]
    folder = tmp_path_factory.mktemp("tables", numbered=True)
    read = []
    for decimal in ",.":
        path = folder / f"{ord(decimal)}.csv"
        path.write_text(text(separator, decimal=decimal, rows=rows))
        read.append(read_reviews(path).predictions)
    np.testing.assert_array_equal(*read)


def test_a_distribution_column_is_typed_as_people_like(write: Write) -> None:
    typed = ["10 20 70", "0,1 0,2 0,7", "1: 10%, 2: 20%, 3: 70%"]
    content = "paper;rating;distribution\n" + "".join(f"A;1;{cell}\n" for cell in typed)
    reviews = read_reviews(write("reviews.csv", content), Scale(["1", "2", "3"]))
    assert reviews.predictions.tolist() == [[0.1, 0.2, 0.7]] * 3
    fraction = read_reviews(
        write("f.csv", "paper,rating,distribution\nA,1,0.1 0.2 0.7\n"), Scale(["1", "2", "3"]), unit="fraction"
    )
    assert fraction.predictions.tolist() == [[0.1, 0.2, 0.7]]


def workbook(rows: list[list[Any]], first: list[list[Any]] | None = None) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream)
    for content in ([first] if first else []) + [rows]:
        sheet = book.add_worksheet()
        for at, row in enumerate(content):
            sheet.write_row(at, 0, row)
    book.close()
    return stream.getvalue()


@pytest.mark.parametrize("first", [None, [["What this is"], ["A venue"]]])
def test_an_excel_sheet_in_our_own_columns(first: list[list[Any]] | None, write: Write) -> None:
    rows = [
        HEADER,
        ["A", "r1", "accept", 0.3, 0.7],
        ["A", "r2", "reject", "0,6", "0,4"],
        ["B", "r1", "accept", 0.2, 0.8],
    ]
    reviews = read_reviews(write("reviews.xlsx", workbook(rows, first)))
    assert reviews.predictions.tolist() == SHARES
    assert "2 numbers with a decimal comma read: 0,3 is 0.3" in reviews.notes
    with pytest.raises(ReviewProblems, match='row 3, column rating: found "maybe"'):
        read_reviews(write("reviews.xlsx", workbook([*rows[:2], ["A", "r2", "maybe", 0.6, 0.4]], first)))


def test_sheets_with_short_rows_and_empty_rows() -> None:
    sheet = Sheet([HEADER, ["A", "r1", "accept"], [], ["B", "r1", "reject", "0.5", "0.5"]])
    content = Content("book.xlsx", (Sheet([["Notes"]]), sheet))
    assert has_our_columns(content)
    table = our_table(content)
    assert table.frame["p_reject"].to_list() == [None, None, "0.5"]
    assert table.first_row == 2
    assert not has_our_columns(Content("x", (Sheet([["Notes"]]),)))


RECORDS = [dict(zip(HEADER, [*row[:3], float(row[3]), float(row[4])], strict=True)) for row in ROWS]


def test_json_in_our_own_columns(write: Write) -> None:
    for name, content in {
        "list.json": json.dumps(RECORDS, indent=1),
        "lines.json": "\n".join(map(json.dumps, RECORDS)),
        "lines.jsonl": "\n".join(map(json.dumps, RECORDS)),
    }.items():
        assert read_reviews(write(name, content)).predictions.tolist() == SHARES


def test_records_are_counted_from_one(write: Write) -> None:
    broken = [*RECORDS, {**RECORDS[0], "reviewer": "r3", "rating": "maybe"}]
    for name, content in {"list.json": json.dumps(broken), "lines.jsonl": "\n".join(map(json.dumps, broken))}.items():
        with pytest.raises(ReviewProblems, match='row 4, column rating: found "maybe", expected one of reject, accept'):
            read_reviews(write(name, content))


def test_normalising_and_hiding_work_for_our_own_tables(write: Write) -> None:
    path = write("reviews.csv", text(",").replace("0.3,0.7", "0.3,0.6"))
    np.testing.assert_allclose(read_reviews(path, normalise=True).predictions[0], [1 / 3, 2 / 3])
    assert read_reviews(path, normalise=True, reviewers="drop").reviewer is None
    with pytest.raises(ReviewProblems, match="row 2, column p_reject, p_accept: found predictions that sum to 0.9"):
        read_reviews(path)


def only_problem(path: Path, **how: Any) -> str:
    with pytest.raises(SurpeerError) as caught:
        read_reviews(path, **how)
    return re.sub(r"^1 problem( \(.*\))?\n  ", "", str(caught.value).removeprefix(f"{path}: "))


CSV = "save the table as CSV (UTF-8)"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "mac.csv",
            text(",", "\r") + "C,r1,accept,0.5,0.5\n",
            f"found lines that end in a bare carriage return, expected a line feed; {CSV}",
        ),
        (
            "mixed.csv",
            text(",") + "C;r3;accept;0.2;0.8\n",
            'row 5: found 1 cell (it begins "C;r3;accept;0.2;0.8"), expected 5 as in the header; complete the row',
        ),
        (
            "mixed export.csv",
            "Submission;Reviewer;Score\n1;a;2\n1,b,3\n",
            'row 3: found a row separated by commas ("1,b,3"), expected semicolons as in the header; ' + CSV,
        ),
        (
            "encoding.csv",
            text(",").encode() + "C,Jörg,accept,0.2,0.8\n".encode("latin-1"),
            f"found byte 0xf6 in line 5, expected UTF-8 text; {CSV}",
        ),
        (
            "encoding export.csv",
            "Submission,Reviewer,Score\n1,a,2\n1,Jörg,3\n".encode("latin-1"),
            f"found byte 0xf6 in line 3, expected UTF-8 text; {CSV}",
        ),
        (
            "nul.csv",
            text(",") + "C,\0,accept,0.2,0.8\n",
            f"found no text (a NUL byte in line 5), expected CSV, Excel, Parquet or JSON; {CSV}",
        ),
        (
            "utf16.csv",
            text(",").encode("utf-16"),
            f"found UTF-16 text, expected CSV, Excel, Parquet or JSON; {CSV}",
        ),
        (
            "cut.json",
            json.dumps(RECORDS, indent=1)[:-20],
            "found JSON that breaks at line 21, character 3 (Expecting property name enclosed in double quotes), near ",
        ),
        (
            "cut lines",
            '{"paper": 1, "Score": 2}\n{"paper": 1, "Score"\n',
            (
                "row 2: found no JSON (Expecting ':' delimiter, at character 21), expected one JSON document, or one on "
                "each line; export it again; a file that was cut off ends in the middle"
            ),
        ),
        (
            "quote.csv",
            'Submission,Score\n1,"2\n3,4\n',
            (
                "row 2: found a row that cannot be read (line 3: unexpected end of data), expected quotes that are closed "
                "and doubled inside; correct the row, or export the file again"
            ),
        ),
        ("empty.csv", "\n\n  \n", "found an empty file, expected a header and at least one review"),
        (
            "blank header.csv",
            ",,,\n1,2,3,4\n",
            "found an empty first row, expected the column names in it; delete what is above the header",
        ),
        ("only a mark.csv", b"\xef\xbb\xbf", "found an empty file, expected a header and at least one review"),
    ],
)
def test_every_broken_file_is_explained(name: str, content: str | bytes, message: str, write: Write) -> None:
    assert only_problem(write(name, content)).startswith(message)


def test_a_huge_cell(write: Write) -> None:
    long = "x" * 6_000_000
    export = only_problem(write("r.csv", f"Submission,Reviewer,Score,Text\n1,a,2,{long}\n"))
    assert export.startswith("row 2: found a row that cannot be read (line 2: field larger than field limit (5000000))")
    assert len(export) < 300
    ours = only_problem(write("ours.csv", text(",") + f"C,r1,{long},0.5,0.5\n"))
    assert ours.startswith('row 5, column rating: found "' + "x" * 60 + '...", expected one of reject, accept')
    assert len(ours) < 300
    digits = only_problem(write("digits.csv", text(",") + f"C,r1,{'1' * 200_000}x,0.5,0.5\n"))
    assert digits.startswith('row 5, column rating: found "' + "1" * 60)


def test_long_reviews_are_no_problem(write: Write) -> None:
    long = "a long review " * 20_000
    reviews = read_reviews(write("r.csv", f'Submission,Reviewer,Score,Text\n1,a,2,"{long}"\n1,b,3,"{long}"\n'))
    assert len(reviews) == 2


def test_numbers_of_json_that_are_too_long(write: Write) -> None:
    path = write("r.json", "[" + "9" * 5000 + "]")
    with pytest.raises(
        ReviewProblems, match=r"found JSON that cannot be decoded \(a number of too many digits\), expected an export"
    ):
        read_json(path, path.read_bytes())
    for deep in ("[" * 200_000, '{"a":' * 100_000):
        path = write("deep.json", deep)
        with pytest.raises(ReviewProblems, match="found JSON that (cannot be decoded|breaks)"):
            read_json(path, path.read_bytes())
    half = write("half.json", '[{"paper": "\\ud800"}]')
    with pytest.raises(ReviewProblems, match="found half of a surrogate pair"):
        read_json(half, half.read_bytes())


@pytest.mark.parametrize(
    ("header", "separator"),
    [
        ("a,b,c", ","),
        ("a;b;c", ";"),
        ("a\tb\tc", "\t"),
        ('"a,b";c;d', ";"),
        ('"a;b;c;d",e', ","),
        ("a", ","),
        ("", ","),
    ],
)
def test_the_separator_is_that_of_the_header(header: str, separator: str) -> None:
    assert separator_of(header + "\n1;2;3;4;5,6") == separator


def test_cells_keep_line_breaks_and_separators(write: Write) -> None:
    path = write("r.csv", 'a;b\r\n"x;\r\ny";"say ""hi"""\r\n')
    assert read_sheet(path, path.read_bytes()).rows == [["a", "b"], ["x;\r\ny", 'say "hi"']]


@examples(100)
@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_explained(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any", numbered=True) / "file"
    path.write_bytes(data)
    try:
        outcome: Reviews | str = read_reviews(path)
    except SurpeerError as error:
        outcome = str(error)
    assert not isinstance(outcome, str) or re.match(f"(?s){re.escape(str(path))}: .", outcome)
