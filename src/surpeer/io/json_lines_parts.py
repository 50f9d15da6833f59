"""JSON lines of any size, block by block. Polars reads blocks that are plain; json_lines reads the others."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from surpeer.columns import DISTRIBUTION, PAPER, is_ours
from surpeer.errors import ReviewProblems
from surpeer.io.file_bytes import refuse_foreign
from surpeer.io.json_lines import read_json_lines
from surpeer.io.table import Table, decode, unusable
from surpeer.io.table_parts import TablePart
from surpeer.io.text_blocks import BLOCK_BYTES, Block, Piece, beginning, line_blocks

FIRST_BYTES = 2**18

PLAIN_TYPES = (pl.Int64, pl.Float64, pl.String)

FIRST_RECORDS = 1000  # that say which columns there are, unless others have more


def json_lines_names(path: Path) -> list[str]:
    """The names of a file's columns, as far as its first records have them."""
    return records_at_start(path, beginning(path, FIRST_BYTES)).columns


def records_at_start(path: Path, start: bytes) -> pl.DataFrame:
    """The first records of a file that begins so."""
    refuse_foreign(path, start)
    if not start.strip():
        raise unusable(path, "an empty file", "at least one review")
    end = start.rfind(b"\n") + 1 if len(start) >= FIRST_BYTES else len(start)
    block = Block(start[: end or len(start)], 0, 0)
    table = _read_plain(block) or _read_any(path, block)
    if table.problems and not table.frame.columns:
        raise ReviewProblems(str(path), table.problems)
    return table.frame


def json_lines_parts(path: Path, size: int = BLOCK_BYTES, text: Iterator[Piece] | None = None) -> Iterator[TablePart]:
    """The rows of a file, at most about so many bytes at a time.

    text : of the file, in pieces of at least this size but for the last; where it comes from somewhere else
    """
    known = 0  # rows so far; empty lines at the end of a block count where another record follows
    for block in line_blocks(path, size, text=text):
        refuse_foreign(path, block.text, block.lines_before)
        table = _read_plain(block) or _read_any(path, block)
        problems = tuple(replace(problem, row=(problem.row or 0) + block.lines_before) for problem in table.problems)
        if not len(table.frame):
            if problems:
                yield TablePart(table.frame, block.lines_before + 1, block.done, problems)
            continue
        empty = table.frame.clear(block.lines_before - known)
        yield TablePart(pl.concat([empty, table.frame]), known + 1, block.done, problems)
        known = block.lines_before + len(table.frame)


def _read_any(path: Path, block: Block) -> Table:
    decode(path, block.text, block.lines_before)
    return read_json_lines(path, block.text)


def _read_plain(block: Block) -> Table | None:
    """The rows, if polars cannot have read anything into them: a record on each line, and no key twice in it."""
    data = block.text
    if b"\\" in data and (b"\\ud" in data or b"\\uD" in data):  # what may be half of a surrogate pair
        return None
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    for looked_at in (FIRST_RECORDS, None):
        try:
            frame = pl.read_ndjson(data, infer_schema_length=looked_at)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
            continue  # a column of numbers that has text further down, or no JSON at all
        if frame.height != lines or PAPER not in frame.columns or not _has_plain_types(frame):
            return None
        keys = {name: data.count(_key(name)) for name in frame.columns}
        if not _no_key_twice(data, frame, keys):
            return None
        # Records further down may have keys that the first have not; then colons are not only behind keys we know.
        if looked_at is None or (b'" :' not in data and data.count(b'":') == sum(keys.values())):
            return Table(frame, first_row=1)
    return None


def _has_plain_types(frame: pl.DataFrame) -> bool:
    """Whether columns of ours are what json_lines makes of them too."""
    ours = {name: kind for name, kind in frame.schema.items() if is_ours(name)}
    if DISTRIBUTION in ours and isinstance(ours[DISTRIBUTION], pl.List):
        ours[DISTRIBUTION] = ours[DISTRIBUTION].inner  # type: ignore[attr-defined]
    return ours[PAPER] in (pl.Int64, pl.String) and all(kind in PLAIN_TYPES for kind in ours.values())


def _no_key_twice(data: bytes, frame: pl.DataFrame, keys: dict[str, int]) -> bool:
    """Whether no line has a key twice, of which polars would take one."""
    doubtful = [name for name, times in keys.items() if times != frame.height or frame[name].null_count()]
    if not doubtful:  # each is there as often as it has a value
        return True
    lines = pl.Series([data]).cast(pl.String).str.split("\n").explode()
    return all((lines.str.count_matches(_key(name).decode(), literal=True) <= 1).all() for name in doubtful)


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()
