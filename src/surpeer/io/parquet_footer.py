"""What a Parquet file says of its groups of rows, in its last bytes (https://parquet.apache.org/docs/file-format).

Polars keeps that to itself, and pyarrow, which tells it, takes 45 MB: as much as there may be to plan with.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

MAGIC = b"PAR1"

# Numbers of fields in Parquet's own definition of them.
GROUPS = 4
COLUMNS, ROWS = 1, 3
OF_COLUMN = 3
PATH, UNPACKED, PACKED, FIRST_PAGE, DICTIONARY_PAGE = 3, 6, 7, 9, 11
UNPACKED_PAGE, PACKED_PAGE, OF_DICTIONARY, ENTRIES = 2, 3, 7, 1

LONGEST_HEADER = 256
"""Bytes of what stands before a dictionary, and of what says before other pages how large they are: some twenty."""


class Dictionary(NamedTuple):
    """All different values of a column in a group, of which rows have the numbers."""

    entries: int
    bytes: int
    """Unpacked."""


class Page(NamedTuple):
    """Rows of one column, which have to be unpacked together."""

    bytes: int
    """Unpacked."""
    packed: int


class Column(NamedTuple):
    """One column of a group of rows."""

    name: str
    """Lists are several levels deep in a file; this is that of the uppermost."""
    bytes: int
    """Unpacked."""
    packed: int
    page_at: int
    """Where its first page is in the file."""
    dictionary_at: int | None
    """Where its dictionary is in the file."""


class RowGroup(NamedTuple):
    """One group of rows."""

    rows: int
    columns: tuple[Column, ...]


def footer_length(path: Path) -> int:
    """How many bytes a file has at its end that say what is in it. Raises ValueError for a file that is damaged."""
    with open(path, "rb") as file:
        return _length(file)


def read_footer(path: Path) -> bytes:
    """These bytes. Raises ValueError for a file that is damaged."""
    with open(path, "rb") as file:
        return _footer(file)


def row_groups(path: Path) -> Iterator[RowGroup]:
    """All groups of a file, in order: one at a time, since there may be very many. Raises ValueError for a file that is
    damaged."""
    footer = read_footer(path)
    with _damage():
        for group in _Compact(footer).structs_of(GROUPS):
            yield RowGroup(group[ROWS], tuple(map(_column, group[COLUMNS])))


def read_dictionary(file: BinaryIO, column: Column) -> Dictionary:
    """What is said of a column's dictionary where it stands. Raises ValueError for a file that is damaged."""
    if column.dictionary_at is None:
        return Dictionary(0, 0)
    file.seek(column.dictionary_at)
    with _damage():
        header = _Compact(file.read(LONGEST_HEADER)).struct()
        return Dictionary(header[OF_DICTIONARY][ENTRIES], header[UNPACKED_PAGE])


def read_page(file: BinaryIO, column: Column) -> Page:
    """What is said of a column's first page where it stands; the others will be about as large, but for the last."""
    file.seek(column.page_at)
    said = {}
    with _damage():
        for number, value in _Compact(file.read(LONGEST_HEADER)).fields():
            said[number] = value
            if number >= PACKED_PAGE:  # what follows may be long
                break
        return Page(said[UNPACKED_PAGE], said[PACKED_PAGE])


@contextmanager
def _damage() -> Iterator[None]:
    """Say of fields that are not there, or not what they should be, that this is no such file."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, RecursionError):
        raise ValueError("what it says of its rows cannot be understood") from None


def _column(fields: dict[int, Any]) -> Column:
    said = fields[OF_COLUMN]
    start = said.get(DICTIONARY_PAGE) or None  # some programs write 0 where there is none
    return Column(said[PATH][0].decode(), said[UNPACKED], said[PACKED], said[FIRST_PAGE], start)


def _footer(file: BinaryIO) -> bytes:
    length = _length(file)
    file.seek(-8 - length, os.SEEK_END)
    return file.read(length)


def _length(file: BinaryIO) -> int:
    """As the last eight bytes have it."""
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - 8))
    last = file.read(8)
    length = int.from_bytes(last[:4], "little")
    if last[4:] != MAGIC or length > end - 8:
        raise ValueError("its end is missing")
    return length


class _Compact:
    """Values as Thrift's compact protocol writes them
    (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), one after the other."""

    TRUE, FALSE, BYTE, FLOAT, BYTES, LIST, SET, MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
    NUMBERS = (4, 5, 6)

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self) -> dict[int, Any]:
        """Fields by their numbers."""
        return dict(self.fields())

    def fields(self) -> Iterator[tuple[int, Any]]:
        """The same, one after the other."""
        for number, kind in self._headers():
            yield number, kind == self.TRUE if kind in (self.TRUE, self.FALSE) else self._value(kind)

    def structs_of(self, wanted: int) -> Iterator[dict[int, Any]]:
        """The entries of the field with this number, which is a list of structs, one after the other."""
        for number, kind in self._headers():
            if number == wanted:
                yield from self._entries()
                return
            if kind not in (self.TRUE, self.FALSE):
                self._value(kind)
        raise KeyError(wanted)

    def _headers(self) -> Iterator[tuple[int, int]]:
        """Numbers and kinds of fields; whoever takes them reads the values in between, but for those of true and
        false, which the kind says."""
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._number()
            yield number, header & 0x0F

    def _value(self, kind: int) -> Any:
        if kind in self.NUMBERS:
            return self._number()
        if kind == self.STRUCT:
            return self.struct()
        if kind in (self.LIST, self.SET):
            return list(self._entries())
        if kind == self.MAP:
            return self._map()
        if kind in (self.TRUE, self.FALSE, self.BYTE):
            return self._byte()
        if kind in (self.BYTES, self.FLOAT):
            return self._bytes(8 if kind == self.FLOAT else self._length())
        raise ValueError(f"a value of the unknown kind {kind}")

    def _entries(self) -> Iterator[Any]:
        """Of a list."""
        header = self._byte()
        length = header >> 4 if header >> 4 < 15 else self._length()
        return (self._value(header & 0x0F) for _ in range(length))

    def _map(self) -> dict[Any, Any]:
        length = self._length()
        kinds = self._byte() if length else 0
        return {self._value(kinds >> 4): self._value(kinds & 0x0F) for _ in range(length)}

    def _number(self) -> int:
        """Those below zero are the odd ones."""
        number = self._length()
        return number >> 1 ^ -(number & 1)

    def _length(self) -> int:
        """Seven bits in a byte, the last byte below 128."""
        number = shift = 0
        while (byte := self._byte()) > 0x7F:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, length: int) -> bytes:
        found = self.data[self.at : self.at + length]
        if len(found) < length:
            raise ValueError("it breaks off")
        self.at += length
        return found
