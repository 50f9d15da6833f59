"""Sessions, redirects, secrets, uploads and forgotten passwords: what somebody with bad intentions would try."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client, override_settings
from django.utils import timezone

from surpeer.web.accounts import limits
from surpeer.web.accounts.models import ApiToken, Invitation, WrongGuess
from surpeer.web.accounts.secret_links import hash_of, new_secret
from surpeer.web.deployment import Deployment
from surpeer.web.venues.models import ImportUpload, PersonalLink
from web.people import PASSWORD, People, browser_of, make_link

SIGN_IN = {"username": "chair@example.org", "password": PASSWORD}


def _key(browser: Client) -> str:
    return str(browser.cookies["sessionid"].value)


def test_signing_in_makes_a_new_session_and_the_old_key_opens_nothing(people: People) -> None:
    browser = browser_of(people.reviewer)
    before = _key(browser)
    browser.post("/login/", SIGN_IN)
    assert _key(browser) != before
    with_the_old_key = Client()
    with_the_old_key.cookies["sessionid"] = before
    assert with_the_old_key.get("/venues/workshop/").status_code == 302
    assert with_the_old_key.get("/reviews/")["Location"] == "/link-needed/"
    assert browser.get("/venues/workshop/").status_code == 200


def test_opening_a_personal_link_makes_a_new_session(people: People) -> None:
    _, first = make_link(people.reviewer)
    _, second = make_link(people.other_reviewer)
    browser = Client()
    browser.get(f"/r/{first}/")
    before = _key(browser)
    browser.get(f"/r/{second}/")
    assert _key(browser) != before
    with_the_old_key = Client()
    with_the_old_key.cookies["sessionid"] = before
    assert with_the_old_key.get("/reviews/")["Location"] == "/link-needed/"
    assert b"Elsewhere 1" in browser.get("/reviews/").content


def test_joining_makes_a_new_session(people: People) -> None:
    invitation = Invitation(venue=people.venue, email="z@example.org", expires_at=timezone.now() + timedelta(1))
    browser = browser_of(people.reviewer)
    before = _key(browser)
    browser.post(
        f"/join/{invitation.make()}/",
        {"name": "Zoe", "email": "z@example.org", "password": PASSWORD, "again": PASSWORD},
    )
    assert _key(browser) != before


def test_signing_out_ends_the_session_on_the_server(people: People) -> None:
    browser = browser_of(people.chair)
    stolen = Client()
    stolen.cookies["sessionid"] = _key(browser)
    assert stolen.get("/venues/").status_code == 200
    browser.post("/logout/")
    assert stolen.get("/venues/").status_code == 302


def test_a_new_password_signs_out_everywhere_else(people: People) -> None:
    browser, elsewhere = browser_of(people.chair), browser_of(people.chair)
    new = "entirely new words"
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert browser.post("/account/password/", fields).status_code == 302
    assert browser.get("/venues/").status_code == 200
    assert elsewhere.get("/venues/").status_code == 302


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example.org/",
        "//evil.example.org",
        "/\\evil.example.org",
        "javascript:alert(1)",
        "http:///evil.org",
    ],
)
def test_nobody_is_sent_elsewhere_after_signing_in(people: People, elsewhere: str) -> None:
    assert Client().post("/login/", {**SIGN_IN, "next": elsewhere})["Location"] == "/"
    assert browser_of(people.chair).get("/login/", {"next": elsewhere})["Location"] == "/"
    here = Client().post("/login/", {**SIGN_IN, "next": "/venues/workshop/"})
    assert here["Location"] == "/venues/workshop/"


def test_secrets_are_long_random_and_stored_as_hashes_only(people: People) -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(secret) for secret in made} == {43}, "32 random bytes"
    soon = timezone.now() + timedelta(days=1)
    kept = {
        PersonalLink: make_link(people.reviewer)[1],
        Invitation: Invitation(email="x@example.org", expires_at=soon).make(),
        ApiToken: ApiToken(user=people.chair, name="x", expires_at=soon).make(),
    }
    for model, secret in kept.items():
        row = model._base_manager.order_by("-pk").values().first()
        assert row is not None
        assert row["hash"] == hash_of(secret)
        assert secret not in str(row)


def test_a_link_that_expired_or_was_revoked_opens_nothing_also_in_a_browser_that_is_in(people: People) -> None:
    for change in ({"expires_at": timezone.now()}, {"revoked_at": timezone.now()}):
        link, secret = make_link(people.reviewer)
        browser = Client()
        assert browser.get(f"/r/{secret}/").status_code == 302
        assert browser.get("/reviews/").status_code == 200
        PersonalLink.objects.filter(pk=link.pk).update(**change)
        assert browser.get("/reviews/")["Location"] == "/link-needed/"
        assert Client().get(f"/r/{secret}/").status_code == 404


def test_guessing_links_is_limited_and_the_limit_ends(people: People) -> None:
    _, secret = make_link(people.reviewer)
    guesser = Client(REMOTE_ADDR="192.0.2.7")
    answers = [guesser.get(f"/r/{new_secret()}/").status_code for _ in range(limits.MOST + 1)]
    assert answers == [404] * limits.MOST + [429]
    waits = guesser.get(f"/r/{secret}/")
    assert (waits.status_code, waits["Retry-After"]) == (429, "900")
    assert Client(REMOTE_ADDR="192.0.2.8").get(f"/r/{secret}/").status_code == 302
    WrongGuess.objects.update(at=timezone.now() - limits.WITHIN - timedelta(seconds=1))
    assert guesser.get(f"/r/{secret}/").status_code == 302


def test_a_made_up_address_does_not_evade_the_limit(people: People) -> None:
    def guess(number: int) -> int:
        return Client(REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=f"198.51.100.{number}").get("/r/x/").status_code

    assert [guess(number) for number in range(limits.MOST + 1)][-1] == 429
    WrongGuess.objects.all().delete()
    with override_settings(DEPLOYMENT=_public("https://review.example.org")):
        behind = {"REMOTE_ADDR": "127.0.0.1"}
        made_up = [f"10.0.0.{number}, 192.0.2.7" for number in range(limits.MOST + 1)]
        found = [Client(**behind, HTTP_X_FORWARDED_FOR=whence).get("/r/x/").status_code for whence in made_up]
        assert found[-1] == 429, "the proxy adds the last one, which counts"
        assert Client(**behind, HTTP_X_FORWARDED_FOR="192.0.2.8").get("/r/x/").status_code == 404
        assert guess_from("8.8.8.8", limits.MOST + 1) == 429, "who comes from the internet is no proxy"


def guess_from(address: str, times: int) -> int:
    """What the last of many guesses gets that each name another address."""
    named = [f"203.0.113.{number}" for number in range(times)]
    return [Client(REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR=one).get("/r/x/").status_code for one in named][-1]


def _public(url: str) -> Deployment:
    return Deployment(settings.DEPLOYMENT.data, url, None)


def test_a_forgotten_password_does_not_tell_who_has_an_account(people: People) -> None:
    answers = [
        Client().post("/password/reset/", {"email": email}, follow=True)
        for email in ("chair@example.org", "nobody@example.org")
    ]
    known, unknown = (answer.content for answer in answers)
    assert known == unknown
    assert [sent.to for sent in mail.outbox] == [["chair@example.org"]]
    wrong = [
        Client().post("/login/", {"username": email, "password": "wrong"}).content.decode()
        for email in ("chair@example.org", "nobody@example.org")
    ]
    pages = [page.split("<main")[1].split("csrfmiddlewaretoken")[0] for page in wrong]
    assert "do not belong together" in wrong[0]
    assert pages[0] == pages[1]


@override_settings(DEPLOYMENT=_public("https://review.example.org"), ALLOWED_HOSTS=["review.example.org", "localhost"])
def test_links_in_mails_have_the_configured_address_whatever_the_request_says(people: People) -> None:
    strange = {"HTTP_HOST": "review.example.org:6666"}
    Client(**strange).post("/password/reset/", {"email": "chair@example.org"})
    chair = browser_of(people.chair)
    chair.post("/venues/workshop/people/invite/", {"email": "zoe@example.org", "role": "observer"}, **strange)
    chair.post(f"/venues/workshop/reviewers/{people.reviewer.pk}/invite/", **strange)
    assert len(mail.outbox) == 3
    for sent in mail.outbox:
        links = [word for word in sent.body.split() if "://" in word]
        assert links
        assert all(link.rstrip(".").startswith("https://review.example.org") for link in links), sent.body
        assert ":6666" not in sent.body


def test_mails_of_forgotten_passwords_are_limited(people: People) -> None:
    found = [
        Client(REMOTE_ADDR=f"192.0.2.{number}").post("/password/reset/", {"email": "chair@example.org"}).status_code
        for number in range(limits.MOST + 1)
    ]
    assert found == [302] * limits.MOST + [429]
    assert len(mail.outbox) == limits.MOST


def test_a_file_that_is_too_large_is_answered_with_its_size_and_not_kept(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "MOST_UPLOADED", 3 * 1024**2)
    kept: list[int] = []
    keep = TemporaryFileUploadHandler.receive_data_chunk
    monkeypatch.setattr(
        TemporaryFileUploadHandler,
        "receive_data_chunk",
        lambda self, data, start: [kept.append(len(data)), keep(self, data, start)],
    )
    large = SimpleUploadedFile("papers.csv", b"x" * (4 * 1024**2))
    answer = browser_of(people.chair).post("/venues/workshop/import/papers/", {"file": large})
    assert answer.status_code == 422
    assert "Found a file of 4.0 MB, expected at most 3 MB. Split it in two." in answer.content.decode()
    assert 0 < sum(kept) <= 3 * 1024**2
    assert not ImportUpload.objects.exists()


def test_a_file_that_just_fits_is_kept_whole(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MOST_UPLOADED", 3 * 1024**2)
    content = b"id,title\n" + b"P1," + b"x" * (3 * 1024**2 - 13) + b"\n"
    browser_of(people.chair).post("/venues/workshop/import/papers/", {"file": SimpleUploadedFile("p.csv", content)})
    assert bytes(ImportUpload.objects.get().data) == content


@pytest.mark.parametrize("fields", [{"name": "x" * (22 * 1024**2)}, {f"f{n}": "x" for n in range(2001)}])
def test_a_form_that_is_too_large_is_answered_with_a_page(people: People, fields: dict[str, str]) -> None:
    answer = browser_of(people.chair).post("/account/", fields)
    assert answer.status_code == 400
    assert "The request was not complete, or larger than allowed." in answer.content.decode()


def test_several_files_at_once_are_refused(people: People) -> None:
    files = {"file": BytesIO(b"id\nP1\n"), "other": BytesIO(b"id\nP2\n")}
    answer = browser_of(people.chair).post("/venues/workshop/import/papers/", files)
    assert answer.status_code == 400
    assert not ImportUpload.objects.exists()


def test_text_of_people_is_shown_as_text(people: People) -> None:
    attack = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    people.papers[0].title = people.venue.instructions = people.papers[0].abstract = attack
    people.papers[0].save()
    people.venue.save()
    people.second_reviewer.name = attack
    people.second_reviewer.save()
    pages = [browser_of(people.reviewer).get(f"/reviews/{people.assignments[0].pk}/")]
    chair = browser_of(people.chair)
    pages += [chair.get(f"/venues/workshop/{page}") for page in ("", "papers/", "reviewers/", "settings/")]
    for page in pages:
        text = page.content.decode()
        assert page.status_code == 200
        assert "<script>alert" not in text
        assert "<img src=x" not in text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp:"])
def test_the_address_of_a_paper_is_one_of_the_web(people: People, url: str) -> None:
    chair = browser_of(people.chair)
    typed = chair.post("/venues/workshop/papers/new/", {"key": "N1", "title": "New", "url": url})
    assert typed.status_code == 422
    file = SimpleUploadedFile("p.csv", f'id,title,url\nN1,New,"{url}"\n'.encode())
    preview = chair.post("/venues/workshop/import/papers/", {"file": file}, follow=True)
    assert "problem" in preview.content.decode()
    upload = ImportUpload.objects.get()
    chair.post(f"/venues/workshop/uploads/{upload.pk}/confirm/", {"fingerprint": ""})
    assert not people.venue.papers.filter(key="N1").exists()
