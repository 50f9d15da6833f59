"""Reading what was computed: compressed files, and the list of papers, which is kept in memory from page to page."""

import json
import zlib
from collections import OrderedDict
from datetime import datetime
from threading import Lock
from typing import Any

import polars as pl

from surpeer.web.results.models import Result
from surpeer.web.results.paper_table import read_list, read_row
from surpeer.web.venues.models import Venue

LARGE = ("document", "table")
"""Fields that a page should not read unless it needs them."""
MOST_LISTS = 8
"""Venues whose lists a process keeps."""

_lists: OrderedDict[tuple[int, str, datetime], pl.DataFrame] = OrderedDict()
_lock = Lock()


def packed(content: bytes) -> bytes:
    """As content is kept in the database."""
    return zlib.compress(content, 3)


def unpacked(content: bytes | memoryview) -> bytes:
    """The content again."""
    return zlib.decompress(content)


def packed_json(value: Any) -> bytes:
    """A document as it is kept."""
    return packed(json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace"))


def result_of(venue: Venue) -> Result | None:
    """The last result, without its large parts."""
    return Result.objects.filter(venue=venue).defer(*LARGE).first()


def papers_of(result: Result) -> pl.DataFrame:
    """The list of papers of this result, from memory if this process has read it before."""
    key = (result.venue_id, result.stamp, result.computed_at)
    with _lock:
        if key in _lists:
            _lists.move_to_end(key)
            return _lists[key]
    found = read_list(bytes(result.table))
    with _lock:
        for old in [other for other in _lists if other[0] == result.venue_id]:
            del _lists[old]
        _lists[key] = found
        while len(_lists) > MOST_LISTS:
            _lists.popitem(last=False)
    return found


def paper_of(result: Result, pk: int) -> dict[str, Any] | None:
    """One row of the list with its card; None for a paper that has no place in the ranking."""
    return read_row(bytes(result.table), pk) if not result.problem else None


def document_of_result(result: Result) -> dict[str, Any]:
    """The document of the chair's report."""
    document: dict[str, Any] = json.loads(unpacked(result.document))
    return document


def file_of(result: Result, name: str) -> bytes | None:
    """A file that was made of the result; None if there is none of that name."""
    found = result.files.filter(name=name).first()
    return None if found is None else unpacked(found.content)
