"""How close surpeer comes to the speed of reading the data: all targets as ratios, in one run, with peak memory.

    python benchmarks/scale.py [--quick] [--only CASE ...] [--repeats 3] [--folder FOLDER]

Baselines are bare polars calls on the same file (scale_contenders.py), in turns with ours and warm, best of --repeats.
Memory is that of a process of its own that does it once. `command` is all of `surpeer score FILE -o ranking.parquet`,
with the start of Python, ranks, and the result on disk. Files are made once and kept in --folder (some 5 GB in all).
"""

import argparse
import os
import platform
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from scale_bench import Bench, Line
from scale_cases import CASES


def show(line: Line) -> None:
    sign = "at least" if line.at_least else "at most"
    target = "" if line.limit is None else f"{sign} {line.limit:g} {line.unit}".strip()
    met = {None: "", True: "yes", False: "NO"}[line.met]
    digits = 0 if abs(line.measured) >= 100 else 1 if abs(line.measured) >= 20 else 2
    seconds, cpu, memory = "", "", ""
    if line.run is not None:
        seconds, cpu = f"{line.run.seconds:.2f}", f"{line.run.cpu:.2f}"
        memory = f"{line.run.megabytes:,.0f}" if line.run.megabytes else ""
    measured = f"{line.measured:,.{digits}f} {line.unit}".strip()
    print(
        f"| {line.what:62} | {target:14} | {measured:>11} | {met:3} | {seconds:>8} | {cpu:>8} | {memory:>9} |",
        flush=True,
    )


def head(bench: Bench) -> None:
    load, numba = os.getloadavg()[0], "numba" if find_spec("numba") else "no numba"
    versions = f"Python {platform.python_version()}, polars {pl.__version__}, numpy {np.__version__}, {numba}"
    quick = ", quick: too small to judge" if bench.quick else ""
    print(f"{os.cpu_count()} processors, load {load:.1f}; {versions}; best of {bench.repeats}{quick}\n")
    print(f"| {'what':62} | {'target':14} | {'measured':>11} | met | {'seconds':>8} | {'cpu s':>8} | {'peak MB':>9} |")
    print("|---|---|---|---|---|---|---|", flush=True)


def measure(bench: Bench, names: list[str]) -> None:
    head(bench)
    lines: list[Line] = []
    for name in names:
        for found in CASES[name](bench):
            line = found._replace(limit=None) if bench.quick else found
            show(line)
            lines.append(line)
    aims = [line for line in lines if line.met is not None]
    missed = [line.what for line in aims if not line.met]
    print(f"\n{len(aims) - len(missed)} of {len(aims)} targets met; load {os.getloadavg()[0]:.1f}")
    for what in missed:
        print(f"missed: {what}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small files: whether everything runs, in a minute or two")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES), metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where files are kept (default: a temporary folder)")
    options = parser.parse_args()
    repeats = max(1, options.repeats)
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        measure(Bench(options.folder, repeats, options.quick), options.only)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Bench(Path(folder), repeats, options.quick), options.only)


if __name__ == "__main__":
    main()
