"""Runs keep to the memory that was planned, also where files are not what their first rows promise."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from invented_venues import simulated
from large_ways import LIMIT, assert_same, in_memory
from peak_memory import peak_of, told
from polars.testing import assert_frame_equal

from surpeer.core.venue import FIT_PAPERS
from surpeer.engines import opening, summing_run
from surpeer.engines.bucket_sizes import BucketSizes
from surpeer.engines.check_files import check_files
from surpeer.engines.made_rows import ScoredRows
from surpeer.engines.memory import DATABASE, PER_SUM_OF_QUERY, least_memory, least_to_read, reviews_fit
from surpeer.engines.planned_room import MORE, MoreReviews, bytes_per_row, within_room
from surpeer.engines.progress import SILENT
from surpeer.engines.reading import Reading, about_rows
from surpeer.engines.rows import Form
from surpeer.engines.score_files import large_run, score_files
from surpeer.engines.summed import sum_at_once
from surpeer.engines.sums import number_of_sums
from surpeer.errors import InputError
from surpeer.io import review_files
from surpeer.io.first_look import ReadingOptions, look_first
from surpeer.io.parquet_parts import WhileReading
from surpeer.io.review_files import ReviewFiles, find_review_files
from surpeer.io.text_blocks import beginning, pieces
from surpeer.scale import Scale

REVIEWS = simulated(2)
"""A thousand reviews, five of each paper."""

TEXT_IDS = REVIEWS.with_columns(paper=pl.format("submission {}", "paper"))

LONG = "It is a pity that\nnobody says more. " * 40


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surpeer.io.review_files.BYTES_AT_ONCE", 4000)
    monkeypatch.setattr("surpeer.io.review_files.BLOCK_BYTES", 4000)


def test_reviews_are_handed_on_as_long_as_they_fit() -> None:
    frames = [pl.DataFrame({"paper": ["a" * length] * 10}) for length in (20, 20, 60)]
    seen: list[tuple[int, int]] = []

    def fit(rows: int, width: int) -> bool:
        seen.append((rows, width))
        return rows < 30

    handed_on: list[pl.DataFrame] = []
    with pytest.raises(MoreReviews) as more:
        handed_on.extend(within_room(iter(frames), fit))
    widths = [frame.estimated_size() / 10 for frame in frames]
    assert seen == [(10 * number, 1 + int(np.mean(widths[:number]))) for number in (1, 2, 3)]
    assert (more.value.rows, more.value.width) == seen[-1]
    assert list(within_room(iter(frames), lambda *_: True)) == frames
    assert bytes_per_row(0, 0) == 1


@pytest.mark.usefixtures("small_blocks")
def test_all_rows_of_the_first_block_are_counted_however_small_batches_are(tmp_path: Path) -> None:
    """As many as were expected once, a fourth of them, took 475 MB of 384."""
    REVIEWS.write_csv(tmp_path / "reviews.csv")
    files = find_review_files(tmp_path / "reviews.csv")
    checker, _ = look_first(files, ReadingOptions())
    assert 900 < Reading(files, checker, ScoredRows(moments=False), SILENT, rows_at_once=7).expected_rows < 1100
    (tmp_path / "reviews.csv").write_text("paper,rating,p_1,p_2\n")
    assert about_rows(find_review_files(tmp_path / "reviews.csv")) == 0


def packed(path: Path, data: bytes) -> Path:
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(data))
    else:
        import pyarrow as pa

        with pa.CompressedOutputStream(str(path), "zstd") as stream:
            stream.write(data)
    return path


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_packed_files_are_taken_for_what_their_beginning_is(tmp_path: Path, ending: str) -> None:
    path = packed(tmp_path / f"reviews.csv.{ending}", pl.concat([REVIEWS] * 30).write_csv().encode())
    assert about_rows(find_review_files(path)) > 0
    every = list(pieces(path, 10_000))
    size = path.stat().st_size
    assert all(0 < piece.done <= size for piece in every)
    assert every[-1].done == size
    text = b"".join(piece.text for piece in every)
    assert text.count(b"\n") == 30_001
    assert text.startswith(beginning(path, 100))
    assert all(len(piece.text) == 10_000 for piece in every[:-1])


class Ways:
    """Which ways reviews were added up, one after the other, and how many reviews were expected."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[str] = []
        self.sizes: list[BucketSizes] = []
        for name in ("sum_in_memory", "sum_in_parts", "sum_in_buckets"):
            monkeypatch.setattr(summing_run, name, self._noting(name))

    def _noting(self, name: str):  # type: ignore[no-untyped-def]
        real = getattr(summing_run, name)

        def noting(*arguments: object) -> object:
            self.taken.append(name.removeprefix("sum_in_"))
            self.sizes += [value for value in arguments if isinstance(value, BucketSizes)]
            return real(*arguments)

        return noting


@pytest.mark.parametrize("method", ["surprisal", "venue"])
@pytest.mark.parametrize(("frame", "on_disk"), [(REVIEWS, "parts"), (TEXT_IDS, "buckets")], ids=["numbers", "text"])
def test_more_reviews_than_fit_into_memory_go_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, frame: pl.DataFrame, on_disk: str
) -> None:
    """And where they are more than there is room for on disk, into more pieces: each has as many as it can."""
    path = tmp_path / "reviews.csv"
    frame.write_csv(path)
    expected, _ = in_memory(path, method)
    ways = Ways(monkeypatch)
    monkeypatch.setattr("surpeer.engines.reading.about_rows", lambda _: 100)
    monkeypatch.setattr("surpeer.engines.reading.ROWS_AT_ONCE", 40)
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda rows, *_: rows <= 130)
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_of_table", lambda *_: 50)
    monkeypatch.setattr("surpeer.engines.bucket_sizes._rows_of_bucket", lambda *_: 50)
    monkeypatch.setattr("surpeer.engines.reading.Reading._fraction", property(lambda _: 0.5, lambda *_: None))
    found = score_files(path, method=method, memory=LIMIT)
    assert found.table is not None
    assert_same(found.table, expected)
    assert ways.taken == ["memory", on_disk, on_disk]
    assert [sizes.rows for sizes in ways.sizes] == [400, 1600]


def test_what_was_written_for_fewer_reviews_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "reviews.csv"
    REVIEWS.write_csv(path)
    monkeypatch.setattr("surpeer.engines.reading.about_rows", lambda _: 100)
    monkeypatch.setattr("surpeer.engines.reading.ROWS_AT_ONCE", 40)
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda *_: False)
    monkeypatch.setattr("surpeer.engines.bucket_sizes._rows_of_bucket", lambda *_: 50)
    with large_run(path, ReadingOptions(), "surprisal", memory=LIMIT) as started:
        summed = started.summed
        folders = [folder.name for folder in started.work.path.glob("rows-*")]
        assert len(folders) == 1
        assert folders != ["rows-1"]
        assert sum(int(batch["n0"].sum() + batch["n1"].sum()) for batch in summed.batches()) == len(REVIEWS)


def test_ids_that_become_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many rows a Parquet file has is known, but not how long they are. Measured once: 754 MB of 384."""
    path = tmp_path / "reviews.parquet"
    number = pl.int_range(len(TEXT_IDS), eager=True)
    is_long = TEXT_IDS["paper"].is_in(TEXT_IDS["paper"].unique().sort().tail(100).implode())
    long = TEXT_IDS.with_columns(
        paper=pl.when(is_long).then(pl.format("{}{}", pl.lit("a" * 300), "paper")).otherwise("paper")
    ).sort(is_long, number)
    long.write_parquet(path)
    expected, _ = in_memory(path, "surprisal")
    ways = Ways(monkeypatch)
    monkeypatch.setattr("surpeer.engines.reading.ROWS_AT_ONCE", 40)
    monkeypatch.setattr("surpeer.engines.summing_run.reviews_fit", lambda rows, width, *_: rows * width < 100_000)
    found = score_files(path, method="surprisal", memory=LIMIT)
    assert found.table is not None
    assert_same(found.table, expected)
    assert ways.taken == ["memory", "buckets"]


def test_pieces_on_disk_have_room_for_more_than_were_expected() -> None:
    rows = pl.DataFrame(
        {"paper": np.arange(1000) * 2, "rating": np.zeros(1000, np.int8), "m1": np.zeros(1000, np.int32)}
    )
    form = Form(2, predictions=True)
    sizes = BucketSizes.of(rows, form, 10**7, LIMIT)
    assert sizes.rows >= 10**7
    wider = BucketSizes.of(rows, form, 10**7, LIMIT, 200)
    assert wider.buckets > 4 * sizes.buckets
    assert wider.rows_at_once < sizes.rows_at_once / 4
    learned = BucketSizes.of(rows, Form(2, predictions=True, moments=True, track=True), 10**7, LIMIT)
    assert learned.buckets >= 2 * BucketSizes.of(rows, Form(2, predictions=True, track=True), 10**7, LIMIT).buckets
    assert MORE < 2, "which is how much larger a piece may be than was planned"


def slices(files: ReviewFiles, most: int) -> Iterator[tuple[int, pl.DataFrame]]:
    return ((batch.first_row, batch.frame) for batch in files.batches(most_bytes=most))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_batches_of_long_rows_have_fewer_of_them(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"reviews.{kind}"
    frame = REVIEWS.with_columns(title=pl.when(pl.int_range(len(REVIEWS)) < 200).then(pl.lit(LONG)))
    frame.write_csv(path) if kind == "csv" else frame.write_parquet(path)
    files = find_review_files(path)
    (whole,) = (batch.frame for batch in files.batches())
    for most, at_least in ((50_000, 3), (1, len(frame)), (10**9, 1)):
        found = list(slices(files, most))
        assert len(found) >= at_least
        assert_frame_equal(pl.concat([some for _, some in found]), whole)
        starts = np.cumsum([found[0][0], *(len(some) for _, some in found)])
        assert [start for start, _ in found] == starts[:-1].tolist()
    assert len(list(slices(files, 10**9))) == 1


def peak_of_scoring(reviews: Path, result: Path, method: str, memory: int, engine: str = "polars") -> int:
    """Bytes that the command has had."""
    how = ("--method", method, "--memory", f"{memory}B", "--engine", engine)
    return peak_of("score", reviews, *how, "--output", result)


@pytest.mark.slow
@told
@pytest.mark.parametrize(
    ("levels", "ids", "kind"), [(3, "{}", "parquet"), (3, "paper {}", "csv"), (7, "paper {}", "parquet")]
)
def test_the_least_memory_is_enough_to_the_end(tmp_path: Path, levels: int, ids: str, kind: str) -> None:
    """What polars and ranking did not give back was missing when something was learned, and when the result was written:
    up to 668 MB of 632, and 417 of 407."""
    rng, rows = np.random.default_rng(1), 9_000_000 // levels
    shares = np.floor(100 * rng.dirichlet(np.full(levels, 3.0), rows)).astype(np.int64)
    shares[:, 0] += 100 - shares.sum(axis=1)
    frame = pl.DataFrame({"paper": rng.integers(0, rows // 4, rows), "rating": rng.integers(0, levels, rows)})
    predicted = [pl.Series(f"p_{level}", shares[:, level] / 100) for level in range(levels)]
    if ids != "{}":
        frame = frame.with_columns(paper=pl.format(ids, "paper"))
    frame.with_columns(predicted).write_parquet(tmp_path / "reviews.parquet")
    least = least_memory(levels, FIT_PAPERS)
    assert peak_of_scoring(tmp_path / "reviews.parquet", tmp_path / f"out.{kind}", "venue", least) < least


@pytest.mark.slow
@told
def test_memory_is_kept_to_where_titles_are_longer_in_the_first_rows(tmp_path: Path) -> None:
    rng, rows = np.random.default_rng(1), 3_000_000
    paper, share = rng.integers(0, rows // 4, rows), rng.integers(0, 101, rows)
    frame = pl.DataFrame(
        {"paper": paper, "rating": rng.integers(0, 2, rows), "p_0": share / 100, "p_1": 1 - share / 100}
    )
    title = pl.when(pl.int_range(rows) < 100_000).then(pl.lit("A long title " * 30)).otherwise(pl.lit("t"))
    frame.with_columns(title=pl.format("{}{}", title, "paper")).write_csv(tmp_path / "reviews.csv", float_precision=2)
    allowed = 384_000_000
    assert peak_of_scoring(tmp_path / "reviews.csv", tmp_path / "out.parquet", "surprisal", allowed) < allowed


@pytest.mark.slow
@told
@pytest.mark.parametrize("title", ["", "An Uncommonly Long Title " * 4])
def test_duckdb_keeps_to_the_memory_into_which_all_reviews_just_fit(tmp_path: Path, title: str) -> None:
    """It took a third more with one review of each paper, and with titles."""
    rng, rows, levels = np.random.default_rng(1), 600_000, 4
    shares = rng.multinomial(100, [1 / levels] * levels, rows) / 100
    frame = pl.DataFrame({"paper": rng.permutation(rows), "rating": rng.integers(0, levels, rows)}).with_columns(
        pl.Series(f"p_{level}", shares[:, level]) for level in range(levels)
    )
    if title:
        frame = frame.with_columns(title=pl.format("{}{}", pl.lit(title), "paper"))
    frame.write_parquet(tmp_path / "reviews.parquet", row_group_size=1 << 16)
    form = Form(levels, predictions=True, moments=True, title=bool(title))
    sums, width = number_of_sums(form), 22 + bool(title) * (16 + len(title) + 6)
    taken = DATABASE + sums * PER_SUM_OF_QUERY
    allowed = next(n for n in range(taken, 2**40, 10**6) if reviews_fit(rows, width, sums, n, bool(title), True))
    allowed += taken + 20_000_000  # for what is a byte wider than it is here
    with patch("surpeer.engines.summing_run.sum_at_once", side_effect=sum_at_once) as at_once:
        score_files(tmp_path / "reviews.parquet", memory=allowed, engine="duckdb")
    assert at_once.called
    assert peak_of_scoring(tmp_path / "reviews.parquet", tmp_path / "out.csv", "venue", allowed, "duckdb") < allowed


def test_reading_again_is_told_to_whoever_waits(tmp_path: Path) -> None:
    """With the number of reviews that is expected then."""
    path = tmp_path / "reviews.csv"
    REVIEWS.write_csv(path)
    files = find_review_files(path)
    checker, _ = look_first(files, ReadingOptions())
    reading = Reading(files, checker, ScoredRows(moments=False), SILENT)
    with patch("surpeer.engines.reading.about_rows", lambda _: 10):
        assert reading.expected_rows == 10
    list(reading.rows(reading.first_form(), None))
    reading.expect_more(300)
    assert reading.expected_rows == 600
    reading._fraction = 0.1
    reading.expect_more(300)
    assert reading.expected_rows == 3000


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> int:
    """Bytes that every file takes as long as any of its rows are read."""
    held = 200_000_000
    monkeypatch.setattr("surpeer.io.review_files.while_reading", lambda *_: WhileReading(held))
    return held


def test_what_files_take_while_they_are_read_is_refused_before_anything_is_read(tmp_path: Path, held: int) -> None:
    """A million titles of 80 letters in a dictionary took 464 of 384 MB."""
    path = tmp_path / "reviews.parquet"
    TEXT_IDS.write_parquet(path)
    least = least_to_read(held)
    assert least_to_read(0) == least_memory(2, 0) < least < least_memory(2, 0) + held
    refused = (
        f"^{re.escape(str(path))}: found groups of rows whose texts are in dictionaries or pages that take 200 MB as long as any row "
        f"is read, so that {-(-least // 1_000_000)} MB of memory are needed, expected no more than the 384 MB that were "
        r"allowed; write Parquet with groups of about 100,000 rows, or allow more$"
    )
    with patch("surpeer.engines.opening.look_first") as look, pytest.raises(InputError, match=refused):
        score_files(path, tmp_path / "out.csv", memory=384_000_000)
    assert not look.called
    assert [file.name for file in tmp_path.iterdir()] == ["reviews.parquet"]
    with pytest.raises(InputError, match="of memory are needed"):
        check_files(path, memory=384_000_000)
    assert score_files(path, method="mean", memory=least).papers == check_files(path, memory=least).papers
    more = least_to_read(held, database=DATABASE + 4 * PER_SUM_OF_QUERY)  # two counts and two sums of shares
    with pytest.raises(
        InputError, match=f"so that {-(-more // 1_000_000)} MB of memory are needed, .* the {least // 1_000_000} MB"
    ):
        score_files(path, method="mean", memory=least, engine="duckdb")
    assert score_files(path, method="mean", memory=more, engine="duckdb").papers
    assert score_files(path, method="mean").papers
    simulated(8).write_parquet(path)
    with pytest.raises(
        InputError, match=f"that {-(-least_to_read(held, levels=8) // 1_000_000)} MB of memory are needed"
    ):
        score_files(path, method="mean", memory=least)


def test_what_files_take_while_they_are_read_is_not_there_for_reviews(
    tmp_path: Path, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "reviews.parquet"
    TEXT_IDS.write_parquet(path)
    seen: list[int] = []
    real = summing_run.reviews_fit

    def noting(rows: int, width: int, sums: int, limit: int, *more: int) -> bool:
        seen.append(limit)
        return real(rows, width, sums, limit, *more)

    monkeypatch.setattr(summing_run, "reviews_fit", noting)
    memory = 600_000_000
    with large_run(path, ReadingOptions(), "mean", memory=memory) as run:
        assert run.reading.held == held
        reading = run.reading
        assert list(run.scored())
    assert set(seen) == {memory - held}
    less, all_of_it = (
        Reading.within(reading.files, reading.checker, reading.maker, SILENT, some).rows_at_once
        for some in (memory - held, memory)
    )
    assert reading.rows_at_once == less < all_of_it


@pytest.mark.parametrize("table", [REVIEWS, TEXT_IDS])
def test_files_are_never_read_twice_at_the_same_time(
    tmp_path: Path, table: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it takes to read any row of them would be there twice: 475 MB of 470."""
    path = tmp_path / "reviews.parquet"
    table.write_parquet(path)
    real, at_once = review_files.parquet_parts, [0]

    def counting(*how: object) -> Iterator[object]:
        at_once[0] += 1
        assert at_once[0] == 1
        try:
            yield from real(*how)  # type: ignore[arg-type]
        finally:
            at_once[0] -= 1

    monkeypatch.setattr(review_files, "parquet_parts", counting)
    assert score_files(path, method="venue", memory=400_000_000).papers == 200
    assert at_once == [0]


def test_files_that_cannot_be_read_within_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single group of eight million rows with long ids took 690 MB of 400. A little more than was asked for is no
    reason to stop."""
    path = tmp_path / "reviews.parquet"
    REVIEWS.write_parquet(path)
    monkeypatch.setattr("surpeer.engines.opening.own_memory", lambda: 100_000_000)
    monkeypatch.setattr("surpeer.engines.reading.own_memory", lambda: 499_000_000)
    assert score_files(path, method="mean", memory=400_000_000).papers == REVIEWS["paper"].n_unique()
    monkeypatch.setattr("surpeer.engines.reading.own_memory", lambda: 690_000_000)
    said = (
        f"{re.escape(str(path))}: found that reading it takes 690 MB, expected no more than the 400 MB of memory that were "
        r"allowed; write Parquet with groups of about 100,000 rows, or allow more"
    )
    with pytest.raises(InputError, match=f"^{said}$"):
        score_files(path, tmp_path / "out.csv", method="mean", memory=400_000_000)
    assert [file.name for file in tmp_path.iterdir()] == ["reviews.parquet"]
    remedy = "about 100,000 rows, install pyarrow, which reads parts of groups, or allow more$"
    with patch("surpeer.engines.reading.find_spec", return_value=None), pytest.raises(InputError, match=remedy):
        score_files(path, tmp_path / "out.csv", method="mean", memory=400_000_000)
    monkeypatch.setattr("surpeer.engines.opening.own_memory", lambda: 650_000_000)
    assert score_files(path, method="mean", memory=400_000_000).papers, "what a program had before is not ours"
    assert score_files(path, method="mean").papers


@pytest.mark.parametrize("by_scale", [True, False])
def test_all_memory_that_is_needed_is_named_at_once(tmp_path: Path, held: int, by_scale: bool) -> None:
    """For what files take, for as many levels as there are, and for what the method learns."""
    path, levels = tmp_path / "reviews.parquet", [str(level) for level in range(1, 11)]
    shares = {f"p_{level}": 0.1 for level in levels}
    rows = pl.DataFrame({"paper": [f"paper {at // 2}" for at in range(200_000)]})
    rows = rows.with_columns(rating=pl.int_range(pl.len()) % 10 + 1, **{name: pl.lit(p) for name, p in shares.items()})
    (rows.drop(shares) if by_scale else rows).write_parquet(path)
    scale = Scale(levels) if by_scale else None
    to_read, to_learn = least_to_read(held, 10), least_memory(10, FIT_PAPERS)
    assert 384_000_000 < to_read < to_learn
    for method, least in (("mean", to_read), ("venue", to_learn)):
        named = f"so that {-(-least // 1_000_000):,} MB of memory are needed"
        with patch("surpeer.engines.opening.look_first") as look, pytest.raises(InputError, match=named):
            score_files(path, method=method, scale=scale, memory=to_read - 1)
        assert not look.called
        with large_run(path, ReadingOptions(scale), method, memory=least) as run:
            assert run.method == method


@pytest.mark.parametrize(
    ("reading", "gives_back"), [(WhileReading(), 0), (WhileReading(by_pages=True), 1), (WhileReading(held=1), 1)]
)
def test_memory_is_given_back_in_smaller_pieces_where_pages_are_read(
    tmp_path: Path, reading: WhileReading, gives_back: int
) -> None:
    """Also where dictionaries are small: 385 of 384 MB were taken."""
    TEXT_IDS.write_parquet(tmp_path / "reviews.parquet")
    with patch.object(review_files, "while_reading", lambda *_: reading), patch.object(opening, "keep_least") as called:
        check_files(tmp_path / "reviews.parquet")
        assert called.call_count == 0, "nobody asked for little memory"
        check_files(tmp_path / "reviews.parquet", memory=384_000_000)
    assert called.call_count == gives_back
