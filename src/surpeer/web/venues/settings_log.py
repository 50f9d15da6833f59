"""What the log keeps of changed settings: before and after of each, of long texts only that they changed."""

from typing import Any

from surpeer.web.venues.local_times import local, zone_name
from surpeer.web.venues.models import Venue
from surpeer.web.venues.scales import in_one_line

LONG_TEXTS = ("instructions", "mail_message")
LONGEST_SCALE = 300
BEFORE, NOW = " before", " now"


def change_details(before: Venue, after: Venue, changed: list[str]) -> dict[str, Any]:
    """Details of an entry: what changed, and the two values of each as they are read without the venue at hand."""
    details: dict[str, Any] = {"what": ", ".join(sorted(changed))}
    for name in sorted(set(changed) - set(LONG_TEXTS)):
        details |= {f"{name}{BEFORE}": _kept(before, name), f"{name}{NOW}": _kept(after, name)}
    return details


def deadline_kept(venue: Venue) -> str:
    """A deadline with its time zone, which may be another one when the log is read."""
    return f"{local(venue.deadline, venue):%Y-%m-%d %H:%M} ({zone_name(venue)})"


def _kept(venue: Venue, name: str) -> str | int:
    if name == "deadline":
        return deadline_kept(venue)
    if name == "levels":
        shown = in_one_line(venue.levels)
        return shown if len(shown) <= LONGEST_SCALE else f"{len(venue.levels)} levels, {shown[:LONGEST_SCALE]}..."
    value: str | int = getattr(venue, name)
    return value if isinstance(value, int) else str(value)


def change_in_words(details: dict[str, object]) -> list[str]:
    """The same as people read it: "how many to accept: from 25% to 3"."""
    return [_in_words(name, details) for name in str(details.get("what", "")).split(", ") if name]


def _in_words(name: str, details: dict[str, object]) -> str:
    field = next((one for one in Venue._meta.fields if one.name == name), None)
    label = name if field is None else str(field.verbose_name)
    if f"{name}{NOW}" not in details:
        return f"{label}: changed"
    called = {} if field is None else dict(field.flatchoices)
    before, now = (details.get(f"{name}{when}") for when in (BEFORE, NOW))
    return f"{label}: from “{called.get(before, before)}” to “{called.get(now, now)}”"
