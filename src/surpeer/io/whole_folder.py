"""Write the files of a folder: all are complete before the first is put in place."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from surpeer.errors import InputError
from surpeer.io.whole_file import process_mask, to_disk


def check_folder(folder: Path, files: Iterable[str] = ()) -> None:
    """Say at once, not after a long computation, that these files cannot be put into a folder."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise InputError(f"{folder}: found a file or a link to nothing, expected a folder to write to")
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir():
        raise InputError(f"{folder}: cannot be made: {nearest} is a file")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(f"{folder}: cannot be written: no permission in {nearest}")
    for file in files:
        if (folder / file).is_dir():
            raise InputError(f"{folder / file}: found a folder, expected a file to write to")
        for inner in Path(file).parents[:-1]:
            if (folder / inner).exists() and not (folder / inner).is_dir():
                raise InputError(f"{folder / inner}: found a file, expected a folder to write to")


def write_whole_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put these files into a folder, new or not. All are written beside it first and then moved into place, at once for
    a new folder and one after the other for an old one; other files that it has stay. Names may have folders in them.
    """
    check_folder(folder, files)
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        if folder.exists():
            _replace(folder, files)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with _stage(folder.parent, folder.name, files) as stage:
                os.rename(stage, folder)
    except BaseException as error:
        for path in missing:  # those that were made on the way; innermost first
            with contextlib.suppress(OSError):
                path.rmdir()
        if isinstance(error, OSError):
            raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
        raise


def folder_in_place(made: Path, folder: Path, before: Path) -> None:
    """Let a complete folder on the same disk take the place of one that is missing or is moved away to `before`."""
    made.chmod(0o777 & ~process_mask())
    try:
        if folder.exists():
            os.rename(folder, before)
        os.rename(made, folder)
    except BaseException:
        if before.exists() and not folder.exists():
            os.rename(before, folder)
        raise
    to_disk(folder.parent)


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    with _stage(folder, "files", files) as stage:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name in files:
            os.replace(stage / name, folder / name)


@contextlib.contextmanager
def _stage(beside: Path, name: str, files: Mapping[str, bytes]) -> Iterator[Path]:
    """A hidden folder with the files, removed in the end whatever happens."""
    stage = Path(tempfile.mkdtemp(prefix=f".{name[:40]}.", suffix=".part", dir=beside))
    try:
        stage.chmod(0o777 & ~process_mask())
        for file, content in files.items():
            (stage / file).parent.mkdir(parents=True, exist_ok=True)
            with open(stage / file, "wb") as stream:
                stream.write(content)
                to_disk(stream)
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)
