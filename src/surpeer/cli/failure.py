"""Errors -> messages on standard error and exit codes.

0  done
1  `validate` found problems
2  the input or an option cannot be used; nothing was written
130  stopped by the user (143 by `kill`, 129 by a terminal that closed); no file was left half-written
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import typer

from surpeer.cli.stopping import orderly_stop
from surpeer.errors import ReviewProblems, SurpeerError, printable, printable_lines

PROBLEMS_FOUND = 1
BAD_INPUT = 2
INTERRUPTED = 130

STOPPED = (
    "stopped; no file was left half-written, and an earlier result is as it was; "
    "run the same command again to start anew"
)

# How many problems a command prints that was not asked for the full list.
SHOWN_PROBLEMS = 1000


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn surpeer's own errors, and those of files and pipes, into a message and exit code 2. Anything else is a bug
    and stays a traceback."""
    with orderly_stop() as stop:
        try:
            yield
            sys.stdout.flush()
        except BaseException as error:
            if stop.signal is not None or isinstance(error, KeyboardInterrupt):
                print(STOPPED, file=sys.stderr)  # libraries may make an error of their own of a signal
                raise typer.Exit(stop.exit_code) from None
            if not isinstance(error, SurpeerError | OSError):
                raise
            _say(error)
            raise typer.Exit(BAD_INPUT) from None


def _say(error: SurpeerError | OSError) -> None:
    """The error in words, on standard error."""
    if isinstance(error, ReviewProblems):
        shown = [f"error: {error.head}", *(f"  {problem}" for problem in error.problems[:SHOWN_PROBLEMS])]
        print("\n".join(printable(line) for line in shown), file=sys.stderr)
        if error.total > len(error.problems):  # of large reviews only the first are kept
            print(f"  ... and {error.total - len(error.problems):,} more", file=sys.stderr)
        elif error.total > SHOWN_PROBLEMS:
            print(f"  ... `surpeer validate` lists all {error.total:,}", file=sys.stderr)
        print_notes(error.notes)
    elif isinstance(error, SurpeerError):
        print(f"error: {printable_lines(str(error))}", file=sys.stderr)
    else:
        _forget_standard_output()
        print(f"error: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)


def _forget_standard_output() -> None:
    """What could not be written would be tried, and fail, once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_notes(notes: tuple[str, ...]) -> None:
    """What the user should know and did not ask for, on standard error."""
    for note in notes:
        print(f"note: {printable(note)}", file=sys.stderr)
