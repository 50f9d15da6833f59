"""Any file of reviews -> Reviews: tables in our own columns here, the exports of platforms in export_file.

Whatever only exports need is imported when there is one: a small table should not wait for it.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from surpeer.columns import DISTRIBUTION, REVIEWER
from surpeer.errors import InputError, ReviewProblems, UnknownName
from surpeer.io.file_bytes import may_be_workbook, read_bytes
from surpeer.io.intake.pseudonyms import (
    DROP,
    KEEP,
    PSEUDONYM,
    WAYS,
    Key,
    find_key,
    hide,
    numbered,
    save_key,
    without_quotations,
)
from surpeer.io.intake.settings import Intake, Origin
from surpeer.io.review_form.column_map import ColumnMap, read_column_map
from surpeer.io.table import Table
from surpeer.io.tabular import is_our_table, read_table
from surpeer.reviews import Reviews
from surpeer.scale import Scale

OURS = "surpeer"
"""What `--from` calls a table in our own columns."""

LIVE_PREFIX = "openreview:"
"""Before the id of a venue, instead of the name of a file."""

DEFAULT_UNIT = "fraction"
"""Of predictions in a table in our own columns; exports and distributions in one cell say themselves what they are."""


def read_reviews(
    path: str | Path,
    scale: Scale | None = None,
    *,
    values: tuple[float, ...] | None = None,
    unit: str | None = None,
    normalise: bool = False,
    drop_bad_predictions: bool = False,
    platform: str | None = None,
    form: str | Path | None = None,
    columns: str | Path | None = None,
    rating: str | None = None,
    predictions: Sequence[str] = (),
    rounds: Sequence[str] = (),
    reviewers: str = KEEP,
    key: str | Path | None = None,
) -> Reviews:
    """Read and check a file of reviews: a table (CSV, Excel, Parquet, JSON lines) or the export of a platform.

    scale, values, unit, normalise, drop_bad_predictions : as in `Reviews.from_table`; for exports the unit is `auto` if
        it is not given
    platform : one of `surpeer.io.platforms.registry.PLATFORMS`, or `surpeer` for a table in our own columns; by default
        the content decides
    form : a file with the settings of the review form, which knows levels, labels and what answers stand for
    columns : a file that says which column is what
    rating, predictions : the fields that these are, where their names do not say so; predictions once for each level,
        lowest first, or a single field, or `none`
    rounds : the rounds that count; by default all
    reviewers, key : whether to `keep` reviewers, to `drop` them, or to replace them by a `pseudonym` under the key in
        this file, which is made if it does not exist

    Raises ReviewProblems with every problem that the file has.
    """
    said = read_column_map(Path(columns)) if columns is not None else ColumnMap()
    wanted = replace(said.wanted, rating=rating or said.wanted.rating)
    if predictions:
        wanted = replace(wanted, predictions=tuple(predictions), shares={})
    secret = _key(reviewers, key)
    intake = Intake(
        wanted=wanted,
        rounds=tuple(rounds),
        reviewers=reviewers,
        key=secret.secret if secret is not None else None,
        scale=scale or said.scale,
        values=values,
        unit=unit,
        normalise=normalise,
        drop_bad_predictions=drop_bad_predictions,
    )
    origin = Origin(platform, Path(form) if form is not None else None, replace(said, wanted=wanted))
    try:
        reviews = _read(Path(path), intake, origin)
    except ReviewProblems as found:
        if reviewers == KEEP:
            raise
        unquoted = list(map(without_quotations, found.problems))
        raise ReviewProblems(found.source, unquoted, found.notes, found.total) from None
    key_notes = save_key(secret) if secret is not None else []
    return replace(reviews, notes=(*key_notes, *reviews.notes))


def live_venue(path: Path) -> str | None:
    """The venue that `openreview:VENUE` names; None for the path of a file."""
    text = path.as_posix()
    return text.removeprefix(LIVE_PREFIX) if text.startswith(LIVE_PREFIX) else None


def _read(path: Path, intake: Intake, origin: Origin) -> Reviews:
    venue = live_venue(path)
    if venue is not None:
        from surpeer.io.export_file import read_live

        return read_live(venue, intake, origin)
    data = read_bytes(path)
    ours_only = origin.platform == OURS
    names_fields = bool(origin.has_form_or_columns or intake.rounds)
    if ours_only and names_fields:
        raise InputError(
            f"--from {OURS} is a table in surpeer's own columns, whose names say what they are; "
            "leave --form, --columns, --rating, --prediction and --round out"
        )
    may_be_ours = origin.platform in (None, OURS) and not names_fields
    if may_be_ours and not may_be_workbook(data) and (ours_only or is_our_table(path, data)):
        return read_our_table(read_table(path, data), intake, path)
    from surpeer.io.content_reading import read_content
    from surpeer.io.export_file import has_our_columns, our_table, read_export

    content = read_content(path, data)
    if may_be_ours and (ours_only or has_our_columns(content)):
        return read_our_table(our_table(content), intake, path)
    return read_export(content, intake, origin) or read_our_table(read_table(path, data), intake, path)


def _key(reviewers: str, path: str | Path | None) -> Key | None:
    if reviewers not in WAYS:
        raise UnknownName("way to treat reviewers", reviewers, WAYS)
    if path is None:
        if reviewers == PSEUDONYM:
            raise InputError("pseudonyms need a key; name a file with --key FILE, which is made if it does not exist")
        return None
    if reviewers != PSEUDONYM:
        raise InputError("a key is for pseudonyms; add --reviewers pseudonym, or leave the key out")
    return find_key(Path(path))


def read_our_table(table: Table, intake: Intake, path: Path) -> Reviews:
    """The reviews of a table in our own columns; problems of its rows and of its cells together."""
    try:
        reviews = Reviews.from_table(
            _hidden(table.frame, intake),
            intake.scale,
            values=intake.values,
            unit=intake.unit or ("auto" if DISTRIBUTION in table.frame.columns else DEFAULT_UNIT),
            normalise=intake.normalise,
            drop_bad_predictions=intake.drop_bad_predictions,
            source=str(path),
            first_row=table.first_row,
        )
    except ReviewProblems as found:
        if table.problems and all(column.null_count() == len(column) for column in table.frame.iter_columns()):
            raise ReviewProblems(str(path), table.problems) from None  # no row could be read: nothing else is known
        problems = sorted([*table.problems, *found.problems], key=lambda problem: problem.row or 0)
        raise ReviewProblems(str(path), problems, found.notes, len(table.problems) + found.total) from None
    if table.problems:
        raise ReviewProblems(str(path), table.problems)
    reviewer = None if intake.reviewers == DROP else reviews.reviewer
    return replace(reviews, reviewer=reviewer, notes=(*table.notes, *reviews.notes))


def _hidden(frame: pl.DataFrame, intake: Intake) -> pl.DataFrame:
    if intake.reviewers == KEEP or REVIEWER not in frame.columns:
        return frame
    reviewers = frame[REVIEWER].cast(pl.String).to_list()
    hidden = numbered(reviewers) if intake.reviewers == DROP else hide(reviewers, intake.reviewers, intake.key)
    return frame.with_columns(pl.Series(REVIEWER, hidden, dtype=pl.String))
