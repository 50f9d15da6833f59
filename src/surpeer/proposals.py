"""What can be proposed for a paper, and why."""

from enum import IntEnum


class Proposal(IntEnum):
    """What to do with a paper. The names, in lower case, are part of the file format."""

    ACCEPT = 0
    DISCUSS = 1
    REJECT = 2

    @property
    def label(self) -> str:
        return self.name.lower()


class Reason(IntEnum):
    """Why that is proposed. The names, in lower case, are part of the file format."""

    LIKELY = 0
    """Its place above or below the cut is as certain as was asked for."""
    UNDECIDED = 1
    """It is not, or the paper is in a tie that the cut goes through."""
    INCOHERENT_FORECASTS = 2
    """Its reviewers' predictions contradict each other, whatever its probability."""
    NO_SCORE = 3
    """So no probability is known."""

    @property
    def label(self) -> str:
        return self.name.lower()

    @property
    def meaning(self) -> str:
        """To be read after "because"."""
        return MEANINGS[self]


MEANINGS = {
    Reason.LIKELY: "its side of the cut is certain enough",
    Reason.UNDECIDED: "the reviews do not say surely enough on which side of the cut it belongs",
    Reason.INCOHERENT_FORECASTS: "its reviewers' predictions contradict each other",
    Reason.NO_SCORE: "it has no score, so that no probability is known",
}
