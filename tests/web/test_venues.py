"""Venues: the list, making one, its settings and its round."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from surpeer.errors import InputError
from surpeer.web.audit.models import Entry
from surpeer.web.venues import creating
from surpeer.web.venues.models import Membership, PersonalLink, Venue
from surpeer.web.venues.scales import scale_of
from web.opened_form import opened
from web.people import People, browser_of, make_link, make_user, make_venue
from web.submitting import submitted


def form(**changes: Any) -> dict[str, Any]:
    """What a chair sends to make a venue."""
    return {
        "name": "Small Workshop",
        "level_label": ["reject", "unsure", "accept"],
        "level_value": ["-1", "0", "1"],
        "prediction_form": "imagined",
        "imagined": "20",
        "deadline": "2099-03-31T23:59",
        "time_zone": "Etc/GMT+12",
        "blindness": "double",
        "accept": "25%",
        "instructions": "",
        **changes,
    }


def test_a_chair_makes_a_venue(people: People) -> None:
    answer = people.browsers["chair"].post("/venues/new/", form())
    venue = Venue.objects.get(name="Small Workshop")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/venues/small-workshop/")
    assert (scale_of(venue).levels, scale_of(venue).values) == (("reject", "unsure", "accept"), (-1.0, 0.0, 1.0))
    assert venue.deadline == datetime(2099, 4, 1, 11, 59, tzinfo=UTC)
    assert Membership.objects.get(venue=venue).user == people.chair
    assert Entry.objects.filter(action="created the venue", venue=venue.pk, user=people.chair.pk).count() == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"level_label": ["a"], "level_value": [""]}, "found 1 level, expected between 2 and 101"),
        ({"level_label": ["a", "a"], "level_value": ["", ""]}, "found level &quot;a&quot; twice"),
        ({"level_label": ["a", "b"], "level_value": ["2", "1"]}, "found the values 2, 1, expected increasing numbers"),
        ({"level_label": ["a", "b"], "level_value": ["1", ""]}, "Found values for 1 of 2 levels"),
        ({"level_label": ["a", ""], "level_value": ["1", "2"]}, "Level 2: found the value 2 without a label"),
        ({"level_label": ["a", "b"], "level_value": ["one", "2"]}, "Level 1: found the value “one”, expected a number"),
        ({"accept": "all"}, "accept all: expected a number of papers such as 12, or a share such as 25% or 0.25"),
        ({"accept": "120%"}, "expected a share of more than 0% and less than 100%"),
        ({"deadline": "2001-01-01T10:00"}, "This time has passed."),
        ({"deadline": "9999-12-31T23:59"}, "Found the year 9999, expected one from 2000 to 2999."),
        (
            {"level_label": ["a\0b", "c"], "level_value": ["", ""]},
            "Level 1: found a label with a character that cannot",
        ),
        ({"deadline": "tomorrow"}, "Expected a date and a time such as 2027-03-31 23:59."),
        ({"deadline": "2099-03-29T02:30", "time_zone": "Europe/Berlin"}, "Clocks in Europe/Berlin skip this time."),
        ({"time_zone": "Mars/Base"}, "Select a valid choice."),
        ({"imagined": "3"}, "Expected a number from 5 to 100."),
        ({"imagined": "101"}, "Expected a number from 5 to 100."),
    ],
)
def test_what_cannot_be_is_said_and_nothing_typed_is_lost(
    people: People, changes: dict[str, Any], message: str
) -> None:
    answer = people.browsers["chair"].post("/venues/new/", form(instructions="Be kind.", **changes))
    text = answer.content.decode()
    assert answer.status_code == 422
    assert message in text
    assert "Be kind." in text
    assert not Venue.objects.filter(created_by=people.chair).exclude(pk=people.venue.pk).exists()


def test_the_buttons_of_the_scale_work_without_scripts_and_save_nothing(people: People) -> None:
    chair = people.browsers["chair"]
    added = chair.post("/venues/new/", form(name="", add_level="1")).content.decode()
    assert (added.count('name="level_label"'), added.count("errorlist")) == (4, 0)
    fewer = chair.post("/venues/new/", form(remove_level="0")).content.decode()
    assert fewer.count('name="level_label"') == 2
    assert 'value="reject"' not in fewer
    preset = chair.post("/venues/new/", form(use_preset="1", preset="four-grades")).content.decode()
    assert [f'value="{value}"' in preset for value in ("weak reject", "-2", "2")] == [True, True, True]
    assert 'value="Small Workshop"' in preset
    assert 'value="2099-03-31T23:59"' in preset
    assert Venue.objects.count() == 2
    settings = chair.post("/venues/workshop/settings/", form(add_level="1", deadline="2098-01-02T03:04"))
    assert 'value="2098-01-02T03:04"' in settings.content.decode()
    assert Venue.objects.get(pk=people.venue.pk).labels == ["reject", "accept"]


def chosen_scale(page: str) -> list[str]:
    """Which of the common scales the list shows."""
    return re.findall(r'<option value="([^"]*)"[^>]* selected>', page.split("</fieldset>")[0])


def test_the_list_of_common_scales_shows_what_the_rows_are(people: People) -> None:
    chair = people.browsers["chair"]
    page = chair.get("/venues/new/").content.decode()
    assert (chosen_scale(page), page.count('name="level_label"')) == (["five-grades"], 5)
    own = chair.post("/venues/new/", form(add_level="1")).content.decode()
    assert chosen_scale(own) == [""]
    taken = chair.post("/venues/new/", form(use_preset="1", preset="four-grades")).content.decode()
    assert chosen_scale(taken) == ["four-grades"]
    assert chosen_scale(chair.get("/venues/workshop/settings/").content.decode()) == ["binary"]
    changed = form(level_label=["reject", "accept"], level_value=["0", "2"], add_level="1")
    assert chosen_scale(chair.post("/venues/new/", changed).content.decode()) == [""]


def test_two_venues_of_one_name_and_one_without_letters_have_addresses_of_their_own(people: People) -> None:
    names = ["Small Workshop", "small workshop", "研究", "New"]
    for name in names:
        assert people.browsers["chair"].post("/venues/new/", form(name=name)).status_code == 302
    slugs = list(Venue.objects.order_by("pk").values_list("slug", flat=True))[2:]
    assert slugs == ["small-workshop", "small-workshop-2", "venue", "new-2"]


def test_only_who_may_makes_venues_and_everybody_sees_only_her_own(people: People) -> None:
    assert people.browsers["observer"].get("/venues/new/").status_code == 403
    assert people.browsers["anonymous"].get("/venues/new/").headers["Location"].startswith("/login/")
    seen = people.browsers["observer"].get("/venues/").content.decode()
    assert "Workshop" in seen
    assert "Elsewhere" not in seen
    assert "Create a venue" not in seen


def test_settings_can_be_changed_until_a_review_is_in(people: People) -> None:
    chair = people.browsers["chair"]
    assert chair.post("/venues/workshop/settings/", form()).status_code == 302
    people.venue.refresh_from_db()
    assert people.venue.labels == ["reject", "unsure", "accept"]
    entry = Entry.objects.filter(action="changed the settings").get()
    assert entry.details["what"] == "deadline, levels, name, time_zone"
    submitted(people.assignments[0])
    page = chair.get("/venues/workshop/settings/").content.decode()
    assert creating.FIXED in page
    changed = form(name="Other", level_label=["a", "b"], level_value=["", ""], prediction_form="shares")
    assert chair.post("/venues/workshop/settings/", changed).status_code == 302
    people.venue.refresh_from_db()
    assert (people.venue.name, people.venue.labels[0], people.venue.prediction_form) == ("Other", "reject", "imagined")


def test_a_review_that_comes_in_meanwhile_keeps_the_scale(people: People) -> None:
    submitted(people.assignments[0])
    with pytest.raises(InputError, match="can no longer be changed"):
        creating.change(people.venue, [{"label": "a", "value": 0}, {"label": "b", "value": 1}], people.chair)
    people.venue.refresh_from_db()
    assert people.venue.labels == ["reject", "accept"]


def test_blindness_towards_chairs_stays_once_a_review_is_in(people: People) -> None:
    Venue.objects.filter(pk=people.venue.pk).update(blindness="triple")
    chair = people.browsers["chair"]
    assert creating.STAYS_BLIND not in chair.get("/venues/workshop/settings/").content.decode()
    submitted(people.assignments[0])
    page = chair.get("/venues/workshop/settings/")
    assert creating.STAYS_BLIND in page.content.decode()
    assert page.context["form"].fields["blindness"].disabled
    chair.post("/venues/workshop/settings/", form(name="Other", blindness="double"))
    people.venue.refresh_from_db()
    assert (people.venue.name, people.venue.blindness) == ("Other", "triple")
    people.venue.blindness = "single"  # a review that came in after the page was made
    with pytest.raises(InputError, match="promised that chairs do not see who gave which rating"):
        creating.change(people.venue, people.venue.levels, people.chair)
    assert Venue.objects.get(pk=people.venue.pk).blindness == "triple"


def test_authors_can_be_shown_later_and_the_log_has_both_values(people: People) -> None:
    submitted(people.assignments[0])
    people.browsers["chair"].post("/venues/workshop/settings/", form(blindness="single"))
    assert Venue.objects.get(pk=people.venue.pk).blindness == "single"
    details = Entry.objects.get(action="changed the settings").details
    assert (details["blindness before"], details["blindness now"]) == ("double", "single")


def test_saving_the_settings_as_they_are_changes_nothing(people: People) -> None:
    chair = people.browsers["chair"]
    chair.post("/venues/workshop/settings/", form())
    entries = Entry.objects.count()
    answer = chair.post("/venues/workshop/settings/", form(), follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert Entry.objects.count() == entries


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "Europe/Berlin"])
def test_a_deadline_that_is_left_as_it_is_stays_to_the_second(people: People, zone: str) -> None:
    passed = datetime(2025, 10, 26, 1, 30, 17, 5, tzinfo=UTC)  # when clocks in Berlin show 02:30 for the second time
    Venue.objects.filter(pk=people.venue.pk).update(deadline=passed, time_zone=zone)
    chair = people.browsers["chair"]
    page = chair.get("/venues/workshop/settings/").content.decode()
    (shown,) = re.findall(r'name="deadline" value="([^"]+)"', page)
    answer = chair.post("/venues/workshop/settings/", form(name="Other", deadline=shown, time_zone=zone))
    venue = Venue.objects.get(pk=people.venue.pk)
    assert (answer.status_code, venue.name, venue.deadline) == (302, "Other", passed)
    assert Entry.objects.get(action="changed the settings").details["what"] == "levels, name"
    moved = chair.post("/venues/workshop/settings/", form(deadline="2025-10-26T01:29", time_zone=zone))
    assert (moved.status_code, "This time has passed." in moved.content.decode()) == (422, True)


def test_an_observer_reads_the_settings_and_changes_nothing(people: People) -> None:
    observer = people.browsers["observer"]
    assert '<form method="post"' not in observer.get("/venues/workshop/settings/").content.decode().split("<main")[1]
    assert observer.post("/venues/workshop/settings/", form()).status_code == 403
    assert Venue.objects.get(pk=people.venue.pk).name == "Workshop"


def test_a_later_deadline_makes_links_work_longer(people: People) -> None:
    link, _ = make_link(people.reviewer, days=3)
    people.browsers["chair"].post("/venues/workshop/settings/", form())
    assert PersonalLink.objects.get(pk=link.pk).expires_at == datetime(2099, 5, 1, 11, 59, tzinfo=UTC)


def test_reopening_proposes_the_deadline_only_if_it_is_to_come(people: People) -> None:
    chair, ahead = people.browsers["chair"], datetime(2099, 1, 1, 10, 0, 30, tzinfo=UTC)
    Venue.objects.filter(pk=people.venue.pk).update(closed_at=timezone.now(), deadline=ahead)
    assert 'value="2099-01-01T10:00"' in chair.get("/venues/workshop/reopen/").content.decode()
    Venue.objects.filter(pk=people.venue.pk).update(deadline=timezone.now() - timedelta(days=1))
    assert 'name="deadline" required' in chair.get("/venues/workshop/reopen/").content.decode()


def test_a_round_is_closed_after_a_question_and_reopened_with_a_deadline(people: People) -> None:
    chair = people.browsers["chair"]
    assert "Close the round?" in chair.get("/venues/workshop/close/").content.decode()
    chair.post("/venues/workshop/close/")
    people.venue.refresh_from_db()
    assert not people.venue.takes_reviews
    again = chair.post("/venues/workshop/close/", follow=True)
    assert "The round was closed already." in again.content.decode()
    past = chair.post("/venues/workshop/reopen/", {"deadline": "2001-01-01T10:00", "time_zone": "UTC"})
    assert (past.status_code, "This time has passed." in past.content.decode()) == (422, True)
    chair.post("/venues/workshop/reopen/", {"deadline": "2099-01-01T10:00", "time_zone": "Asia/Tokyo"})
    people.venue.refresh_from_db()
    assert people.venue.takes_reviews
    assert people.venue.deadline == datetime(2099, 1, 1, 1, 0, tzinfo=UTC)
    actions = list(Entry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["closed the round", "reopened the round"]


@pytest.mark.parametrize("address", ["close/", "reopen/", "invite/", "remind/", "import/papers/", "papers/new/"])
def test_what_only_chairs_do_others_cannot(people: People, address: str) -> None:
    others = {who: browser for who, browser in people.browsers.items() if who != "chair"}
    codes = {who: browser.post(f"/venues/workshop/{address}").status_code for who, browser in others.items()}
    assert (codes["observer"], codes["other chair"], codes["anonymous"], codes["reviewer"]) == (403, 404, 302, 302)
    assert Venue.objects.get(pk=people.venue.pk).closed_at is None


def test_the_list_says_which_venues_are_over(people: People) -> None:
    user = make_user("dan@example.org", may_create_venues=True)
    make_venue("over", user, deadline=timezone.now() - timedelta(days=1))
    make_venue("shut", user, closed_at=timezone.now())
    text = browser_of(user).get("/venues/").content.decode()
    assert [text.count(words) for words in ("Past the deadline", "Closed", "Open for reviews")] == [1, 1, 0]


def test_it_is_too_late_to_hide_reviewers_from_chairs_who_have_seen_them(people: People) -> None:
    chair = people.browsers["chair"]
    page = chair.get("/venues/workshop/settings/").content.decode()
    Venue.objects.filter(pk=people.venue.pk).update(opened_at=timezone.now())
    answer = chair.post("/venues/workshop/settings/", opened(page, blindness="triple"))
    assert answer.status_code == 409
    assert creating.TOO_LATE_TO_HIDE in answer.content.decode()
    people.venue.refresh_from_db()
    assert people.venue.blindness == "double"
