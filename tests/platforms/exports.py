"""Exports made by hand, and what is read from them."""

from collections.abc import Mapping, Sequence
from typing import Any

from surpeer.io.intake.settings import Intake
from surpeer.io.intake.take_in import take_in
from surpeer.io.review_form.column_map import Wanted
from surpeer.io.review_form.export import Export, Field
from surpeer.io.review_form.form import Option
from surpeer.reviews import Reviews

Cells = Sequence[str | None]


def options(*labels: str, symbols: Sequence[str] = ()) -> tuple[Option, ...]:
    """The answers of a question, lowest first; their symbols count from 1 unless they are given."""
    names = symbols or [str(at) for at in range(1, len(labels) + 1)]
    return tuple(Option(symbol, label) for symbol, label in zip(names, labels, strict=True))


def make_export(
    fields: Mapping[str, Cells], forms: Mapping[str, tuple[Option, ...]] | None = None, **others: Any
) -> Export:
    """An export with these answers; two reviews for each paper, in rows from 2 on, unless other things are said."""
    count = max(len(cells) for cells in fields.values())
    forms = forms or {}
    made = tuple(Field(name, list(cells), options=forms.get(name, ())) for name, cells in fields.items())
    return Export(
        kind=others.pop("kind", "Reviews (CSV)"),
        paper=others.pop("paper", [str(1 + at // 2) for at in range(count)]),
        place=others.pop("place", list(range(2, 2 + count))),
        fields=made,
        **others,
    )


def read(export: Export, **how: Any) -> Reviews:
    """The reviews of an export; `rating`, `predictions` and so on as the user names them."""
    wanted = Wanted(**{key: how.pop(key) for key in ("rating", "predictions", "shares", "expected") if key in how})
    return take_in(export, Intake(wanted=wanted, **how), "reviews.csv", "a platform")
