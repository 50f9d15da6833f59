"""Rows come back from their buckets as they went in."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from surpeer.engines.bucket_sizes import MOST_BUCKETS, how_many_buckets
from surpeer.engines.buckets import Buckets, UIntArray

SCHEMA = {"paper": pl.Int64(), "rating": pl.Int8(), "units": pl.Int32(), "title": pl.String()}
BITS = {1: 0, 2: 1, 8: 3, 512: 9}


def rows_of(number: int, seed: int) -> tuple[pl.DataFrame, UIntArray]:
    rng = np.random.default_rng(seed)
    titles = ["", "Größe", "a title that is longer than twelve bytes", None, "line\nbreak"]
    frame = pl.DataFrame(
        {
            "paper": rng.integers(-(2**63), 2**63 - 1, number),
            "rating": rng.integers(-128, 127, number).astype(np.int8),
            "units": rng.integers(-(2**31), 2**31 - 1, number).astype(np.int32),
            "title": [titles[choice] for choice in rng.integers(0, len(titles), number)],
        },
        schema=SCHEMA,
    )
    return frame, rng.integers(0, 2**64 - 1, number, dtype=np.uint64, endpoint=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def filled(folder: Path, count: int, batches: list[int], buffer: int) -> tuple[Buckets, pl.DataFrame, UIntArray]:
    buckets = Buckets(folder, count, SCHEMA, buffer=buffer)
    parts = [rows_of(number, seed) for seed, number in enumerate(batches)]
    for frame, hashes in parts:
        buckets.add(frame, hashes)
    buckets.close()
    every = pl.concat([rows_of(0, 0)[0], *(frame for frame, _ in parts)])
    return buckets, every, np.concatenate([np.array([], dtype=np.uint64), *(hashes for _, hashes in parts)])


@examples(100)
@given(
    st.sampled_from(sorted(BITS)),
    st.lists(st.integers(0, 120), max_size=4),
    st.sampled_from([1000, 5000, 10**9]),
    st.integers(1, 60),
)
def test_every_bucket_has_its_rows_in_their_order(count: int, batches: list[int], buffer: int, piece: int) -> None:
    with TemporaryDirectory() as name:
        buckets, every, hashes = filled(Path(name), count, batches, buffer)
        expected_of = [int(value) >> 64 - BITS[count] for value in hashes.tolist()]
        for bucket in set(expected_of) | {0, count - 1}:
            expected = every.filter(pl.Series([other == bucket for other in expected_of], dtype=pl.Boolean))
            assert_frame_equal(buckets.read(bucket), expected)
            assert buckets.rows(bucket) == len(expected)
            slices = list(buckets.read_slices(bucket, piece))
            assert_frame_equal(pl.concat(slices), expected)
            assert max(map(len, slices)) <= piece
            assert all(map(len, slices)) or len(expected) == 0
        assert sum(buckets.rows(bucket) for bucket in range(count)) == len(every)


def test_a_bucket_that_was_read_is_deleted_and_empty(folder: Path) -> None:
    buckets, every, _ = filled(folder, 1, [100, 50], 1000)
    assert len(buckets.read(0)) == len(every) == 150
    assert buckets.size(0) > 0
    buckets.delete(0)
    assert (list(folder.iterdir()), buckets.rows(0), buckets.size(0)) == ([], 0, 0)
    assert_frame_equal(buckets.read(0), pl.DataFrame(schema=SCHEMA))
    assert [len(piece) for piece in buckets.read_slices(0, 10)] == [0]
    buckets.delete(0)
    assert buckets.rows(0) == 0


def test_all_reviews_of_one_paper_are_one_bucket_that_is_read_in_slices(folder: Path) -> None:
    frame, hashes = rows_of(20_000, 1)
    buckets = Buckets(folder, 64, SCHEMA, buffer=100_000)
    buckets.add(frame, np.full_like(hashes, 2**63))
    buckets.close()
    assert [bucket for bucket in range(64) if buckets.rows(bucket)] == [32]
    slices = list(buckets.read_slices(32, 1500))
    assert max(map(len, slices)) <= 1500
    assert_frame_equal(pl.concat(slices), frame)
    assert sum(piece["units"].cast(pl.Int64).sum() for piece in slices) == frame["units"].cast(pl.Int64).sum()


@pytest.mark.parametrize("count", [0, 3, 2 * MOST_BUCKETS])
def test_numbers_of_buckets_that_make_no_sense(folder: Path, count: int) -> None:
    with pytest.raises(ValueError, match=f"found {count} buckets, expected a power of two up to 4096"):
        Buckets(folder, count, SCHEMA)


@pytest.mark.parametrize("rows", [10**power for power in range(12)])
@pytest.mark.parametrize("width", [9, 60.5])
@pytest.mark.parametrize("memory", [256_000_000, 8_000_000_000])
def test_buckets_fit_into_memory_and_are_not_too_many(rows: int, width: float, memory: int) -> None:
    count = how_many_buckets(rows, width, memory)
    size = rows * width / count
    assert count == MOST_BUCKETS or size * 10 <= (memory - 160_000_000) / 3
    assert count == 1 or size * 2 * 10 > (memory - 160_000_000) / 3 - 1
    Buckets(Path(), count, SCHEMA)


def test_less_memory_than_python_itself_takes_still_gives_a_number() -> None:
    assert how_many_buckets(100_000_000, 17, 1) == 2048


ADDING = """
import resource, sys
from pathlib import Path
import numpy as np, polars as pl
from surpeer.engines.buckets import Buckets
buckets = Buckets(Path(sys.argv[1]), 32, {"paper": pl.Int64(), "units": pl.Int64()}, buffer=30_000_000)
rng = np.random.default_rng(1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(40):
    paper = rng.integers(0, 2**62, 250_000)
    buckets.add(pl.DataFrame({"paper": paper, "units": paper}), paper.astype(np.uint64) << np.uint64(2))
buckets.close()
rows = sum(len(buckets.read(bucket)) for bucket in range(32))
print(rows, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_stays_within_bounds(folder: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", ADDING, folder], capture_output=True, text=True, check=True)
    rows, megabytes = map(int, ran.stdout.split())
    assert rows == 10_000_000
    assert megabytes < 110, "160 MB went through"
