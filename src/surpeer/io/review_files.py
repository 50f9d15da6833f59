"""Tables of reviews in our own columns that may be larger than memory, in one file or in many: batches of rows."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from surpeer.columns import PAPER, is_ours
from surpeer.core.shapes import IntArray
from surpeer.errors import InputError, Problem, ReviewProblems, listed
from surpeer.io.delimited_parts import BYTES_AT_ONCE, delimited_names, delimited_parts
from surpeer.io.files_together import LISTED, Damage, common_names, notes_on_files
from surpeer.io.folder_columns import FolderColumns, folder_columns, names_in_folders, refuse_both
from surpeer.io.found_files import FoundFiles, find_files
from surpeer.io.json_lines_parts import json_lines_names, json_lines_parts
from surpeer.io.parquet_parts import parquet_names, parquet_parts, parquet_rows, while_reading
from surpeer.io.table_parts import TablePart
from surpeer.io.text_blocks import BLOCK_BYTES

ROWS_PER_BATCH = 500_000


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a file."""

    frame: pl.DataFrame
    file: str
    """The name of the file, for messages; empty if there is only one."""
    first_row: int
    """Its number, as messages count rows."""
    fraction: float
    """Of all bytes of all files, how many have been read by now."""
    problems: tuple[Problem, ...] = ()
    """Rows that cannot be read; they are empty."""
    commas: int = 0
    """Numbers with a decimal comma."""
    short_ids: bool = False
    """Whether ids are text, and all of them whole numbers as one writes them: then they are those numbers here."""

    @property
    def rows(self) -> IntArray:
        """(n,) the numbers of the rows."""
        return np.arange(self.first_row, self.first_row + len(self.frame))


class PartSizes(NamedTuple):
    """How much of a file is read at once."""

    rows: int
    """Of Parquet."""
    block_bytes: int | None
    """Of text; None for as many as usual."""
    most_bytes: int | None
    """That rows of Parquet with texts may take, however wide they are; None where nobody cares."""


class Held(NamedTuple):
    """The file of which reading any row takes most memory."""

    path: Path
    bytes: int = 0
    """Beside the rows; 0 where that is little."""
    categories: tuple[str, ...] = ()
    """Its columns that are categories."""
    by_pages: bool = False
    """Whether any file is read page by page."""

    @property
    def remedy(self) -> str:
        """How it is to be written instead. Programs may write all categories into each group, however small."""
        as_texts = f"with plain text instead of categories ({listed(self.categories, LISTED)}) and "
        return (as_texts if self.categories else "with ") + "groups of about 100,000 rows"


class Stamp(NamedTuple):
    """What is another after a file was written to, or replaced."""

    size: int
    changed: int
    number: int


@dataclass(frozen=True, slots=True)
class ReviewFiles:
    """The files of one table."""

    source: str
    """As the user named them."""
    paths: tuple[Path, ...]
    kind: str
    """`Parquet`, `CSV` or `JSON lines`."""
    names: tuple[str, ...]
    """Of all columns."""
    rows: int | None
    """How many there are; None for text, of which nobody knows before it is read."""
    bytes: int
    notes: tuple[str, ...] = ()
    in_folders: Mapping[Path, FolderColumns] = field(default_factory=dict)
    """Of every file, the columns that are in the names of its folders."""
    stamps: Mapping[Path, Stamp] = field(default_factory=dict)
    """Of every file, so that one that changes while it is read is noticed."""

    def batches(
        self,
        columns: Sequence[str] | None = None,
        rows_per_batch: int = ROWS_PER_BATCH,
        block_bytes: int | None = None,
        shorten_ids: bool = False,
        most_bytes: int | None = None,
    ) -> Generator[Batch]:
        """All rows in order; the next part of a file is read while batches of one are being worked on.

        columns : the names that are needed, by default those that mean something to us
        rows_per_batch, block_bytes : how many rows a batch has at most, and how many bytes of text are read at once
        shorten_ids : whether ids that are text may be numbers in batches in which all can be; the batch says so
        most_bytes : that the rows of a batch take, if they are more than one

        Raises ReviewProblems, or InputError, for a file that cannot be read.
        """
        wanted = [name for name in self.names if name in columns] if columns is not None else list(self.our_names)
        sizes = PartSizes(rows_per_batch, block_bytes, most_bytes)
        for whole in _read_ahead(self._whole_parts(wanted, sizes, shorten_ids)):
            yield from _slices(whole, _rows_of_slice(whole.frame, rows_per_batch, most_bytes))

    def held_while_reading(self) -> Held:
        """The file of which reading any row takes most memory, beside the rows."""
        if self.kind != "Parquet":
            return Held(self.paths[0])
        columns = self._in_files(list(self.our_names))
        files = [(while_reading(path, columns), path) for path in self.paths]
        most, path = max(files, key=lambda file: file[0].held)
        return Held(path, most.held, most.categories, any(file.by_pages for file, _ in files))

    @property
    def most_rows(self) -> int:
        """How many there can be: those of text are no more than it has bytes."""
        return self.bytes if self.rows is None else self.rows

    @property
    def our_names(self) -> tuple[str, ...]:
        """The columns that mean something to us."""
        return tuple(name for name in self.names if is_ours(name))

    def _whole_parts(self, columns: list[str], sizes: PartSizes, shorten_ids: bool) -> Iterator[Batch]:
        """As they are read, however many rows they have. Where a file is damaged, so may others be: all are named."""
        before, damage = 0, Damage(self.source, len(self.paths) == 1)
        for path in self.paths:
            file, size = file_name(self, path), self.stamps[path].size
            folders = self.in_folders.get(path, {})
            with damage.noted(str(path)), self._unchanged(path):
                for part in self._parts(path, self._in_files(columns), sizes, shorten_ids):
                    if damage.problems or not (len(part.frame) or part.problems):
                        continue
                    frame = with_columns(part, columns, self.names, folders, file or str(path))
                    fraction = (before + min(part.done, size)) / max(self.bytes, 1)
                    yield Batch(frame, file, part.first_row, fraction, part.problems, part.commas, part.short_ids)
            before += size
        damage.raise_if_any()

    @contextmanager
    def _unchanged(self, path: Path) -> Iterator[None]:
        """Around reading a file: of one that is still being written, or was replaced, all that was read may be parts of
        two, and what looks like damage, too."""
        try:
            yield
        except InputError:
            self._check_unchanged(path)
            raise
        self._check_unchanged(path)

    def _check_unchanged(self, path: Path) -> None:
        if _stamp(path) != self.stamps[path]:
            remedy = "run the same command again when nobody writes to it"
            changed = Problem(None, None, "a file that changed while it was read", "one that stays as it is", remedy)
            raise ReviewProblems(str(path), [changed])

    def _in_files(self, columns: list[str]) -> list[str]:
        """Those that are not in the names of folders; at least one, which says how many rows there are."""
        others = next(iter(self.in_folders.values()), {})
        in_files = [name for name in columns if name not in others]
        return in_files or [name for name in self.names if name not in others][:1]

    def _parts(self, path: Path, columns: list[str], sizes: PartSizes, shorten_ids: bool) -> Iterator[TablePart]:
        if self.kind == "Parquet":
            return parquet_parts(path, columns, sizes.rows, sizes.most_bytes)
        if self.kind == "CSV":
            return delimited_parts(path, sizes.block_bytes or BYTES_AT_ONCE, shorten_ids)
        return json_lines_parts(path, sizes.block_bytes or BLOCK_BYTES)


def find_review_files(what: str | Path, memory: int | None = None) -> ReviewFiles:
    """The file, the files of a folder, or those that fit a pattern such as `votes/*.parquet`.

    memory : bytes that it may take to see what is in a file

    Raises ReviewProblems, or InputError, for files that are no table together.
    """
    found = find_files(what)
    names_of: dict[str, Callable[[Path], list[str]]] = {
        "Parquet": lambda path: parquet_names(path, memory),
        "CSV": delimited_names,
        "JSON lines": json_lines_names,
    }
    by_path, rows = _look_at_all(str(what), found, names_of[found.kind])
    names = common_names(str(what), found.kind, {str(path): names for path, names in by_path.items()})
    in_folders = {path: folder_columns(path.relative_to(found.base).parts[:-1]) for path in found.paths}
    more_names = names_in_folders(str(what), {str(path): columns for path, columns in in_folders.items()})
    refuse_both(str(what), more_names, names)
    notes = notes_on_files(len(found.paths), more_names, found.ignored)
    stamps = {path: _stamp(path) for path in found.paths}
    size = sum(stamp.size for stamp in stamps.values())
    names = (*names, *more_names)
    return ReviewFiles(str(what), found.paths, found.kind, names, rows, size, tuple(notes), in_folders, stamps)


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


def file_name(files: ReviewFiles, path: Path) -> str:
    """How messages name one of several files: by its place in the folder; empty if there is only one."""
    if len(files.paths) == 1:
        return ""
    folder = Path(files.source)
    return path.relative_to(folder).as_posix() if folder.is_dir() else path.as_posix()


def _look_at_all(
    source: str, found: FoundFiles, names_of: Callable[[Path], list[str]]
) -> tuple[dict[Path, list[str]], int | None]:
    """The names of the columns of each file, and the number of rows; all files that cannot be read at once."""
    by_path: dict[Path, list[str]] = {}
    damage = Damage(source, len(found.paths) == 1)
    rows = 0 if found.kind == "Parquet" else None
    for path in found.paths:
        with damage.noted(str(path)):
            by_path[path] = names_of(path)
            rows = rows + parquet_rows(path) if rows is not None else None
    damage.raise_if_any()
    return by_path, rows


def with_columns(
    part: TablePart, columns: list[str], names: Sequence[str], folders: FolderColumns, file: str
) -> pl.DataFrame:
    """The frame with the columns that are needed; with all, where papers are missing and rows may be empty."""
    frame = part.frame
    unknown = [name for name in frame.columns if is_ours(name) and name not in names]
    if unknown:
        late = f"a key {unknown[0]} that is not in the first records of the files"
        remedy = "give it in the first record too, as null where there is no value"
        raise ReviewProblems(file, [Problem(part.first_row, None, late, "all keys in the first records", remedy)])
    in_folders = [pl.lit(value, dtype=pl.String).alias(name) for name, value in folders.items()]
    frame = frame.with_columns(in_folders) if in_folders else frame
    missing = [pl.Series(name, [None] * len(frame)) for name in columns if name not in frame.columns]
    frame = frame.with_columns(missing) if missing else frame
    if PAPER in columns and frame[PAPER].null_count():
        return frame
    return frame.select(columns)


def _rows_of_slice(frame: pl.DataFrame, rows: int, most_bytes: int | None) -> int:
    """At most so many rows, which take at most so many bytes."""
    size = int(frame.estimated_size())
    return rows if most_bytes is None or size <= most_bytes else max(1, min(rows, len(frame) * most_bytes // size))


def _slices(batch: Batch, rows: int) -> Iterator[Batch]:
    """The batch in parts of at most so many rows; each problem goes with its row."""
    if len(batch.frame) <= rows:
        yield batch
        return
    for start in range(0, len(batch.frame), rows):
        first, end = batch.first_row + start, batch.first_row + start + rows
        is_end = start + rows >= len(batch.frame)
        here = [p for p in batch.problems if first <= (p.row or first) and (is_end or (p.row or first) < end)]
        frame, commas = batch.frame[start : start + rows], 0 if start else batch.commas
        yield replace(batch, frame=frame, first_row=first, problems=tuple(here), commas=commas)


def _read_ahead(batches: Iterator[Batch]) -> Iterator[Batch]:
    """The same, each read by another thread while the one before is being worked on.

    Only from the second one on: whoever wants to see how a file begins need not wait for more of it.
    """
    for first in batches:
        yield first
        break
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="surpeer-reading") as beside:
        coming = beside.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = beside.submit(next, batches, None)
            yield batch
