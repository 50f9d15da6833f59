"""A command that is told to stop, by Ctrl-C, by `kill`, by a terminal that closes or a scheduler: all end the same way.

Python would end at once on all but Ctrl-C, and leave temporary files behind. Here they become a KeyboardInterrupt too,
and the exit code says which it was: 128 and the number of the signal.

While it computes, polars looks out for SIGINT and for no other signal: so a thread sends SIGINT for the others, as
Python itself waits until polars is done. Polars then raises a KeyboardInterrupt, and Python is about to raise a second
one, which must not break into the tidying up after the first.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TypeAlias

Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"


@dataclass(slots=True)
class Stop:
    """Which signal told the command to stop."""

    signal: int | None = None
    noticed: threading.Event = field(default_factory=threading.Event)
    """Whether Python knows."""

    @property
    def exit_code(self) -> int:
        """As shells say it: 130 for Ctrl-C, 143 for `kill`."""
        return 128 + (self.signal or signal.SIGINT)


@contextmanager
def orderly_stop() -> Iterator[Stop]:
    """Make SIGTERM and SIGHUP a KeyboardInterrupt in this block, unless they are ignored. Signals that come while one
    is being dealt with change nothing. Nothing happens outside of the main thread, where Python handles no signals."""
    stop = Stop()
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield stop
        return
    handled = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    handled = {number: handler for number, handler in handled.items() if handler is not signal.SIG_IGN}
    sent_on = handled.keys() - {signal.SIGINT} if signal.SIGINT in handled else set()
    for number in handled:
        _set_handler(number, _nothing if number in sent_on else lambda number, _: _interrupt(stop, number))
    try:
        with _sent_on(sent_on, stop):
            yield stop
    finally:
        for number, handler in handled.items():
            _set_handler(number, handler)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """The thread deals with it."""


def _interrupt(stop: Stop, number: int) -> None:
    stop.signal = stop.signal or number
    stop.noticed.set()
    error = sys.exception()
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    if error is None:
        raise KeyboardInterrupt


@contextmanager
def _sent_on(numbers: Iterable[int], stop: Stop) -> Iterator[None]:
    """A thread that takes note of signals as they come, whatever Python is doing, and sends SIGINT."""
    heard, told = os.pipe()
    os.set_blocking(told, False)

    ours = signal.getsignal(signal.SIGINT)

    def send() -> None:
        """Once more where Python did not notice, as when it began to wait for something at that moment; not where
        somebody else, such as Spark, deals with it now."""
        stop.noticed.clear()
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.noticed.wait(0.2) and signal.getsignal(signal.SIGINT) is ours:
            os.kill(os.getpid(), signal.SIGINT)

    def listen() -> None:
        while (number := os.read(heard, 1)[0]) != 0:
            if number in numbers:
                stop.signal = stop.signal or number
                send()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        stop.noticed.set()
        os.write(told, b"\0")
        thread.join()
        os.close(heard)
        os.close(told)


def _set_handler(number: int, handler: Handler) -> None:
    """Change what Python does on a signal, and leave in place what polars does before that."""
    library, action = ctypes.CDLL(None), ctypes.create_string_buffer(1024)
    known = library.sigaction(number, None, action) == 0
    signal.signal(number, handler)
    if known and number == signal.SIGINT:
        library.sigaction(number, action, None)
