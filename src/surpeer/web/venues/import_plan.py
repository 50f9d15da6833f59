"""What an import would do: shown before it is done, and done as it was shown."""

import hashlib
import json
from dataclasses import dataclass, field

from surpeer.errors import Problem, counted
from surpeer.web.venues.models import Venue


@dataclass(frozen=True)
class New:
    """Something that is not there yet."""

    name: str
    """How people know it: an id, an address."""
    fields: dict[str, str]
    pks: tuple[int, int] = (0, 0)
    """Of the paper and the reviewer of a new assignment."""


@dataclass(frozen=True)
class Changed:
    """Something that is there, and would change."""

    pk: int
    name: str
    changes: dict[str, tuple[str, str]]
    """By field: what is there, and what would be."""

    @property
    def listed(self) -> list[dict[str, str]]:
        """The changes one by one."""
        return [{"column": name, "old": old, "new": new} for name, (old, new) in self.changes.items()]


@dataclass(frozen=True)
class Plan:
    """The outcome of reading a file: what is new, what changes, what is as it is; nothing is ever deleted."""

    venue: Venue
    kind: str
    new: list[New] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    unchanged: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """How the file was read."""
    warnings: list[str] = field(default_factory=list)
    """What a chair should look at, though it can be imported."""

    @property
    def does_something(self) -> bool:
        return bool(self.new or self.changed)

    @property
    def fingerprint(self) -> str:
        """The same for two plans that do the same."""
        content = [
            self.kind,
            self.venue.pk,
            [[new.name, new.fields, new.pks] for new in self.new],
            [[changed.pk, changed.changes] for changed in self.changed],
            len(self.problems),
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def summary(self) -> str:
        """The counts in one sentence."""
        noun = self.kind.removesuffix("s")
        parts = [f"{len(self.new):,} new", f"{len(self.changed):,} changed", f"{self.unchanged:,} unchanged"]
        total = len(self.new) + len(self.changed) + self.unchanged
        return f"{counted(total, noun)}: {', '.join(parts)}."
