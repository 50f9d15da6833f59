"""From a platform's export to a file that the platform takes, through the command line."""

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

HOTCRP = """paper,title,review,reviewername,email,Overall merit,Predicted % of 1 Reject,Predicted % of 2 Accept,Comments
1,A title,1A,Ann Reviewer,ann@example.org,2,3,9,"Fine,
with a second line"
1,A title,1B,Bob Reviewer,bob@example.org,2,2,10,
1,A title,1C,Cy Reviewer,cy@example.org,1,6,6
2,Another,2A,Ann Reviewer,ann@example.org,1,5,7,
2,Another,2B,Bob Reviewer,bob@example.org,1,7,5
2,Another,2C,Dee Reviewer,dee@example.org,2,4,8
10,Third,10A,Ann Reviewer,ann@example.org,2,6,6
10,Third,10B,Cy Reviewer,cy@example.org,2,8,4
10,Third,10C,Dee Reviewer,dee@example.org,2,7,5
"""


@pytest.fixture
def export(write) -> Path:
    return write("export.csv", HOTCRP)


def test_what_was_understood_is_shown(surpeer, export):
    result = surpeer("score", export)
    assert result.exit_code == 0
    notes = result.stderr.splitlines()
    assert notes[:4] == [
        "note: read as HotCRP, Reviews (CSV): 9 reviews of 3 papers",
        'note: rating: "Overall merit"; levels, lowest first: 1, 2 (from the predictions)',
        'note: predictions: "Predicted % of 1 Reject" for 1, "Predicted % of 2 Accept" for 2',
        "note: predictions are read as choices counted from 1, in steps of 10%, because so 9 of 9 sum to 100; give the form's settings (--form FILE) to be sure",
    ]
    assert [row["paper"] for row in csv.DictReader(io.StringIO(result.stdout))] == ["10", "1", "2"]


def test_tags_for_hotcrp(surpeer, export, tmp_path):
    out = tmp_path / "tags.csv"
    result = surpeer("score", export, "--to", "hotcrp", "-o", out)
    assert result.exit_code == 0, result.stderr
    assert (
        "note: upload the file in HotCRP under Assignments > Bulk update; only chairs see these tags" in result.stderr
    )
    lines = out.read_text().splitlines()
    assert lines[:4] == [
        "paper,action,tag",
        "all,cleartag,~~surpeer",
        "all,cleartag,~~surpeer_rank",
        "all,cleartag,~~surpeer_discuss",
    ]
    ranking = pl.read_csv(io.StringIO(surpeer("score", export).stdout))
    for paper, rank, score in ranking.select("paper", "rank", "score").rows():
        assert f"{paper},tag,~~surpeer_rank#{rank}" in lines
        tag = next(line for line in lines if line.startswith(f"{paper},tag,~~surpeer#"))
        assert float(tag.partition("#")[2]) == pytest.approx(score, abs=5e-5)


def test_proposals_decide_what_is_to_be_discussed(surpeer, export, tmp_path):
    out = tmp_path / "tags.csv"
    assert surpeer("score", export, "--to", "hotcrp", "--accept", "1", "-o", out).exit_code == 0
    decisions = pl.read_csv(io.StringIO(surpeer("decide", export, "--accept", "1", "-f", "csv").stdout))
    discussed = {f"{paper},tag,~~surpeer_discuss" for paper in decisions.filter(proposal="discuss")["paper"]}
    assert {line for line in out.read_text().splitlines() if line.endswith("tag,~~surpeer_discuss")} - {
        "all,cleartag,~~surpeer_discuss"
    } == discussed


def test_decisions_for_openreview_in_a_folder(surpeer, export, tmp_path):
    folder = tmp_path / "decisions"
    result = surpeer(
        "decide", export, "--accept", "1", "--certainty", "0.5", "--to", "openreview", "-o", folder,
        "--accept-as", "Accept (poster)", "--venue", "Test.org/2026/Conference",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    rows = list(csv.reader((folder / "decisions.csv").read_text().splitlines()))
    document = json.loads((folder / "decisions.json").read_text())
    decided = {paper["number"]: paper["decision"] for paper in document["papers"]}
    assert {int(number): decision for number, decision, _ in rows} == {
        k: v for k, v in decided.items() if v is not None
    }
    assert set(decided) == {1, 2, 10}
    assert {"Accept (poster)", "Reject"} >= set(decided.values()) - {None}
    assert f"wrote {folder / 'decisions.csv'} and {folder / 'decisions.json'}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "hotcpr"), 'unknown destination "hotcpr"; did you mean "hotcrp"?; known: hotcrp, openreview, xlsx'),
        (("--to", "hotcrp", "-f", "csv"), "found both --to hotcrp and --format, expected one of them; leave --format out"),
        (("--to", "hotcrp", "-o", "x.json"), "x.json: --to hotcrp writes a file ending in .csv; give --output such a name"),
        (("--to", "xlsx", "-o", "x.csv"), "x.csv: --to xlsx writes a file ending in .xlsx; give --output such a name"),
        (("--to", "openreview", "-o", "x.txt"), "OpenReview takes decisions"),
        (("--to", "openreview",), "OpenReview takes decisions: say how many papers can be accepted, as in --accept 25%"),
        (("--to", "hotcrp", "--venue", "X"), "--venue, --accept-as and --reject-as are for --to openreview"),
        (("--to", "hotcrp", "--accept", "foo"), "--accept foo: expected a number of papers such as 12"),
        (("--accept", "25%"), "--accept is for files with decisions (--to); to see decisions use `surpeer decide`"),
        (("--from", "hotcpr"), 'unknown platform "hotcpr"; did you mean "hotcrp"?'),
        (("--rating", "Merit"), 'unknown field for the rating "Merit"'),
        (("--round", "R7"), 'unknown round "R7"; known: unnamed'),
        (("--key", "k"), "a key is for pseudonyms; add --reviewers pseudonym, or leave the key out"),
        (("--reviewers", "hide"), 'unknown way to treat reviewers "hide"; known: keep, drop, pseudonym'),
        (("--reviewers", "pseudonym"), "pseudonyms need a key; name a file with --key FILE"),
    ],
)  # fmt: skip
def test_options_that_cannot_be(surpeer, export, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = surpeer("score", export, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["export.csv"]


def test_ids_that_hotcrp_does_not_know_are_refused(surpeer, write, tmp_path):
    path = write("own.csv", "paper,rating,p_0,p_1\nA,0,0.5,0.5\nB,1,0.5,0.5\n")
    result = surpeer("score", path, "--to", "hotcrp", "-o", tmp_path / "tags.csv")
    assert result.exit_code == 2
    assert '2 papers with an id that is no number of HotCRP ("B", "A"), expected numbers from 1' in result.stderr
    assert not (tmp_path / "tags.csv").exists()


def test_convert_keeps_what_scoring_needs_and_nothing_else(surpeer, export, tmp_path):
    out, key = tmp_path / "reviews.csv", tmp_path / "venue.key"
    result = surpeer("convert", export, "--reviewers", "pseudonym", "--key", key, "-o", out)
    assert result.exit_code == 0, result.stderr
    table = pl.read_csv(out)
    assert table.columns == ["paper", "title", "reviewer", "rating", "p_1", "p_2"]
    assert table.row(0)[3:] == (2, 0.2, 0.8)
    assert "example.org" not in out.read_text()
    assert "Fine" not in out.read_text()
    assert table.filter(pl.col("paper") == 1)["reviewer"][0] == table.filter(pl.col("paper") == 2)["reviewer"][0]
    levels = ["--levels", "1,2", "--values=1,2"]
    assert surpeer("score", out, *levels).stdout == surpeer("score", export).stdout
    assert "to score it: surpeer score" in result.stdout
    again = tmp_path / "again.csv"
    assert surpeer("convert", export, "--reviewers", "pseudonym", "--key", key, "-o", again).exit_code == 0
    assert again.read_bytes() == out.read_bytes()


def test_convert_drops_reviewers(surpeer, export, tmp_path):
    out = tmp_path / "reviews.jsonl"
    assert surpeer("convert", export, "--reviewers", "drop", "-o", out).exit_code == 0
    first = json.loads(out.read_text().splitlines()[0])
    assert first == {"paper": 1, "title": "A title", "rating": "2", "p_1": 0.2, "p_2": 0.8}


def test_convert_wants_an_ending(surpeer, export, tmp_path):
    result = surpeer("convert", export, "-o", tmp_path / "reviews.txt")
    assert result.exit_code == 2
    assert "the ending says no format that is known; end it in one of .csv, .jsonl, .parquet" in result.stderr


def test_problems_are_named_as_the_platform_names_them(surpeer, write):
    path = write("export.csv", HOTCRP.replace("cy@example.org,1,6,6", "cy@example.org,1,6,7"))
    result = surpeer("validate", path)
    assert result.exit_code == 1
    assert (
        "row 4 (review 1C), column Predicted % of 1 Reject, Predicted % of 2 Accept: found predictions that sum to 110, "
        "expected 1 or 100; correct them, or add --normalise" in result.stdout
    )
    assert surpeer("score", path, "--normalise").exit_code == 0


def test_platforms_are_listed(surpeer):
    listed = surpeer("platforms").stdout
    for name in ("hotcrp", "openreview", "easychair", "cmt", "pretalx", "indico", "revnorm", "table", "surpeer"):
        assert f"\n{name} " in listed


@pytest.mark.parametrize("ask", ["shares", "text", "expected"])
def test_a_form_and_its_page(surpeer, tmp_path, ask):
    out = tmp_path / "form.json"
    result = surpeer("form", "hotcrp", "--scale", "four-grades", "--ask", ask, "-o", out)
    assert result.exit_code == 0, result.stderr
    fields = json.loads(out.read_text())["rf"]
    assert fields[0]["name"] == "Overall merit"
    assert len(fields) == (5 if ask == "shares" else 2)
    assert all(field["visibility"] == "admin" for field in fields[1:])
    page = (tmp_path / "form-for-reviewers.md").read_text()
    assert "Only the program chairs and you see your prediction." in page
    assert "- weak accept" in page
    assert max(map(len, page.splitlines())) <= 125


def test_a_form_for_openreview_needs_the_venue(surpeer, tmp_path):
    result = surpeer("form", "openreview", "--levels", "1..4")
    assert result.exit_code == 2
    assert "OpenReview needs the id of the venue: --venue Conf.org/2026/Conference" in result.stderr
    printed = surpeer("form", "openreview", "--levels", "1..4", "--venue", "Conf.org/2026/Conference")
    options = json.loads(printed.stdout)
    assert list(options) == ["rating", *(f"predicted_share_{level}" for level in range(1, 5))]
    assert all("Conf.org/2026/Conference/Program_Chairs" in options[f"predicted_share_{k}"]["readers"] for k in (1, 4))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("easychair",), 'unknown platform for a form "easychair"; known: hotcrp, openreview'),
        (("hotcrp",), "the form needs levels, lowest first: --levels 1..4, or --scale FILE"),
        (("hotcrp", "--levels", "1..4", "--ask", "share"), 'unknown kind of question "share"; did you mean "shares"?'),
        (("hotcrp", "--levels", "1..4", "--scale", "1-5"), "found both --levels and --scale"),
        (("hotcrp", "--levels", "1..4", "--venue", "X"), "--venue and --area-chairs are for OpenReview"),
        (("openreview", "--levels", "1..4", "--rating", "X"), "--rating is for HotCRP"),
        (("hotcrp", "--levels", "1..4", "-o", "f.json", "--text", "f.json"), "found one file for the settings and for the page"),
    ],
)  # fmt: skip
def test_forms_that_cannot_be(surpeer, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = surpeer("form", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_cells_that_a_spreadsheet_would_run(surpeer, write, tmp_path):
    path = write("own.csv", 'paper,rating,p_0,p_1\n"=HYPERLINK(""x"")",0,0.5,0.5\n-7,1,0.5,0.5\n@A1,1,0.4,0.6\n')
    papers = [row["paper"] for row in csv.DictReader(io.StringIO(surpeer("score", path, "-f", "csv").stdout))]
    assert sorted(papers) == ['\'=HYPERLINK("x")', "'@A1", "-7"]


FORM = {
    "rf": [
        {
            "name": "Overall merit",
            "type": "radio",
            "values": [{"symbol": k, "name": n, "order": k} for k, n in ((1, "Reject"), (2, "Accept"))],
        }
    ]
}
TENS = [{"symbol": k + 1, "name": f"{10 * k}%", "order": k + 1} for k in range(11)]


def form_with(*names: str) -> str:
    """HotCRP's settings with a dropdown of percentages for each of these names."""
    return json.dumps({"rf": [*FORM["rf"], *({"name": name, "type": "dropdown", "values": TENS} for name in names)]})


def test_levels_of_the_form_may_be_called_otherwise_than_in_the_fields(surpeer, export, write):
    form = write("form.json", form_with("Predicted % of 1 Lowest", "Predicted % of 2 Highest"))
    result = surpeer("score", export, "--form", form)
    assert result.exit_code == 0, result.stderr
    assert 'note: predictions: "Predicted % of 1 Reject" for 1, "Predicted % of 2 Accept" for 2' in result.stderr
    assert result.stdout == surpeer("score", export).stdout


def test_a_form_that_lacks_one_of_the_predictions(surpeer, export, write):
    form = write("form.json", form_with("Predicted % of 1 Reject"))
    result = surpeer("score", export, "--form", form)
    assert result.exit_code == 2
    assert (
        'the form has no question "Predicted % of 2 Accept", so that it is not known what the answers stand for '
        '(it has "Predicted % of 1 Reject"); give the form that the reviews were written with' in result.stderr
    )


def test_the_form_of_another_venue(surpeer, export, write):
    form = write("form.json", json.dumps({"rf": [{"name": "Novelty", "type": "radio", "values": TENS}]}))
    result = surpeer("score", export, "--form", form)
    assert result.exit_code == 2
    assert f"{form}: none of its questions is in {export}; is it the form of this venue?" in result.stderr


def test_answers_that_the_form_does_not_have(surpeer, write):
    path = write("export.csv", HOTCRP.replace("org,2,", "org,A,").replace("org,1,", "org,B,"))
    form = write("form.json", form_with("Predicted % of 1 Reject", "Predicted % of 2 Accept"))
    result = surpeer("score", path, "--form", form)
    assert result.exit_code == 2
    assert 'the answers of "Overall merit" are others than the form has: found "A", expected 1, 2' in result.stderr


def test_predictions_of_unknown_levels_are_not_overlooked(surpeer, write):
    path = write(
        "export.csv",
        HOTCRP.replace("Predicted % of 1 Reject", "Predicted share: blue").replace(
            "Predicted % of 2 Accept", "Predicted share: green"
        ),
    )
    result = surpeer("score", path)
    assert result.exit_code == 2
    assert (
        'found fields that may be predictions, but not of which of the levels 1, 2: "Predicted share: blue", '
        '"Predicted share: green"; name them with --prediction, once for each level, lowest first, or do without: '
        "--prediction none" in result.stderr
    )
    named = surpeer("score", path, "--prediction", "Predicted share: blue", "--prediction", "Predicted share: green")
    assert named.exit_code == 0, named.stderr


def test_a_file_that_ends_in_the_middle_of_a_row(surpeer, write):
    result = surpeer("score", write("export.csv", HOTCRP[:-6]))
    assert result.exit_code == 2
    assert (
        "row 10: found a last row that ends after 6 cells and without a line end, expected 9 as in the header; the file may have been cut off"
        in result.stderr
    )


def test_a_ranking_is_no_file_of_reviews(surpeer, export, tmp_path):
    ranking = tmp_path / "ranking.csv"
    assert surpeer("score", export, "-o", ranking).exit_code == 0
    result = surpeer("score", ranking)
    assert result.exit_code == 2
    assert "surpeer wrote this: give the reviews that it was made from" in result.stderr


def test_numbers_of_exports_stand_for_themselves_also_when_they_are_named(surpeer, write):
    path = write("scores.csv", "Paper,Reviewer,Score\n1,a,-2\n1,b,3\n2,a,1\n2,b,1\n")
    found = pl.read_csv(io.StringIO(surpeer("score", path).stdout)).sort("paper")["mean"].to_list()
    named = pl.read_csv(io.StringIO(surpeer("score", path, "--levels=-3..3").stdout)).sort("paper")["mean"].to_list()
    assert found == named == [0.5, 1.0]


def test_averages_are_ratings_with_all_their_digits(surpeer, write):
    path = write("scores.csv", "Paper,Reviewer,Score\n1,a,4.666666666666667\n2,a,4.333333333333333\n3,a,4\n")
    ranking = pl.read_csv(io.StringIO(surpeer("score", path).stdout))
    assert ranking["paper"].to_list() == [1, 2, 3]
    assert ranking["mean"].to_list() == pytest.approx([4.666666667, 4.333333333, 4])


def test_a_file_that_ends_in_xlsx_is_a_spreadsheet(surpeer, export, tmp_path):
    assert surpeer("score", export, "-o", tmp_path / "ranking.xlsx").exit_code == 0
    assert (tmp_path / "ranking.xlsx").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("accept,reject", "found the levels accept, reject, expected the lowest first: reject,accept"),
        ("A,B,C", "found the letters A to C, expected the lowest first; if A is the best grade, it comes last"),
    ],
)
def test_a_form_upside_down(surpeer, levels, message):
    result = surpeer("form", "hotcrp", "--levels", levels)
    assert result.exit_code == 2
    assert message in result.stderr


def test_values_that_the_user_gave_are_kept(surpeer, write):
    path = write("scores.csv", "Paper,Reviewer,Score\n1,a,0\n1,b,2\n2,a,1\n2,b,1\n")
    ranking = pl.read_csv(io.StringIO(surpeer("score", path, "--levels=0,1,2", "--values=1,2,3").stdout)).sort("paper")
    assert ranking["mean"].to_list() == [2.0, 2.0]


def test_a_workbook_in_our_columns_is_asked_for(surpeer, tmp_path):
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet().write_row(0, 0, ["Paper", "Reviewer", "Score"])
    result = surpeer("score", path, "--from", "surpeer")
    assert result.exit_code == 2
    assert 'found a column "Paper", expected "paper"; rename it' in result.stderr


def test_two_ids_that_are_one_number_of_hotcrp(surpeer, write, tmp_path):
    path = write("own.csv", "paper,rating,p_0,p_1\n1,0,0.5,0.5\n01,1,0.5,0.5\n")
    result = surpeer("score", path, "--to", "hotcrp", "-o", tmp_path / "tags.csv")
    assert result.exit_code == 2
    assert 'found papers that are the same number: "01", "1", expected one id each' in result.stderr


def test_a_huge_cell_is_named_as_what_it_is(surpeer, write):
    path = write("export.csv", HOTCRP + f"10,Third,10D,Ann,a@example.org,2,7,5,{'x' * 5_000_001}\n")
    result = surpeer("score", path)
    assert result.exit_code == 2
    assert "row 11: found a row that cannot be read (line 12: field larger than field limit (5000000))" in result.stderr
    assert "expected cells of at most 5,000,000 characters" in result.stderr
