"""The settings of a HotCRP site -> Form: keywords, levels and which way they go."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surpeer.io.platforms.hotcrp.form import read_form
from surpeer.io.platforms.hotcrp.keywords import field_of_keyword, search_keywords
from surpeer.io.review_form.form import Form


def form_of(*entries: dict[str, Any]) -> Form:
    form = read_form({"rf": list(entries)})
    assert form is not None
    return form


def options(entry: dict[str, Any]) -> list[tuple[str, str]]:
    return [(option.symbol, option.label) for option in form_of({"name": "F", **entry}).questions[0].options]


def choices(symbols: str, labels: list[str] | None = None, ids: list[int] | None = None) -> dict[str, Any]:
    names = labels or [f"choice {symbol}" for symbol in symbols]
    numbers = ids or list(range(1, len(symbols) + 1))
    values = [
        {"id": number, "symbol": int(symbol) if symbol.isdigit() else symbol, "name": name, "order": at}
        for at, (symbol, name, number) in enumerate(zip(symbols, names, numbers, strict=True), start=1)
    ]
    return {"type": "radio", "values": values}


@pytest.mark.parametrize("wrap", [
    lambda rf: {"ok": True, "settings": {"rf": rf, "review_open": True}},
    lambda rf: {"rf": rf},
    lambda rf: {"reset": False, "rf": rf, "review_open": True},
    lambda rf: rf,
])  # fmt: skip
def test_settings_may_be_given_whole_or_in_part(wrap: Any) -> None:
    form = read_form(wrap([{"id": "s01", "name": "Overall merit", **choices("12")}, {"id": "t01", "name": "Comments"}]))
    assert form is not None
    assert [(question.name, question.keywords) for question in form.questions] == [
        ("Overall merit", ("OveMer", "s01")),
        ("Comments", ("Com", "t01")),
    ]
    assert form.find("ovemer") is form.find("s01") is form.questions[0]


@pytest.mark.parametrize(
    "document",
    [
        None,
        3,
        "x",
        [],
        {},
        [1],
        [{"name": "x"}],
        [{"id": "5", "name": "x"}],
        {"rf": 3},
        {"settings": {"rf": {}}},
        {"settings": 1},
    ],
)
def test_other_documents_are_no_form(document: Any) -> None:
    assert read_form(document) is None


def test_fields_come_in_their_order_without_markup_and_without_deleted_ones() -> None:
    form = form_of(
        {"id": "s02", "name": "Second", "order": 2.5},
        {"id": "s03", "name": "Gone", "order": 1, "delete": True},
        {"id": "s01", "name": "Overall <b>merit</b> &amp; fit", "order": 1},
        {"id": "t09"},
        {"name": "  "},
        {"name": 5},
        "nonsense",  # type: ignore[arg-type]
        {"id": "new", "name": "Last"},
    )
    assert [question.name for question in form.questions] == ["Overall merit & fit", "Second", "Last"]
    assert "Overall <b>merit</b> &amp; fit" in form.questions[0].keywords
    assert form.questions[2].keywords == ()


def test_numbers_rise_and_letters_fall() -> None:
    assert options(choices("123", ["x", "y", "z"])) == [("1", "x"), ("2", "y"), ("3", "z")]
    assert options(choices("ABC", ["x", "y", "z"], [3, 2, 1])) == [("C", "z"), ("B", "y"), ("A", "x")]
    assert options(choices("VWX", ["x", "y", "z"], [9, 2, 5])) == [
        ("X", "z"),
        ("W", "y"),
        ("V", "x"),
    ]  # ids say nothing


def test_ids_that_rise_with_letters_say_that_a_is_the_lowest() -> None:
    assert options(choices("ABC", ["x", "y", "z"], [1, 2, 3])) == [("A", "x"), ("B", "y"), ("C", "z")]


@pytest.mark.parametrize(
    ("symbols", "labels", "ids"),
    [
        ("DCBA", ["Reject", "Weak", "Fine", "Accept"], [1, 2, 3, 4]),
        ("ABCD", ["Reject", "Weak", "Fine", "Accept"], [4, 3, 2, 1]),
        ("ABC", ["Unacceptable", "Fair", "Outstanding"], [3, 2, 1]),
        ("12345", ["Strong reject", "Reject", "Borderline", "Accept", "Strong accept"], None),
        ("54321", ["Strong reject", "Reject", "Borderline", "Accept", "Strong accept"], None),
        ("12345", ["Bottom 50% of papers", "Top 50%", "Top 25%", "Top 10%", "Top 5% of papers!"], None),
        ("CBA", ["Poor", "Fair", "Excellent"], [3, 1, 2]),
        ("4321", ["0%", "10 %", "20%", "30%"], None),
        ("1234", ["-2", "-1", "1", "2"], None),
    ],
)  # fmt: skip
def test_what_choices_say_decides_which_is_lowest(symbols: str, labels: list[str], ids: list[int] | None) -> None:
    entry = choices(symbols, labels, ids)
    entry["values"].sort(key=lambda value: str(value["symbol"]))  # a form lists 1 or A first
    for at, value in enumerate(entry["values"], start=1):
        value["order"] = at
    assert options(entry) == list(zip(symbols, labels, strict=True))


def test_choices_come_in_their_order_and_bare_symbols_are_numbered() -> None:
    values = [
        {"symbol": 2, "name": "b", "order": 2},
        {"symbol": 1.0, "name": "a", "order": 1},
        {"symbol": 3, "delete": True},
    ]
    assert options({"values": values}) == [("1", "a"), ("2", "b")]
    assert options({"values": [{"name": "a"}, {"name": "<i>b</i>"}, 5]}) == [("1", "a"), ("2", "b")]
    assert options({"values": [{"symbol": 1}, {"symbol": 2}]}) == [("1", ""), ("2", "")]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"values": ["Reject", "Fine", "Accept"], "start": "A", "flip": True}, [("C", "Reject"), ("B", "Fine"), ("A", "Accept")]),
        ({"options": ["Reject", "Accept"], "option_letter": "X"}, [("Y", "Reject"), ("X", "Accept")]),
        ({"values": ["Reject", "Accept"], "start": "A", "flip": False}, [("A", "Reject"), ("B", "Accept")]),
        ({"values": ["Reject", "Accept"]}, [("1", "Reject"), ("2", "Accept")]),
        ({"values": ["Reject", "Accept"], "symbols": ["no", "yes"]}, [("no", "Reject"), ("yes", "Accept")]),
        ({"values": ["a", "b"], "start": "Z"}, [("1", "a"), ("2", "b")]),
    ],
)  # fmt: skip
def test_fields_as_hotcrp_stores_them_are_lowest_first(entry: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert options(entry) == expected


@pytest.mark.parametrize("kind", ["text", "checkbox", "checkboxes"])
def test_only_a_single_choice_has_options(kind: str) -> None:
    assert options({**choices("AB"), "type": kind}) == []


def test_far_too_many_choices_are_none() -> None:
    assert options({"values": [{"symbol": at} for at in range(1000)]}) == []
    assert options({"values": []}) == options({"values": "abc"}) == options({"values": None}) == []


KEYWORDS = {
    "Overall merit": "OveMer",
    "Reviewer expertise": "RevExp",
    "Novelty": "Nov",
    "Tone": "Tone",
    "Comments for authors": "ComAut",
    "Comments for PC": "ComPC",
    "Would you champion it?": "WouChaIt?",
    "Predicted % of 1 Reject": "Pre1Rej",
    "Predicted % of 2 Weak reject": "Pre2Wea",
    "Prediction of other reviews": "PreOthRev",
    "Post-rebuttal overall merit": "PosRebOve",
    "Significance (of the result)": "Sig",
    "WritingQuality": "WriQua",
    "1st impression": "1StImp",
    "Écriture": "Ecr",
    "Clarity: is it readable?": "Cla",
}


def test_keywords_are_those_of_hotcrp() -> None:
    assert dict(zip(KEYWORDS, search_keywords(list(KEYWORDS)), strict=True)) == KEYWORDS


def test_keywords_tell_fields_apart() -> None:
    names = [
        "Soundness",
        "Soundness of proofs",
        "Predicted % of 1",
        "Predicted % of 10",
        "评价",
        "评价 2",
        "Merit",
        "merit ",
    ]
    keywords = search_keywords(names)
    assert len(set(keywords)) == len(names)
    assert keywords[:4] == ["Sou", "SouPro", "Pre1", "Pre10"]
    assert keywords[-2:] == ["Merit.1", "Merit.2"]


@given(st.lists(st.text(max_size=30), max_size=12))
def test_every_field_has_a_keyword(names: list[str]) -> None:
    keywords = search_keywords(names)
    assert len(keywords) == len(names)
    assert all(keywords)


def test_a_field_is_found_by_a_keyword_that_fits_it_alone() -> None:
    names = ["Overall merit", "Overall merit after the rebuttal", "Novelty"]
    assert field_of_keyword("OveMer", names) == 0
    assert field_of_keyword("OveMerReb", names) == 1
    assert field_of_keyword("Novel", names) == 2
    assert field_of_keyword("Merit", ["Technical merit", "Final merit"]) is None
    assert field_of_keyword("Xyz", names) is field_of_keyword("", names) is None


def test_long_forms_take_no_time() -> None:
    assert search_keywords(["a b c " * 1000] * 5000) == [""] * 5000
    assert len(search_keywords(["of the same " * 1000] * 60)) == 60


@pytest.mark.shared_data
def test_a_real_form(shared_data: Path) -> None:
    form = read_form(json.loads((shared_data / "hotcrp" / "api_settings_rf.json").read_text()))
    reviews = json.loads((shared_data / "hotcrp" / "api_reviews.json").read_text())["reviews"]
    assert form is not None
    keywords = [question.keywords[0] for question in form.questions]
    assert keywords == [key for key in reviews[0] if key[0].isupper()]
    grade = form.find("Champion grade")
    assert grade is not None
    assert [option.symbol for option in grade.options] == ["D", "C", "B", "A"]


def test_letters_that_are_ranks_have_a_as_the_best() -> None:
    values = [{"symbol": letter, "name": str(rank), "order": rank} for rank, letter in enumerate("ABCD", start=1)]
    form = read_form({"rf": [{"name": "Grade", "type": "radio", "values": values}]})
    assert form is not None
    assert [option.symbol for option in form.questions[0].options] == ["D", "C", "B", "A"]
