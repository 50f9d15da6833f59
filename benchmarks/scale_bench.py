"""What `scale.py` measures a case with: files, contenders, the whole command, and lines for its table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from scale_contenders import CONTENDERS
from scale_data import Venue
from scale_timing import Run, contender_outside, in_turns, outside


class Line(NamedTuple):
    """A line of the table."""

    what: str
    measured: float
    unit: str = "x"
    limit: float | None = None
    at_least: bool = False
    run: Run | None = None

    @property
    def met(self) -> bool | None:
        if self.limit is None:
            return None
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


@dataclass(frozen=True)
class Bench:
    """How much is measured, and where files are."""

    folder: Path
    repeats: int
    quick: bool

    def rows(self, millions: float) -> int:
        """So many million reviews, or fewer for a quick look."""
        return int(millions * (20_000 if self.quick else 1_000_000))

    @property
    def memory(self) -> int:
        """MB that a run out of core may take; less is not possible."""
        return 256 if self.quick else 512

    def in_turns(self, venue: Venue, *names: str) -> dict[str, Run]:
        """The best run of each contender, and the memory it needs."""
        path = venue.file_in(self.folder)
        calls = {name: self.call(name, venue) for name in names}
        best = in_turns(calls, self.repeats)
        alone = {name: contender_outside(name, path, venue.levels) for name in names}
        return {name: run._replace(megabytes=alone[name].megabytes) for name, run in best.items()}

    def call(self, name: str, venue: Venue) -> Callable[[], object]:
        """One contender at work."""
        return partial(CONTENDERS[name], venue.file_in(self.folder), venue.levels)

    def command(self, venue: Venue, method: str = "surprisal", *options: str) -> Run:
        """The whole command, the best of some runs; of two where there are many reviews."""
        times = min(self.repeats, max(2, self.rows(20) // venue.rows))
        return _best_command(self.folder, venue, method, options, times)

    def commands_in_turns(self, venue: Venue, method: str, *options: tuple[str, ...]) -> list[Run]:
        """The whole command with each of these options, the best of as many runs as there are repeats, in turns."""
        turns = [[_command(self.folder, venue, method, some) for some in options] for _ in range(self.repeats)]
        return [min(runs) for runs in zip(*turns, strict=True)]

    def largest_command(self, venue: Venue, method: str, *options: str) -> Run:
        """The run of the whole command that took most memory, of as many as there are repeats."""
        runs = (_command(self.folder, venue, method, options) for _ in range(self.repeats))
        return max(runs, key=lambda run: run.megabytes)

    def largest_check(self, venue: Venue, *options: str) -> Run:
        """The same of `surpeer validate`."""
        arguments = ("-m", "surpeer", "validate", venue.file_in(self.folder), "--temp", self.folder, *options)
        return max((outside(*arguments) for _ in range(self.repeats)), key=lambda run: run.megabytes)


@cache
def _best_command(folder: Path, venue: Venue, method: str, options: tuple[str, ...], times: int) -> Run:
    return min(_command(folder, venue, method, options) for _ in range(times))


def _command(folder: Path, venue: Venue, method: str, options: tuple[str, ...]) -> Run:
    path, result = venue.file_in(folder), folder / "ranking.parquet"
    chosen = ["-m", method, "--engine", "polars", *options]
    run = outside("-m", "surpeer", "score", path, "-o", result, *chosen)
    result.unlink()
    return run
