"""The bytes of a file, and what their beginning says of it."""

from pathlib import Path
from typing import NamedTuple

from surpeer.errors import InputError
from surpeer.io.table import NEEDS_CSV, unusable

PARQUET = b"PAR1"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# What the first bytes of files say that we do not read.
FOREIGN_SIGNATURES = {
    b"\x1f\x8b": "a gzip archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"%PDF": "a PDF",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


def read_bytes(path: Path) -> bytes:
    """All of a file, read once, so that a pipe will do."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check its name, and the folder that you are in") from None
    except IsADirectoryError:
        raise InputError(f"{path}: found a folder, expected a file of reviews; name the file in it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not first_character(data) and not data.removeprefix(BYTE_ORDER_MARK).strip():
        raise unusable(path, "an empty file", "a header and at least one review")
    return data


def refuse_foreign(path: Path, data: bytes, lines_before: int = 0) -> None:
    """Raise for a file that is no text; or for the part of it after so many lines."""
    if data.startswith(PARQUET):
        raise unusable(path, "a Parquet file", "text", "rename it to end in .parquet")
    foreign = what_else(data, lines_before)
    if foreign is not None:
        raise unusable(path, foreign.found, "CSV, Excel, Parquet or JSON", foreign.remedy)


class Foreign(NamedTuple):
    """What a file is that is no text, and what to do."""

    found: str
    remedy: str = NEEDS_CSV


def what_else(data: bytes, lines_before: int = 0) -> Foreign | None:
    """What a file is, if it is neither text nor Parquet; None for text."""
    for signature, name in FOREIGN_SIGNATURES.items():
        if data.startswith(signature):
            return Foreign(name)
    if data[:4096].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return Foreign("a web page", "download the export itself, logged in")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1 + lines_before
        return Foreign(f"no text (a NUL byte in line {line})")
    return None


def first_character(data: bytes) -> bytes:
    """The first byte that is no space, after a byte order mark."""
    return data[:4096].removeprefix(BYTE_ORDER_MARK).lstrip()[:1]


def may_be_workbook(data: bytes) -> bool:
    """Whether a file begins as workbooks do: zip archives, the compound documents of old, and XML."""
    return data.startswith((b"PK", b"\xd0\xcf\x11\xe0")) or first_character(data) == b"<"
