"""Write the files of a folder all together or not at all."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from surpeer.errors import InputError


def check_folder(folder: Path, files: Iterable[str] = ()) -> None:
    """Say at once, not after a long computation, that these files cannot be put into a folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: found a file, expected a folder to write to")
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
    """Put these files into a folder, new or not. All are written beside it first and then moved into place; other
    files that the folder has stay. Names may have folders in them.
    """
    check_folder(folder, files)
    try:
        if folder.exists():
            _replace(folder, files)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with _Stage(folder.parent, folder.name, files) as stage:
                os.rename(stage, folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    with _Stage(folder, "", files) as stage:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name in files:
            os.replace(stage / name, folder / name)


class _Stage(contextlib.AbstractContextManager[Path]):
    """A hidden folder with the files, removed in the end whatever happens."""

    def __init__(self, beside: Path, name: str, files: Mapping[str, bytes]) -> None:
        self._path = Path(tempfile.mkdtemp(prefix=f".{name[:40]}.", suffix=".part", dir=beside))
        try:
            mask = os.umask(0)
            os.umask(mask)
            self._path.chmod(0o777 & ~mask)
            for file, content in files.items():
                path = self._path / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Path:
        return self._path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._path, ignore_errors=True)
