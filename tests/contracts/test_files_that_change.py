"""Files of reviews that are written to while they are read, and such as turn out to be damaged: all are named."""

import gzip
import os
import re
from pathlib import Path

import polars as pl
import pytest

from surpeer import ReviewProblems
from surpeer.io.review_files import find_review_files

TABLE = pl.DataFrame(
    {
        "paper": [7, 7, 8, 9, 8, 7],
        "rating": ["reject", "accept", "accept", "reject", "accept", "reject"],
        "p_reject": [0.3, 0.25, 0.5, 1.0, 0.0, None],
        "p_accept": [0.7, 0.75, 0.5, 0.0, 1.0, None],
    }
)


@pytest.mark.parametrize("change", ["appended", "replaced", "touched", "damaged"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_that_somebody_writes_to_meanwhile(tmp_path: Path, kind: str, change: str) -> None:
    """Whatever was read may be parts of two files."""
    paths = [tmp_path / f"{name}.{kind}" for name in ("a", "b")]
    for path in paths:
        TABLE.write_csv(path) if kind == "csv" else TABLE.write_parquet(path)
    files = find_review_files(tmp_path)
    assert len(list(files.batches(rows_per_batch=4))) == 4
    batches = files.batches(rows_per_batch=4)
    next(batches)
    content = paths[1].read_bytes()
    if change == "appended":
        paths[1].write_bytes(content + (content[-30:] if kind == "csv" else b""))
    elif change == "replaced":
        (tmp_path / "new").write_bytes(content)
        os.replace(tmp_path / "new", paths[1])
    elif change == "damaged":
        paths[1].write_bytes(b'"' + content[: len(content) // 2])
    else:
        os.utime(paths[1])
    said = (
        f"{re.escape(str(paths[1]))}: found a file that changed while it was read, expected one that stays as it is; "
    )
    with pytest.raises(
        ReviewProblems, match=f"1 problem\n +{said}run the same command again when nobody writes to it$"
    ):
        list(batches)


@pytest.mark.parametrize("kind", ["csv.gz", "parquet"])
def test_all_files_that_turn_out_to_be_damaged_are_named(tmp_path: Path, kind: str) -> None:
    """Also where that is only seen inside of them."""
    large = pl.concat([TABLE] * 20_000).with_columns(paper=pl.int_range(120_000) * 7919 % 65_537)
    for name in "abcd":
        path = tmp_path / f"{name}.{kind}"
        if kind == "parquet":
            large.write_parquet(path, compression="zstd", row_group_size=5000)
        else:
            path.write_bytes(gzip.compress(large.write_csv().encode(), 1))
        if name in "bd":
            content = bytearray(path.read_bytes())
            part = slice(len(content) * 3 // 4, len(content) * 7 // 8)
            content[part] = bytes(255 - byte for byte in content[part])
            path.write_bytes(content)
    files = find_review_files(tmp_path)
    with pytest.raises(ReviewProblems, match="2 problems") as told:
        list(files.batches())
    assert [Path(problem.file or "").name for problem in told.value.problems] == [f"b.{kind}", f"d.{kind}"]
