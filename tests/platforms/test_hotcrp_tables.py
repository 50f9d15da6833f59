"""HotCRP's four tables. The samples are made up; the real ones are read at the end where they are to be had."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content, Sheet
from surpeer.io.content_reading import read_content
from surpeer.io.platforms.hotcrp.form import read_form
from surpeer.io.platforms.hotcrp.platform import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question

LISTED = ["paper", "title", "review", "reviewername", "email"]
BATCH = ["pid", "review", "email", "round", "submitted_at", "vtag"]
LONG = ["field", "format", "data"]
TEXT = 'Clear, "sound"\nand short.'


def table(*rows: Sequence[str]) -> Content:
    return Content("reviews.csv", (Sheet([list(row) for row in rows]),))


def read(*rows: Sequence[str], form: Form | None = None) -> Export:
    return PLATFORM.read(table(*rows), form)


def kind(*rows: Sequence[str]) -> str | None:
    return PLATFORM.recognise(table(*rows))


def cells(export: Export, name: str) -> list[str | None]:
    return next(field.cells for field in export.fields if field.name == name)


def problems_of(*rows: Sequence[str]) -> list[str]:
    export = read(*rows)
    return [str(problem) for problem in export.problems]


def error(*rows: Sequence[str]) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read(*rows)
    return str(caught.value)


REVIEWS: tuple[list[str], ...] = (
    [*LISTED, "Overall merit", "Comments"],
    ["7", "On sheaves", "7A", "Ann A", "ann@example.org", "4", TEXT],
    ["7", "On sheaves", "7B", "Bob B", "bob@example.org", "2"],
    [],
    ["12", "Looms", "12A", "Ann A", "ann@example.org"],
)


def test_reviews_are_read_with_ragged_rows_and_empty_lines() -> None:
    export = read(*REVIEWS)
    assert export.kind == PLATFORM.recognise(table(*REVIEWS)) == "Reviews (CSV)"
    assert export.paper == ["7", "7", "12"]
    assert export.name == ["7A", "7B", "12A"]
    assert export.reviewer == ["ann@example.org", "bob@example.org", "ann@example.org"]
    assert export.place == [2, 3, 5]
    assert [(field.name, field.cells, field.keywords, field.options) for field in export.fields] == [
        ("Overall merit", ["4", "2", None], (), ()),
        ("Comments", [TEXT, None, None], (), ()),
    ]
    assert export.choices_from_one
    absent = (export.round, export.submitted, export.draft, export.withdrawn, export.track, export.rating)
    assert absent == (None,) * 6
    assert not export.notes
    assert not export.problems


def test_columns_may_be_in_another_order() -> None:
    order = [6, 5, 2, 0, 4, 1, 3]
    full = [row + [""] * (7 - len(row)) for row in REVIEWS]
    shuffled = [[row[at] for at in order] for row in full]
    export = read(*shuffled)
    assert PLATFORM.recognise(table(*shuffled)) == "Reviews (CSV)"
    assert export.paper == ["7", "7", "12"]
    assert cells(export, "Overall merit") == ["4", "2", None]


def test_reviewers_without_an_address_have_their_name_and_blind_reviews_none() -> None:
    named = read(LISTED, ["1", "T", "1A", "Ann A", ""], ["1", "T", "1B", "", "b@example.org"])
    assert named.reviewer == ["Ann A", "b@example.org"]
    blind = read(["paper", "title", "review", "Merit of it"], ["1", "T", "1A", "3"])
    assert blind.reviewer is None


def test_a_review_without_a_name_is_one_if_somebody_wrote_it() -> None:
    export = read([*LISTED, "Overall merit"], ["1", "T", "", "Ann A", "ann@example.org", "3"])
    assert export.name == [""]
    assert export.problems == ()


def test_markup_in_names_goes_and_twins_get_their_column() -> None:
    export = read(
        [*LISTED, "Overall <b>merit</b>", "R&amp;D  fit", "Overall merit", "x < 3 or > 5"],
        ["1", "T", "1A", "", "a@example.org", "3", "2", "1", "0"],
    )
    assert [field.name for field in export.fields] == [
        "Overall merit (column 6)",
        "R&D fit",
        "Overall merit (column 8)",
        "x < 3 or > 5",
    ]


def test_a_field_may_have_the_name_of_a_column_of_hotcrp_with_a_capital() -> None:
    export = read([*LISTED, "Review", "Title"], ["1", "T", "1A", "", "a@example.org", "Long", "Good"])
    assert [(field.name, field.cells) for field in export.fields] == [("Review", ["Long"]), ("Title", ["Good"])]
    assert export.name == ["1A"]


def test_spaces_go_and_no_entry_is_none() -> None:
    export = read(
        [*LISTED, "A b", "C d"],
        ["1", "T", "1A", "", "a@example.org", " 3 ", "No entry"],
        ["1", "T", "1B", "", "b@example.org", " ", "no entry was given by me"],
    )
    assert cells(export, "A b") == ["3", None]
    assert cells(export, "C d") == [None, "no entry was given by me"]


SCORES = (
    ["paper", "title", "decision", "review", "reviewername", "email", "ChaGra", "OveMer"],
    ["3", "T", "Accepted", "3A", "Ann", "ann@example.org", "B", "4"],
    ["3", "T", "Accepted", "3B", "Bob", "bob@example.org", "", "1"],
)
FORM = Form(
    (
        Question("Overall merit", ("OveMer", "s01"), (Option("1", "Reject"), Option("2", "Accept"))),
        Question("Champion grade", ("ChaGra",), (Option("B", "Fine"), Option("A", "Great"))),
    ),
)


def test_scores_have_keywords_which_the_form_explains() -> None:
    assert kind(*SCORES) == "Scores (CSV)"
    assert kind([*LISTED, "OveMer"], ["1", "T", "1A", "", "a@example.org", "3"]) == "Scores (CSV)"
    bare = read(*SCORES)
    assert [(field.name, field.cells) for field in bare.fields] == [("ChaGra", ["B", None]), ("OveMer", ["4", "1"])]
    named = read(*SCORES, form=FORM)
    assert [(field.name, field.keywords) for field in named.fields] == [
        ("Champion grade", ("ChaGra",)),
        ("Overall merit", ("OveMer", "s01")),
    ]
    assert [option.symbol for option in named.fields[0].options] == ["B", "A"]
    assert named.notes == ()


def test_a_longer_keyword_than_ours_is_found_by_its_words_and_noted() -> None:
    export = read(["paper", "title", "review", "OverMerit", "Oth"], ["1", "T", "1A", "2", "3"], form=FORM)
    assert [field.name for field in export.fields] == ["Overall merit", "Oth"]
    assert "OverMerit" in export.fields[0].keywords
    assert export.notes == ("OverMerit is read as Overall merit",)


WIDE = (
    [*BATCH, "status", "Overall merit", "Comments"],
    ["1", "1A", "a@example.org", "R1", "1700000000", "5", "complete", "4", TEXT],
    ["1", "1r9", "b@example.org", "R2", "", "6", "draft", "1"],
    ["2", "2A", "a@example.org", "", "1700000009", "5", "complete", "3"],
    ["2", "2r7", "c@example.org", "", "", "5", "pending approval", "3"],
)


def test_the_wide_table_has_rounds_times_and_drafts() -> None:
    assert kind(*WIDE) == "batch/reviewcsv.php"
    export = read(*WIDE)
    assert export.paper == ["1", "1", "2", "2"]
    assert export.round == ["R1", "R2", None, None]
    assert export.submitted == [1700000000.0, None, 1700000009.0, None]
    assert export.draft == [False, True, False, True]
    assert export.name == ["1A", "1r9", "2A", "2r7"]
    assert cells(export, "Overall merit") == ["4", "1", "3", "3"]


def test_older_batch_tables_have_fewer_columns() -> None:
    export = read(["pid", "review", "email", "round", "Overall merit"], ["1", "1A", "a@example.org", "", "3"])
    assert export.kind == "batch/reviewcsv.php"
    assert export.submitted is None
    assert export.draft is None
    assert export.round is None


NARROW = (
    ["sitename", "siteclass", *BATCH, "status", *LONG],
    ["s", "", "1", "", "", "", "1700000000", "1", "submitted", "Abstract", "0", "We show it."],
    ["s", "", "1", "1A", "a@example.org", "R1", "1700000000", "5", "complete", "Overall merit", "0", "4"],
    ["s", "", "1", "1A", "a@example.org", "R1", "1700000000", "5", "complete", "<i>Comments</i>", "0", TEXT],
    ["s", "", "1", "c12", "b@example.org", "", "1700000001", "5", "author comment", "comment", "1", "Hello"],
    ["s", "", "1", "1response", "x@example.org", "", "1700000001", "5", "draft response", "comment", "1", "Hello"],
    ["s", "", "2", "", "", "", "", "1", "withdrawn", "Title", "0", "Gone"],
    ["s", "", "2", "2A", "b@example.org", "", "1700000002", "5", "complete", "Comments", "0", "Odd."],
    ["s", "", "1", "1r4", "c@example.org", "R1", "", "5", "draft", "Overall merit", "0", "2"],
)


def test_the_narrow_table_becomes_one_row_a_review() -> None:
    assert kind(*NARROW) == "batch/reviewcsv.php --narrow"
    export = read(*NARROW)
    assert export.paper == ["1", "2", "1"]
    assert export.name == ["1A", "2A", "1r4"]
    assert export.place == [3, 8, 9]
    assert export.draft == [False, False, True]
    assert export.withdrawn == [False, True, False]
    assert export.round == ["R1", None, "R1"]
    assert cells(export, "Overall merit") == ["4", None, "2"]
    assert cells(export, "Comments") == [TEXT, "Odd.", None]
    assert export.title == [None, "Gone", None]
    assert export.notes == (
        "2 rows that are no reviews left out (comments)",
        "1 row that is no review left out (texts of papers)",
    )


def test_narrow_rows_that_contradict_each_other_are_problems() -> None:
    head = [*BATCH, *LONG]
    row = ["1", "1A", "a@example.org", "", "1", "5", "Overall merit", "0", "4"]
    nameless = ["1", "1A", "a@example.org", "", "1", "5", " ", "0", "4"]
    second, empty = problems_of(head, row, row, nameless)
    assert second == (
        'row 3, column field: found a second "Overall merit" of review "1A", expected one answer; '
        "delete one of the two rows, or export the file again"
    )
    assert empty == "row 4, column field: found an empty cell, expected the name of a field; export the file again"


def test_several_sites_in_one_file_are_refused() -> None:
    head = ["sitename", "siteclass", *BATCH, *LONG]
    row = ["", "1", "1A", "a@example.org", "", "1", "5", "Overall merit", "0", "4"]
    assert "found reviews of 2 sites: a, b, expected one, because papers have the same numbers" in error(
        head, ["b", *row], ["a", *row]
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["x1", "T", "1A", "", "a@b"], 'row 2, column paper: found "x1", expected the number of a paper; export'),
        (["", "T", "1A", "", "a@b"], "row 2, column paper: found an empty cell, expected the number of a paper"),
        (["２", "T", "２A", "", "a@b"], 'column paper: found "２", expected the number'),
        (
            ["1", "T", "12A", "", "a@b"],
            'column review: found "12A", expected the name of a review of paper 1, such as 1A',
        ),
        (["1", "T", "A", "", "a@b"], 'column review: found "A", expected the name of a review'),
        (["1", "T", "1", "", "a@b"], 'column review: found "1", expected the name of a review'),
        (["1", "Tit"], "row 2: found a row that ends before the review, expected a review; export the file again"),
        (
            ["1", "T", "1A", "", "a@b", "4", "x", "y"],
            'row 2: found 8 cells (it begins "1,T"), expected 6 as in the header',
        ),
    ],
)
def test_damaged_rows_are_problems_and_the_others_are_read(row: list[str], message: str) -> None:
    export = read([*LISTED, "Overall merit"], row, ["9", "T", "9A", "", "a@example.org", "2"])
    assert len(export.problems) == 1
    assert message in str(export.problems[0])
    assert export.paper == ["9"]


def test_all_problems_come_at_once_when_no_review_is_left() -> None:
    message = error([*LISTED, "Overall merit"], ["x", "T", "1A"], ["1", "T"])
    assert message.startswith("reviews.csv: 2 problems")


def test_a_table_without_reviews_says_how_to_get_some() -> None:
    assert "found no reviews, expected at least one; in HotCRP search for all papers" in error(
        [*LISTED, "Overall merit"]
    )


def test_a_column_of_hotcrp_twice_is_refused() -> None:
    assert "found 2 columns email, expected every column once" in error([*LISTED, "email"], ["1", "T", "1A"])


def test_far_too_many_columns_are_refused() -> None:
    message = error([*LISTED, *(f"Field {at}" for at in range(400))], ["1", "T", "1A"])
    assert "found 405 columns, expected a form of at most 300" in message


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [["paper", "reviewer", "rating", "p_1", "p_2"], ["1", "a", "1", "0.5", "0.5"]],
        [["paper", "title", "review", "rating", "prediction"], ["1", "T", "1A", "accept", "0.5"]],
        [["paper", "title", "review", "Score of it"], ["1", "T", "I liked this paper", "3"]],
        [["Paper", "Reviewer", "Score"], ["1", "a", "1"]],
        [["paper", "action", "tag"], ["1", "tag", "~~x#1"]],
        [["paper", "title", "authors"], ["1", "T", "A"]],
        [["pid", "title", "review"], ["1", "T", "1A"]],
    ],
)
def test_other_tables_are_not_taken_for_hotcrps(rows: list[list[str]]) -> None:
    assert kind(*rows) is None


def test_reading_a_foreign_table_by_force_says_what_it_has_and_what_to_do() -> None:
    message = error(["Paper", "Reviewer", "Score"], ["1", "a", "1"])
    assert 'found a table with the columns "Paper", "Reviewer", "Score", expected an export of HotCRP' in message
    assert "download Reviews (CSV)" in message


def test_by_force_a_table_is_read_that_could_be_something_else() -> None:
    export = read(["paper", "title", "review", "rating"], ["1", "T", "1A", "3"])
    assert cells(export, "rating") == ["3"]


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.lists(names, max_size=9), max_size=6), st.sampled_from([REVIEWS[0], SCORES[0], WIDE[0], NARROW[0]]))
def test_whatever_the_rows_are_they_are_read_or_refused(rows: list[list[str]], header: list[str]) -> None:
    content = table(header, *rows)
    PLATFORM.recognise(content)
    try:
        export = PLATFORM.read(content, FORM)
    except ReviewProblems:
        return
    assert all(paper.isdigit() for paper in export.paper)
    assert {len(field.cells) for field in export.fields} <= {len(export.paper)}
    for column in (export.reviewer, export.name, export.round, export.submitted, export.draft, export.withdrawn):
        assert column is None or len(column) == len(export.paper)
    assert {problem.row for problem in export.problems}.isdisjoint(export.place) or export.kind.endswith("narrow")


scores = st.sampled_from(["", "1", "2", "A", "B"])
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9).map(str.strip)


@given(st.lists(st.tuples(st.integers(1, 3), scores, texts), min_size=1, max_size=8))
def test_wide_and_narrow_tables_of_the_same_reviews_say_the_same(reviews: list[tuple[int, str, str]]) -> None:
    wide, narrow = [[*BATCH, "Grade of it", "Remarks"]], [[*BATCH, *LONG]]
    for at, (paper, score, text) in enumerate(reviews):
        own = [str(paper), f"{paper}r{at}", "a@example.org", "", "7", "1"]
        wide.append([*own, score, text])
        narrow += [[*own, name, "0", data] for name, data in (("Grade of it", score), ("Remarks", text)) if data]
    if len(narrow) == 1 or any(not (score or text) for _, score, text in reviews):
        return
    one, other = read(*wide), read(*narrow)
    assert (one.paper, one.name) == (other.paper, other.name)
    assert {field.name: field.cells for field in one.fields if any(field.cells)} == {
        field.name: field.cells for field in other.fields if any(field.cells)
    }


def test_a_file_as_hotcrp_writes_it_goes_through(tmp_path: Path) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(row for row in REVIEWS if row)
    path = tmp_path / "anything.txt"
    content = read_content(path, text.getvalue().encode())
    assert PLATFORM.recognise(content) == "Reviews (CSV)"
    assert cells(PLATFORM.read(content, None), "Comments") == [TEXT, None, None]


REAL = {
    "get_revcsv.csv": "Reviews (CSV)",
    "get_revaucsv.csv": "Reviews (CSV)",
    "get_scores.csv": "Scores (CSV)",
    "reviewcsv_wide.csv": "batch/reviewcsv.php",
    "reviewcsv_narrow.csv": "batch/reviewcsv.php --narrow",
    "api_reviews.json": "reviews (JSON)",
}


@pytest.mark.shared_data
@pytest.mark.parametrize("file", REAL)
def test_real_exports_all_say_the_same(shared_data: Path, file: str) -> None:
    folder = shared_data / "hotcrp"
    form = read_form(json.loads((folder / "api_settings_rf.json").read_text()))
    content = read_content(folder / file, (folder / file).read_bytes())
    assert PLATFORM.recognise(content) == REAL[file]
    export = PLATFORM.read(content, form)
    complete = [at for at in range(len(export.paper)) if export.draft is None or not export.draft[at]]
    assert len(complete) == 27
    assert len(export.paper) == (28 if file == "api_reviews.json" else 27)
    merit = cells(export, "Overall merit")
    counts = [sum(merit[at] == level for at in complete) for level in ("1", "2", "3", "4")]
    assert counts == [7, 5, 4, 11]
    if file != "get_revaucsv.csv":
        predicted = [field for field in export.fields if field.name.startswith("Predicted % of")]
        assert [field.options[6].label for field in predicted] == ["60%"] * 4
        for at in complete:
            assert sum(int(field.cells[at] or 0) - 1 for field in predicted) == 10
        assert export.reviewer is not None
        assert export.reviewer[0] == "r1@example.org"
