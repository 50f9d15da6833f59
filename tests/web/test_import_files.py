"""Files to import as chairs have them: other headings, several sheets, names in two columns, ids that Excel altered."""

import io
import re
from datetime import date, time

import pytest
from conftest import ROOT
from django.test import Client
from xlsxwriter import Workbook

from surpeer.io.id_cells import COMPUTE_IT, TYPED_AGAIN
from surpeer.web.venues.import_columns import COLUMNS
from surpeer.web.venues.import_header import other_names
from surpeer.web.venues.importing import READERS, read_assignments, read_papers, read_reviewers
from surpeer.web.venues.models import Venue
from web.people import People
from web.test_import import confirm, upload

TABLE = "a table: CSV (UTF-8) or an Excel workbook (.xlsx, .xls)"
Sheets = dict[str, list[list[object]]]


def workbook(sheets: Sheets, hidden: tuple[str, ...] = ()) -> bytes:
    """As Excel saves it; a text that begins with = is a formula that was never computed."""
    file = io.BytesIO()
    with Workbook(file, {"default_date_format": "yyyy-mm-dd"}) as book:
        clock = book.add_format({"num_format": "hh:mm"})
        for name, rows in sheets.items():
            page = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, str) and cell.startswith("="):
                        page.write_formula(at, column, cell, None, "")
                    else:
                        page.write(at, column, cell, *([clock] if isinstance(cell, time) else []))
            if name in hidden:
                page.hide()
            else:
                page.activate()
                page.set_first_sheet()
    return file.getvalue()


def new_of(venue: Venue, kind: str, data: bytes) -> list[dict[str, str]]:
    """What is new in a file without problems."""
    plan = READERS[kind](venue, "file", data)
    assert plan.problems == []
    return [new.fields for new in plan.new]


def page_names(page: str) -> dict[str, list[str]]:
    """The names of columns on the page of an import, by our own."""
    rows = re.findall(r'<tr><th scope="row">(.+?)</th><td>(?:yes|no)</td><td>(.*?)</td></tr>', page)
    return {title: names.split(", ") for title, names in rows}


@pytest.mark.parametrize("kind", COLUMNS)
def test_page_and_documentation_list_all_names_of_columns(people: People, kind: str) -> None:
    names = {column.title: other_names(column) for column in COLUMNS[kind]}
    assert page_names(people.browsers["chair"].get(f"/venues/workshop/import/{kind}/").content.decode()) == names
    text = (ROOT / "docs" / "how-to" / "collect-reviews.md").read_text()
    section = (
        text.partition(f"**{kind.capitalize()}**, for example")[2].partition("\n\n| column |")[2].partition("\n\n")[0]
    )
    rows = re.findall(r"^\| `(.+?)` \| .* \| (.*?) \|$", section, re.MULTILINE)
    assert {title: listed.split(", ") for title, listed in rows} == names


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_name_of_a_column_is_understood(people: People, kind: str) -> None:
    needed = {column.title for column in COLUMNS[kind] if column.required}
    cells = {
        "id": "N1",
        "paper": "P1",
        "email": "new@example.org",
        "reviewer": "ben@example.org",
        "url": "https://x.org",
    }
    for column in COLUMNS[kind]:
        for name in column.names:
            others = sorted(needed - {column.title})
            header = ",".join([name.upper().replace(" ", "_"), *others])
            row = ",".join(cells.get(title, "Text") for title in [column.title, *others])
            plan = READERS[kind](people.venue, "file.csv", f"{header}\n{row}\n".encode())
            assert (plan.problems, [note for note in plan.notes if "Not read" in note]) == ([], []), name
            assert len(plan.new) + plan.unchanged == 1, name


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("First Name,Last Name,Email", '"First Name" and "Last Name" joined as name'),
        ("given_name,Family Name,e-mail", '"given_name" and "Family Name" joined as name'),
        ("Forename,SURNAME,mail", '"Forename" and "SURNAME" joined as name, "mail" as email'),
        ("first,last,email", '"first" and "last" joined as name'),
        ("First name,Name,email", '"First name" and "Name" joined as name'),
    ],
)
def test_first_and_last_names_are_joined_and_the_preview_says_so(people: People, header: str, read: str) -> None:
    data = f"{header}\n Dee ,Doe,dee@example.org\n,Only,only@example.org\n,,none@example.org\n".encode()
    plan = read_reviewers(people.venue, "r.csv", data)
    assert [new.fields.get("name") for new in plan.new] == ["Dee Doe", "Only", None]
    (note,) = plan.notes
    assert sorted(note.removeprefix("Read: ").removesuffix(".").split(", ")) == sorted(read.split(", "))


def test_a_full_name_comes_before_its_parts(people: People) -> None:
    data = b"email,first name,last name,name\nd@example.org,Dee,Doe,Dr. Dee Doe\n"
    assert new_of(people.venue, "reviewers", data) == [{"email": "d@example.org", "name": "Dr. Dee Doe"}]
    lone = read_reviewers(people.venue, "r.csv", b"email,surname\nd@example.org,Doe\n")
    assert (lone.new[0].fields["name"], lone.notes) == ("Doe", ['Read: "surname" as name.'])


def test_reviewers_of_assignments_by_first_and_last_name(people: People) -> None:
    people.reviewer.name = "Ada Adams"
    people.reviewer.save()
    plan = read_assignments(people.venue, "a.csv", b"paper,last name,first name\nP1,Adams,Ada\n")
    assert (plan.problems, plan.unchanged) == ([], 1)


def test_the_paper_of_an_assignment_is_not_the_number_of_its_row(people: People) -> None:
    plan = read_assignments(people.venue, "a.csv", b"id,paper,reviewer\n7,P1,Ada\n")
    assert (plan.problems, plan.unchanged, plan.notes) == ([], 1, ['Not read: 1 column ("id").'])


def test_the_preview_says_how_other_names_were_understood(people: People) -> None:
    plan = read_papers(people.venue, "p.csv", b"#,PaperTitle,Score\n7,Seven,3\n")
    assert plan.notes == ['Read: "#" as id, "PaperTitle" as title.', 'Not read: 1 column ("Score").']


ALTERED: list[list[object]] = [
    [date(2026, 1, 3), "a"],
    [True, "b"],
    [time(10, 30), "c"],
    [1234567890123456789, "d"],
    [7, "e"],
]


def test_ids_that_a_spreadsheet_altered_are_problems(people: People) -> None:
    plan = read_papers(people.venue, "p.xlsx", workbook({"Papers": [["id", "title"], *ALTERED]}))
    found = (
        "the date 2026-01-03",
        "the truth value TRUE",
        "the time 10:30:00",
        'the rounded number "1.23456789012346e+18"',
    )
    assert [str(problem) for problem in plan.problems] == [
        f"row {row}, column id: found {text}, expected the id of a paper; {TYPED_AGAIN}"
        for row, text in enumerate(found, start=2)
    ]
    assert [new.name for new in plan.new] == ["7"]


def test_papers_and_reviewers_of_assignments_are_ids_too(people: People) -> None:
    data = workbook({"A": [["paper", "reviewer"], [date(2026, 1, 3), "ada@example.org"], ["P1", False]]})
    assert [str(problem) for problem in read_assignments(people.venue, "a.xlsx", data).problems] == [
        f"row 2, column paper: found the date 2026-01-03, expected the id of a paper; {TYPED_AGAIN}",
        f"row 3, column reviewer: found the truth value FALSE, expected the e-mail address or name of a reviewer; {TYPED_AGAIN}",
    ]


def test_the_same_as_text_is_an_id(people: People) -> None:
    data = workbook({"P": [["id"], ["2026-01-03"], ["true"], ["10:30"], ["1E5"]]})
    assert [one["key"] for one in new_of(people.venue, "papers", data)] == ["2026-01-03", "true", "10:30", "1E5"]


def test_a_formula_without_a_result_is_told_with_its_sheet_and_cell(people: People) -> None:
    data = workbook(
        {"Papers": [["id"]], "Reviewers": [["email", "name"], ["a@example.org", "A"], ["b@example.org", "=A1"]]}
    )
    (problem,) = read_reviewers(people.venue, "r.xlsx", data).problems
    assert str(problem) == f"row 3, column name: found a formula without a result, expected the name; {COMPUTE_IT}"


def test_formulas_without_a_result_are_told_beside_all_other_problems_and_only_where_they_are_read(
    people: People,
) -> None:
    rows = [["id", "title", "url", "notes"], ["P8", "=A1", "nowhere", "=A2"], ["=B1", "T", "", ""], ["P8", "U", "", ""]]
    data = workbook({"P": [*rows, ["P8", "V", "", ""]]})
    assert [str(problem) for problem in read_papers(people.venue, "p.xlsx", data).problems] == [
        f"row 2, column title: found a formula without a result, expected the title; {COMPUTE_IT}",
        'row 2, column url: found "nowhere", expected an address that begins with https:// or http://; correct the cell',
        f"row 3, column id: found a formula without a result, expected the id of a paper; {COMPUTE_IT}",
        'row 5, column id: found "P8", as in row 2, with another title, expected one row for each; keep one of the two rows',
    ]
    names = workbook({"R": [["email", "first name", "last name"], ["a@example.org", "Ada", "=A1"]]})
    assert [one.found for one in read_reviewers(people.venue, "r.xlsx", names).problems] == [
        "a formula without a result"
    ]
    unread = workbook({"P": [["id", "notes"], ["P8", "=A1"]]})
    assert read_papers(people.venue, "p.xlsx", unread).problems == []


def test_a_formula_below_the_table_is_a_problem_of_the_file(people: People) -> None:
    (problem,) = read_papers(people.venue, "p.xlsx", workbook({"P": [["id"], ["P8"], ["=A1"]]})).problems
    assert problem.found == '1 formula without a result (first in cell A3 of sheet "P")'


@pytest.mark.parametrize(
    ("data", "found", "remedy"),
    [
        (b"%PDF-1.4", "a PDF", "save the table as CSV (UTF-8)"),
        ("id\tx\n".encode("utf-16"), "UTF-16 text", "save the table as CSV (UTF-8)"),
        (b"PAR1\0\0PAR1", "a Parquet file", "save the table as CSV (UTF-8)"),
        (b' [{"id": 1}]', "JSON", "save the table as CSV (UTF-8)"),
        (b"<!DOCTYPE html>", "a web page", "download the export itself, logged in"),
        (b"id\nP\0\n", "no text (a NUL byte in line 2)", "save the table as CSV (UTF-8)"),
    ],
)
def test_only_what_is_taken_is_offered(people: People, data: bytes, found: str, remedy: str) -> None:
    (problem,) = read_papers(people.venue, "p.csv", data).problems
    assert str(problem) == f"found {found}, expected {TABLE}; {remedy}"


def test_another_encoding_is_told_with_what_excel_calls_the_right_one(people: People) -> None:
    (problem,) = read_reviewers(
        people.venue, "r.csv", "email;name\r\nd@example.org;Jürgen\r\n".encode("cp1252")
    ).problems
    assert str(problem) == (
        "found byte 0xfc in line 2, expected UTF-8 text; save the table as CSV (UTF-8), which Excel calls CSV UTF-8"
    )


@pytest.mark.parametrize(
    "data",
    [
        "\ufeffid;title\r\nN1;Über, uns\r\n".encode(),
        "sep=;\r\nid;title\r\nN1;Über, uns\r\n".encode(),
        "id\ttitle\n\n \t \n\u200eN\u200b1\u00a0\tÜber,\u00a0 uns\n\n".encode(),
        workbook({"P": [["id", "title"], [], ["", ""], [" N1 ", "Über, uns"]]}),
    ],
)
def test_marks_spaces_and_empty_rows_do_no_harm(people: People, data: bytes) -> None:
    assert new_of(people.venue, "papers", data) == [{"key": "N1", "title": "Über, uns"}]


@pytest.mark.parametrize("above", [[["Papers of 2026"]], [[], ["Papers of 2026", "all of them"]]])
def test_a_header_further_down_is_found_and_told(people: People, above: list[list[object]]) -> None:
    (problem,) = read_papers(people.venue, "p.xlsx", workbook({"P": [*above, ["id"], ["P9"]]})).problems
    first = '"Papers of 2026"' if above[0] else "nothing in it"
    assert str(problem) == (
        f"row 1: found a first row with {first}, expected the names of the columns, which are in row {len(above) + 1}; "
        "delete the rows above them"
    )
    (empty,) = read_papers(people.venue, "p.xlsx", workbook({"P": [[], ["x"]]})).problems
    assert (
        str(empty)
        == "row 1: found an empty first row, expected the column names in it; delete what is above the header"
    )


SEVERAL: Sheets = {
    "Papers": [["id", "title"], ["N1", "x"]],
    "Reviewers": [["E-Mail", "Name"], ["new@example.org", "Noa"]],
    "Assignments": [["paper", "reviewer"], ["P1", "ada@example.org"]],
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_each_import_takes_its_own_sheet_and_names_the_others(people: People, kind: str) -> None:
    plan = READERS[kind](people.venue, "all.xlsx", workbook(SEVERAL))
    assert (plan.problems, len(plan.new) + plan.unchanged) == ([], 1)
    others = ", ".join(f'"{name}"' for name in SEVERAL if name != kind.capitalize())
    assert plan.notes == [f'Sheet "{kind.capitalize()}" was read; not read: {others}.']


def test_a_hidden_sheet_is_read_only_if_no_other_has_the_columns(people: People) -> None:
    old: list[list[object]] = [["id", "title", "authors"], ["OLD", "x", "y"]]
    both: Sheets = {"Old": old, "Now": [["id"], ["NEW"]]}
    plan = read_papers(people.venue, "p.xlsx", workbook(both, hidden=("Old",)))
    assert ([new.name for new in plan.new], plan.notes) == (
        ["NEW"],
        ['Sheet "Now" was read; not read: "Old" (hidden).'],
    )
    plan = read_papers(people.venue, "p.xlsx", workbook({"Old": old, "Now": [["notes"]]}, hidden=("Old",)))
    assert ([new.name for new in plan.new], plan.notes) == (
        ["OLD"],
        ['Sheet "Old" (hidden) was read; not read: "Now".'],
    )


def test_a_table_that_is_imported_twice_changes_nothing(people: People) -> None:
    chair: Client = people.browsers["chair"]
    data = workbook({"R": [["First name", "Surname", "E-mail"], ["Dee", "Doe", "Dr. D <DEE@example.org>"]]})
    assert "Imported. 1 reviewer: 1 new" in confirm(chair, upload(chair, "reviewers", data)).content.decode()
    again = upload(chair, "reviewers", data).context["plan"]
    assert (again.does_something, again.unchanged, again.problems) == (False, 1, [])
