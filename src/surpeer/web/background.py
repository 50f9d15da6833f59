"""The process beside the web server that computes results: `python -m surpeer.web.background [PID of the server]`.

It looks at every venue whose results are open and computes those anew whose reviews, exclusions or settings have
changed. One that fails never keeps the others from being computed. It ends with the process that started it. Now and
then it tidies up.
"""

import gc
import logging
import os
import signal
import sys
import time
from types import FrameType
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from surpeer.web.venues.models import Venue  # which can be imported once Django is set up

PAUSE = 1.0
"""Seconds between two looks."""
SHARE = 10
"""A pause is at least so many times as long as looking took, so that large venues do not keep a processor busy."""
TIDYING = 3600.0
"""Seconds between two times of tidying up; the first is at the start."""
NEW_OBJECTS = 100_000
"""After so many Python looks for those that nobody uses: a result is made of very many at once, all of them in use."""
NICENESS = 10
"""How far it stands back behind the processes that answer people."""

logger = logging.getLogger(__name__)


def main() -> None:
    """Look and compute until the parent is gone, or until SIGTERM. A parent that names itself may be gone already."""
    parent = int(sys.argv[1]) if len(sys.argv) > 1 else os.getppid()
    sys.unraisablehook = _end_in_a_finalizer
    signal.signal(signal.SIGTERM, _end)
    os.nice(NICENESS)
    gc.set_threshold(NEW_OBJECTS)
    django.setup()
    tidied = -TIDYING
    while os.getppid() == parent:
        looked = look_once()
        if time.monotonic() - tidied >= TIDYING:
            tidy_up()
            tidied = time.monotonic()
        time.sleep(max(PAUSE, SHARE * looked))


def look_once() -> float:
    """Compute whatever is not current; the seconds that it took to find that out, computing not counted."""
    from django.db import close_old_connections

    close_old_connections()
    started, computing = time.monotonic(), 0.0
    try:
        for venue in _open_venues():
            computing += _compute_if_needed(venue)
    except Exception:
        logger.exception("looking for venues to compute failed")
    close_old_connections()
    return time.monotonic() - started - computing


def tidy_up() -> None:
    """Delete what is kept for a time only and has outlived it."""
    from surpeer.web.venues.import_uploads import forget_old

    try:
        forget_old()
    except Exception:
        logger.exception("deleting old uploads failed")


def _open_venues() -> "list[Venue]":
    from surpeer.web.venues.models import Venue

    return list(Venue.objects.filter(opened_at__isnull=False))


def _compute_if_needed(venue: "Venue") -> float:
    """Seconds of computing."""
    from surpeer.web.results.computing import compute
    from surpeer.web.results.freshness import Freshness

    started = None
    try:
        fresh = Freshness.of(venue)
        if fresh.is_current and fresh.result is not None and fresh.result.complete:
            return 0.0
        started = time.monotonic()
        compute(venue)
    except Exception:
        logger.exception("computing the results of venue %s failed", venue.slug)
    return 0.0 if started is None else time.monotonic() - started


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _end_in_a_finalizer(unraisable: "sys.UnraisableHookArgs") -> None:
    """Where Python would only report that it was told to end, and go on."""
    if isinstance(unraisable.exc_value, SystemExit):
        os._exit(0)
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
