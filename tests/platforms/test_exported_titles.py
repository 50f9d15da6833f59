"""The titles of papers come through from every export that has them, and nothing else is taken for one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exports import make_export, read
from platform_samples import LEVELS, SAMPLES, VENUE, document, easychair_rows, given, rows_of, table

from surpeer import InputError, Reviews, Scale, read_reviews
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.easychair import platform as easychair
from surpeer.io.platforms.openreview import platform as openreview
from surpeer.io.platforms.paper_titles import why_no_titles

Write = Callable[[str, str | bytes], Path]

TITLED = [name for name, sample in SAMPLES.items() if b"Title 1" in sample.data or name == "cmt xlsx"]
TITLES = ["Title 1", "Title 2", "Title 3"]


def titles_of(reviews: Reviews) -> list[str | None] | None:
    return None if reviews.title is None else list(reviews.title.to_list())


def test_every_platform_that_knows_titles_has_a_sample() -> None:
    assert {SAMPLES[name].platform for name in TITLED} == {"hotcrp", "openreview", "cmt", "pretalx", "indico"}


@pytest.mark.parametrize("name", SAMPLES)
def test_titles_come_through(name: str, write: Write) -> None:
    sample = SAMPLES[name]
    reviews = read_reviews(write(sample.name, sample.data), Scale(LEVELS))
    assert titles_of(reviews) == (TITLES if name in TITLED else None)
    assert not [note for note in reviews.notes if "title" in note.casefold()]


@pytest.mark.parametrize("reviewers", ["drop", "pseudonym"])
@pytest.mark.parametrize("name", TITLED)
def test_hiding_reviewers_leaves_titles_alone(name: str, reviewers: str, write: Write, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    key = tmp_path / "venue.key" if reviewers == "pseudonym" else None
    reviews = read_reviews(write(sample.name, sample.data), Scale(LEVELS), reviewers=reviewers, key=key)
    assert titles_of(reviews) == TITLES
    assert (reviews.reviewer is None) == (reviewers == "drop")


@pytest.mark.parametrize("name", [name for name in TITLED if SAMPLES[name].name.endswith(".csv")])
def test_without_its_titles_a_table_gives_the_same_reviews(name: str, write: Write) -> None:
    sample = SAMPLES[name]
    bare = write(
        "bare.csv", table([["" if cell[:6] == "Title " else cell for cell in row] for row in rows_of(sample.data)])
    )
    without, with_titles = (read_reviews(path, Scale(LEVELS)) for path in (bare, write(sample.name, sample.data)))
    assert without.title is None
    assert without.notes == with_titles.notes
    assert without.rating.tolist() == with_titles.rating.tolist()
    assert without.predictions.tolist() == with_titles.predictions.tolist()


def test_easychair_has_titles_on_the_sheet_of_submissions() -> None:
    rows = [[str(cell) for cell in row] for row in easychair_rows(given())]
    header = ["#", "title", "authors", "decision", "deleted?"]
    submissions = [
        header,
        ["1", "Ants", "", "accept", "no"],
        ["3", "", "", "accept", "no"],
        ["1", "Later", "", "", "no"],
    ]
    export = easychair.read(Content("file", (Sheet(submissions, "Submissions"), Sheet(rows, "Reviews"))), None)
    assert export.title == ["Ants"] * 3 + [None] * 6
    assert easychair.read(Content("file", (Sheet(rows, "Reviews"),)), None).title is None


def review_note(**more: Any) -> dict[str, Any]:
    content = {"rating": {"value": 3}, "title": {"value": "A fine review"}}
    start = {"id": "n1", "forum": "f1", "replyto": "f1", "signatures": [f"{VENUE}/Submission1/Reviewer_a"]}
    return {**start, "invitations": [f"{VENUE}/Submission1/-/Official_Review"], "content": content, **more}


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ({"value": " Ants "}, "Ants"),
        ("Ants", "Ants"),
        ({"value": "No entry"}, "No entry"),
        ({"readers": ["somebody"]}, None),
        ({"value": ["Ants"]}, None),
        (None, None),
    ],
)
def test_openreview_takes_the_title_of_the_submission_and_never_that_of_a_review(title: Any, shown: str | None) -> None:
    submission = {"id": "f1", "forum": "f1", "number": 1, "invitations": [f"{VENUE}/-/Submission"]}
    notes = [review_note(), {**submission, "content": {"title": title}}]
    export = openreview.read(Content("file", json={"notes": notes}), None)
    assert export.title == (None if shown is None else [shown])
    assert [field.cells for field in export.fields if field.name == "title"] == [["A fine review"]]


def test_openreview_takes_titles_that_reviews_have_in_their_details() -> None:
    said = review_note(details={"forumContent": {"title": {"value": "Ants"}}})
    submission = {"id": "f1", "forum": "f1", "number": 1, "invitations": [f"{VENUE}/-/Submission"]}

    def titles(*notes: Any) -> list[str | None] | None:
        return openreview.read(Content("file", json={"notes": list(notes)}), None).title

    assert titles(said) == ["Ants"]
    assert titles(said, review_note(id="n2")) == ["Ants", "Ants"]
    assert titles(said, {**submission, "content": {"title": {"value": "Bees"}}}) == ["Bees"]
    assert titles(review_note(details={"forumContent": "Ants"})) is None
    assert titles(review_note(details=None)) is None


HEADER = "Submission,{},Reviewer,Score"


def generic(name: str, titles: list[str]) -> str:
    rows = [f"{1 + at // 2},{title},r{at % 2},{1 + at % 2}" for at, title in enumerate(titles)]
    return "\n".join([HEADER.format(name), *rows]) + "\n"


@pytest.mark.parametrize("name", ["Title", "title", "Paper_Title", "SUBMISSION TITLE", "Title of the paper"])
def test_a_plain_table_has_titles_by_their_names(name: str, write: Write) -> None:
    reviews = read_reviews(write("x.csv", generic(name, ["Ants", "Ants", "Bees", ""])))
    assert reviews.papers.to_list() == [1, 2]
    assert titles_of(reviews) == ["Ants", "Bees"]
    assert [int(reviews.scale.levels[rating]) for rating in reviews.rating] == [1, 2, 1, 2]


def test_a_plain_title_stands_back_behind_one_that_says_whose_it_is(write: Write) -> None:
    text = "Submission,Title,Paper title,Score\n1,Dr.,Ants,1\n2,Prof.,Bees,2\n"
    assert titles_of(read_reviews(write("x.csv", text))) == ["Ants", "Bees"]


@pytest.mark.parametrize("name", ["Review title", "Job title", "Subtitle", "Titles", "Entitled to a vote"])
def test_other_columns_are_no_titles(name: str, write: Write) -> None:
    assert (
        titles_of(read_reviews(write("x.csv", generic(name, ["Ants", "Ants", "Bees", "Bees"])), rating="Score")) is None
    )


@pytest.mark.parametrize(
    ("titles", "why"),
    [
        (["Great!", "Weak", "Nice", "Nope"], "most papers have more than one"),
        (["Dr.", "Prof.", "Dr.", "Prof."], "most papers have more than one"),
        (["Dr."] * 6, "most papers share it with another"),
    ],
)
def test_titles_of_reviews_and_people_are_not_those_of_papers(titles: list[str], why: str, write: Write) -> None:
    reviews = read_reviews(write("x.csv", generic("Title", titles)))
    assert reviews.title is None
    assert f'"Title" is not taken for the title of papers: {why}; a column map can say that it is' in reviews.notes
    said = read_reviews(write("y.csv", generic("Title", titles)), columns=write("columns.toml", 'title = "Title"'))
    assert titles_of(said) == titles[::2]


@pytest.mark.parametrize(
    ("papers", "titles", "why"),
    [
        ("", [], None),
        ("a", [None], None),
        ("aab", ["x", "y", "z"], "most papers have more than one"),
        ("aabb", ["x", "y", "z", "z"], None),
        ("aabb", ["x", None, "y", None], None),
        ("ab", ["x", "x"], None),
        ("abc", ["x", "x", "x"], "most papers share it with another"),
        ("abcd", ["x", "x", "y", "y"], None),
    ],
)
def test_what_may_be_titles(papers: str, titles: list[str | None], why: str | None) -> None:
    assert why_no_titles(list(papers), titles) == why


def test_a_column_map_names_the_titles(write: Write) -> None:
    columns = write("columns.toml", 'paper = "Nr"\ntitle = "Worum es geht"\nrating = "Urteil"\nlevels = ["nein", "ja"]')
    path = write("x.csv", "Nr,Worum es geht,Urteil\n1,Ameisen,ja\n1,Bienen,nein\n2,,ja\n")
    reviews = read_reviews(path, columns=columns)
    assert titles_of(reviews) == ["Ameisen", None]
    assert '1 paper with more than one title ("1"): the first in the file is taken' in reviews.notes
    missing = write("other.toml", 'paper = "Nr"\ntitle = "Titel"\nrating = "Urteil"\nlevels = ["nein", "ja"]')
    with pytest.raises(
        InputError, match='found no column "Titel" for the title; the columns are "Nr", "Worum es geht"'
    ):
        read_reviews(path, columns=missing)


@pytest.mark.parametrize(
    "said",
    [
        {"paper": "Title", "rating": "Score"},
        {"paper": "Submission", "track": "Title", "rating": "Score"},
        {"paper": "Submission", "rating": "Title", "levels": ["Ants", "Bees"]},
        {"paper": "Submission", "rating": "Score", "expected": "Title"},
    ],
)
def test_what_the_user_says_is_something_else_is_no_title(said: dict[str, Any], write: Write) -> None:
    titles = ["1.5", "1.5", "1.2", "1.2"] if "expected" in said else ["Ants", "Ants", "Bees", "Bees"]
    columns = write("columns.json", json.dumps(said))
    reviews = read_reviews(write("x.csv", generic("Title", titles)), columns=columns)
    assert reviews.title is None
    assert len(reviews) == 4


def test_titles_of_reviews_that_do_not_count_are_not_taken() -> None:
    fields = {"Overall merit": ["1", "2", None, "3"]}
    drafts = [True, False, False, False]
    export = make_export(fields, title=["Draft", "Ants", "Unrated", "Bees"], draft=drafts)
    assert titles_of(read(export)) == ["Ants", "Bees"]
    assert titles_of(read(make_export(fields, title=[None] * 4))) is None


def test_our_own_lines_have_titles(write: Write) -> None:
    records = [{"paper": 1, "title": 1984, "rating": "accept"}, {"paper": 2, "title": "Bees", "rating": "reject"}]
    path = write("x.jsonl", "\n".join(map(json.dumps, records)))
    assert titles_of(read_reviews(path, Scale.preset("binary"))) == ["1984", "Bees"]
    listed = write("x.json", document(records))
    assert titles_of(read_reviews(listed, Scale.preset("binary"))) == ["1984", "Bees"]
