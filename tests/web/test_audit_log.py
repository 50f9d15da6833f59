"""The log can be added to, and nothing else."""

import pytest
from django.db import DatabaseError, transaction

from surpeer.web.audit.log import Action, record
from surpeer.web.audit.models import Entry
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
