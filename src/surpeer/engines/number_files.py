"""Numbers in files: columns that are read in slices, and records that are sorted into several files."""

import errno
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surpeer.core.shapes import IntArray


def read_numbers(path: Path, dtype: np.dtype[Any], count: int, start: int = 0) -> NDArray[Any]:
    """So many numbers, or records, of a file that has them from `start` on.

    Raises OSError where they are not there: numpy says nothing of a file that was cut off, or cannot be read.
    """
    numbers = np.fromfile(path, dtype, count, offset=start * dtype.itemsize)
    if len(numbers) != count:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
    return numbers


class FileColumn:
    """Numbers that are appended to a file, and read from it in slices."""

    def __init__(self, path: Path, dtype: type[np.generic]) -> None:
        self.path, self.dtype = path, np.dtype(dtype)
        self._length = 0
        path.touch()

    def append(self, numbers: NDArray[Any]) -> None:
        with self.path.open("ab") as file:
            file.write(np.ascontiguousarray(numbers, dtype=self.dtype).data)
        self._length += len(numbers)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, rows: slice) -> NDArray[Any]:
        start, stop, _ = rows.indices(self._length)
        return read_numbers(self.path, self.dtype, max(0, stop - start), start)


class ScatteredRecords:
    """Records in several files, by a number that says into which."""

    def __init__(self, folder: Path, dtype: np.dtype[Any], files: int) -> None:
        folder.mkdir()
        self.dtype = dtype
        self._paths = [folder / f"{number}" for number in range(files)]
        self._counts = [0] * files

    def add(self, file: IntArray, records: NDArray[Any]) -> None:
        order = np.argsort(file.astype(np.uint16), kind="stable")
        ordered = records[order]
        for number, part in pieces(file[order]):
            with self._paths[number].open("ab") as target:
                target.write(ordered[part].data)
            self._counts[number] += part.stop - part.start

    def take(self, number: int) -> NDArray[Any]:
        """The records of a file, which is then gone."""
        path = self._paths[number]
        if not path.exists():
            return np.empty(0, self.dtype)
        records = read_numbers(path, self.dtype, self._counts[number])
        path.unlink()
        return records


def pieces(ordered: IntArray) -> Iterator[tuple[int, slice]]:
    """Each different number of those that are in order, and where it is."""
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    for start, stop in pairwise([*first.tolist(), len(ordered)]):
        yield int(ordered[start]), slice(start, stop)
