"""A command that is told to stop, by Ctrl-C, by `kill`, by a terminal that closes or a scheduler: all end the same way.

Python would end at once on all but Ctrl-C, and leave temporary files behind. Here they become a KeyboardInterrupt too,
and the exit code says which it was: 128 and the number of the signal.

While it computes, polars looks out for SIGINT and for no other signal: so a thread sends SIGINT for the others, as
Python itself waits until polars is done. Polars then raises a KeyboardInterrupt, and Python is about to raise a second
one, which must not break into the tidying up after the first.

Where polars itself calls Python it does not expect to be interrupted, and dies of it with a long text on the screen. So
there the signal is put off for a moment. It also is while a module is loaded: Python takes note of a KeyboardInterrupt
in code that a module made of text, as dataclasses do, and ends itself by SIGINT after all was tidied up.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import TypeAlias

from surpeer.cli.beginning import SIGNALS, stop_at_once

CALLED_BY_POLARS = ("polars.datatypes", "polars.io.scan_options")
"""Modules of which polars calls functions without expecting them to fail."""

# Put off, as a byte like those that stand for signals; for how long, in seconds; and how often at most.
AGAIN, LATER, MOST = 255, 0.02, 250

Handler: TypeAlias = "Callable[[int, FrameType | None], object] | int | None"


@dataclass(slots=True)
class Stop:
    """Which signal told the command to stop."""

    signal: int | None = None
    noticed: threading.Event = field(default_factory=threading.Event)
    """Whether Python knows."""
    told: int = -1
    """Where bytes are written that stand for signals."""
    put_off: int = 0
    """How often that was done."""
    begun: bool = False
    """Whether there is somebody who deals with it; put off until then."""
    over: bool = False
    """Whether there is nothing to stop any more; a signal changes nothing then."""

    @property
    def exit_code(self) -> int:
        """As shells say it: 130 for Ctrl-C, 143 for `kill`."""
        return 128 + (self.signal or signal.SIGINT)


UNDER_WAY: list[Stop] = []


@contextmanager
def orderly_stop() -> Iterator[Stop]:
    """Make SIGTERM and SIGHUP a KeyboardInterrupt in this block, unless they are ignored. Signals that come while one
    is being dealt with change nothing. Nothing happens outside of the main thread, where Python handles no signals.

    Once a command of its own process is through (surpeer.cli.beginning), signals are ignored: Python is about to end.
    """
    stop = Stop()
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    handled = [number for number in SIGNALS if before[number] is not signal.SIG_IGN]
    sent_on = {*handled} - {signal.SIGINT} if signal.SIGINT in handled else set()
    ours = partial(_interrupt, stop)
    handler = ours if signal.SIGINT in handled else signal.SIG_IGN
    with _sent_on(sent_on, stop, handler), _heard_where_python_does_not(stop):
        try:
            UNDER_WAY.append(stop)
            for number in handled:  # SIGINT first, which is sent for the others
                _set_handler(number, _nothing if number in sent_on else ours)
            stop.begun = True
            yield stop
        finally:
            stop.over = True
            UNDER_WAY.remove(stop)
            for number in handled:
                if before[number] is stop_at_once:
                    signal.signal(number, signal.SIG_IGN)
                else:
                    _set_handler(number, before[number])


def too_late() -> None:
    """What is under way comes to its end, whatever signals come: as when a result is about to be put in place, of which
    nobody could say any more that an earlier one is as it was."""
    for stop in UNDER_WAY:
        stop.over = True


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """The thread deals with it."""


def _interrupt(stop: Stop, number: int, frame: FrameType | None) -> None:
    if stop.over:
        stop.noticed.set()
        return
    stop.signal = stop.signal or number
    if stop.put_off < MOST and (not stop.begun or _is_called_by_polars(frame) or _is_loading(frame)):
        stop.put_off += 1
        stop.noticed.clear()
        os.write(stop.told, bytes([AGAIN]))
        return
    stop.noticed.set()
    error = sys.exception()
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    if error is None:
        raise KeyboardInterrupt


def _is_called_by_polars(frame: FrameType | None) -> bool:
    while frame is not None and not frame.f_globals.get("__name__", "").startswith("surpeer."):
        if frame.f_globals.get("__name__", "").startswith(CALLED_BY_POLARS):
            return True
        frame = frame.f_back
    return False


def _is_loading(frame: FrameType | None) -> bool:
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


@contextmanager
def _sent_on(numbers: Iterable[int], stop: Stop, ours: Handler) -> Iterator[None]:
    """A thread that takes note of signals as they come, whatever Python is doing, and sends SIGINT.

    ours : what then deals with SIGINT
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)
    stop.told = told

    def send() -> None:
        """Once more where Python did not notice, as when it began to wait for something at that moment; not where
        somebody else, such as Spark, deals with it now."""
        stop.noticed.clear()
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.noticed.wait(0.2) and signal.getsignal(signal.SIGINT) is ours:
            os.kill(os.getpid(), signal.SIGINT)

    def send_again() -> None:
        time.sleep(LATER)
        if not stop.noticed.is_set():
            os.kill(os.getpid(), stop.signal if stop.signal and ours is signal.SIG_IGN else signal.SIGINT)

    def listen() -> None:
        while (number := os.read(heard, 1)[0]) != 0:
            if number == AGAIN:
                send_again()
            elif number in numbers and not stop.over:
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


@contextmanager
def _heard_where_python_does_not(stop: Stop) -> Iterator[None]:
    """A KeyboardInterrupt in a generator that is closed because nobody needs it any more is lost, with a long text on
    the screen. So the signal is sent once more; where one is being dealt with already, nothing comes of it."""
    before = sys.unraisablehook

    def lost(what: "sys.UnraisableHookArgs") -> None:
        if not isinstance(what.exc_value, KeyboardInterrupt):
            before(what)
        elif not stop.over:
            stop.noticed.clear()
            os.write(stop.told, bytes([AGAIN]))

    sys.unraisablehook = lost
    try:
        yield
    finally:
        sys.unraisablehook = before


def _set_handler(number: int, handler: Handler) -> None:
    """Change what Python does on a signal, and leave in place what polars does before that."""
    library, action = ctypes.CDLL(None), ctypes.create_string_buffer(1024)
    known = library.sigaction(number, None, action) == 0
    signal.signal(number, handler)
    if known and number == signal.SIGINT:
        library.sigaction(number, action, None)
