"""Coming by a personal link, and leaving."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surpeer.web.accounts.models import WrongGuess
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import PersonalLink
from surpeer.web.visits.store import LINK
from web.people import People, browser_of, make_link


def test_a_link_lets_in_and_its_secret_leaves_the_address_bar(people: People) -> None:
    link, secret = make_link(people.reviewer)
    browser = Client()
    answer = browser.get(f"/r/{secret}/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/reviews/")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert "You are here as" in browser.get("/reviews/").content.decode()
    link.refresh_from_db()
    assert link.used_at is not None
    assert Entry.objects.get(action="opened a personal link").reviewer == people.reviewer.pk


def test_a_link_works_again_in_another_browser(people: People) -> None:
    _, secret = make_link(people.reviewer)
    assert [Client().get(f"/r/{secret}/").headers["Location"] for _ in range(2)] == ["/reviews/"] * 2


def test_the_session_gets_a_new_key(people: People) -> None:
    browser = browser_of(people.second_reviewer)
    before = browser.session.session_key
    link, secret = make_link(people.reviewer)
    browser.get(f"/r/{secret}/")
    assert browser.session.session_key != before
    assert browser.session[LINK] == link.pk
    assert "You are here as" in browser.get("/reviews/").content.decode()


@pytest.mark.parametrize("what", ["unknown", "expired", "revoked", "erased"])
def test_links_that_open_nothing_are_answered_alike(people: People, what: str) -> None:
    link, secret = make_link(people.reviewer)
    now = timezone.now()
    changes = {"expired": {"expires_at": now - timedelta(seconds=1)}, "revoked": {"revoked_at": now}}
    PersonalLink.objects.filter(pk=link.pk).update(**changes.get(what, {"used_at": None}))
    if what == "erased":
        people.reviewer.erased_at = now
        people.reviewer.save()
    browser = Client()
    answer = browser.get(f"/r/{'nothing' if what == 'unknown' else secret}/")
    text = answer.content.decode()
    assert answer.status_code == 404
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "This link does not open anything" in text
    assert people.reviewer.name not in text
    assert browser.get("/reviews/").headers["Location"] == "/link-needed/"


def test_a_link_revoked_later_shuts_the_browser_out(people: People) -> None:
    link, secret = make_link(people.reviewer)
    browser = Client()
    browser.get(f"/r/{secret}/")
    PersonalLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
    assert browser.get("/reviews/").headers["Location"] == "/link-needed/"


def test_guessing_is_stopped_even_if_the_next_guess_is_right(people: People) -> None:
    _, secret = make_link(people.reviewer)
    browser = Client()
    assert {browser.get(f"/r/guess-{n}/").status_code for n in range(20)} == {404}
    answer = browser.get(f"/r/{secret}/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "900")
    WrongGuess.objects.update(at=timezone.now() - timedelta(minutes=16))
    assert browser.get(f"/r/{secret}/").status_code == 302


def test_a_robot_that_only_asks_for_the_head_learns_and_changes_nothing(people: People) -> None:
    link, secret = make_link(people.reviewer)
    answers = [Client().head(f"/r/{token}/") for token in (secret, "unknown")]
    assert [(answer.status_code, "Set-Cookie" in answer.headers) for answer in answers] == [(200, False)] * 2
    link.refresh_from_db()
    assert link.used_at is None
    assert (Entry.objects.count(), WrongGuess.objects.count()) == (0, 0)


def test_a_link_is_not_opened_by_a_post(people: People) -> None:
    _, secret = make_link(people.reviewer)
    assert Client().post(f"/r/{secret}/").status_code == 405


def test_leaving_ends_the_session(people: People) -> None:
    browser = browser_of(people.reviewer)
    assert browser.get("/reviews/leave/").status_code == 405
    page = browser.post("/reviews/leave/", follow=True)
    assert "You are signed out. To come back, open your personal link again." in page.content.decode()
    assert browser.get("/reviews/").headers["Location"] == "/link-needed/"


def test_a_chair_who_leaves_as_a_reviewer_stays_signed_in(people: People) -> None:
    browser = browser_of(people.chair)
    _, secret = make_link(people.reviewer)
    browser.get(f"/r/{secret}/")
    assert browser.session["_auth_user_id"] == str(people.chair.pk)
    browser.post("/reviews/leave/")
    assert browser.session["_auth_user_id"] == str(people.chair.pk)
    assert LINK not in browser.session
