"""Review files: CSV and TSV, Parquet, JSON lines -> Reviews."""

import io
from pathlib import Path

import polars as pl

from surpeer.errors import InputError, ReviewProblems
from surpeer.io.delimited import read_delimited
from surpeer.io.json_lines import read_json_lines
from surpeer.io.table import NEEDS_CSV, Table, unusable
from surpeer.reviews import Reviews
from surpeer.scale import Scale

EXTENSIONS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}

# What the first bytes of a file say that its name does not.
FOREIGN_SIGNATURES = {
    b"PK\x03\x04": "a workbook or zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"%PDF": "a PDF",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


def read_reviews(
    path: str | Path,
    scale: Scale | None = None,
    *,
    values: tuple[float, ...] | None = None,
    unit: str = "fraction",
) -> Reviews:
    """Read and check a file of reviews: CSV, TSV, Parquet or JSON lines, by its extension or else its content.

    Arguments as in `Reviews.from_table`. Raises ReviewProblems with every problem that the file has.
    """
    table = read_table(Path(path))
    try:
        reviews = Reviews.from_table(
            table.frame, scale, values=values, unit=unit, source=str(path), first_row=table.first_row
        )
    except ReviewProblems as found:
        if table.problems and all(column.null_count() == len(column) for column in table.frame.iter_columns()):
            raise ReviewProblems(str(path), table.problems) from None  # no row could be read: nothing else is known
        problems = sorted([*table.problems, *found.problems], key=lambda problem: problem.row or 0)
        raise ReviewProblems(str(path), problems, found.notes) from None
    if table.problems:
        raise ReviewProblems(str(path), table.problems)
    return reviews


def read_table(path: Path) -> Table:
    """The rows of a file, before anything is known of their meaning. The file is read once, so a pipe will do."""
    data = _bytes_of(path)
    kind = EXTENSIONS.get(path.suffix.lower()) or _kind_by_content(data)
    if kind == "parquet":
        return _read_parquet(path, data)
    _refuse_foreign(path, data)
    if kind == "jsonl":
        return read_json_lines(path, data)
    return read_delimited(path, data, separator="\t" if kind == "tsv" else ",")


def _bytes_of(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: found a folder, expected a file of reviews") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not data[:4096].strip() and not data.strip():
        raise unusable(path, "an empty file", "a header and at least one review")
    return data


def _kind_by_content(data: bytes) -> str:
    if data.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if data[:4096].lstrip()[:1] == b"{" else "csv"


def _refuse_foreign(path: Path, data: bytes) -> None:
    for signature, name in FOREIGN_SIGNATURES.items():
        if data.startswith(signature):
            raise unusable(path, name, "CSV, Parquet or JSON lines", NEEDS_CSV)
    if data.startswith(b"PAR1"):
        raise unusable(path, "a Parquet file", "text", "rename it to end in .parquet")
    first = data[:4096].lstrip()[:1]
    if path.suffix.lower() == ".json" or first == b"[":
        raise unusable(path, "JSON", "JSON lines: one object a line, no list around them", "name it .jsonl")
    if first == b"{" and EXTENSIONS.get(path.suffix.lower(), "jsonl") != "jsonl":
        raise unusable(path, "JSON", "a header and rows", "name the file .jsonl if each line is one JSON object")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise unusable(path, f"a NUL byte in line {line}", "text", NEEDS_CSV)


def _read_parquet(path: Path, data: bytes) -> Table:
    try:
        return Table(pl.read_parquet(io.BytesIO(data)), first_row=1)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = (str(error).splitlines() or ["unknown reason"])[0]
        raise unusable(path, f"a damaged Parquet file ({reason})", "a sound one", "write it again") from None
    except pl.exceptions.PanicException:  # what polars does with some damaged pages
        raise unusable(path, "a damaged Parquet file", "a sound one", "write it again") from None
