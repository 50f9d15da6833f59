"""Waiting for what other processes do. Tests do not measure time: a busy machine is no failure."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120.0
"""Seconds after which it will not happen any more, in another process or in a browser."""

Found = TypeVar("Found")


def eventually(found: Callable[[], Found], problem: object = "it did not happen") -> Found:
    """The first value that says yes."""
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        assert time.monotonic() < end, problem
        time.sleep(0.05)
    return value
