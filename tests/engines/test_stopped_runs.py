"""Runs that are stopped at bad moments, in processes of their own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from surpeer.engines.work_folder import work_folder

RUN = """
import signal, sys, time
from pathlib import Path
import numpy as np, polars as pl
from surpeer.cli.stopping import orderly_stop
from surpeer.engines.buckets import Buckets
from surpeer.engines.result_files import write_result_chunks
from surpeer.engines.work_folder import work_folder

phase, kind, output = sys.argv[1], sys.argv[2], Path(sys.argv[3])
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would ignore it
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and one that was started by nohup this one

def ready(where):
    if where == phase:
        print("ready", flush=True)

def partition(folder):
    numbers = np.arange(100_000, dtype=np.uint64)
    buckets = Buckets(folder, 16, {"paper": pl.UInt64()}, buffer=1_000_000)
    for batch in range(3 if phase != "adding" else 10**9):
        buckets.add(pl.DataFrame({"paper": numbers}), numbers << np.uint64(45))
        if batch == 2:
            ready("adding")
    buckets.close()
    return buckets

def compute():
    rows = pl.DataFrame({"paper": np.random.default_rng(1).integers(0, 2**62, 3_000_000)}).lazy()
    ready("computing")
    while phase == "computing":  # all the time within polars
        rows.group_by("paper").agg(pl.len()).collect(engine="streaming")

def ranked():
    for number in range(4 if phase != "writing" else 10**9):
        yield pl.DataFrame({"rank": [number + 1], "paper": [number], "reviews": [3], "mean": [0.5], "score": [1.0],
                            "status": [0], "flags": [0]})
        if number == 2:
            ready("writing")
        time.sleep(0.001)

with orderly_stop() as stop:
    try:
        with work_folder(output) as work:
            print(*work.notes, sep="\\n", file=sys.stderr, end="")
            buckets = partition(work.path)
            compute()
            write_result_chunks(ranked(), output, kind)
    except KeyboardInterrupt:
        print("stopped", flush=True)
        sys.exit(stop.exit_code)
print("done")
"""

PHASES = ["adding", "computing", "writing"]

STARTED: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def _none_runs_on() -> Iterator[None]:
    """A run that did not stop, in a test that failed, would run for ever."""
    yield
    while STARTED:
        with STARTED.pop() as process:
            process.kill()


def start(phase: str, output: Path, kind: str = "parquet") -> subprocess.Popen[str]:
    """A run that has come to this phase, and would stay in it for ever."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, phase, kind, str(output)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    STARTED.append(process)
    if phase:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


@pytest.fixture
def result(tmp_path: Path) -> Iterator[Path]:
    """An earlier result."""
    out = tmp_path / "out"
    out.write_bytes(b"before")
    return out


@pytest.mark.parametrize(
    ("phase", "name", "code"),
    [*((phase, *sent) for phase in PHASES for sent in [("SIGINT", 130), ("SIGTERM", 143)]), ("adding", "SIGHUP", 129)],
)
def test_a_run_that_is_told_to_stop_tidies_up(result: Path, phase: str, name: str, code: int) -> None:
    process = start(phase, result)
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("stopped\n", "", code)
    assert os.listdir(result.parent) == ["out"]
    assert result.read_bytes() == b"before"


@pytest.mark.parametrize(
    ("phase", "kind"),
    [("adding", "csv"), ("computing", "csv"), ("writing", "csv"), ("writing", "parquet"), ("writing", "folder")],
)
def test_a_run_that_is_killed_leaves_the_earlier_result_and_the_next_one_tidies_up(
    result: Path, phase: str, kind: str
) -> None:
    if kind == "folder":
        result.unlink()
        result.mkdir()
        (result / "part-00007.parquet").write_bytes(b"before")
    process = start(phase, result, kind)
    process.kill()
    process.communicate()
    assert len(os.listdir(result.parent)) in ([2, 3] if phase == "writing" else [2])
    kept = result / "part-00007.parquet" if kind == "folder" else result
    assert kept.read_bytes() == b"before"
    out, err = start("", result, kind).communicate(timeout=30)
    assert out == "done\n"
    notes = err.splitlines()
    assert notes
    assert all("left behind by a run that was killed; " in note for note in notes)
    assert os.listdir(result.parent) == ["out"]
    assert not (kept.exists() and kept.read_bytes() == b"before")


def test_two_runs_with_one_result(result: Path) -> None:
    first, second = start("writing", result), start("adding", result)
    out, err = start("", result).communicate(timeout=30)
    assert (out, err) == ("done\n", "")
    written = result.read_bytes()
    for process in (first, second):
        process.terminate()
        assert process.communicate(timeout=30) == ("stopped\n", "")
    assert result.read_bytes() == written
    assert os.listdir(result.parent) == ["out"]
    with work_folder(result) as work:
        assert work.notes == ()
