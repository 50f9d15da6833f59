"""Whatever a file holds, only errors of ours come out of it, and they come soon.

Files are random, or small damages of a valid sample of every format. The same files are tried on every run;
SURPEER_FUZZ=20 tries twenty times as many, and others each time.
"""

import contextlib
import copy
import csv
import io
import json
import os
import signal
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
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
from surpeer.io.content import Content, Sheet
from surpeer.io.platforms.registry import PLATFORMS
from surpeer.io.review_file import OURS, read_reviews
from surpeer.io.review_form.export import Export, Platform

PLATFORM_NAMES = sorted(PLATFORMS)
LONG = 100_000  # characters of a huge cell: what takes time in proportion to the square of it takes minutes
TIMES = int(os.environ.get("SURPEER_FUZZ", "1"))
TOO_LONG = 25  # seconds, a hundred times what the slowest file takes


def samples_that_end_in(*suffixes: str) -> list[str]:
    return [name for name, sample in SAMPLES.items() if sample.name.endswith(suffixes)]


def tries(number: int) -> settings:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(
        max_examples=number * TIMES,
        derandomize=TIMES == 1,
        deadline=None,
        database=None,
        suppress_health_check=checks,
    )


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


def attempt(path: Path, data: bytes, platform: str | None, scale: Scale | None = None) -> Reviews | None:
    """The reviews of a file, or None and an error that says which file it is about."""
    path.write_bytes(data)
    try:
        with no_hang():
            return read_reviews(path, scale, platform=platform)
    except SurpeerError as error:
        found = str(error)
    assert path.name in found
    return None


# Random files

KEYS = [
    "abstracts", "questions", "reviews", "ratings", "friendly_id", "user", "notes", "content", "value", "invitations", "invitation",
    "signatures", "forum", "details", "directReplies", "replies", "results", "count", "submission", "score", "scores", "answers",
    "question", "ok", "object", "pid", "rid", "OveMer", "settings", "rf", "paper", "reviewer", "rating", "p_1", "p_2", "id",
    "number", "title", "name",
]  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["review", "complete", "3: good", "10 20 30 40", "V/Submission1/-/Official_Review", "2031-01-01"])
)
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6), max_leaves=25
)  # fmt: skip
some_platform = st.sampled_from([None, OURS, *PLATFORM_NAMES])
suffixes = st.sampled_from([".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xls", ".parquet", ".txt", ""])


@tries(150)
@given(st.binary(max_size=300), suffixes, some_platform)
def test_random_bytes(folder: Path, data: bytes, suffix: str, platform: str | None) -> None:
    attempt(folder / f"random{suffix}", data, platform)


@tries(150)
@given(st.text(st.sampled_from('ab1,;\t\n\r" .%/:[]{}<>=é\x00\ufeff')), suffixes, some_platform)
def test_random_text(folder: Path, text: str, suffix: str, platform: str | None) -> None:
    attempt(folder / f"random{suffix}", text.encode(), platform)


@tries(250)
@given(documents, some_platform)
def test_random_json(folder: Path, document: Any, platform: str | None) -> None:
    attempt(folder / "random.json", json.dumps(document).encode(), platform)


# Damaged files

TEXTS = ["", " ", "\x00", '"', '""', "'", ",", ";", "\t", "\n", "\r", "\r\n", "\ufeff", "é", "<b>", "&amp;", "-", "0", "1e400",
         "nan", "-inf", "9" * 400, "[", "{", "}", "null", "=1+1", "5 5", "50%", "\u202e", "\ud7ff"]  # fmt: skip
EVERYWHERE = ["1", "1 "]
HUGE = ["a", '"', "[", '{"a":', "<a", " ", ",", "1,", "\n", "1/", "(", "é", "0.", "-", "\\", "&lt;", "a: 1\n"]
ENCODINGS = ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp037", "utf-7"]
LINE_ENDS = [b"\r", b"\r\n", b"\n\n", b" ", b"\x0b"]
SEPARATORS = [b";", b"\t", b"|", b" ", b", ", b",,"]


@st.composite
def damaged_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """One to three small damages."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 40)))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            data = data[:start] + data[stop:]
        elif kind == 1:
            data = data[:start]
        elif kind == 2:
            data = data[:start] + draw(st.sampled_from(TEXTS)).encode() + data[stop:]
        elif kind == 3:
            data = data[:start] + draw(st.binary(min_size=1, max_size=4)) + data[stop:]
        elif kind == 4:
            data = data[:stop] + data[start:stop] * draw(st.integers(1, 3)) + data[stop:]
        elif kind == 5:
            data = data.replace(b"\n", draw(st.sampled_from(LINE_ENDS)), draw(st.integers(1, 20)))
        else:
            data = data.replace(b",", draw(st.sampled_from(SEPARATORS)), draw(st.integers(1, 50)))
    return data


@st.composite
def damaged_cells(draw: st.DrawFn, rows: list[list[str]]) -> list[list[str]]:
    """One to four cells or rows that are not what they should be."""
    rows = [list(row) for row in rows]
    for _ in range(draw(st.integers(1, 4))):
        row = draw(st.sampled_from(rows))
        at = draw(st.integers(0, max(0, len(row) - 1)))
        kind = draw(st.integers(0, 6))
        if kind == 0 or not row:
            row.insert(at, draw(st.sampled_from(TEXTS)))
        elif kind == 1:
            row[at] = draw(st.sampled_from(TEXTS) | st.text(max_size=8))
        elif kind == 2:
            del row[at]
        elif kind == 3:
            other = draw(st.integers(0, len(row) - 1))
            row[at], row[other] = row[other], row[at]
        elif kind == 4:
            rows.append(list(row))
        elif kind == 5:
            row[at] = row[at] * draw(st.integers(2, 5))
        else:
            rows.remove(row)
            rows = rows or [[""]]
    return rows


ODD_VALUES = [None, True, False, 0, -1, 3.5, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x", [], {}, [[]], [None], {"value": None},
              {"value": {}}, {"en": "x"}, {"id": None}, "\ud800", "2031-13-45", [{}], {"": ""}]  # fmt: skip


@st.composite
def damaged_document(draw: st.DrawFn, document: Any) -> Any:
    """One to four values of another type, keys gone or renamed, entries twice or in another place."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(1, 4))):
        box, steps = document, draw(st.integers(0, 7))
        for _ in range(steps):
            inner = [
                value
                for value in (box.values() if isinstance(box, dict) else box)
                if isinstance(value, list | dict) and value
            ]
            if not inner:
                break
            box = draw(st.sampled_from(inner))
        keys = list(box) if isinstance(box, dict) else list(range(len(box)))
        if not keys:
            break
        key, other = draw(st.sampled_from(keys)), draw(st.sampled_from(keys))
        kind = draw(st.integers(0, 5))
        if kind <= 1:
            box[key] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES) | scalars))
        elif kind == 2:
            del box[key]
        elif kind == 3:
            box[key], box[other] = box[other], box[key]
        elif kind == 4:
            box[key] = [box[key]]
        elif isinstance(box, dict):
            box[draw(st.sampled_from(KEYS))] = box.pop(key)
        else:
            box.append(box[key])
    return document


@st.composite
def damaged_file(draw: st.DrawFn, sample: Sample) -> bytes:
    """The sample, damaged in its bytes or in what they mean."""
    suffix = Path(sample.name).suffix
    if draw(st.booleans()):
        return draw(damaged_bytes(sample.data))
    if suffix == ".json":
        return json.dumps(draw(damaged_document(json.loads(sample.data)))).encode("utf-8", "surrogatepass")
    if suffix == ".jsonl":
        lines = draw(damaged_document([json.loads(line) for line in sample.data.splitlines()]))
        return "\n".join(json.dumps(line) for line in (lines if isinstance(lines, list) else [lines])).encode()
    if suffix == ".xlsx":
        return draw(damaged_parts(sample.data))
    if suffix in (".csv", ".tsv"):
        separator = "\t" if suffix == ".tsv" else ","
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerows(draw(damaged_cells(rows_of(sample.data, separator))))
        return text.getvalue().encode("utf-8", "surrogatepass")
    return draw(damaged_bytes(sample.data))


@st.composite
def damaged_parts(draw: st.DrawFn, data: bytes) -> bytes:
    """A workbook with one part that is damaged, gone, or there twice."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = draw(st.sampled_from(sorted(parts)))
    if draw(st.integers(0, 5)):
        parts[name] = draw(damaged_bytes(parts[name]))
    else:
        del parts[name]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))) as archive:
        for part, content in parts.items():
            archive.writestr(zipfile.ZipInfo(part, (2031, 1, 1, 0, 0, 0)), content)
    return stream.getvalue()


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files(name: str, folder: Path) -> None:
    sample = SAMPLES[name]

    @tries(80)
    @given(damaged_file(sample), st.sampled_from([None, sample.platform]), st.sampled_from([None, Scale(LEVELS)]))
    def check(data: bytes, platform: str | None, scale: Scale | None) -> None:
        attempt(folder / sample.name, data, platform, scale)

    check()


@pytest.mark.parametrize("name", samples_that_end_in(".csv", ".tsv", ".json", ".jsonl", ".xls"))
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_other_encodings(name: str, encoding: str, folder: Path) -> None:
    sample = SAMPLES[name]
    attempt(folder / sample.name, sample.data.decode().encode(encoding, "replace"), sample.platform)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_under_the_name_of_another_platform(name: str, folder: Path) -> None:
    for platform in (OURS, *PLATFORM_NAMES):
        attempt(folder / SAMPLES[name].name, SAMPLES[name].data, platform)


# What comes with a file

FORMS = {"hotcrp reviews": hotcrp_form(), "hotcrp rest": hotcrp_form(), "openreview notes": openreview_form()}


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
    with contextlib.suppress(SurpeerError), no_hang():
        read_reviews(path, rating=rating, predictions=predictions, rounds=rounds)


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


def with_huge_cells(sample: Sample) -> Iterator[bytes]:
    """What is likeliest to take long in every column or value of a record, other long texts in a few of them."""
    is_table = sample.name.endswith((".csv", ".tsv"))
    width = len(rows_of(sample.data, "\t" if sample.name.endswith(".tsv") else ",")[4]) if is_table else 20
    for number, piece in enumerate([*HUGE, *EVERYWHERE]):
        text = piece * (LONG // len(piece)) + "x"
        if is_table:
            yield with_cell(sample, 0, -1, text)
        for at in range(width) if piece in EVERYWHERE else (number % width,):
            yield with_cell(sample, 4, at, text) if is_table else with_value(sample, at + 1, text)


@pytest.mark.parametrize("name", samples_that_end_in(".csv", ".tsv", ".json"))
def test_huge_cells(name: str, folder: Path) -> None:
    sample = SAMPLES[name]
    for data in with_huge_cells(sample):
        attempt(folder / sample.name, data, sample.platform)


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


@pytest.mark.parametrize("platform", [None, OURS, *PLATFORM_NAMES])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(name: str, platform: str | None, folder: Path) -> None:
    assert attempt(folder / name, HOSTILE[name](), platform) is None


# Readers of platforms, whatever they are given

contents = st.builds(Content, st.just("file"), st.just(()), documents) | st.builds(
    Content,
    st.just("file"),
    st.lists(st.builds(Sheet, st.lists(st.lists(st.text(max_size=6), max_size=5), max_size=4)), max_size=2).map(tuple),
)


def check_export(export: Export) -> None:
    """What the contract of an export says."""
    count = len(export.paper)
    assert all(isinstance(paper, str) and paper.strip() for paper in export.paper)
    for name in ("place", "reviewer", "name", "round", "submitted", "draft", "withdrawn", "track"):
        column = getattr(export, name)
        assert column is None or len(column) == count, name
    assert export.place == sorted(export.place)
    for field in export.fields:
        assert len(field.cells) == count
        assert all(cell is None or (isinstance(cell, str) and cell == cell.strip() and cell) for cell in field.cells)
    assert export.rating is None or export.rating in [field.name for field in export.fields]


def check_platform(platform: Platform, content: Content) -> None:
    kind = platform.recognise(content)
    assert kind is None or (isinstance(kind, str) and kind)
    with contextlib.suppress(SurpeerError):
        check_export(platform.read(content, None))


@pytest.mark.parametrize("name", PLATFORM_NAMES)
def test_readers_take_anything(name: str) -> None:
    @tries(100)
    @given(contents)
    def check(content: Content) -> None:
        check_platform(PLATFORMS[name], content)

    check()


@pytest.mark.parametrize("name", [name for name in samples_that_end_in(".json", ".csv") if SAMPLES[name].platform])
def test_readers_take_what_is_damaged(name: str) -> None:  # of other samples a reader gets the same sheets
    sample = SAMPLES[name]
    if sample.name.endswith(".json"):
        made = damaged_document(json.loads(sample.data)).map(lambda document: Content("file", json=document))
    else:
        made = damaged_cells(rows_of(sample.data)).map(lambda rows: Content("file", (Sheet(rows),)))

    @tries(60)
    @given(made)
    def check(content: Content) -> None:
        check_platform(PLATFORMS[str(sample.platform)], content)

    check()
