"""HotCRP's REST interface."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.errors import ReviewProblems
from surpeer.io.content import Content
from surpeer.io.platforms.hotcrp.platform import PLATFORM
from surpeer.io.review_form.export import Export
from surpeer.io.review_form.form import Form, Option, Question


def review(pid: Any, **others: Any) -> dict[str, Any]:
    return {"object": "review", "pid": pid, "rid": 5, "status": "complete", **others}


def read(document: Any, form: Form | None = None) -> Export:
    return PLATFORM.read(Content("r.json", json=document), form)


def error(document: Any) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read(document)
    return str(caught.value)


def cells(export: Export) -> dict[str, list[str | None]]:
    return {field.name: field.cells for field in export.fields}


FULL = {
    "ok": True,
    "reviews": [
        review(3, ordinal="A", reviewer="Ann &amp; Co", reviewer_email="ann@example.org", round="R1", modified_at=17,
               OveMer=4, ChaGra="B", Cha=True, Fla=["A", "C"], ComAut="Fine.\n"),
        review(3, ordinal="B", reviewer="<b>Bob</b> &amp; Co", OveMer=False, ChaGra=None, Cha=False, Fla=[], ComAut=None),
        review(4, rid=9, status="draft", draft=True, OveMer=2.0, New=1),
    ],
}  # fmt: skip


def test_reviews_are_read() -> None:
    content = Content("r.json", json=FULL)
    assert PLATFORM.recognise(content) == "reviews (JSON)"
    export = PLATFORM.read(content, None)
    assert export.kind == "reviews (JSON)"
    assert export.paper == ["3", "3", "4"]
    assert export.name == ["3A", "3B", "4r9"]
    assert export.place == [1, 2, 3]
    assert export.reviewer == ["ann@example.org", "Bob & Co", None]
    assert export.round == ["R1", None, None]
    assert export.submitted == [17.0, None, None]
    assert export.draft == [False, False, True]
    assert export.choices_from_one
    assert cells(export) == {
        "OveMer": ["4", None, "2"],  # False is "no entry" of a score
        "ChaGra": ["B", None, None],
        "Cha": ["yes", "no", None],  # and the "no" of a checkbox
        "Fla": ["A, C", None, None],
        "ComAut": ["Fine.", None, None],
        "New": [None, None, "1"],
    }


def test_the_form_gives_names_and_options() -> None:
    form = Form((Question("Overall merit", ("OveMer", "s01"), (Option("1", "Bad"), Option("4", "Good"))),))
    first = read(FULL, form).fields[0]
    assert (first.name, first.keywords) == ("Overall merit", ("OveMer", "s01"))
    assert [option.label for option in first.options] == ["Bad", "Good"]


@pytest.mark.parametrize("status", ["draft", "delivered", "approved"])
def test_what_is_not_complete_is_a_draft(status: str) -> None:
    assert read([review(1, OveMer=1), review(2, status=status, ordinal="A", OveMer=1)]).draft == [False, True]


def test_reviews_not_started_and_meta_reviews_are_left_out_and_counted() -> None:
    export = read(
        [
            review(1, OveMer=1),
            review(1, status="empty", OveMer=None),
            review(1, status="acknowledged"),
            review(1, status="acknowledged", OveMer=3),
            review(1, rtype=5, OveMer=3),
        ]
    )
    assert export.place == [1, 4]
    assert export.draft == [False, True]
    assert export.notes == ("1 record left out: meta-reviews", "2 records left out: not started")


@pytest.mark.parametrize(
    "document",
    [
        [review(1, OveMer=1), review(2, OveMer=2)],
        {"ok": True, "reviews": [review(1, OveMer=1), review(2, OveMer=2)]},
        [{"ok": True, "reviews": [review(1, OveMer=1)]}, {"ok": True, "reviews": []}, {"ok": True, "review": review(2, OveMer=2)}],
        [{"ok": True}, review(1, OveMer=1), {"ok": True, "review": review(2, OveMer=2)}],
    ],
)  # fmt: skip
def test_answers_may_be_put_together_in_a_list(document: Any) -> None:
    assert PLATFORM.recognise(Content("r.json", json=document)) == "reviews (JSON)"
    export = read(document)
    assert export.paper == ["1", "2"]
    assert cells(export) == {"OveMer": ["1", "2"]}


def test_damaged_records_are_problems_and_the_others_are_read() -> None:
    export = read([review(1, OveMer=1), 7, review("x"), review(None), review(True), review([]), review(2, OveMer={}),
                   {"object": "review_delta", "pid": 3}, {"object": "review"}, review("8", OveMer=2)])  # fmt: skip
    assert export.paper == ["1", "8"]
    assert [str(problem).split("; ")[0] for problem in export.problems] == [
        'row 2: found "7", expected an object for each review',
        'row 3, column pid: found "x", expected the number of a paper',
        'row 4, column pid: found "", expected the number of a paper',
        'row 5, column pid: found "yes", expected the number of a paper',
        'row 6, column pid: found "", expected the number of a paper',
        "row 7, column OveMer: found an object, expected an answer",
        'row 8, column object: found "review_delta", expected "review"',
        "row 9, column pid: found no pid, expected the number of a paper",
    ]


def test_settings_in_place_of_reviews_are_known_for_what_they_are() -> None:
    settings = {"settings": {"rf": [{"id": "s01", "name": "Overall merit"}]}}
    assert PLATFORM.recognise(Content("r.json", json=settings)) == "settings (JSON)"
    assert (
        "found the settings of a review form, expected reviews; give the reviews, and this file with --form"
        in error(settings)
    )


def test_what_hotcrp_said_instead_of_reviews_is_shown() -> None:
    said = {"ok": False, "message_list": [{"field": "q"}, {"message": "<5>Permission <b>denied</b>", "status": 2}]}
    assert PLATFORM.recognise(Content("r.json", json=said)) is None
    assert (
        "found an error instead of reviews: Permission denied, expected reviews; ask HotCRP again as a chair"
        in error(said)
    )
    assert "no reason given" in error({"ok": False})


@pytest.mark.parametrize("document", [None, 5, "text", [], {}, [[]], {"reviews": []}, {"ok": True}, {"notes": []}])
def test_other_json_is_not_taken_for_hotcrps(document: Any) -> None:
    assert PLATFORM.recognise(Content("r.json", json=document)) is None
    assert "expected an export of HotCRP" in error(document)


def test_nothing_but_reviews_that_do_not_count_says_so() -> None:
    message = error([review(1, status="empty")] * 2)
    assert "r.json: 1 problem\n" in message
    assert message.endswith("\n  note: 2 records left out: not started")


def test_a_form_with_thousands_of_fields_is_refused() -> None:
    assert "found 2,000 fields, expected a form of at most 300" in error(
        [review(1, **{f"F{at}": 1}) for at in range(2000)]
    )


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
keys = st.sampled_from(["object", "pid", "rid", "status", "ordinal", "round", "reviewer", "reviewer_email", "modified_at",
                        "draft", "rtype", "OveMer", "Pre1", "", "reviews", "review", "ok"])  # fmt: skip


@given(
    st.lists(st.dictionaries(keys, values | st.sampled_from(["review", "complete"]), max_size=8), max_size=5),
    st.booleans(),
)
def test_whatever_the_records_are_they_are_read_or_refused(records: list[dict[str, Any]], wrapped: bool) -> None:
    document = {"ok": True, "reviews": [review(1, OveMer=2), *records]} if wrapped else [review(1), *records]
    PLATFORM.recognise(Content("r.json", json=document))
    PLATFORM.recognise(Content("r.json", json=records))
    export = read(document)
    assert len(export.place) == len(export.paper) >= 1
    for field in export.fields:
        assert len(field.cells) == len(export.paper)
        assert all(cell is None or (isinstance(cell, str) and cell) for cell in field.cells)
