"""Results -> tags: exactly what is written, and what a site makes of it."""

import io
import re
from typing import Any

import numpy as np
import polars as pl
import pytest
from hotcrp_site import Refused, Tags
from hypothesis import given
from hypothesis import strategies as st

from surpeer import Reviews, Scale, build_matrices, decide, rank, score
from surpeer.errors import InputError
from surpeer.io.platforms.hotcrp.tags import write_tags

COLUMNS: dict[str, Any] = {"rank": pl.Int64, "paper": pl.String, "score": pl.Float64, "flags": pl.List(pl.String)}


class Results:
    """Rows as rankings and decisions have them."""

    def __init__(self, table: pl.DataFrame) -> None:
        self.table = table

    def table_with_joined_flags(self, separator: str) -> pl.DataFrame:
        return self.table.with_columns(pl.col("flags").list.join(separator))


def written(results: object) -> bytes:
    stream = io.BytesIO()
    write_tags(results, stream)  # type: ignore[arg-type]
    return stream.getvalue()


def ranking(*rows: tuple[object, ...]) -> Results:
    return Results(pl.DataFrame(rows, schema=COLUMNS, orient="row"))


HEAD = b"paper,action,tag\nall,cleartag,~~surpeer\nall,cleartag,~~surpeer_rank\nall,cleartag,~~surpeer_discuss\n"


def test_a_ranking_in_full() -> None:
    found = written(
        ranking(
            (1, "7", 1.23456789, []),
            (2, "12", -0.00001, ["tie"]),
            (2, "3", 1e-5, ["tie", "incoherent_forecasts"]),
            (4, "4", 2500000.0, ["one_review"]),
            (5, "5", None, ["ranked_by_mean"]),
            (6, "6", float("inf"), []),
            (7, "8", float("-inf"), []),
            (8, "9", 1e300, []),
        )
    )
    assert found == HEAD + (
        b"7,tag,~~surpeer#1.2346\n7,tag,~~surpeer_rank#1\n"
        b"12,tag,~~surpeer#0\n12,tag,~~surpeer_rank#2\n"
        b"3,tag,~~surpeer#0\n3,tag,~~surpeer_rank#2\n3,tag,~~surpeer_discuss\n"
        b"4,tag,~~surpeer#2500000\n4,tag,~~surpeer_rank#4\n"
        b"5,tag,~~surpeer_rank#5\n5,tag,~~surpeer_discuss\n"
        b"6,tag,~~surpeer_rank#6\n"
        b"8,tag,~~surpeer_rank#7\n"
        b"9,tag,~~surpeer_rank#8\n"
    )


def test_decisions_are_discussed_as_proposed() -> None:
    table = ranking((1, "1", 2.0, ["incoherent_forecasts"]), (2, "2", 1.0, [])).table
    found = written(Results(table.with_columns(proposal=pl.Series(["accept", "discuss"]))))
    assert found == HEAD + (
        b"1,tag,~~surpeer#2\n1,tag,~~surpeer_rank#1\n2,tag,~~surpeer#1\n2,tag,~~surpeer_rank#2\n2,tag,~~surpeer_discuss\n"
    )


@pytest.mark.parametrize("bad", ["A", "", "0", "00", "-1", "1.5", "1e3", "２", "12345678901", "all", "1,tag"])
def test_papers_that_hotcrp_cannot_have_are_refused_before_anything_is_written(bad: str) -> None:
    stream = io.BytesIO()
    with pytest.raises(InputError, match="with an id that is no number of HotCRP") as caught:
        write_tags(ranking((1, "7", 1.0, []), (2, bad, 1.0, [])), stream)
    assert "1 paper with" in str(caught.value)
    assert stream.getvalue() == b""


def test_the_first_few_bad_ids_are_listed() -> None:
    rows: list[tuple[object, ...]] = [(1, f"p{at}", 1.0, []) for at in range(8)]
    expected = (
        '8 papers with an id that is no number of HotCRP ("p0", "p1", "p2", "p3", "p4", ...), expected numbers from 1'
    )
    with pytest.raises(InputError, match=re.escape(expected)):
        written(ranking(*rows))


def real_results(numbers: bool) -> tuple[object, object]:
    random = np.random.default_rng(5)
    papers = np.repeat(np.arange(1, 13), 4)
    high = random.uniform(0.2, 0.8, 48).round(2)
    columns = {
        "paper": papers if numbers else [str(paper) for paper in papers],
        "rating": random.choice(["reject", "accept"], 48),
        "p_reject": (1 - high).round(2),
        "p_accept": high,
    }
    ranked = rank(score(build_matrices(Reviews.from_table(columns, Scale(["reject", "accept"]))), "venue"))
    return ranked, decide(ranked, 4)


@pytest.mark.parametrize("numbers", [True, False])
def test_a_site_takes_rankings_and_decisions_and_forgets_the_earlier_ones(numbers: bool) -> None:
    site = Tags(set(range(1, 15)))
    site.tags = {13: {"~~surpeer": 9.0, "~~surpeer_rank": 1.0, "~~surpeer_discuss": 0.0, "~~other": 2.0}}
    for results in real_results(numbers):
        site.assign(written(results))
        table = {int(row["paper"]): row for row in results.table.iter_rows(named=True)}  # type: ignore[attr-defined]
        assert site.tags[13] == {"~~other": 2.0}
        assert site.tags[14] == {}
        for paper, row in table.items():
            tags = site.tags[paper]
            assert tags["~~surpeer_rank"] == row["rank"]
            assert tags["~~surpeer"] == pytest.approx(row["score"], abs=5.1e-5)
            if "proposal" in row:
                assert ("~~surpeer_discuss" in tags) == (row["proposal"] == "discuss")
    with pytest.raises(Refused):
        Tags({1, 2}).assign(written(results))


@given(st.lists(st.none() | st.floats(allow_nan=False), min_size=1, max_size=9))
def test_every_number_is_written_in_plain_digits(values: list[float | None]) -> None:
    site = Tags(set(range(1, 10)))
    site.assign(written(ranking(*((at, str(at), value, []) for at, value in enumerate(values, start=1)))))
    for at, value in enumerate(values, start=1):
        if value is not None and abs(value) < 2e9:
            assert site.tags[at]["~~surpeer"] == pytest.approx(value, abs=5.1e-5)
        else:
            assert ("~~surpeer" in site.tags[at]) == (value is not None and abs(value) <= 2_147_483_646)


def test_the_same_results_give_the_same_bytes() -> None:
    assert written(real_results(True)[0]) == written(real_results(True)[0])
