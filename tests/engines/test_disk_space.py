"""A full disk is one clear error, whoever notices it."""

import errno
import os
import re
import resource
import shutil
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from surpeer.engines.buckets import Buckets
from surpeer.engines.disk_space import OTHER_OUTPUT, check_space, disk_errors, free_space, in_words
from surpeer.engines.work_folder import work_folder
from surpeer.errors import InputError

LARGEST = 50_000
NUMBERS = np.random.default_rng(1).integers(0, 2**62, 100_000)
FRAME = pl.DataFrame({"paper": NUMBERS})
Usage = namedtuple("Usage", "total used free")


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """The system refuses larger files: as near to a full disk as one comes without being the superuser."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def write_plainly(path: Path) -> None:
    path.write_bytes(NUMBERS.tobytes())


def write_by_numpy(path: Path) -> None:
    NUMBERS.tofile(path)


def write_ipc(path: Path) -> None:
    FRAME.write_ipc(path)


def write_parquet(path: Path) -> None:
    FRAME.write_parquet(path)


def sink_parquet(path: Path) -> None:
    FRAME.lazy().sink_parquet(path)


def write_csv(path: Path) -> None:
    with open(path, "wb") as stream:
        FRAME.write_csv(stream)


WRITERS = [write_plainly, write_by_numpy, write_ipc, write_parquet, sink_parquet, write_csv]


@pytest.mark.parametrize("write", WRITERS)
def test_whoever_notices_it(tmp_path: Path, write: object) -> None:
    assert callable(write)
    expected = (
        rf"^{re.escape(str(tmp_path))}: too little space is left on this disk \(\d.* are free\); no result was written; free some "
        r"space, or name a folder on another disk with --temp FOLDER, and run the same command again$"
    )
    with pytest.raises(InputError, match=expected), files_of_at_most(LARGEST), disk_errors(tmp_path):
        write(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("write", WRITERS)
def test_a_device_that_is_always_full(write: object) -> None:
    assert callable(write)
    with pytest.raises(InputError, match="/dev: too little space is left on this disk"), disk_errors(Path("/dev")):
        write(Path("/dev/full"))


def test_buckets_on_a_full_disk_leave_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=f"{re.escape(str(tmp_path))}: too little space is left"),
        work_folder(tmp_path / "out.csv") as work,
        files_of_at_most(LARGEST),
    ):
        buckets = Buckets(work.path, 4, {"paper": pl.Int64()}, buffer=10_000)
        buckets.add(FRAME, NUMBERS.astype(np.uint64) << np.uint64(2))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_quotas_and_sizes_too(tmp_path: Path, number: int) -> None:
    with pytest.raises(InputError, match="too little space is left on this disk"), disk_errors(tmp_path):
        raise OSError(number, os.strerror(number))


def test_what_to_do_depends_on_whose_disk_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: object) -> Usage:
        raise OSError

    monkeypatch.setattr(shutil, "disk_usage", unknown)
    expected = f"{tmp_path}: too little space is left on this disk; no result was written; free some space, or write the result to another disk, and run the same command again"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"), disk_errors(tmp_path, OTHER_OUTPUT):
        raise OSError(errno.ENOSPC, "full")


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "x"), ValueError("No space"), pl.exceptions.ComputeError("other")]
)
def test_other_errors_stay_what_they_are(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error)) as caught, disk_errors(tmp_path):
        raise error
    assert caught.value is error


def test_an_error_of_the_input_stays_what_it_is_whatever_it_quotes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="^found File too large$"), disk_errors(tmp_path):
        raise InputError("found File too large")


def test_too_little_space_is_found_out_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12 - 34_000_000, 34_000_000))
    expected = f"{tmp_path}: needs about 1.7 GB here, and 34 MB are free; free some space, or name a folder on another disk with --temp FOLDER"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        check_space(tmp_path, 1_700_000_000)
    check_space(tmp_path, 34_000_000)
    begins = f"^{re.escape(str(tmp_path))}: needs about 35 MB here"  # the hidden folder is gone when one reads it
    with work_folder(tmp_path / "out.csv") as work, pytest.raises(InputError, match=begins):
        work.check_space(35_000_000)
    assert free_space(tmp_path) == 34_000_000


def test_space_that_nobody_knows_is_no_error(tmp_path: Path) -> None:
    assert free_space(tmp_path / "nothing") is None
    check_space(tmp_path / "nothing", 10**18)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (999_499, "999 kB"),
        (999_600, "1.0 MB"),
        (9_960_000, "10 MB"),
        (5e15, "5000 TB"),
    ],
)
def test_sizes_in_words(size: float, words: str) -> None:
    assert in_words(size) == words
