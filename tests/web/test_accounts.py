"""Joining by invitation, signing in, tokens, and limits on guessing."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone

from surpeer.web.accounts import limits
from surpeer.web.accounts.invitations import invite_first_chair
from surpeer.web.accounts.models import ApiToken, Invitation, Role, User, WrongGuess
from surpeer.web.accounts.secret_links import hash_of
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Membership
from web.people import PASSWORD, People, browser_of, make_user


class Away(EmailBackend):
    """A mail server that is not there."""

    def send_messages(self, messages: object) -> int:
        raise SMTPServerDisconnected("mail is down")


NEW = {"name": "Zoe", "email": "Zoe@Example.org", "password": PASSWORD, "again": PASSWORD}


@pytest.fixture
def first_link(db: None) -> str:
    path = invite_first_chair()
    assert path is not None
    return path


def test_the_first_link_makes_a_chair_once(first_link: str, client: Client) -> None:
    assert b"You are the first one here" in client.get(first_link).content
    answer = client.post(first_link, NEW)
    assert (answer.status_code, answer["Location"]) == (302, "/venues/")
    user = User.objects.get()
    assert (user.email, user.may_create_venues, user.check_password(PASSWORD)) == ("zoe@example.org", True, True)
    assert client.session["_auth_user_id"] == str(user.pk)
    again = Client().post(first_link, {**NEW, "email": "second@example.org"})
    assert again.status_code == 404
    assert b"It was used already" in again.content
    assert User.objects.count() == 1


def test_a_new_first_link_makes_the_old_one_void_and_there_is_none_once_somebody_is_there(first_link: str) -> None:
    newer = invite_first_chair()
    assert Client().get(first_link).status_code == 404
    assert newer is not None
    assert Client().get(newer).status_code == 200
    make_user("somebody@example.org")
    assert invite_first_chair() is None


def test_secrets_are_kept_as_hashes_only(first_link: str) -> None:
    secret = first_link.split("/")[2]
    stored = Invitation.objects.get()
    assert stored.hash == hash_of(secret)
    assert secret not in str(stored.__dict__)


@pytest.mark.parametrize(
    "change", [{"expires_at": timezone.now() - timedelta(seconds=1)}, {"revoked_at": timezone.now()}]
)
def test_an_expired_or_revoked_invitation_is_void(first_link: str, client: Client, change: dict[str, object]) -> None:
    Invitation.objects.update(**change)
    assert client.post(first_link, NEW).status_code == 404
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"again": "another"}, "The two passwords are not the same."),
        ({"password": "zoe@example.org", "again": "zoe@example.org"}, "too similar to the e-mail address"),
        ({"password": "12345678", "again": "12345678"}, "This password is entirely numeric."),
        ({"password": "short", "again": "short"}, "This password is too short."),
        ({"email": "nobody"}, "Found “nobody”, expected an e-mail address such as ada@example.org."),
        ({"email": "zoë@example.org"}, "only letters without accents (a to z), digits and marks such as . - _ before"),
        ({"name": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_with_a_new_account_is_said_and_nothing_is_made(
    first_link: str, client: Client, wrong: dict[str, str], message: str
) -> None:
    answer = client.post(first_link, {**NEW, **wrong})
    assert message in answer.content.decode()
    assert not User.objects.exists()
    assert client.post(first_link, NEW).status_code == 302


def test_a_chair_invites_an_observer_who_has_no_account(people: People) -> None:
    answer = browser_of(people.chair).post(
        "/venues/workshop/people/invite/", {"email": "Zoe@example.org", "role": "observer"}
    )
    (sent,) = mail.outbox
    link = next(word for word in sent.body.split() if "/join/" in word)
    assert sent.to == ["zoe@example.org"]
    assert link in answer.content.decode()
    path = urlsplit(link).path
    Client().post(path, NEW)
    membership = Membership.objects.get(user__email="zoe@example.org")
    assert (membership.venue, membership.role, membership.user.may_create_venues) == (people.venue, "observer", False)


def test_somebody_with_an_account_accepts_with_it(people: People) -> None:
    browser_of(people.chair).post("/venues/workshop/people/invite/", {"email": people.observer.email, "role": "chair"})
    path = urlsplit(next(word for word in mail.outbox[0].body.split() if "/join/" in word)).path
    browser = browser_of(people.observer)
    assert b"Accept with this account" in browser.get(path).content
    browser.post(path)
    assert Membership.objects.get(user=people.observer).role == Role.CHAIR


def test_a_chair_does_not_become_less_by_an_invitation(people: People) -> None:
    Membership.objects.create(venue=people.venue, user=people.other_chair, role=Role.CHAIR)
    invitation = Invitation(
        venue=people.venue, email="x@example.org", role=Role.OBSERVER, expires_at=timezone.now() + timedelta(1)
    )
    browser_of(people.other_chair).post(f"/join/{invitation.make()}/")
    assert Membership.objects.get(user=people.other_chair, venue=people.venue).role == Role.CHAIR


def test_an_address_with_an_account_is_told_to_sign_in(first_link: str, client: Client) -> None:
    make_user("zoe@example.org")
    assert (
        "There is an account with this address. Sign in with it first" in client.post(first_link, NEW).content.decode()
    )


def test_the_last_chair_stays(people: People) -> None:
    browser = browser_of(people.chair)
    membership = Membership.objects.get(venue=people.venue, user=people.chair)
    answer = browser.post(f"/venues/workshop/people/{membership.pk}/remove/", follow=True)
    assert "A venue needs a chair." in answer.content.decode()
    observer = Membership.objects.get(user=people.observer)
    browser.post(f"/venues/workshop/people/{observer.pk}/remove/")
    assert not Membership.objects.filter(user=people.observer).exists()
    assert browser_of(people.observer).get("/venues/workshop/people/").status_code == 404


def test_removing_the_only_chair_is_not_offered_and_it_says_why(people: People) -> None:
    browser = browser_of(people.chair)
    page = browser.get("/venues/workshop/people/").content.decode()
    offered = ["Remove" + f'<span class="unseen"> {who}</span>' in page for who in (people.chair, people.observer)]
    assert offered == [False, True]
    assert "the only chair" in page
    assert "A venue needs a chair. To hand it over, invite another one first." in page
    assert "A venue needs a chair" not in browser_of(people.observer).get("/venues/workshop/people/").content.decode()
    Membership.objects.create(venue=people.venue, user=people.other_chair, role=Role.CHAIR)
    page = browser.get("/venues/workshop/people/").content.decode()
    assert (page.count(">Remove<"), "the only chair" in page) == (3, False)


def test_an_invitation_whose_mail_fails_is_good_all_the_same(
    people: People, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Away"  # type: ignore[attr-defined]
    invited = {"email": "zoe@example.org", "role": "observer"}
    page = browser_of(people.chair).post("/venues/workshop/people/invite/", invited)
    text = page.content.decode()
    assert (page.status_code, "The mail was not sent" in text) == (200, True)
    assert 'The mail server did not take it: <span class="text">mail is down</span>' in text
    path = urlsplit(page.context["link"]).path
    assert Client().get(path).status_code == 200
    assert f"the mail of invitation {Invitation.objects.get().pk} was not sent" in caplog.text


def test_a_withdrawn_invitation_is_void(people: People) -> None:
    browser = browser_of(people.chair)
    browser.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "chair"})
    invitation = Invitation.objects.get()
    browser.post(f"/venues/workshop/people/invitations/{invitation.pk}/withdraw/")
    path = urlsplit(next(word for word in mail.outbox[0].body.split() if "/join/" in word)).path
    assert Client().get(path).status_code == 404


def test_signing_in_is_logged_and_does_not_mind_capitals(people: People, client: Client) -> None:
    answer = client.post("/login/", {"username": "Chair@Example.org", "password": PASSWORD})
    assert answer.status_code == 302
    entry = Entry.objects.get()
    assert (entry.user, entry.action) == (people.chair.pk, "signed in")


def test_wrong_passwords_are_limited_by_account_and_by_address(people: People) -> None:
    wrong = {"username": "chair@example.org", "password": "wrong"}
    for number in range(limits.MOST):
        answer = Client(REMOTE_ADDR=f"192.0.2.{number}").post("/login/", wrong)
        assert "do not belong together" in answer.content.decode()
    right = {"username": "chair@example.org", "password": PASSWORD}
    assert Client(REMOTE_ADDR="192.0.2.200").post("/login/", right).status_code == 429
    assert Client().post("/login/", {**right, "username": "observer@example.org"}).status_code == 302
    WrongGuess.objects.update(at=timezone.now() - limits.WITHIN - timedelta(seconds=1))
    assert Client().post("/login/", right).status_code == 302


def test_guessing_invitations_is_limited_by_address_and_no_address_is_stored(first_link: str) -> None:
    guesser = Client(REMOTE_ADDR="192.0.2.7")
    answers = [guesser.get(f"/join/guess{number}/").status_code for number in range(limits.MOST + 1)]
    assert answers == [404] * limits.MOST + [429]
    assert guesser.get(first_link).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.8").get(first_link).status_code == 200
    assert not WrongGuess.objects.filter(whence__contains="192.0.2").exists()


@pytest.mark.parametrize("days", ["0", "367", "many"])
def test_how_long_a_token_may_work_is_said(people: People, days: str) -> None:
    answer = browser_of(people.chair).post("/account/tokens/new/", {"name": "nightly export", "days": days})
    assert (answer.status_code, ApiToken.objects.count()) == (422, 0)
    assert "Expected a number of days from 1 to 366." in answer.content.decode()


def test_a_token_is_shown_once_and_can_be_made_void(people: People) -> None:
    browser = browser_of(people.chair)
    answer = browser.post("/account/tokens/new/", {"name": "nightly export", "days": "30"})
    token = ApiToken.objects.get()
    shown = [
        word
        for word in answer.content.decode().replace("<", " ").replace(">", " ").split()
        if hash_of(word) == token.hash
    ]
    assert len(shown) == 1
    assert token.user == people.chair
    assert shown[0] not in browser.get("/account/").content.decode()
    assert browser_of(people.observer).post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    browser.post(f"/account/tokens/{token.pk}/revoke/")
    assert ApiToken.objects.get().revoked_at is not None


def test_a_forgotten_password_is_replaced_by_mail(people: People, client: Client) -> None:
    client.post("/password/reset/", {"email": "chair@example.org"})
    path = urlsplit(next(word for word in mail.outbox[0].body.split() if "/password/reset/" in word)).path
    answer = client.get(path, follow=True)
    form = answer.redirect_chain[-1][0]
    client.post(form, {"new_password1": "entirely new words", "new_password2": "entirely new words"})
    people.chair.refresh_from_db()
    assert people.chair.check_password("entirely new words")
    client.post("/password/reset/", {"email": "nobody@example.org"})
    assert len(mail.outbox) == 1


def test_a_mail_server_that_is_away_does_not_tell_whether_there_is_an_account(
    people: People, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = f"{__name__}.Away", "mail.example.org"  # type: ignore[attr-defined]
    pages = [
        Client().post("/password/reset/", {"email": email}, follow=True)
        for email in ("chair@example.org", "nobody@example.org")
    ]
    assert [page.status_code for page in pages] == [200, 200]
    assert pages[0].content == pages[1].content
    assert "tell whoever runs this server: its mail server may be away" in pages[0].content.decode()
    assert f"Failed to send password reset email to {people.chair.pk}" in caplog.text
    assert "chair@example.org" not in caplog.text


def test_the_account_page_has_one_field_of_each_id_and_links_that_lead_somewhere(people: People) -> None:
    browser = browser_of(people.chair)
    page = browser.get("/account/").content.decode()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert [f'<label for="{name}">' in page for name in ("id_name", "token_name", "token_days")] == [True] * 3
    links = set(re.findall(r'href="(/[^"#]*)"', page)) - set(re.findall(r'href="(/static/[^"]*)"', page))
    assert {link: browser.get(link, follow=True).status_code for link in links} == dict.fromkeys(links, 200)
