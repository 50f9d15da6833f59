"""Files that people have, sound and broken."""

import csv
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from surpeer import InputError, ReviewProblems, Scale, SurpeerError, calibrate, read_reviews

Write = Callable[[str, str | bytes], Path]

HEADER = "paper,reviewer,rating,p_reject,p_accept\n"
ROWS = "A,r1,accept,0.3,0.7\nA,r2,reject,0.6,0.4\nB,r1,accept,0.2,0.8\n"
RECORDS = [
    {"paper": "A", "reviewer": "r1", "rating": "accept", "p_reject": 0.3, "p_accept": 0.7},
    {"paper": "A", "reviewer": "r2", "rating": "reject", "p_reject": 0.6, "p_accept": 0.4},
    {"paper": "B", "reviewer": "r1", "rating": "accept", "p_reject": 0.2, "p_accept": 0.8},
]


def ranking_of(path: Path) -> list[tuple[object, ...]]:
    return calibrate(read_reviews(path)).table.rows()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("reviews.csv", HEADER + ROWS),
        ("reviews.CSV", (HEADER + ROWS).replace("\n", "\r\n")),
        ("bom.csv", b"\xef\xbb\xbf" + (HEADER + ROWS).encode()),
        ("no ending", HEADER + ROWS),
        ("reviews.txt", HEADER + ROWS.rstrip("\n")),
        ("reviews.tsv", (HEADER + ROWS).replace(",", "\t")),
        ("quoted.csv", '"paper","reviewer","rating","p_reject","p_accept"\n' + ROWS.replace("A", '"A"')),
        ("reviews.jsonl", "\n".join(json.dumps(record) for record in RECORDS)),
        ("reviews.ndjson", "\n".join(json.dumps(record) for record in RECORDS) + "\n\n"),
        ("lines", "\n".join(json.dumps(record) for record in RECORDS)),
        ("other columns.csv", "x,x," + HEADER + "".join(f"1,2,{row}\n" for row in ROWS.splitlines())),
    ],
)
def test_every_sound_file_gives_the_same(name: str, content: str | bytes, write: Write) -> None:
    assert ranking_of(write(name, content)) == ranking_of(write("plain.csv", HEADER + ROWS))


def test_parquet(tmp_path: Path, write: Write) -> None:
    pl.DataFrame(RECORDS).write_parquet(tmp_path / "reviews.parquet")
    (tmp_path / "reviews.parquet").rename(tmp_path / "no ending")
    pl.DataFrame(RECORDS).write_parquet(tmp_path / "reviews.pq")
    expected = ranking_of(write("plain.csv", HEADER + ROWS))
    assert ranking_of(tmp_path / "no ending") == ranking_of(tmp_path / "reviews.pq") == expected


@pytest.mark.parametrize(
    "paper", ["论文 7", "a,b", 'say "hi"', "two\nlines", "007", "=1+1", "[bold]", "-o", "A*?.csv", " x"]
)
def test_any_id_survives(paper: str, write: Write) -> None:
    quoted = '"' + paper.replace('"', '""') + '"'
    path = write("reviews.csv", HEADER + f"{quoted},r1,accept,0.3,0.7\n{quoted},r2,reject,0.6,0.4\n")
    reviews = read_reviews(path)
    assert reviews.papers.to_list() == [paper]
    assert len(reviews) == 2


def test_escaped_characters_in_json_lines(write: Write) -> None:
    line = '{"paper": "\\ud83d\\ude00 \\u8bba", "rating": "a", "p_a": 0.5, "p_b": 0.5}'
    assert read_reviews(write("escaped.jsonl", line)).papers.to_list() == ["😀 论"]


def test_a_file_name_is_not_a_pattern(tmp_path: Path) -> None:
    path = tmp_path / "reviews[1]*.csv"
    path.write_text(HEADER + ROWS)
    (tmp_path / "reviews1.csv").write_text("nothing")
    assert len(read_reviews(path)) == 3


def test_empty_rows_are_skipped_counted_and_keep_their_numbers(write: Write) -> None:
    path = write("reviews.csv", HEADER + "A,r1,accept,0.3,0.7\n\n,,,,\nA,r2,maybe,0.6,0.4\n\n")
    with pytest.raises(ReviewProblems, match='row 5, column rating: found "maybe"'):
        read_reviews(path)
    notes = read_reviews(write("good.csv", path.read_text().replace("maybe", "reject"))).notes
    assert "skipped 3 empty rows" in notes
    assert "skipped 1 empty row" in read_reviews(write("one.csv", HEADER + "\n" + ROWS)).notes


BROKEN = [
    ("empty.csv", "", "empty.csv: 1 problem.*found an empty file, expected a header and at least one review"),
    ("blank.csv", " \n\n", "found an empty file"),
    ("header.csv", HEADER, "header.csv: 1 problem.*found no reviews, expected at least one row below the header"),
    ("bars.csv", HEADER.replace(",", "|"), "found a header separated by bars, expected commas"),
    ("twice.csv", "paper,rating,rating,p_a,p_b\n", "found 2 columns rating, expected every column once; rename or delete the others"),
    ("short.csv", HEADER + "A,r1,accept\n" + ROWS, r'row 2: found 3 cells \(it begins "A,r1"\), expected 5 as in the header; complete the row'),
    ("quoted short.csv", HEADER + '"A",r1,accept\n' + ROWS, "row 2: found 3 cells"),
    ("long.csv", HEADER + ROWS + "A, B,r1,accept,0.3,0.7\n", r'row 5: found 6 cells \(it begins "A, B"\), expected 5 as in the header; remove the extra cells, or put quotes around text with separators in it'),
    ("unclosed.csv", HEADER + '"A,r1,accept,0.3,0.7\n', "row 2: found a row that cannot be read .*expected quotes that are closed"),
    ("half.csv", HEADER + ROWS + '"A"x,r1,accept,0.3,0.7\n', "row 5: found a row that cannot be read"),
    ("nan.csv", HEADER + "A,r1,accept,NaN,0.7\n", 'row 2, column p_reject: found "NaN", expected a fraction between 0 and 1'),
    ("latin.csv", (HEADER + "Müller,r1,accept,0.3,0.7\n").encode("latin-1"), "found byte 0xfc in line 2, expected UTF-8 text; save the table as CSV"),
    ("latin header.csv", "papär,rating,p_a,p_b\nA,a,1,0\n".encode("latin-1"), "found byte 0xe4 in line 1, expected UTF-8 text"),
    ("utf16.csv", (HEADER + ROWS).encode("utf-16"), "found UTF-16 text, expected CSV, Excel, Parquet or JSON; save the table as CSV"),
    ("book.xlsx", b"PK\x03\x04...", "found a damaged zip archive, perhaps cut off, expected a sound workbook"),
    ("book.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "found a damaged workbook"),
    ("reviews.csv.gz", b"\x1f\x8b...", "found a gzip archive"),
    ("nul.csv", HEADER + "A\0,r1,accept,0.3,0.7\n", "found no text .a NUL byte in line 2., expected CSV, Excel, Parquet or JSON"),
    ("fake.parquet", "PAR1 and nothing else", "found a damaged Parquet file .*expected a sound one; write it again"),
    ("text.parquet", HEADER + ROWS, "found a damaged Parquet file"),
    ("really.csv", b"PAR1....", "found a Parquet file, expected text; rename it to end in .parquet"),
    ("list.json", "[]", "found other JSON, expected a table: CSV, Excel, or a JSON list of objects"),
    ("list.jsonl", "[1]", "found other JSON, expected a table"),
    ("above.csv", "\n\n" + HEADER + ROWS, "found an empty first row, expected the column names in it; delete what is above the header"),
    ("open header.csv", 'paper,"reviewer\nP1,R1\n', "row 1: found a row that cannot be read"),
    ("table.jsonl", HEADER + ROWS, "row 1: found no JSON"),
    ("half.jsonl", '{"paper": "\\ud800"}', "row 1: found half of a surrogate pair"),
    ("twice.jsonl", '{"paper": "A", "paper": "B"}', r'row 1: found JSON with the same key twice \("paper"\)'),
    ("twice.json", '[{"paper": "A", "x": {"Score": 1, "Score": 2}}]', r'found JSON with the same key twice \("Score"\), expected an export of a platform'),
    ("twice lines.json", '{"a": 1}\n{"a": 1, "a": 1}\n{"a": -Infinity}', '(?s)row 2: found JSON with the same key twice .*row 3: found JSON with -Infinity, which is no number'),
    ("nan.json", '{"notes": [{"rating": NaN}]}', "found JSON with NaN, which is no number .leave the key out if there is none."),
    ("half.json", '[{"paper": "\\uDFFF"}]', "found half of a surrogate pair, expected an export"),
    ("deep.json", "[" * 200_000, "found JSON that cannot be decoded .too many brackets inside each other.|found JSON that breaks"),
    ("nan.jsonl", '{"paper": "A", "rating": "0", "prediction": NaN}', "row 1: found JSON with NaN, which is no number"),
    ("deep.jsonl", '{"a":' * 100_000, "row 1: found JSON that cannot be decoded"),
    ("lists.jsonl", '{"paper": "A", "rating": ["0"], "p_0": [0.5], "p_1": [0.5]}', r'(?s)row 1, column rating: found "..0....*row 1, column p_0: found ".0.5."'),
    ("true.jsonl", '{"paper": "A", "rating": 0, "p_0": 1, "p_1": 0}\n{"paper": "A", "rating": true, "p_0": true, "p_1": 0}', '(?s)row 2, column rating: found "true".*row 2, column p_0: found "true"'),
    ("damaged quote.csv", 'paper,reviewer,rating,p_0,p_1,comment\nA,r1,0,.5,.5,"open\nA,r2,1,.4,.6,"x"\nB,r3,1,.4,.6,"x"', "row 2: found a row that cannot be read"),
    ("inner quote.csv", HEADER + '"a "quoted" word",r1,accept,0.3,0.7\n', "row 2: found a row that cannot be read"),
    ("bare return.csv", HEADER + "P1\r,r3,accept,0.5,0.5\nP1,r4,reject,0.5,0.5\n", r'row 2: found 1 cell'),
    ("ids.jsonl", '{"paper": 1.5, "rating": "a"}\n{"paper": true, "rating": "a"}\n', "(?s)row 1, column paper: found 1.5, expected text or a whole number.*row 2, column paper: found true"),
    ("bad.jsonl", '{"paper": "A", "rating": \n', "row 1: found no JSON .*expected one JSON object a line"),
    ("scalar.jsonl", '{"paper": "A"}\n7\n', 'row 2: found "7", expected one JSON object a line'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_every_broken_file_is_explained(name: str, content: str | bytes, message: str, write: Write) -> None:
    with pytest.raises(InputError, match="(?s)" + message):
        read_reviews(write(name, content))


def test_broken_rows_and_bad_cells_are_reported_together(write: Write) -> None:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(
            write(
                "bad.csv",
                HEADER + "A,r1\n" + "A,r2,Reject,0.6,0.4\n" + "B,r1,accept,0.2,0.8,9\n" + "B,r3,accept,2,0.8\n",
            )
        )
    assert [problem.row for problem in caught.value.problems] == [2, 3, 4, 5]


def test_mixed_types_in_json_lines_are_shown_as_they_are(write: Write) -> None:
    lines = '{"paper": 1, "rating": "accept", "p_reject": "a", "p_accept": 0.5}\n{"paper": 2, "rating": 1, "p_reject": 0.5, "p_accept": [1]}'
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("mixed.jsonl", lines))
    text = str(caught.value)
    assert 'row 1, column p_reject: found "a"' in text
    assert 'row 2, column rating: found "1"' in text
    assert 'row 2, column p_accept: found "[1]"' in text


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=[HEADER + ROWS])
    writer.start()
    assert len(read_reviews(pipe)) == 3
    writer.join()


def test_missing_file_folder_and_forbidden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="none.csv: there is no such file"):
        read_reviews(tmp_path / "none.csv")
    with pytest.raises(InputError, match="found a folder, expected a file of reviews"):
        read_reviews(tmp_path)

    def refuse(self: Path, *arguments: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_reviews(tmp_path / "reviews.csv")


@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.sampled_from(["x.csv", "x.tsv", "x.jsonl", "x.parquet", "x"]))
@example(b"paper,rating\n", "x.csv")
@example(b'"', "x.csv")
@example(b'{"paper":', "x")
def test_no_bytes_make_a_traceback(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SurpeerError):
        read_reviews(path)


cells = st.sampled_from(
    ["A", "B", "", "accept", "reject", "0.5", "1", "-1", "nan", '"', '""', '"x,y"', "\n", ",", "é", " ", "1e400"]
)


@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(cells, max_size=7), max_size=6))
def test_no_table_makes_a_traceback(tmp_path: Path, rows: list[list[str]]) -> None:
    path = tmp_path / "x.csv"
    path.write_text(HEADER + "\n".join(",".join(row) for row in rows))
    try:
        reviews = read_reviews(path)
    except SurpeerError:
        return
    assert len(calibrate(reviews)) == len(reviews.papers)


partial_cells = st.sampled_from(["a", "b", "c", "", "0", "0.5", "1", "2.5", "-1", "nan", "1e308", "x", " ", "0.9995"])


@examples(200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["fraction", "percent", "count"]),
    st.lists(st.lists(partial_cells, min_size=4, max_size=4), min_size=1, max_size=5),
)
def test_no_partial_forecast_makes_a_traceback(tmp_path: Path, unit: str, rows: list[list[str]]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("paper,rating,p_a,p_c,expected,track\n" + "".join(f"A,b,{','.join(row)}\n" for row in rows))
    try:
        reviews = read_reviews(path, Scale(["a", "b", "c"]), unit=unit)
    except ReviewProblems:
        return
    sums = np.nansum(reviews.predictions, axis=1)
    assert (np.nan_to_num(reviews.predictions) >= 0).all()
    assert (sums <= 1.001 * (1 + 1e-6)).all()
    np.testing.assert_allclose(sums[reviews.has_prediction], 1, atol=1.1e-3)
    assert reviews.expected is not None
    assert not (~np.isnan(reviews.expected) & reviews.has_prediction).any()
    assert len(calibrate(reviews, "surprisal")) == 1


def test_long_cells_are_no_problem_in_rows_that_are_read_with_care(write: Write) -> None:
    long = "very long; " * 20_000
    path = write(
        "long.csv",
        f'paper,reviewer,rating,p_reject,p_accept,text\nA,r1,accept,0.3,0.7,"{long}"\nA,r2,reject,0.5,0.5,\n',
    )
    assert len(read_reviews(path)) == 2
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("short.csv", path.read_text() + "A,r3\n"))
    assert [problem.row for problem in caught.value.problems] == [4]
    assert csv.field_size_limit() == 131_072


def test_all_columns_that_are_there_twice_are_named_at_once(write: Write) -> None:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("r.csv", "paper,rating,rating,p_0,p_1,p_1,p_1,x,x\n"))
    assert [problem.found for problem in caught.value.problems] == ["2 columns rating", "3 columns p_1"]
