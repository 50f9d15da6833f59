"""Who is who in an import: addresses with names, the same person twice, authors and conflicts."""

import io

import pytest
from xlsxwriter import Workbook

from surpeer.web.venues.import_conflicts import author_names
from surpeer.web.venues.importing import READERS, read_assignments, read_papers, read_reviewers
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from surpeer.web.venues.near_ids import alike_warnings
from web.api_script import Script
from web.people import People
from web.test_import import confirm, upload

AUTHORS = "Look at these assignments, whose reviewer seems to be an author of the paper: "


def test_a_name_before_an_address_is_taken_where_there_is_no_other(people: People) -> None:
    data = (
        b'email\nAda Adams <ADA@example.org>\n"""Doe, Dee"" <dee@example.org>;"\n<eve@example.org>\nfox@example.org\n'
    )
    plan = read_reviewers(people.venue, "r.csv", data)
    assert [new.fields for new in plan.new] == [
        {"email": "dee@example.org", "name": "Doe, Dee"},
        {"email": "eve@example.org"},
        {"email": "fox@example.org"},
    ]
    assert [(one.name, one.changes) for one in plan.changed] == [("ada@example.org", {"name": ("Ada", "Ada Adams")})]
    assert plan.notes == ["2 names taken from the addresses, which are written as in Ada Adams <ada@example.org>."]
    named = read_reviewers(people.venue, "r.csv", b"email,name\nDr. D <dee@example.org>,Dee Doe\n")
    assert ([new.fields["name"] for new in named.new], named.notes) == (["Dee Doe"], [])


def test_such_an_address_is_checked_as_any_other(people: People) -> None:
    data = b"email\nAda <ada@nowhere>\nAda <ada@example.org> <x@example.org>\n" + b"x" * 201 + b" <d@example.org>\n"
    plan = read_reviewers(people.venue, "r.csv", data)
    assert [(one.row, one.column, one.found) for one in plan.problems] == [
        (2, "email", '"ada@nowhere"'),
        (3, "email", '"Ada <ada@example.org> <x@example.org>"'),
        (4, "name", "201 characters"),
    ]


def test_assignments_take_such_addresses_and_one_reviewer_in_each_row(people: People) -> None:
    data = b"paper,reviewer\nP1,Somebody <ADA@example.org>\nP1,ada@example.org; ben@example.org\n"
    plan = read_assignments(people.venue, "a.csv", data)
    assert plan.unchanged == 1
    assert [str(problem) for problem in plan.problems] == [
        (
            'row 3, column reviewer: found "ada@example.org; ben@example.org", expected one reviewer in each row, with the id '
            "of the paper in each; correct the cell"
        )
    ]


def test_rows_for_the_same_person_are_one_unless_they_contradict_each_other(people: People) -> None:
    data = b"email,name\nDee@Example.org,\ndee@example.org,Dee\nDEE@example.org,\n"
    plan = read_reviewers(people.venue, "r.csv", data)
    assert ([new.fields for new in plan.new], plan.problems) == ([{"email": "dee@example.org", "name": "Dee"}], [])
    papers = b"id,title,track\nN1,One,\nN1,,T\nN1,Two,U\n"
    (problem,) = read_papers(people.venue, "p.csv", papers).problems
    assert str(problem) == (
        'row 4, column id: found "N1", as in row 2, with another title and another track, expected one row for each; '
        "keep one of the two rows"
    )


@pytest.mark.parametrize(
    ("authors", "is_author"),
    [
        ("Ada Adams; Zoe Zet", True),
        ("Zoe Zet, ADA ADAMS", True),
        ("Adams, Ada; Zet, Zoe", True),
        ("Adams, Ada", True),
        ("Zoe Zet and Ada Adams (Somewhere)", True),
        ("Z. Zet1, Ada Adams2", True),
        ("Z. <ada@example.org>", True),
        ("Ada Adamson; Zoe Adams, Ada Zet", False),
        ("Ada", False),
        ("", False),
    ],
)
def test_an_author_who_shall_review_her_own_paper_is_named(people: People, authors: str, is_author: bool) -> None:
    Reviewer.objects.filter(pk=people.reviewer.pk).update(name="Ada Adams")
    Paper.objects.create(venue=people.venue, key="N1", authors=authors)
    plan = read_assignments(people.venue, "a.csv", b"paper,reviewer\nN1,ada@example.org\nN1,ben@example.org\n")
    assert plan.warnings == ([f"{AUTHORS}N1 (Ada Adams)"] if is_author else [])
    assert (len(plan.new), plan.problems) == (2, [])


def test_the_preview_shows_it_and_does_not_stand_in_the_way(people: People) -> None:
    Reviewer.objects.filter(pk=people.reviewer.pk).update(name="Ada Adams")
    Paper.objects.create(venue=people.venue, key="N1", authors="Ada Adams")
    chair, data = people.browsers["chair"], b"paper,reviewer\nN1,ada@example.org\n"
    preview = upload(chair, "assignments", data)
    assert f'<div class="notice warning"><p class="text">{AUTHORS}N1 (Ada Adams)</p></div>' in preview.content.decode()
    confirm(chair, preview)
    assert Assignment.objects.filter(paper__key="N1").count() == 1
    assert upload(chair, "assignments", data).context["plan"].warnings == []  # there already


def test_people_without_a_name_are_no_authors() -> None:
    assert frozenset() not in author_names(" ; , and (x) 12")


CONFLICTS = [
    ("conflict", "yes", "NO"),
    ("Conflicts", "x", ""),
    ("COI", "author", "0"),
    ("Conflict of interest", "1", "none"),
    ("action", "conflict", "primary"),
    ("action", "clearreview", "pcreview"),
]


@pytest.mark.parametrize(("header", "says", "harmless"), CONFLICTS)
def test_a_row_that_is_a_conflict_is_no_assignment(people: People, header: str, says: str, harmless: str) -> None:
    data = f"paper,{header},reviewer\nP1,{harmless},ada@example.org\nP2,{says},ben@example.org\n".encode()
    plan = read_assignments(people.venue, "a.csv", data)
    assert [str(problem) for problem in plan.problems] == [
        (
            f'row 3, column {header}: found "{says}", expected only rows of papers and those who shall review them; '
            "delete the row, or rename the column if it means something else"
        )
    ]
    assert plan.unchanged == 1
    assert read_reviewers(people.venue, "r.csv", f"email,{header}\nx@example.org,{says}\n".encode()).problems == []


def test_a_conflict_may_be_a_truth_value_of_a_workbook(people: People) -> None:
    file = io.BytesIO()
    with Workbook(file) as book:
        page = book.add_worksheet()
        for number, row in enumerate([["paper", "reviewer", "conflict"], ["P1", "Ada", False], ["P2", "Ada", True]]):
            page.write_row(number, 0, row)
    assert [one.row for one in read_assignments(people.venue, "a.xlsx", file.getvalue()).problems] == [3]


def test_new_ids_that_are_much_like_others_are_named(people: People) -> None:
    Paper.objects.create(venue=people.venue, key="12")
    plan = read_papers(people.venue, "p.csv", b"id\np1\n12.0\nP-02\nQ1\nQ01\nP3\nP30\n")
    assert plan.warnings == [
        (
            'These ids are taken for different papers, though they are much alike: "p1" and "P1", "12.0" and "12", "P-02" and '
            '"P2", "Q01" and "Q1"'
        )
    ]
    assert (len(plan.new), plan.unchanged) == (6, 1)
    assert alike_warnings([], ["P1", "p1"]) == []
    assert alike_warnings(["?", "!"], []) == []
    assert alike_warnings([f"x{n}" for n in range(12)], [f"X{n}" for n in range(12)])[0].endswith('"x9" and "X9", ...')
    (problem,) = read_assignments(people.venue, "a.csv", b"paper,reviewer\n12.00,Ada\n").problems
    assert problem.remedy == "import the papers first, or correct the cell"
    (problem,) = read_assignments(people.venue, "a.csv", b"paper,reviewer\n12.0,Ada\n").problems
    assert problem.remedy == 'did you mean "12"?'


TABLES: dict[str, tuple[list[str], list[list[str]]]] = {
    "papers": (
        ["id", "title", "url"],
        [["#REF!", "x", ""], ["1.5E+20", "", ""], ["N1", "#N/A", "x"], ["\u200b", "", ""]],
    ),
    "reviewers": (["email", "name"], [["Ada <ada@x>", ""], ["a@x.org b@x.org", "B"], ["d@x.org", "#NAME?"], ["", "x"]]),
    "assignments": (
        ["paper", "reviewer"],
        [["P11", "Ada <ada@example.org>"], ["P1", "a@x.org, b@x.org"], ["#VALUE!", "Ada"], ["P1", "nobody"]],
    ),
}


@pytest.mark.parametrize("kind", TABLES)
def test_scripts_are_told_the_same_as_chairs(people: People, kind: str) -> None:
    header, rows = TABLES[kind]
    quoted = [",".join(f'"{cell}"' for cell in row) for row in [header, *rows]]
    by_file = READERS[kind](people.venue, "t.csv", "\n".join(quoted).encode()).problems
    sent = [dict(zip(header, row, strict=True)) for row in rows]
    answer = Script(people.chair).post(f"/venues/workshop/{kind}/import", {"rows": sent})
    assert answer.status == 422
    told = [
        (problem["where"], problem["found"], problem["expected"], problem["remedy"])
        for problem in answer.json["problems"]
    ]
    assert len(told) >= 4
    assert told == [
        (f"row {(one.row or 0) - 1}, column {one.column}", one.found, one.expected, one.remedy) for one in by_file
    ]


def test_scripts_get_warnings_and_names_of_addresses_too(people: People) -> None:
    script = Script(people.chair)
    Paper.objects.create(venue=people.venue, key="N1", authors="Ada")
    rows = [{"paper": "N1", "reviewer": "A <ada@example.org>"}]
    answer = script.post("/venues/workshop/assignments/import", {"rows": rows, "dry_run": True})
    assert (answer.json["new"], answer.json["warnings"]) == (1, [f"{AUTHORS}N1 (Ada)"])
    script.post("/venues/workshop/reviewers/import", {"rows": [{"email": "Dee Doe <dee@example.org>"}]})
    assert Reviewer.objects.get(email="dee@example.org").name == "Dee Doe"


def test_one_name_with_two_addresses_is_pointed_out_and_does_not_block(people: People) -> None:
    said = "These reviewers are taken for different people, because their addresses differ, though they have the same name: "
    data = b'email,name\nada@work.example,ADA\ndee@a.example,Dee Doe\ndee@b.example,"Doe, Dee"\neve@example.org,\nfox@example.org,\n'
    plan = read_reviewers(people.venue, "r.csv", data)
    assert (len(plan.new), plan.problems) == (5, [])
    assert plan.warnings == [
        said + '"Ada" (ada@example.org and ada@work.example), "Dee Doe" (dee@a.example and dee@b.example)'
    ]
    renamed = read_reviewers(people.venue, "r.csv", b"email,name\nben@example.org,Ada\n")
    assert renamed.warnings == [said + '"Ada" (ada@example.org and ben@example.org)']
    assert read_reviewers(people.venue, "r.csv", b"email,name\nada@example.org,Ada\n").warnings == []
    rows = [{"email": "ada@work.example", "name": "Ada"}]
    answer = Script(people.chair).post("/venues/workshop/reviewers/import", {"rows": rows}).json
    assert answer["warnings"] == [said + '"Ada" (ada@example.org and ada@work.example)']
    again = read_reviewers(people.venue, "r.csv", b"email,name\nada@work.example,Ada\n")
    assert (again.unchanged, again.warnings) == (1, [])


def test_a_column_of_conflicts_is_looked_at_and_not_called_unread(people: People) -> None:
    data = b"paper,reviewer,Conflict,Score\nP1,ada@example.org,no,1\nP2,ada@example.org,yes,2\n"
    plan = read_assignments(people.venue, "a.csv", data)
    assert plan.notes == [
        'Looked at for rows that are no assignments: "Conflict".',
        'Not read: 1 column ("Score").',
    ]
    assert [(one.row, one.column) for one in plan.problems] == [(3, "Conflict")]
    papers = read_papers(people.venue, "p.csv", b"id,conflict\nP1,yes\n")
    assert (papers.notes, papers.problems) == (['Not read: 1 column ("conflict").'], [])
