"""The parts of a zip archive, unpacked piece by piece; what the archive says of their sizes is not believed."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

from surpeer.errors import quoted
from surpeer.io.workbook.limits import Budget, Unreadable

CHUNK = 1 << 20
MOST_READINGS, LEAST_READ = 3, 10_000_000
"""A reader that needs no part more than twice may read three times what an archive unpacks to, or 10 MB."""
LEAST_READING = 1000  # bytes, which to open a part costs as much time as
READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1
DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, struct.error, OverflowError, KeyError,
)  # fmt: skip


class Package:
    """A zip archive."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._budget = budget
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGE:
            raise Unreadable("a damaged zip archive, perhaps cut off") from None
        self._parts: dict[str, zipfile.ZipInfo] = {}
        for info in self._archive.infolist():
            if self._parts.setdefault(info.filename, info) is not info:
                raise Unreadable(f"a zip archive with two parts called {quoted(info.filename)}")

    @property
    def names(self) -> list[str]:
        """Of all parts."""
        return list(self._parts)

    def __contains__(self, part: str) -> bool:
        return part in self._parts

    def chunks(self, part: str) -> Iterator[bytes]:
        """The content of a part."""
        info = self._parts[part]
        if info.flag_bits & ENCRYPTED:
            raise Unreadable("a zip archive with a password", "one without", "save it again without a password")
        if info.compress_type not in READABLE:
            raise Unreadable(f"a zip archive with an uncommon compression (of {quoted(part)})")
        try:
            with self._archive.open(info) as stream:
                while chunk := stream.read(CHUNK):
                    self._budget.spend_bytes(len(chunk))
                    yield chunk
        except DAMAGE:
            raise Unreadable(f"a damaged part {quoted(part)}") from None


class MeteredArchive(zipfile.ZipFile):
    """A zip archive for a reader that opens whatever part is named, which may be one part under very many names."""

    def __init__(self, data: bytes, unpacked: int) -> None:
        super().__init__(io.BytesIO(data))
        self._left = MOST_READINGS * unpacked + LEAST_READ

    def open(self, name: str | zipfile.ZipInfo, *args: Any, **options: Any) -> IO[bytes]:
        """A part. zipfile reads no more of it than the archive says that it has."""
        info = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        self._left -= max(info.file_size, LEAST_READING)
        if self._left < 0:
            raise Unreadable("a workbook whose parts are used again and again", "each sheet once")
        return super().open(info, *args, **options)
