"""What is made of checked reviews to be added up: whole numbers of all that was said, or only what papers are counted
by."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import polars as pl

from surpeer.checked_rows import CheckedRows
from surpeer.columns import PAPER, RATING, TITLE, TRACK
from surpeer.core.shapes import FloatArray
from surpeer.engines.repeated import PAIR, pair_column
from surpeer.engines.rows import Form, Typical, form_of, ids_as_numbers, whole_rows

SEED_OF_TITLES = 3


class RowMaker(Protocol):
    """Checked reviews -> rows of a form."""

    only_sound: ClassVar[bool]
    """Whether nothing is made of reviews once some have problems, and reading ends with saying so."""

    def least(self, levels: int) -> Form:
        """The form of no reviews at all."""

    def form(self, checked: CheckedRows) -> Form | None:
        """The smallest form for these reviews; None where nothing can be made of any."""

    def rows(
        self, checked: CheckedRows, form: Form, values: FloatArray, typical: Typical | None
    ) -> tuple[pl.DataFrame | None, Form]:
        """The rows of these reviews, and the form that they need; if that is not the one given, rows mean nothing."""


@dataclass(frozen=True)
class ScoredRows:
    """Whole numbers of ratings and predictions (surpeer.engines.rows), to be scored."""

    moments: bool
    """Whether the venue method will need products."""
    only_sound: ClassVar[bool] = True

    def least(self, levels: int) -> Form:
        return Form(levels, moments=self.moments)

    def form(self, checked: CheckedRows) -> Form | None:
        return form_of(checked, moments=self.moments, shorten_ids=True)

    def rows(
        self, checked: CheckedRows, form: Form, values: FloatArray, typical: Typical | None
    ) -> tuple[pl.DataFrame | None, Form]:
        rows, needed = whole_rows(checked, form, values, typical)
        pair = pair_column(checked)
        return rows.with_columns(pair) if pair is not None and needed == form else rows, needed


@dataclass(frozen=True)
class CountedRows:
    """The paper, its track and its title, and who reviewed it: nothing is scored.

    Whatever else is wrong with a review, it shows whether it is there twice and has the track of its paper; so all
    problems can be told at once. Rows are as of a scale with a single level: how many they are is all that is added up.
    """

    only_sound: ClassVar[bool] = False

    def least(self, levels: int) -> Form:  # noqa: ARG002 - however many there are
        return Form(1, counted=True)

    def form(self, checked: CheckedRows) -> Form | None:
        rows = _with_papers(checked)
        return None if rows is None else _form_of(rows, checked.short_ids)

    def rows(
        self,
        checked: CheckedRows,
        form: Form,
        values: FloatArray,  # noqa: ARG002 - of levels, which nobody asks for
        typical: Typical | None,  # noqa: ARG002 - of predictions, likewise
    ) -> tuple[pl.DataFrame | None, Form]:
        rows = _with_papers(checked)
        if rows is None:
            return None, form
        needed = form.merged(_form_of(rows, checked.short_ids))
        if form.numbers and needed.numbers and not checked.short_ids:
            rows = rows.with_columns(ids_as_numbers(rows[PAPER]))
        return rows, needed


def _form_of(rows: pl.DataFrame, short_ids: bool) -> Form:
    return Form(
        1,
        counted=True,
        track=TRACK in rows.columns,
        title=TITLE in rows.columns,
        numbers=short_ids or ids_as_numbers(rows[PAPER]) is not None,
    )


def _with_papers(checked: CheckedRows) -> pl.DataFrame | None:
    """Rows of the reviews of which it is known which paper they are of; None if there are none.

    Of a title all that matters is whether it is another one, for which a number will do.
    """
    ids = checked.paper
    if ids.dtype not in (pl.Int64, pl.String):
        return None
    columns = [ids.alias(PAPER), pl.Series(RATING, np.zeros(len(ids), dtype=np.int8))]
    columns += [] if checked.track is None else [checked.track.alias(TRACK)]
    if checked.title is not None:
        numbers = checked.title.hash(SEED_OF_TITLES)
        columns.append(pl.select(pl.when(checked.title.is_not_null()).then(numbers).alias(TITLE)).to_series())
    pair = pair_column(checked)
    columns += [] if pair is None else [pair.alias(PAIR)]
    rows = pl.DataFrame(columns)
    if checked.problems:
        is_text = ids.dtype == pl.String
        rows = rows.filter(pl.col(PAPER).str.strip_chars() != "" if is_text else pl.col(PAPER).is_not_null())
    return rows if len(rows) else None
