"""The exports of platforms -> Reviews: which platform it is, its reader, the form, and the intake."""

from dataclasses import replace
from pathlib import Path

from surpeer.errors import InputError
from surpeer.io.content import Content, seen_first
from surpeer.io.intake.settings import Intake, Origin
from surpeer.io.intake.take_in import take_in
from surpeer.io.platforms import table
from surpeer.io.platforms.form_file import read_form
from surpeer.io.platforms.registry import find_platform, recognise
from surpeer.io.platforms.table import first_rows, sheets_of
from surpeer.io.review_form.export import Export, Platform
from surpeer.io.review_form.form import Form
from surpeer.io.table import Table
from surpeer.io.tabular import names_are_ours, nearly_ours, sheet_table
from surpeer.reviews import Reviews


def has_our_columns(content: Content) -> bool:
    """Whether a sheet, or a JSON list, has our own columns."""
    return any(names_are_ours(sheet.header) for sheet in first_rows(content))


def our_table(content: Content) -> Table:
    """The first sheet that has our own columns, or else the first, one that people see before others. The records of a
    JSON list are counted from 1."""
    sheets = seen_first(sheets_of(content))
    if not sheets:
        raise InputError(
            f"{content.source}: found JSON that is no list of objects, expected a table; export the reviews as CSV"
        )
    table_of = sheet_table(next((sheet for sheet in sheets if names_are_ours(sheet.header)), sheets[0]))
    return table_of if content.sheets else replace(table_of, first_row=1)


def read_export(content: Content, intake: Intake, origin: Origin) -> Reviews | None:
    """The reviews of an export; None for a text that nobody knows and that is nearly a table in our own columns, whose
    reader then says what is misspelt."""
    form = read_form(origin.form) if origin.form is not None else None
    platform = _platform(content, origin)
    if platform is None:
        return None
    if platform is table.PLATFORM:
        export = table.read_with(content, form, origin.columns)
    elif origin.columns.names_columns:
        raise InputError(
            f"{platform.title} names its columns itself; leave paper and the like out of the column map (--columns)"
        )
    else:
        export = platform.read(content, form)
    if form is not None and not _belongs(form, export):
        raise InputError(f"{origin.form}: none of its questions is in {content.source}; is it the form of this venue?")
    return take_in(export, intake, content.source, platform.title)


def _platform(content: Content, origin: Origin) -> Platform | None:
    if origin.platform is not None:
        return find_platform(origin.platform)
    if origin.columns.names_columns:
        return table.PLATFORM
    found = recognise(content)
    if found is None and len(content.sheets) == 1 and not content.sheets[0].name:  # a text file
        return None if nearly_ours(content.sheets[0].header) else table.PLATFORM
    return found or table.PLATFORM


def _belongs(form: Form, export: Export) -> bool:
    return any(form.find(name) for one in export.fields for name in (one.name, *one.keywords))


def read_live(venue: str, intake: Intake, origin: Origin) -> Reviews:
    """The reviews of a venue on OpenReview as it is now; who asks is said by environment variables."""
    from surpeer.io.platforms.openreview import platform as openreview
    from surpeer.io.platforms.openreview.live import fetch_notes

    if origin.columns.names_columns or origin.platform not in (None, openreview.PLATFORM.name):
        raise InputError(f"openreview:{venue} is read from OpenReview; leave --from and --columns out")
    content, form = fetch_notes(venue)
    export = openreview.PLATFORM.read(content, read_form(Path(origin.form)) if origin.form is not None else form)
    return take_in(export, intake, content.source, openreview.PLATFORM.title)
