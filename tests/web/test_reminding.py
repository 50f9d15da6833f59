"""Who is reminded, who was reminded a moment ago, and what the page says of both."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from surpeer.web.venues.models import Reviewer
from web.people import People

REMIND = "/venues/workshop/remind/"


@pytest.fixture
def invited(people: People) -> People:
    """Both were invited, and Ada was reminded three hours ago."""
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=3))
    Reviewer.objects.filter(pk=people.reviewer.pk).update(reminded_at=timezone.now() - timedelta(hours=3))
    return people


def written_to() -> list[str]:
    return [message.to[0] for message in mail.outbox]


def states(page: str) -> list[str]:
    """The last cell of each row, in the order of the page."""
    return [row.split("<td>")[1].split("</td>")[0] for row in page.split("<tbody>")[1].split("</tr>")[:-1]]


def test_who_was_reminded_within_a_day_is_left_out(invited: People) -> None:
    chair = invited.browsers["chair"]
    page = chair.get(REMIND).content.decode()
    assert "2 reviewers were invited and have reviews left to do." in page
    assert "1 of them was invited or reminded within the last day and will be left out." in page
    assert "Send 1 reminder<" in page
    assert "Dear Ben" in page
    assert states(page) == ["to be reminded", "left out"]  # who was never reminded comes first
    assert page.count(">never</td>") == 1
    chair.post(REMIND)
    assert written_to() == ["ben@example.org"]


def test_the_chair_can_include_them_and_nobody_is_reminded_twice_by_one_page(invited: People) -> None:
    chair = invited.browsers["chair"]
    page = chair.get(f"{REMIND}?all=1")
    text = page.content.decode()
    assert "1 of them was invited or reminded within the last day and will be reminded again." in text
    assert states(text) == ["to be reminded", "to be reminded"]
    assert "Send 2 reminders<" in text
    for _ in range(2):
        chair.post(f"{REMIND}?all=1", {"since": page.context["since"].isoformat()})
    assert sorted(written_to()) == ["ada@example.org", "ben@example.org"]


def test_who_was_invited_within_a_day_is_left_out_too(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/invite/")
    mail.outbox.clear()
    page = chair.get(REMIND).content.decode()
    assert "2 of them were invited or reminded within the last day and will be left out." in page
    assert (states(page), "Send " in page.split("<main")[1]) == (["left out", "left out"], False)
    chair.post(REMIND)
    assert written_to() == []
    page = chair.get(f"{REMIND}?all=1")
    assert states(page.content.decode()) == ["to be reminded", "to be reminded"]
    chair.post(f"{REMIND}?all=1", {"since": page.context["since"].isoformat()})
    assert sorted(written_to()) == ["ada@example.org", "ben@example.org"]


def test_after_a_day_everybody_is_due_again(invited: People) -> None:
    Reviewer.objects.update(reminded_at=timezone.now() - timedelta(hours=25))
    page = invited.browsers["chair"].get(REMIND).content.decode()
    assert "within the last day" not in page
    assert states(page) == ["to be reminded", "to be reminded"]


def test_when_reviewing_is_over_nobody_is_due(invited: People) -> None:
    invited.venue.closed_at = timezone.now()
    invited.venue.save()
    page = invited.browsers["chair"].get(REMIND).content.decode()
    assert states(page) == ["not written to", "not written to"]
    assert "will be left out" not in page
