"""When the people of a made-up venue would have done what: days and weeks before the demonstration began."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

READING = timedelta(minutes=40)
"""From a personal link to the first review."""
BETWEEN_MAILS = timedelta(seconds=2)


@dataclass(frozen=True)
class Moments:
    """Of one venue."""

    created: datetime
    invited: datetime
    """When the first invitation went; others follow one by one."""
    last: datetime
    """Reviews came until then."""
    closed: datetime | None = None
    opened: datetime | None = None
    """The results."""

    def imports(self) -> list[datetime]:
        """Of papers, of reviewers and of who reviews what."""
        return [self.created + timedelta(minutes=minutes) for minutes in (12, 17, 31)]

    def reviews(self, rng: np.random.Generator, count: int) -> list[datetime]:
        """Of so many reviews, the first of them first; nobody is faster than reading takes."""
        begin = self.invited + 2 * READING
        return [begin + share * (self.last - begin) for share in sorted(rng.random(count))]


def at_clock(now: datetime, days: int, hour: int, minute: int = 0) -> datetime:
    """A time of day, so many days from now."""
    return (now + timedelta(days=days)).replace(hour=hour, minute=minute, second=0, microsecond=0)


def of_the_workshop(now: datetime) -> Moments:
    """Which has been collecting reviews for a week."""
    return Moments(created=at_clock(now, -9, 9, 14), invited=at_clock(now, -8, 15, 2), last=now - timedelta(minutes=25))


def of_the_conference(now: datetime) -> Moments:
    """Which took a month, and ended when every review was in."""
    return Moments(
        created=at_clock(now, -37, 10, 41),
        invited=at_clock(now, -35, 8, 30),
        last=at_clock(now, -3, 21, 47),
        closed=at_clock(now, -2, 9, 5),
        opened=at_clock(now, -2, 14, 20),
    )
