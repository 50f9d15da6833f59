"""Parts of reviews (surpeer.engines.divided) in files: those of a part come back together, one file for each column.

Batches wait in memory until there are enough of them; then every part that they have rows of is appended to.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surpeer.engines.adding import Columns
from surpeer.engines.divided import Divided
from surpeer.engines.number_files import read_numbers


class PartFiles:
    """Rows of all parts. Those with other columns than the rest of their part come back by themselves."""

    def __init__(self, folder: Path, parts: int, buffer: int) -> None:
        """No rows yet. buffer : bytes that rows may take before they are written"""
        self._folder, self._buffer = folder, buffer
        self._waiting: list[Divided] = []
        self._bytes = 0
        self._rows: dict[tuple[str, ...], NDArray[np.int64]] = {}
        self._parts = parts
        self._types: dict[str, np.dtype[Any]] = {}
        self.blocks: list[range] = []
        """Of every batch, from its smallest to its largest."""

    def add(self, batch: Divided) -> None:
        """Add the rows of a batch."""
        self._waiting.append(batch)
        self.blocks.append(batch.blocks)
        self._bytes += sum(column.nbytes for column in batch.columns.values())
        if self._bytes >= self._buffer:
            self.flush()

    def flush(self) -> None:
        """Write what waits. All rows can be read then."""
        for names in dict.fromkeys(tuple(batch.columns) for batch in self._waiting):
            batches = [batch for batch in self._waiting if tuple(batch.columns) == names]
            here = self._rows.setdefault(names, np.zeros(self._parts, dtype=np.int64))
            rows = np.sum([np.diff(batch.ends, prepend=0) for batch in batches], axis=0)
            for part in np.flatnonzero(rows).tolist():
                pieces = [batch.rows(part) for batch in batches]
                for name in names:
                    self._append(part, name, np.concatenate([piece[name] for piece in pieces]))
            here += rows
        self._waiting, self._bytes = [], 0

    def _append(self, part: int, name: str, numbers: NDArray[Any]) -> None:
        self._types[name] = numbers.dtype
        with open(self._path(part, name), "ab") as file:
            file.write(numbers.data)

    def _path(self, part: int, name: str) -> Path:
        return self._folder / f"{name}-{part:05d}"

    def rows(self, part: int) -> int:
        """How many a part has."""
        return int(sum(rows[part] for rows in self._rows.values()))

    def read(self, part: int, at_once: int | None = None) -> Iterator[Columns]:
        """The rows of a part, so many at a time, by default all with the same columns."""
        for names, rows in self._rows.items():
            end = int(rows[part])
            for start in range(0, end, at_once or max(end, 1)):
                count = min(at_once or end, end - start)
                yield {name: read_numbers(self._path(part, name), self._types[name], count, start) for name in names}
