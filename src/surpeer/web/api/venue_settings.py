"""Settings that a script sends, checked by the forms of the pages."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from surpeer.web.api.answers import ProblemOut
from surpeer.web.api.problems import Refusal, of_form
from surpeer.web.api.venue_schemas import LevelIn, SettingsIn, VenueIn
from surpeer.web.venues.forms import VenueForm
from surpeer.web.venues.models import Venue
from surpeer.web.venues.scale_form import ScaleRows
from surpeer.web.venues.scales import Level

SETTINGS = (
    "name",
    "prediction_form",
    "imagined",
    "blindness",
    "accept",
    "instructions",
    "mail_message",
    "deadline",
    "time_zone",
)


def new_venue(given: VenueIn) -> tuple[Venue, list[Level]]:
    """A venue that is not saved, and its scale; 422 with all that is wrong."""
    return _checked(Venue(), given.model_dump(include={*SETTINGS}), given.levels, [])


def changed_venue(venue: Venue, given: SettingsIn) -> tuple[Venue, list[Level]]:
    """The same for a venue that there is."""
    now = {name: getattr(venue, name) for name in SETTINGS}
    new = given.model_dump(include={*SETTINGS}, exclude_none=True)
    return _checked(venue, {**now, **new}, given.levels, venue.levels)


def _checked(
    venue: Venue, settings: dict[str, Any], levels: list[LevelIn] | None, levels_now: list[Level]
) -> tuple[Venue, list[Level]]:
    form = VenueForm({**settings, "deadline": local(settings["deadline"], settings["time_zone"])}, instance=venue)
    rows = ScaleRows.from_levels(levels_now) if levels is None else _rows(levels)
    problems = of_form(form)
    found = levels_now if levels is None else rows.levels()
    if problems or found is None:
        raise Refusal(422, *problems, *(ProblemOut(message=error, where="levels") for error in rows.errors))
    return form.save(commit=False), found


def _rows(levels: list[LevelIn]) -> ScaleRows:
    """Labels and values as they would be typed."""
    return ScaleRows([(one.label.strip(), "" if one.value is None else plain(one.value)) for one in levels])


def plain(value: float) -> str:
    """A number in plain digits that reads as the same number.

    >>> plain(3.0), plain(-1.5), plain(1e-7)
    ('3', '-1.5', '0.0000001')
    """
    return f"{value:.20f}".rstrip("0").rstrip(".") if "e" in repr(value) else repr(value).removesuffix(".0")


def local(moment: datetime, zone: str) -> datetime:
    """The moment as clocks in the zone show it, which is how the form takes it."""
    return moment.astimezone(ZoneInfo(zone if zone in available_timezones() else "UTC"))
