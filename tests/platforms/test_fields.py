"""Fields under the names of the form, and answers gathered review by review."""

import pytest

from surpeer.errors import ReviewProblems
from surpeer.io.platforms.fields import Answers, make_field
from surpeer.io.review_form.form import Form, Option, Question


def test_a_field_has_the_name_that_the_form_gives_it() -> None:
    options = (Option("1"), Option("2"))
    form = Form((Question("Merit", ("s01", "OveMer"), options),))
    field = make_field("ovemer", ["1"], form, ["s01", None, ""])
    assert (field.name, field.keywords, field.options) == ("Merit", ("ovemer", "s01", "OveMer"), options)
    assert make_field("other", ["1"], form).name == "other"
    assert make_field("other", ["1"], form, ["S01"]).name == "Merit"


def test_questions_gathered_review_by_review() -> None:
    answers = Answers()
    answers.ask("1", "Merit")
    answers.ask("2", " merit ")
    answers.ask("1", "later name")
    answers.put(1, "3", "x")
    answers.put(0, "1", "4")
    fields = answers.fields(2, "file")
    assert {key: (field.name, field.cells) for key, field in fields.items()} == {
        "1": ("Merit", ["4", None]),
        "2": ("merit (question 2)", [None, None]),
        "3": ("question 3", [None, "x"]),
    }
    assert "2" in answers
    for number in range(301):
        answers.put(0, f"k{number}", None)
    with pytest.raises(ReviewProblems, match="file: 1 problem\n  found 304 questions, expected a form of at most 300"):
        answers.fields(2, "file")
