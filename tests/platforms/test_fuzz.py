"""Whatever a file holds, only errors of ours come out of it, and they come soon.

Files are random, or small damages of a valid sample of every format. The same files are tried on every run;
SURPEER_FUZZ=20 tries twenty times as many, and others each time.
"""

import contextlib
import csv
import io
import json
import re
import signal
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_length import in_both
from damage import ENCODINGS, EVERYWHERE, HUGE, damaged_document, damaged_file, documents, samples_that_end_in, tries
from hypothesis import given
from hypothesis import strategies as st
from platform_samples import (
    COLUMN_MAP,
    LEVELS,
    SAMPLES,
    Sample,
    hotcrp_form,
    openreview_form,
    rows_of,
    workbook,
)

from surpeer import Reviews, Scale
from surpeer.errors import SurpeerError
from surpeer.io.platforms.registry import PLATFORMS
from surpeer.io.review_file import OURS, read_reviews

PLATFORM_NAMES = sorted(PLATFORMS)
LONG = 100_000  # characters of a huge cell: what takes time in proportion to the square of it takes minutes
TOO_LONG = 25  # seconds, a hundred times what the slowest file takes


class Hang(BaseException):
    """Not caught by a reader that catches too much."""


@contextlib.contextmanager
def no_hang() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, TOO_LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def is_read_or_refused(path: Path, data: bytes, platform: str | None, scale: Scale | None = None) -> bool:
    """Whether a file gives sound reviews, or an error that says which file it is about."""
    path.write_bytes(data)
    try:
        with no_hang():
            return are_sound(read_reviews(path, scale, platform=platform))
    except SurpeerError as error:
        return path.name in str(error)


def are_sound(reviews: Reviews) -> bool:
    """Whether there are reviews, all with a rating on the scale and shares between 0 and 1."""
    levels, shares = len(reviews.scale), reviews.predictions[~np.isnan(reviews.predictions)]
    rated = ((reviews.rating >= 0) & (reviews.rating < levels)).all()
    return bool(len(reviews) and rated and ((shares >= 0) & (shares <= 1 + 1e-3)).all())


# Random files

some_platform = st.sampled_from([None, OURS, *PLATFORM_NAMES])
suffixes = st.sampled_from([".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xls", ".parquet", ".txt", ""])


@tries(150)
@given(st.binary(max_size=300), suffixes, some_platform)
def test_random_bytes(folder: Path, data: bytes, suffix: str, platform: str | None) -> None:
    assert is_read_or_refused(folder / f"random{suffix}", data, platform)


@tries(150)
@given(st.text(st.sampled_from('ab1,;\t\n\r" .%/:[]{}<>=é\x00\ufeff')), suffixes, some_platform)
def test_random_text(folder: Path, text: str, suffix: str, platform: str | None) -> None:
    assert is_read_or_refused(folder / f"random{suffix}", text.encode(), platform)


@tries(250)
@given(documents, some_platform)
def test_random_json(folder: Path, document: Any, platform: str | None) -> None:
    assert is_read_or_refused(folder / "random.json", json.dumps(document).encode(), platform)


# Damaged files


@in_both
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files(name: str, folder: Path) -> None:
    sample = SAMPLES[name]

    @tries(80)
    @given(damaged_file(sample), st.sampled_from([None, sample.platform]), st.sampled_from([None, Scale(LEVELS)]))
    def check(data: bytes, platform: str | None, scale: Scale | None) -> None:
        assert is_read_or_refused(folder / sample.name, data, platform, scale)

    check()


@pytest.mark.parametrize("name", samples_that_end_in(".csv", ".tsv", ".json", ".jsonl", ".xls"))
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_other_encodings(name: str, encoding: str, folder: Path) -> None:
    sample = SAMPLES[name]
    assert is_read_or_refused(folder / sample.name, sample.data.decode().encode(encoding, "replace"), sample.platform)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_under_the_name_of_another_platform(name: str, folder: Path) -> None:
    for platform in (OURS, *PLATFORM_NAMES):
        assert is_read_or_refused(folder / SAMPLES[name].name, SAMPLES[name].data, platform)


# What comes with a file

FORMS = {"hotcrp reviews": hotcrp_form(), "hotcrp rest": hotcrp_form(), "openreview notes": openreview_form()}


@in_both
@pytest.mark.parametrize("name", FORMS)
def test_damaged_forms(name: str, folder: Path, write: Callable[[str, bytes], Path]) -> None:
    path, form = write(SAMPLES[name].name, SAMPLES[name].data), folder / "form.json"

    @tries(80)
    @given(damaged_document(FORMS[name]))
    def check(document: Any) -> None:
        form.write_bytes(json.dumps(document).encode())
        with contextlib.suppress(SurpeerError), no_hang():
            read_reviews(path, form=form)

    check()
    form.write_bytes(json.dumps(FORMS[name]).encode())
    assert read_reviews(path, form=form).scale.levels == LEVELS


@in_both
def test_damaged_column_maps(folder: Path, write: Callable[[str, bytes], Path]) -> None:
    path, columns = write("talks.csv", SAMPLES["pretalx csv"].data), folder / "columns.json"

    @tries(120)
    @given(damaged_document(COLUMN_MAP))
    def check(document: Any) -> None:
        columns.write_bytes(json.dumps(document).encode())
        with contextlib.suppress(SurpeerError), no_hang():
            read_reviews(path, columns=columns)

    check()
    columns.write_bytes(json.dumps(COLUMN_MAP).encode())
    assert read_reviews(path, columns=columns).scale.levels == LEVELS


fields = st.sampled_from(["Score", "Text", "Predicted shares", "rating", "Overall merit", "none", "", "*", "x" * 3000])


@tries(120)
@given(st.sampled_from(sorted(SAMPLES)), fields | st.none(), st.lists(fields, max_size=5), st.lists(fields, max_size=2))
def test_fields_and_rounds_that_may_not_be_there(
    folder: Path, name: str, rating: str | None, predictions: list[str], rounds: list[str]
) -> None:
    path = folder / SAMPLES[name].name
    path.write_bytes(SAMPLES[name].data)
    outcome = ""
    with no_hang():
        try:
            outcome = repr(read_reviews(path, rating=rating, predictions=predictions, rounds=rounds))
        except SurpeerError as error:
            outcome = f"refused: {error}"
    assert re.match(r"<Reviews: [1-9]|refused: .", outcome), outcome


# Huge and hostile files


def with_cell(sample: Sample, row: int, column: int, text: str) -> bytes:
    """A table with this text in one cell."""
    separator = "\t" if sample.name.endswith(".tsv") else ","
    rows = rows_of(sample.data, separator)
    rows[row][column] = text
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator).writerows(rows)
    return stream.getvalue().encode()


def with_value(sample: Sample, position: int, text: str) -> bytes:
    """A JSON document with this text instead of one of its values."""
    count = 0

    def change(value: Any) -> Any:
        nonlocal count
        if isinstance(value, dict):
            return {key: change(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [change(inner) for inner in value]
        count += 1
        return text if count == position else value

    return json.dumps(change(json.loads(sample.data))).encode()


def with_huge_cells(sample: Sample, turns: int) -> Iterator[bytes]:
    """What is likeliest to take long in every column or value of a record, other long texts in a few of them.

    Of `turns` texts that are likeliest, a column has one, and the next column the next one.
    """
    is_table = sample.name.endswith((".csv", ".tsv"))
    width = len(rows_of(sample.data, "\t" if sample.name.endswith(".tsv") else ",")[4]) if is_table else 20
    for number, piece in enumerate([*HUGE, *EVERYWHERE]):
        text = piece * (LONG // len(piece)) + "x"
        if is_table:
            yield with_cell(sample, 0, -1, text)
        for at in range(EVERYWHERE.index(piece) % turns, width, turns) if piece in EVERYWHERE else (number % width,):
            yield with_cell(sample, 4, at, text) if is_table else with_value(sample, at + 1, text)


WITH_CELLS = samples_that_end_in(".csv", ".tsv", ".json")
TURNS = 5


@pytest.mark.parametrize("name", WITH_CELLS)
def test_huge_cells(name: str, folder: Path) -> None:
    """Each sample has one of five, and the next sample the next ones."""
    sample = SAMPLES[name]
    for data in islice(with_huge_cells(sample, len(EVERYWHERE)), WITH_CELLS.index(name) % TURNS, None, TURNS):
        assert is_read_or_refused(folder / sample.name, data, sample.platform)


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_CELLS)
def test_all_huge_cells(name: str, folder: Path) -> None:
    sample = SAMPLES[name]
    for data in with_huge_cells(sample, 1):
        assert is_read_or_refused(folder / sample.name, data, sample.platform)


def _xml(body: str, head: str = "") -> bytes:
    names = (
        'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
    )
    return f'<?xml version="1.0"?>{head}<Workbook {names}><Worksheet ss:Name="a"><Table>{body}</Table></Worksheet></Workbook>'.encode()


ENTITIES = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10 if at else "x" * 10}">' for at in range(12))
HOSTILE: dict[str, Callable[[], bytes]] = {
    "empty.csv": lambda: b"",
    "mark.csv": lambda: b"\xef\xbb\xbf",
    "blank.json": lambda: b"  \n ",
    "brackets.json": lambda: b"[" * LONG,
    "braces.json": lambda: b'{"a":' * LONG,
    "deep.json": lambda: b"[" * 900 + b"]" * 900,
    "deep_reviews.json": lambda: b'{"abstracts":' * 400 + b"[]" + b"}" * 400,
    "digits.json": lambda: b'[{"Proposal ID":' + b"9" * 10_000 + b"}]",
    "constants.json": lambda: b'[{"submission": NaN, "score": Infinity, "answers": -Infinity}]',
    "twice.json": lambda: b'{"notes": [], "notes": {}, "abstracts": 1, "abstracts": []}',
    "surrogate.json": lambda: b'[{"submission": "\\ud800", "score": 1, "answers": [], "user": "\\udfff"}]',
    "wide.csv": lambda: b",".join(b"c%d" % at for at in range(20_000)) + b"\n" + b"1\n" * 100,
    "lines.csv": lambda: b"paper,reviewer,rating\n" + b"\n" * LONG,
    "quotes.csv": lambda: b'paper,reviewer,rating\n"' + b'""' * LONG,
    "short.csv": lambda: b"Proposal ID,Score,Text" + b",x" * 2000 + b"\n" + b"A\n" * 2000,
    "nul.csv": lambda: b"paper,rating\n1,\x002\n",
    "archive.csv.gz": lambda: b"\x1f\x8b\x08\x00" + b"\x00" * 100,
    "picture.csv": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "laughs.xls": lambda: _xml("<Row><Cell><Data>&e11;</Data></Cell></Row>", f"<!DOCTYPE Workbook [{ENTITIES}]>"),
    "file.xls": lambda: _xml("<Row><Cell><Data>&e;</Data></Cell></Row>", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    "far.xls": lambda: _xml('<Row ss:Index="1000000000"><Cell ss:Index="1000000000"><Data ss:Type="String">x</Data></Cell></Row>'),
    "merged.xls": lambda: _xml('<Row><Cell ss:MergeAcross="1000000000"><Data ss:Type="String">x</Data></Cell></Row>'),
    "old.xls": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 2000,
    "zip.xlsx": lambda: b"PK\x03\x04" + b"\x00" * 500,
    "cells.xlsx": lambda: workbook([["Paper ID", "x" * LONG], ["1" * LONG, "2"]]),
}  # fmt: skip


MOST_ROWS = "lines.csv"
"""Takes a second, nearly all of it until there is a sheet: in the suite few platforms get it, the others when slow."""


@pytest.mark.parametrize(
    ("name", "platform"),
    [
        pytest.param(name, platform, marks=pytest.mark.slow if name == MOST_ROWS and at > 2 else [])
        for name in HOSTILE
        for at, platform in enumerate([None, OURS, *PLATFORM_NAMES])
    ],
)
def test_hostile_files(name: str, platform: str | None, folder: Path) -> None:
    path = folder / name
    path.write_bytes(HOSTILE[name]())
    with no_hang(), pytest.raises(SurpeerError, match=re.escape(name)):
        read_reviews(path, platform=platform)
