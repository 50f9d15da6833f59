"""Files that Spark reads and writes, and what is said of those that it cannot."""

import gzip
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from folders_of_reviews import ODD_TRACKS, in_folders, nested
from spark_local import needs_spark, spark
from spark_reviews import assert_same, invented, scale_of

from surpeer.engines.spark_files import read_reviews
from surpeer.engines.spark_run import SparkOptions, run_on_spark
from surpeer.errors import InputError, ReviewProblems, UnknownName
from surpeer.pipeline import calibrate
from surpeer.reviews import Reviews

__all__ = ["spark"]
pytestmark = [needs_spark, pytest.mark.usefixtures("spark")]

OPTIONS = SparkOptions(scale=scale_of(2), unit="percent", method="surprisal")


def expected_of(frame: pl.DataFrame) -> pl.DataFrame:
    return calibrate(Reviews.from_table(frame, scale_of(2), unit="percent"), "surprisal").table


def in_parts(frame: pl.DataFrame, folder: Path, kind: str) -> Path:
    """The reviews in three files; those of text are packed but for one."""
    folder.mkdir()
    for number, part in enumerate(frame.iter_slices(150)):
        path = folder / f"part{number}.{kind}"
        write: Any = {"csv": part.write_csv, "jsonl": part.write_ndjson, "parquet": part.write_parquet}[kind]
        write(path)
        if kind != "parquet" and number:
            (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
    return folder


def test_a_folder_of_parquet_and_a_folder_of_results(tmp_path: Path) -> None:
    frame = invented(2)
    reviews, output = in_parts(frame, tmp_path / "reviews", "parquet"), tmp_path / "ranking"
    result = run_on_spark(str(reviews), str(output), options=OPTIONS)
    assert result.table is None
    assert any("papers without a surprisal score" in note for note in result.notes)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ranking", "reviews"]
    assert (output / "_SUCCESS").exists()
    parts = [pl.read_parquet(path) for path in sorted(output.glob("part-*.parquet"))]
    assert_same(pl.concat(parts), expected_of(frame))  # in the order of the ranking
    said = f"^{re.escape(str(output))}: there is something already: choose another folder, or remove it$"
    with pytest.raises(InputError, match=said):
        run_on_spark(str(reviews), str(output), options=OPTIONS)


def test_packed_csv_and_one_file_of_results(tmp_path: Path) -> None:
    frame = invented(2, ids="text")
    reviews = in_parts(frame, tmp_path / "reviews", "csv")
    run_on_spark(str(reviews), str(tmp_path / "ranking.parquet"), options=OPTIONS)
    assert_same(pl.read_parquet(tmp_path / "ranking.parquet"), expected_of(frame))


def test_a_glob_of_json_lines_and_no_file_of_results(tmp_path: Path) -> None:
    frame = invented(2)
    reviews = in_parts(frame, tmp_path / "reviews", "jsonl")
    found = run_on_spark(f"{reviews}/part*", options=OPTIONS).table
    assert found is not None
    assert_same(found, expected_of(frame))


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_files_in_folders_of_a_folder(tmp_path: Path, kind: str) -> None:
    """Spark by itself reads those of the folder alone, and says nothing."""
    frame = invented(2, ids="text")
    found = run_on_spark(str(nested(frame, tmp_path / "reviews", kind)), options=OPTIONS).table
    assert found is not None
    assert_same(found, expected_of(frame))


@pytest.mark.parametrize(("kind", "pattern"), [("parquet", ""), ("csv", "/*/track=*"), ("jsonl", "/*/*/*.jsonl")])
def test_columns_in_the_names_of_folders(tmp_path: Path, kind: str, pattern: str) -> None:
    """Text, as it was, whatever signs it has; Spark by itself would make 7 of 007."""
    track = (pl.col("paper").str.len_bytes() + pl.col("paper").str.tail(1).str.to_integer(base=16)) % 6
    frame = invented(2, ids="text").with_columns(
        track=track.replace_strict(dict(enumerate(ODD_TRACKS)), return_dtype=pl.String)
    )
    assert frame["track"].n_unique() == len(ODD_TRACKS)
    reviews = in_folders(frame, tmp_path / "reviews 1", "track", kind, deeper="2027 + 1")
    found = run_on_spark(f"{reviews}{pattern}", options=OPTIONS).table
    assert found is not None
    assert_same(found, expected_of(frame))


def test_columns_in_the_names_of_folders_and_in_files(tmp_path: Path) -> None:
    reviews = in_folders(invented(2).with_columns(track=pl.lit("a"), x=pl.lit(1)), tmp_path / "reviews", "track")
    invented(2).with_columns(track=pl.lit("a"), x=pl.lit(1)).write_parquet(reviews / "track=a" / "part-0.parquet")
    with pytest.raises(InputError, match="found track both as a column of the files and in the names of folders"):
        run_on_spark(str(reviews), options=OPTIONS)
    invented(2).with_columns(x=pl.lit(1)).write_parquet(reviews / "track=a" / "part-0.parquet")
    invented(2).with_columns(x=pl.lit(1)).write_parquet(reviews / "other.parquet")
    with pytest.raises(
        InputError, match=r"found track= in the names of folders of some files and not .*other\.parquet"
    ):
        run_on_spark(str(reviews), options=OPTIONS)


def test_floats_of_32_bits(tmp_path: Path) -> None:
    frame = invented(2).with_columns(pl.col("p_L0", "p_L1") / 100)
    frame.with_columns(pl.col("p_L0", "p_L1").cast(pl.Float32)).write_parquet(tmp_path / "reviews.parquet")
    options = replace(OPTIONS, unit="fraction")
    found = run_on_spark(str(tmp_path / "reviews.parquet"), options=options).table
    assert found is not None
    assert_same(found, calibrate(Reviews.from_table(frame, scale_of(2)), "surprisal").table)


def test_ids_without_a_sign(tmp_path: Path) -> None:
    """Spark makes decimals of them."""
    frame = invented(2).with_columns(pl.col("paper") + 40_000)
    frame.with_columns(pl.col("paper").cast(pl.UInt64)).write_parquet(tmp_path / "reviews.parquet")
    found = run_on_spark(str(tmp_path / "reviews.parquet"), options=OPTIONS).table
    assert found is not None
    assert_same(found, expected_of(frame))


def test_cells_of_several_lines_and_problems_of_a_file(tmp_path: Path, spark: Any) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text('paper,comment,rating\n1,"two\n""lines""",L0\n2,,L7\n')
    assert read_reviews(spark, str(path)).table.count() == 2
    with pytest.raises(ReviewProblems, match=r'column rating: found "L7" in a review of paper "2", expected one of L0'):
        run_on_spark(str(path), options=OPTIONS)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("none.csv", "there is no such file; check its name, and the folder that you are in"),
        ("none", "there is no such file; check its name, and the folder that you are in"),
        ("s3a://bucket/x.csv", r"Spark reads s3a:// paths with the package hadoop-aws.*hadoop-aws:\d+\.\d+\.\d+$"),
        ("gopher://host/x.csv", "Spark knows no paths that begin with gopher://"),
        ("hdfs://127.0.0.1:9/x.csv", "localhost:9 cannot be reached: check the address, and that the server runs"),
        ("hdfs://host.invalid/x.csv", "there is no host host.invalid: check the address"),
    ],
)
def test_paths_that_lead_nowhere(path: str, said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(path)}: {said}"):
        run_on_spark(path, options=OPTIONS)


def test_formats_and_outputs_that_do_not_exist(tmp_path: Path, spark: Any) -> None:
    with pytest.raises(UnknownName, match='unknown format "xml"; known: parquet, csv, jsonl'):
        read_reviews(spark, "x", "xml")
    with pytest.raises(InputError, match="cannot be written: there is no folder"):
        run_on_spark("none.csv", str(tmp_path / "no" / "ranking.csv"), options=OPTIONS)
