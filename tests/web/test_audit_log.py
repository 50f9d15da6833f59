"""The log can be added to, and nothing else."""

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from surpeer.web.accounts.invitations import accept
from surpeer.web.accounts.models import Invitation
from surpeer.web.audit.log import Action, record
from surpeer.web.audit.models import Entry
from surpeer.web.audit.reading import in_words
from surpeer.web.results import excluding
from surpeer.web.results.pseudonyms import review_code
from surpeer.web.venues import creating, personal_data
from surpeer.web.venues.models import Assignment, Venue
from web.api_script import Script
from web.people import People
from web.submitting import submitted


def test_an_entry_says_who_did_what(people: People) -> None:
    record(people.chair, Action.CLOSED, people.venue)
    record(people.reviewer, Action.SUBMITTED, people.venue, about="P1", number=2)
    by_reviewer, by_chair = Entry.objects.all()
    assert (by_chair.user, by_chair.reviewer, by_chair.action) == (people.chair.pk, None, "closed the round")
    assert (by_reviewer.user, by_reviewer.reviewer, by_reviewer.details) == (None, people.reviewer.pk, {"number": 2})


@pytest.mark.parametrize("change", [lambda: Entry.objects.update(action="x"), lambda: Entry.objects.all().delete()])
def test_the_database_refuses_to_change_or_delete_an_entry(people: People, change: object) -> None:
    record(people.chair, Action.CLOSED, people.venue)
    with pytest.raises(DatabaseError, match="the audit log is append-only"), transaction.atomic():
        change()  # type: ignore[operator]
    assert Entry.objects.get().action == "closed the round"


def test_the_page_says_whom_and_what_an_entry_is_about(people: People) -> None:
    paper, reviewer, assignment = people.papers[0], people.reviewer, people.assignments[0]
    record(people.chair, Action.INVITED, people.venue, about=str(reviewer.pk))
    record(people.chair, Action.CHANGED, people.venue, about=f"paper {paper.pk}")
    record(people.chair, Action.MADE_LINK, people.venue, about=f"reviewer {reviewer.pk}", revoked=2)
    record(people.chair, Action.ADDED, people.venue, about=f"assignment {assignment.pk}")
    record(people.chair, Action.REMOVED, people.venue, about="paper 987654")
    record(people.chair, Action.REMOVED_MEMBER, people.venue, about=str(people.observer.pk), role="observer")
    record(people.reviewer, Action.SUBMITTED, people.venue, about="P1", number=2)
    record(people.chair, Action.SAW_RESULTS, people.venue, stamp="3-4-5")
    record(None, Action.IMPORTED, people.venue, "papers", new=3, changed=0)
    lines = [(line.who, line.about, line.details) for line in in_words(Entry.objects.order_by("pk"))]
    assert lines == [
        ("Chair", "Ada", []),
        ("Chair", "paper P1", []),
        ("Chair", "Ada", ["links made void: 2"]),
        ("Chair", "paper P1 for Ada", []),
        ("Chair", "paper 987654", []),
        ("Chair", "Observer", ["role: observer"]),
        ("Ada", "P1", ["version 2"]),
        ("Chair", "", []),
        ("the server", "papers", ["new: 3", "changed: 0"]),
    ]
    personal_data.erase(reviewer)
    assert in_words(Entry.objects.order_by("pk"))[0].about == f"erased reviewer {reviewer.pk}"


def test_the_log_takes_a_fixed_number_of_queries(people: People, django_assert_max_num_queries: object) -> None:
    for _ in range(30):
        record(people.chair, Action.INVITED, people.venue, about=str(people.reviewer.pk))
        record(people.reviewer, Action.SUBMITTED, people.venue, about="P1", number=1)
        record(people.chair, Action.CHANGED, people.venue, about=f"paper {people.papers[0].pk}")
    with django_assert_max_num_queries(7):  # type: ignore[operator]
        assert len(in_words(Entry.objects.all())) == 90


def words_of(entry: Entry) -> tuple[str, list[str]]:
    (line,) = in_words([entry])
    return line.about, line.details


def test_changed_settings_have_before_and_after_and_long_texts_only_that_they_changed(people: People) -> None:
    changes = {
        "accept": "3",
        "blindness": "single",
        "deadline": "2099-12-24T22:59:00Z",
        "time_zone": "Europe/Berlin",
        "instructions": "Be kind.",
        "levels": [{"label": "no"}, {"label": "yes"}],
    }
    assert Script(people.chair)("PATCH", "/venues/workshop", changes).status == 200
    entry = Entry.objects.get()
    before = f"{people.venue.deadline:%Y-%m-%d %H:%M} (UTC)"
    assert words_of(entry) == (
        "",
        [
            "how many to accept: from “25%” to “3”",
            "blindness: from “Reviewers do not see the authors” to “Reviewers see the authors”",
            f"deadline: from “{before}” to “2099-12-24 23:59 (Europe/Berlin)”",
            "instructions for reviewers: changed",
            "rating scale: from “reject (0), accept (1)” to “no (0), yes (1)”",
            "time zone: from “UTC” to “Europe/Berlin”",
        ],
    )
    assert "Be kind." not in str(entry.details)
    page = people.browsers["observer"].get("/venues/workshop/log/").content.decode()
    assert "how many to accept: from “25%” to “3”; blindness: from" in page


def test_a_scale_of_many_levels_is_told_in_short(people: People) -> None:
    levels = [{"label": f"level number {at}", "value": at} for at in range(100)]
    creating.change(people.venue, levels, people.chair)
    told = Entry.objects.get().details["levels now"]
    assert (told[:33], told[-3:], len(told)) == ("100 levels, level number 0 (0), l", "...", 315)


def test_an_entry_of_an_earlier_version_says_what_changed(people: People) -> None:
    record(people.chair, Action.CHANGED_SETTINGS, people.venue, what="accept, blindness, gone")
    assert words_of(Entry.objects.get())[1] == ["how many to accept: changed", "blindness: changed", "gone: changed"]


def test_who_joined_and_who_was_invited_is_named(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "observer"})
    invitation = Invitation.objects.get()
    accept(invitation, people.other_chair)
    record(people.chair, Action.REMOVED_MEMBER, people.venue, about=f"invitation {invitation.pk}")
    record(people.chair, Action.JOINED, people.venue, about="987654", role="chair")
    assert [words_of(entry) for entry in Entry.objects.order_by("pk")] == [
        ("invitation of zoe@example.org", ["role: observer"]),
        ("invitation of zoe@example.org", ["role: observer"]),
        ("invitation of zoe@example.org", []),
        ("invitation 987654", ["role: chair"]),
    ]


@pytest.mark.parametrize("blindness", ["double", "triple"])
def test_an_excluded_review_is_called_as_the_page_of_the_paper_calls_it(people: People, blindness: str) -> None:
    Venue.objects.filter(pk=people.venue.pk).update(blindness=blindness)
    hers, his = people.assignments[0], Assignment.objects.get(paper=people.papers[0], reviewer=people.second_reviewer)
    for one in (hers, his):
        submitted(one)
    excluding.exclude(Assignment.objects.get(pk=hers.pk), people.chair, "late")
    letter = "A" if review_code(hers.pk) < review_code(his.pk) else "B"
    expected = "Ada" if blindness == "double" else f"Reviewer {letter}"
    entry = Entry.objects.get(action="excluded a review")
    assert words_of(entry) == ("P1", [f"the review of {expected}"])
    page = people.browsers["chair"].get("/venues/workshop/log/").content.decode()
    assert (review_code(hers.pk) in page, f"the review of {expected}" in page) == (False, True)
    Assignment.objects.filter(pk=hers.pk).update(declined_at=timezone.now())
    assert words_of(entry) == ("P1", ["a review that is not there any more"])


def test_what_was_removed_is_called_as_it_was_called(people: People) -> None:
    chair, paper = people.browsers["chair"], people.papers[2]
    chair.post(f"/venues/workshop/assignments/{people.assignments[2].pk}/remove/")
    chair.post(f"/venues/workshop/papers/{paper.pk}/remove/")
    chair.post(f"/venues/workshop/reviewers/{people.second_reviewer.pk}/link/")
    chair.post(f"/venues/workshop/reviewers/{people.second_reviewer.pk}/remove/")
    assert [words_of(entry) for entry in Entry.objects.order_by("pk")] == [
        ("paper P3 for Ada", []),
        ("paper P3", []),
        (f"reviewer {people.second_reviewer.pk}", []),
        (f"reviewer {people.second_reviewer.pk}", []),
    ]
