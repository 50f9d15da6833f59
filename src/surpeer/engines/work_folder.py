"""A hidden folder for what one run keeps on disk: removed in the end whatever happens.

A process that is killed outright cannot remove it. The next run with the same result does: the owner of a work folder
holds a lock on a file in it as long as it lives, and only a folder whose lock is free is removed. Runs with the same
result at the same time each have their own.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from surpeer.engines.disk_space import OTHER_DISK, check_space, disk_errors, in_words
from surpeer.errors import InputError

try:
    import fcntl
except ImportError:  # a system without such locks: no other run's folder is ever removed
    fcntl = None  # type: ignore[assignment]

Item = TypeVar("Item")

LOCK = "owner"
BEFORE = "before"
"""In a work folder: an earlier result that is being replaced and cannot be in one step, because it is a folder."""
ENDING = ".work"


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """A folder of this run."""

    path: Path
    notes: tuple[str, ...]
    """What killed runs had left behind, and was removed."""
    remedy: str = OTHER_DISK

    def check_space(self, need: int) -> None:
        """Raise where the disk has less than `need` bytes left."""
        check_space(self.path.parent, need, self.remedy)

    def guarded(self, made_here: Iterable[Item]) -> Iterator[Item]:
        """The same items; if this disk fills up while they are made, that is said of this one, and not of the disk
        that they are then written to."""
        with disk_errors(self.path.parent, self.remedy):
            yield from made_here


@contextmanager
def work_folder(beside: Path | None, temp: Path | None = None, remedy: str = OTHER_DISK) -> Iterator[WorkFolder]:
    """A new folder, gone when the block ends. A full disk in the block becomes an InputError.

    beside : the result; the folder is made next to it, unless `temp` says where. None for a result that is no file
    temp : a folder that exists, on a disk with enough space
    remedy : what to do about a full disk
    """
    name = None if beside is None else Path(os.path.realpath(beside))
    places = _places(name, temp)
    notes = tuple(note for place, prefix in places for note in _remove_leftovers(place, prefix, name))
    made: list[Path] = []
    lock: int | None = None
    try:
        path, lock = _make(*places[0], made)
        with disk_errors(path.parent, remedy):
            yield WorkFolder(path, notes, remedy)
    finally:
        for path in made:
            remove(path)
        if lock is not None:
            os.close(lock)


def remove(path: Path) -> None:
    """Remove a folder with all that is in it, even if Ctrl-C is pressed once more meanwhile."""
    try:
        shutil.rmtree(path, ignore_errors=True)
    except KeyboardInterrupt:
        shutil.rmtree(path, ignore_errors=True)
        raise


def _places(result: Path | None, temp: Path | None) -> list[tuple[Path, str]]:
    """Where the folder is made, and where else killed runs may have left one; with the beginning of its name."""
    if result is None:
        return [(temp or Path(tempfile.gettempdir()), f".surpeer.{os.getuid() if hasattr(os, 'getuid') else ''}.")]
    beside = (result.parent, _prefix(result.name, result.name))
    return [beside] if temp is None else [(temp, _prefix(result.name, str(result))), beside]


def _prefix(name: str, key: str) -> str:
    """Long names are cut, so a digest tells them apart."""
    return f".{name[:40]}.{hashlib.sha256(os.fsencode(key)).hexdigest()[:8]}."


def _make(place: Path, prefix: str, made: list[Path]) -> tuple[Path, int | None]:
    """A folder with its lock; `made` has it before it is there, whatever happens next."""
    if not place.is_dir():
        raise InputError(f"{place}: found no such folder, expected one for temporary files; make it, or {OTHER_DISK}")
    try:
        with disk_errors(place):
            while True:  # a run that tidies up may have taken it for a leftover before it had its lock
                path = place / f"{prefix}{secrets.token_hex(8)}{ENDING}"
                made[:] = [path]
                path.mkdir(mode=0o700)
                with contextlib.suppress(BlockingIOError, FileNotFoundError):
                    return path, _locked(path)
    except OSError as error:
        raise InputError(
            f"{place}: temporary files cannot be written here: {error.strerror or error}; {OTHER_DISK}"
        ) from None


def _locked(path: Path) -> int | None:
    """An open file with the lock of a folder; None on a disk without locks. BlockingIOError where its owner lives."""
    handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is None:
            raise OSError
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(path / LOCK).st_ino != os.fstat(handle).st_ino:  # removed between the two lines
            raise FileNotFoundError
    except (BlockingIOError, FileNotFoundError):
        os.close(handle)
        raise
    except OSError:
        os.close(handle)
        return None
    return handle


def _remove_leftovers(place: Path, prefix: str, result: Path | None) -> Iterator[str]:
    """Remove folders whose owner is dead; a note for each that had something in it."""
    for path in sorted(_ours(place, prefix)):
        with contextlib.suppress(OSError):
            lock = _locked(path)
            if lock is not None:
                if result is not None and (path / BEFORE).exists() and not result.exists():
                    os.rename(path / BEFORE, result)
                freed = size_of(path)
                remove(path)
                os.close(lock)
                if freed and not path.exists():  # an empty one may be so young that it has no lock yet
                    yield f"removed {path}, left behind by a run that was killed; {in_words(freed)} freed"


def _ours(place: Path, prefix: str) -> Iterator[Path]:
    """Work folders of this result that belong to this user; links are none."""
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(ENDING):
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid()):
                    yield Path(entry.path)


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    files = (Path(root, name) for root, _, names in os.walk(folder) for name in names)
    total = 0
    for file in files:
        with contextlib.suppress(OSError):
            total += file.lstat().st_size
    return total
