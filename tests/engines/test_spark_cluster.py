"""A cluster that loses an executor in the middle of the work gives the same result."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from spark_cluster_run import PARTITIONS
from spark_local import needs_spark
from spark_reviews import assert_same, invented, scale_of

from surpeer.pipeline import calibrate
from surpeer.reviews import Reviews


@needs_spark
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the processes of the cluster in /proc")
def test_an_executor_is_killed_in_the_middle(tmp_path: Path) -> None:
    frame = invented(2, reviews=1000, papers=200)
    frame.write_parquet(tmp_path / "reviews.parquet")
    script = Path(__file__).with_name("spark_cluster_run.py")
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=240, check=False
    )
    assert ran.returncode == 0, ran.stderr
    happened = json.loads((tmp_path / "happened.json").read_text())
    assert len(happened["before"]) == 2
    assert happened["killed"] not in happened["after"]
    assert happened["marks"] > 2 * PARTITIONS, "no work was lost: the executor was killed too late"
    expected = calibrate(Reviews.from_table(frame, scale_of(2), unit="percent"), "surprisal").table
    assert_same(pl.read_parquet(tmp_path / "result.parquet").sort("rank", "paper"), expected)
