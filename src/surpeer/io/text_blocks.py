"""Text files of any size in blocks of whole lines: plain, gzip or zstd, by what is in them and not by their names."""

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO

import numpy as np

from surpeer.errors import InputError
from surpeer.io.delimited_sheet import LONGEST_CELL
from surpeer.io.table import unusable

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile
else:
    from backports.zstd import ZstdError, ZstdFile

BLOCK_BYTES = 16 * 2**20

LONGEST_ROW = 4 * LONGEST_CELL + BLOCK_BYTES  # bytes without an end of a row

LONG_LINE = 2**16  # bytes beyond which nobody looks for the end of a line

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of a text, and how many bytes of the file have been read by then."""

    text: bytes
    done: int


def pieces(path: Path, size: int = BLOCK_BYTES) -> Iterator[Piece]:
    """The text of a file, a few million bytes at a time."""
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
            stream.seek(0)
            if start == ZSTD:
                yield from _unpacked(path, stream, ZstdFile(stream), "zstd", size)
            elif start.startswith(GZIP):
                yield from _unpacked(path, stream, gzip.GzipFile(fileobj=stream), "gzip", size)
            else:
                while text := stream.read(_up_to_line_end(stream, size)):
                    yield Piece(text, stream.tell())
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check its name, and the folder that you are in") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a text, about so many."""
    return next(pieces(path, size), Piece(b"", 0)).text


def _up_to_line_end(stream: BinaryIO, size: int) -> int:
    """How many bytes to read, about so many: up to the end of a line where it is near, so that none is copied again."""
    start = stream.tell()
    stream.seek(size, os.SEEK_CUR)
    size += len(stream.readline(LONG_LINE))
    stream.seek(start)
    return size


def _unpacked(path: Path, packed: BinaryIO, unpacked: BufferedIOBase, kind: str, size: int) -> Iterator[Piece]:
    with unpacked:
        try:
            while text := unpacked.read(size):
                yield Piece(text, packed.tell())
        except EOFError:
            cut = f"a {kind} file that is cut short"
            raise unusable(path, cut, "a whole one", "write or download it again") from None
        except (gzip.BadGzipFile, zlib.error, ZstdError) as error:
            damage = f"a damaged {kind} file ({error})"
            raise unusable(path, damage, "a sound one", "write or download it again") from None


@dataclass(frozen=True, slots=True)
class Block:
    """Whole rows of a text."""

    text: bytes
    lines_before: int
    done: int
    rest: Iterator[Piece] | None = None
    """Where quotes are not where they should be, nobody knows where rows end: then this is all that comes after."""


def line_blocks(
    path: Path, size: int = BLOCK_BYTES, quotes: str | None = None, text: Iterator[Piece] | None = None
) -> Iterator[Block]:
    """Blocks that end where a row does.

    quotes : the separator of cells that may be in quotes, in which a line end ends no row; None where there are none
    text : of the file, in pieces of at least this size but for the last; where it comes from somewhere else
    """
    return _blocks(path, size, quotes, pieces(path, size) if text is None else text)


def _blocks(path: Path, size: int, quotes: str | None, every: Iterator[Piece]) -> Iterator[Block]:
    rest, lines, done = b"", 0, 0
    for piece in every:
        text, done = rest + piece.text, piece.done
        end = text.rfind(b"\n") + 1 if quotes is None or b'"' not in text else _end_of_rows(text, quotes)
        if end < 0:
            yield Block(text, lines, done, every)
            return
        if len(piece.text) < size and not text.endswith(b"\n"):  # the last row of the file has no line end
            end = len(text) if quotes is None or text.count(b'"') % 2 == 0 else end
        if not end and len(text) > LONGEST_ROW:
            too_long = f"more than {LONGEST_ROW:,} bytes without the end of a row, after line {lines}"
            raise unusable(path, too_long, "rows in lines", "close the quotes, or save the table as CSV (UTF-8)")
        if end:
            yield Block(text[:end], lines, done)
            lines += _count_lines(text, end)
        rest = text[end:]
    if rest:
        yield Block(rest, lines, done, iter(()) if quotes is not None and b'"' in rest else None)


def _count_lines(text: bytes, end: int) -> int:
    """Line ends before this place; numpy counts them four times as fast as Python where lines are short."""
    return int(np.count_nonzero(np.frombuffer(text, dtype=np.uint8, count=end) == ord("\n")))


def _end_of_rows(text: bytes, separator: str) -> int:
    """Where the last whole row ends, 0 if none does; -1 if some quote is not where quotes should be."""
    cells = np.frombuffer(text, dtype=np.uint8)
    at = np.flatnonzero(cells == ord('"'))
    before = cells[np.maximum(at[::2] - 1, 0)]
    starts = (at[::2] == 0) | np.isin(before, [ord(separator), ord("\n"), ord('"')])
    closing = at[1::2]
    after = cells[np.minimum(closing + 1, len(cells) - 1)]
    ends = (closing == len(cells) - 1) | np.isin(after, [ord(separator), ord("\n"), ord("\r"), ord('"')])
    if not (starts.all() and ends.all()):
        return -1
    limit = len(text) if len(at) % 2 == 0 else int(at[-1])  # an open quote: the row is not at its end
    end = text.rfind(b"\n", 0, limit) + 1
    while end:
        inside = np.searchsorted(at, end) % 2
        if not inside:
            return end
        end = text.rfind(b"\n", 0, int(at[np.searchsorted(at, end) - 1])) + 1
    return 0
