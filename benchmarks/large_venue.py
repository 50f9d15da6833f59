"""How long the commands take on large venues, and how much memory: one machine, one process, everything included.

    python benchmarks/large_venue.py [--papers 1000 20000 100000] [--levels 2 10] [--command score decide]

Venues are those of `score_cli.py`: four reviews of each paper, a prediction beside every rating. Each command is
started as a user starts it; seconds are from start to end (the best of --repeats), memory is the largest that it had.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from score_cli import write_venue

OPTIONS = {"score": [], "decide": ["--accept", "25%"], "validate": []}
MEGABYTE = 1024  # ru_maxrss is in kilobytes


class Run(NamedTuple):
    """One process from start to end."""

    seconds: float
    megabytes: float


def run(command: str, reviews: Path, out: Path) -> Run:
    """The command on a file, its output thrown away."""
    written = [] if command == "validate" else ["-o", str(out)]
    arguments = [sys.executable, "-m", "surpeer", command, str(reviews), *OPTIONS[command], *written]
    start = time.perf_counter()
    nothing = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(
        arguments[0],
        arguments,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 1), (os.POSIX_SPAWN_DUP2, nothing, 2)],
    )
    _, status, usage = os.wait4(pid, 0)
    os.close(nothing)
    if status != 0:
        sys.exit(f"{' '.join(arguments)} failed")
    return Run(time.perf_counter() - start, usage.ru_maxrss / MEGABYTE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, nargs="+", default=[1000, 20_000, 100_000])
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 10])
    parser.add_argument("--command", nargs="+", choices=OPTIONS, default=["score", "decide"])
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{'papers':>9}{'reviews':>10}{'levels':>8}{'file':>9}  {'command':10}{'seconds':>8}{'memory':>10}")
    with tempfile.TemporaryDirectory() as folder:
        reviews, out = Path(folder, "reviews.csv"), Path(folder, "out.csv")
        for papers in arguments.papers:
            for levels in arguments.levels:
                write_venue(reviews, 4 * papers, levels)
                size = f"{reviews.stat().st_size / 1e6:.0f} MB"
                for command in arguments.command:
                    runs = [run(command, reviews, out) for _ in range(arguments.repeats)]
                    seconds, memory = (min(numbers) for numbers in zip(*runs, strict=True))
                    print(
                        f"{papers:9,}{4 * papers:10,}{levels:8}{size:>9}  {command:10}{seconds:8.1f}{memory:7.0f} MB",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
