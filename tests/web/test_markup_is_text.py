"""Markup that people type into names, titles and instructions is shown as text, on every page that shows it."""

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from surpeer.web.accounts.invitations import invite_member
from surpeer.web.accounts.models import User
from surpeer.web.results.computing import compute
from surpeer.web.venues import mailing
from surpeer.web.venues.models import Assignment, Paper, Reviewer
from web.filled_venue import without_pictures, without_reports
from web.people import People, browser_of
from web.submitting import submitted

ATTACK = '</pre></textarea></title><meta http-equiv=refresh content="0;url=//evil.example"><b id=a onclick=x>'
TAGS = ("<meta http-equiv", "<b id=a", "</pre></textarea>")


@pytest.fixture
def marked(people: People) -> People:
    """Everything that can be typed is markup."""
    for paper in people.papers:
        Paper.objects.filter(pk=paper.pk).update(
            key=f"{paper.key}{ATTACK}", title=ATTACK, authors=ATTACK, track=ATTACK, abstract=ATTACK
        )
    Reviewer.objects.update(name=ATTACK, invited_at=timezone.now())
    User.objects.update(name=ATTACK)
    Assignment.objects.filter(pk=people.assignments[2].pk).update(declined_at=timezone.now(), declined_because=ATTACK)
    people.venue.name = people.venue.instructions = people.venue.mail_message = ATTACK
    people.venue.levels = [{"label": "<b id=a>", "value": 0}, {"label": "accept", "value": 1}]
    people.venue.save()
    submitted(people.assignments[0], comment=ATTACK)
    return people


CHAIR_PAGES = (
    *("", "settings/", "close/", "papers/", "papers/new/", "reviewers/", "reviewers/new/", "people/", "log/"),
    *("import/papers/", "import/reviewers/", "import/assignments/", "remind/", "invite/", "results/", "results/open/"),
    *(f"papers/{{paper}}/{page}" for page in ("", "edit/")),
    *(f"reviewers/{{reviewer}}/{page}" for page in ("", "edit/", "erase/", "links/replace/", "links/revoke/")),
)


@pytest.mark.parametrize("page", CHAIR_PAGES)
def test_pages_of_chairs(marked: People, page: str) -> None:
    if page == "invite/":
        Reviewer.objects.update(invited_at=None)
    path = page.format(paper=marked.papers[0].pk, reviewer=marked.reviewer.pk)
    answer = browser_of(marked.chair).get(f"/venues/workshop/{path}")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert [tag for tag in TAGS if tag in text] == []
    assert "&lt;meta http-equiv=refresh" in text


@pytest.mark.parametrize("page", ["/reviews/", "/reviews/{0}/", "/reviews/{1}/", "/reviews/{1}/decline/"])
def test_pages_of_reviewers(marked: People, page: str) -> None:
    address = page.format(*(one.pk for one in marked.assignments))
    text = browser_of(marked.reviewer).get(address, follow=True).content.decode()
    assert [tag for tag in TAGS if tag in text] == []
    assert "&lt;meta http-equiv=refresh" in text


@pytest.mark.parametrize("page", ["/venues/", "/account/"])
def test_pages_of_an_account(marked: People, page: str) -> None:
    text = browser_of(marked.chair).get(page).content.decode()
    assert [tag for tag in TAGS if tag in text] == []
    assert "&lt;meta http-equiv=refresh" in text


@pytest.mark.parametrize("page", ["", "discussion/", "charts/", "downloads/", "papers/{}/"])
def test_pages_of_opened_results(marked: People, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    without_pictures(monkeypatch)
    without_reports(monkeypatch)
    for assignment in Assignment.objects.filter(reviewer=marked.second_reviewer):
        submitted(assignment, comment=ATTACK)
    marked.venue.opened_at = timezone.now()
    marked.venue.save()
    compute(marked.venue)
    answer = browser_of(marked.chair).get(f"/venues/workshop/results/{page.format(marked.papers[0].pk)}")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert [tag for tag in TAGS if tag in text] == []
    assert "&lt;meta http-equiv=refresh" in text


def test_answers_that_repeat_what_was_sent(marked: People) -> None:
    chair, address = browser_of(marked.chair), f"/venues/workshop/reviewers/{marked.reviewer.pk}/"
    file = SimpleUploadedFile(f"{ATTACK}.csv", f"paper,reviewer,{ATTACK}\n{ATTACK},{ATTACK},x\n".encode())
    for answer in (
        chair.post("/venues/workshop/import/assignments/", {"file": file}, follow=True),
        chair.post(f"{address}assign/", {"paper": ATTACK}, follow=True),
        chair.post(f"{address}link/"),
        chair.post(f"{address}links/revoke/", follow=True),
        chair.post("/venues/workshop/reviewers/new/", {"email": f"{ATTACK}@example.org"}),
        chair.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "chair"}),
        chair.post("/venues/workshop/remind/"),
    ):
        text = answer.content.decode()
        assert [tag for tag in TAGS if tag in text] == []
        assert "&lt;meta http-equiv=refresh" in text


@pytest.mark.parametrize("kind", ["invite", "remind"])
def test_the_mail_itself_is_plain_text_that_claims_to_be_nothing_else(marked: People, kind: mailing.Kind) -> None:
    reviewer = Reviewer.objects.select_related("venue").get(pk=marked.reviewer.pk)
    message = mailing.compose(kind, reviewer, "the link", User.objects.get(pk=marked.chair.pk))
    assert type(message.body) is str
    assert type(message.subject) is str
    assert f"Dear {ATTACK}," in message.body
    assert f"- {ATTACK}\n" in message.body
    assert message.body.endswith(f"\n{ATTACK}\nchair@example.org\n")


def test_so_is_the_invitation_of_a_chair(marked: People, rf: object) -> None:
    chair = User.objects.get(pk=marked.chair.pk)
    invite_member(rf.post("/"), chair, marked.venue, "zoe@example.org", "observer")  # type: ignore[attr-defined]
    assert type(mail.outbox[0].body) is str
    assert mail.outbox[0].body.startswith(f'{ATTACK} invites you to "{ATTACK}" as observer.')
