"""A file -> Content, by what is in it; and a file that must be a table -> its sheets."""

from pathlib import Path

from surpeer.io.content import Content, Sheet
from surpeer.io.delimited_sheet import read_sheet
from surpeer.io.file_bytes import PARQUET, Foreign, first_character, refuse_foreign, what_else
from surpeer.io.json_document import read_json
from surpeer.io.table import unusable
from surpeer.io.workbook import is_workbook, read_workbook


def read_content(path: Path, data: bytes) -> Content:
    """The sheets or the JSON document of a file; its name does not matter."""
    if is_workbook(data):
        return Content(str(path), sheets=read_workbook(str(path), data))
    refuse_foreign(path, data)
    if first_character(data) in (b"{", b"["):
        return Content(str(path), json=read_json(path, data))
    return Content(str(path), sheets=(read_sheet(path, data),))


def read_sheets(path: Path, data: bytes, *, marks_uncomputed: bool = False) -> tuple[Sheet, ...]:
    """The sheets of a file that must be CSV or a workbook, because nothing else is taken where it is asked for.

    A formula without a result is a problem of the whole file, or an UncomputedText in its cell if it is to be marked.
    """
    if is_workbook(data):
        return read_workbook(str(path), data, marks_uncomputed=marks_uncomputed)
    foreign = _no_table(data)
    if foreign is not None:
        raise unusable(path, foreign.found, "a table: CSV (UTF-8) or an Excel workbook (.xlsx, .xls)", foreign.remedy)
    return (read_sheet(path, data),)


def _no_table(data: bytes) -> Foreign | None:
    """What a file is that is neither CSV nor a workbook."""
    if data.startswith(PARQUET):
        return Foreign("a Parquet file")
    return Foreign("JSON") if first_character(data) in (b"{", b"[") else what_else(data)
