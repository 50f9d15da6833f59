"""Tables in our own columns (surpeer.columns): CSV and TSV, Excel, Parquet, JSON lines."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import polars as pl

from surpeer.columns import DISTRIBUTION, EXPECTED, PAPER, PREDICTION, RATING, SHARE_PREFIX
from surpeer.errors import nearest_name
from surpeer.io.content import Sheet
from surpeer.io.decimal_commas import comma_notes, with_points
from surpeer.io.delimited import read_delimited, rows_to_table
from surpeer.io.delimited_sheet import SEPARATORS, first_line_of, separator_of
from surpeer.io.file_bytes import PARQUET, first_character, refuse_foreign
from surpeer.io.json_lines import read_json_lines
from surpeer.io.table import Table, decode, unusable
from surpeer.verdicts import verdict

EXTENSIONS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}


def names_are_ours(names: list[str]) -> bool:
    """Whether these are the names of our own columns, and no predictions have other names."""
    if any(name.startswith(SHARE_PREFIX) and name != SHARE_PREFIX for name in names):
        return True
    if not {PAPER, RATING} <= set(names):
        return False
    return bool({PREDICTION, DISTRIBUTION, EXPECTED} & set(names)) or not _has_predictions(names)


def _has_predictions(names: Iterable[str]) -> bool:
    """Whether a column that is none of ours is called like a prediction, or several after verdicts or with a % sign."""
    from surpeer.io.review_form.names import is_prediction, what_is_predicted  # most tables in our columns do without

    every = list(names)
    called = sum("%" in name or verdict(" ".join(what_is_predicted(name))) is not None for name in every)
    return called > 1 or any(map(is_prediction, every))


def nearly_ours(names: list[str]) -> bool:
    """Whether there is a column for papers and one for ratings, at least if names were a little different."""
    return all(nearest_name(name, names) is not None for name in (PAPER, RATING))


def is_our_table(path: Path, data: bytes) -> bool:
    """Whether a file has our own columns, by its header or first line alone. Of a file that is no text: whether it is
    Parquet."""
    kind = kind_of(path, data)
    if kind == "parquet":
        return True
    if kind == "jsonl":
        return _first_record_is_ours(data, path.suffix.lower() in EXTENSIONS)
    if first_character(data) in (b"{", b"["):
        return False
    text = data[:100_000].decode("utf-8-sig", "replace")
    header = first_line_of(text)
    try:
        return names_are_ours(next(csv.reader([header], delimiter=separator_of(header)), []))
    except csv.Error:
        return False


def _first_record_is_ours(data: bytes, named_so: bool) -> bool:
    line = data.lstrip()[:1_000_000].partition(b"\n")[0]
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return named_so
    if not isinstance(record, dict):
        return False
    return names_are_ours(list(record)) or (named_so and PAPER in record and not _has_predictions(record))


def kind_of(path: Path, data: bytes) -> str:
    """Which kind of table a file is, by its ending or else by its content."""
    kind = EXTENSIONS.get(path.suffix.lower())
    if kind is not None:
        return kind
    if data.startswith(PARQUET):
        return "parquet"
    return "jsonl" if first_character(data) == b"{" else "csv"


def read_table(path: Path, data: bytes) -> Table:
    """The rows of a file, before anything is known of their meaning."""
    kind = kind_of(path, data)
    if kind == "parquet":
        return _read_parquet(path, data)
    refuse_foreign(path, data)
    if kind == "jsonl":
        return read_json_lines(path, data)
    if first_character(data) == b"{":
        raise unusable(path, "JSON", "a header and rows", "name the file .jsonl if each line is one JSON object")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # line ends of old
    separator = _separator(path, data)
    table = read_delimited(path, data, separator)
    return table if separator == "," else _with_points(table)


def _with_points(table: Table) -> Table:
    """The table with decimal commas read as such; commas are not what its cells are separated by."""
    frame, commas = with_points(table.frame)
    return replace(table, frame=frame, notes=(*table.notes, *comma_notes(commas)))


def _separator(path: Path, data: bytes) -> str:
    first_line = data[: data.find(b"\n") + 1 or len(data)]
    return separator_of(decode(path, first_line)) if first_line.count(b'"') % 2 == 0 else next(iter(SEPARATORS))


def sheet_table(sheet: Sheet) -> Table:
    """A sheet of a workbook whose first row has our columns."""
    return _with_points(rows_to_table(sheet.rows, is_text=False))


def _read_parquet(path: Path, data: bytes) -> Table:
    try:
        return Table(pl.read_parquet(io.BytesIO(data)), first_row=1)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = (str(error).splitlines() or ["unknown reason"])[0]
        raise unusable(path, f"a damaged Parquet file ({reason})", "a sound one", "write it again") from None
    except pl.exceptions.PanicException:  # what polars does with some damaged pages
        raise unusable(path, "a damaged Parquet file", "a sound one", "write it again") from None
