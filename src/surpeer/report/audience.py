"""Who a report is for."""

from enum import StrEnum


class Audience(StrEnum):
    """From those who may see everything to those who may see no single paper."""

    CHAIR = "chair"
    COMMITTEE = "committee"
    PUBLIC = "public"

    @property
    def meaning(self) -> str:
        return MEANINGS[self]


MEANINGS = {
    Audience.CHAIR: "everything, reviewers and single reviews included",
    Audience.COMMITTEE: "every paper with its scores and ratings; no reviewer, no prediction of a single one",
    Audience.PUBLIC: "numbers about the venue as a whole; no paper, no reviewer, no group of fewer than five papers",
}
