"""A file, a folder or a glob, on this machine or at an address -> the files of one table, as Spark knows them.

What is on this machine is looked up as for the other engines. What is at an address only Spark can list.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from surpeer.engines.spark_heads import text_at_start
from surpeer.errors import InputError, UnknownName
from surpeer.io.folder_columns import FolderColumns, folder_columns
from surpeer.io.found_files import base_of, find_files, kind_by_name, kind_by_start, tables_among

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

FORMATS = {"parquet": "Parquet", "csv": "CSV", "jsonl": "JSON lines"}

START = 4096  # bytes that say what a file is

SIGNS_OF_PATTERNS = re.compile(r"([\\*?\[\]{}])")


@dataclass(frozen=True)
class SparkFile:
    """One of the files."""

    address: str
    """As Hadoop writes it: with what it begins with, and with spaces and other signs as they are."""
    size: int
    number: int
    """By which executors know it: a hash of how Spark writes its address."""
    path: str
    """How messages name it where it cannot be read."""
    name: str
    """How messages name it where one of its rows is wrong: its place in the folder; empty if there is only one."""
    folders: FolderColumns = field(hash=False)
    """The columns that are in the names of its folders."""


@dataclass(frozen=True)
class SparkFiles:
    """The files of one table."""

    source: str
    """As the user named them."""
    kind: str
    """`Parquet`, `CSV` or `JSON lines`."""
    files: tuple[SparkFile, ...]
    ignored: tuple[str, ...]
    """The names of other files."""
    place: str | None = None
    """A folder or a pattern that has these files and no others, if there is one: Spark takes its time for each place
    that it is to read."""

    @property
    def addresses(self) -> dict[str, str]:
        """By how messages name the files."""
        return {file.path: file.address for file in self.files}

    @property
    def places(self) -> list[str]:
        """What Spark is to read, with files in folders of folders."""
        return [as_pattern(file.address) for file in self.files] if self.place is None else [self.place]


def is_address(path: str) -> bool:
    """Whether it is a URL, such as s3a://bucket/reviews.

    >>> is_address("s3a://bucket/reviews"), is_address("reviews.parquet")
    (True, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def local_address(path: str | Path) -> str:
    """A path of this machine, whatever the default file system of the cluster is."""
    return "file://" + os.path.abspath(os.path.expanduser(path))


def local_pattern(path: str | Path) -> str:
    """A pattern that this path of this machine alone fits."""
    return as_pattern(local_address(path))


def as_pattern(address: str) -> str:
    """A pattern that this address alone fits.

    >>> print(as_pattern("file:/tmp/part[1].csv"))
    file:/tmp/part\\[1\\].csv
    """
    return SIGNS_OF_PATTERNS.sub(r"\\\1", address)


def list_files(session: "SparkSession", what: str, kind: str | None = None) -> SparkFiles:
    """The files that are meant. kind : one of FORMATS, where endings do not say it"""
    if kind is not None and kind not in FORMATS:
        raise UnknownName("format", kind, FORMATS)
    said = None if kind is None else FORMATS[kind]
    return _at_address(session, what, said) if is_address(what) else _here(session, what, said)


def _here(session: "SparkSession", what: str, kind: str | None) -> SparkFiles:
    found = find_files(os.path.expanduser(what), kind)
    missing = [path for path in found.paths if not path.exists()]
    if missing:
        raise InputError(f"{missing[0]}: there is no such file; check its name, and the folder that you are in")
    folder = Path(os.path.expanduser(what))
    every = [local_pattern(folder)] if folder.is_dir() else [local_pattern(path) for path in found.paths]
    by_parts = {place.parts: place for place in _listed(session, every)}
    others = [path for path in found.paths if _parts(local_address(path)) not in by_parts]
    by_parts |= {place.parts: place for place in _listed(session, [local_pattern(path) for path in others])}
    files = []
    for path in found.paths:
        place = by_parts[_parts(local_address(path))]
        name = path.relative_to(folder) if folder.is_dir() else path
        files.append(place.file(str(path), name.as_posix(), path.relative_to(found.base).parts[:-1]))
    is_whole = len(every) == 1 and not others and len(files) == len(by_parts)
    return _together(what, found.kind, files, found.ignored, every[0] if is_whole else None)


def _at_address(session: "SparkSession", what: str, kind: str | None) -> SparkFiles:
    listed = sorted(_listed(session, [what]), key=lambda place: place.parts)
    if len(listed) == 1 and listed[0].parts == _parts(what):
        (place,) = listed
        kind = kind or kind_by_name(Path(what)) or kind_by_start(text_at_start(session, what, place.address, START))
        return _together(what, kind, [place.file(what, "", ())], ())
    by_path = {Path(place.address): place for place in listed}
    paths, kind, ignored = tables_among(what, list(by_path), kind)
    outside = len(_parts(base_of(what)))
    files = []
    for place in map(by_path.__getitem__, paths):
        inside = place.parts[outside:]
        files.append(place.file(place.address, "/".join(inside), inside[:-1]))
    return _together(what, kind, files, ignored, None if ignored else what)


def _together(
    what: str, kind: str, files: Sequence[SparkFile], ignored: tuple[str, ...], place: str | None = None
) -> SparkFiles:
    named = [replace(file, name="") if len(files) == 1 else file for file in files]
    return SparkFiles(what, kind, tuple(named), ignored, place)


class _Place(NamedTuple):
    """A file as Spark lists it."""

    address: str
    size: int
    number: int

    @property
    def parts(self) -> tuple[str, ...]:
        return _parts(self.address)

    def file(self, path: str, name: str, folders: Sequence[str]) -> SparkFile:
        return SparkFile(self.address, self.size, self.number, path, name, folder_columns(folders))


def _listed(session: "SparkSession", places: Sequence[str]) -> list[_Place]:
    """All files at these places; those of folders in folders, too."""
    if not places:
        return []
    table = session.read.format("binaryFile").option("recursiveFileLookup", "true").load(list(places))
    filled = [_Place(*row) for row in table.select("path", "length", number_of_file()).collect()]
    known = {place.parts for place in filled}
    empty = [_Place(address, 0, 0) for address in map(unquote, table.inputFiles())]  # files without a byte have no row
    return [*filled, *(place for place in empty if place.parts not in known)]


def number_of_file() -> "Column":
    """The number of the file that a row is from."""
    from pyspark.sql import functions as f

    return f.xxhash64("_metadata.file_path")


def _parts(address: str) -> tuple[str, ...]:
    """The names of folders, and of the file, of an address."""
    return tuple(name for name in re.sub(r"^[^/]*:(//[^/]*)?", "", address).split("/") if name)
