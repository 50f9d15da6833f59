"""Score reviews on a local cluster of two executors, one of which is killed in the middle: `test_spark_cluster` runs it.

    python spark_cluster_run.py FOLDER

FOLDER has reviews.parquet; the result, and what happened, are written into it. A process of its own, because Spark's
workers keep their logs where SPARK_HOME says.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyspark
from spark_local import FAST_ON_LITTLE_DATA, JAVA_THAT_STARTS_FAST
from spark_reviews import scale_of

from surpeer.engines.spark import score_on_spark
from surpeer.engines.spark_batches import Named, map_batches
from surpeer.engines.spark_session import spark_session

PARTITIONS = 8
SECONDS_PER_PARTITION = 0.25
EXECUTOR = b"org.apache.spark.executor.CoarseGrainedExecutorBackend"

SETTINGS = FAST_ON_LITTLE_DATA | {
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": JAVA_THAT_STARTS_FAST,
    "spark.shuffle.io.retryWait": "1s",
}


def home_with_logs(folder: Path) -> Path:
    """Spark as it is installed, but for the folder in which its workers leave their logs."""
    home = folder / "spark-home"
    home.mkdir()
    for entry in Path(pyspark.__file__).parent.iterdir():
        if entry.name != "work":
            (home / entry.name).symlink_to(entry)
    return home


def executors(java: int) -> list[int]:
    """The executors that this Java process started, oldest first."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if parent == java and EXECUTOR in words:
            found.append(int(process.name))
    return sorted(found)


def slowly(table: Any, marks: Path) -> Any:
    """The same rows, each partition of which takes a while and leaves a mark."""

    def slow(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        for frame in frames:
            time.sleep(SECONDS_PER_PARTITION)
            (marks / f"{time.monotonic_ns()}-{os.getpid()}").touch()
            yield frame

    schema = pl.DataFrame(pl.from_arrow(table.limit(1).toArrow())).schema
    return map_batches(Named.of(table), slow, schema).toDF(*table.columns)


def kill_one(java: int, marks: Path, happened: dict[str, Any]) -> None:
    """Wait until all rows were checked once and some were added up, then kill an executor that worked on them."""
    while len(list(marks.iterdir())) < PARTITIONS * 3 // 2:
        time.sleep(0.01)
    before = executors(java)
    os.kill(before[0], signal.SIGKILL)
    happened |= {"before": before, "killed": before[0]}


def main(folder: Path) -> None:
    marks = folder / "marks"
    marks.mkdir()
    os.environ["SPARK_HOME"] = str(home_with_logs(folder))
    happened: dict[str, Any] = {}
    with spark_session("local-cluster[2,1,512]", SETTINGS) as session:
        gateway: Any = session.sparkContext._gateway
        java = gateway.proc.pid
        reviews = session.read.parquet(str(folder / "reviews.parquet")).repartition(PARTITIONS)
        killer = threading.Thread(target=kill_one, args=(java, marks, happened), daemon=True)
        killer.start()
        result = score_on_spark(slowly(reviews, marks), scale_of(2), method="surprisal", unit="percent").toArrow()
        killer.join(timeout=10)
        happened |= {"after": executors(java), "marks": len(list(marks.iterdir()))}
    pl.DataFrame(pl.from_arrow(result)).write_parquet(folder / "result.parquet")
    (folder / "happened.json").write_text(json.dumps(happened))


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
