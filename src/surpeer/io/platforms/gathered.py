"""Reviews gathered one by one from a JSON document -> Export."""

from dataclasses import dataclass, field

from surpeer.errors import Problem
from surpeer.io.platforms.fields import Answers
from surpeer.io.review_form.export import Export, Field


@dataclass(slots=True)
class Gathered:
    """What platforms that export JSON say of each review, and the answers to the questions of the form."""

    answers: Answers = field(default_factory=Answers)
    unreadable: int = 0
    """Answers that have no question."""
    paper: list[str] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    reviewer: list[str | None] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    submitted: list[float | None] = field(default_factory=list)
    withdrawn: list[bool] = field(default_factory=list)
    track: list[str | None] = field(default_factory=list)
    title: list[str | None] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def add(
        self,
        paper: str,
        place: int,
        *,
        reviewer: str | None,
        name: str | None,
        submitted: float | None,
        withdrawn: bool,
        track: str | None,
        title: str | None,
    ) -> int:
        """Add a review; its position, by which its answers are put."""
        self.paper.append(paper)
        self.place.append(place)
        self.reviewer.append(reviewer)
        self.name.append(name or "")
        self.submitted.append(submitted)
        self.withdrawn.append(withdrawn)
        self.track.append(track)
        self.title.append(title)
        return len(self.paper) - 1

    def export(self, kind: str, fields: tuple[Field, ...], rating: str | None, notes: tuple[str, ...]) -> Export:
        """All reviews that were added, with these fields."""
        return Export(
            kind=kind,
            paper=self.paper,
            fields=fields,
            place=self.place,
            reviewer=self.reviewer,
            name=self.name,
            submitted=self.submitted if any(date is not None for date in self.submitted) else None,
            withdrawn=self.withdrawn,
            track=self.track if any(self.track) else None,
            title=self.title if any(self.title) else None,
            rating=rating,
            notes=notes,
            problems=tuple(self.problems),
        )
