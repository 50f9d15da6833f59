"""How a file of reviews is to be read: what the user said, beside the file itself."""

from dataclasses import dataclass, field
from pathlib import Path

from surpeer.io.intake.pseudonyms import KEEP
from surpeer.io.review_form.column_map import ColumnMap, Wanted
from surpeer.scale import Scale


@dataclass(frozen=True, slots=True)
class Intake:
    """What counts, on which scale, in which unit, and what becomes of reviewers."""

    wanted: Wanted = field(default_factory=Wanted)
    rounds: tuple[str, ...] = ()
    reviewers: str = KEEP
    key: bytes | None = None
    scale: Scale | None = None
    values: tuple[float, ...] | None = None
    unit: str | None = None
    """None: fractions in our own tables, in exports as the form says or else `auto`."""
    normalise: bool = False
    drop_bad_predictions: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """What the user said of where the file comes from."""

    platform: str | None = None
    form: Path | None = None
    columns: ColumnMap = field(default_factory=ColumnMap)

    @property
    def has_form_or_columns(self) -> bool:
        """Whether a form was given, or fields and columns were named, which makes sense for an export only."""
        return self.form is not None or self.columns != ColumnMap(scale=self.columns.scale)
