"""Papers, reviewers and assignments through the interface: lists in parts, and imports by the rules for files."""

import pytest
from pytest_django import DjangoAssertNumQueries

from surpeer.web.audit.models import Entry
from surpeer.web.venues.importing import read_papers
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from web.api_script import Script
from web.filled_venue import add_review
from web.people import People

PAPERS = "/venues/workshop/papers"


def test_papers_come_in_parts_with_their_counts(people: People) -> None:
    add_review(people.assignments[1], 1, [5, 15])
    answer = Script(people.observer).get(PAPERS, limit=2, offset=1)
    assert answer.json["count"] == 3
    assert answer.json["items"][0] == {
        "pk": people.papers[1].pk,
        "id": "P2",
        "title": "Paper 2",
        "authors": "Author 2",
        "track": "",
        "url": "",
        "reviews": {"assigned": 2, "done": 1, "declined": 0},
    }
    assert [one["id"] for one in answer.json["items"]] == ["P2", "P3"]
    assert [one["pk"] for one in Script(people.chair).get(PAPERS, id="P3").json["items"]] == [people.papers[2].pk]
    assert Script(people.chair).get(PAPERS, offset=10**9).json == {"count": 3, "items": []}


def test_one_paper_has_its_abstract(people: People) -> None:
    Paper.objects.filter(pk=people.papers[0].pk).update(abstract="All about it.")
    answer = Script(people.chair).get(f"{PAPERS}/{people.papers[0].pk}")
    assert (answer.json["abstract"], answer.json["reviews"]["assigned"]) == ("All about it.", 2)
    elsewhere = Paper.objects.get(venue=people.other_venue)
    assert Script(people.chair).get(f"{PAPERS}/{elsewhere.pk}").status == 404


def test_reviewers_come_with_how_far_they_are(people: People) -> None:
    Assignment.objects.filter(pk=people.assignments[0].pk).update(declined_at="2026-01-01T00:00:00Z")
    answer = Script(people.observer).get("/venues/workshop/reviewers", email=" ADA@example.org")
    assert answer.json["items"] == [
        {
            "pk": people.reviewer.pk,
            "name": "Ada",
            "email": "ada@example.org",
            "invited_at": None,
            "invitation_filed": False,
            "reminded_at": None,
            "reminder_filed": False,
            "erased_at": None,
            "reviews": {"assigned": 2, "done": 0, "declined": 1},
        }
    ]
    assert Script(people.observer).get("/venues/workshop/reviewers").json["count"] == 2


def test_assignments_say_who_has_reviewed_what_and_never_how(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15], comment="secret")
    script = Script(people.observer)
    done = script.get("/venues/workshop/assignments", done="true")
    assert done.json == {
        "count": 1,
        "items": [
            {
                "paper": "P1",
                "paper_pk": people.papers[0].pk,
                "reviewer": "Ada",
                "reviewer_pk": people.reviewer.pk,
                "done": True,
                "declined_at": None,
                "declined_because": "",
            }
        ],
    }
    assert script.get("/venues/workshop/assignments", reviewer=people.reviewer.pk).json["count"] == 3
    assert script.get("/venues/workshop/assignments", paper=people.papers[0].pk, done="false").json["count"] == 1


@pytest.mark.parametrize("path", ["papers", "reviewers", "assignments", "log"])
def test_lists_take_few_queries_however_long_they_are(
    people: People, django_assert_max_num_queries: DjangoAssertNumQueries, path: str
) -> None:
    reviewers = [Reviewer(venue=people.venue, email=f"r{n}@example.org") for n in range(50)]
    Reviewer.objects.bulk_create(reviewers)
    Assignment.objects.bulk_create([Assignment(paper=people.papers[0], reviewer=one) for one in reviewers])
    script = Script(people.chair)
    script.get("/venues")
    with django_assert_max_num_queries(7):
        assert script.get(f"/venues/workshop/{path}").status == 200


def test_papers_are_imported_all_or_none_and_twice_changes_nothing(people: People) -> None:
    script = Script(people.chair)
    rows = [
        {"id": "P1", "title": "New title", "authors": ""},
        {"id": " P9 ", "title": "Nine", "url": "https://example.org/9", "abstract": "Two\nlines"},
        {"id": "P2"},
    ]
    dry = script.post(f"{PAPERS}/import", {"rows": rows, "dry_run": True})
    summary = "3 papers: 1 new, 1 changed, 1 unchanged."
    assert dry.json == {"dry_run": True, "new": 1, "changed": 1, "unchanged": 1, "summary": summary, "warnings": []}
    assert people.venue.papers.count() == 3
    done = script.post(f"{PAPERS}/import", {"rows": rows})
    assert done.json == {**dry.json, "dry_run": False}
    changed = Paper.objects.get(pk=people.papers[0].pk)
    assert (changed.title, changed.authors) == ("New title", "Author 1")
    assert Paper.objects.get(key="P9").abstract == "Two\nlines"
    again = script.post(f"{PAPERS}/import", {"rows": rows})
    assert (again.json["new"], again.json["changed"], again.json["unchanged"]) == (0, 0, 3)
    entry = Entry.objects.get(action="imported")
    assert (entry.user, entry.about, entry.details) == (people.chair.pk, "papers", {"new": 1, "changed": 1})


def test_every_problem_of_every_row_is_told_and_nothing_is_written(people: People) -> None:
    rows = [
        {"id": "P8", "title": "S"},
        {"id": " ", "url": "nowhere"},
        {"id": "x" * 201},
        {"id": "P\0"},
        {"id": "P8", "title": "T"},
    ]
    answer = Script(people.chair).post(f"{PAPERS}/import", {"rows": rows})
    assert answer.status == 422
    assert answer.messages == [
        "row 2, column id: found an empty cell, expected the id of a paper; fill it in, or delete the row",
        'row 2, column url: found "nowhere", expected an address that begins with https:// or http://; correct the cell',
        "row 3, column id: found 201 characters, expected at most 200; shorten the text",
        'row 4, column id: found "P\\x00", expected text without control characters; type the cell again',
        'row 5, column id: found "P8", as in row 1, with another title, expected one row for each; keep one of the two rows',
    ]
    assert answer.json["problems"][0]["where"] == "row 2, column id"
    assert not Paper.objects.filter(key="P8").exists()


def test_rows_and_files_are_held_to_the_same_rules(people: People) -> None:
    rows = [["P1", "nowhere"], ["", "https://example.org"], ["P5", "https://example.org/5"]]
    plan = read_papers(people.venue, "papers.csv", "\n".join(map(",".join, [["id", "url"], *rows])).encode())
    answer = Script(people.chair).post(f"{PAPERS}/import", {"rows": [{"id": key, "url": url} for key, url in rows]})
    by_file = [(problem.row - 1, problem.column, problem.found, problem.expected) for problem in plan.problems]
    by_rows = [(problem["where"], problem["found"], problem["expected"]) for problem in answer.json["problems"]]
    assert by_rows == [(f"row {row}, column {column}", found, expected) for row, column, found, expected in by_file]


def test_a_thousand_problems_are_listed_and_the_others_counted(people: People) -> None:
    answer = Script(people.chair).post(f"{PAPERS}/import", {"rows": [{"id": ""}] * 1500})
    assert (answer.status, len(answer.messages), answer.messages[-1]) == (422, 1001, "... and 500 more")


def test_what_is_no_text_is_told_together_with_everything_else(people: People) -> None:
    rows = [
        {"id": "P8", "title": 1.5},
        {"id": "P8", "title": "A"},
        {"id": "P8", "title": "B", "extra": "x"},
        {"url": "u"},
    ]
    answer = Script(people.chair).post(f"{PAPERS}/import", {"rows": rows})
    assert (answer.status, answer.messages) == (
        422,
        [
            "body: rows.0.title: found 1.5, expected a valid string",
            "body: rows.2.extra: found a field that is not known, expected no such field; remove it, or correct its name",
            "body: rows.3.id: found nothing, expected a value; add it",
            'row 3, column id: found "P8", as in row 1, with another title, expected one row for each; keep one of the two rows',
            'row 4, column url: found "u", expected an address that begins with https:// or http://; correct the cell',
        ],
    )
    assert not people.venue.papers.filter(key="P8").exists()


def test_a_whole_number_is_an_id_as_in_a_workbook(people: People) -> None:
    script = Script(people.chair)
    assert script.post(f"{PAPERS}/import", {"rows": [{"id": 7}, {"id": "7"}]}).json["new"] == 1
    assert people.venue.papers.filter(key="7").count() == 1
    assert script.post("/venues/workshop/assignments/import", {"rows": [{"paper": 7, "reviewer": "Ada"}]}).status == 200


def test_rows_that_do_not_fit_the_description(people: People) -> None:
    script = Script(people.chair)
    for body in (
        {"rows": []},
        {"rows": [{"title": "no id"}]},
        {"rows": [{"id": 7.5}]},
        {"rows": [{"id": True}]},
        {"rows": [{"id": None}]},
        {"rows": ["P1"]},
        {"rows": [{"id": "1", "x": "y"}]},
    ):
        assert script.post(f"{PAPERS}/import", body).status == 422
    assert script.post(f"{PAPERS}/import", {"rows": [{"id": "1"}], "dry_run": "yes"}).status == 422
    assert script.post(f"{PAPERS}/import", [{"id": "1"}]).status == 422


def test_reviewers_are_imported_by_their_addresses(people: People) -> None:
    script = Script(people.chair)
    rows = [{"email": "ADA@example.org", "name": "Ada Adams"}, {"email": "dan@example.org"}]
    answer = script.post("/venues/workshop/reviewers/import", {"rows": rows})
    assert (answer.json["new"], answer.json["changed"]) == (1, 1)
    assert Reviewer.objects.get(pk=people.reviewer.pk).name == "Ada Adams"
    bad = script.post("/venues/workshop/reviewers/import", {"rows": [{"email": "ada"}]})
    assert bad.messages == [
        'row 1, column email: found "ada", expected an e-mail address such as ada@example.org; correct the cell'
    ]


def test_assignments_are_imported_for_papers_and_reviewers_that_there_are(people: People) -> None:
    script = Script(people.chair)
    script.post(f"{PAPERS}/import", {"rows": [{"id": "P4"}]})
    rows = [{"paper": "P4", "reviewer": "Ada"}, {"paper": "P1", "reviewer": "ada@example.org"}]
    answer = script.post("/venues/workshop/assignments/import", {"rows": rows})
    assert (answer.json["new"], answer.json["unchanged"]) == (1, 1)
    assert Assignment.objects.filter(paper__key="P4", reviewer=people.reviewer).count() == 1
    bad = script.post(
        "/venues/workshop/assignments/import", {"rows": [{"paper": "P1", "reviewer": "cleo@example.org"}]}
    )
    assert bad.status == 422
    assert bad.json["problems"][0]["found"] == '"cleo@example.org"'
    assert bad.json["problems"][0]["expected"] == "a reviewer of this venue (e-mail address or name)"


def test_an_import_that_another_one_overtook_is_a_conflict(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    from surpeer.web.api import row_import
    from surpeer.web.venues.import_writing import HAS_CHANGED
    from surpeer.web.venues.importing import plan_papers

    def overtaken(venue: object, table: object) -> object:
        plan = plan_papers(venue, table)  # type: ignore[arg-type]
        Paper.objects.create(venue=people.venue, key="P9")
        return plan

    monkeypatch.setitem(row_import.PLANNERS, "papers", overtaken)
    answer = Script(people.chair).post(f"{PAPERS}/import", {"rows": [{"id": "P8"}, {"id": "P9"}]})
    assert (answer.status, answer.messages) == (409, [HAS_CHANGED])
    assert people.venue.papers.count() == 3
