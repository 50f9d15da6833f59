"""A progress bar on standard error, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from surpeer.engines.progress import SILENT, Progress

if TYPE_CHECKING:  # takes a while to load
    from rich import progress as rich_progress

BETWEEN_UPDATES = 0.1
"""Seconds."""


@contextmanager
def progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Gives a function to call with a few words at the start of each step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=steps)
        begun = False

        def begin(words: str) -> None:
            nonlocal begun
            bar.update(task, description=words, advance=int(begun))
            begun = True

        yield begin


@contextmanager
def row_progress() -> Iterator[Progress]:
    """A line for each phase of a long run: rows done, rows per second, time left. It is gone when the block ends."""
    if not sys.stderr.isatty():
        yield SILENT
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[words]}"))
    with Progress(*columns, console=Console(file=sys.stderr), transient=True, refresh_per_second=5) as bar:
        yield RowBar(bar)


class RowBar:
    """Lines of a progress bar, one for each phase. Telling it of rows costs next to nothing, however often."""

    def __init__(self, bar: "rich_progress.Progress") -> None:
        self._bar = bar
        self._task: rich_progress.TaskID | None = None
        self._total: int | None = None
        self._rows, self._begun, self._shown = 0, 0.0, 0.0

    def begin(self, phase: str, total_rows: int | None) -> None:
        """A phase begins; the line of the one before stays, as done."""
        if self._task is not None:
            self._total = max(1, self._rows)
            self._show(done=True)
        self._rows, self._begun, self._shown, self._total = 0, time.monotonic(), 0.0, total_rows
        self._task = self._bar.add_task(phase, total=total_rows, words="")

    def advance(self, rows: int) -> None:
        """So many more rows are done."""
        self._rows += rows
        if time.monotonic() - self._shown >= BETWEEN_UPDATES:
            self._show()

    def _show(self, done: bool = False) -> None:
        if self._task is None:
            return
        self._shown = time.monotonic()
        words = row_words(self._rows, self._shown - self._begun, self._total, done)
        self._bar.update(self._task, total=self._total, completed=self._total if done else self._rows, words=words)


def row_words(rows: int, seconds: float, total: int | None, done: bool = False) -> str:
    """How many rows are done, how fast, and how long it will take; in the end how long it took.

    >>> row_words(0, 0.0, None), row_words(12_345_678, 3.0, None)
    ('0 rows', '12.3M rows, 4.1M rows/s')
    >>> row_words(1500, 3.0, 36_000), row_words(36_000, 72.0, 36_000, done=True)
    ('1.5k rows, 500 rows/s, 1:09 left', '36.0k rows, 500 rows/s, 1:12')
    """
    words = [f"{_short(rows)} rows"]
    if rows and seconds > 0:
        words.append(f"{_short(rows / seconds)} rows/s")
        if done:
            words.append(_clock(seconds))
        elif total is not None:
            words.append(f"{_clock(max(0, total - rows) * seconds / rows)} left")
    return ", ".join(words)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _short(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f}{letter}"
    return f"{number:.0f}"
