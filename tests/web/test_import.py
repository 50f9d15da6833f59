"""Importing papers, reviewers and assignments: seen first, written once, and never half."""

import io
from datetime import timedelta

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from xlsxwriter import Workbook

from surpeer.errors import InputError
from surpeer.web.accounts.mail_addresses import PLAIN
from surpeer.web.audit.models import Entry
from surpeer.web.venues.import_writing import apply
from surpeer.web.venues.importing import read_assignments, read_papers, read_reviewers
from surpeer.web.venues.models import Assignment, ImportUpload, Paper, Reviewer
from web.people import People

PAPERS = (
    b"id,title,authors,track,url,abstract\nP1,Paper 1,Author 1,Theory,,\nP9,Ninth,Zoe,,https://example.org/9,Short\n"
)


def upload(browser: Client, kind: str, data: bytes, name: str = "file.csv") -> HttpResponse:
    """The preview of a file, as the chair sees it."""
    address = f"/venues/workshop/import/{kind}/"
    return browser.post(address, {"file": SimpleUploadedFile(name, data)}, follow=True)


def confirm(browser: Client, preview: HttpResponse) -> HttpResponse:
    plan, kept = preview.context["plan"], preview.context["upload"]
    address = f"/venues/workshop/uploads/{kept.pk}/confirm/"
    return browser.post(address, {"fingerprint": plan.fingerprint}, follow=True)


def workbook(rows: list[list[object]], sheet: str = "Papers") -> bytes:
    file = io.BytesIO()
    with Workbook(file) as book:
        page = book.add_worksheet(sheet)
        for number, row in enumerate(rows):
            page.write_row(number, 0, row)
    return file.getvalue()


def test_a_preview_says_what_is_new_changed_and_unchanged_and_writes_nothing(people: People) -> None:
    chair = people.browsers["chair"]
    preview = upload(chair, "papers", PAPERS + b"P2,,,,,\n")
    text = preview.content.decode()
    assert "3 papers: 1 new, 1 changed, 1 unchanged." in text
    plan = preview.context["plan"]
    assert [(one.name, one.changes) for one in plan.changed] == [("P1", {"track": ("", "Theory")})]
    assert Paper.objects.filter(venue=people.venue).count() == 3
    assert Entry.objects.count() == 0


def test_confirming_writes_exactly_that_once_and_importing_again_changes_nothing(people: People) -> None:
    chair = people.browsers["chair"]
    answer = confirm(chair, upload(chair, "papers", PAPERS))
    assert "Imported. 2 papers: 1 new, 1 changed, 0 unchanged." in answer.content.decode()
    new = Paper.objects.get(venue=people.venue, key="P9")
    assert (new.title, new.authors, new.url, new.abstract) == ("Ninth", "Zoe", "https://example.org/9", "Short")
    assert Paper.objects.get(venue=people.venue, key="P1").track == "Theory"
    assert Paper.objects.filter(venue=people.venue).count() == 4
    entry = Entry.objects.get(action="imported")
    assert (entry.about, entry.details) == ("papers", {"new": 1, "changed": 1})
    again = upload(chair, "papers", PAPERS)
    assert "Nothing to do: everything in the file is there already. 2 papers: 0 new" in again.content.decode()
    assert ImportUpload.objects.count() == 1  # the one that is looked at; the confirmed one is gone


def test_an_empty_cell_leaves_what_is_there(people: People) -> None:
    plan = read_papers(people.venue, "p.csv", b"id,title,authors\nP1,,\n")
    assert (plan.new, plan.changed, plan.unchanged, plan.problems) == ([], [], 1, [])


def test_every_problem_is_listed_with_row_column_and_remedy_and_nothing_can_be_imported(people: People) -> None:
    data = b"id,title,url\nP4,Good,\n,No id,\nP5,Bad,javascript:alert(1)\nP6,One\xc3\xa9,x,y\nP4,Another,\n"
    preview = upload(people.browsers["chair"], "papers", data)
    problems = [str(problem) for problem in preview.context["plan"].problems]
    assert problems[0] == (
        "row 3, column id: found an empty cell, expected the id of a paper; fill it in, or delete the row"
    )
    assert problems[1] == (
        'row 4, column url: found "javascript:alert(1)", expected an address that begins with https:// or http://; '
        "correct the cell"
    )
    assert problems[2] == (
        'row 5: found 4 cells (it begins "P6,Oneé"), expected 3 as in the header; '
        "remove the extra cells, or put quotes around text with separators in it"
    )
    assert problems[3:] == [
        'row 6, column id: found "P4", as in row 2, with another title, expected one row for each; keep one of the two rows'
    ]
    assert "The file has 4 problems, so nothing of it can be imported." in preview.content.decode()
    assert "/confirm/" not in preview.content.decode()
    assert confirm(people.browsers["chair"], preview).status_code == 200
    assert Paper.objects.filter(venue=people.venue).count() == 3


def test_a_row_with_a_bad_cell_still_takes_part_in_what_rows_say_together(people: People) -> None:
    data = b"id,title,authors,url\nP8,A,Zoe,nowhere\nP8,B,Yan,\nP9,C,,ftp://x\nP9,C,,https://example.org\n"
    plan = read_papers(people.venue, "p.csv", data)
    assert [(one.row, one.column, one.found) for one in plan.problems] == [
        (2, "url", '"nowhere"'),
        (3, "id", '"P8", as in row 2, with another title and other authors'),
        (4, "url", '"ftp://x"'),
    ]
    assert [one.name for one in plan.new] == []
    twice = b"id,title,title,url\nP8,A,B,nowhere\n"
    assert [(one.row, one.column) for one in read_papers(people.venue, "p.csv", twice).problems] == [
        (1, "title"),
        (2, "url"),
    ]
    half = b"paper,reviewer\n,nobody@example.org\nP77,\n"
    assert [(one.row, one.column) for one in read_assignments(people.venue, "a.csv", half).problems] == [
        (2, "paper"),
        (2, "reviewer"),
        (3, "reviewer"),
        (3, "paper"),
    ]


def test_thousands_of_problems_are_on_pages(people: People) -> None:
    data = b"email\n" + b"".join(b"nobody%d\n" % number for number in range(3000))
    chair = people.browsers["chair"]
    preview = upload(chair, "reviewers", data)
    assert (len(preview.context["plan"].problems), preview.context["page"].paginator.num_pages) == (3000, 15)
    last = chair.get(f"/venues/workshop/uploads/{preview.context['upload'].pk}/?page=15").content.decode()
    assert "&quot;nobody2999&quot;" in last
    assert ">3001<" in last


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "an empty file"),
        (b"  \n", "an empty file"),
        (b"\n\nP1,x\n", "an empty first row"),
        (b"id,title\n", "a header without rows below it"),
        (b"code,title\nP1,x\n", 'the columns "code", "title"'),
        (b"id,ID,title\n1,2,3\n", 'columns "id" and "ID"'),
        (b"id,title\nP1,\xff\xfe\n", "byte 0xff in line 2"),
        ("id,title\nP1,x\n".encode("utf-16"), "UTF-16 text"),
        (b'id,title\nP1,"open\n', "a row that cannot be read"),
        (b'[{"id": "P1"}]', "JSON"),
        (b"%PDF-1.4", "a PDF"),
        (b"PK\x03\x04broken", "damaged"),
        (b"id,title\nP1,a\0b\n", "a NUL byte in line 2"),
        (b"id|title\nP1|x\n", "a header separated by bars"),
        (b"id,title\nP1,a\x07b\n", "a\\x07b"),
    ],
)
def test_what_is_no_table_is_said(people: People, data: bytes, said: str) -> None:
    plan = read_papers(people.venue, "papers.csv", data)
    assert len(plan.problems) == 1
    assert said in str(plan.problems[0])
    with pytest.raises(InputError, match="nothing was imported"):
        apply(plan)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfPaper_ID;Paper Title\r\nA;x\r\n",
        b"KEY\tTitle\nA\tx\n",
        b"name,number\nx,A\n",
        b"paper,title,score\n A ,  x ,17\n\n",
        workbook([["Id", "Title"], ["A", "x"]]),
        workbook([["submission", "TITLE"], ["A", "x"], ["", ""]]),
    ],
)
def test_files_as_programs_write_them_are_read(people: People, data: bytes) -> None:
    plan = read_papers(people.venue, "papers", data)
    assert [(new.name, new.fields) for new in plan.new] == [("A", {"key": "A", "title": "x"})]
    assert plan.problems == []


def test_formulas_stay_text_and_numbers_are_written_as_people_do(people: People) -> None:
    apply(read_papers(people.venue, "p.xlsx", workbook([["id", "title"], [17, "'=1+1"], [18.0, "x"]])))
    apply(read_papers(people.venue, "p.csv", b"id,title\n19,=HYPERLINK(1)\n"))
    titles = dict(Paper.objects.filter(venue=people.venue, key__startswith="1").values_list("key", "title"))
    assert titles == {"17": "'=1+1", "18": "x", "19": "=HYPERLINK(1)"}


def test_columns_that_are_not_read_are_named(people: People) -> None:
    preview = upload(people.browsers["chair"], "papers", b"id,score\nA,1\n")
    assert "Not read: 1 column (&quot;score&quot;)." in preview.content.decode()


def test_reviewers_are_known_by_their_address_whatever_its_capitals(people: People) -> None:
    plan = read_reviewers(people.venue, "r.csv", b"Name,E-Mail\nAda Adams,ADA@example.org\nDee,dee@example.org\n")
    assert [(one.name, one.changes) for one in plan.changed] == [("ada@example.org", {"name": ("Ada", "Ada Adams")})]
    apply(plan, people.chair)
    people.reviewer.refresh_from_db()
    assert people.reviewer.name == "Ada Adams"
    assert Reviewer.objects.get(email="dee@example.org").venue == people.venue


def test_the_same_row_twice_is_one_and_two_that_differ_are_a_problem(people: People) -> None:
    same = read_reviewers(people.venue, "r.csv", b"email,name\nd@example.org,Dee\nD@example.org,Dee\n")
    assert ([new.name for new in same.new], same.problems) == (["d@example.org"], [])
    other = read_reviewers(people.venue, "r.csv", b"email,name\nd@example.org,Dee\nd@example.org,Dan\n")
    assert [(problem.row, problem.column) for problem in other.problems] == [(3, "email")]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("paper,reviewer 1,reviewer 2", '"reviewer 1", "reviewer 2"'),
        ("paper,Reviewer,Reviewer_2", '"Reviewer", "Reviewer_2"'),
        ("paper,reviewer1 email,reviewer2 email", '"reviewer1 email", "reviewer2 email"'),
        ("paper,email,Email", '"email", "Email"'),
    ],
)
def test_reviewers_side_by_side_are_to_have_rows_of_their_own(people: People, header: str, found: str) -> None:
    plan = read_assignments(people.venue, "a.csv", f"{header}\nP1,ada@example.org,ben@example.org\n".encode())
    (problem,) = plan.problems
    assert str(problem) == (
        f"row 1, column reviewer: found columns {found}, expected one column reviewer, and one row for each paper and "
        "reviewer; give each reviewer a row of its own, with the id of the paper in each"
    )


def test_one_column_of_reviewers_beside_their_names_is_read(people: People) -> None:
    plan = read_assignments(people.venue, "a.csv", b"paper,reviewer,email\nP1,somebody,ada@example.org\n")
    assert (plan.problems, plan.unchanged) == ([], 1)


def test_a_cell_in_which_a_formula_failed_is_no_id_and_no_title(people: People) -> None:
    file = io.BytesIO()
    with Workbook(file) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["id", "title"])
        page.write_formula(1, 0, "=#REF!", None, "#REF!")
        page.write_row(2, 0, ["P7", "x"])
        page.write_formula(2, 1, "=NA()", None, "#N/A")
    plan = read_papers(people.venue, "p.xlsx", file.getvalue())
    assert [str(problem) for problem in plan.problems] == [
        f"row {row}, column {column}: found {found}, expected {expected}; a spreadsheet writes this where a formula "
        "fails: correct the formula, or type the content"
        for row, column, found, expected in (
            (2, "id", '"#REF!"', "the id of a paper"),
            (3, "title", '"#N/A"', "the title"),
        )
    ]


def test_an_address_with_other_letters_is_refused_with_the_reason(people: People) -> None:
    data = "email\nmüller@exämple.de\nada.exämple.org\nmueller@exämple.de\n".encode()
    assert [(one.row, one.expected) for one in read_reviewers(people.venue, "r.csv", data).problems] == [
        (2, f"{PLAIN}, because many mail servers take no others"),
        (3, "an e-mail address such as ada@example.org"),
    ]
    typed = people.browsers["chair"].post("/venues/workshop/reviewers/new/", {"email": "müller@exämple.de"})
    assert f"Found “müller@exämple.de”, expected {PLAIN}, because" in typed.content.decode()


def test_assignments_are_by_address_or_by_name(people: People) -> None:
    paper = Paper.objects.create(venue=people.venue, key="P4")
    plan = read_assignments(people.venue, "a.csv", b"reviewer,paper\nada@example.org,P4\nBen,P4\nAda,P1\nben,P4\n")
    assert (len(plan.new), plan.unchanged, plan.problems) == (2, 1, [])
    apply(plan, people.chair)
    assert set(paper.assignments.values_list("reviewer__name", flat=True)) == {"Ada", "Ben"}
    assert read_assignments(people.venue, "a.csv", b"paper,email\nP4,ada@example.org\n").does_something is False


def test_unknown_papers_and_reviewers_are_problems_with_the_nearest_name(people: People) -> None:
    Reviewer.objects.create(venue=people.venue, name="Ben", email="ben2@example.org")
    plan = read_assignments(
        people.venue, "a.csv", b"paper,reviewer\nP11,ada@example.org\nP1,Ben\nX1,cleo@example.org\n"
    )
    assert [(problem.row, problem.column, problem.remedy) for problem in plan.problems] == [
        (2, "paper", 'did you mean "P1"?'),
        (3, "reviewer", "write the e-mail address instead"),
        (4, "paper", "import the papers first, or correct the cell"),
        (4, "reviewer", "import the reviewers first, or correct the cell"),
    ]
    assert Assignment.objects.filter(paper__venue=people.venue).count() == 6


def test_what_changed_meanwhile_is_shown_again_instead_of_written(people: People) -> None:
    chair = people.browsers["chair"]
    preview = upload(chair, "papers", PAPERS)
    Paper.objects.filter(venue=people.venue, key="P1").update(track="Practice")
    answer = confirm(chair, preview)
    assert "The venue has changed since this file was looked at." in answer.content.decode()
    assert answer.context["plan"].changed[0].changes == {"track": ("Practice", "Theory")}
    assert not Paper.objects.filter(key="P9").exists()
    assert "Imported." in confirm(chair, answer).content.decode()


def test_a_plan_that_is_out_of_date_writes_nothing(people: People) -> None:
    plan = read_papers(people.venue, "p.csv", PAPERS)
    Paper.objects.filter(venue=people.venue, key="P1").update(track="Practice")
    with pytest.raises(InputError, match="has changed since"):
        apply(plan)
    assert not Paper.objects.filter(key="P9").exists()
    twin = read_papers(people.venue, "p.csv", b"id\nP8\n")
    Paper.objects.create(venue=people.venue, key="P8")
    with pytest.raises(InputError, match="has changed since"):
        apply(twin)


def test_uploads_are_bounded_private_and_gone_after_a_day(people: People, settings: object) -> None:
    browsers = people.browsers
    chair = browsers["chair"]
    settings.MOST_UPLOADED = 100  # type: ignore[attr-defined]
    refused = upload(chair, "papers", b"id,title\n" + b"P1,x\n" * 100)
    assert (refused.status_code, "expected at most 0 MB" in refused.content.decode()) == (422, True)
    assert chair.post("/venues/workshop/import/papers/", {}).status_code == 422
    preview = upload(chair, "papers", b"id\nP7\n")
    pk = preview.context["upload"].pk
    assert browsers["other chair"].get(f"/venues/elsewhere/uploads/{pk}/").status_code == 404
    assert browsers["observer"].get(f"/venues/workshop/uploads/{pk}/").status_code == 403
    ImportUpload.objects.update(uploaded_at=timezone.now() - timedelta(days=2))
    assert chair.get(f"/venues/workshop/uploads/{pk}/").status_code == 404
    upload(chair, "reviewers", b"email\nx@example.org\n")
    assert ImportUpload.objects.get().kind == "reviewers"
    assert chair.get("/venues/workshop/import/chairs/").status_code == 404


def test_a_large_venue_is_imported_in_few_statements(people: People, django_assert_max_num_queries: object) -> None:
    keys = pl.DataFrame({"id": [f"K{number}" for number in range(5000)], "title": "A title"})
    data = keys.write_csv().encode()
    plan = read_papers(people.venue, "p.csv", data)
    with django_assert_max_num_queries(40):  # type: ignore[operator]
        apply(plan, people.chair)
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        again = read_papers(people.venue, "p.csv", data)
    assert (again.unchanged, again.does_something) == (5000, False)
