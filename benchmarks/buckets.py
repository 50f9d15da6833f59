"""What rows cost on their way through buckets on disk: seconds, and the peak memory of the whole process.

    python benchmarks/buckets.py [--rows 100000000] [--buckets 64] [--buffer 64] [--text] [--no-group] [--folder .]

Rows are made in batches (not timed), added to the buckets, read back and grouped by paper. Written are about 17 bytes
for each row, and removed in the end.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from surpeer.engines.buckets import Buckets

BATCH = 500_000
LEVELS = 4


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        schema = {"paper": pl.String() if options.text else pl.Int64(), "rating": pl.Int8(), "units": pl.Int64()}
        buckets = Buckets(Path(folder), options.buckets, schema, buffer=options.buffer * 1_000_000)
        print(f"before the first row: peak {_peak()} MB")
        seconds = _add(buckets, options.rows, options.text)
        size = sum(buckets.size(bucket) for bucket in range(options.buckets)) / 1e9
        print(f"{options.rows:,} rows added: {seconds:.2f} s, {size:.2f} GB, peak {_peak()} MB")
        begun = time.perf_counter()
        for bucket in range(options.buckets):
            frame = buckets.read(bucket)
            if options.group:
                _group(frame)
            buckets.delete(bucket)
        what = "read and grouped" if options.group else "read"
        print(f"{what}: {time.perf_counter() - begun:.2f} s, peak {_peak()} MB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--buckets", type=int, default=64)
    parser.add_argument("--buffer", type=int, default=64, help="MB")
    parser.add_argument("--text", action="store_true", help="ids are text")
    parser.add_argument("--group", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--folder", type=Path, default=Path())
    return parser.parse_args()


def _add(buckets: Buckets, rows: int, text: bool) -> float:
    rng = np.random.default_rng(1)
    rating, units = rng.integers(0, LEVELS, BATCH).astype(np.int8), rng.integers(0, 2**31, BATCH)
    seconds = 0.0
    for _ in range(rows // BATCH):
        paper = rng.integers(0, max(1, rows // 4), BATCH)
        frame = pl.DataFrame({"paper": paper, "rating": rating, "units": units})
        if text:
            frame = frame.with_columns("paper-" + pl.col("paper").cast(pl.String))
        hashes = paper.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        begun = time.perf_counter()
        buckets.add(frame, hashes)
        seconds += time.perf_counter() - begun
    begun = time.perf_counter()
    buckets.close()
    return seconds + time.perf_counter() - begun


def _group(frame: pl.DataFrame) -> pl.DataFrame:
    level = [pl.col("rating") == level for level in range(LEVELS)]
    sums = [(of.cast(pl.Int64) * pl.col("units")).sum().alias(f"sum_{number}") for number, of in enumerate(level)]
    counts = [of.sum().alias(f"count_{number}") for number, of in enumerate(level)]
    return frame.lazy().group_by("paper").agg(*sums, *counts).collect(engine="streaming")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
