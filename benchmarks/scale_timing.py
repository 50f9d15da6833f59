"""Seconds and memory of calls in this process, and of other processes from start to end."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

LAUNCHER = Path(__file__).with_name("scale_process.py")


class Run(NamedTuple):
    """What a call, or a process, took."""

    seconds: float
    cpu: float
    """Seconds of all processors together, which say more than others where the machine is busy."""
    megabytes: float = 0.0
    """The most memory that the process had, in millions of bytes."""
    printed: str = ""


def in_turns(calls: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, Run]:
    """The best run of each call; one after the other, so that noise meets all alike, and a first round to get warm."""
    runs: dict[str, list[Run]] = {name: [] for name in calls}
    for _ in range(repeats + 1):
        for name, call in calls.items():
            runs[name].append(_timed(call))
    return {name: min(every[1:]) for name, every in runs.items()}


def _timed(call: Callable[[], object]) -> Run:
    cpu, begin = _cpu(), time.perf_counter()
    result = call()
    seconds, used = time.perf_counter() - begin, _cpu() - cpu
    del result
    return Run(seconds, used)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def outside(*command: object) -> Run:
    """Another process of this Python; everything ends if it fails."""
    arguments = [sys.executable, *map(str, command)]
    with tempfile.TemporaryDirectory() as folder:
        out, errors = Path(folder, "out"), Path(folder, "errors")
        launch = [sys.executable, "-I", "-S", str(LAUNCHER), str(out), str(errors), *arguments]
        told = subprocess.run(launch, check=True, capture_output=True, text=True).stdout
        seconds, cpu, kilobytes, status = map(float, told.split())
        if status != 0:
            sys.exit(f"{' '.join(arguments)}\nended with {status:.0f}:\n{errors.read_text()}")
        return Run(seconds, cpu, kilobytes * 1024 / 1e6, out.read_text())


def contender_outside(name: str, path: Path, levels: int) -> Run:
    """One call of a contender in a process of its own; seconds without the start of Python."""
    script = Path(__file__).with_name("scale_contenders.py")
    run = outside(script, name, path, levels)
    return run._replace(seconds=float(run.printed))
