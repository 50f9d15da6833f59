"""Which reviews count."""

import re
from typing import Any

import pytest
from exports import make_export, read
from hypothesis import given
from hypothesis import strategies as st

from surpeer import ReviewProblems
from surpeer.errors import UnknownName
from surpeer.io.intake.selection import latest_only, rows_of, select_reviews
from surpeer.io.review_form.export import Export

RATINGS = ["1", "2", "3", "1", "2", "3"]


def six(**others: Any) -> Export:
    return make_export({"Score": RATINGS}, **others)


def test_drafts_are_left_out() -> None:
    reviews = read(six(draft=[False, True, False, False, True, False]))
    assert [reviews.scale.levels[rating] for rating in reviews.rating] == ["1", "3", "1", "3"]
    assert "2 drafts left out" in reviews.notes
    assert not any("draft" in note for note in read(six(draft=[False] * 6)).notes)


def test_reviews_of_withdrawn_papers_are_left_out() -> None:
    reviews = read(six(withdrawn=[False, False, True, True, False, False]))
    assert reviews.papers.to_list() == [1, 3]
    assert "2 reviews of 1 withdrawn paper left out" in reviews.notes


def test_a_draft_of_a_withdrawn_paper_is_counted_once() -> None:
    reviews = read(six(draft=[True] + [False] * 5, withdrawn=[True, True] + [False] * 4))
    assert "1 draft left out" in reviews.notes
    assert "1 review of 1 withdrawn paper left out" in reviews.notes
    assert len(reviews) == 4


def test_all_rounds_count_unless_some_are_named() -> None:
    rounds = ["R1", "R1", "R2", None, "R2", None]
    everything = read(six(round=rounds))
    assert len(everything) == 6
    listed = "R1: 2 reviews, R2: 2 reviews, unnamed: 2 reviews"
    assert f"3 rounds, all of which count ({listed}); --round chooses" in everything.notes
    assert read(six(round=rounds), rounds=("r1",)).rating.tolist() == [0, 1]
    assert "4 reviews of other rounds left out" in read(six(round=rounds), rounds=("r1",)).notes
    assert read(six(round=rounds), rounds=("unnamed", "R2")).rating.tolist() == [2, 0, 1, 2]
    assert not any("round" in note for note in read(six(round=["R1"] * 6)).notes)


def test_an_unknown_round_lists_the_rounds() -> None:
    with pytest.raises(UnknownName, match='^unknown round "R3"; known: R1, R2$'):
        read(six(round=["R1"] * 3 + ["R2"] * 3), rounds=("R3",))
    with pytest.raises(UnknownName, match='^unknown round "R1"; known: unnamed$'):
        read(six(), rounds=("R1",))


def test_reviews_without_a_rating_are_left_out() -> None:
    reviews = read(make_export({"Score": ["1", None, "2", None]}))
    assert reviews.rating.tolist() == [0, 1]
    assert "2 reviews without a rating left out" in reviews.notes


def test_of_two_reviews_by_one_reviewer_the_later_counts() -> None:
    paper = ["1", "1", "1", "2", "2", "2"]
    reviewer = ["a", "b", "a", "a", "b", None]
    reviews = read(six(paper=paper, reviewer=reviewer, submitted=[9.0, 1.0, 5.0, 1.0, 1.0, None]))
    assert reviews.rating.tolist() == [0, 1, 0, 1, 2]
    note = "1 earlier review by a reviewer who reviewed the same paper again left out: the last one counts"
    assert note in reviews.notes


def test_a_later_review_without_a_rating_does_not_replace_an_earlier_one() -> None:
    export = make_export(
        {"Score": ["1", None, "2"]}, paper=["1", "1", "2"], reviewer=["a", "a", "a"], submitted=[1.0, 2.0, 1.0]
    )
    assert read(export).rating.tolist() == [0, 1]


@pytest.mark.parametrize("submitted", [None, [1.0, 2.0, 3.0, 1.0, None, 2.0], [1.0, 2.0, 3.0, 7.0, 7.0, 2.0]])
def test_without_knowing_which_is_later_it_is_an_error(submitted: list[float | None] | None) -> None:
    export = six(
        paper=["1", "1", "1", "2", "2", "2"],
        reviewer=["a", "b", "c", "a", "a", "b"],
        submitted=submitted,
        name=["1A", "1B", "1C", "2A", "2B", "2C"],
    )
    with pytest.raises(ReviewProblems) as caught:
        read(export)
    assert [str(problem) for problem in caught.value.problems] == [
        (
            'row 6 (review 2B), column reviewer: found a second review of paper "2" by "a" (the first is in row 5), '
            "expected one review by each reviewer; keep one of the two"
        )
    ]


def test_no_review_left() -> None:
    message = (
        "reviews.csv: 1 problem\n  found no reviews that count, expected at least one; 5 drafts left out; "
        "1 review of 1 withdrawn paper left out"
    )
    with pytest.raises(ReviewProblems, match=f"^{re.escape(message)}$"):
        read(six(draft=[True] * 5 + [False], withdrawn=[False] * 5 + [True]))


def test_no_review_at_all() -> None:
    export = make_export({"Score": []}, notes=("3 rows that are no reviews left out",))
    message = (
        "reviews.csv: 1 problem\n  found no reviews, expected at least one\n  note: 3 rows that are no reviews left out"
    )
    with pytest.raises(ReviewProblems, match=f"^{re.escape(message)}$"):
        read(export)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("xyz"), st.booleans()), min_size=1))
def test_every_review_is_kept_or_counted(rows: list[tuple[bool, bool, str, bool]]) -> None:
    export = make_export(
        {"Score": ["1" if rated else None for *_, rated in rows]},
        draft=[row[0] for row in rows],
        withdrawn=[row[1] for row in rows],
        round=[row[2] for row in rows],
        name=[str(at) for at in range(len(rows))],
    )
    selected = select_reviews(export)
    kept, positions = latest_only(selected, [cell is not None for cell in selected.fields[0].cells])
    assert kept.name == [str(at) for at, row in enumerate(rows) if not row[0] and not row[1] and row[3]]
    assert len(positions) == len(kept.paper) == len(kept.fields[0].cells)
    numbers = [int(note.split()[0]) for note in kept.notes if "left out" in note]
    assert len(kept.paper) + sum(numbers) == len(rows)


def test_rows_of_an_export() -> None:
    export = six(reviewer=list("abcdef"), track=list("uvwxyz"), round=list("123456"))
    some = rows_of(export, [1, 3])
    assert some.paper == ["1", "2"]
    assert some.place == [3, 5]
    assert (some.reviewer, some.track, some.round) == (["b", "d"], ["v", "x"], ["2", "4"])
    assert some.fields[0].cells == ["2", "1"]
    assert some.draft is None
    assert rows_of(export, range(6)) is export
