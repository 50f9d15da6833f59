"""Pages say whether mails are sent or put into files, before and after."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from surpeer.web.accounts.invitations import invite_first_chair
from surpeer.web.venues.models import Reviewer
from web.people import People

NOTE = "There is no mail server: mails are put as files into the folder <code>mail</code> of the data, not sent."
FILED = "put as a file into the folder"


@pytest.fixture(params=[True, False], ids=["mail server", "files"])
def sends(request: pytest.FixtureRequest, settings: object) -> bool:
    """Whether there is a mail server."""
    settings.EMAIL_HOST = "mail.example.org" if request.param else ""  # type: ignore[attr-defined]
    return bool(request.param)


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_mails_to_all(people: People, sends: bool, kind: str) -> None:
    chair = people.browsers["chair"]
    if kind == "remind":
        Reviewer.objects.update(invited_at=timezone.now())
    address = f"/venues/workshop/{kind}/"
    assert (NOTE in chair.get(address).content.decode()) is not sends
    after = chair.post(address).content.decode()
    filed = "2 mails were put into the folder <code>mail</code> of the data, not sent. Failed: 0. Left: 0."
    assert ["Sent: 2. Failed: 0. Left: 0." in after, filed in after] == [sends, not sends]
    assert len(mail.outbox) == 2


def test_one_mail_that_is_filed_is_one(people: People, settings: object) -> None:
    Reviewer.objects.filter(pk=people.second_reviewer.pk).update(invited_at=timezone.now())
    after = people.browsers["chair"].post("/venues/workshop/invite/").content.decode()
    assert "1 mail was put into the folder <code>mail</code> of the data, not sent." in after


def test_a_mail_to_one(people: People, sends: bool) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    assert (NOTE in chair.get(address).content.decode()) is not sends
    for kind, what in (("invite", "An invitation"), ("remind", "A reminder")):
        page = chair.post(f"{address}{kind}/", follow=True).content.decode()
        assert (f"{what} went to ada@example.org." in page) is sends
        assert (f"{what} to ada@example.org was {FILED} “mail” of the data, not sent." in page) is not sends


def test_people_with_accounts(people: People, sends: bool) -> None:
    chair = people.browsers["chair"]
    assert (NOTE in chair.get("/venues/workshop/people/").content.decode()) is not sends
    page = chair.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "chair"})
    text = page.content.decode()
    assert ("<h2>The invitation was sent</h2>" in text) is sends
    assert ("<h2>The invitation was not sent</h2>" in text) is not sends
    assert ("Pass on this link yourself." in text) is not sends
    assert "/join/" in text


def test_a_forgotten_password(people: People, sends: bool) -> None:
    before = Client().get("/password/reset/").content.decode()
    assert [NOTE in before, "is sent to it" in before] == [not sends, sends]
    after = Client().post("/password/reset/", {"email": "chair@example.org"}, follow=True).content.decode()
    assert ["the mail is on its way" in after, FILED in after] == [sends, not sends]
    assert ("Ask whoever runs this server for the link in it" in after) is not sends


def test_the_first_chair_learns_of_it(db: None, sends: bool) -> None:
    assert (NOTE in Client().get(str(invite_first_chair())).content.decode()) is not sends
