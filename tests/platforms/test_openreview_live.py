"""Reviews straight from a venue, with the real client and a server on this machine."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from openreview_samples import VENUE
from openreview_stub import PASSWORD, TOKEN, USER, Stub, serving

from surpeer.errors import InputError
from surpeer.io.platforms.openreview.live import fetch_notes
from surpeer.io.platforms.openreview.platform import PLATFORM

pytest.importorskip("openreview", reason="the extra openreview is not installed")


def submission(number: int, ratings: list[int], status: str = "Submission") -> dict[str, Any]:
    forum = f"forum{number:03}"
    replies = [
        {
            "id": f"{forum}-{who}",
            "forum": forum,
            "replyto": forum,
            "number": who,
            "domain": VENUE,
            "invitations": [f"{VENUE}/Submission{number}/-/Official_Review"],
            "signatures": [f"{VENUE}/Submission{number}/Reviewer_{who}xyz"],
            "content": {"rating": {"value": rating}, "overall_score": {"value": 1}},
        }
        for who, rating in enumerate(ratings)
    ]
    return {
        "id": forum,
        "forum": forum,
        "number": number,
        "domain": VENUE,
        "tmdate": 5,
        "invitations": [f"{VENUE}/-/Submission"],
        "content": {"title": {"value": "T"}, "venueid": {"value": f"{VENUE}/{status}"}},
        "details": {"directReplies": replies},
    }


FORM = {"rating": {"order": 1, "value": {"param": {"type": "integer", "enum": [3, 2, 1]}}}}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD", "OPENREVIEW_API_BASEURL_V2", "OPENREVIEW_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def stub() -> Iterator[Stub]:
    notes = [submission(1, [3, 1]), submission(2, [2], "Withdrawn_Submission"), submission(10, [2, 2, 3])]
    with serving(Stub(notes, FORM)) as server:
        yield server


def fetch(stub: Stub, **options: Any) -> Any:
    return fetch_notes(VENUE, baseurl=stub.url, **{"username": USER, "password": PASSWORD, **options})


def test_all_submissions_come_with_their_reviews_and_the_form(stub: Stub) -> None:
    content, form = fetch(stub)
    assert content.source == VENUE
    assert PLATFORM.recognise(content) == "submissions with replies (JSON)"
    export = PLATFORM.read(content, form)
    assert export.paper == ["1", "1", "2", "10", "10", "10"]
    assert export.withdrawn == [False, False, True, False, False, False]
    assert export.rating == "rating"
    rating = export.fields[0]
    assert rating.cells == ["3", "1", "2", "2", "2", "3"]
    assert [option.symbol for option in rating.options] == ["1", "2", "3"]
    assert stub.asked == ["POST /login", "GET /groups", "GET /notes", "GET /notes", "GET /invitations"]


def test_a_large_venue_comes_in_pages(stub: Stub) -> None:
    stub.page = 1
    content, _ = fetch(stub)
    assert [note["number"] for note in content.json["notes"]] == [1, 2, 10]
    assert stub.asked.count("GET /notes") == 4


def test_a_form_that_may_not_be_seen_is_done_without(stub: Stub) -> None:
    stub.form = None
    content, form = fetch(stub)
    assert form is None
    assert PLATFORM.read(content, None).paper[-1] == "10"


def test_a_token_will_do_and_so_will_a_client_or_the_environment(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    from openreview.api import OpenReviewClient

    by_token, _ = fetch_notes(f" {VENUE}/ ", baseurl=stub.url + "/", token=TOKEN)
    assert "POST /login" not in stub.asked
    by_client, _ = fetch_notes(VENUE, client=OpenReviewClient(baseurl=stub.url, token=TOKEN))
    monkeypatch.setenv("OPENREVIEW_API_BASEURL_V2", stub.url)
    monkeypatch.setenv("OPENREVIEW_USERNAME", USER)
    monkeypatch.setenv("OPENREVIEW_PASSWORD", PASSWORD)
    by_environment, _ = fetch_notes(VENUE)
    monkeypatch.delenv("OPENREVIEW_USERNAME")
    monkeypatch.delenv("OPENREVIEW_PASSWORD")
    monkeypatch.setenv("OPENREVIEW_TOKEN", TOKEN)
    by_environment_token, _ = fetch_notes(VENUE)
    assert by_token.json == by_client.json == by_environment.json == by_environment_token.json


def test_the_venue_itself_says_which_field_is_the_rating(stub: Stub) -> None:
    assert stub.group is not None
    stub.group["review_rating"] = {"value": "overall_score"}
    content, _ = fetch(stub)
    assert PLATFORM.read(content, None).rating == "overall_score"


def said(stub: Stub, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        fetch(stub, **options)
    text = str(caught.value)
    assert PASSWORD not in text
    assert TOKEN not in text
    assert caught.value.__cause__ is None
    return text


def test_a_wrong_password_is_said_and_not_shown(stub: Stub) -> None:
    text = said(stub, password="not the secret word")
    assert text == f"{VENUE}: cannot be read from OpenReview: Invalid username or password ***"


def test_nobody_may_read_everything(stub: Stub) -> None:
    assert said(stub, username=None, password=None) == f"{VENUE}: cannot be read from OpenReview: You must be logged in"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (
            "broken",
            "cannot be read from OpenReview: an answer that is no JSON; the server may be busy, try again later",
        ),
        ("strange", "cannot be read from OpenReview: an answer that was not expected (KeyError: groups)"),
        ("second factor", "MFA verification required"),
    ],
)
def test_strange_answers_are_errors(stub: Stub, fault: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openreview.mfa._is_interactive", lambda: False)
    stub.fault = fault
    assert expected in said(stub)


def test_a_busy_server_is_asked_a_few_times_and_output_stays_clean(
    stub: Stub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urllib3.util.retry.Retry.sleep", lambda *_: None)
    stub.fault = "busy"
    assert "the server may be busy, try again later" in said(stub)
    assert stub.asked.count("GET /groups") == 3
    assert capsys.readouterr().out == ""


def test_a_server_that_begins_again_and_again_does_not_hold_us(stub: Stub) -> None:
    stub.fault, stub.page = "again", 2
    assert "the server has 3 submissions and gave 2; try again later" in said(stub)


def test_requests_have_a_time_limit(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> None:
    import requests

    seen = []
    real = requests.Session.request

    def request(self: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append(kwargs.get("timeout"))
        return real(self, *args, **kwargs)

    monkeypatch.setattr(requests.Session, "request", request)
    fetch(stub)
    assert seen == [120] * 5


def test_no_server_is_no_traceback() -> None:
    with pytest.raises(InputError, match=r"cannot be read from OpenReview: no connection \(ConnectionError: "):
        fetch_notes(VENUE, baseurl="http://127.0.0.1:9", username=USER, password=PASSWORD)


def test_venues_that_are_none(stub: Stub) -> None:
    with pytest.raises(InputError, match='found " / ", expected the id of a venue such as Conf.org/2026/Conference'):
        fetch_notes(" / ", baseurl=stub.url)
    assert stub.group is not None
    stub.group.clear()
    assert said(stub) == (
        f"{VENUE}: found no venue of API v2, or none that you may see; check the id, or give a file of notes"
    )
    stub.group = None
    assert said(stub) == f"{VENUE}: cannot be read from OpenReview: Group Not Found: {VENUE}"


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openreview.api", None)
    monkeypatch.setitem(sys.modules, "openreview", None)
    with pytest.raises(
        InputError, match=r"needs openreview-py, which is not installed: pip install 'surpeer\[openreview\]'"
    ):
        fetch_notes(VENUE)
