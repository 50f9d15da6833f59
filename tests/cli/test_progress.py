"""The bar for rows: silent unless somebody looks at a terminal."""

import io
import sys
import time

import pytest

from surpeer.cli.progress import row_progress, row_words
from surpeer.engines.progress import SILENT


class Terminal(io.StringIO):
    """What a terminal is told."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_said_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with row_progress() as progress:
        assert progress is SILENT
        progress.begin("reading", 10)
        progress.advance(5)
    assert stream.getvalue() == ""


def test_every_phase_has_a_line_with_rows_and_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with row_progress() as progress:
        progress.advance(1)  # before any phase: nothing to show
        progress.begin("reading", 4_000_000)
        progress.advance(1_000_000)
        time.sleep(0.3)
        progress.advance(1_000_000)
        time.sleep(0.3)
        progress.begin("scoring", None)
        progress.advance(2000)
        time.sleep(0.3)
    said = stream.getvalue()
    assert "reading" in said
    assert "2.0M rows, " in said
    assert "M rows/s, 0:0" in said
    assert " left" in said
    assert "scoring" in said
    assert "2.0k rows, " in said


@pytest.mark.parametrize(
    ("rows", "seconds", "total", "done", "words"),
    [
        (0, 5.0, 10, False, "0 rows"),
        (999, 1.0, 1000, False, "999 rows, 999 rows/s, 0:00 left"),
        (20, 1.0, 10, False, "20 rows, 20 rows/s, 0:00 left"),  # more than was expected
        (5_000_000_000, 5000.0, 20_000_000_000, False, "5.0G rows, 1.0M rows/s, 4:10:00 left"),
        (1000, 59.6, 1000, True, "1.0k rows, 17 rows/s, 1:00"),
    ],
)
def test_words(rows: int, seconds: float, total: int, done: bool, words: str) -> None:
    assert row_words(rows, seconds, total, done) == words
