"""A file, a folder or a pattern -> the files of one table, all of one kind."""

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from surpeer.errors import InputError, Problem, ReviewProblems, counted, listed
from surpeer.io.file_bytes import PARQUET, first_character
from surpeer.io.tabular import EXTENSIONS
from surpeer.io.text_blocks import pieces

PACKED = (".gz", ".gzip", ".zst", ".zstd")

KINDS = {"parquet": "Parquet", "csv": "CSV", "tsv": "CSV", "jsonl": "JSON lines"}

LISTED = 5


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files of one table, in order."""

    paths: tuple[Path, ...]
    kind: str
    """One of the values of KINDS."""
    base: Path
    """The folder that was named: names of folders in it may be columns."""
    ignored: tuple[str, ...] = ()
    """Other files of a folder."""


def is_many(what: str | Path) -> bool:
    """Whether this is a folder or a pattern, and not a file."""
    return Path(what).is_dir() or _is_pattern(what)


def find_files(what: str | Path, kind: str | None = None) -> FoundFiles:
    """The file, the files of a folder and of those in it, or those that fit a pattern; hidden ones do not count, nor
    those that begin with _, which say how something was written.

    kind : one of the values of KINDS, where the endings of the files do not say it
    """
    path = Path(what)
    if _is_pattern(what):
        said = set(Path(what).parts)
        every_path = map(Path, sorted(glob.glob(str(what), recursive=True)))
        fitting = [path for path in every_path if not any(map(_is_hidden, set(path.parts) - said))]
        if not fitting:
            raise InputError(f"{what}: no file fits the pattern; check the folder that you are in, and the ending")
        inside = [file for folder in fitting if folder.is_dir() for file in _walk(folder)]
        every = list(dict.fromkeys([*(file for file in fitting if not file.is_dir()), *inside]))
    elif path.is_dir():
        every = _walk(path)
    else:
        return FoundFiles((path,), kind or kind_by_name(path) or _kind_by_content(path), path.parent)
    paths, kind, ignored = tables_among(str(what), every, kind)
    waiting = [path.name for path in paths if path.exists() and not path.is_file()]  # one would wait for them for ever
    if waiting:
        raise InputError(
            f"{what}: found {listed(waiting, LISTED)} (a pipe, a socket or a device), expected files; take them out of "
            "the folder, or choose with a pattern"
        )
    return FoundFiles(paths, kind, Path(base_of(str(what))), ignored)


def tables_among(
    what: str, every: Sequence[Path], kind: str | None = None
) -> tuple[tuple[Path, ...], str, tuple[str, ...]]:
    """Those that are tables, by their names; their kind; and the names of all others.

    what : as the user named them; kind : that all of them have, where their names do not say it
    """
    paths = [file for file in every if kind is not None or kind_by_name(file) is not None]
    if not paths:
        raise InputError(
            f"{what}: found {counted(len(every), 'file')} and no table among them, expected Parquet, CSV or JSON lines "
            "(.parquet, .csv, .tsv, .jsonl; text also .gz or .zst)"
        )
    ignored = tuple(file.name for file in every if kind is None and kind_by_name(file) is None)
    return tuple(paths), kind or _one_kind(what, paths), ignored


def base_of(what: str) -> str:
    """The folder itself, or the one that a pattern begins with.

    >>> base_of("votes/track=*/part-*"), base_of("s3a://bucket/votes/*"), base_of("votes"), base_of("/*.csv")
    ('votes/', 's3a://bucket/votes/', 'votes', '/')
    """
    sign = None if Path(what).exists() else re.search(r"[*?[]", what)
    return what if sign is None else what[: what.rfind("/", 0, sign.start()) + 1]


def _is_pattern(what: str | Path) -> bool:
    return glob.has_magic(str(what)) and not Path(what).exists()


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _walk(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it, in order of their names."""
    files: list[Path] = []
    problems: list[Problem] = []

    def refused(error: OSError) -> None:
        closed = f"the folder {error.filename}, which cannot be read: {error.strerror}"
        problems.append(Problem(None, None, closed, "a folder that may be read", "change its permissions"))

    looked_into: set[Path] = set()
    for place, folders, names in os.walk(folder, onerror=refused, followlinks=True):
        here = Path(place).resolve()
        if here in looked_into:  # a link to where we were already
            folders.clear()
            continue
        looked_into.add(here)
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        files += [Path(place, name) for name in sorted(names) if not _is_hidden(name)]
    if problems:
        closed_files = [str(file) for file in files if not os.access(file, os.R_OK)]
        problems += [
            Problem(
                None,
                None,
                f"the file {name}, which cannot be read",
                "a file that may be read",
                "change its permissions",
            )
            for name in closed_files
        ]
        raise ReviewProblems(str(folder), problems)
    return files


def kind_by_name(path: Path) -> str | None:
    """One of the values of KINDS, by the ending of a name; None where that says nothing."""
    name = path.with_suffix("") if path.suffix.lower() in PACKED else path
    kind = EXTENSIONS.get(name.suffix.lower())
    return None if kind is None else KINDS[kind]


def _kind_by_content(path: Path) -> str:
    return kind_by_start(next((piece.text for piece in pieces(path, 4096)), b""))


def kind_by_start(start: bytes) -> str:
    """One of the values of KINDS, by how a file begins."""
    if start.startswith(PARQUET):
        return "Parquet"
    return "JSON lines" if first_character(start) == b"{" else "CSV"


def _one_kind(source: str, paths: list[Path]) -> str:
    by_kind: dict[str, list[str]] = {}
    for path in paths:
        by_kind.setdefault(kind_by_name(path) or "CSV", []).append(path.name)
    if len(by_kind) > 1:
        found = " and ".join(f"{len(names)} of {kind} ({listed(names, LISTED)})" for kind, names in by_kind.items())
        raise InputError(
            f"{source}: found files of several kinds: {found}; choose with a pattern such as 'FOLDER/*.csv'"
        )
    return next(iter(by_kind))
