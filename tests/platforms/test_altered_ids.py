"""Ids that a spreadsheet has altered are told, from whichever kind of workbook; and which sheet is chosen."""

import io
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
import xlsxwriter
import xlwt
from workbook_samples import spreadsheetml

from surpeer import ReviewProblems, read_reviews
from surpeer.io.id_cells import FAILED_FORMULA, TYPED_AGAIN, DateText, TimeText, TruthText
from surpeer.io.workbook import read_workbook

Write = Callable[[str, str | bytes], Path]
Rows = list[list[object]]

DAY = date(2026, 1, 3)
OWN = ["paper", "reviewer", "rating", "p_reject", "p_accept"]
SHARES = [0.3, 0.7]


def workbook(sheets: dict[str, Rows], hidden: tuple[str, ...] = ()) -> bytes:
    """As Excel saves it, dates among the cells."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"default_date_format": "yyyy-mm-dd"}) as book:
        clock = book.add_format({"num_format": "hh:mm"})
        length = book.add_format({"num_format": "[h]:mm"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    formats = {time: [clock], timedelta: [length]}.get(type(cell), [])
                    sheet.write(at, column, cell, *formats)
            if name in hidden:
                sheet.hide()
            else:
                sheet.activate()
                sheet.set_first_sheet()
    return stream.getvalue()


def old_workbook(rows: Rows, hidden: bool = False) -> bytes:
    """As Excel 97 saved it; a second sheet is there to be seen where the first is hidden."""
    book, stream = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("Old")
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            style = xlwt.easyxf(num_format_str="YYYY-MM-DD") if isinstance(cell, date) else xlwt.easyxf()
            sheet.write(at, column, cell, style)
    if hidden:
        sheet.visibility = 1
        book.add_sheet("Seen").write(0, 0, "x")
        book.active_sheet = 1
    book.save(stream)
    return stream.getvalue()


def problems_of(path: Path) -> list[str]:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(path)
    return [str(problem) for problem in caught.value.problems]


def test_cells_remember_what_they_were() -> None:
    cells = [DAY, datetime(2026, 1, 3, 10, 30), time(10, 30), timedelta(hours=36), True, False, 12.0, "2026-01-03"]
    (sheet,) = read_workbook("a.xlsx", workbook({"A": [[*cells]]}))
    assert [(type(cell), str(cell)) for cell in sheet.rows[0]] == [
        (DateText, "2026-01-03"),
        (DateText, "2026-01-03T10:30:00"),
        (TimeText, "10:30:00"),
        (TimeText, "1.5"),
        (TruthText, "yes"),
        (TruthText, "no"),
        (str, "12"),
        (str, "2026-01-03"),
    ]
    old = read_workbook("a.xls", old_workbook([[DAY, True, 12.0]]))[0].rows[0]
    assert list(map(type, old)) == [DateText, TruthText, str]
    xml = spreadsheetml({"A": [["x"]]}).replace(b'"String"><![CDATA[x', b'"DateTime"><![CDATA[2026-01-03T00:00:00.000')
    (cell,) = read_workbook("a.xml", xml)[0].rows[0]
    assert (type(cell), str(cell)) == (DateText, "2026-01-03")


def test_a_table_in_our_own_columns(write: Write) -> None:
    rows = [OWN, [DAY, "a", "accept", *SHARES], ["B", True, "reject", *SHARES], ["#REF!", "c", "accept", *SHARES]]
    assert problems_of(write("r.xlsx", workbook({"R": rows}))) == [
        f"row 2, column paper: found the date 2026-01-03, expected the id of a paper; {TYPED_AGAIN}",
        "row 3, column reviewer: found the truth value TRUE, expected the id or name of a reviewer; " + TYPED_AGAIN,
        f'row 4, column paper: found "#REF!", expected the id of a paper; {FAILED_FORMULA}',
    ]


def test_a_table_of_somebody_else(write: Write) -> None:
    header = ["Submission ID", "Reviewer name", "Overall rating"]
    good = [["A", "a", 1], ["A", "b", 2], ["B", "a", 3]]
    rows = [header, *good, [DAY, "c", 1], ["1.5E+18", "c", 1], ["B", time(9, 5), 2]]
    assert problems_of(write("r.xlsx", workbook({"R": rows}))) == [
        f"row 5, column Submission ID: found the date 2026-01-03, expected the id of a paper; {TYPED_AGAIN}",
        f'row 6, column Submission ID: found the rounded number "1.5E+18", expected the id of a paper; {TYPED_AGAIN}',
        "row 7, column Reviewer name: found the time 09:05:00, expected the id or name of a reviewer; " + TYPED_AGAIN,
    ]
    assert problems_of(write("r.xls", old_workbook([header, *good, [DAY, "c", 1]])))[0].startswith("row 5, column Sub")


def test_other_columns_may_have_dates_and_text_may_look_like_one(write: Write) -> None:
    rows = [[*OWN, "sent"], ["2026-01-03", "true", "accept", *SHARES, DAY], ["B", "b", "reject", *SHARES, DAY]]
    reviews = read_reviews(write("r.xlsx", workbook({"R": rows})))
    assert reviews.papers.to_list() == ["2026-01-03", "B"]


@pytest.mark.parametrize("header", [OWN, ["Submission ID", "Reviewer name", "Overall rating"]])
def test_a_sheet_that_people_see_is_chosen_before_a_hidden_one(write: Write, header: list[object]) -> None:
    levels = ["reject", "accept"] if header is OWN else [1, 5]

    def rows(paper: str) -> Rows:
        return [
            header,
            *([paper, name, level, *SHARES][: len(header)] for name, level in zip("ab", levels, strict=True)),
        ]

    both = {"Before": rows("old"), "Now": rows("new")}
    assert read_reviews(write("r.xlsx", workbook(both, hidden=("Before",)))).papers.to_list() == ["new"]
    assert read_reviews(write("s.xlsx", workbook(both))).papers.to_list() == ["old"]
    sheets = read_workbook("r.xlsx", workbook(both, hidden=("Before",)))
    assert [(sheet.name, sheet.is_hidden) for sheet in sheets] == [("Before", True), ("Now", False)]
    assert [sheet.is_hidden for sheet in read_workbook("r.xls", old_workbook([["x"]], hidden=True))] == [True, False]


def test_a_line_for_excel_above_the_header_is_no_row(write: Write) -> None:
    table = "sep=;\r\nSubmission;Reviewer;Score\r\n1;a;2\r\n1;b;3\r\n"
    reviews = read_reviews(write("a.csv", table))
    assert (len(reviews), reviews.papers.to_list()) == (2, [1])
    assert problems_of(write("b.csv", f"{table};c;3\r\n"))[0].startswith(
        "row 4, column Submission: found an empty cell"
    )
