"""Write a file whole or not at all."""

import contextlib
import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from surpeer.errors import InputError


def write_whole(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Let `write` fill a file beside `path`, then put it in place in one step. A failure leaves `path` as it was."""
    try:
        check_file(path)
        if path.exists() and not path.is_file():  # a pipe or a device: there is nothing to replace
            path.write_bytes(_buffered(write))
        else:
            _replace(Path(os.path.realpath(path)), write)  # a link stays, what it points to is replaced
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_file(path: Path) -> None:
    """Say at once, not after a long computation, that a file cannot be written."""
    if path.is_dir():
        raise InputError(f"{path}: found a folder, expected a file to write to")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{path}: cannot be written: it is read-only")
    parent = Path(os.path.realpath(path)).parent  # a link stays, what it points to is replaced
    if not parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no folder {parent}")


def _replace(path: Path, write: Callable[[BinaryIO], None]) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
            to_disk(stream)
        put_in_place(Path(temporary), path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def put_in_place(made: Path, path: Path) -> None:
    """Let a complete file on the same disk take the place of another, with its permissions, in one step."""
    made.chmod(_mode_of(path))
    os.replace(made, path)
    to_disk(path.parent)


def to_disk(file: Path | BinaryIO) -> None:
    """Wait until a file or folder is on the disk, so that a loss of power after this does no harm."""
    if not isinstance(file, Path):
        file.flush()
        os.fsync(file.fileno())
        return
    with contextlib.suppress(OSError):  # not every disk can do this for folders
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _buffered(write: Callable[[BinaryIO], None]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def write_whole_bytes(path: Path, content: bytes) -> None:
    """Put a file with this content in place in one step."""

    def write(stream: BinaryIO) -> None:
        stream.write(content)

    write_whole(path, write)


def _mode_of(path: Path) -> int:
    """The permissions of the file that is replaced, or what a new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    return 0o666 & ~process_mask()


def process_mask() -> int:
    """The permissions that new files and folders of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
