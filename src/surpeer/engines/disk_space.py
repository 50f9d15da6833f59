"""Disks that are full: found out beforehand where the need is known, and one clear error where it is not."""

import errno
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from surpeer.errors import InputError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FULL_IN_WORDS = re.compile(r"No space left on device|Disk quota exceeded|File too large|\d+ requested and \d+ written")
"""What polars, engines and numpy (the last one) say of the same without a number."""

OTHER_DISK = "name a folder on another disk with --temp FOLDER"
OTHER_OUTPUT = "write the result to another disk"


def in_words(size: float) -> str:
    """A size as people say it.

    >>> in_words(0), in_words(2_500), in_words(34_000_000), in_words(1_700_000_000)
    ('0 bytes', '2.5 kB', '34 MB', '1.7 GB')
    """
    if size < 1000:
        return f"{size:.0f} bytes"
    for unit in ("kB", "MB", "GB", "TB"):
        size /= 1000
        if size < 999.5 or unit == "TB":
            break
    return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"


def check_space(folder: Path, need: int, remedy: str = OTHER_DISK) -> None:
    """Raise where less is free in a folder than about `need` bytes. Free space that cannot be known is no error."""
    free = free_space(folder)
    if free is not None and free < need:
        raise InputError(
            f"{folder}: needs about {in_words(need)} here, and {in_words(free)} are free; free some space, or {remedy}"
        )


def free_space(folder: Path) -> int | None:
    """Bytes that are free in a folder, or None where nobody can tell."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


@contextmanager
def disk_errors(folder: Path, remedy: str = OTHER_DISK) -> Iterator[None]:
    """Turn a disk that fills up on the way, whoever noticed it, into an error that says which and what to do."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if is_full(error):
            free = free_space(folder)
            left = "" if free is None else f" ({in_words(free)} are free)"
            raise InputError(
                f"{folder}: too little space is left on this disk{left}; no result was written; "
                f"free some space, or {remedy}, and run the same command again"
            ) from None
        raise


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk is full, a quota is used up or a file is as large as files can be."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in FULL
    return FULL_IN_WORDS.search(str(error)) is not None
