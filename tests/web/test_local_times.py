"""Times on the pages: those of the venue's clocks, short, and the zone named."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from surpeer.web.audit.models import Entry
from surpeer.web.reviews.models import Submission
from surpeer.web.venues.local_times import deadline_text, short_day, short_time, zone_name
from surpeer.web.venues.models import Paper, Reviewer, Venue
from web.people import People, make_link
from web.submitting import submitted

NOON = datetime(2026, 12, 31, 12, 0, tzinfo=UTC)


@pytest.fixture
def new_year(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon of the last day of 2026 in London, and 2027 on some islands."""
    monkeypatch.setattr("surpeer.web.venues.local_times.timezone.now", lambda: NOON)


@pytest.mark.parametrize(
    ("zone", "moment", "time", "day"),
    [
        ("UTC", NOON, "31 Dec, 12:00", "31 Dec"),
        ("UTC", NOON + timedelta(days=1), "1 Jan 2027, 12:00", "1 Jan 2027"),
        ("Asia/Kolkata", NOON, "31 Dec, 17:30", "31 Dec"),
        ("Etc/GMT+12", NOON, "31 Dec, 00:00", "31 Dec"),
        ("Pacific/Kiritimati", NOON, "1 Jan, 02:00", "1 Jan"),  # where it is 2027 already
        ("Pacific/Kiritimati", NOON - timedelta(hours=3), "31 Dec 2026, 23:00", "31 Dec 2026"),
        ("Mars/Base", NOON, "31 Dec, 12:00", "31 Dec"),
    ],
)
def test_times_are_short_and_name_the_year_only_if_it_is_another(
    new_year: None, zone: str, moment: datetime, time: str, day: str
) -> None:
    venue = Venue(time_zone=zone)
    assert (short_time(moment, venue), short_day(moment, venue)) == (time, day)


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        ("UTC", "UTC"),
        ("America/New_York", "America/New York"),
        ("Etc/GMT+12", "anywhere on Earth (UTC-12)"),
        ("Mars/Base", "UTC"),
    ],
)
def test_zones_have_names_that_people_know(zone: str, name: str) -> None:
    assert zone_name(Venue(time_zone=zone)) == name


def test_mails_tell_the_deadline_in_full() -> None:
    venue = Venue(time_zone="Asia/Kolkata", deadline=NOON)
    assert deadline_text(venue) == "Thursday, 31 December 2026, 17:30 (Asia/Kolkata)"


def test_pages_of_a_venue_show_its_clocks_and_name_the_zone_once(people: People) -> None:
    noon = timezone.now().replace(month=6, day=15, hour=12, minute=0)
    Venue.objects.filter(pk=people.venue.pk).update(time_zone="Asia/Kolkata")
    Reviewer.objects.filter(pk=people.reviewer.pk).update(invited_at=noon, reminded_at=noon + timedelta(hours=1))
    make_link(people.reviewer)[0].reviewer.links.update(created_at=noon, used_at=noon + timedelta(hours=2))
    submitted(people.assignments[0])
    Submission.objects.update(submitted_at=noon + timedelta(hours=7))
    chair = people.browsers["chair"]
    pages = {
        "": ["16 Jun, 00:30"],
        "reviewers/": ["reminded 15 Jun"],
        f"reviewers/{people.reviewer.pk}/": ["15 Jun, 17:30", "15 Jun, 18:30", "15 Jun, 19:30"],
    }
    for path, times in pages.items():
        text = chair.get(f"/venues/workshop/{path}").content.decode()
        assert [time in text for time in times] == [True] * len(times), path
        assert (text.count("Asia/Kolkata"), "UTC" in text) == (1, False), path
    assert chair.get("/venues/workshop/progress.json").json()["latest"][0]["when"] == "16 Jun, 00:30"
    assert "(Asia/Kolkata)" in chair.get("/venues/").content.decode()


def test_the_log_shows_the_clocks_of_the_venue(people: People) -> None:
    Venue.objects.filter(pk=people.venue.pk).update(time_zone="Pacific/Kiritimati")
    noon = timezone.now().replace(month=6, day=15, hour=12, minute=0)
    Entry.objects.create(at=noon, venue=people.venue.pk, user=people.chair.pk, action="closed the round")
    text = people.browsers["chair"].get("/venues/workshop/log/").content.decode()
    assert ("16 Jun, 02:00" in text, text.count("Pacific/Kiritimati")) == (True, 1)


def test_what_came_in_last_has_titles_and_the_id_where_there_is_none(people: People) -> None:
    Paper.objects.filter(pk=people.papers[1].pk).update(title="")
    for assignment in people.assignments[:2]:
        submitted(assignment)
    text = people.browsers["chair"].get("/venues/workshop/").content.decode()
    assert '>Paper 1</a> <span class="quiet">P1</span></td>' in text
    assert ">P2</a></td>" in text


def test_reviewers_read_the_clocks_of_the_venue_too(people: People) -> None:
    Venue.objects.filter(pk=people.venue.pk).update(time_zone="Etc/GMT+12")
    submitted(people.assignments[0])
    noon = timezone.now().replace(month=6, day=15, hour=12, minute=0)
    Submission.objects.update(submitted_at=noon)
    text = people.browsers["reviewer"].get("/reviews/").content.decode()
    assert "15 Jun, 00:00" in text
    assert "Time zone: anywhere on Earth (UTC-12)." in text
    assert "Etc/GMT" not in text
