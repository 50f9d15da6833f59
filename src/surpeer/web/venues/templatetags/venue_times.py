"""Times on the pages of a venue: `{{ moment|short_time:venue }}`; nothing where there is no moment."""

from datetime import datetime

from django import template

from surpeer.web.venues import local_times
from surpeer.web.venues.models import Venue

register = template.Library()
register.filter("zone_name", local_times.zone_name)


@register.filter
def short_time(moment: datetime | None, venue: Venue) -> str:
    """The day and the time at the venue."""
    return "" if moment is None else local_times.short_time(moment, venue)


@register.filter
def short_day(moment: datetime | None, venue: Venue) -> str:
    """The day at the venue."""
    return "" if moment is None else local_times.short_day(moment, venue)
