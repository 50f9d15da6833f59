"""What stands in the form of a review, as it was typed and before anybody has checked it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surpeer.web.reviews.models import Submission
from surpeer.web.reviews.prediction import question_of
from surpeer.web.venues.models import Venue

LONGEST_NUMBER = 40


def number_names(venue: Venue) -> list[str]:
    """The names of the fields of a prediction."""
    return [f"number_{place}" for place in range(len(question_of(venue).labels))]


@dataclass(frozen=True)
class Typed:
    """The visible fields. Empty texts for whatever was not filled in."""

    rating: str = ""
    """The index of a level."""
    numbers: list[str] = field(default_factory=list)
    comment: str = ""

    @classmethod
    def from_post(cls, venue: Venue, post: Mapping[str, Any]) -> "Typed":
        """What a browser sent. Characters that no database takes (NUL) are left out."""

        def sent(name: str) -> str:
            return str(post.get(name, "")).replace("\0", "")

        numbers = [sent(name)[:LONGEST_NUMBER] for name in number_names(venue)]
        return cls(sent("rating")[:LONGEST_NUMBER], numbers, sent("comment").replace("\r\n", "\n"))

    @classmethod
    def from_draft(cls, fields: Mapping[str, Any]) -> "Typed":
        return cls(str(fields.get("rating", "")), list(fields.get("numbers", [])), str(fields.get("comment", "")))

    @classmethod
    def from_submission(cls, submission: Submission) -> "Typed":
        return cls(str(submission.rating), [str(number) for number in submission.prediction], submission.comment)

    @property
    def as_draft(self) -> dict[str, Any]:
        return {"rating": self.rating, "numbers": self.numbers, "comment": self.comment}

    @property
    def is_empty(self) -> bool:
        return not (self.rating or self.comment.strip() or any(number.strip() for number in self.numbers))

    def level(self, venue: Venue) -> int | None:
        """The index of the level that was chosen, None where none was."""
        known = self.rating.isascii() and self.rating.isdigit() and int(self.rating) < len(venue.levels)
        return int(self.rating) if known else None

    def rating_label(self, venue: Venue) -> str:
        """The name of that level, or nothing."""
        level = self.level(venue)
        return "" if level is None else venue.labels[level]

    def named_numbers(self, venue: Venue) -> list[tuple[str, str]]:
        """Each level with its number."""
        labels = question_of(venue).labels
        return list(zip(labels, [*self.numbers, *[""] * len(labels)], strict=False))
