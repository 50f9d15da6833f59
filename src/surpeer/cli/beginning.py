"""The first moments of a command, in which its parts are loaded and nothing is written yet.

Whoever stops it then is told the same as later, instead of where Python was. Only what Python has loaded anyway is
imported here, so that these moments begin early.
"""

import os
import signal
from types import FrameType

STOPPED = (
    "stopped; no file was left half-written, and an earlier result is as it was; "
    "run the same command again to start anew"
)
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, `kill` and a terminal that closes. The first is the one that polars knows."""


def stop_at_once_on_signals() -> None:
    """From now on, unless they are ignored."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop_at_once)


def stop_at_once(number: int, _frame: FrameType | None) -> None:
    """Say so and end: an exception could be lost, or become another one, in modules that are half loaded."""
    try:
        os.write(2, f"{STOPPED}\n".encode())
    except OSError:  # nobody listens
        pass
    finally:
        os._exit(128 + number)
