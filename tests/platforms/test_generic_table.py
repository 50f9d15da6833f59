"""Tables of questionnaires and spreadsheets, and files that nobody knows."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surpeer import InputError, ReviewProblems, Scale, read_reviews
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms import table
from surpeer.reviews import Reviews

Write = Callable[[str, str | bytes], Path]

FORM = """Timestamp,Email Address,Submission no,Your rating of the paper,How many of 10 other reviewers would choose 1?,\
How many of 10 other reviewers would choose 2?,How many of 10 other reviewers would choose 3?,Comments
2026-01-01,a@example.org,7,1,5,3,2,"a text, with a comma"
2026-01-02,b@example.org,7,3,0,4,6,
2026-01-03,a@example.org,12,2,1,1,8,"two
lines"
"""
GERMAN = "Nr;Gutachter;Urteil;Ablehnen;Annehmen\n1;a;nein;0,3;0,7\n1;b;ja;0,25;0,75\n2;a;ja;0,1;0,9\n"
MAP = """
paper = "Nr"
reviewer = "Gutachter"
rating = "Urteil"
levels = ["nein", "ja"]
[predictions]
nein = "Ablehnen"
ja = "Annehmen"
"""


def test_a_questionnaire(write: Write) -> None:
    reviews = read_reviews(write("answers.csv", FORM))
    assert reviews.papers.to_list() == [7, 12]
    assert reviews.reviewer is not None
    assert reviews.reviewer.to_list() == ["a@example.org", "b@example.org", "a@example.org"]
    assert reviews.predictions.tolist() == [[0.5, 0.3, 0.2], [0, 0.4, 0.6], [0.1, 0.1, 0.8]]
    assert reviews.notes[:2] == (
        "read as a plain table, with a row for each review: 3 reviews of 2 papers",
        'rating: "Your rating of the paper"; levels, lowest first: 1, 2, 3 (from the predictions)',
    )


def test_a_problem_has_the_row_of_the_file(write: Write) -> None:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("answers.csv", FORM.replace("12,2,1,1,8", "12,2,1,1,7")))
    columns = "How many of 10 other reviewers would choose {}?"
    assert [str(problem) for problem in caught.value.problems] == [
        (
            f"row 4, column {', '.join(columns.format(level) for level in (1, 2, 3))}: found predictions that sum to 9, "
            "expected 10, as most others do; correct them, or add --normalise, which scales what is up to 10% off"
        )
    ]


def german(write: Write, content: str = GERMAN, columns: str = MAP, **how: Any) -> Reviews:
    return read_reviews(write("urteile.csv", content), columns=write("columns.toml", columns), **how)


def test_a_column_map(write: Write) -> None:
    reviews = german(write)
    assert reviews.scale.levels == ("nein", "ja")
    assert reviews.rating.tolist() == [0, 1, 1]
    assert reviews.predictions.tolist() == [[0.3, 0.7], [0.25, 0.75], [0.1, 0.9]]
    assert "6 numbers with a decimal comma read: 0,3 is 0.3" in reviews.notes


def test_options_count_more_than_the_map(write: Write) -> None:
    turned = german(write, scale=Scale(["ja", "nein"]))
    assert turned.rating.tolist() == [1, 0, 0]
    without = german(write, predictions=("none",))
    assert not without.has_forecast.any()
    single = german(write, predictions=("Annehmen",))
    assert single.predictions.tolist() == [[0.3, 0.7], [0.25, 0.75], [0.1, 0.9]]


def test_a_header_below_a_title(write: Write) -> None:
    reviews = german(write, "Tagung;;;;\n;;;;\n" + GERMAN, "header_row = 3\n" + MAP)
    assert len(reviews) == 3
    with pytest.raises(ReviewProblems, match='row 5, column Urteil: found "vielleicht", expected one of nein, ja'):
        german(write, "Tagung;;;;\n;;;;\n" + GERMAN.replace("b;ja", "b;vielleicht"), "header_row = 3\n" + MAP)
    path = f"{write('urteile.csv', GERMAN)}"
    message = f"{path}: found 4 rows, expected the header in row 9"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        german(write, GERMAN, "header_row = 9\n" + MAP)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Nr", "Nummer"), ('found no column "Nummer" for the paper; the columns are "Nr", "Gutachter", "Urteil", '
         '"Ablehnen", "Annehmen"')),
        (("Gutachter", "Wer"), ('found no column "Wer" for the reviewer; the columns are "Nr", "Gutachter", "Urteil", '
         '"Ablehnen", "Annehmen"')),
    ],
)  # fmt: skip
def test_a_map_of_columns_that_are_not_there(change: tuple[str, str], message: str, write: Write) -> None:
    with pytest.raises(
        InputError, match=f"urteile.csv: {re.escape(message)}; header_row and sheet in the column map say where"
    ):
        german(write, columns=MAP.replace(*change))


def test_a_rating_of_the_map_that_is_not_there(write: Write) -> None:
    with pytest.raises(InputError, match='unknown field for the rating "Note"; known: Urteil, Ablehnen, Annehmen$'):
        german(write, columns=MAP.replace('"Urteil"', '"Note"'))


def test_a_sheet_of_a_workbook() -> None:
    other = Sheet([["a", "b"], ["1", "2"]], "Notes")
    sheet = Sheet([["Paper", "Score"], ["1", "2"], ["1", "3"], [], ["", ""], ["2", "2"]], "Reviews")
    export = table.read(Content("book.xlsx", (other, sheet)), None)
    assert export.kind == 'sheet "Reviews"'
    assert (export.paper, export.place) == (["1", "1", "2"], [2, 3, 6])
    message = 'book.xlsx: found no sheet "Data"; sheets: "Notes", "Reviews"'
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        table.read_with(Content("book.xlsx", (other, sheet)), None, table.ColumnMap(sheet="Data"))


def test_rows_without_a_paper(write: Write) -> None:
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(write("r.csv", "Submission,Score\n1,2\n,3\n2,3\n"))
    assert [str(problem) for problem in caught.value.problems] == [
        "row 3, column Submission: found an empty cell, expected the id of a paper; fill it in or delete the row"
    ]


def test_problems_below_a_later_header_have_the_rows_of_the_file(write: Write) -> None:
    path = write("r.csv", "Our workshop\n\nSubmission,Score\n1,2\n2,3,4\n,3\n2,x\n")
    columns = write("columns.toml", 'paper = "Submission"\nrating = "Score"\nheader_row = 3\nlevels = ["2", "3"]')
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(path, columns=columns)
    assert [str(problem).partition(",")[0] for problem in caught.value.problems] == [
        'row 5: found 3 cells (it begins "2',
        "row 6",
        "row 7",
    ]


def test_records_of_json_count_from_1(write: Write) -> None:
    path = write(
        "r.json",
        '[{"Submission": 1, "Score": 2}, {"Score": 3}, {"Submission": 2, "Score": "x"}, {"Submission": 2, "Score": 2}, {"Submission": 1, "Score": 3}]',
    )
    with pytest.raises(ReviewProblems) as caught:
        read_reviews(path, Scale(["2", "3"]))
    assert [problem.row for problem in caught.value.problems] == [2, 3]


def test_two_columns_that_may_be_the_paper(write: Write) -> None:
    path = write("r.csv", "Paper ID,Submission,Score\n1,2,3\n")
    message = (
        f'{path}: found 2 columns that may be the paper: "Paper ID", "Submission"; '
        'say which in a file: --columns FILE, with a line such as paper = "Paper ID"'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_reviews(path)


HOW = (
    "name the platform that the file comes from (--from NAME; `surpeer platforms` lists them), "
    'or say in a file which column is what (--columns FILE, with lines such as paper = "Submission no.")'
)


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("x.csv", "Nr;Urteil;Wer\n1;ja;a\n", '"Nr", "Urteil", "Wer"'),
        ("x.tsv", "Nr\tUrteil\tWer\n1\tja\ta\n", '"Nr", "Urteil", "Wer"'),
        ("x.json", '[{"Nr": 1, "Urteil": "ja", "Wer": "a"}]', '"Nr", "Urteil", "Wer"'),
        ("x.txt", "just some text\nand more of it\n", '"just some text"'),
    ],
)
def test_a_file_that_nobody_knows(name: str, content: str, columns: str, write: Write) -> None:
    path = write(name, content)
    message = f"{path}: found no column that is the paper; {HOW}; the columns are {columns}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_reviews(path)


def test_a_table_without_a_rating(write: Write) -> None:
    path = write("x.csv", "Submission,Title\n" + "".join(f"{at},Title {at}\n" for at in range(20)))
    message = (
        f"{path}: found no field that looks like a rating; say which it is with --rating NAME, and name its levels "
        "with --levels; the fields are (none)"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_reviews(path)


RECORDS: list[dict[str, Any]] = [
    {"Submission": 1, "Reviewer": "a", "Score": 2, "Prediction": "0 100"},
    {"Submission": 1, "Reviewer": "b", "Score": 1.0, "Prediction": [30, 70]},
    {"Submission": 2, "Reviewer": "a", "Score": "2", "Prediction": None},
]


def test_a_json_list(write: Write) -> None:
    reviews = read_reviews(write("r.json", json.dumps(RECORDS)))
    assert reviews.papers.to_list() == [1, 2]
    assert reviews.predictions[:2].tolist() == [[0, 1], [0.3, 0.7]]
    lines = read_reviews(write("r", "\n".join(map(json.dumps, RECORDS))))
    assert lines.rating.tolist() == reviews.rating.tolist() == [1, 0, 1]


def test_records_are_counted_from_one(write: Write) -> None:
    records = [*RECORDS, {"Submission": 2, "Reviewer": "b", "Score": "1", "Prediction": "30 60 10"}]
    with pytest.raises(ReviewProblems, match='row 4, column Prediction: found 3 numbers \\("30 60 10"\\)'):
        read_reviews(write("r.json", json.dumps(records)))


@pytest.mark.parametrize(
    "document", ["[]", "{}", "[1, 2]", '{"a": {"b": 1}}', "[[1]]", '[{"a": 1}, 2]', "null", "[{}]"]
)
def test_json_that_is_no_table(document: str, write: Write) -> None:
    for platform in (None, "table"):
        with pytest.raises(InputError, match=r"r\.json: "):
            read_reviews(write("r.json", document), platform=platform)


def test_records_with_ever_other_keys_are_no_form(write: Write) -> None:
    records = [{f"key {at}": 1, "paper": 1, "rating": 1} for at in range(5000)]
    with pytest.raises(ReviewProblems, match="found 5,002 columns, expected a form of at most 300"):
        read_reviews(write("r.json", json.dumps(records)), platform="table")


def test_a_map_for_a_platform_that_has_its_own_names(write: Write) -> None:
    path = write("scores.csv", "Paper,Reviewer,Score\n1,a,2\n2,b,3\n")
    with pytest.raises(
        InputError, match="names its columns itself; leave paper and the like out of the column map .--columns.$"
    ):
        read_reviews(path, platform="revnorm", columns=write("columns.toml", 'paper = "Paper"'))


def test_an_unknown_platform(write: Write) -> None:
    with pytest.raises(InputError, match='^unknown platform "hotcrap"; did you mean "hotcrp"\\?; known: hotcrp, '):
        read_reviews(write("r.csv", GERMAN), platform="hotcrap")


def test_our_own_columns_take_no_description(write: Write) -> None:
    path = write("r.csv", "paper,rating,p_1,p_2\nA,1,0.5,0.5\n")
    message = (
        "--from surpeer is a table in surpeer's own columns, whose names say what they are; "
        "leave --form, --columns, --rating, --prediction and --round out"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_reviews(path, platform="surpeer", rating="rating")


def test_our_own_columns_with_another_rating(write: Write) -> None:
    path = write("r.csv", "paper,rating,second,p_1,p_2\nA,1,2,0.4,0.6\nA,2,2,0.5,0.5\nB,1,1,0.1,0.9\n")
    reviews = read_reviews(path, rating="second")
    assert reviews.rating.tolist() == [1, 1, 0]
    assert reviews.predictions.tolist() == [[0.4, 0.6], [0.5, 0.5], [0.1, 0.9]]


@pytest.mark.parametrize(
    "header",
    ["paper,reviewer,rating,predicted_share_1,predicted_share_2", "Paper,Reviewer,Rating,Predicted % of 1,Forecast 2"],
)
def test_columns_that_are_only_nearly_ours(header: str, write: Write) -> None:
    rows = [["A", "r1", "1", "30", "70"], ["A", "r2", "2", "60", "40"]]
    reviews = read_reviews(write("r.csv", header + "\nA,r1,1,30,70\nA,r2,2,60,40\n"))
    assert reviews.predictions.tolist() == [[0.3, 0.7], [0.6, 0.4]]
    assert reviews.notes[0] == "read as a plain table, with a row for each review: 2 reviews of 1 paper"
    lines = "\n".join(json.dumps(dict(zip(header.split(","), row, strict=True))) for row in rows)
    again = read_reviews(write("r.jsonl", lines), unit="percent")
    assert again.predictions.tolist() == [[0.3, 0.7], [0.6, 0.4]]
