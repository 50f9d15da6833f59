"""Errors -> messages on standard error and exit codes.

0  done
1  `validate` found problems
2  the input or an option cannot be used; nothing was written
130  stopped by the user (143 by `kill`, 129 by a terminal that closed); no file was left half-written
141  nobody reads standard output any more, as in `surpeer score ... | head`; not a word is said
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import typer

from surpeer.cli.beginning import STOPPED
from surpeer.cli.stopping import orderly_stop
from surpeer.errors import ReviewProblems, SurpeerError, printable, printable_lines

PROBLEMS_FOUND = 1
BAD_INPUT = 2
INTERRUPTED = 130
UNREAD = 141

# How many problems a command prints that was not asked for the full list.
SHOWN_PROBLEMS = 1000


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn surpeer's own errors, and those of files and pipes, into a message and exit code 2. Anything else is a bug
    and stays a traceback."""
    with orderly_stop() as stop, _told_of_broken_pipes():
        try:
            yield
            sys.stdout.flush()
            stop.over = True  # all is done: who stops it now has nothing to stop
        except BaseException as error:
            stop.over = True
            _forget_what_cannot_be_printed()
            if stop.signal is not None or isinstance(error, KeyboardInterrupt):
                _tell(STOPPED)  # libraries may make an error of their own of a signal
                raise typer.Exit(stop.exit_code) from None
            if isinstance(error, BrokenPipeError):
                raise typer.Exit(UNREAD) from None
            if not isinstance(error, SurpeerError | OSError):
                raise
            _say(error)
            raise typer.Exit(BAD_INPUT) from None


@contextmanager
def _told_of_broken_pipes() -> Iterator[None]:
    """Have a pipe that nobody reads be an error, after which temporary files are removed, and not the end at once."""
    ends = hasattr(signal, "SIGPIPE") and signal.getsignal(signal.SIGPIPE) is signal.SIG_DFL
    if not ends or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def _say(error: SurpeerError | OSError) -> None:
    """The error in words, on standard error."""
    if isinstance(error, ReviewProblems):
        shown = [f"error: {error.head}", *(f"  {problem}" for problem in error.problems[:SHOWN_PROBLEMS])]
        _tell("\n".join(printable(line) for line in shown))
        if error.total > len(error.problems):  # of very many only the first are described
            _tell(f"  ... and {error.total - len(shown) + 1:,} more")
        elif error.total > SHOWN_PROBLEMS:
            _tell(f"  ... `surpeer validate` lists all {error.total:,}")
        print_notes(error.notes)
    elif isinstance(error, SurpeerError):
        _tell(f"error: {printable_lines(str(error))}")
    else:
        _tell(f"error: {error.filename or 'standard output'}: {error.strerror or error}")


def _tell(text: str) -> None:
    """On standard error, if anybody listens: what was done, or not, stays the same."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _forget_what_is_left(sys.stderr)


def _forget_what_cannot_be_printed() -> None:
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _forget_what_is_left(sys.stdout)


def _forget_what_is_left(stream: TextIO) -> None:
    """It would be tried, and fail, once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_notes(notes: tuple[str, ...]) -> None:
    """What the user should know and did not ask for, on standard error."""
    for note in notes:
        _tell(f"note: {printable(note)}")
