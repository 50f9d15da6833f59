"""Who may call what: tokens, roles, and the shape of every refusal."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from surpeer.web.access import NO_NEW_VENUES, ONLY_CHAIRS
from surpeer.web.accounts.models import WrongGuess
from surpeer.web.api.interface import api
from surpeer.web.api.problems import AT_ONCE, BRING_ONE, NO_JSON, TOO_LARGE, TOO_MANY
from surpeer.web.api.rights import NOT_OPEN
from surpeer.web.api.urls import NO_CALL
from web.api_script import ROOT, Answer, Script, make_token
from web.people import People, browser_of
from web.submitting import submitted

Call = tuple[str, str, object]

READING: list[Call] = [
    ("get", "/venues/workshop", None),
    ("get", "/venues/workshop/progress", None),
    ("get", "/venues/workshop/papers", None),
    ("get", "/venues/workshop/papers/{paper}", None),
    ("get", "/venues/workshop/reviewers", None),
    ("get", "/venues/workshop/assignments", None),
    ("get", "/venues/workshop/log", None),
]
CHANGING: list[Call] = [
    ("patch", "/venues/workshop", {"name": "Other"}),
    ("post", "/venues/workshop/close", None),
    ("post", "/venues/workshop/reopen", {"deadline": "2900-01-01T00:00:00Z"}),
    ("post", "/venues/workshop/results/open", None),
    ("post", "/venues/workshop/papers/import", {"rows": [{"id": "P9"}]}),
    ("post", "/venues/workshop/reviewers/import", {"rows": [{"email": "zoe@example.org"}]}),
    ("post", "/venues/workshop/assignments/import", {"rows": [{"paper": "P1", "reviewer": "ada@example.org"}]}),
    ("post", "/venues/workshop/reviewers/{reviewer}/revoke-links", None),
    ("post", "/venues/workshop/invitations", {}),
    ("post", "/venues/workshop/reminders", {}),
]
RESULTS: list[Call] = [
    ("get", "/venues/workshop/results", None),
    ("get", "/venues/workshop/results/papers", None),
    ("get", "/venues/workshop/results/papers/{paper}", None),
    ("get", "/venues/workshop/results/papers/{paper}/reviews", None),
    ("get", "/venues/workshop/results/reviews", None),
    ("get", "/venues/workshop/results/exclusions", None),
]
JUDGING: list[Call] = [
    ("post", "/venues/workshop/results/papers/{paper}/reviews/0123456789abcdef/exclusion", {"reason": "a slip"}),
    ("delete", "/venues/workshop/results/papers/{paper}/reviews/0123456789abcdef/exclusion", None),
]
OWN: list[Call] = [("get", "/venues", None), ("post", "/venues", {})]
IN_A_VENUE = READING + CHANGING + RESULTS + JUDGING


def _called(people: People, script: Script, call: Call) -> Answer:
    method, path, body = call
    return script(method, path.format(paper=people.papers[0].pk, reviewer=people.reviewer.pk), body)


def test_every_call_is_among_those_that_are_tried_here() -> None:
    described = {
        (method, path.removeprefix(ROOT))
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    }
    tried = {
        (method, path.replace("workshop", "{slug}").replace("{paper}", "{pk}").replace("{reviewer}", "{pk}"))
        for method, path, _ in IN_A_VENUE + OWN
    }
    assert described == {(method, path.replace("0123456789abcdef", "{code}")) for method, path in tried}


@pytest.mark.parametrize("call", IN_A_VENUE + OWN, ids=str)
def test_nobody_gets_in_without_a_token_not_even_with_a_session(people: People, call: Call) -> None:
    script = Script()
    script.client = browser_of(people.chair)
    answer = _called(people, script, call)
    assert (answer.status, answer.messages) == (401, [BRING_ONE])
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("call", IN_A_VENUE, ids=str)
def test_to_others_a_venue_does_not_exist(people: People, call: Call) -> None:
    answer = _called(people, Script(people.other_chair), call)
    assert (answer.status, answer.messages) == (404, ["There is no such venue, or you have no part in it."])


@pytest.mark.parametrize("call", CHANGING + JUDGING, ids=str)
def test_observers_change_nothing(people: People, call: Call) -> None:
    answer = _called(people, Script(people.observer), call)
    assert (answer.status, answer.messages) == (403, [ONLY_CHAIRS])


@pytest.mark.parametrize("call", READING, ids=str)
def test_observers_read_what_chairs_read(people: People, call: Call) -> None:
    assert _called(people, Script(people.observer), call).status == 200
    assert _called(people, Script(people.chair), call).status == 200


@pytest.mark.parametrize("call", RESULTS + JUDGING, ids=str)
def test_nobody_sees_or_judges_a_review_before_the_results_are_open(people: People, call: Call) -> None:
    answer = _called(people, Script(people.chair), call)
    assert (answer.status, answer.messages) == (409, [NOT_OPEN])


@pytest.mark.parametrize("call", CHANGING, ids=str)
def test_chairs_change(people: People, call: Call) -> None:
    submitted(people.assignments[0])  # without a review there are no results to open
    assert _called(people, Script(people.chair), call).status == 200


def test_only_some_may_create_venues(people: People) -> None:
    body = {"name": "New", "levels": [{"label": "no"}, {"label": "yes"}], "deadline": "2900-01-01T00:00:00Z"}
    refused = Script(people.observer).post("/venues", body)
    assert (refused.status, refused.messages) == (403, [NO_NEW_VENUES])
    assert Script(people.chair).post("/venues", body).status == 201


def test_a_token_that_expired_or_was_revoked_or_whose_owner_left_opens_nothing(people: People) -> None:
    _, expired = make_token(people.chair, days=-1)
    _, revoked = make_token(people.chair, revoked_at=timezone.now())
    assert Script(secret=expired).get("/venues").status == 401
    assert Script(secret=revoked).get("/venues").status == 401
    script = Script(people.chair)
    assert script.get("/venues").status == 200
    people.chair.is_active = False
    people.chair.save()
    assert script.get("/venues").status == 401


def test_when_a_token_was_used_is_noted_once_a_minute(people: People) -> None:
    token, secret = make_token(people.chair)
    script = Script(secret=secret)
    script.get("/venues")
    token.refresh_from_db()
    first = token.used_at
    assert first is not None
    script.get("/venues")
    token.refresh_from_db()
    assert token.used_at == first
    token.used_at = first - timedelta(minutes=2)
    token.save()
    script.get("/venues")
    token.refresh_from_db()
    assert token.used_at is not None
    assert token.used_at >= first


def test_wrong_tokens_are_counted_and_after_twenty_have_to_wait(people: People) -> None:
    wrong = Script(secret="wrong")
    for _ in range(20):
        assert wrong.get("/venues").status == 401
    answer = wrong.get("/venues")
    assert (answer.status, answer.messages) == (429, [TOO_MANY])
    assert answer.headers["Retry-After"] == "900"
    assert WrongGuess.objects.filter(what="token").count() == 20
    assert Script(people.chair).get("/venues").status == 200  # a neighbour's good token goes on working


def test_no_token_is_no_wrong_token(people: People) -> None:
    assert Script().get("/venues").status == 401
    basic = Script()
    basic.client = Client(headers={"authorization": "Basic Y2hhaXI6eA=="})
    assert basic.get("/venues").status == 401
    assert not WrongGuess.objects.exists()


def test_a_body_that_is_no_json(people: People) -> None:
    script = Script(people.chair)
    for body in ("{", "", "\ufeff{}", '"\\ud800"', "[" * 100_000, "1" * 5000):
        answer = script.post("/venues/workshop/papers/import", body.encode("utf-8", "surrogatepass"))
        assert answer.status in (400, 422)
        assert answer.messages == [NO_JSON] if answer.status == 400 else answer.messages
    assert script.post("/venues/workshop/papers/import", b"\xff\xfe{").status == 400


def test_a_body_that_is_too_large(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DATA_UPLOAD_MAX_MEMORY_SIZE", 100)
    answer = Script(people.chair).post("/venues/workshop/papers/import", {"rows": [{"id": "x" * 200}]})
    assert (answer.status, answer.messages) == (413, [TOO_LARGE])


def test_what_does_not_fit_the_description_is_said_all_at_once(people: People) -> None:
    answer = Script(people.chair).post(
        "/venues",
        {"name": "", "levels": [{"label": "one", "value": "high"}], "deadline": 5, "imagined": True, "colour": "red"},
    )
    assert answer.status == 422
    assert answer.messages == [
        'body: name: found "", expected text of 1 or more characters',
        'body: levels.0.value: found "high", expected a valid number',
        "body: deadline: found 5, expected text such as 2027-03-31T23:59:00Z",
        "body: imagined: found true, expected a valid integer",
        "body: colour: found a field that is not known, expected no such field; remove it, or correct its name",
    ]
    assert answer.json["problems"][1] == {
        "message": 'body: levels.0.value: found "high", expected a valid number',
        "where": "body: levels.0.value",
        "found": '"high"',
        "expected": "a valid number",
        "remedy": None,
    }


def test_a_query_that_is_not_known_or_out_of_bounds(people: People) -> None:
    script = Script(people.chair)
    assert script.get("/venues", limit=0, offset=-1).messages == [
        'query: limit: found "0", expected a number that is at least 1',
        'query: offset: found "-1", expected a number that is at least 0',
    ]
    assert script.get("/venues", offest=100).messages == [
        'query: found "offest", expected no parameters but limit, offset; correct the name'
    ]
    assert script.get("/venues", limit=501).status == 422


def test_an_address_or_a_method_that_there_is_not(people: People) -> None:
    script = Script(people.chair)
    for path in ("/nothing", "/venues/", "/venues/work shop", "/venues/workshop/papers/abc", "/"):
        answer = script.get(path)
        assert (answer.status, answer.messages) == (404, [NO_CALL])
    answer = script("delete", "/venues/workshop")
    assert (answer.status, answer.messages) == (405, ["Found DELETE, expected GET, PATCH."])
    assert answer.headers["Allow"] == "GET, PATCH"
    missing = script.get("/venues/workshop/papers/999999")
    assert (missing.status, missing.messages) == (404, ["There is no such thing here."])
    assert script.get(f"/venues/workshop/papers/{10**30}").status == 422


def test_two_changes_at_the_same_moment_are_a_conflict(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surpeer.web.venues.creating.free_slug", lambda name: "workshop")
    body = {"name": "New", "levels": [{"label": "no"}, {"label": "yes"}], "deadline": "2900-01-01T00:00:00Z"}
    answer = Script(people.chair).post("/venues", body)
    assert (answer.status, answer.messages) == (409, [AT_ONCE])


def test_answers_are_kept_by_nobody_and_need_no_cookie(people: People) -> None:
    response = Script(people.chair).client.get(f"{ROOT}/venues")
    assert response.headers["Cache-Control"] == "no-store, private"
    assert not response.cookies
