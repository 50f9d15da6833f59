"""Spark takes the files that the default engine takes, and gives the same result or says the same of them."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from spark_local import needs_spark, spark
from spark_reviews import assert_same
from typer.testing import Result

from surpeer.engines.score_files import score_files
from surpeer.engines.spark_files import read_reviews
from surpeer.engines.spark_run import SparkOptions, run_on_spark
from surpeer.errors import InputError, ReviewProblems
from surpeer.io.json_lines_parts import FIRST_BYTES
from surpeer.scale import Scale

__all__ = ["spark"]
pytestmark = [needs_spark, pytest.mark.usefixtures("spark")]

C = pl.col
SHARES = C("p_1", "p_2", "p_3")


def venue(papers: int = 24, each: int = 4) -> pl.DataFrame:
    """Reviews on three levels with predictions in steps of 5 %, and a title with signs that are hard to read."""
    rows = pl.DataFrame({"row": range(papers * each)})
    low, middle = (C("row") * 7 % 9) * 5, (C("row") * 5 % 11) * 5
    return rows.select(
        paper=C("row") // each * 37 + 5,
        reviewer=pl.format("R{}", "row"),
        rating=1 + (C("row") * 11 + C("row") // 5) % 3,
        p_1=low / 100,
        p_2=middle / 100,
        p_3=(100 - low - middle) / 100,
        title=pl.format('paper "{}",\nor; so\té', C("row") // each),
    )


def parts(frame: pl.DataFrame, count: int) -> list[pl.DataFrame]:
    """Reviews of a paper are in several of them."""
    return [frame[at::count] for at in range(count)]


def assert_as_here(what: str | Path, **how: Any) -> pl.DataFrame:
    """Spark gives the decisions and the notes of the default engine, which are returned."""
    expected = score_files(what, method="venue", accept=0.25, **how)
    found = run_on_spark(str(what), options=SparkOptions(method="venue", accept=0.25, **how))
    assert expected.table is not None
    assert found.table is not None
    assert_same(found.table, expected.table)
    assert found.notes == expected.notes
    return expected.table


def decimal_commas(frame: pl.DataFrame, separator: str) -> str:
    return frame.with_columns(SHARES.cast(pl.String).str.replace(".", ",", literal=True)).write_csv(separator=separator)


def test_csv_in_every_shape(tmp_path: Path) -> None:
    frame = venue()
    texts: dict[str, Callable[[pl.DataFrame], bytes]] = {
        "commas.csv": lambda part: part.write_csv().encode(),
        "decimal commas.csv": lambda part: decimal_commas(part, ";").encode(),
        "tabs.tsv": lambda part: part.write_csv(separator="\t").encode(),
        "packed.csv.gz": lambda part: gzip.compress(decimal_commas(part, "\t").encode()),
        "packed.csv.zst": lambda part: pa.Codec("zstd").compress(part.write_csv().encode(), asbytes=True),
        "excel.csv": lambda part: (
            b"\xef\xbb\xbf" + part.write_csv(quote_style="always", line_terminator="\r\n").encode()
        ),
        "other order.csv": lambda part: part.select(reversed(part.columns)).write_csv(separator=";").encode(),
        "empty rows.csv": lambda part: part.write_csv().encode() + b"\n\n,,,,,,\n",
        "nothing[1].csv": lambda part: part.clear().write_csv().encode(),
    }
    for part, (name, written) in zip([*parts(frame, len(texts) - 1), frame], texts.items(), strict=True):
        (tmp_path / name).write_bytes(written(part))
    (tmp_path / "readme.txt").write_text("not a table")
    (tmp_path / "_SUCCESS").write_text("")
    table = assert_as_here(tmp_path)
    assert table["reviews"].sum() == len(frame)
    assert table["title"].sort().to_list() == frame["title"].unique().sort().to_list()


def test_json_lines_in_every_shape(tmp_path: Path) -> None:
    frame = venue()
    a, b, c, d, e, f = parts(frame, 6)
    gaps = [
        {name: cell for name, cell in row.items() if number % 3 or name not in ("p_2", "reviewer")}
        for number, row in enumerate(b.iter_rows(named=True))
    ]
    (tmp_path / "a.jsonl").write_text(a.write_ndjson())
    (tmp_path / "gaps.ndjson").write_text("\n".join(map(json.dumps, gaps)))
    c.with_columns(SHARES.cast(pl.String), C("rating").cast(pl.Float64)).write_ndjson(tmp_path / "texts.jsonl")
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + d.write_ndjson().encode()))
    (tmp_path / "windows.jsonl").write_text(e.write_ndjson().replace("\n", "\r\n\r\n", 3))
    whole = f.with_columns(p_1=pl.lit(0), p_2=pl.lit(1), p_3=pl.lit(0), rating=C("rating").cast(pl.String))
    whole.with_columns(pl.when(C("paper") % 2 == 0).then("reviewer"), meta=pl.struct("paper")).write_ndjson(
        tmp_path / "whole numbers.jsonl"
    )
    assert assert_as_here(tmp_path)["reviews"].sum() == len(frame)


def test_parquet_with_other_types_in_every_file(tmp_path: Path) -> None:
    frame = venue().with_columns((SHARES * 100).round(), reviewer=C("paper") * 1000 + pl.int_range(pl.len()))
    others = [
        [],
        [C("paper").cast(pl.Int32), SHARES.cast(pl.Int64), pl.lit(5).alias("title")],
        [C("paper").cast(pl.UInt64), SHARES.cast(pl.Float32), C("rating").cast(pl.Float32)],
        [C("paper").cast(pl.UInt8, strict=False).cast(pl.UInt32), C("rating").cast(pl.String), SHARES.cast(pl.UInt64)],
        [C("rating").cast(pl.Int8), C("p_1").cast(pl.String), C("reviewer").cast(pl.String)],
        [pl.lit(None).alias("p_1"), pl.lit([1]).alias("note")],
        [C("rating").cast(pl.String).cast(pl.Categorical), C("p_2").cast(pl.Decimal(5, 1)), pl.lit("x").alias("note")],
    ]
    small = frame.filter(C("paper") < 256)
    for number, columns in enumerate(others):
        part = (small if number == 3 else frame)[number :: len(others)].with_columns(
            pl.lit(number).alias("note"), pl.format("{}/{}", pl.lit(number), "reviewer").alias("reviewer")
        )
        reviewer = [C("reviewer").str.replace("/", "").cast(pl.Int64)] if number == 4 else []
        part.with_columns(*reviewer).with_columns(columns).write_parquet(tmp_path / f"part-{number}.parquet")
    assert_as_here(tmp_path, unit="percent")


def test_floats_of_32_bits_stand_for_what_they_print_as_beside_others(tmp_path: Path) -> None:
    """In columns and in lists; of 0.1 as the float of 32 bits that is next to it, nothing remains."""
    scale = Scale(["1", "2", "3"])
    for name, frame in {
        "columns": venue(),
        "lists": venue().select("paper", "reviewer", "rating", distribution=pl.concat_list("p_1", "p_2", "p_3")),
    }.items():
        folder, whole = tmp_path / name, tmp_path / f"{name}.parquet"
        folder.mkdir()
        frame.write_parquet(whole)
        a, b = parts(frame, 2)
        is_list = name == "lists"
        a.with_columns(
            C("distribution").cast(pl.List(pl.Float32)) if is_list else SHARES.cast(pl.Float32)
        ).write_parquet(folder / "a.parquet")
        b.write_parquet(folder / "b.parquet")
        table = assert_as_here(folder, scale=scale)
        expected = score_files(whole, method="venue", accept=0.25, scale=scale).table
        assert expected is not None
        assert_same(table, expected)


def test_large_files_are_read_by_one_task_or_in_parts(tmp_path: Path, spark: Any) -> None:
    """Cells with several lines, in a file that Spark would divide; records of JSON in one that it does."""
    frame = venue(100)
    (tmp_path / "csv").mkdir()
    frame.write_csv(tmp_path / "csv" / "large.csv")
    frame[:4].clear().write_csv(tmp_path / "csv" / "small.csv")
    frame.write_ndjson(tmp_path / "large.jsonl")
    settings = {"spark.sql.files.maxPartitionBytes": "5000", "spark.sql.files.openCostInBytes": "0"}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        assert read_reviews(spark, str(tmp_path / "large.jsonl")).table.rdd.getNumPartitions() > 5
        assert_as_here(tmp_path / "csv")
        assert_as_here(tmp_path / "large.jsonl")
    finally:
        for name in settings:
            spark.conf.unset(name)


HEAD = "paper,rating,p_1,p_2,p_3\n"
ROWS = "".join(f"{paper},{1 + paper % 3},0.5,0.25,0.25\n" for paper in range(9))
RECORD = '{"paper": 1, "rating": 1, "p_1": 0.5, "p_2": 0.25, "p_3": 0.25}\n'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv", f"{HEAD}{ROWS}7,1\n8,1,0.5,0.25,0.25,9\n"),
        ("rows.csv", f'{HEAD}{ROWS}7,"1,0.5,0.25,0.25\n'),
        ("latin.csv", f"{HEAD}{ROWS}é,1,0.5,0.25,0.25\n".encode("latin-1")),
        ("twice.csv", HEAD.replace("p_2", "p_1") + ROWS),
        ("bars.csv", (HEAD + ROWS).replace(",", "|")),
        ("returns.csv", (HEAD + ROWS).replace("\n", "\r")),
        ("other.csv", (HEAD + ROWS).encode("utf-16")),
        ("empty.csv", ""),
        ("empty.jsonl", ""),
        ("names.csv", "submission,rating,p_1,p_2,p_3\n"),
        ("lines.jsonl", RECORD + '{"paper": 1, "rat\n[1]\n'),
        ("keys.jsonl", RECORD + RECORD.replace('"p_1"', '"p_2"')),
        ("ids.jsonl", RECORD + RECORD.replace('"paper": 1', '"paper": 1.5')),
        ("none.csv", None),
        ("none*.csv", None),
        ("header.csv", HEAD),
    ],
)
def test_what_is_wrong_with_one_file_is_said_in_the_same_words(
    tmp_path: Path, name: str, content: str | bytes | None
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_said_as_here(path)


def assert_said_as_here(what: Path) -> None:
    with pytest.raises(InputError) as here:
        score_files(what)
    with pytest.raises(InputError, match=f"^{re.escape(str(here.value))}$") as on_spark:
        run_on_spark(str(what), options=SparkOptions())
    assert type(on_spark.value) is type(here.value)


@pytest.mark.parametrize(
    "contents",
    [
        {"a.csv": HEAD + ROWS, "b.csv": "paper,rating,p_1,p_2,x\n1,1,1,0,0\n", "c.csv": "rating\n1\n"},
        {"a.csv": HEAD + ROWS, "b.csv": "", "c.csv": b"\xff\xfe"},
        {"a.csv": f"{HEAD}1,1\n", "b.csv": f"{HEAD}{ROWS}2,1,0,0\n"},
        {"a.csv": HEAD + ROWS, "b.jsonl": RECORD},
        {"readme.txt": "no table"},
        {"track=a/a.csv": HEAD + ROWS, "b.csv": HEAD + ROWS},
        {"track=a/a.csv": "track," + HEAD},
    ],
)
def test_what_is_wrong_with_several_files_is_said_in_the_same_words(
    tmp_path: Path, contents: dict[str, str | bytes]
) -> None:
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_said_as_here(tmp_path)


def test_parquet_files_that_do_not_belong_together(tmp_path: Path) -> None:
    frame = venue(3)
    frame.write_parquet(tmp_path / "a.parquet")
    frame.drop("p_1").with_columns(x=1).write_parquet(tmp_path / "b.parquet")
    assert_said_as_here(tmp_path)  # and no empty cells for what is not there
    frame.with_columns(C("paper").cast(pl.String)).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(ReviewProblems, match=r"found ids that are whole numbers in a\.parquet and text in b\.parquet"):
        run_on_spark(str(tmp_path), options=SparkOptions())
    frame.with_columns(p_1=pl.concat_list("p_1")).write_parquet(tmp_path / "b.parquet")
    said = r"column p_1: found double in a\.parquet and array<double> in b\.parquet, expected types that go together"
    with pytest.raises(ReviewProblems, match=said):
        run_on_spark(str(tmp_path), options=SparkOptions())
    (tmp_path / "b.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-9])
    (tmp_path / "c.parquet").write_bytes(b"")
    with pytest.raises(
        ReviewProblems, match=r"2 problems\n.*b\.parquet: found a damaged Parquet file \(.*\n.*c\.parquet"
    ):
        run_on_spark(str(tmp_path), options=SparkOptions())


def test_json_lines_with_ids_or_lists_that_change(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(RECORD)
    (tmp_path / "b.jsonl").write_text(RECORD.replace('"paper": 1', '"paper": "1"'))
    with pytest.raises(ReviewProblems, match=r"found ids that are whole numbers in a\.jsonl and text in b\.jsonl"):
        run_on_spark(str(tmp_path), options=SparkOptions())
    (tmp_path / "b.jsonl").unlink()
    many = 2 * FIRST_BYTES // len(RECORD)
    (tmp_path / "a.jsonl").write_text(RECORD * many + RECORD.replace('"paper": 1', '"paper": "1"'))
    with pytest.raises(ReviewProblems, match="found ids that are whole numbers and text, expected the same everywhere"):
        run_on_spark(str(tmp_path), options=SparkOptions())
    record = '{"paper": 1, "rating": 1, "distribution": [0.5, 0.25, 0.25]}\n'
    (tmp_path / "a.jsonl").write_text(record * many + record.replace("[0.5, 0.25, 0.25]", '"50 25 25"'))
    said = "distribution: found lists of numbers in the first records and text in others, .*; write all as lists"
    with pytest.raises(ReviewProblems, match=said):
        run_on_spark(str(tmp_path), options=SparkOptions(scale=Scale(["1", "2", "3"])))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_with_nothing_but_what_is_not_read_lack_a_paper(tmp_path: Path, kind: str) -> None:
    frame = venue(3).with_columns(note=pl.lit(None, dtype=pl.String))
    frame = pl.concat([frame, frame.clear(1).with_columns(note=pl.lit("hm")), frame.clear(1)])
    path = tmp_path / f"a.{kind}"
    frame.write_csv(path) if kind == "csv" else frame.write_parquet(path)  # type: ignore[func-returns-value]
    said = "2 problems\n  column paper: found an empty cell in a review without a paper, .*\n  column rating: found an empty"
    with pytest.raises(ReviewProblems, match=said):
        run_on_spark(str(path), options=SparkOptions())


def test_addresses_are_listed_by_spark(tmp_path: Path) -> None:
    """As of a cluster, of which nobody here could list the files; the result is that of the path."""
    frame = venue()
    for number, (name, part) in enumerate(zip(["a b", "50%25", "007"], parts(frame.sort("paper"), 3), strict=True)):
        folder = tmp_path / f"votes {number}" / f"track={name}"
        folder.mkdir(parents=True)
        part.with_columns(C("paper") + 10_000 * number).write_csv(folder / "part+1.csv", separator=",;\t"[number])
    (tmp_path / "readme.txt").write_text("not a table")
    options = SparkOptions(method="surprisal")
    for pattern in ("", "/votes*", "/*/track=*/*.csv"):
        expected = score_files(f"{tmp_path}{pattern}", method="surprisal")
        found = run_on_spark(f"file://{tmp_path}{pattern}", options=options)
        assert expected.table is not None
        assert found.table is not None
        assert_same(found.table, expected.table)
        assert found.notes == expected.notes
    (tmp_path / "votes 0" / "empty.csv").write_text("")
    (tmp_path / "votes 0" / "short.csv").write_text("paper\n")
    with pytest.raises(ReviewProblems, match=r"1 problem\n  file:.*/votes 0/empty\.csv: found an empty file"):
        run_on_spark(f"file://{tmp_path}", options=options)
    for name in ("none.csv", "none*.csv"):
        with pytest.raises(
            InputError, match=f"^file://{re.escape(str(tmp_path / name))}: there is no such file or folder$"
        ):
            run_on_spark(f"file://{tmp_path}/{name}", options=options)


def test_files_whose_names_say_nothing(tmp_path: Path) -> None:
    """What they are is told by how they begin, but not whether they are packed: that Spark tells by names."""
    frame = venue(6)
    frame.write_parquet(tmp_path / "a")
    frame.write_ndjson(tmp_path / "b.json")
    frame.write_csv(tmp_path / "c.txt", separator=";")
    tables = [
        read_reviews_of(f"{start}{tmp_path}/{name}") for start in ("", "file://") for name in ("a", "b.json", "c.txt")
    ]
    assert tables == [len(frame)] * 6
    (tmp_path / "d.csv").write_bytes(gzip.compress(frame.write_csv().encode()))
    said = r"found a file that is packed by gzip and whose name does not say so, expected a name that ends in \.gz, .*rename"
    with pytest.raises(ReviewProblems, match=said):
        read_reviews_of(str(tmp_path / "d.csv"))
    (tmp_path / "e.csv.gz").write_bytes(gzip.compress(frame.write_csv().encode())[:-20])
    with pytest.raises(InputError, match=r"e\.csv\.gz: a packed file is cut short; write or download it again$"):
        read_reviews_of(str(tmp_path / "e.csv.gz"))


def read_reviews_of(path: str) -> int:
    """How many rows there are."""
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    assert session is not None
    return int(read_reviews(session, path).table.count())


def test_the_command_prints_and_writes_the_same(tmp_path: Path, surpeer: Callable[..., Result]) -> None:
    (tmp_path / "votes").mkdir()
    (tmp_path / "votes" / "a.csv").write_text(decimal_commas(venue(), ";"))
    for arguments in (["score", "--method", "mean"], ["decide", "--accept", "25%"], ["score", "--method", "none"]):
        here, on_spark = (
            surpeer(*arguments, str(tmp_path / "votes"), *engine, "--output", str(tmp_path / f"{name}.csv"))
            for name, engine in {"here": ["--engine", "polars"], "spark": ["--engine", "spark"]}.items()
        )
        assert on_spark.exit_code == here.exit_code
        assert on_spark.stderr == here.stderr
        assert (tmp_path / "spark.csv").read_text() == (tmp_path / "here.csv").read_text()
    decided = surpeer(
        "decide", "--accept", "25%", str(tmp_path / "votes"), "--engine", "spark", "-o", str(tmp_path / "folder")
    )
    summary = next(line for line in decided.stderr.splitlines() if "places for" in line)
    assert re.search(r"\d+ accept, \d+ discuss, \d+ reject; 6 places for 24 papers, ", summary)
