"""Times as people of a venue read them: in its time zone, short, and with the year only where it is another one."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from surpeer.web.venues.models import Venue

ANYWHERE = "Etc/GMT+12"


def short_time(moment: datetime, venue: Venue) -> str:
    """A day and a time, such as "16 Nov, 14:05"; "16 Nov 2025, 14:05" in another year."""
    return f"{short_day(moment, venue)}, {local(moment, venue):%H:%M}"


def short_day(moment: datetime, venue: Venue) -> str:
    """A day, such as "16 Nov"."""
    found, now = local(moment, venue), local(timezone.now(), venue)
    return f"{found.day} {found:%b}" if found.year == now.year else f"{found.day} {found:%b %Y}"


def zone_name(venue: Venue) -> str:
    """What people call the time zone of the venue."""
    zone = zone_of(venue).key
    return "anywhere on Earth (UTC-12)" if zone == ANYWHERE else zone.replace("_", " ")


def deadline_text(venue: Venue) -> str:
    """The deadline in full, for mails: they are read later, and elsewhere."""
    found = local(venue.deadline, venue)
    return f"{found:%A}, {found.day} {found:%B %Y, %H:%M} ({zone_name(venue)})"


def local(moment: datetime, venue: Venue) -> datetime:
    """The moment as clocks at the venue show it."""
    return moment.astimezone(zone_of(venue))


def zone_of(venue: Venue) -> ZoneInfo:
    """The time zone of the venue; UTC where this machine has never heard of it."""
    try:
        return ZoneInfo(venue.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
