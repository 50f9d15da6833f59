"""Venues and rounds through the interface: settings, progress, closing, mails, the log."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from surpeer.web.accounts.models import Role
from surpeer.web.api.venue_settings import plain
from surpeer.web.audit.models import Entry
from surpeer.web.venues.creating import FIXED, STAYS_BLIND
from surpeer.web.venues.forms import PAST
from surpeer.web.venues.mail_views import OVER
from surpeer.web.venues.models import Membership, Venue
from web.api_script import Script
from web.filled_venue import add_review
from web.people import People, make_link

BODY = {
    "name": "Prize of the Year",
    "levels": [{"label": "weak", "value": -1.5}, {"label": "good", "value": 0.0000001}, {"label": "best", "value": 3}],
    "deadline": "2099-03-31T23:59:30+02:00",
    "time_zone": "Europe/Berlin",
    "prediction_form": "shares",
    "blindness": "triple",
    "accept": "3",
    "instructions": "Read the entry.\nThen rate it.",
    "mail_message": "Thank you for helping.\nThe jury",
}


def test_a_venue_is_created_as_it_was_described(people: People) -> None:
    answer = Script(people.observer).post("/venues", BODY)
    assert answer.status == 403
    answer = Script(people.chair).post("/venues", BODY)
    assert answer.status == 201
    venue = Venue.objects.get(slug="prize-of-the-year")
    assert venue.deadline == datetime(2099, 3, 31, 21, 59, 30, tzinfo=UTC)
    assert venue.levels == BODY["levels"]
    shown = {name: answer.json[name] for name in BODY if name != "deadline"}
    assert shown == {name: value for name, value in BODY.items() if name != "deadline"}
    assert answer.json["deadline"] == "2099-03-31T21:59:30Z"
    assert (answer.json["role"], answer.json["state"]) == ("chair", "open for reviews")
    assert (answer.json["takes_reviews"], answer.json["results_open"]) == (True, False)
    assert Membership.objects.get(venue=venue).role == Role.CHAIR
    assert Script(people.chair).get("/venues/prize-of-the-year").json == answer.json


def test_everything_that_is_wrong_with_a_new_venue_is_said_at_once(people: People) -> None:
    body = {**BODY, "accept": "lots", "time_zone": "Mars/Olympus", "deadline": "2001-01-01T00:00:00Z"}
    body["levels"] = [{"label": "good", "value": 1}, {"label": "bad"}]
    answer = Script(people.chair).post("/venues", body)
    assert answer.status == 422
    found = {problem["where"]: problem["message"] for problem in answer.json["problems"]}
    assert found["accept"].startswith("accept lots: expected a number of papers")
    assert "Mars/Olympus" in found["time_zone"]
    assert found["deadline"] == PAST
    assert found["levels"] == "Found values for 1 of 2 levels, expected one for each or none at all."
    assert not Venue.objects.filter(name=BODY["name"]).exists()


@pytest.mark.parametrize("deadline", ["1900-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2099-01-01", "1e9", "", 4e9])
def test_a_deadline_that_is_no_moment_within_reach(people: People, deadline: object) -> None:
    answer = Script(people.chair).post("/venues", {**BODY, "deadline": deadline})
    assert (answer.status, answer.json["problems"][0]["where"]) == (422, "body: deadline")


@pytest.mark.parametrize("field", ["name", "instructions", "accept", "time_zone"])
def test_no_text_has_the_character_0(people: People, field: str) -> None:
    answer = Script(people.chair).post("/venues", {**BODY, field: "a\0b"})
    assert (answer.status, answer.json["problems"][0]["where"]) == (422, f"body: {field}")


def test_settings_that_are_left_out_stay(people: People) -> None:
    script = Script(people.chair)
    before = script.get("/venues/workshop").json
    answer = script("patch", "/venues/workshop", {"accept": "7", "blindness": "single", "name": None})
    assert answer.status == 200
    assert answer.json == {**before, "accept": "7", "blindness": "single"}
    entry = Entry.objects.get(action="changed the settings")
    assert (entry.user, entry.details) == (
        people.chair.pk,
        {
            "what": "accept, blindness",
            "accept before": "25%",
            "accept now": "7",
            "blindness before": "double",
            "blindness now": "single",
        },
    )
    assert script("patch", "/venues/workshop", {}).json == answer.json
    assert Entry.objects.filter(action="changed the settings").count() == 1


def test_a_deadline_that_has_passed_may_stay(people: People) -> None:
    people.venue.deadline = timezone.now() - timedelta(days=3)
    people.venue.save()
    answer = Script(people.chair)("patch", "/venues/workshop", {"accept": "7"})
    assert (answer.status, answer.json["state"]) == (200, "past the deadline")


def test_scale_and_form_of_predictions_stay_once_there_are_reviews(people: People) -> None:
    script = Script(people.chair)
    levels = [{"label": "no"}, {"label": "perhaps"}, {"label": "yes"}]
    assert script("patch", "/venues/workshop", {"levels": levels}).json["levels"][1] == {"label": "perhaps", "value": 2}
    add_review(people.assignments[0], 1, [1, 2, 17])
    for change in ({"levels": levels[:2]}, {"prediction_form": "top"}, {"imagined": 30}):
        answer = script("patch", "/venues/workshop", change)
        assert (answer.status, answer.messages) == (409, [FIXED])
    assert script("patch", "/venues/workshop", {"levels": levels, "accept": "2"}).status == 200


def test_who_was_promised_that_chairs_do_not_see_who_rated_can_rely_on_it(people: People) -> None:
    script = Script(people.chair)
    for blindness in ("triple", "double", "triple"):  # nobody has relied on it yet
        assert script("patch", "/venues/workshop", {"blindness": blindness}).status == 200
    add_review(people.assignments[0], 1, [5, 15])
    for blindness in ("single", "double"):
        answer = script("patch", "/venues/workshop", {"blindness": blindness, "accept": "3"})
        assert (answer.status, answer.messages) == (409, [STAYS_BLIND])
    both = script("patch", "/venues/workshop", {"blindness": "double", "imagined": 30})
    assert (both.status, both.messages) == (409, [f"{FIXED} {STAYS_BLIND}"])
    kept = script("patch", "/venues/workshop", {"blindness": "triple", "accept": "4"}).json
    assert (kept["blindness"], kept["accept"]) == ("triple", "4")


@pytest.mark.parametrize("value", [3.0, -1.5, 1e-7, 0.1, 123456.789, 1 / 3])
def test_a_value_is_typed_as_the_same_number(value: float) -> None:
    assert float(plain(value)) == value
    assert "e" not in plain(value)


def test_the_list_of_my_venues_comes_in_parts(people: People) -> None:
    script = Script(people.chair)
    for number in range(3):
        script.post("/venues", {**BODY, "name": f"Prize {number}"})
    answer = script.get("/venues", limit=2, offset=1)
    assert (answer.json["count"], [one["slug"] for one in answer.json["items"]]) == (4, ["prize-1", "prize-0"])
    assert [one["slug"] for one in Script(people.observer).get("/venues").json["items"]] == ["workshop"]


def test_progress_counts_and_never_rates(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15], comment="secret")
    answer = Script(people.observer).get("/venues/workshop/progress")
    latest = answer.json.pop("latest")
    assert answer.json == {
        "papers": 3,
        "reviewers": 2,
        "assigned": 6,
        "done": 1,
        "missing": 5,
        "declined": 0,
        "finished": 0,
        "without_reviews": 2,
        "sentence": "1 of 6 reviews is in (17%).",
    }
    assert [(one["reviewer"], one["paper"], one["revised"]) for one in latest] == [("Ada", "P1", False)]


def test_a_round_is_closed_and_reopened(people: People) -> None:
    script = Script(people.chair)
    closed = script.post("/venues/workshop/close")
    assert (closed.json["state"], closed.json["takes_reviews"]) == ("closed", False)
    assert script.post("/venues/workshop/close").json == closed.json
    past = script.post("/venues/workshop/reopen", {"deadline": "2001-01-01T00:00:00Z"})
    assert (past.status, past.messages) == (422, [PAST])
    nowhere = script.post("/venues/workshop/reopen", {"deadline": "2099-01-01T00:00:00Z", "time_zone": "Nowhere"})
    assert (nowhere.status, nowhere.json["problems"][0]["where"]) == (422, "time_zone")
    opened = script.post("/venues/workshop/reopen", {"deadline": "2099-01-01T00:00:00Z"})
    assert (opened.json["state"], opened.json["deadline"]) == ("open for reviews", "2099-01-01T00:00:00Z")
    actions = Entry.objects.filter(venue=people.venue.pk).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["closed the round", "reopened the round"]


def test_results_are_opened_once_and_it_is_logged(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    script = Script(people.chair)
    first = script.post("/venues/workshop/results/open")
    assert (first.status, first.json["results_open"]) == (200, True)
    assert script.post("/venues/workshop/results/open").json == first.json
    assert Entry.objects.filter(action="opened the results", user=people.chair.pk).count() == 1


@pytest.fixture
def mail_server(settings: object) -> None:
    """Mails are sent, and not put into files."""
    settings.EMAIL_HOST = "mail.example.org"  # type: ignore[attr-defined]


@pytest.mark.usefixtures("mail_server")
def test_reviewers_are_invited_once(people: People) -> None:
    script = Script(people.chair)
    only = script.post("/venues/workshop/invitations", {"only": [people.second_reviewer.pk]})
    said = {"failed": [], "left": 0, "last": people.second_reviewer.pk, "stopped": None}
    assert only.json == {"sent": 1, "filed": 0, **said}
    assert script.post("/venues/workshop/invitations", {}).json["sent"] == 1
    assert script.post("/venues/workshop/invitations", {}).json["sent"] == 0
    assert [message.to for message in mail.outbox] == [["ben@example.org"], ["ada@example.org"]]
    assert "/r/" in mail.outbox[0].body


def test_what_is_put_into_files_is_not_called_sent(people: People, settings: object) -> None:
    script = Script(people.chair)
    answer = script.post("/venues/workshop/invitations", {}).json
    assert (answer["sent"], answer["filed"], answer["left"]) == (0, 2, 0)
    again = script.post("/venues/workshop/invitations", {}).json
    assert (again["sent"], again["filed"]) == (0, 0)
    assert _filed(script) == [(True, True, False)] * 2
    script.post("/venues/workshop/reminders", {"only": [people.reviewer.pk], "since": timezone.now().isoformat()})
    assert _filed(script) == [(True, True, True), (True, True, False)]
    settings.EMAIL_HOST = "mail.example.org"  # type: ignore[attr-defined]
    people.reviewer.links.update(used_at=None)
    later = script.post("/venues/workshop/invitations", {}).json
    assert (later["sent"], later["filed"]) == (2, 0)
    assert _filed(script) == [(True, False, True), (True, False, False)]
    entries = Entry.objects.filter(action="invited").order_by("pk").values_list("details", flat=True)
    assert list(entries) == [{"mail": "filed"}, {"mail": "filed"}, {}, {}]


def _filed(script: Script) -> list[tuple[bool, bool, bool]]:
    """Whether there is an invitation, whether it was filed, and whether a reminder was; Ada first."""
    items = script.get("/venues/workshop/reviewers").json["items"]
    return [(one["invited_at"] is not None, one["invitation_filed"], one["reminder_filed"]) for one in items]


@pytest.mark.usefixtures("mail_server")
def test_late_reviewers_are_reminded_once_a_day_unless_the_script_says_otherwise(people: People) -> None:
    script = Script(people.chair)
    assert script.post("/venues/workshop/reminders", {}).json["sent"] == 0  # nobody was invited
    people.venue.reviewers.update(invited_at=timezone.now())
    assert script.post("/venues/workshop/reminders", {}).json["sent"] == 0  # they were invited a moment ago
    people.venue.reviewers.update(invited_at=timezone.now() - timedelta(hours=25))
    assert script.post("/venues/workshop/reminders", {}).json["sent"] == 2
    assert script.post("/venues/workshop/reminders", {}).json["sent"] == 0
    again = script.post("/venues/workshop/reminders", {"since": "2999-01-01T00:00:00Z", "after": people.reviewer.pk})
    assert again.json["sent"] == 1


def test_a_mail_server_that_fails_is_told(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surpeer.web.venues.mailing.get_connection", _unreachable)
    monkeypatch.setattr("django.conf.settings.EMAIL_HOST", "mail.example.org")
    answer = Script(people.chair).post("/venues/workshop/invitations", {})
    assert answer.status == 200
    assert answer.json == {"sent": 0, "filed": 0, "failed": [], "left": 2, "last": 0, "stopped": "no route"}


def _unreachable() -> object:
    raise OSError("no route")


@pytest.mark.parametrize("what", ["invitations", "reminders"])
def test_nobody_is_written_to_when_reviewing_is_over(people: People, what: str) -> None:
    script = Script(people.chair)
    script.post("/venues/workshop/close")
    answer = script.post(f"/venues/workshop/{what}", {})
    assert (answer.status, answer.messages, mail.outbox) == (409, [OVER], [])


def test_links_are_revoked(people: People) -> None:
    link, _ = make_link(people.reviewer)
    script = Script(people.chair)
    path = f"/venues/workshop/reviewers/{people.reviewer.pk}/revoke-links"
    assert script.post(path).json == {"revoked": 1}
    link.refresh_from_db()
    assert not link.is_open
    assert script.post(path).json == {"revoked": 0}
    assert script.post(f"/venues/workshop/reviewers/{people.other_reviewer.pk}/revoke-links").status == 404
    assert Entry.objects.filter(action="revoked links", about=f"reviewer {people.reviewer.pk}").count() == 2


def test_the_log_says_who_did_what_the_latest_first(people: People) -> None:
    add_review(people.assignments[0], 1, [5, 15])
    script = Script(people.chair)
    script.post("/venues/workshop/close")
    script.post("/venues/workshop/results/open")
    answer = Script(people.observer).get("/venues/workshop/log", limit=1)
    assert answer.json["count"] == 2
    entry = answer.json["items"][0]
    assert (entry["who"], entry["user"], entry["reviewer"]) == ("Chair", people.chair.pk, None)
    assert (entry["action"], entry["details"]) == ("opened the results", {"reviews": 1, "missing": 5})
