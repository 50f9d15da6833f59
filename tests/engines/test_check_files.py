"""Files of any size are checked as one that is read whole: the same problems, all at once, or the same numbers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from at_length import examples
from hypothesis import given
from hypothesis import strategies as st
from invented_venues import CASES, HOW
from large_ways import LIMIT, ON_DISK, WAYS, made_small, without_files, write_files
from peak_memory import peak_of, told

from surpeer import ReviewProblems
from surpeer.engines import counting_run
from surpeer.engines.check_files import FilesChecked, check_files
from surpeer.engines.counting_run import CountingRun, FirstPapers
from surpeer.engines.memory import LEAST
from surpeer.engines.reading import LargerForm
from surpeer.engines.track_sizes import TrackSizes
from surpeer.errors import InputError
from surpeer.io.first_look import ReadingOptions
from surpeer.io.review_file import read_reviews
from surpeer.paper_cells import NO_TRACK

HERE = [way for way in WAYS if way != "compiled" and not way.startswith("duckdb")]
"""Ways in which reviews are counted."""

IN_FILE, IN_ALPHABET = ": the first in the file is taken", ": the first in the alphabet is taken"


def read_whole(path: Path, **how: Any) -> FilesChecked:
    """What the library says of a file that it reads into memory."""
    reviews = read_reviews(path, platform="surpeer", **how)
    complete, any_kind = int(reviews.has_prediction.sum()), int(reviews.has_forecast.sum())
    return FilesChecked(
        scale=reviews.scale,
        reviews=len(reviews),
        papers=len(reviews.papers),
        predictions=complete,
        partial=any_kind - complete,
        tracks=None if reviews.track is None else reviews.track.n_unique(),
        notes=tuple(note.replace(IN_FILE, IN_ALPHABET) for note in reviews.notes),
    )


def checked(way: str, reviews: Path, **how: Any) -> FilesChecked:
    with made_small(way):
        found = check_files(reviews, ReadingOptions(**how), memory=LIMIT)
    return replace(found, notes=tuple(without_files(found.notes)))


@pytest.mark.parametrize(
    ("case", "way"),
    [pytest.param(case, way, marks=[] if way == ON_DISK else pytest.mark.slow) for case in CASES for way in HERE],
)
def test_every_case_in_every_way(tmp_path: Path, case: str, way: str) -> None:
    whole = next(write_files(CASES[case], tmp_path / "whole", 1).iterdir())
    parts = write_files(CASES[case], tmp_path / "parts", 3)
    assert checked(way, parts, **HOW.get(case, {})) == read_whole(whole, **HOW.get(case, {}))


PAPERS = ["A", "A ", " A", "B", "C", "10", "7", None]
TITLES = ["X", "x", " ", None]
TYPES = {**dict.fromkeys(("paper", "reviewer", "rating", "title", "track"), pl.String()), "p_no": pl.Float64()}


@st.composite
def tables(draw: st.DrawFn, mistakes: bool) -> pl.DataFrame:
    """Reviews with ids that differ in space only, several titles of a paper, gaps, and perhaps all kinds of mistakes."""
    count = draw(st.integers(4, 25))

    def column(values: list[Any], wrong: list[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from([*values, *(wrong if mistakes else [])]), min_size=count, max_size=count))

    papers = column(PAPERS[:-1], PAPERS[-1:])
    if draw(st.booleans()):  # ids that are text, and all of them whole numbers
        papers = [paper and str(len(paper) * 7 % 5) for paper in papers]
    reviewers = [f"R{at}" for at in range(count)] if not mistakes else column(["R1", "R2", "R3", "R4", None], [""])
    shares = column([0.25, 0.5, 1.0, None], [1.25])
    columns = {
        "paper": papers,
        "reviewer": [who if paper else None for paper, who in zip(papers, reviewers, strict=True)],
        "rating": column(["no", "yes"], ["maybe"]),
        "p_no": shares,
        "p_yes": [None if share is None else 1 - share for share in shares],
        "title": column(TITLES, []),
    }
    if draw(st.booleans()):
        by_paper = {paper: draw(st.sampled_from(["T1", "T2", " T1", None])) for paper in PAPERS}
        right = [by_paper.get(paper) for paper in papers]
        columns["track"] = column([None, "T1", "T3"], []) if mistakes and draw(st.booleans()) else right
    needed = ("paper", "rating", "p_no", "p_yes")
    chosen = {name: cells for name, cells in columns.items() if name in needed or draw(st.booleans())}
    return pl.DataFrame(chosen, schema_overrides=TYPES)


@examples(200)
@given(
    frame=tables(mistakes=False),
    way=st.sampled_from(HERE),
    kind=st.sampled_from(["parquet", "csv", "jsonl"]),
    files=st.integers(1, 4),
)
def test_the_same_numbers_and_notes_however_a_table_is_split(
    tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, way: str, kind: str, files: int
) -> None:
    folder = tmp_path_factory.mktemp("reviews")
    whole = next(write_files(frame, folder / "whole", 1, kind).iterdir())
    assert checked(way, write_files(frame, folder / "parts", files, kind)) == read_whole(whole)


@examples(300)
@given(frame=tables(mistakes=True), way=st.sampled_from(HERE), kind=st.sampled_from(["parquet", "csv"]))
def test_the_same_problems_in_the_same_order(
    tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, way: str, kind: str
) -> None:
    """Of single reviews and of papers, all at once."""
    folder = tmp_path_factory.mktemp("reviews")
    whole = next(write_files(frame, folder / "whole", 1, kind).iterdir())
    assert outcome(checked, way, whole) == outcome(read_whole, whole)


def outcome(check: Any, *arguments: Any) -> str:
    try:
        return str(check(*arguments))
    except ReviewProblems as error:
        return str(error)


def odd() -> pl.DataFrame:
    """One review that is there twice, one with another track, and three with mistakes: one of them without a paper, and
    one that is the second of its reviewer."""
    number = pl.int_range(12)
    frame = pl.select(
        paper=number % 4,
        reviewer=pl.format("R{}", number // 4),
        rating=pl.lit("yes"),
        p_no=pl.lit(0.25),
        p_yes=pl.lit(0.75),
        track=pl.format("T{}", number % 2),
    )
    frame[6, "reviewer"], frame[6, "rating"] = "R0", "maybe"
    frame[9, "track"], frame[2, "p_no"], frame[11, "paper"] = "T0", 0.5, None
    return frame


@pytest.mark.parametrize("way", HERE)
def test_all_problems_at_once_in_the_order_of_files_and_rows(way: str, tmp_path: Path) -> None:
    """What `score` says of papers only after all reviews are sound."""
    with pytest.raises(ReviewProblems) as found:
        checked(way, write_files(odd(), tmp_path / "parts", 3))
    assert found.value.total == 5
    assert [str(problem).partition(", expected")[0] for problem in found.value.problems] == [
        "part-000.parquet, row 3, column p_no, p_yes: found predictions that sum to 1.25",
        'part-001.parquet, row 3, column rating: found "maybe"',
        (
            'part-001.parquet, row 3, column reviewer: found a second review of paper "2" by "R0" (the first is in row 3 of '
            "part-000.parquet)"
        ),
        'part-002.parquet, row 2, column track: found "T0" for paper "1", which has "T1" in row 2 of part-000.parquet',
        "part-002.parquet, row 4, column paper: found an empty cell",
    ]


@pytest.mark.parametrize("way", HERE)
def test_where_problems_are_many_a_thousand_are_named_and_all_counted(way: str, tmp_path: Path) -> None:
    frame = pl.concat([odd().with_columns(pl.col("paper") + 4 * copy) for copy in range(210)])
    with pytest.raises(ReviewProblems) as found:
        checked(way, write_files(frame, tmp_path / "parts", 3))
    assert (found.value.total, len(found.value.problems)) == (1050, 1000)
    rows = [(problem.file, problem.row) for problem in found.value.problems]
    assert rows == sorted(rows)
    assert "... and 50 more" in str(found.value)


@pytest.mark.parametrize("way", HERE)
@pytest.mark.parametrize("second", ["text ids", "other tracks"])
def test_files_of_which_one_is_of_another_type(way: str, second: str, tmp_path: Path) -> None:
    """That is said, and all of those that are like the first is still looked at."""
    folder = write_files(odd(), tmp_path / "parts", 3)
    last = folder / "part-002.parquet"
    change = pl.col("paper").cast(pl.String) if second == "text ids" else pl.lit(0.5).alias("track")
    pl.read_parquet(last).with_columns(change).write_parquet(last)
    with pytest.raises(ReviewProblems) as found:
        checked(way, folder)
    said = str(found.value)
    whole = {
        "text ids": "found ids that are whole numbers in part-000.parquet and text in part-002.parquet",
        "other tracks": "found tracks of type Float64",
    }
    assert whole[second] in said
    assert 'found a second review of paper "2" by "R0"' in said
    assert 'found "maybe"' in said


@pytest.mark.parametrize("way", HERE)
def test_ids_that_nothing_can_be_made_of(way: str, tmp_path: Path) -> None:
    path = tmp_path / "reviews.parquet"
    odd().with_columns(paper=pl.lit(0.5)).write_parquet(path)
    with pytest.raises(ReviewProblems, match="found ids of type Float64"):
        checked(way, path)
    odd().with_columns(pl.col("paper").cast(pl.UInt64) + 2**63 - 2).write_parquet(path)
    with pytest.raises(ReviewProblems, match=f"found {2**63}, expected whole numbers up to {2**63 - 1}") as found:
        checked(way, path)
    assert 'found "maybe"' in str(found.value)
    odd().clear().write_parquet(path)
    with pytest.raises(ReviewProblems, match="found no reviews, expected at least one row below the header"):
        checked(way, path)


def test_ids_that_are_no_numbers_in_the_last_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading starts again, once."""
    forms: list[object] = []
    larger = CountingRun._after

    def noted(self: CountingRun, error: LargerForm) -> Any:
        forms.append(error.form)
        return larger(self, error)

    monkeypatch.setattr(CountingRun, "_after", noted)
    frame = CASES["two levels"].with_columns(pl.col("paper").cast(pl.String))
    frame[-1, "paper"] = "P1"
    folder = write_files(frame, tmp_path / "parts", 3, "csv")
    for way in HERE:
        assert checked(way, folder).papers == frame["paper"].n_unique()
    assert len(forms) == len(HERE)


def test_tracks_that_are_too_many_for_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    names = pl.Series([f"T{number}" for number in rng.integers(0, 50, 400)] + [NO_TRACK] * 7)
    expected = TrackSizes(tmp_path)
    expected.add(names)
    assert not [*tmp_path.iterdir()]
    monkeypatch.setattr("surpeer.engines.track_sizes.MOST", 9)
    found = TrackSizes(tmp_path)
    for start in range(0, len(names), 40):
        found.add(names[start : start + 40])
    assert found.all() == expected.all()
    assert [*tmp_path.iterdir()]
    assert (found.all().number, found.all().without) == (names.n_unique(), 7)
    sizes = sorted(names.value_counts().iter_rows(), key=lambda pair: (-pair[1], pair[0]))
    assert list(found.all().largest.items()) == sizes[:6]


def test_only_the_first_papers_are_kept() -> None:
    papers = FirstPapers(3)
    for some in (["c", "b", "x"], [], ["a", "d"]):
        papers.add(pl.Series(some, dtype=pl.String))
    assert (papers.number, papers.first) == (5, ["a", "b", "c"])


def test_a_review_that_is_lost_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files(CASES["two levels"], tmp_path / "parts", 2)
    add = CountingRun._add
    monkeypatch.setattr(counting_run.CountingRun, "_add", lambda self, sums: add(self, sums[1:]))
    with pytest.raises(ValueError, match="of 90 reviews were counted, and nobody said why"):
        check_files(folder)


def test_what_was_kept_on_disk_is_gone(tmp_path: Path) -> None:
    folder, temp = write_files(odd(), tmp_path / "parts", 3), tmp_path / "temp"
    temp.mkdir()
    with made_small("buckets"), pytest.raises(ReviewProblems):
        check_files(folder, memory=LIMIT, temp=temp)
    assert not [*temp.iterdir()]
    with pytest.raises(InputError, match=f"found 1,000 bytes of memory, expected at least {LEAST:,}"):
        check_files(folder, memory=1000)


@pytest.mark.slow
@told
@pytest.mark.parametrize("ids", ["numbers", "texts", "a track for each paper", "only problems"])
def test_the_least_memory_is_enough(tmp_path: Path, ids: str) -> None:
    rng, rows = np.random.default_rng(1), 6_000_000
    share = rng.integers(0, 101, rows)
    frame = pl.DataFrame(
        {
            "paper": rng.integers(-(2**62), 2**62, rows // 3)[rng.integers(0, rows // 3, rows)],
            "reviewer": np.arange(rows),
            "rating": rng.integers(0, 2, rows),
            "p_0": share / 100,
            "p_1": 1 - share / 100,
        }
    )
    if ids == "texts":
        frame = frame.with_columns(pl.format("paper {}", "paper").alias("paper"), title=pl.format("On {}", "paper"))
    if ids == "a track for each paper":
        frame = frame.with_columns(track=pl.format("the track of paper {}", "paper"))
    if ids == "only problems":
        frame = frame.with_columns(reviewer=pl.lit(1), rating=pl.lit(2), track=pl.format("{}", pl.int_range(rows) % 2))
    path = tmp_path / "reviews.parquet"
    frame.write_parquet(path, row_group_size=100_000)
    code = 1 if ids == "only problems" else 0
    assert peak_of("validate", path, "--memory", f"{LEAST}B", "--temp", tmp_path, code=code) < LEAST
    assert [file.name for file in tmp_path.iterdir()] == ["reviews.parquet"]
