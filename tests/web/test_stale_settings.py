"""Settings saved from a page that was opened before somebody else saved: nobody's change is undone."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from surpeer.web.accounts.models import Role
from surpeer.web.audit.models import Entry
from surpeer.web.venues.models import Membership, Venue
from web.api_script import Script
from web.opened_form import opened
from web.people import People, browser_of, make_user
from web.submitting import submitted

SETTINGS = "/venues/workshop/settings/"
KEPT = "What you typed stands here. Save again to put it in place of that."
LONG_TEXT = "Look at everything.\nTwice. " * 20


@pytest.fixture
def cora(people: People) -> Client:
    """The chair who opens the page first, of a venue whose texts a script wrote."""
    texts = {"instructions": "One.\nTwo.", "mail_message": "Hello"}
    Venue.objects.filter(pk=people.venue.pk).update(deadline=datetime(2099, 1, 1, 10, 0, 30, tzinfo=UTC), **texts)
    return browser_of(people.chair)


@pytest.fixture
def sam(people: People) -> Client:
    user = make_user("sam@example.org")
    Membership.objects.create(venue=people.venue, user=user, role=Role.CHAIR)
    return browser_of(user)


def page_of(browser: Client) -> str:
    return browser.get(SETTINGS).content.decode()


def save(browser: Client, page: str, **changes: Any) -> tuple[int, str]:
    answer = browser.post(SETTINGS, opened(page, **changes))
    return answer.status_code, answer.content.decode()


def stored(people: People, *names: str) -> tuple[object, ...]:
    venue = Venue.objects.get(pk=people.venue.pk)
    return tuple(getattr(venue, name) for name in names)


def test_only_what_she_changed_is_written(people: People, cora: Client, sam: Client) -> None:
    page = page_of(cora)
    theirs = {"deadline": "2098-12-24T23:59", "time_zone": "Europe/Berlin", "accept": "3", "instructions": "Be kind."}
    levels = {"level_label": ["no", "maybe", "yes"], "level_value": ["0", "1", "2"]}
    assert save(sam, page_of(sam), **theirs, **levels)[0] == 302
    assert save(cora, page, mail_message="From Cora")[0] == 302
    assert stored(people, "deadline", "time_zone", "accept", "instructions", "mail_message") == (
        datetime(2098, 12, 24, 22, 59, tzinfo=UTC),
        "Europe/Berlin",
        "3",
        "Be kind.",
        "From Cora",
    )
    assert Venue.objects.get(pk=people.venue.pk).labels == ["no", "maybe", "yes"]
    assert Entry.objects.filter(action="changed the settings").latest("pk").details == {"what": "mail_message"}


def test_a_page_that_is_saved_as_it_is_changes_nothing(people: People, cora: Client, sam: Client) -> None:
    page = page_of(cora)
    save(sam, page_of(sam), accept="3")
    answer = cora.post(SETTINGS, opened(page), follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert stored(people, "accept", "instructions") == ("3", "One.\nTwo.")
    assert stored(people, "deadline") == (datetime(2099, 1, 1, 10, 0, 30, tzinfo=UTC),)


@pytest.mark.parametrize(
    ("theirs", "hers", "now"),
    [
        ({"accept": "3"}, {"accept": "4"}, ", to: 3."),
        ({"blindness": "single"}, {"blindness": "triple"}, ", to: Reviewers see the authors."),
        ({"deadline": "2098-12-24T23:59"}, {"time_zone": "Asia/Tokyo"}, ", to: 2098-12-24 23:59, UTC."),
        ({"time_zone": "Asia/Tokyo"}, {"deadline": "2098-12-24T23:59"}, ", to: 2099-01-01 10:00, Asia/Tokyo."),
        ({"instructions": LONG_TEXT}, {"instructions": "Mine"}, "; open the settings in another tab to read it."),
        ({"imagined": "30"}, {"imagined": "40"}, ", to: 30."),
        (
            {"level_label": ["a", "b"], "level_value": ["0", "1.5"]},
            {"level_label": ["c", "d"], "level_value": ["", ""]},
            ", to: a (0), b (1.5).",
        ),
    ],
)
def test_where_both_changed_the_same_nothing_is_written_and_both_are_shown(
    people: People, cora: Client, sam: Client, theirs: dict[str, Any], hers: dict[str, Any], now: str
) -> None:
    page = page_of(cora)
    assert save(sam, page_of(sam), name="Sam's", **theirs)[0] == 302
    entries = Entry.objects.count()
    before = Venue.objects.filter(pk=people.venue.pk).values().get()
    status, text = save(cora, page, mail_message="From Cora", **hers)
    assert (status, f"This was changed after you opened the page{now} {KEPT}" in text) == (409, True)
    assert (Venue.objects.filter(pk=people.venue.pk).values().get(), Entry.objects.count()) == (before, entries)
    shown = opened(text)
    assert {name: shown[name] for name in hers} == {n: v if isinstance(v, list) else [v] for n, v in hers.items()}
    assert (shown["name"], shown["mail_message"]) == (["Sam's"], ["From Cora"])  # the one as it is, the other hers
    assert save(cora, text)[0] == 302  # she has seen both
    assert stored(people, "name", "mail_message") == ("Sam's", "From Cora")
    after = opened(page_of(cora))
    assert {name: after[name] for name in hers if "level" not in name} == {
        name: [value] for name, value in hers.items() if "level" not in name
    }


def test_a_page_that_was_not_saved_is_headed_by_the_name_that_the_venue_has(cora: Client) -> None:
    status, text = save(cora, page_of(cora), name="Typed", accept="all")
    assert (status, "Typed · surpeer</title>" in text, "Workshop · surpeer</title>" in text) == (422, False, True)


def test_what_was_emptied_meanwhile_is_said_to_be_empty(cora: Client, sam: Client) -> None:
    page = page_of(cora)
    save(sam, page_of(sam), mail_message="")
    status, text = save(cora, page, mail_message="Mine")
    assert (status, f"This was emptied after you opened the page. {KEPT}" in text) == (409, True)


def test_both_may_come_to_the_same(people: People, cora: Client, sam: Client) -> None:
    page = page_of(cora)
    same = {"accept": "7", "level_label": ["a", "b"], "level_value": ["0", "1"]}
    save(sam, page_of(sam), **same)
    assert save(cora, page, **same, name="Other")[0] == 302
    assert stored(people, "accept", "name") == ("7", "Other")


def test_a_button_of_the_scale_does_not_forget_what_the_page_was_opened_with(
    people: People, cora: Client, sam: Client
) -> None:
    page = page_of(cora)
    save(sam, page_of(sam), accept="3")
    _, more = save(cora, page, add_level="1", name="Other")
    labels = {"level_label": ["reject", "accept", "more"], "level_value": ["0", "1", "2"]}
    assert save(cora, more, **labels)[0] == 302
    assert stored(people, "accept", "name") == ("3", "Other")
    assert Venue.objects.get(pk=people.venue.pk).labels == ["reject", "accept", "more"]


def test_a_mistake_keeps_what_the_page_was_opened_with(people: People, cora: Client, sam: Client) -> None:
    page = page_of(cora)
    save(sam, page_of(sam), accept="3")
    status, text = save(cora, page, imagined="1000")
    assert (status, "Expected a number from 5 to 100." in text) == (422, True)
    assert save(cora, text, imagined="30")[0] == 302
    assert stored(people, "accept", "imagined") == ("3", 30)


def test_a_value_of_many_digits_stays_though_the_form_shows_fewer(people: People, cora: Client) -> None:
    levels = [{"label": "a", "value": 0.123456789}, {"label": "b", "value": 1.0}]
    Venue.objects.filter(pk=people.venue.pk).update(levels=levels)
    save(cora, page_of(cora), name="Other")
    assert stored(people, "levels", "name") == (levels, "Other")


def test_after_a_review_the_scale_is_nobodys_to_change(people: People, cora: Client, sam: Client) -> None:
    submitted(people.assignments[0])
    page = page_of(cora)
    save(sam, page_of(sam), accept="3")
    assert save(cora, page, name="Other")[0] == 302
    assert stored(people, "accept", "name", "levels") == ("3", "Other", people.venue.levels)


def test_a_script_changes_what_it_names_alone(people: People, cora: Client, sam: Client) -> None:
    page = page_of(sam)
    assert Script(people.chair)("PATCH", "/venues/workshop", {"accept": "3"}).status == 200
    assert save(sam, page, name="Other")[0] == 302
    changed = Script(people.chair)("PATCH", "/venues/workshop", {"mail_message": "From a script"})
    assert (changed.json["accept"], changed.json["name"]) == ("3", "Other")
    assert stored(people, "accept", "name", "mail_message") == ("3", "Other", "From a script")
