"""The log can be added to, and nothing else."""

import pytest
from django.db import DatabaseError, transaction

from surpeer.web.audit.log import Action, record
from surpeer.web.audit.models import Entry
from surpeer.web.audit.reading import in_words
from surpeer.web.venues import personal_data
from web.people import People


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
        ("Chair", "Ada", ["revoked: 2"]),
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
