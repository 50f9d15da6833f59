"""Files that are to be one table: whether they can be, and everything that keeps them from it at once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from surpeer.errors import InputError, Problem, ReviewProblems, counted, listed

LISTED = 5


@dataclass
class Damage:
    """What keeps files from being read, all of it at once."""

    source: str
    alone: bool
    """Whether there is one file only: then what is wrong with it is said as it is."""
    problems: list[Problem] = field(default_factory=list)

    @contextmanager
    def noted(self, file: str) -> Iterator[None]:
        """Around reading a file."""
        try:
            yield
        except ReviewProblems as error:
            if self.alone:
                raise
            self.problems += [replace(problem, file=file) for problem in error.problems]
        except InputError as error:
            if self.alone:
                raise
            reason = str(error).removeprefix(f"{file}: ")
            self.problems.append(
                Problem(None, None, f"no part of a table: {reason}", "a file that can be read", file=file)
            )

    def raise_if_any(self) -> None:
        if self.problems:
            raise ReviewProblems(self.source, self.problems)


def common_names(source: str, kind: str, by_file: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The columns of all files. Records of JSON lines may leave some out; other files must have the same."""
    first_file, first = next(iter(by_file.items()))
    if kind == "JSON lines":
        return tuple(dict.fromkeys(name for names in by_file.values() for name in names))
    problems = []
    for file, names in by_file.items():
        missing, more = [name for name in first if name not in names], [name for name in names if name not in first]
        if missing or more:
            said = [f"no {listed(missing, LISTED)}"] if missing else []
            said += [f"{listed(more, LISTED)} besides"] if more else []
            found_here = f"columns that differ: {' and '.join(said)}"
            expected = f"those of {Path(first_file).name}"
            remedy = "choose files that belong together, with a pattern such as 'FOLDER/*.csv'"
            problems.append(Problem(None, None, found_here, expected, remedy, file=file))
    if problems:
        raise ReviewProblems(source, problems)
    return tuple(first)


def notes_on_files(files: int, in_folders: Sequence[str], ignored: Sequence[str]) -> list[str]:
    """How many files are read, which columns are in the names of folders, and which other files are there."""
    notes = [f"{counted(files, 'file')} read as one table"] if files > 1 else []
    if in_folders:
        notes.append(f"{listed(in_folders, LISTED)} taken from the names of folders")
    if ignored:
        notes.append(f"{counted(len(ignored), 'file')} not read: {listed(ignored, LISTED)}")
    return notes
