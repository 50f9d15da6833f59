"""How long it takes to read the export of every platform, as a multiple of parsing the same file and doing nothing.

    python benchmarks/connectors.py [--papers 20000] [--reviewers 4] [--only NAME]

Every format is read in a process of its own. "bare" is csv.reader, json.loads or openpyxl over the whole file;
"read" is surpeer.read_reviews, from the bytes to checked reviews; "memory" is the peak of the process that reads, less
what it had before, as a multiple of the file (a workbook is a compressed file).
"""

import argparse
import csv
import gc
import io
import json
import multiprocessing
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "platforms"))


def parse_only(path: Path) -> None:
    data = path.read_bytes()
    if data[:2] == b"PK":
        import openpyxl

        for sheet in openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets:
            for _ in sheet.iter_rows(values_only=True):
                pass
    elif data[:1] in b"{[":
        text = data.decode()
        _ = json.loads(text) if path.suffix != ".jsonl" else [json.loads(line) for line in text.splitlines()]
    elif data[:1] == b"<":
        import xml.etree.ElementTree as ElementTree

        for _, element in ElementTree.iterparse(io.BytesIO(data)):
            element.clear()
    else:
        for _ in csv.reader(io.StringIO(data.decode(), newline="")):
            pass


def peak_memory() -> int:
    """Bytes that this process has held at most (Linux)."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def measure(path: Path, levels: tuple[str, ...], answers: Any) -> None:
    import surpeer

    def seconds(call: Any) -> float:
        gc.collect()
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    scale = surpeer.Scale(levels)
    surpeer.read_reviews(ROOT / "examples" / "hotcrp-reviews.csv")  # everything is imported
    before = peak_memory()
    read = min(seconds(lambda: surpeer.read_reviews(path, scale)) for _ in range(2))
    peak = peak_memory() - before
    bare = min(seconds(lambda: parse_only(path)) for _ in range(2))
    answers.put((read, bare, peak))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--reviewers", type=int, default=4)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    from platform_samples import samples

    rng = random.Random(5)
    ratings = [[rng.randint(1, 4) for _ in range(options.reviewers)] for _ in range(options.papers)]
    spawn = multiprocessing.get_context("spawn")
    print(f"{options.papers:,} papers x {options.reviewers} reviews")
    print(f"{'format':24}{'MB':>8}{'bare s':>9}{'read s':>9}{'ratio':>8}{'memory / file':>15}")
    with tempfile.TemporaryDirectory() as folder:
        for name, sample in samples(ratings).items():
            if options.only not in name:
                continue
            path = Path(folder, sample.name)
            path.write_bytes(sample.data)
            answers: Any = spawn.Queue()
            process = spawn.Process(target=measure, args=(path, sample.levels, answers))
            process.start()
            read, bare, peak = answers.get()
            process.join()
            size = path.stat().st_size
            print(f"{name:24}{size / 1e6:8.1f}{bare:9.2f}{read:9.2f}{read / bare:8.1f}{peak / size:15.1f}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
