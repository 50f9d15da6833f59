"""Compound files, in which old Office documents keep their streams: sectors that are chained like those of a disk.

[MS-CFB]. Every chain is followed no further than there are sectors, so that none can be endless.
"""

import struct
from array import array

from surpeer.io.workbook.limits import Unreadable

HEADER = struct.Struct("<30xHH6x4xIIIIIIII")
ENTRY = 128  # bytes of a directory entry
IN_HEADER = 109  # sectors of the allocation table that the header lists itself
LAST_SECTOR = 0xFFFFFFFA
STREAM, ROOT = 2, 5


class CompoundFile:
    """The streams of a compound file by their names."""

    def __init__(self, data: bytes) -> None:
        if len(data) < 512:
            raise Unreadable("a damaged workbook (a compound file that is cut off)")
        shift, mini_shift, _, directory, _, self._mini_cutoff, mini_fat, _, chain, _ = HEADER.unpack_from(data)
        if shift not in (9, 12) or mini_shift != 6:
            raise Unreadable("a damaged workbook (sectors of an unknown size)")
        self._data, self._size = data, 1 << shift
        self._fat = self._allocation_table(chain)
        entries = self._chain(directory)
        self._streams: dict[str, tuple[int, int]] = {}
        root = (LAST_SECTOR, 0)
        for at in range(0, len(entries) - ENTRY + 1, ENTRY):
            name, kind, start, size = _entry(entries[at : at + ENTRY])
            if kind == STREAM:
                self._streams.setdefault(name.lower(), (start, size))
            elif kind == ROOT:
                root = start, size
        self._mini_fat = _numbers(self._chain(mini_fat))
        self._mini_stream = self._chain(root[0])

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._streams

    def stream(self, name: str) -> bytes:
        """The content of a stream, cut where its chain ends."""
        start, size = self._streams[name.lower()]
        if size >= self._mini_cutoff:
            return self._chain(start)[:size]
        pieces = []
        for sector in _follow(self._mini_fat, start):
            pieces.append(self._mini_stream[sector * 64 : sector * 64 + 64])
        return b"".join(pieces)[:size]

    def _allocation_table(self, chain: int) -> "array[int]":
        """The sector that follows each sector; as long as there are sectors, whatever the header says."""
        sectors = list(struct.unpack_from(f"<{IN_HEADER}I", self._data, HEADER.size))
        numbers_each = self._size // 4
        most = len(self._data) // self._size // numbers_each + 1
        while chain < LAST_SECTOR and len(sectors) < most:
            listed = _numbers(self._sector(chain))
            if len(listed) < numbers_each:
                break
            sectors += listed[:-1]
            chain = listed[-1]
        return _numbers(b"".join(self._sector(sector) for sector in sectors[:most] if sector < LAST_SECTOR))

    def _sector(self, number: int) -> bytes:
        return self._data[(number + 1) * self._size : (number + 2) * self._size]

    def _chain(self, start: int) -> bytes:
        return b"".join(self._sector(sector) for sector in _follow(self._fat, start))


def _follow(table: "array[int]", start: int) -> list[int]:
    """The sectors of a chain; one that comes back to itself is damaged."""
    sectors: list[int] = []
    sector = start
    while sector < LAST_SECTOR:
        if sector >= len(table) or len(sectors) > len(table):
            raise Unreadable("a damaged workbook (sectors do not hang together)")
        sectors.append(sector)
        sector = table[sector]
    return sectors


def _numbers(content: bytes) -> "array[int]":
    whole = content[: len(content) // 4 * 4]
    return array("I", struct.unpack(f"<{len(whole) // 4}I", whole))


def _entry(raw: bytes) -> tuple[str, int, int, int]:
    """Name, kind, first sector and size of a directory entry."""
    length, kind = struct.unpack_from("<HB", raw, 64)
    start, size = struct.unpack_from("<II", raw, 116)
    return raw[: max(min(length, 64) - 2, 0)].decode("utf-16-le", errors="replace"), kind, start, size
