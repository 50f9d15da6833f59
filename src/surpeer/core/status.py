"""Why a score is a number, an infinity, or undefined."""

from enum import IntEnum


class Status(IntEnum):
    """A score is a value and one of these. The names, in lower case, are part of the file format."""

    FINITE = 0
    PLUS_INFINITY = 1
    MINUS_INFINITY = 2
    MISSING_SIGNAL = 3
    INCOHERENT = 4
    NO_PREDICTIONS = 5

    @property
    def label(self) -> str:
        """The name in files and on screen, such as `missing_signal`."""
        return self.name.lower()

    @property
    def meaning(self) -> str:
        """In words that can follow "because"."""
        return _MEANINGS[self]

    @property
    def is_defined(self) -> bool:
        """Whether the score takes part in comparisons (infinities do)."""
        return self <= Status.MINUS_INFINITY


_MEANINGS = {
    Status.FINITE: "the score is a number",
    Status.PLUS_INFINITY: "everybody gave the higher rating",  # of two
    Status.MINUS_INFINITY: "everybody gave the lower rating",
    Status.MISSING_SIGNAL: "some level has nobody who both gave it and made a complete prediction",
    # The determinant is not positive: those who rated high did not expect others to rate higher.
    Status.INCOHERENT: "its reviewers' predictions contradict each other",
    Status.NO_PREDICTIONS: "reviewers differ, and no review has a complete prediction",
}
