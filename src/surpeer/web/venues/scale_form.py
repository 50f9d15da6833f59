"""The rating scale in a form: a row for each level, with buttons that work without JavaScript."""

import json
from dataclasses import dataclass, field

from django.http import QueryDict

from surpeer.errors import ScaleError
from surpeer.scale import MOST_LEVELS, PRESETS, Scale, plain_number
from surpeer.web.venues.scales import Level, levels_of

LABELS, VALUES = "level_label", "level_value"
OPENED = "level_opened"
ADD, REMOVE, USE_PRESET, PRESET = "add_level", "remove_level", "use_preset", "preset"
LONGEST_LABEL = 60


@dataclass
class ScaleRows:
    """Rows of a label and a value as they were typed, the lowest level first."""

    rows: list[tuple[str, str]]
    errors: list[str] = field(default_factory=list)
    added: bool = False
    """Whether a row was added just now, into which one will want to type."""
    opened: str = ""
    """The rows as they were when the page was opened, in one text; empty where nobody said."""
    overtaken: bool = False
    """Whether somebody else changed the scale while she did."""

    @classmethod
    def from_levels(cls, levels: list[Level]) -> "ScaleRows":
        rows = [(level["label"], f"{level['value']:g}") for level in levels]
        return cls(rows, opened=json.dumps(rows))

    @classmethod
    def from_post(cls, post: QueryDict) -> "ScaleRows":
        """What was typed, with what a pressed button does to it."""
        labels, values = post.getlist(LABELS), post.getlist(VALUES)
        rows = [(label.strip(), value.strip()) for label, value in zip(labels, values, strict=False)][:MOST_LEVELS]
        opened = post.get(OPENED, "")
        if ADD in post:
            return cls([*rows, ("", "")][:MOST_LEVELS], added=True, opened=opened)
        if REMOVE in post:
            gone = post[REMOVE]
            return cls([row for at, row in enumerate(rows) if str(at) != gone], opened=opened)
        if USE_PRESET in post and post.get(PRESET) in PRESETS:
            return cls(preset_rows(str(post[PRESET])), opened=opened)
        return cls(rows, opened=opened)

    @property
    def is_untouched(self) -> bool:
        """Whether the rows are what they were when the page was opened."""
        return json.dumps(self.rows) == self.opened

    @property
    def preset(self) -> str:
        """The name of the ready-made scale that the rows are; empty where they are none of them."""
        return next((name for name in PRESETS if preset_rows(name) == self.rows), "")

    @property
    def ready_made(self) -> list[dict[str, str]]:
        """The scales that many venues use: the name and the levels of each, and the rows for the script of the form."""
        return [
            {"name": name, "levels": ", ".join(scale.levels), "rows": json.dumps(preset_rows(name))}
            for name, scale in PRESETS.items()
        ]

    @staticmethod
    def only_edits(post: QueryDict) -> bool:
        """Whether the button that was pressed changes the rows and saves nothing."""
        return any(button in post for button in (ADD, REMOVE, USE_PRESET))

    def levels(self) -> list[Level] | None:
        """The levels as a venue keeps them; else None, and `errors` has all that is wrong."""
        filled = [(label, value) for label, value in self.rows if label or value]
        self.errors = _row_errors(filled)
        if self.errors:
            return None
        values = [float(value.replace(",", ".")) for _, value in filled if value]
        try:
            return levels_of(Scale([label for label, _ in filled], values))
        except ScaleError as error:
            self.errors = [str(error)]
            return None


def preset_rows(name: str) -> list[tuple[str, str]]:
    """The rows of a ready-made scale.

    >>> preset_rows("binary")
    [('reject', '0'), ('accept', '1')]
    """
    return ScaleRows.from_levels(levels_of(PRESETS[name])).rows


def _row_errors(rows: list[tuple[str, str]]) -> list[str]:
    errors = []
    for at, (label, value) in enumerate(rows, start=1):
        if not label:
            errors.append(f"Level {at}: found the value {value} without a label, expected the word that reviewers see.")
        if len(label) > LONGEST_LABEL:
            errors.append(f"Level {at}: found a label of {len(label)} characters, expected at most {LONGEST_LABEL}.")
        if not label.isprintable():
            errors.append(f"Level {at}: found a label with a character that cannot be shown, expected words.")
        if value and plain_number(value.replace(",", ".", 1)) is None:
            errors.append(f"Level {at}: found the value “{value[:40]}”, expected a number such as 3 or -1.5.")
    given = sum(bool(value) for _, value in rows)
    if 0 < given < len(rows):
        errors.append(f"Found values for {given} of {len(rows)} levels, expected one for each or none at all.")
    return errors
