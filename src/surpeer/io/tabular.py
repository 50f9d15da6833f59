"""Review files: CSV and TSV, Parquet, JSON lines -> Reviews."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from surpeer.errors import InputError, Problem, ReviewProblems, quoted
from surpeer.io.delimited import NEEDS_CSV, Table, read_delimited, read_text
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
    source = Path(path)
    table = read_table(source)
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
    """The rows of a file, before anything is known of their meaning."""
    head = _first_bytes(path)
    kind = EXTENSIONS.get(path.suffix.lower()) or _kind_by_content(head)
    if kind == "parquet":
        return _read_parquet(path)
    _refuse_foreign(path, head)
    if kind == "jsonl":
        return _read_json_lines(path)
    return read_delimited(path, separator="\t" if kind == "tsv" else ",")


def _first_bytes(path: Path) -> bytes:
    """Enough of the file to tell what it is."""
    try:
        with path.open("rb") as stream:
            head = stream.read(65536)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: found a folder, expected a file of reviews") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not head.strip():
        raise InputError(f"{path}: the file is empty, expected a header and at least one review")
    return head


def _kind_by_content(head: bytes) -> str:
    if head.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if head.lstrip()[:1] == b"{" else "csv"


def _refuse_foreign(path: Path, head: bytes) -> None:
    for signature, name in FOREIGN_SIGNATURES.items():
        if head.startswith(signature):
            raise InputError(f"{path}: found {name}, expected CSV, Parquet or JSON lines; {NEEDS_CSV}")
    if head.startswith(b"PAR1"):
        raise InputError(f"{path}: found a Parquet file, expected text; rename it to end in .parquet")
    if path.suffix.lower() == ".json" or head.lstrip()[:1] == b"[":
        raise InputError(f"{path}: found JSON, expected JSON lines (.jsonl): one object a line, no list around them")
    if b"\0" in head:
        line = head.count(b"\n", 0, head.index(b"\0")) + 1
        raise InputError(f"{path}: found a NUL byte in line {line}, expected text; {NEEDS_CSV}")


def _read_parquet(path: Path) -> Table:
    try:
        return Table(pl.read_parquet(path, glob=False), first_row=1)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path}: the Parquet file cannot be read: {reason}; write it again") from None


def _read_json_lines(path: Path) -> Table:
    """One object a line. Numbers keep their meaning, so `"paper": 7` and `"paper": "7"` may not be mixed."""
    records: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        record: dict[str, Any] = {}
        if line.strip():
            try:
                parsed = json.loads(line)
            except ValueError as error:
                problems.append(Problem(number, None, f"no JSON ({error})", "one JSON object a line"))
            else:
                if isinstance(parsed, dict):
                    record = parsed
                else:
                    problems.append(Problem(number, None, quoted(line), "one JSON object a line"))
        records.append(record)
    while records and not records[-1]:
        records.pop()
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: [record.get(name) for record in records] for name in names}
    frame = pl.DataFrame({name: _column(name, cells) for name, cells in columns.items()})
    return Table(frame, first_row=1, problems=tuple(problems))


def _column(name: str, cells: list[Any]) -> pl.Series:
    try:
        return pl.Series(name, cells, strict=True)
    except (TypeError, pl.exceptions.PolarsError):  # of mixed types: as text, so that each cell can be shown
        return pl.Series(name, [None if cell is None else _text(cell) for cell in cells], dtype=pl.String)


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell)
