"""Pages say whether mails are sent or put into files, before and after."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from surpeer.web.accounts.invitations import invite_first_chair
from surpeer.web.venues.models import PersonalLink, Reviewer
from web.people import People

NOTE = "There is no mail server: mails are put as files into the folder <code>mail</code> of the data, not sent."
NOT_SENT = "(put into the folder “mail”, not sent)"
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
        Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=2))
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


def test_pages_tell_an_invitation_that_was_filed_from_one_that_was_sent(people: People, sends: bool) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    chair.post("/venues/workshop/invite/")
    listed = chair.get("/venues/workshop/reviewers/").content.decode()
    assert [listed.count(">invited "), listed.count(">invitation filed ")] == ([2, 0] if sends else [0, 2])
    assert (NOT_SENT in chair.get(address).content.decode()) is not sends
    assert chair.get("/venues/workshop/remind/").content.decode().count("(filed)") == (0 if sends else 2)
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=2))
    chair.post("/venues/workshop/remind/")
    listed = chair.get("/venues/workshop/reviewers/").content.decode()
    assert [listed.count(">reminded "), listed.count(">reminder filed ")] == ([2, 0] if sends else [0, 2])
    assert chair.get(address).content.decode().count(NOT_SENT) == (0 if sends else 2)
    log = chair.get("/venues/workshop/log/").content.decode()
    assert log.count("mail: filed") == (0 if sends else 4)


def test_who_has_an_invitation_in_a_file_only_is_invited_once_there_is_a_mail_server(
    people: People, settings: object
) -> None:
    chair = people.browsers["chair"]
    PersonalLink.objects.all().delete()
    chair.post("/venues/workshop/invite/")
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert "has an invitation, but 2 of these are in the folder <code>mail</code> of the data only" in page
    assert "2 reviewers were invited" in chair.get("/venues/workshop/remind/").content.decode()
    settings.EMAIL_HOST = "mail.example.org"  # type: ignore[attr-defined]
    people.second_reviewer.links.update(used_at=timezone.now())  # the file was passed on to him
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert "1 reviewer with papers to review got no invitation yet." in page
    assert "For 1 of them an invitation was put into the folder <code>mail</code> of the data earlier, and not" in page
    assert "1 reviewer with papers was never invited" in chair.get("/venues/workshop/remind/").content.decode()
    assert "1 reviewer with papers is not invited yet." in chair.get("/venues/workshop/").content.decode()
    chair.post("/venues/workshop/invite/")
    assert [message.to for message in mail.outbox[2:]] == [["ada@example.org"]]
    assert Reviewer.objects.get(pk=people.reviewer.pk).invitation_filed is False
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert "Everybody who has papers and an e-mail address was invited." in page


def test_a_new_address_has_no_mails_in_files(people: People) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    chair.post("/venues/workshop/invite/")
    chair.post("/venues/workshop/remind/")
    chair.post(f"{address}edit/", {"name": "Ada", "email": "adams@example.org"})
    one = Reviewer.objects.get(pk=people.reviewer.pk)
    assert (one.invited_at, one.reminded_at, one.invitation_filed, one.reminder_filed) == (None, None, False, False)
    assert "not invited" in chair.get("/venues/workshop/reviewers/").content.decode()


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
