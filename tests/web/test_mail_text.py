"""What stands in mails to reviewers: the message of the chairs, who sends it, and where answers go."""

import pytest
from django.core import mail

from surpeer.web.accounts.models import User
from surpeer.web.audit.models import Entry
from surpeer.web.venues import mailing
from surpeer.web.venues.models import Reviewer, Venue
from web.api_script import Script
from web.opened_form import opened
from web.people import People

MESSAGE = "This is our first round.\r\nAsk me <anything> & soon."


@pytest.fixture
def written(people: People) -> People:
    """The chair has written a message of her own."""
    Venue.objects.filter(pk=people.venue.pk).update(mail_message=MESSAGE)
    return people


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_the_message_stands_as_it_was_typed_before_the_papers(written: People, kind: mailing.Kind) -> None:
    reviewer = Reviewer.objects.select_related("venue").get(pk=written.reviewer.pk)
    body = str(mailing.compose(kind, reviewer, "THE LINK", written.chair).body)
    first = {"invite": "You are asked to review", "remind": 'For "Workshop" we still miss'}[kind]
    assert body.startswith(f"Dear Ada,\n\n{MESSAGE}\n\n{first}")
    after = {"invite": "Open your personal link to see them.", "remind": "The deadline is"}[kind]
    assert f"- Paper 3\n\n{after}" in body
    without = mailing.compose(kind, written.reviewer, "THE LINK", written.chair).body  # loaded before
    assert without == body.replace(f"{MESSAGE}\n\n{first}", f"{first[0].lower()}{first[1:]}")


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_who_sends_it_stands_at_the_end_and_gets_the_answers(people: People, kind: mailing.Kind) -> None:
    message = mailing.compose(kind, people.reviewer, "x", people.chair)
    assert str(message.body).endswith("\n\nChair\nchair@example.org\n")
    assert message.reply_to == ["chair@example.org"]
    nameless = mailing.compose(kind, people.reviewer, "x", User(email="dana@example.org"))
    assert str(nameless.body).endswith("\n\ndana@example.org\n")


def test_the_page_shows_it_before_it_goes_and_where_to_change_it(people: People) -> None:
    chair = people.browsers["chair"]
    page = chair.get("/venues/workshop/invite/").content.decode()
    add = '<a href="/venues/workshop/settings/?from=invite#id_mail_message">add a message of your own</a>'
    assert [add in page, 'Answers go to <span class="text">chair@example.org</span>.' in page] == [True, True]
    Venue.objects.filter(pk=people.venue.pk).update(mail_message=MESSAGE)
    page = chair.get("/venues/workshop/invite/").content.decode()
    assert '#id_mail_message">Change your message</a>' in page
    assert "Ask me &lt;anything&gt; &amp; soon." in page
    chair.post("/venues/workshop/invite/")
    content = mail.outbox[0].message().as_bytes(linesep="\r\n")
    assert b"This is our first round.\r\nAsk me <anything> & soon.\r\n" in content


def test_it_is_a_setting_that_is_logged_and_that_observers_read(people: People) -> None:
    chair = people.browsers["chair"]
    shown = chair.get("/venues/workshop/settings/").content.decode()
    assert 'name="mail_message"' in shown
    script = Script(people.chair)
    changed = script("PATCH", "/venues/workshop", {"mail_message": "From the jury"})
    assert (changed.status, changed.json["mail_message"]) == (200, "From the jury")
    entry = Entry.objects.get(action="changed the settings")
    assert entry.details == {"what": "mail_message"}
    assert "From the jury" in people.browsers["observer"].get("/venues/workshop/settings/").content.decode()
    too_long = script("PATCH", "/venues/workshop", {"mail_message": "x" * 5001})
    assert (too_long.status, too_long.json["problems"][0]["where"]) == (422, "body: mail_message")


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_after_the_message_is_saved_one_is_back_where_one_came_from(people: People, kind: str) -> None:
    chair = people.browsers["chair"]
    address = f"/venues/workshop/settings/?from={kind}"
    page = chair.get(address).content.decode()
    assert f'<a href="/venues/workshop/{kind}/">Back without saving</a>' in page
    saved = chair.post(address, opened(page, mail_message="From the jury"))
    assert (saved.status_code, saved.headers["Location"]) == (302, f"/venues/workshop/{kind}/")
    assert Venue.objects.get(pk=people.venue.pk).mail_message == "From the jury"


@pytest.mark.parametrize("came_from", ["//evil.example", "venue", "", "https://evil.example/"])
def test_one_returns_to_no_other_page(people: People, came_from: str) -> None:
    chair = people.browsers["chair"]
    address = f"/venues/workshop/settings/?from={came_from}"
    page = chair.get(address).content.decode()
    assert "Back without saving" not in page
    assert chair.post(address, opened(page)).headers["Location"] == "/venues/workshop/settings/"
