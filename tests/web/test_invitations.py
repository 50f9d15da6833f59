"""Invitations, reminders, personal links, and a reviewer's personal data."""

import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Draft, Submission
from surpeer.web.venues import links, mailing, personal_data
from surpeer.web.venues.models import Assignment, Blindness, ImportUpload, PersonalLink, Reviewer
from web.people import People, browser_of, make_link, make_reviewer
from web.submitting import submitted


@pytest.fixture(autouse=True)
def mail_server(settings: object) -> None:
    """Mails are sent, and not put into files (see test_mail_way.py)."""
    settings.EMAIL_HOST = "mail.example.org"  # type: ignore[attr-defined]


class Fussy(EmailBackend):
    """A mail server that does not take one address."""

    def send_messages(self, messages: list) -> int:  # type: ignore[type-arg]
        if any("ada@" in message.to[0] for message in messages):
            raise SMTPRecipientsRefused({"ada@example.org": (550, b"no such user")})
        return super().send_messages(messages)


class Away(EmailBackend):
    """A mail server that is not there."""

    def open(self) -> bool:
        raise ConnectionRefusedError(111, "Connection refused")


def secret_in(body: str) -> str:
    found = re.search(r"/r/([\w-]+)/", body)
    assert found, body
    return found.group(1)


def test_every_reviewer_with_papers_gets_one_mail_with_a_link_that_works(people: People) -> None:
    make_reviewer(people.venue, "idle@example.org")
    page = people.browsers["chair"].get("/venues/workshop/invite/").content.decode()
    assert "2 reviewers with papers to review got no invitation yet." in page
    assert "1 reviewer without papers will not be written to." in page
    answer = people.browsers["chair"].post("/venues/workshop/invite/")
    assert "Sent: 2. Failed: 0. Left: 0." in answer.content.decode()
    assert [message.to for message in mail.outbox] == [["ada@example.org"], ["ben@example.org"]]
    assert mail.outbox[0].subject == "Workshop: your papers to review"
    assert [f"- Paper {n}" in mail.outbox[0].body for n in (1, 2, 3)] == [True] * 3
    found = links.find_link(secret_in(mail.outbox[0].body))
    assert found is not None
    assert found.reviewer == people.reviewer
    assert mail.outbox[0].body.count("http://testserver/r/") == 1
    invited = Entry.objects.filter(action="invited").values_list("about", flat=True)
    assert set(invited) == {str(people.reviewer.pk), str(people.second_reviewer.pk)}


def test_inviting_again_writes_to_nobody_twice(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/invite/")
    new = make_reviewer(people.venue, "dee@example.org")
    Assignment.objects.create(paper=people.papers[0], reviewer=new)
    answer = chair.post("/venues/workshop/invite/")
    assert "Sent: 1. Failed: 0. Left: 0." in answer.content.decode()
    assert len(mail.outbox) == 3


def test_two_requests_at_once_send_one_mail(people: People, rf: object) -> None:
    request = rf.post("/")  # type: ignore[attr-defined]
    stale = list(mailing.to_invite(people.venue).order_by("pk"))
    mailing.send("invite", mailing.to_invite(people.venue), people.chair, request)
    outcome = mailing.Sent()
    post = mailing.Post(people.chair, request)
    for reviewer in stale:
        post.send("invite", reviewer, outcome)
    assert (outcome.sent, len(mail.outbox)) == (0, 2)


def test_a_mail_that_fails_is_listed_and_the_reviewer_is_tried_again(people: People, settings: object) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Fussy"  # type: ignore[attr-defined]
    chair = browser_of(people.chair)
    answer = chair.post("/venues/workshop/invite/").content.decode()
    assert "Sent: 1. Failed: 1. Left: 0." in answer
    assert "no such user" in answer
    people.reviewer.refresh_from_db()
    assert people.reviewer.invited_at is None
    assert not PersonalLink.objects.filter(reviewer=people.reviewer).exists()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"  # type: ignore[attr-defined]
    assert "Sent: 1. Failed: 0." in chair.post("/venues/workshop/invite/").content.decode()


def test_a_mail_server_that_is_away_is_said_and_nobody_is_marked(people: People, settings: object) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = f"{__name__}.Away", "mail.example.org"  # type: ignore[attr-defined]
    answer = people.browsers["chair"].post("/venues/workshop/invite/").content.decode()
    assert "The mail server could not be reached, so nothing was sent" in answer
    assert "Connection refused" in answer
    one = people.browsers["chair"].post(f"/venues/workshop/reviewers/{people.reviewer.pk}/invite/", follow=True)
    assert "The mail to ada@example.org was not sent: [Errno 111] Connection refused" in one.content.decode()
    assert not Reviewer.objects.filter(invited_at__isnull=False).exists()


def test_sending_stops_in_time_and_goes_on_where_it_stopped(people: People, rf: object) -> None:
    request = rf.post("/")  # type: ignore[attr-defined]
    none = mailing.send("invite", mailing.to_invite(people.venue), people.chair, request, seconds=-1)
    assert (none.sent, none.left, none.last) == (0, 2, 0)
    after = people.browsers["chair"].post("/venues/workshop/invite/", {"after": str(people.reviewer.pk)})
    assert "Sent: 1. Failed: 0. Left: 0." in after.content.decode()
    assert [message.to for message in mail.outbox] == [["ben@example.org"]]


def test_only_those_who_are_late_are_reminded_once_per_page(people: People) -> None:
    chair = people.browsers["chair"]
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=2))
    for assignment in people.assignments:
        submitted(assignment)
    page = chair.get("/venues/workshop/remind/")
    assert "1 reviewer was invited and has reviews left to do." in page.content.decode()
    since = page.context["since"].isoformat()
    answer = chair.post("/venues/workshop/remind/", {"since": since})
    assert "Sent: 1. Failed: 0. Left: 0." in answer.content.decode()
    chair.post("/venues/workshop/remind/", {"since": since})
    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["ben@example.org"], "Workshop: reviews are still missing")
    ]
    assert Entry.objects.filter(action="reminded").count() == 1


def test_nobody_is_written_to_when_reviewing_is_over(people: People) -> None:
    people.venue.closed_at = timezone.now()
    people.venue.save()
    for path in ("invite/", "remind/", f"reviewers/{people.reviewer.pk}/invite/"):
        answer = people.browsers["chair"].post(f"/venues/workshop/{path}", follow=True)
        assert "Reviewing is over, so nobody was written to." in answer.content.decode()
    assert mail.outbox == []


def test_one_reviewer_is_invited_again_but_not_by_a_double_click(people: People) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/invite/"
    assert "An invitation went to ada@example.org." in chair.post(address, follow=True).content.decode()
    assert "it was not sent twice" in chair.post(address, follow=True).content.decode()
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(hours=1))
    chair.post(address)
    assert len(mail.outbox) == 2


def test_who_was_never_invited_is_invited_and_not_reminded(people: People) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    page = chair.get(address).content.decode()
    assert ["Send an invitation" in page, "Send a reminder" in page] == [True, False]
    refused = chair.post(f"{address}remind/", follow=True).content.decode()
    assert "Ada was not invited yet, so no reminder went out. Send an invitation instead." in refused
    assert mail.outbox == []
    bulk = chair.get("/venues/workshop/remind/").content.decode()
    assert "2 reviewers with papers were never invited and will not be reminded" in bulk
    assert "Nobody is late" not in bulk
    chair.post(f"{address}invite/")
    page = chair.get(address).content.decode()
    shown = ["Send an invitation", "Send the invitation again", "Send a reminder"]
    assert [text in page for text in shown] == [False, True, True]
    assert "A reminder went to ada@example.org." in chair.post(f"{address}remind/", follow=True).content.decode()
    assert [message.subject for message in mail.outbox] == [
        "Workshop: your papers to review",
        "Workshop: reviews are still missing",
    ]


def test_who_has_finished_is_not_reminded_and_can_get_her_link_again(people: People) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    Reviewer.objects.update(invited_at=timezone.now() - timedelta(days=1))
    for assignment in people.assignments:
        submitted(assignment)
    assert "Send a reminder" not in chair.get(address).content.decode()
    refused = chair.post(f"{address}remind/", follow=True).content.decode()
    assert "Ada has nothing left to review, so no reminder went out." in refused
    chair.post(f"{address}invite/")
    (sent,) = mail.outbox
    assert "Nothing is left for you to review at the moment." in sent.body
    assert "to see them" not in sent.body


def test_line_ends_in_a_name_do_not_become_headers(people: People) -> None:
    people.venue.name = "Work\r\nBcc: all@example.org\nshop"
    message = mailing.compose("invite", people.reviewer, "x", people.chair)
    assert message.subject == "Work Bcc: all@example.org shop: your papers to review"


def test_a_link_is_shown_once_works_and_can_be_replaced_and_revoked(people: People) -> None:
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    first = secret_in(chair.post(f"{address}link/").content.decode())
    link = links.find_link(first)
    assert link is not None
    assert abs(link.expires_at - people.venue.deadline - timedelta(days=30)) < timedelta(seconds=1)
    assert first not in chair.get(address).content.decode()
    assert first not in str(PersonalLink.objects.values())
    asked = chair.get(f"{address}links/replace/").content.decode()
    assert "2 personal links work now. From then on only the new one opens anything; earlier ones do not" in asked
    assert links.find_link(first) is not None
    second = secret_in(chair.post(f"{address}links/replace/").content.decode())
    assert (links.find_link(first), links.find_link(second) is not None) == (None, True)
    assert "1 personal link works now." in chair.get(f"{address}links/revoke/").content.decode()
    assert links.find_link(second) is not None
    assert "no working link" not in chair.get("/venues/workshop/reviewers/").content.decode()
    chair.post(f"{address}links/revoke/")
    assert links.find_link(second) is None
    assert chair.get("/venues/workshop/reviewers/").content.decode().count("no working link") == 1
    assert "No personal link works now, so" in chair.get(f"{address}links/revoke/").content.decode()
    assert "No personal link works now, so nothing is lost." in chair.get(f"{address}links/replace/").content.decode()
    chair.post(f"{address}link/")
    assert "no working link" not in chair.get("/venues/workshop/reviewers/").content.decode()
    actions = list(Entry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["made a personal link", "made a personal link", "revoked links", "made a personal link"]


def test_links_that_expired_or_belong_to_nobody_open_nothing(people: People) -> None:
    _, expired = make_link(people.reviewer, days=-1)
    _, good = make_link(people.reviewer)
    assert links.find_link(expired) is None
    assert links.find_link("guess") is None
    assert links.find_link("\ud800") is None
    Reviewer.objects.update(erased_at=timezone.now())
    assert links.find_link(good) is None


@pytest.mark.parametrize(
    ("opened", "blindness", "seen"), [(False, "double", False), (True, "double", True), (True, "triple", False)]
)
def test_the_export_of_a_person_has_ratings_only_when_chairs_may_know_them(
    people: People, opened: bool, blindness: str, seen: bool
) -> None:
    people.venue.opened_at = timezone.now() if opened else None
    people.venue.blindness = Blindness(blindness)
    people.venue.save()
    submitted(people.assignments[0], comment="my words")
    answer = people.browsers["chair"].post(f"/venues/workshop/reviewers/{people.reviewer.pk}/export/")
    content = answer.json()
    person = content["reviewer"]
    assert (person["name"], person["email"], len(content["papers"])) == ("Ada", "ada@example.org", 3)
    assert ("left_out" in content) is not seen
    assert ("rating" in content["papers"][0]["submissions"][0]) is seen
    assert ("my words" in answer.content.decode()) is seen
    assert Entry.objects.filter(action="exported personal data").count() == 1


def test_erasing_a_person_leaves_ratings_and_predictions_and_nothing_else(people: People) -> None:
    first, second, third = people.assignments
    submitted(first, rating=0, comment="my words")
    submitted(second, rating=1)
    Assignment.objects.filter(pk=second.pk).update(declined_because="I am ill", declined_at=timezone.now())
    Draft.objects.create(assignment=third, fields={"comment": "unfinished words"})
    make_link(people.reviewer)
    inside = browser_of(people.reviewer)
    chair, address = people.browsers["chair"], f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    before = list(Submission.objects.order_by("pk").values_list("assignment", "number", "rating", "prediction"))
    assert "Ratings and predictions stay" in chair.get(f"{address}erase/").content.decode()
    page = chair.post(f"{address}erase/", follow=True).content.decode()
    assert f"erased reviewer {people.reviewer.pk}" in page
    after = list(Submission.objects.order_by("pk").values_list("assignment", "number", "rating", "prediction"))
    assert after == before
    erased = Reviewer.objects.get(pk=people.reviewer.pk)
    assert (erased.name, erased.email, erased.links.count(), Draft.objects.count()) == ("", "", 0, 0)
    assert set(Submission.objects.values_list("comment", flat=True)) == {""}
    assert set(Assignment.objects.filter(reviewer=erased).values_list("pk", "declined_because")) == {
        (first.pk, ""),
        (second.pk, ""),
    }
    assert inside.get("/reviews/").status_code == 302
    assert "Ada" not in page + chair.get("/venues/workshop/reviewers/").content.decode()
    assert chair.get(f"{address}edit/").status_code == 404
    assert Entry.objects.filter(action="erased personal data", about=f"reviewer {erased.pk}").count() == 1


def test_who_has_finished_by_a_link_that_was_handed_over_is_not_invited(people: People) -> None:
    for assignment in people.assignments:
        submitted(assignment)
    assert list(mailing.to_invite(people.venue)) == [people.second_reviewer]


def test_a_new_address_makes_links_to_the_old_one_void_and_asks_for_a_new_invitation(people: People) -> None:
    chair, address = browser_of(people.chair), f"/venues/workshop/reviewers/{people.reviewer.pk}/"
    chair.post(f"{address}invite/")
    secret = secret_in(mail.outbox[0].body)
    chair.post(f"{address}edit/", {"name": "Ada Adams", "email": "ada@example.org"})
    assert links.find_link(secret) is not None
    chair.post(f"{address}edit/", {"name": "Ada Adams", "email": "adams@example.org"})
    assert links.find_link(secret) is None
    assert people.reviewer in mailing.to_invite(people.venue)


def test_files_that_name_an_erased_person_are_gone(people: People) -> None:
    ImportUpload.objects.create(venue=people.venue, user=people.chair, kind="reviewers", name="r.csv", data=b"email")
    personal_data.erase(people.reviewer)
    assert ImportUpload.objects.count() == 0
