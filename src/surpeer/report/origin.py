"""How a report was made, so that it can be made again: program, versions, command, files and date."""

import hashlib
import os
import platform
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from surpeer.errors import InputError, quoted

PROGRAM = "surpeer"
LIBRARIES = ("numpy", "scipy", "polars")
AT_A_TIME = 1 << 20


@dataclass(frozen=True)
class InputFile:
    """A file that went into the report."""

    path: str
    """As it was given."""
    sha256: str
    size: int


def installed_versions() -> list[tuple[str, str]]:
    """Python and the libraries that the numbers come from."""
    return [("Python", platform.python_version()), *((name, metadata.version(name)) for name in LIBRARIES)]


def today() -> str:
    """The date in UTC; that of SOURCE_DATE_EPOCH where it is set, so that the same report can be made to the byte."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        moment = datetime.fromtimestamp(int(stated), UTC) if stated else datetime.now(UTC)
    except (ValueError, OverflowError, OSError):
        raise InputError(f"SOURCE_DATE_EPOCH is {quoted(stated)}, expected seconds since 1970, or nothing") from None
    return moment.date().isoformat()


@dataclass(frozen=True)
class Origin:
    """What made the report."""

    program: str = field(default_factory=lambda: f"{PROGRAM} {metadata.version(PROGRAM)}")
    versions: list[tuple[str, str]] = field(default_factory=installed_versions)
    command: tuple[str, ...] = ()
    """The words of the command line; none for a report made in Python."""
    paths: tuple[str, ...] = ()
    """Those of its words, or ends of words, that are paths."""
    inputs: tuple[InputFile, ...] = ()
    date: str = field(default_factory=today)

    @property
    def command_line(self) -> str:
        return shlex.join(self.command)


def input_files(paths: Sequence[Path]) -> tuple[InputFile, ...]:
    """Size and checksum of each; what is no file (a live venue) has none."""
    return tuple(_input_file(path) for path in paths if path.is_file())


def _input_file(path: Path) -> InputFile:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while part := stream.read(AT_A_TIME):
            digest.update(part)
            size += len(part)
    return InputFile(str(path), digest.hexdigest(), size)
