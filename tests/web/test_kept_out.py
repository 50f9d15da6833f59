"""Reviewers whose links a chair revoked: mails to many do not let them in again, and pages say so."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from surpeer.web.venues import links, mailing
from surpeer.web.venues.models import PersonalLink, Reviewer
from web.api_script import Script
from web.people import People, browser_of, make_link

EARLIER = "(one that you got earlier works, too)"


@pytest.fixture
def revoked(people: People) -> People:
    """Both were invited and have links; a chair revoked those of Ada."""
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=3))
    for reviewer in (people.reviewer, people.second_reviewer):
        make_link(reviewer, days=-1)  # one that has expired, which is not revoked
        make_link(reviewer)
    browser_of(people.chair).post(f"/venues/workshop/reviewers/{people.reviewer.pk}/links/revoke/")
    return people


def written_to() -> list[str]:
    return [message.to[0] for message in mail.outbox]


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_mails_to_many_leave_them_out_and_name_them(revoked: People, kind: str) -> None:
    chair = browser_of(revoked.chair)
    if kind == "invite":
        Reviewer.objects.update(invited_at=None)
    page = chair.get(f"/venues/workshop/{kind}/").content.decode()
    reviewer = f'<a class="text" href="/venues/workshop/reviewers/{revoked.reviewer.pk}/">Ada</a>'
    assert f"1 reviewer is left out because a chair revoked all their links: {reviewer}." in page
    assert f"Send 1 {'invitation' if kind == 'invite' else 'reminder'}<" in page
    chair.post(f"/venues/workshop/{kind}/")
    chair.post(f"/venues/workshop/{kind}/?all=1", {"since": timezone.now().isoformat()})
    Script(revoked.chair).post(f"/venues/workshop/{'invitations' if kind == 'invite' else 'reminders'}", {})
    assert set(written_to()) == {"ben@example.org"}
    assert not links.working_links().filter(reviewer=revoked.reviewer).exists()


def test_pages_do_not_say_that_all_is_well_where_only_they_are_left(revoked: People) -> None:
    chair = browser_of(revoked.chair)
    Reviewer.objects.filter(pk=revoked.second_reviewer.pk).delete()
    remind = chair.get("/venues/workshop/remind/").content.decode()
    assert ("Nobody is late" in remind, "1 reviewer is left out because" in remind) == (False, True)
    Reviewer.objects.update(invited_at=None)
    invite = chair.get("/venues/workshop/invite/").content.decode()
    assert "Nobody else is waiting for an invitation." in invite
    assert ("Everybody" in invite, "No reviewer with" in invite) == (False, False)


def test_a_chair_lets_her_in_again_on_her_page(revoked: People) -> None:
    chair = browser_of(revoked.chair)
    chair.post(f"/venues/workshop/reviewers/{revoked.reviewer.pk}/invite/")
    assert EARLIER not in mail.outbox[0].body
    assert "left out because" not in chair.get("/venues/workshop/remind/").content.decode()
    assert set(mailing.late(revoked.venue)) == {revoked.reviewer, revoked.second_reviewer}


def test_links_that_were_replaced_or_have_expired_keep_nobody_out(revoked: People) -> None:
    chair = browser_of(revoked.chair)
    chair.post(f"/venues/workshop/reviewers/{revoked.second_reviewer.pk}/links/replace/")
    assert list(mailing.late(revoked.venue)) == [revoked.second_reviewer]
    PersonalLink.objects.filter(revoked_at=None).update(expires_at=timezone.now())
    assert list(mailing.late(revoked.venue)) == [revoked.second_reviewer]


def test_a_new_address_makes_links_void_and_keeps_nobody_out(revoked: People) -> None:
    one = revoked.second_reviewer
    browser_of(revoked.chair).post(
        f"/venues/workshop/reviewers/{one.pk}/edit/", {"name": "Ben", "email": "new@example.org"}
    )
    assert not links.working_links().filter(reviewer=one).exists()
    assert list(mailing.to_invite(revoked.venue)) == [one]


@pytest.mark.parametrize("works", [True, False])
def test_a_reminder_speaks_of_an_earlier_link_only_if_one_works(revoked: People, works: bool) -> None:
    if not works:
        PersonalLink.objects.update(expires_at=timezone.now())
    chair = browser_of(revoked.chair)
    assert (EARLIER in chair.get("/venues/workshop/remind/").content.decode()) is works
    chair.post("/venues/workshop/remind/")
    assert (EARLIER in mail.outbox[0].body) is works


def test_who_can_be_invited_where_there_is_nobody_or_nobody_has_papers(people: People) -> None:
    chair = browser_of(people.chair)
    people.venue.papers.all().delete()
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert "No reviewer with an e-mail address has papers left to review, so nobody can be invited." in page
    people.venue.reviewers.all().delete()
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert "There are no reviewers yet, so nobody can be invited." in page
    assert "Everybody" not in page
