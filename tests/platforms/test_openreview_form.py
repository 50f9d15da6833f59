"""Forms of OpenReview: read, and written so that predictions stay hidden."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st

from surpeer.errors import InputError, UnknownName
from surpeer.io.platforms.openreview.form import form_options, read_form
from surpeer.io.review_form.form import Form
from surpeer.scale import Scale

VENUE = "Example.org/2026/Conference"


def questions(document: Any) -> Form:
    form = read_form(document)
    assert form is not None
    return form


def options(*entries: Any, kind: str = "string") -> list[tuple[str, str]]:
    form = questions({"rating": {"value": {"param": {"type": kind, "enum": list(entries)}}}})
    return [(option.symbol, option.label) for option in form.questions[0].options]


FIELDS = {
    "confidence": {"order": 4, "value": {"param": {"type": "integer", "enum": [5, 4, 3]}}},
    "overall_assessment": {
        "order": 2.5,
        "value": {
            "param": {
                "type": "float",
                "fieldName": "Overall <b>Score</b>",
                "enum": [{"value": 5.0, "description": "5 = Award: really"}, {"value": 4.5, "description": "Nearly"}],
            }
        },
    },
    "title": {"value": {"param": {"type": "string", "regex": ".*"}}},
    "gone": {"delete": True},
    "constant": {"value": "Paper Decision"},
}


@pytest.mark.parametrize(
    "wrap",
    [
        lambda fields: fields,
        lambda fields: {"edit": {"note": {"content": fields}}},
        lambda fields: {"id": "V/-/Official_Review", "edit": {"invitation": {"edit": {"note": {"content": fields}}}}},
        lambda fields: {"invitations": [{"edit": {"invitation": {"edit": {"note": {"content": fields}}}}}]},
        lambda fields: {"additional_review_form_options": fields},
    ],
    ids=["options", "paper", "venue", "answer", "request"],
)
def test_a_form_is_found_wherever_it_is(wrap: Any) -> None:
    form = questions(wrap(FIELDS))
    assert [question.name for question in form.questions] == ["overall_assessment", "confidence", "title"]
    assert form.questions[0].keywords == ("overall assessment", "Overall Score")
    assert [(option.symbol, option.label) for option in form.questions[0].options] == [
        ("4.5", "Nearly"),
        ("5", "Award: really"),
    ]
    assert [option.symbol for option in form.questions[1].options] == ["3", "4", "5"]
    assert form.questions[2].options == ()


def test_forms_of_api_v1() -> None:
    fields = {
        "title": {"order": 1, "value-regex": ".*"},
        "rating": {"order": 3, "value-dropdown": ["10: Top", "9: Good", "1: Trivial or wrong"], "required": True},
        "confidence": {"order": 4, "value-radio": ["2: sure", "1: not"]},
    }
    form = questions({"reply": {"content": fields}})
    assert [question.name for question in form.questions] == ["title", "rating", "confidence"]
    assert [(option.symbol, option.label) for option in form.questions[1].options] == [
        ("1", "Trivial or wrong"),
        ("9", "Good"),
        ("10", "Top"),
    ]


def test_options_are_lowest_first_whichever_way_the_form_lists_them() -> None:
    up = [("1", "Reject"), ("2", "Accept")]
    assert options({"value": 2, "description": "2: Accept"}, {"value": 1, "description": "1: Reject"}) == up
    assert options({"value": 1, "description": "1: Reject"}, {"value": 2, "description": "2: Accept"}) == up
    assert options("3 good", "2 fair", "1 poor") == [("1", "poor"), ("2", "fair"), ("3", "good")]
    words = [("Reject", ""), ("Accept (Poster)", ""), ("Accept (Oral)", "")]
    assert options("Accept (Oral)", "Accept (Poster)", "Reject") == words
    assert options("Reject", "Accept (Poster)", "Accept (Oral)") == words
    assert options("weak accept", "accept", "reject", "weak reject") == [
        ("reject", ""),
        ("weak reject", ""),
        ("weak accept", ""),
        ("accept", ""),
    ]
    assert options("10%", "0%") == [("0%", ""), ("10%", "")]


@pytest.mark.parametrize(
    "entries",
    [("red", "green"), ("Accept", "Maybe"), ("Accept", "Accept"), ("a",), ("a", None), ("1: a", "1: b"), (1, {"x": 2})],
)
def test_there_are_no_options_where_their_order_is_not_known(entries: tuple[Any, ...]) -> None:
    assert options(*entries) == []


def test_several_answers_at_once_are_no_levels() -> None:
    assert options(1, 2, 3, kind="integer[]") == []
    assert options(*range(200), kind="integer") == []


@pytest.mark.parametrize(
    "document",
    [
        None,
        3,
        [],
        {},
        {"settings": {"rf": [{"name": "x"}]}},
        {"rf": []},
        {"notes": []},
        {"rating": {"value": 3}},
        {"invitations": []},
    ],
)
def test_other_json_is_no_form(document: Any) -> None:
    assert read_form(document) is None


@examples(200, derandomize=True)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["value", "param", "enum", "order", "description", "edit", "note", "content", "type"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_no_json_makes_a_traceback(document: Any) -> None:
    for form in (
        document,
        {"rating": {"value": {"param": document}}},
        {"rating": {"order": document, "value": {"param": {}}}},
        {"rating": {"order": document, "value": {"param": {"enum": [document, document], "type": document}}}},
    ):
        found = read_form(form)
        assert found is None or isinstance(found, Form)


def test_the_fields_that_are_written_for_shares() -> None:
    scale = Scale(["1", "2", "3", "4"], labels=["Reject", "Weak reject", "Weak accept", "Accept"])
    fields = form_options(scale, "shares", VENUE)
    assert list(fields) == ["rating", *(f"predicted_share_{level}" for level in (1, 2, 3, 4))]
    assert fields["rating"] == {
        "order": 3,
        "value": {
            "param": {
                "type": "integer",
                "input": "radio",
                "enum": [
                    {"value": 4, "description": "4: Accept"},
                    {"value": 3, "description": "3: Weak accept"},
                    {"value": 2, "description": "2: Weak reject"},
                    {"value": 1, "description": "1: Reject"},
                ],
            }
        },
    }
    assert fields["predicted_share_1"] == {
        "order": 11,
        "description": 'Of 100 other reviewers of this paper, how many would choose "1: Reject"? The 4 numbers must sum to 100.',
        "value": {"param": {"type": "integer", "minimum": 0, "maximum": 100}},
        "readers": [f"{VENUE}/Program_Chairs", "${5/signatures}"],
    }
    assert [fields[name]["order"] for name in list(fields)[1:]] == [11, 12, 13, 14]


@pytest.mark.parametrize("ask", ["shares", "text", "expected"])
def test_other_reviewers_and_authors_are_never_readers_of_predictions(ask: str) -> None:
    fields = form_options(Scale.parse("1..5"), ask, f" {VENUE}/ ", area_chairs=True)
    assert "readers" not in fields.pop("rating")
    for one in fields.values():
        assert one["readers"] == [
            f"{VENUE}/Program_Chairs",
            f"{VENUE}/Submission${{7/content/noteNumber/value}}/Area_Chairs",
            "${5/signatures}",
        ]


def test_references_lead_to_the_review_and_to_the_number_of_its_submission() -> None:
    """The field stands at edit.invitation.edit.note.content.<field>.readers.<position> of the venue's invitation."""
    path = ["edit", "invitation", "edit", "note", "content", "predicted_share_1", "readers", "1"]
    readers = form_options(Scale.parse("1..2"), "shares", VENUE, area_chairs=True)["predicted_share_1"]["readers"]
    targets = [[*path[: -int(depth)], rest] for depth, rest in re.findall(r"\$\{(\d+)/([^}]*)\}", " ".join(readers))]
    assert targets == [["edit", "content/noteNumber/value"], ["edit", "invitation", "edit", "signatures"]]


@pytest.mark.parametrize(
    "typed",
    ["10,20,50,20", "10 20 50 20", "10/20/50/20", "10%, 20%, 50%, 20%", "10 % 20 % 50 % 20 %", " 12.5; 37.5;50;0 "],
)
def test_one_line_for_all_levels_takes_what_people_type(typed: str) -> None:
    field = form_options(Scale.preset("four-grades"), "text", VENUE)["predicted_distribution"]
    assert re.fullmatch(field["value"]["param"]["regex"], typed)
    assert (
        "in this order: 1: reject, 2: weak reject, 3: weak accept, 4: accept. For example: 10, 20, 50, 20"
        in field["description"]
    )
    for wrong in ("10 20 70", "10 20 30 20 20", "a b c d", "10,20,50", "", "1000 0 0 0"):
        assert not re.fullmatch(field["value"]["param"]["regex"], wrong)


def test_the_expected_rating_is_a_number_on_the_scale() -> None:
    field = form_options(Scale.preset("four-grades"), "expected", VENUE)["expected_rating"]
    assert field["value"] == {"param": {"type": "float", "minimum": 1.0, "maximum": 4.0}}
    assert field["description"].endswith("A number from 1 to 4, such as 2.65.")
    plain = form_options(Scale.parse("1..4"), "expected", VENUE)["expected_rating"]["description"]
    assert plain.endswith("A number from 1 to 4, such as 2.65.")


@pytest.mark.parametrize(
    ("levels", "kind", "names"),
    [
        ("-1..1", "integer", ["predicted_share_minus_1", "predicted_share_0", "predicted_share_1"]),
        ("3,3.5,4", "float", ["predicted_share_3", "predicted_share_3_5", "predicted_share_4"]),
        ("reject,weak accept,Accept!", "integer", ["predicted_share_1", "predicted_share_2", "predicted_share_3"]),
        ("D,C,B,A", "integer", [f"predicted_share_{level}" for level in range(1, 5)]),
    ],
)
def test_what_is_written_can_be_read(levels: str, kind: str, names: list[str]) -> None:
    scale = Scale.parse(levels)
    fields = form_options(scale, "shares", VENUE)
    assert fields["rating"]["value"]["param"]["type"] == kind
    assert list(fields)[1:] == names
    form = questions(json.loads(json.dumps(fields)))
    options = form.questions[0].options
    in_words = [option.label or option.symbol for option in options]
    assert tuple(in_words) == scale.levels
    for name, option, question in zip(names, options, form.questions[1:], strict=True):
        assert form.find(name) is question
        assert question.name.replace("_", " ").endswith(option.symbol)


def test_what_cannot_be_a_form_is_refused() -> None:
    scale = Scale.parse("1..3")
    with pytest.raises(UnknownName, match='unknown question "stars"; did you mean "shares"'):
        form_options(scale, "stars", VENUE)
    for venue in ("", "  ", "My Conf", "Conf/-/Submission", "Conf${1}", "a//b"):
        with pytest.raises(InputError, match="expected the id of a venue such as Conf.org/2026/Conference"):
            form_options(scale, "shares", venue)


@pytest.mark.shared_data
def test_forms_made_from_the_clients_code(shared_data: Path) -> None:
    folder = shared_data / "openreview"
    form = questions(json.loads((folder / "review_form_content_merged.json").read_text()))
    assert [question.name for question in form.questions][:3] == ["review", "rating", "confidence"]
    rating = form.find("Rating")
    assert rating is not None
    assert [(option.symbol, option.label) for option in rating.options] == [
        ("1", "Reject"),
        ("2", "Weak reject"),
        ("3", "Weak accept"),
        ("4", "Accept"),
    ]
    sample = json.loads((folder / "additional_review_form_options_A_integers.json").read_text())
    ours = form_options(
        Scale(["1", "2", "3", "4"], labels=["Reject", "Weak reject", "Weak accept", "Accept"]),
        "shares",
        "Calib.cc/2026/Conference",
        area_chairs=True,
    )
    without_words = [
        {name: {**field, "description": ""} for name, field in fields.items()} for fields in (sample, ours)
    ]
    assert without_words[0] == without_words[1]
