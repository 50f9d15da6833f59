"""How far a long run has come: what an engine tells whoever waits for it."""

from typing import Protocol


class Progress(Protocol):
    """Phases one after the other, each of so many rows."""

    def begin(self, phase: str, total_rows: int | None) -> None:
        """A phase begins, and the one before it is done. None where nobody knows how many rows it has."""

    def advance(self, rows: int) -> None:
        """So many more rows of this phase are done."""


class Silent:
    """Tells nobody."""

    def begin(self, phase: str, total_rows: int | None) -> None:
        """Nothing happens."""

    def advance(self, rows: int) -> None:
        """Nothing happens."""


SILENT: Progress = Silent()
