"""A file -> Content, by what is in it."""

from pathlib import Path

from surpeer.io.content import Content
from surpeer.io.delimited_sheet import read_sheet
from surpeer.io.file_bytes import first_character, refuse_foreign
from surpeer.io.json_document import read_json
from surpeer.io.workbook import is_workbook, read_workbook


def read_content(path: Path, data: bytes) -> Content:
    """The sheets or the JSON document of a file; its name does not matter."""
    if is_workbook(data):
        return Content(str(path), sheets=read_workbook(str(path), data))
    refuse_foreign(path, data)
    if first_character(data) in (b"{", b"["):
        return Content(str(path), json=read_json(path, data))
    return Content(str(path), sheets=(read_sheet(path, data),))
