"""Why a score is a number, an infinity, or undefined."""

from enum import IntEnum


class Status(IntEnum):
    """A score is a value and one of these. The names, in lower case, are part of the file format."""

    FINITE = 0
    PLUS_INFINITY = 1
    """Two levels, everybody gave the higher one."""
    MINUS_INFINITY = 2
    """Two levels, everybody gave the lower one."""
    MISSING_SIGNAL = 3
    """Some level has nobody who both gave it and made a prediction."""
    INCOHERENT = 4
    """The determinant is not positive: those who rated high did not expect others to rate higher."""
    NO_PREDICTIONS = 5
    """Reviewers differ, and no review of the paper has a prediction."""

    @property
    def label(self) -> str:
        """The name in files and on screen, such as `missing_signal`."""
        return self.name.lower()

    @property
    def is_defined(self) -> bool:
        """Whether the score takes part in comparisons (infinities do)."""
        return self <= Status.MINUS_INFINITY
